const memory = new WeakMap();  // one record per mounted reader
const TYPING = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range])";

function drawCounts(reviewed) {
  const all = reviewed.flatMap((text) => text.counts);
  const merged = new Map();
  for (const look of all) merged.set(look.title, { ...look, count: (merged.get(look.title)?.count ?? 0) + look.count });
  return [...merged.values()];
}

function drawReviewed(text, nodes) {
  const body = make("div", { class: "text" });
  const looks = new Map(text.units.map((unit) => [unit.id, unit]));
  for (const [words, ids] of text.segments) {
    if (!ids.length) { put(body, words); continue; }
    const unit = looks.get(ids[0]);
    const span = make("span", text.running
      ? { class: "unit", role: "option", tabindex: "-1", "aria-selected": "false", "data-unit": unit.id, "data-color": unit.look.color, "data-line": unit.look.underline }
      : { class: "origin", "data-units": ids.join(" ") });
    if (text.running) {
      span.setAttribute("aria-label", `${unit.look.title}: ${unit.text}`);
      span.append(symbol(unit.look));
    }
    put(span, words);
    if (text.running && unit.differ) span.append(make("span", { class: "differ", title: "Annotations differ on this sentence" }, "differ"));
    body.append(span);
    for (const id of ids) nodes.set(id, [...(nodes.get(id) ?? []), span]);
  }
  if (text.running) { body.setAttribute("role", "listbox"); body.setAttribute("aria-label", `${text.title}, sentence by sentence`); }
  const pane = make("section", { class: "pane", "aria-label": text.title },
    make("header", {}, make("h2", {}, text.title), make("span", { class: "quiet small" }, text.kind === "text" ? "Judged as a whole" : `${text.units.length} ${text.kind}${text.units.length === 1 ? "" : "s"}`)),
    body);
  if (!text.running) pane.append(drawList(text, nodes));
  return pane;
}

function drawList(text, nodes) {
  const list = make("div", { class: "list", role: "listbox", "aria-label": `${text.title}: what was judged` });
  for (const unit of text.units) {
    const row = make("div", { class: "unit row", role: "option", tabindex: "-1", "aria-selected": "false", "data-unit": unit.id, "data-color": unit.look.color },
      symbol(unit.look), make("span", {}, unit.text), unit.differ ? make("span", { class: "differ" }, "differ") : null);
    row.setAttribute("aria-label", `${unit.look.title}: ${unit.text}`);
    list.append(row);
    nodes.set(unit.id, [row, ...(nodes.get(unit.id) ?? [])]);
  }
  return list;
}

function drawSource(source, marks) {
  const body = make("div", { class: "text" });
  for (const [words, ids] of source.segments) {
    if (!ids.length) { put(body, words); continue; }
    const mark = make("mark", {}, words);
    for (const id of ids) marks.set(id, [...(marks.get(id) ?? []), mark]);
    body.append(mark);
  }
  return make("section", { class: "source", "aria-label": source.title },
    make("header", {}, make("h2", {}, source.title), make("span", { class: "quiet small" }, `${source.characters.toLocaleString("en")} characters`)), body);
}

function drawQuote(quote, marks, show) {
  const line = make("div", { class: quote.missing ? "found missing small" : "found quiet small" }, [quote.found, quote.where].filter(Boolean).join(" · "));
  if (marks.has(quote.id)) {
    const button = make("button", { type: "button", class: "show" }, "Show");
    button.addEventListener("click", () => show(quote.id));
    line.append(" ", button);
  }
  return make("blockquote", {}, make("div", { class: "words" }, quote.text), line);
}

function drawLink([words, mayFollow]) {
  // Python has judged the address already; the browser's own reading has to agree.
  const safe = mayFollow && URL.canParse(words) && ["http:", "https:"].includes(new URL(words).protocol);
  return safe
    ? make("a", { href: words, target: "_blank", rel: "noopener noreferrer nofollow", class: "source-link" }, words)
    : make("span", { class: "source-link" }, words, make("span", { class: "quiet small" }, "  not a web address"));
}

function drawOpinion(said, marks, show) {
  const row = make("article", { class: "opinion", "data-color": said.look.color },
    make("header", {}, make("b", {}, said.author), make("span", { class: "quiet small" }, said.kind),
      make("span", { class: "badge" }, said.look.glyph === said.look.title ? said.look.title : `${said.look.glyph} ${said.look.title}`)));
  if (said.question) row.append(make("div", { class: "quiet small" }, said.question));
  if (said.problem) row.append(make("p", { class: "problem" }, said.problem));
  if (said.rationale) row.append(make("p", {}, said.rationale));
  if (said.comment) row.append(make("p", {}, make("span", { class: "quiet small" }, "Comment "), said.comment));
  for (const quote of said.quotes) row.append(drawQuote(quote, marks, show));
  for (const link of said.links) row.append(make("div", {}, drawLink(link)));
  if (said.checks.length) row.append(make("ul", {}, ...said.checks.map((check) => make("li", {}, check))));
  for (const [words, value] of said.pieces) {
    row.append(make("div", { class: "quiet small" }, `Said about their own cut${value ? ` (${value})` : ""}: “`, words, "”"));
  }
  return row;
}

