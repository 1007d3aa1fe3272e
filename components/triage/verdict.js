// A case that is decided: what counts, why, by whom; the form opens when somebody asks for it.

const standing = (card) => card.decided ? card.decisions.findLast((each) => each.current && each.look) : undefined;

const isEmpty = (draft) => !draft.value && !draft.reason && !draft.class;

/** The decision that stands in the form's place: nothing is entered here, nor on its way or refused. */
function shownVerdict(m, data, card) {
  const draft = m.draft(card.key), now = stateOf(m, data, card.key)?.state;
  return draft.again || !isEmpty(draft) || ["pending", "conflict", "failed"].includes(now) ? undefined : standing(card);
}

/** Drops what was sent and is stored, unless it was changed since and is on the screen. */
function dropStored(m, data) {
  for (const [key, each] of Object.entries(data.results)) {
    if (each.state !== "saved" || each.seq <= m.told_until) continue;
    const sent = m.log.find((one) => one.seq === each.seq), draft = m.drafts.get(key);
    const same = sent && draft && sent.value === draft.value && sent.reason === draft.reason && sent.error_class === draft.class;
    if (same || key !== m.shownKey) m.drafts.delete(key);
  }
}

function drawVerdict(m, verdict) {
  const again = make("button", { type: "button", class: "plain again" }, ...keyed("Decide again", "Enter"));
  again.addEventListener("click", () => m.again());
  return [make("section", { class: "stands", "aria-label": "What was decided" }, make("p", { class: "what" }, badge(verdict.look)),
    make("p", { class: "small" }, verdict.by ? make("b", {}, verdict.by) : null, verdict.by ? ", " : "", verdict.when, verdict.class ? ` · ${verdict.class}` : ""),
    make("p", { class: "why" }, foldable(verdict.reason))), make("p", { class: "says small", role: "status" }), again];
}

/** Above the form of a second decision: what it would stand against, and the way back. */
function drawAgain(m, card) {
  const verdict = standing(card);
  if (!verdict) return null;
  const leave = make("button", { type: "button", class: "plain small leave" }, "Leave it so");
  leave.addEventListener("click", () => m.leaveDecided());
  return make("div", { class: "between stood" }, make("span", { class: "small" }, "Now ", badge(verdict.look)), leave);
}
