/** Neighboring segments under the same claims: places of evidence cut a sentence and do not end it. */
function passagesOf(segments, units) {
  const passages = [];
  segments.forEach(([words, names], at) => {
    const claims = names.filter((name) => units.has(name)), evidence = names.filter((name) => !units.has(name));
    const last = passages.at(-1), part = { words, names: evidence, at };
    if (last && String(last.claims) === String(claims)) last.parts.push(part);
    else passages.push({ claims, parts: [part] });
  });
  return passages;
}

/** The words of a passage without blanks at its ends, and a mark around what somebody quotes from it. */
function drawParts(box, parts, segments, isMark, m) {
  const marked = (at) => (segments[at]?.[1] ?? []).some(isMark);
  const first = parts.findIndex((part) => part.words.trim()), last = parts.findLastIndex((part) => part.words.trim());
  parts.slice(first, last + 1).forEach(({ words, names, at }, nth) => {
    const begun = nth === 0 ? words.trimStart() : words, all = nth === last - first ? begun.trimEnd() : begun;
    drawSegment(box, all, names.filter(isMark), { begins: !marked(at - 1), ends: !marked(at + 1) }, m);
  });
  return box;
}

/** A text with the claims drawn from it, each under the sentence it came from. */
function drawClaims(text, m) {
  const body = make("div", { class: "text stated", dir: "auto" });
  // A list for each sentence: what is quoted from a sentence is no entry of a list.
  const list = (about, rows) => make("div", { role: "listbox", "aria-label": `${text.title}: ${about}` }, ...rows);
  const units = new Map(text.units.map((unit) => [unit.id, unit]));
  const drawn = new Set();
  const isMark = (name) => m.quotes.has(name) || name.startsWith("check-");
  const passages = passagesOf(text.segments, units);
  passages.forEach(({ claims, parts }, at) => {
    const box = (attributes) => drawParts(make("div", attributes), parts, text.segments, isMark, m);
    if (!claims.length) { if (parts.some(({ words }) => words.trim())) body.append(box({ class: "between" })); return; }
    const next = new Set(passages[at + 1]?.claims ?? []);
    // In the order in which they are counted, so that "Claim 2 of 8" stands second.
    const ended = [...units.keys()].filter((id) => claims.includes(id) && !next.has(id) && !drawn.has(id));
    const sentence = box({ class: "origin", "data-units": claims.join(" ") });
    body.append(sentence);
    const rows = ended.map((id) => drawRow(units.get(id), m));
    ended.forEach((id, nth) => { drawn.add(id); m.nodes.set(id, [rows[nth], sentence]); });
    if (rows.length) body.append(list(`claims of “${sentence.textContent}”`, rows));
  });
  const place = make("span", { class: "quiet small" });
  m.coverage.push([text, place]);
  const pane = make("section", { class: "pane scroll", "aria-label": text.title, tabindex: "0" }, make("header", {}, make("h2", {}, text.title), place), body);
  const rest = text.units.filter((unit) => !drawn.has(unit.id));
  if (rest.length) {
    if (drawn.size) body.append(make("div", { class: "quiet small between" }, "Not found in the text"));
    body.append(list("claims without a sentence", rest.map((unit) => drawRow(unit, m))));
  }
  return pane;
}
