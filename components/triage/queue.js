const STATES = { pending: "Saving…", saved: "Saved", undone: "Taken back", conflict: "Conflict", failed: "Not saved" };
const URGENT = ["pending", "conflict", "failed"];

// A mark is on the unit, whatever is asked about it.
const unitOf = (key) => key.slice(0, key.lastIndexOf("\x1f"));

/** Whether a case is marked for the meeting; a press that is on its way counts. */
function isMarked(m, card) {
  if (card.points) return card.points.some((each) => isMarked(m, each));
  const last = m.presses.findLast((each) => each.unit === unitOf(card.key));
  return last ? last.on : card.marked;
}

function drawRow(m, data, card) {
  const states = (card.points ?? [card]).map((each) => stateOf(m, data, each.key)).filter(Boolean);
  const now = states.find((each) => URGENT.includes(each.state)) ?? states[0];
  // Of two answers one may be decided, and still they cannot both be right; the last line says it.
  const half = card.points?.some((each) => each.decided) && !URGENT.includes(now?.state);
  const word = half ? "" : now && now.state !== "undone" ? STATES[now.state] : card.decided ? "Decided" : "";
  const glyphs = card.sides.flatMap((side, at) => [at ? make("span", { class: "vs quiet" }, "vs") : null, ...side.votes.map(symbol)]);
  const titles = card.sides.map((side) => `${side.who}: ${side.votes.map((vote) => vote.title).join(", ")}`).join("; against ");
  const row = make("button", { type: "button", class: "row", "data-key": card.key, "aria-current": card.key === m.at ? "true" : "false", "data-state": half ? "" : now?.state ?? (card.decided ? "decided" : "") },
    make("span", { class: "top" }, ...glyphs, make("span", { class: "unseen" }, titles), make("span", { class: "small name" }, `${card.item} · ${card.unit.replace(/ of .*/, "")}`), make("span", { class: "small state" }, word), isMarked(m, card) ? make("span", { class: "flag" }, "⚑", make("span", { class: "unseen" }, "Marked for the meeting")) : null),
    card.between ? make("span", { class: "small between-whom" }, card.between) : null,
    make("span", { class: "text", dir: "auto" }, card.text), make("span", { class: "small quiet why" }, card.why.join(" · ")));
  row.addEventListener("click", () => m.go(card.key));
  return row;
}

/** Why a list may be longer than what is open: what is decided keeps its place until the list is made again. */
const sinceWords = (data) => data.decidedSince ? ` (${data.decidedSince.toLocaleString("en")} decided since)` : "";

function drawQueue(root, m, data) {
  const nav = root.querySelector(".queue");
  const top = nav.scrollTop;
  const turn = (words, page, off) => {
    const made = make("button", { type: "button", class: "plain" }, words);
    made.disabled = off;
    made.addEventListener("click", () => m.turn(page));
    return made;
  };
  const first = data.before + 1, last = data.before + data.cards.length;
  const head = make("div", { class: "pager small" }, make("span", { class: "quiet", role: "status" }, `${first.toLocaleString("en")}–${last.toLocaleString("en")} of ${data.total.toLocaleString("en")}${sinceWords(data)}, ${data.order}`),
    data.pages > 1 ? turn("‹", data.page - 1, data.page <= 1) : null, data.pages > 1 ? turn("›", data.page + 1, data.page >= data.pages) : null);
  head.querySelectorAll("button").forEach((each, at) => each.setAttribute("aria-label", at ? "Next page" : "Previous page"));
  nav.replaceChildren(head, ...data.cards.map((card) => drawRow(m, data, card)));
  nav.scrollTop = top;
  const here = nav.querySelector('[aria-current="true"]')?.getBoundingClientRect(), { top: from, bottom: to } = nav.getBoundingClientRect();
  // Only where it is out of view: this also moves the place from which Tab goes on.
  if (here && (here.top < Math.max(0, from) || here.bottom > Math.min(innerHeight, to))) nav.querySelector('[aria-current="true"]').scrollIntoView({ block: "nearest" });
}
