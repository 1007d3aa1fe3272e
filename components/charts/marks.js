/** Draws a table of counts, dots with intervals, or bars; each mark with an id is a button. */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const active = parentElement.activeElement ?? parentElement.ownerDocument.activeElement?.shadowRoot?.activeElement;
  const focused = active?.dataset?.at;
  const press = (mark, attributes, ...children) => {
    if (!mark.id) return make("div", attributes, ...children);
    const button = make("button", { ...attributes, type: "button", "data-at": mark.id, "aria-pressed": String(Boolean(mark.on)) }, ...children);
    button.addEventListener("click", () => setTriggerValue("clicked", mark.id));
    return button;
  };
  root.replaceChildren({ matrix, dots, bars, parts }[data.kind](data, press));
  if (data.read && data.kind !== "parts") root.append(make("div", { class: "foot-link" }, reading(data)));
  if (focused) for (const each of root.querySelectorAll("button")) if (each.dataset.at === focused) each.focus({ preventScroll: true });
}

/** A link to the chart's paragraph; it opens beside the page, which keeps its place. */
const reading = (data) => make("a", { class: "read small", href: data.read, target: "_blank", rel: "noopener", "aria-label": `How to read this: ${data.label}` }, "How to read this");

const percent = (value) => `${(100 * value).toFixed(3)}%`;

function matrix(data, press) {
  const table = make("table", { class: data.columns.length > 5 ? "matrix many" : "matrix", "aria-label": data.label });
  const wide = data.columns.length;
  table.append(make("thead", {},
    make("tr", {}, make("th", { class: "side rows", scope: "col", rowspan: 2 }, data.rows_title), make("th", { class: "side", colspan: wide, scope: "colgroup" }, data.columns_title), make("th", { scope: "col", class: "total", rowspan: 2 }, "All")),
    make("tr", {}, ...data.columns.map((label) => make("th", { scope: "col", class: "label" }, named(label))))));
  const body = make("tbody", {});
  for (const row of data.rows) {
    const tr = make("tr", {}, make("th", { scope: "row", class: "label" }, named(row)));
    for (const cell of row.cells) {
      const held = press(cell, { class: `cell${cell.equal ? " equal" : ""}${cell.empty ? " empty" : ""}`, "aria-label": cell.label },
        make("span", { class: "count" }, cell.text), make("span", { class: "share" }, cell.note));
      held.style.setProperty("--share", percent(cell.share ?? 0));
      tr.append(make("td", {}, held));
    }
    tr.append(make("td", { class: "total" }, row.total));
    body.append(tr);
  }
  body.append(make("tr", {}, make("th", { scope: "row", class: "total" }, "All"), ...data.totals.map((text) => make("td", { class: "total middle" }, text)), make("td", { class: "total strong" }, data.total)));
  table.append(body);
  return make("div", { class: "scroll" }, table);
}

const named = (label) => make("span", { class: "named" }, label.glyph ? symbol(label) : null, label.glyph ? " " : null, label.title);

function dots(data, press) {
  const [low, high] = data.domain;
  const at = (value) => percent(Math.min(1, Math.max(0, (value - low) / (high - low))));
  const place = (element, value) => { element.style.setProperty("--at", at(value)); return element; };
  const list = make("div", { class: "dots", role: "list", "aria-label": data.label });
  for (const row of data.rows) {
    const track = make("div", { class: "track", "aria-hidden": "true" });
    for (const line of data.lines) track.append(place(make("span", { class: "line" }), line.at));
    if (row.low !== null) {
      const whisker = make("span", { class: "whisker" });
      whisker.style.setProperty("--from", at(row.low));
      whisker.style.setProperty("--to", at(row.high));
      track.append(whisker);
    }
    if (row.value !== null) track.append(place(make("span", { class: row.low === null ? "dot open" : "dot" }), row.value));
    const title = press(row, { class: "title" }, row.title, row.note ? make("span", { class: "quiet small" }, row.note) : null);
    const name = row.about
      ? make("details", { class: "about" }, make("summary", {}, row.title, make("span", { class: "ask", "aria-hidden": "true" }, "?")), make("p", { class: "small" }, row.about, row.read ? " " : null, row.read ? make("a", { class: "read", href: row.read, target: "_blank", rel: "noopener" }, "More on this number") : null))
      : title;
    const text = make("div", { class: "text" }, make("span", { class: "strong" }, row.text), row.about && row.note ? make("span", { class: "quiet small" }, row.note) : null, row.reason ? make("span", { class: "quiet small" }, row.reason) : null);
    list.append(make("div", { class: `row${row.on ? " on" : ""}`, role: "listitem", "data-color": row.color }, name, track, text));
  }
  const axis = make("div", { class: "row axis", "aria-hidden": "true" }, make("div", {}), make("div", { class: "track" }, ...data.ticks.map((tick) => place(make("span", { class: "tick" }, tick.text), tick.at))), make("div", {}));
  list.append(axis);
  if (data.foot) list.append(make("div", { class: "legend quiet small" }, data.foot));
  for (const line of data.lines) if (line.text) list.append(make("div", { class: "legend quiet small" }, make("span", { class: "key", "aria-hidden": "true" }), line.text));
  return list;
}

function bars(data, press) {
  const list = make("div", { class: "bars", role: "group", "aria-label": data.label });
  for (const bar of data.bars) {
    const fill = make("span", { class: "fill" });
    fill.style.setProperty("--share", percent(bar.share));
    list.append(press(bar, { class: "bar", "data-color": bar.color, "aria-label": bar.label },
      make("span", { class: "count" }, bar.text), make("span", { class: "well" }, fill), make("span", { class: "foot" }, bar.title)));
  }
  return make("div", {}, list, data.ends.length ? make("div", { class: "ends quiet small" }, ...data.ends.map((text) => make("span", {}, text))) : null);
}

function parts(data, press) {
  const strip = make("div", { class: "strip", "aria-hidden": "true" });
  const list = make("div", { class: "parts", role: "group", "aria-label": data.label });
  for (const part of data.parts) {
    if (part.drawn && part.count) {
      const piece = make("span", { "data-color": part.color });
      piece.style.setProperty("flex-grow", part.count);
      strip.append(piece);
    }
    list.append(press(part, { class: "part", "data-color": part.color }, part.drawn ? make("span", { class: "swatch", "aria-hidden": "true" }) : null,
      make("span", { class: "strong" }, part.text), make("span", { class: "quiet" }, part.title)));
  }
  if (data.read) list.append(make("a", { class: "ask read", href: data.read, target: "_blank", rel: "noopener", title: "How to read this", "aria-label": `How to read this: ${data.label}` }, "?"));
  return make("div", {}, strip, list);
}
