const MANY = { fragment: "Fragments", product: "Products", external: "External sites" };
const LONG = 100_000;  // characters from which parts out of sight are not laid out
const BLOCK = 4_000;
const LABELLED = /^[^\n:]{2,24}: /;

function drawSources(m) {
  const { sources } = m.data;
  const long = sources.reduce((sum, source) => sum + source.characters, 0) > LONG;
  const body = make("div", { class: `scroll sources-body${long ? " long" : ""}`, tabindex: "0", role: "region", "aria-label": "Source texts" });
  for (const kind of new Set(sources.map((source) => source.kind))) {
    const group = sources.filter((source) => source.kind === kind);
    const box = make("div", { class: `group ${kind}` });
    if (group.length > 1) body.append(make("h2", { class: "group-title" }, MANY[kind] ?? group[0].group, make("span", { class: "quiet small" }, ` ${group.length}`)));
    for (const source of group) box.append(drawSource(source, group.length > 1 ? "h3" : "h2", long, m));
    body.append(box);
  }
  const count = sources.reduce((sum, source) => sum + source.characters, 0).toLocaleString("en");
  return make("section", { class: "pane sources", "aria-label": "Sources" },
    make("header", {}, make("h2", {}, "Sources"), make("span", { class: "quiet small" }, `${count} characters`), drawSearch(body, m)),
    make("div", { class: "sources-view" }, body, make("div", { class: "rail", "aria-hidden": "true" })));
}

function drawSource(source, heading, long, m) {
  const card = source.kind === "product";
  const text = make("div", { class: "text", dir: "auto" });
  let block = text, size = 0, ended = false;
  const begin = () => { block = make("div", { class: card ? "line" : "block" }); size = 0; text.append(block); };
  if (card || long) begin();
  source.segments.forEach(([words, names], at) => {
    const borders = { begins: !source.segments[at - 1]?.[1].length, ends: !source.segments[at + 1]?.[1].length };
    // A block ends after a line break, which stays in it: the text is the same, put together.
    for (const line of card || long ? words.split(/(?<=\n)/) : [words]) {
      if (ended && (card || size > BLOCK)) begin();
      const label = card && !block.hasChildNodes() && !names.length ? line.match(LABELLED)?.[0] ?? "" : "";
      if (label) { block.append(make("span", { class: "key" }, label)); block.dataset.key = label.trim().toLowerCase(); }
      drawSegment(block, line.slice(label.length), names, borders, m);
      for (const name of names) if (!m.passed.has(name)) m.passed.set(name, m.characters);
      size += line.length;
      m.characters += line.length;
      ended = line.endsWith("\n");
    }
  });
  const box = make("section", { class: "source", "aria-label": source.title, "data-source": source.name },
    make("header", {}, make(heading, {}, source.title), m.data.sources.length > 1 ? make("span", { class: "quiet small" }, `${source.characters.toLocaleString("en")} characters`) : null), text);
  m.sources.set(source.name, text);
  return box;
}

function drawSegment(block, words, names, borders, m) {
  if (!names.length) put(block, words);
  else block.append(put(makeMark(names, borders, m), words));
}

/** The mark of a place that excerpts, figures or findings point at, still without its words. */
function makeMark(names, { begins, ends }, m) {
  const quotes = names.filter((name) => m.quotes.has(name)).map((name) => m.quotes.get(name));
  const quote = quotes.find((each) => !each.near) ?? quotes[0];
  const mark = make("mark", { tabindex: "-1", "data-quotes": names.join(" ") });
  mark.classList.toggle("begins", begins);
  mark.classList.toggle("ends", ends);
  if (quote) mark.dataset.color = quote.color;
  if (quote?.near) mark.classList.add("near");
  if (!quote && names.some((name) => name.startsWith("figure "))) mark.classList.add("figure");
  if (names.some((name) => name.startsWith("check-"))) mark.classList.add("checked");
  for (const name of names) m.marks.set(name, [...(m.marks.get(name) ?? []), mark]);
  return mark;
}

/** A tick beside the sources for every passage that somebody quotes. */
function drawRail(root, m) {
  const rail = root.querySelector(".rail"), body = root.querySelector(".sources-body");
  if (!rail || !body) return;
  const height = body.scrollHeight;
  const long = height > body.clientHeight + 4;
  rail.hidden = !long;
  m.ticks = new Map();
  if (!long) return;
  const top = body.getBoundingClientRect().top - body.scrollTop;
  const drawn = new Map();
  for (const [name, marks] of m.marks) {
    if (!m.quotes.has(name)) continue;
    // Asking where a mark stands would lay out a long text that is not in sight.
    const share = body.classList.contains("long") ? m.passed.get(name) / m.characters : (marks[0].getBoundingClientRect().top - top) / height;
    const at = Math.round(1000 * share) / 10;
    const color = m.quotes.get(name).color, place = `${at} ${color}`;
    if (!drawn.has(place)) {
      const tick = make("span", { class: "tick", "data-color": color });
      tick.style.top = `${at}%`;
      tick.dataset.quote = name;
      drawn.set(place, tick);
    }
    m.ticks.set(name, drawn.get(place));
  }
  rail.replaceChildren(...drawn.values());
  rail.hidden = !drawn.size;
  for (const name of m.lit ?? []) {
    const tick = m.ticks.get(name);
    if (tick) { tick.classList.add("on"); tick.dataset.color = m.marks.get(name)[0].dataset.color; }
  }
}
