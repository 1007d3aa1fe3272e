const FIRST_WORD = /^\s*(?:\S{1,16}(?=\s|$)|\S\p{M}*)/u;
const LAST_WORD = /(?:(?<=\s|^)\S{1,16}|\S\p{M}*)\s*$/u;

/** A text whose sentences are units, or one that is judged as a whole. */
function drawReviewed(text, m) {
  const body = make("div", { class: "text", dir: "auto" });
  const own = new Set(text.units.map((unit) => unit.id));
  const owned = new Set(), long = text.segments.reduce((sum, [words]) => sum + words.length, 0) > LONG;
  body.classList.toggle("long", long);
  const placeFor = long ? blocksIn(body) : () => body;
  for (const run of runsOf(text.segments, own)) {
    if (!run.owner) { for (const part of long ? run.parts.flatMap(linesOf) : run.parts) drawPart(placeFor([part]), part, m, own, {}); continue; }
    const first = !owned.has(run.owner), node = make("span", { class: "unit", "data-unit": run.owner });
    if (first) { node.setAttribute("role", "option"); node.setAttribute("aria-selected", "false"); node.tabIndex = -1; }
    owned.add(run.owner);
    run.parts.forEach((part, at) => drawPart(node, part, m, own, { unit: run.owner, first: first && at === 0, last: at === run.parts.length - 1 }));
    placeFor(run.parts).append(node);
    m.nodes.set(run.owner, [...(m.nodes.get(run.owner) ?? []), node]);
  }
  const rest = text.kind === "text" ? [] : text.units.filter((unit) => !owned.has(unit.id));
  if (owned.size) { body.setAttribute("role", "listbox"); body.setAttribute("aria-label", `${text.title}, sentence by sentence`); }
  const place = make("span", { class: "quiet small" });
  m.coverage.push([text, place]);
  const pane = make("section", { class: "pane", "aria-label": text.title, tabindex: "0" },
    make("header", {}, make("h2", {}, text.title), place), body);
  if (rest.length) pane.append(make("h3", { class: "quiet small" }, "Judged, but not found in the text"), drawList(text, rest, m));
  pane.classList.add("scroll");
  return pane;
}

/** Says where the next words of a long text go: it is cut into blocks, and those out of sight are not laid out. A block
 *  ends after a line break, else between two sentences: a book in one paragraph would be laid out as a whole. */
function blocksIn(body) {
  let block = null, size = 0, ended = false;
  return (parts) => {
    if (!block || size > 2 * BLOCK || (size > BLOCK && ended)) { block = make("div", { class: "block" }); body.append(block); size = 0; }
    for (const [words] of parts) size += words.length;
    ended = parts.at(-1)[0].endsWith("\n");
    return block;
  };
}

/** Words that belong to no unit, line by line; what a mark covers stays together. */
function linesOf([words, names]) {
  return names.length ? [[words, names]] : words.split(/(?<=\n)/).map((line) => [line, names]);
}

const BLANK_LINE = /(\n[^\S\n]*\n\s*)/;

/** Neighbouring segments that belong to the same unit: the innermost that covers them. A blank line
 *  inside a unit is left out of it, for it would be coloured as if there were a word. */
function runsOf(segments, own) {
  const runs = [];
  const add = (owner, part) => {
    const last = runs[runs.length - 1];
    if (last && last.owner === owner) last.parts.push(part);
    else runs.push({ owner, parts: [part] });
  };
  for (const [words, names] of segments) {
    const owner = names.find((name) => own.has(name));
    if (!owner) { add(undefined, [words, names]); continue; }
    for (const piece of words.split(BLANK_LINE)) {
      if (piece) add(...(piece.trim() || !BLANK_LINE.test(piece) ? [owner, [piece, names]] : [undefined, [piece, []]]));
    }
  }
  return runs;
}

function drawPart(parent, [words, names], m, own, { unit, first, last }) {
  const quotes = names.filter((name) => m.quotes.has(name)), extra = names.filter((name) => !own.has(name) && !quotes.includes(name));
  const outer = names.filter((name) => own.has(name) && name !== unit);
  const within = quotes.length ? parent.appendChild(makeMark(quotes, { begins: true, ends: true }, m)) : parent;
  const box = extra.length || outer.length ? make("span", { class: "part" }) : within;
  if (outer.length) { box.classList.add("nested"); box.dataset.units = [unit, ...outer].join(" "); }
  for (const name of extra) {
    if (name.startsWith("figure ")) drawFigure(box, name, m, unit);
    else if (name.startsWith("check-")) drawChecked(box, name, m);
    else m.cuts.set(name, [...(m.cuts.get(name) ?? []), box]);
  }
  if (unit) putWords(box, words, unit, first, last, m);
  else put(box, words);
  if (box !== within) within.append(box);
}

/** A figure of a summary. Inside a unit it is no button of its own: the detail below offers one. */
function drawFigure(box, name, m, unit) {
  const [kind, found] = m.data.figures[Number(name.slice(7))];
  box.classList.add("figure", found ? "found" : "lost");
  box.dataset.figure = name;
  if (!unit) { box.tabIndex = 0; box.setAttribute("role", "button"); }
  box.title = found ? `This ${kind} stands in a product; click to see where` : `No product gives this ${kind}`;
  m.figures.set(name, box);
}

/** The symbol sticks to the first word and the pill to the last; both are drawn by style, so that copying takes the text alone. */
function putWords(box, words, unit, first, last, m) {
  const head = first ? words.match(FIRST_WORD)?.[0] ?? "" : "";
  const rest = words.slice(head.length);
  const end = last ? rest.match(LAST_WORD)?.[0] ?? "" : "";
  const ends = m.ends.get(unit) ?? {};
  if (head) { ends.lead = put(make("span", { class: "lead" }), head); box.append(ends.lead); }
  put(box, rest.slice(0, rest.length - end.length));
  if (end) { ends.tail?.classList.remove("tail"); ends.tail = put(make("span", { class: "tail" }), end); box.append(ends.tail); }
  else if (head) { ends.tail = ends.lead; ends.lead.classList.add("tail"); }
  m.ends.set(unit, ends);
}

function drawList(text, units, m) {
  const list = make("div", { class: "list", role: "listbox", "aria-label": `${text.title}: what was judged` });
  for (const unit of units) list.append(drawRow(unit, m));
  return list;
}

function drawRow(unit, m) {
  const lead = make("span", { class: "lead", "aria-hidden": "true" });
  const tail = make("span", { class: "tail" }, unit.text);
  const row = make("div", { class: "unit row", dir: "auto", role: "option", tabindex: "-1", "aria-selected": "false", "data-unit": unit.id }, lead, tail);
  m.ends.set(unit.id, { lead, tail });
  m.nodes.set(unit.id, [row, ...(m.nodes.get(unit.id) ?? [])]);
  return row;
}