function intoView(element) {
  const box = element.closest(".scroll");
  if (!box) return;
  const outer = box.getBoundingClientRect(), inner = element.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 3;
}

function build(root, data, m) {
  const $ = (selector) => root.querySelector(selector);
  Object.assign(m, { item: data.item, chosen: null, nodes: new Map(), marks: new Map(), order: [] });
  $(".query").replaceChildren(...(data.query ? [make("span", { class: "quiet small" }, "Query "), make("span", {}, data.query)] : []));
  const counts = drawCounts(data.reviewed);
  $(".counts").replaceChildren(...counts.map((look) => make("span", { class: "count" }, symbol(look), make("span", {}, look.title), make("b", {}, String(look.count)))));
  $(".bar").replaceChildren(...counts.map((look) => { const part = make("span", { "data-color": look.color }); part.style.flexGrow = look.count; return part; }));
  const panes = data.reviewed.map((text) => { m.order.push(...text.units.map((unit) => [unit, text.kind, text.units.length])); return drawReviewed(text, m.nodes); });
  for (const pane of [...panes, $(".detail")]) { pane.classList.add("scroll"); pane.tabIndex = 0; }
  const sources = data.sources.map((source) => drawSource(source, m.marks));
  const right = $(".sources");
  right.classList.add("scroll");
  right.tabIndex = 0;  // a pane that scrolls can be reached by key
  $(".reviewed").replaceChildren(...(sources.length ? panes : panes.slice(0, 1)));
  right.replaceChildren(...(sources.length ? sources : panes.slice(1).flatMap((pane) => [...pane.children])));
  right.hidden = !right.children.length;
  $(".panes").classList.toggle("alone", right.hidden);
}

/** Draws one item; choosing a unit happens here, Python only learns which. */
export default function ({ data, parentElement: root, setStateValue }) {
  const m = memory.get(root) ?? {};
  memory.set(root, m);
  const drawn = JSON.stringify([data.item, data.reviewed, data.said]);
  if (m.drawn !== drawn) { build(root, data, m); m.drawn = drawn; m.start = undefined; }

  const show = (id) => {
    for (const mark of root.querySelectorAll("mark.pointed")) mark.classList.remove("pointed");
    for (const mark of m.marks.get(id) ?? []) mark.classList.add("pointed");
    const first = m.marks.get(id)?.[0];
    if (first) { intoView(first); first.scrollIntoView({ block: "nearest" }); }
  };
  const choose = (id, byPerson) => {
    if (id === m.chosen || !m.nodes.has(id)) return;
    for (const [which, on] of [[m.chosen, false], [id, true]]) {
      for (const node of m.nodes.get(which) ?? []) {
        if (node.hasAttribute("role")) { node.setAttribute("aria-selected", on); node.tabIndex = on ? 0 : -1; }
        node.classList.toggle("chosen", on);
      }
    }
    m.chosen = id;
    const [unit, kind, count] = m.order.find(([each]) => each.id === id);
    const said = data.said[id] ?? [];
    for (const mark of root.querySelectorAll("mark.on, mark.pointed")) { mark.classList.remove("on", "pointed"); mark.removeAttribute("data-color"); }
    for (const opinion of said) for (const quote of opinion.quotes) {
      for (const mark of m.marks.get(quote.id) ?? []) { mark.classList.add("on"); mark.dataset.color = opinion.look.color; }
    }
    root.querySelector(".detail").replaceChildren(
      make("header", {}, make("h2", {}, kind === "text" ? "The whole text" : `${kind[0].toUpperCase()}${kind.slice(1)} ${unit.number} of ${count}`),
        make("span", { class: "quiet small" }, `${said.length} annotation${said.length === 1 ? "" : "s"}`)),
      ...(said.length ? said.map((each) => drawOpinion(each, m.marks, show)) : [make("p", { class: "quiet" }, "Nobody has said anything about this yet.")]));
    intoView(m.nodes.get(id)[0]);
    const firstMark = root.querySelector(".sources mark.on");
    if (firstMark) intoView(firstMark);
    if (byPerson) { m.nodes.get(id)[0].focus({ preventScroll: true }); setStateValue("unit", id); }
  };
  const step = (by) => {
    const at = m.order.findIndex(([unit]) => unit.id === m.chosen);
    choose(m.order[Math.min(m.order.length - 1, Math.max(0, at + by))]?.[0].id, true);
  };
  root.querySelector(".panes").onclick = (event) => {
    const node = event.target.closest("[data-unit]"), origin = event.target.closest("[data-units]");
    if (node) choose(node.dataset.unit, true);
    else if (origin) choose(origin.dataset.units.split(" ")[0], true);
  };
  document.removeEventListener("keydown", m.key, true);
  m.key = (event) => {
    const target = event.composedPath()[0];  // the real one, also inside shadow roots
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.(TYPING)) return;
    const inside = target.closest?.("[role=listbox]");
    const by = { j: 1, k: -1 }[event.key] ?? (inside ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : undefined);
    if (by) { step(by); event.preventDefault(); event.stopPropagation(); }
  };
  document.addEventListener("keydown", m.key, true);
  if (m.start === undefined) { m.start = data.start; choose(m.nodes.has(data.start) ? data.start : m.order[0]?.[0].id, false); }
  return () => { document.removeEventListener("keydown", m.key, true); memory.delete(root); };
}
