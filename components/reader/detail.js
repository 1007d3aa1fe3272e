const OFF = "Off: the store can only be read, or your role does not allow it";

/** Whether this person may store such a thing from here. */
function may(m, kind) { return m.data.may.includes(kind); }

/** Everything said about one unit: a column for each label, or a track for each score. */
function drawDetail(m, id) {
  const { unit, noun, of } = m.order.find((each) => each.unit.id === id);
  const said = m.data.said[id] ?? [];
  const first = m.data.criteria[0];
  const blocks = m.data.criteria.flatMap((criterion) => {
    const own = said.filter((each) => each.criterion === criterion.key);
    if (criterion.ordinal) return [drawScores(criterion, own, m)];
    return criterion === first ? [drawColumns(criterion, own, said, m, m.data.voices[id]?.of ?? {})] : [];
  });
  const name = noun === "text" ? "The whole text" : `${capital(noun)} ${unit.number.toLocaleString("en")} of ${of.toLocaleString("en")}`;
  const marked = m.marked.has(id);
  const mark = make("button", { type: "button", class: "tool", "aria-pressed": String(marked), title: "Mark for the meeting (m)" }, marked ? "⚑ Marked for the meeting" : "⚐ Mark for the meeting");
  mark.addEventListener("click", () => m.toggleMark());
  if (!may(m, "meeting mark")) { mark.disabled = true; mark.title = OFF; }
  const copy = make("button", { type: "button", class: "tool", title: "Copy a link to exactly this view" }, "Copy link");
  copy.addEventListener("click", () => copyLink(m, copy));
  const help = make("button", { type: "button", class: "tool", title: "Keys (?)" }, "Keys");
  help.addEventListener("click", () => m.help());
  return [make("header", {}, make("h2", {}, name), make("span", { class: "quiet small" }, m.data.voices[id]?.all ?? ""),
    make("span", { class: "tools" }, mark, copy, help)),
    ...drawRelying(m), ...drawFigures(m, id), ...(said.length ? (m.data.criteria[0].ordinal ? [make("div", { class: "scores" }, ...blocks)] : blocks) : [make("p", { class: "quiet" }, m.data.given.length ? "The file gives numbers for this item and no answers to read." : "Nobody has said anything about this yet.")]), ...drawNoticed(m, id)];
}

function drawRelying(m) {
  if (!m.relying?.length) return [];
  const buttons = m.relying.map((id) => {
    const { unit, noun } = m.order.find((each) => each.unit.id === id);
    const button = make("button", { type: "button", class: "show" }, noun === "text" ? "the text" : `${unit.number}`);
    button.addEventListener("click", () => m.choose(id, true));
    return button;
  });
  return [make("p", { class: "relying small" }, `${buttons.length === 1 ? "One place relies" : `${buttons.length} places rely`} on the passage: `, ...buttons.flatMap((each, at) => (at ? [" · ", each] : [each])))];
}

/** The figures of a sentence as buttons: within the sentence, which is chosen as a whole, they can be none. */
function drawFigures(m, id) {
  const boxes = (m.nodes.get(id) ?? []).flatMap((node) => [...node.querySelectorAll("[data-figure]")]);
  const buttons = boxes.filter((box) => m.marks.has(box.dataset.figure)).map((box) => {
    const button = make("button", { type: "button", class: "show", title: box.title }, box.textContent.trim());
    button.addEventListener("click", () => m.point(box.dataset.figure));
    return button;
  });
  if (!buttons.length) return [];
  return [make("p", { class: "relying small" }, "Figures that stand in a product: ", ...buttons.flatMap((each, at) => (at ? [" · ", each] : [each])))];
}

