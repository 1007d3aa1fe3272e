const NOT_JUDGED = "not_judged";
const DIFFER = "differ";
const FEW = 4;  // numbers that still fit on one line
const LONG_QUERY = 200;
const BEGINS = 90;  // characters of the first of several lines
const KINDS = { rater: "rater", judge: "judge", adjudicator: "settled by" };

function lookOf(m, id) { return m.data.looks[m.view.looks[id]] ?? m.data.looks[NOT_JUDGED]; }

function keysOf(m, id) {
  const keys = [m.view.looks[id] ?? NOT_JUDGED];
  if (m.view.differ[id]) keys.push(DIFFER);
  return keys;
}

/** Whether a unit is among those that the legend leaves bright. */
function matches(m, id) { return !m.show.size || keysOf(m, id).some((key) => m.show.has(key)); }

/** The query; of a long one with several lines the last is shown, for a dialogue is answered at its end. */
function drawQuery(data) {
  if (!data.query) return [];
  const title = make("span", { class: "quiet small" }, `${data.asked} `);
  const end = data.query.trimEnd().lastIndexOf("\n"), before = data.query.slice(0, Math.max(0, end)), last = data.query.slice(end + 1);
  const lines = before.split("\n").filter((each) => each.trim());
  if (data.query.length <= LONG_QUERY || lines.length < 2) return [title, make("span", { dir: "auto" }, data.query)];
  const begins = lines[0].length > BEGINS ? `${lines[0].slice(0, BEGINS)}…` : lines[0];
  return [title, make("details", { class: "before" }, make("summary", { class: "small" }, `${lines.length} lines before: `, make("span", { class: "quiet", dir: "auto" }, begins)), make("div", { dir: "auto" }, before)),
    make("div", { class: "last", dir: "auto" }, last)];
}

