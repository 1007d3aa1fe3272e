const RATER = "plumbline-rater";  // the name that the rating form asks for and keeps in this browser
const FIRST = 4;  // reviews that stand open; the others are folded
const STANCES = [["supports", "Supports"], ["contradicts", "Contradicts"]];
const VERDICTS = { yes: "Holds", no: "Does not hold", open: "Not decided" };

/** Which reviews support a statement: a person ticks, Python counts and says whether it holds. */
function drawCounting(found, m) {
  const near = m.data.counting.near[found.at], reviews = m.data.counting.reviews;
  const close = new Map(near), rest = reviews.map((_, at) => at).filter((at) => !close.has(at));
  const rows = near.map(([at, words]) => drawReview(found.at, at, words, m));
  const tally = make("div", { class: "tally", "aria-live": "polite" });
  const who = make("div", { class: "who" });
  const fold = (title, build) => {
    const box = make("details", { class: "small" }, make("summary", {}, title));
    // A hundred reviews are drawn only for whoever opens them.
    box.addEventListener("toggle", () => { if (box.children.length === 1) { box.append(...build()); refresh(); } });
    return box;
  };
  const folded = [];
  if (rows.length > FIRST) folded.push(fold(`${rows.length - FIRST} more that may speak of it`, () => rows.slice(FIRST)));
  if (rest.length) folded.push(fold(`${rest.length} other ${rest.length === 1 ? "review" : "reviews"}`, () => rest.map((at) => drawReview(found.at, at, reviews[at][1], m))));
  const box = make("section", { class: "counting", "aria-label": `Count the reviews: ${found.words}` }, who, ...rows.slice(0, FIRST), ...folded, tally);
  const refresh = () => {
    const mine = ticksOf(m, found.at), name = counterName(m);
    for (const button of box.querySelectorAll("button.stance")) {
      button.setAttribute("aria-pressed", String(mine[button.dataset.review] === button.dataset.stance));
      button.disabled = !name || !may(m, "review tick");
    }
    drawWho(who, name, m);
    tally.replaceChildren(...drawTally(m, found.at, name));
  };
  m.countings.push(refresh);
  refresh();
  return box;
}

function drawReview(said, at, words, m) {
  const [source] = m.data.counting.reviews[at];
  const buttons = STANCES.map(([stance, title]) => {
    const button = make("button", { type: "button", class: "tool stance", "data-review": at, "data-stance": stance, "aria-pressed": "false", "aria-label": `Review ${at + 1} ${stance} it` }, title);
    button.addEventListener("click", () => m.tick(said, at, button.getAttribute("aria-pressed") === "true" ? "" : stance));
    return button;
  });
  const show = make("button", { type: "button", class: "show small" }, "Show in source");
  show.addEventListener("click", () => m.showWords(source, words));
  return make("div", { class: "review" }, make("span", { class: "stances", role: "group", "aria-label": `Review ${at + 1}` }, ...buttons),
    make("span", {}, make("span", { class: "quiet small" }, `Review ${at + 1} `), make("span", { class: "words", dir: "auto" }, `“${words.trim()}”`), " ", show));
}

function drawWho(box, name, m) {
  if (!may(m, "review tick")) { box.replaceChildren(make("span", { class: "quiet small" }, `Counting is off: ${OFF.slice(5)}.`)); return; }
  if (box.dataset.name === name && box.children.length) return;  // somebody may be typing
  box.dataset.name = name;
  if (name) { box.replaceChildren(make("span", { class: "quiet small" }, "Tick the reviews that speak of it. The count is signed by "), make("b", {}, name)); return; }
  const input = make("input", { type: "text", class: "search", maxlength: "80", required: "", "aria-label": "Your name, to sign the count", placeholder: "Your name", autocomplete: "off" });
  const form = make("form", {}, input, make("button", { type: "submit", class: "tool" }, "Count as this name"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = input.value.trim().replace(/\s+/g, " ");
    if (said) { localStorage.setItem(RATER, said); for (const each of m.countings) each(); }
  });
  box.replaceChildren(make("span", { class: "quiet small" }, "To tick reviews, say whose count it is: "), form);
}

/** The arithmetic of everybody's count, one's own first. */
function drawTally(m, said, name) {
  const known = m.counts[said] ?? [];
  const sorted = [...known].sort((a, b) => (b.by === name) - (a.by === name));
  if (m.ticked.some((each) => each.said === said)) return [make("p", { class: "quiet small" }, "Counting…")];
  if (!sorted.length) return [make("p", { class: "quiet small" }, `Nothing ticked yet of ${m.data.counting.reviews.length} reviews.`)];
  return sorted.map((each) => make("p", {}, make("b", {}, VERDICTS[each.holds]), ` by the count of ${each.by}: ${each.for} supporting, ${each.against} contradicting of ${each.of}. `,
    make("span", { class: "quiet small" }, `Rule: ${each.rule}. ${capital(each.says)}.`)));
}

/** What this person has ticked: as stored, with the presses that are on their way. */
function ticksOf(m, said) {
  const name = counterName(m);
  const mine = { ...((m.counts[said] ?? []).find((each) => each.by === name)?.ticks ?? {}) };
  for (const each of m.ticked) if (each.said === said && each.by === name) mine[each.review] = each.stance;
  return mine;
}

function counterName(m) { return m.data.start.counts.who || localStorage.getItem(RATER) || ""; }

/** Lets reviews be ticked; every press is told until Python says that it is stored. */
function wireCounting(m, report) {
  m.tick = (said, review, stance) => {
    m.ticked = [...m.ticked, { id: crypto.getRandomValues(new Uint32Array(4)).join("-"), said, review, stance, by: counterName(m) }];
    for (const each of m.countings) each();
    report(m.ticked);
  };
  const onCounted = ({ detail }) => {
    if (detail.item !== m.data.item) return;
    m.counts = detail.counts;
    m.ticked = unstored(m.ticked, detail.last);
    for (const each of m.countings) each();
  };
  globalThis.addEventListener("plumbline:counted", onCounted);
  return () => globalThis.removeEventListener("plumbline:counted", onCounted);
}
