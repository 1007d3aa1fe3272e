const KEYS = [
  ["j k or ↓ ↑", "next or previous case"], ["1 … 9", "the label"], ["s", "settle the other side, where two answers cannot both be right"], ["q w e r t y u i", "what went wrong"],
  ["a", "take over a reason of somebody who gave this label"], ["n", "write a reason; Esc leaves the field"],
  ["Enter, or Ctrl+Enter in the field", "save and go on; where it is decided, open the form to decide again"], ["z", "take back the last decision"],
  ["m", "mark for the meeting, or take the mark off"], ["/", "search all texts of the item"], ["o", "open in the reader"], ["b", "ask a judge again"], ["?", "this sheet"],
];

const ORDER = "Worst first: how far the labels lie apart, times how many answered, times how sure they are; a quote that stands in no source and a clash that was found each raise a case. The line below a case says which of these it has. Of answers that cannot all be right: how far one lies from the best that the rule leaves, times how many sentences are against it; an author against themselves stands higher, and first stands what is half decided.";

/** Builds the form, or what was decided, once a case, so that data that arrives while somebody types leaves it alone. */
function drawDecision(root, m, data, card, row) {
  const aside = root.querySelector(".decision"), verdict = shownVerdict(m, data, card);
  const alert = aside.querySelector(".missed") ?? make("div", { class: "missed small", role: "alert" });
  aside.replaceChildren(alert, make("h2", {}, "Decision"), row.points ? drawToSettle(m, row, card) : "", ...(verdict ? drawVerdict(m, verdict) : drawForm(m, data, card)), drawSteps(m));
  if (!verdict) sayKey(aside.querySelector("textarea"), aside.querySelector(".save"));
  aside.scrollTop = 0;
}

function drawForm(m, data, card) {
  const draft = m.draft(card.key);
  const reason = make("textarea", { rows: "3", maxlength: String(LONGEST_REASON), placeholder: "Why this label counts", "aria-label": "Reason" });
  reason.value = draft.reason;
  reason.addEventListener("input", () => { m.draft(card.key).reason = reason.value; m.paint(); });
  const take = make("button", { type: "button", class: "plain small adopt" }, ...keyed("Take over a reason", "a"));
  take.addEventListener("click", () => m.adopt());
  const who = make("input", { type: "text", maxlength: "80", placeholder: "Your name", "aria-label": "Decided by" });
  who.value = m.who;
  who.readOnly = data.isKnown; // signed in: the server's name is the only one it takes
  who.addEventListener("input", () => { m.who = who.value; m.paint(); });
  const save = make("button", { type: "button", class: "save" }, ...keyed("Save and next", "Enter"));
  save.addEventListener("click", () => m.save());
  return [drawAgain(m, card) ?? "", make("div", { class: "labels", role: "group", "aria-label": "Label" }, ...drawLabels(m, card)),
    classesHeading(), make("div", { class: "classes", role: "group", "aria-label": "What went wrong" }, ...drawClasses(m, data)),
    make("div", { class: "between" }, make("h3", {}, "Reason"), take), ...withRoom(reason),
    make("h3", {}, "Decided by"), who, make("div", { class: "foot" }, make("p", { class: "says small", role: "status" }), save)];
}

function drawSteps(m) {
  const step = (words, key, by) => {
    const made = make("button", { type: "button", class: "plain" }, ...keyed(words, key));
    made.addEventListener("click", () => m.step(by));
    return made;
  };
  const undo = make("button", { type: "button", class: "plain undo" }, ...keyed("Take back the last", "z"));
  undo.addEventListener("click", () => m.undo());
  const mark = make("button", { type: "button", class: "plain mark", "aria-pressed": "false" }, ...keyed("Mark for the meeting", "m"));
  mark.addEventListener("click", () => m.mark());
  const help = make("button", { type: "button", class: "plain" }, ...keyed("Keys", "?"));
  help.addEventListener("click", () => m.help());
  return make("div", { class: "steps" }, step("Previous", "k", -1), step("Next", "j", 1), undo, help, mark);
}

/** Shows what is chosen and what became of it, without touching what is typed. */
function paintDecision(root, m, data, card) {
  const aside = root.querySelector(".decision");
  const draft = m.draft(card.key);
  const now = stateOf(m, data, card.key);
  const says = aside.querySelector(".says");
  const told = m.told || m.news || { pending: "Saving…", saved: `Saved: in the journal and in the store.${m.isLast ? " No open case follows." : ""}`, undone: "Taken back; the decision stays on record.",
    conflict: `${now?.text} Yours is not saved and still here.`, failed: `${now?.text} What you entered is still here.` }[now?.state] || "";
  says.replaceChildren(make("span", {}, told));
  says.dataset.state = m.told ? "told" : m.news ? "saved" : now?.state ?? "";
  paintMissed(aside.querySelector(".missed"), m, data, card);
  const flagged = isMarked(m, card), mark = aside.querySelector(".mark");
  mark.setAttribute("aria-pressed", String(flagged));
  mark.querySelector("span").textContent = flagged ? "⚑ Marked for the meeting" : "⚐ Mark for the meeting";
  const buttons = { ".save, .again": !data.mayDecide, ".mark": !data.mayMark, ".undo": !data.mayDecide || !m.done.length };
  for (const [selector, off] of Object.entries(buttons)) aside.querySelector(selector).disabled = off;
  if (aside.querySelector("textarea")) paintForm(aside, m, card, draft, now);
}

function paintForm(aside, m, card, draft, now) {
  if (!standing(card)) aside.querySelector(".stood")?.remove(); // taken back since the form was built
  paintChoices(aside, draft);
  const field = aside.querySelector("textarea"), name = aside.querySelector("input");
  if (field.value !== draft.reason) { field.value = draft.reason; field.tellRoom(); }
  if (name.value !== m.who) name.value = m.who;
  aside.querySelector(".adopt").disabled = !draft.value || !adopted(card, draft.value);
  const again = draft.armed || draft.again || (!m.told && now?.state === "conflict");
  aside.querySelector(".save").classList.toggle("armed", again);
  aside.querySelector(".save span").textContent = again ? "Decide a second time" : "Save and next";
}