function drawLegend(m, onToggle) {
  if (m.whole) return [];
  const counts = new Map();
  for (const { unit } of m.order) for (const key of keysOf(m, unit.id)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const chips = Object.entries(m.data.looks).filter(([key]) => counts.has(key) || m.show.has(key));
  if (counts.has(DIFFER)) chips.push([DIFFER, { glyph: "⇄", color: "gray", title: "Others differ" }]);
  return chips.map(([key, look]) => {
    const chip = make("button", { type: "button", class: "chip", "data-color": look.color, "aria-pressed": String(m.show.has(key)) },
      symbol(look), make("span", {}, look.title), make("b", {}, (counts.get(key) ?? 0).toLocaleString("en")));
    chip.addEventListener("click", () => onToggle(key));
    return chip;
  });
}

function drawBar(m) {
  if (m.whole) return [];
  const counts = new Map(Object.keys(m.data.looks).map((key) => [key, 0]));
  for (const { unit } of m.order) { const key = m.view.looks[unit.id] ?? NOT_JUDGED; counts.set(key, (counts.get(key) ?? 0) + 1); }
  return [...counts].filter(([, count]) => count).map(([key, count]) => {
    const part = make("span", { "data-color": m.data.looks[key].color, class: m.show.size && !m.show.has(key) ? "faint" : "" });
    part.style.flexGrow = count;
    return part;
  });
}

/** Every author with their number; the chosen one's labels colour the text. */
function drawAuthors(m, onChoose) {
  const given = drawGiven(m.data.given);
  if (!m.data.views[0].by) return given.length ? given : [make("span", { class: "quiet small" }, "Nobody has labelled this item yet.")];
  const buttons = m.data.views.map((view) => {
    const on = view === m.view;
    const look = m.whole ? m.data.looks[view.looks[m.order[0]?.unit.id]] : null;
    const [, value, count] = view.numbers[0];
    const button = make("button", { type: "button", class: "author", role: "radio", "aria-checked": String(on), title: view.about },
      make("span", { class: "quiet small" }, KINDS[view.kind] ?? view.kind), make("span", { class: "name" }, view.author),
      look ? make("span", { class: "badge", "data-color": look.color }, badgeWords(look)) : make("b", {}, value),
      !look && count ? make("span", { class: "quiet small part" }, count) : null,
      ...view.numbers.slice(1).map(([part, share]) => make("span", { class: "quiet small part" }, `${part} ${share}`)));
    button.addEventListener("click", () => onChoose(view.by));
    return button;
  });
  const lead = m.whole ? "Labels" : m.data.views[0].numbers[0][0];
  return [make("span", { class: "quiet small lead-in" }, lead), ...buttons, ...given];
}

/** Numbers that came with the file, without labels to read them from. */
function drawGiven(given) {
  if (!given.length) return [];
  const authors = new Map();
  for (const [kind, author, name, value] of given) {
    const key = JSON.stringify([kind, author]);
    authors.set(key, [...(authors.get(key) ?? []), [name, value]]);
  }
  if (given.length > FEW) return [drawManyGiven(authors)];
  const chips = [...authors].map(([key, numbers]) => make("span", { class: "author given" },
    make("span", { class: "quiet small" }, JSON.parse(key)[0]), make("span", { class: "name" }, JSON.parse(key)[1]),
    ...numbers.flatMap(([name, value]) => [make("span", { class: "quiet small" }, name), make("b", {}, value)])));
  return [make("span", { class: "quiet small lead-in" }, "Given by the file"), ...chips];
}

/** Many numbers are a table that opens on demand: they are not what the labels are about. */
function drawManyGiven(authors) {
  const names = [...new Set([...authors.values()].flatMap((numbers) => numbers.map(([name]) => name)))];
  const rows = [...authors].map(([key, numbers]) => make("tr", {}, make("th", { scope: "row" }, JSON.parse(key)[1]),
    ...names.map((name) => make("td", {}, numbers.find(([each]) => each === name)?.[1] ?? "–"))));
  return make("details", { class: "more" }, make("summary", {}, `${names.length} more number${names.length === 1 ? "" : "s"} of ${authors.size} author${authors.size === 1 ? "" : "s"}, given by the file`),
    make("div", {}, make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Author"), ...names.map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, ...rows))));
}

function badgeWords(look) { return look.glyph === look.title ? look.title : `${look.glyph} ${look.title}`; }

/** Gives every unit the look of the chosen author's label, and says where others differ. */
function recolour(m) {
  for (const { unit, noun } of m.order) {
    const look = lookOf(m, unit.id), differ = m.view.differ[unit.id], dim = !matches(m, unit.id);
    const pill = differ ? m.data.looks[differ[3]] : null;
    const words = pill ? `${pill.glyph} ${differ[2]} ${differ[0]}/${differ[1]}` : "";
    for (const node of m.nodes.get(unit.id) ?? []) {
      node.dataset.color = look.color;
      node.dataset.line = look.underline;
      node.classList.toggle("dim", dim);
      if (node.getAttribute("role") === "option") {
        const spoken = (differ ? `, ${differ[0]} of ${differ[1]} ${differ[2]} differ` : "") + (m.data.noticed[unit.id] ? ", a program noticed something" : "");
        node.setAttribute("aria-label", `${look.title}${spoken}: ${unit.text || "the whole " + noun}`);
      }
    }
    const { lead, tail } = m.ends.get(unit.id) ?? {};
    if (lead) lead.dataset.glyph = look.glyph;
    if (tail) {
      if (pill) { tail.dataset.pill = words; tail.dataset.pillColor = pill.color; }
      else { delete tail.dataset.pill; delete tail.dataset.pillColor; }
      tail.dataset.marked = m.marked.has(unit.id) ? "⚑" : "";
    }
  }
  for (const [text, place] of m.coverage) place.textContent = coverage(m, text);
  bracket(m);
}

function coverage(m, text) {
  const judged = text.units.filter((unit) => !["unread", NOT_JUDGED].includes(m.view.looks[unit.id] ?? NOT_JUDGED)).length;
  const noun = `${text.kind}${text.units.length === 1 ? "" : "s"}`;
  if (text.kind === "text") return "Judged as a whole";
  const [some, all] = [judged, text.units.length].map((each) => each.toLocaleString("en"));
  return some === all ? `${all} ${noun}` : `${some} of ${all} ${noun} judged`;
}

/** Shows the chosen author's own cut: a line over what they joined or parted, with their label. */
function bracket(m) {
  for (const node of m.bracketed ?? []) { node.classList.remove("cut", "cut-first", "cut-last"); delete node.dataset.cut; delete node.dataset.cutColor; }
  m.bracketed = [];
  for (const cut of m.view.cuts) {
    const nodes = m.cuts.get(cut.id) ?? [];
    nodes.forEach((node, at) => {
      node.classList.add("cut");
      node.classList.toggle("cut-first", at === 0);
      if (at === nodes.length - 1) {
        node.classList.add("cut-last");
        const joined = new Set(cut.units).size;
        node.dataset.cut = joined > 1 ? `${cut.look.glyph} ${joined} in one` : cut.look.glyph;
        node.dataset.cutColor = cut.look.color;
      }
      m.bracketed.push(node);
    });
  }
}
