const SHOWN = 3;  // candidates and notices beyond these are folded

/** What the program noticed about a unit, below what people and judges said about it. */
function drawNoticed(m, id) {
  m.countings = [];
  const own = m.data.noticed[id] ?? [], whole = m.data.noticed[""] ?? [];
  const blocks = [];
  if (own.length) blocks.push(make("div", { class: "noticed-list" }, ...own.map((each) => drawFinding(each, m))));
  if (whole.length) blocks.push(make("details", { class: "small" }, make("summary", {}, `${whole.length} more about the text as a whole`), make("div", { class: "noticed-list" }, ...whole.map((each) => drawFinding(each, m)))));
  if (m.data.cannot.length) blocks.push(make("details", { class: "small quiet" }, make("summary", {}, `Cannot check: ${m.data.cannot.map(([title]) => title.toLowerCase()).join(", ")}`),
    make("ul", {}, ...m.data.cannot.map(([title, why]) => make("li", {}, make("b", {}, title), `: ${why}`)))));
  if (!blocks.length) return [];
  const heading = own.length || whole.length ? [make("header", {}, make("h3", {}, "A program noticed"), make("span", { class: "quiet small" }, "marks to look at, not labels"))] : [];
  return [make("section", { class: "noticed-box", "aria-label": "What a program noticed" }, ...heading, ...blocks)];
}

function drawFinding(found, m) {
  const box = make("div", { class: "finding", "data-finding": found.id },
    make("header", {}, make("b", {}, found.title), make("span", { class: "tag" }, found.certainty)),
    make("p", {}, `${capital(found.says)}.`));
  if (found.words) box.append(drawPlace("In the response", found.words, found.id, m.noticed, m));
  if (found.source) box.append(drawPlace(`In ${found.source[2]}`, found.source[1], found.source[0], m.marks, m));
  if (m.data.counting.near[found.at] && found.kind === "count") { box.append(drawCounting(found, m)); return box; }
  const more = found.candidates.map(([name, words, where]) => drawPlace(`Look at, in ${where}`, words, name, m.marks, m));
  box.append(...more.slice(0, SHOWN));
  if (more.length > SHOWN) box.append(make("details", { class: "small" }, make("summary", {}, `${more.length - SHOWN} more to look at`), ...more.slice(SHOWN)));
  return box;
}

/** Words with the text they stand in; a click shows them there. */
function drawPlace(where, words, name, places, m) {
  const row = make("div", { class: "found-at" }, make("span", { class: "quiet small" }, where), make("span", { class: "words", dir: "auto" }, `“${words.trim()}”`));
  if (places.has(name)) {
    const show = make("button", { type: "button", class: "show small" }, places === m.noticed ? "Show in text" : "Show in source");
    show.addEventListener("click", () => pointAt(places.get(name)));
    row.append(show);
  }
  return row;
}

function pointAt(elements) {
  flash(elements);
  intoView(elements[0]);
  elements[0].scrollIntoView({ block: "nearest" });
}

/** Says before anything is read that a text of the item speaks to its judge, and in which words. */
function drawAddressed(m) {
  const found = m.data.addressed;
  if (!found.length) return [];
  const rows = found.map((each) => {
    const [name, words, where] = each.source ?? [each.id, each.words, "response"];
    return make("li", {}, drawPlace(`${capital(where)}: ${each.says}`, words, name, each.source ? m.marks : m.noticed, m));
  });
  const list = make("ul", {}, ...rows.slice(0, SHOWN));
  const rest = rows.length > SHOWN ? [make("details", { class: "small" }, make("summary", {}, `${rows.length - SHOWN} more places`), make("ul", {}, ...rows.slice(SHOWN)))] : [];
  return [make("b", {}, "Text of this item speaks to its judge."), make("span", { class: "quiet" }, " It can move what judges answer: read their labels with care."), list, ...rest];
}

/** Words of the response that a finding is about; a small sign stands after the last of them. */
function drawChecked(box, name, m) {
  box.classList.add("checked");
  m.noticed.set(name, [...(m.noticed.get(name) ?? []), box]);
}

function signChecked(m) {
  for (const boxes of m.noticed.values()) {
    const last = boxes[boxes.length - 1];
    last.classList.add("checked-end");
    last.title = "A program noticed something here; choose the sentence to read it";
  }
  for (const id of Object.keys(m.data.noticed)) for (const node of m.nodes.get(id) ?? []) if (node.classList.contains("row")) node.classList.add("checked-row");
}

/** Lights the words of the chosen unit's findings, here and in the sources. */
function lightNoticed(m, id) {
  for (const node of m.litNoticed ?? []) node.classList.remove("lit");
  const names = (m.data.noticed[id] ?? []).map((each) => each.id);
  m.litNoticed = names.flatMap((name) => [...(m.noticed.get(name) ?? []), ...(m.marks.get(name) ?? [])]);
  for (const node of m.litNoticed) node.classList.add("lit");
  return m.litNoticed.find((node) => node.localName === "mark");
}

/** The units whose findings point at a passage. */
function noticedAt(m, names) {
  const of = (each) => names.includes(each.id) || each.candidates.some(([name]) => names.includes(name));
  return Object.entries(m.data.noticed).filter(([id, found]) => id && found.some(of)).map(([id]) => id);
}
