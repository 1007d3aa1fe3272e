/** Draws a table; a click on an active cell reports its row and its word to Python. */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const report = (row, action) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // a new tab follows the address
    event.preventDefault();
    setTriggerValue("clicked", { row, action });
  };
  const drawCell = (row, cell, column) => {
    const td = make("td", { class: `${classes(column)}${cell.lines.length ? " lined" : ""}`, "data-title": column.title });
    // Each text runs its own way; as a part of its line it stays where the column begins.
    let text = make("span", { class: cell.strong ? "text strong" : "text", dir: "auto" }, cell.text);
    if (cell.action) {
      text = cell.href
        ? make("a", { class: text.className + " act", dir: "auto", href: cell.href }, ...breakable(cell.text))
        : make("button", { class: text.className + " act", dir: "auto", type: "button" }, cell.text);
      text.addEventListener("click", report(row.id, cell.action));
    }
    const line = make("div", { class: "line" });
    if (cell.glyph) line.append(symbol(cell), " ");
    if (cell.text) line.append(text);
    if (cell.badge) line.append(" ", make("span", { class: "badge", "data-color": cell.color }, cell.badge));
    if (line.childNodes.length || !cell.lines.length) td.append(line);
    if (cell.note) td.append(make("div", { class: "note quiet small" }, make("span", { dir: "auto" }, cell.note)));
    for (const [value, about] of cell.lines) {
      td.append(make("div", { class: "line" }, make("span", { class: "strong" }, value), " ", make("span", { class: "quiet small" }, about)));
    }
    return td;
  };
  const table = make("table", { "aria-label": data.label });
  const head = make("tr", {});
  for (const column of data.columns) head.append(make("th", { scope: "col", class: classes(column) }, column.title));
  table.append(make("thead", {}, head));
  for (const group of data.groups) {
    const body = make("tbody", {});
    if (group.title) {
      const cell = make("th", { class: "group", scope: "rowgroup", colspan: data.columns.length }, group.title);
      if (group.note) cell.append(make("span", { class: "note quiet small" }, group.note));
      body.append(make("tr", { class: "group" }, cell));
    }
    for (const row of group.rows) {
      const tr = make("tr", { class: row.here ? "here" : "", "aria-current": row.here ? "true" : "" });
      row.cells.forEach((cell, at) => tr.append(drawCell(row, cell, data.columns[at])));
      body.append(tr);
    }
    table.append(body);
  }
  root.replaceChildren(table);
  const here = table.querySelector("tr.here");
  if (here && !root.dataset.shown) {
    root.dataset.shown = "yes";  // whoever scrolls away is not fetched back
    requestAnimationFrame(() => here.scrollIntoView({ block: "nearest" }));
  }
}

// A file's own name of an item has no blanks: it may break behind its joints.
const breakable = (text) => text.split(/(?<=[_/.-])(?=\w)/).flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));
const classes = (column) => [column.end && "end", column.wide && "wide", column.drop && "drop", column.firm && "firm"].filter(Boolean).join(" ");
