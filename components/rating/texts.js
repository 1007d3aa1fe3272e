/** The reviewed texts: sentences in their flow, claims and steps as rows. */
function drawReviewed(m) {
  const out = [];
  const rows = (units, title) => (units.length ? [make("div", { role: "listbox", "aria-label": title }, ...units.map((unit) => drawRow(unit, m)))] : []);
  const loose = m.data.units.filter((unit) => unit.row);
  const firstPlaced = m.data.units.findIndex((unit) => !unit.row);
  const above = loose.filter((unit) => m.data.units.indexOf(unit) < firstPlaced);
  for (const text of m.data.reviewed) {
    const own = m.data.units.filter((unit) => unit.field === text.name);
    const list = make("div", { class: "list" });
    if (text.kind === "claim") {
      list.append(make("header", {}, make("h2", {}, text.title), make("span", { class: "quiet small" }, text.about)), ...rows(own, text.title));
    } else {
      list.append(...rows(above, "First step"));
      list.append(make("header", {}, make("h2", {}, text.title)), drawFlow(text, m));
      list.append(...rows(loose.filter((unit) => !above.includes(unit)), "Last step"));
    }
    if (!own.length && text.kind !== "text") list.append(make("p", { class: "quiet" }, "Nothing to rate here."));
    out.push(list);
  }
  return out;
}

function drawFlow(text, m) {
  const units = text.segments.some(([, names]) => names.some((name) => m.byId.has(name)));
  const body = make("div", { class: "flow", dir: "auto", ...(units ? { role: "listbox", "aria-label": `${text.title}, by ${text.kind === "text" ? "statement" : text.kind}` } : {}) });
  const begun = new Set();
  for (const [words, names] of text.segments) {
    const id = names.find((name) => m.byId.has(name));
    if (!id) { put(body, words); continue; }
    const piece = make("span", { class: "unit", "data-unit": id });
    if (!begun.has(id)) {
      begun.add(id);
      piece.setAttribute("role", "option");
      piece.append(make("span", { class: "glyph", "aria-hidden": "true" }));
    }
    put(piece, words);
    piece.addEventListener("click", () => { if (document.getSelection()?.isCollapsed !== false) m.choose(id); });
    m.nodes.set(id, [...(m.nodes.get(id) ?? []), piece]);
    body.append(piece);
  }
  return body;
}

function drawRow(unit, m) {
  const row = make("div", { class: "unit row", role: "option", "data-unit": unit.id, dir: "auto" },
    make("span", { class: "glyph", "aria-hidden": "true" }), make("span", { class: "words" }, unit.text));
  row.addEventListener("click", () => m.choose(unit.id));
  m.nodes.set(unit.id, [row]);
  return row;
}

/** The sources that the chosen unit is checked against, sentence by sentence. */
function drawSources(m) {
  const field = m.byId.get(m.chosen)?.field;
  const shown = m.data.sources.filter((source) => source.checks.includes(field));
  const search = make("input", { type: "search", class: "search", placeholder: "Find ( / )", "aria-label": "Find in the sources" });
  search.addEventListener("input", () => find(m, search.value));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); nextFound(m); }
    if (event.key === "Escape") { search.value = ""; find(m, ""); m.focusUnit(); }
  });
  m.sources = new Map();
  m.sentences = [];
  m.drawnFor = field;
  const parts = shown.map((source) => {
    const body = make("div", { class: "text", dir: "auto", "data-source": source.name });
    const nodes = source.pieces.map(([start, words, isSentence]) => {
      const node = make("span", isSentence ? { class: "sentence", tabindex: "-1" } : {}, words);
      if (isSentence) m.sentences.push({ node, source: source.name, start, words });
      body.append(node);
      return node;
    });
    m.sources.set(source.name, { source, body, nodes });
    return make("section", { class: "source", "aria-label": source.title }, make("header", {}, make("h3", {}, source.title)), body);
  });
  return [make("header", {}, make("h2", {}, "Sources"), make("span", { class: "quiet small found" }), search),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Source texts" },
      ...(parts.length ? parts : [make("p", { class: "quiet" }, "This item has no source text.")]))];
}

function points(text) { return /[\ud800-\udfff]/.test(text) ? [...text].length : text.length; }

function unitsFor(text, count) { return /[\ud800-\udfff]/.test(text) ? [...text].slice(0, count).join("").length : count; }

/** Where a character of a source stands in the page; Python counts characters, a browser does not. */
function spot(place, at) {
  const pieces = place.source.pieces;
  let low = 0, high = pieces.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (pieces[middle][0] <= at) low = middle; else high = middle - 1; }
  let left = unitsFor(pieces[low][1], at - pieces[low][0]);
  const walker = document.createTreeWalker(place.nodes[low], NodeFilter.SHOW_TEXT);
  let node = walker.nextNode(), last = node;
  while (node && left > node.length) { left -= node.length; last = node; node = walker.nextNode(); }
  return [node ?? last, node ? left : last?.length ?? 0];
}

function rangeOf(m, quote) {
  const place = m.sources.get(quote.field);
  if (!place || quote.start === undefined || !place.source.pieces.length) return null;
  const range = document.createRange();
  range.setStart(...spot(place, quote.start));
  range.setEnd(...spot(place, quote.end));
  return range;
}

function paintQuotes(m) {
  const mine = [], others = [];
  for (const [id, state] of Object.entries(m.states)) for (const said of Object.values(state ?? {})) for (const quote of said.excerpts ?? []) {
    const range = rangeOf(m, quote);
    if (range) (id === m.chosen ? mine : others).push(range);
  }
  CSS.highlights.set("rating-mine", new Highlight(...mine));
  CSS.highlights.set("rating-others", new Highlight(...others));
}

/** The words selected in a source, as an excerpt with its place; null when there are none. */
function selectedQuote(m) {
  const selection = m.root.getRootNode().getSelection?.() ?? document.getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  for (const [name, { body }] of m.sources) {
    if (!body.contains(range.startContainer) || !range.intersectsNode(body)) continue;
    const inside = range.cloneRange();
    if (!body.contains(range.endContainer)) inside.setEnd(body, body.childNodes.length);
    const before = document.createRange();
    before.setStart(body, 0);
    before.setEnd(inside.startContainer, inside.startOffset);
    const raw = inside.toString();
    const text = raw.trim();
    if (!text) return null;
    const start = points(before.toString()) + points(raw.slice(0, raw.indexOf(text)));
    return { quote: { field: name, text, start, end: start + points(text) }, range: inside };
  }
  return null;
}

function find(m, words) {
  const wanted = words.trim().toLowerCase();
  const ranges = [];
  m.hits = [];
  if (wanted.length > 1) for (const { node, words: sentence } of m.sentences) {
    if (!sentence.toLowerCase().includes(wanted)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    ranges.push(range);
    m.hits.push(node);
  }
  CSS.highlights.set("rating-found", new Highlight(...ranges));
  const count = m.root.querySelector(".found");
  if (count) count.textContent = wanted.length > 1 ? `${m.hits.length} sentence${m.hits.length === 1 ? "" : "s"}` : "";
  m.hits[0]?.scrollIntoView({ block: "nearest" });
}

/** Enter in the search goes to the sentence found, ready to be taken. */
function nextFound(m) { if (m.hits?.length) { const next = m.hits.shift(); m.hits.push(next); m.toSentence(next); } }
