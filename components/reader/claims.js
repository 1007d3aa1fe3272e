/** A text with the claims drawn from it, each under the sentence it came from. */
function drawClaims(text, m) {
  const body = make("div", { class: "text stated", dir: "auto", role: "listbox", "aria-label": `${text.title}: claims under their sentences` });
  const units = new Map(text.units.map((unit) => [unit.id, unit]));
  const drawn = new Set();
  text.segments.forEach(([words, names], at) => {
    const claims = names.filter((name) => units.has(name));
    if (!claims.length) { if (words.trim()) body.append(put(make("div", { class: "between" }), words.trim())); return; }
    const next = new Set(text.segments[at + 1]?.[1] ?? []);
    // In the order in which they are counted, so that "Claim 2 of 8" stands second.
    const ended = [...units.keys()].filter((id) => claims.includes(id) && !next.has(id) && !drawn.has(id));
    const sentence = put(make("div", { class: "origin", "data-units": claims.join(" ") }), words);
    body.append(sentence);
    for (const id of ended) {
      drawn.add(id);
      m.nodes.set(id, [drawRow(units.get(id), m), sentence]);
      body.append(m.nodes.get(id)[0]);
    }
  });
  const place = make("span", { class: "quiet small" });
  m.coverage.push([text, place]);
  const pane = make("section", { class: "pane scroll", "aria-label": text.title, tabindex: "0" }, make("header", {}, make("h2", {}, text.title), place), body);
  const rest = text.units.filter((unit) => !drawn.has(unit.id));
  if (rest.length) {
    if (drawn.size) body.append(make("div", { class: "quiet small between" }, "Not found in the text"));
    for (const unit of rest) body.append(drawRow(unit, m));
  }
  return pane;
}