function drawColumns(criterion, said, all, m, voices) {
  const order = criterion.labels.map((label) => label.value);
  const groups = new Map();
  for (const each of [...said].sort((a, b) => rank(order, a) - rank(order, b))) {
    const key = each.value ?? each.look.title;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return make("div", { class: "columns" }, ...[...groups].map(([key, group]) => {
    const { look } = group[0];
    const column = make("section", { class: "column", "data-color": look.color },
      make("header", {}, make("span", { class: "badge" }, badgeWords(look)), voices[key] ? make("span", { class: "quiet small" }, voices[key]) : null));
    const drawn = group.map((each) => drawOpinion(each, all.filter((other) => other.by === each.by && other !== each), m));
    const decisions = drawn.filter((each) => each.dataset.kind === "adjudicator"), others = drawn.filter((each) => !decisions.includes(each));
    const [silent, spoken] = [others.filter((each) => each.children.length === 1), others.filter((each) => each.children.length > 1)];
    column.append(...decisions);
    if (silent.length) column.append(make("div", { class: "silent" }, ...silent));
    column.append(make("div", { class: "spread" }, ...spoken), make("div", { class: "spread" }, ...drawQuotes(group, m)));
    return column;
  }));
}

function rank(order, said) { const at = order.indexOf(said.value); return at < 0 ? order.length : at; }

/** Excerpts of a group, each once, with everybody who quotes it. */
function drawQuotes(group, m) {
  const quotes = new Map();
  for (const each of group) for (const quote of each.quotes ?? []) {
    const known = quotes.get(quote.text) ?? { quote, authors: [] };
    known.authors.push(each.author);
    quotes.set(quote.text, known);
  }
  return [...quotes.values()].map(({ quote, authors }) => {
    const box = drawQuote(quote, authors, m);
    if (authors.length === 1 && group.length > 1) box.prepend(make("div", { class: "quiet small" }, `${authors[0]} quotes`));
    return box;
  });
}

function drawOpinion(said, others, m) {
  const tags = others.filter((each) => each.value || each.problem).filter((each) => !m.data.criteria.find((c) => c.key === each.criterion)?.ordinal)
    .map((each) => make("span", { class: "tag" }, each.look.title));
  const wrong = said.error_class ? make("span", { class: "tag" }, said.error_class) : null;
  const row = make("article", { class: "opinion", "data-kind": said.kind }, make("header", {}, make("b", {}, said.author), make("span", { class: "quiet small" }, said.kind), ...tags, wrong));
  if (said.decided_in) row.append(make("p", { class: "quiet small" }, `Decided in the run “${said.decided_in}”`));
  if (said.problem) row.append(make("p", { class: "problem" }, said.problem));
  if (said.departs) row.append(make("p", { class: "departs small" }, said.departs, said.rationale ? " The reason given:" : " No reason is given."));
  if (said.rationale) row.append(make("p", {}, said.rationale));
  if (said.reason && said.reason !== said.rationale) row.append(make("p", {}, said.reason));
  for (const other of others) if (other.reason && other.reason !== said.reason) row.append(make("p", {}, make("span", { class: "quiet small" }, `${[other.look.title, other.error_class].filter(Boolean).join(", ")} `), other.reason));
  for (const other of others) if (other.problem && tags.length) row.append(make("p", { class: "problem" }, other.problem));
  if (said.comment) row.append(make("p", {}, make("span", { class: "quiet small" }, "Comment "), said.comment));
  for (const link of said.links ?? []) row.append(make("div", {}, drawLink(link, m)));
  for (const [words, value] of said.pieces ?? []) {
    const how = said.criterion === "consistency" ? "Statement" : "Labelled as one piece";
    row.append(make("p", { class: "own-cut small" }, make("span", { class: "quiet" }, `${how}${value ? `, ${value}` : ""}: `), `“${words}”`));
  }
  return row;
}

/** A 1-5 track with a dot for each author, what they wrote, and the checklist behind the score. */
function drawScores(criterion, said, m) {
  const track = make("div", { class: "track", role: "list", "aria-label": criterion.question });
  for (const label of criterion.labels) {
    const dots = said.filter((each) => each.value === label.value);
    const names = dots.map((each) => each.author).join(", ");
    const step = make("div", { class: "step", role: "listitem", "data-color": label.color, title: label.meaning },
      make("span", { class: "dots" }, ...dots.map((each) => make("span", { class: `dot ${each.kind}`, title: `${each.author}, ${each.kind}` }, initial(each.author)))),
      make("span", { class: "notch" }), make("b", {}, label.value), make("span", { class: "small" }, label.title), make("span", { class: "quiet small names" }, names || "–"));
    track.append(step);
  }
  const box = make("section", { class: "score" }, make("h3", {}, capital(criterion.key)), make("span", { class: "quiet small" }, criterion.question), track);
  const ticked = criterion.checklist.map((check) => [check, said.filter((each) => (each.checks ?? []).includes(check.key)).map((each) => each.author)]);
  if (ticked.some(([, who]) => who.length)) box.append(drawChecklist(ticked));
  const spoken = said.filter((each) => each.rationale || each.departs || each.decided_in || each.reason || each.comment || each.problem || each.quotes || each.links);
  if (spoken.length) box.append(make("div", { class: "columns" }, ...spoken.map((each) => {
    const column = make("section", { class: "column", "data-color": each.look.color }, drawOpinion(each, [], m));
    column.querySelector("header").append(make("span", { class: "badge" }, badgeWords(each.look)));
    column.append(...drawQuotes([each], m));
    return column;
  })));
  return box;
}

/** A sign for an author's dot: the first letter, with the number that tells rater_1 from rater_2. */
function initial(name) { return ([...name][0]?.toUpperCase() ?? "?") + (name.match(/\D(\d{1,2})$/)?.[1] ?? ""); }

function drawChecklist(ticked) {
  const sorted = [...ticked].sort(([, a], [, b]) => (b.length ? 1 : 0) - (a.length ? 1 : 0));
  return make("ul", { class: "checklist small" }, ...sorted.map(([check, who]) => make("li", { class: who.length ? "ticked" : "" },
    make("span", { role: "img", "aria-label": who.length ? "ticked" : "not ticked" }, who.length ? "☑ " : "☐ "), make("span", {}, check.text), make("span", { class: "quiet" }, who.length ? ` ${who.join(", ")}` : ""))));
}

async function copyLink(m, button) {
  const address = new URL(location.href);
  address.searchParams.set("unit", m.chosen);
  if (m.view.by) address.searchParams.set("shown", m.view.by);
  address.searchParams.delete("show");
  for (const key of m.show) address.searchParams.append("show", key);
  try {
    await navigator.clipboard.writeText(address.href);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy link"; }, 1500);
  } catch {  // not allowed here: give it to the person to copy
    const field = make("input", { class: "search", readonly: "", "aria-label": "Link to this view" });
    field.value = address.href;
    button.replaceWith(field);
    field.select();
  }
}
