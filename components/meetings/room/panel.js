// What to do when something was not stored, by what it was.
const REFUSED = { decide: "Yours is not saved and still here: press Enter to decide a second time, Esc to drop it.", like: "Press l to look at what is left, Esc to leave it.", undo: "Press Esc to leave it." };
const FAILED = { decide: "What you entered is still here: press Enter to try again.", like: "Press l to try again.", defer: "Press d to try again.", undo: "Press z to try again." };
const BACK = "Taken back; what was decided stays on record.";

/** Words as a sentence; what somebody wrote may have its full stop. */
const ended = (words) => (/[.!?…]$/.test(words) ? words : `${words}.`);

const SETTLES = 1000;  // milliseconds

/** Whether "Next point" has only just come under the pointer: a second click on Save must not press it.
 *  A key does not slip like that. */
function settles(m) { return performance.now() - (m.savedAt ?? -SETTLES) < SETTLES; }

/** What z does: another point than the one that is shown is named before it is taken back. */
function takesBack(m) {
  const last = m.done[m.takes()];
  return !last || last.key === m.key ? "Take back" : `Take back the last: point ${m.data.agenda.findIndex((each) => each.key === last.key) + 1}`;
}

/** Builds the form once a point, so that data that arrives while somebody types leaves it alone. */
function drawPanel(root, m, card) {
  const aside = root.querySelector(".decision");
  const draft = m.draft(card.key);
  const before = root.getRootNode().activeElement?.dataset?.act;
  const field = (name, rows, words, label) => {
    const made = make("textarea", { rows, maxlength: String(LONGEST_REASON), placeholder: words, "aria-label": label, class: name });
    made.value = draft[name];
    made.addEventListener("input", () => { m.draft(card.key)[name] = made.value; m.told = ""; m.keep(); m.paint(); });
    return withRoom(made);
  };
  const section = make("select", { class: "section", "aria-label": "Section of the guidance" }, ...card.sections.map((each) => make("option", { value: each }, each)));
  section.value = draft.section || card.sections.at(-1);
  section.addEventListener("change", () => { m.draft(card.key).section = section.value; m.keep(); });
  const save = make("button", { type: "button", class: "save", "data-act": "save" }, ...keyed("Save", "Enter"));
  save.addEventListener("click", (event) => {
    const ends = save.classList.contains("ends");
    if ((event.detail || ends) && settles(m)) return;
    if (ends) m.finish();
    else m.save();
  });
  const wording = make("details", { class: "propose" }, make("summary", { "data-act": "wording" }, ...keyed("Propose wording", "g")), section, ...field("wording", "3", "What the guidance should say", "Proposed wording"));
  wording.open = Boolean(draft.wording);
  aside.replaceChildren(make("div", { class: "labels", role: "group", "aria-label": "Label" }, ...drawLabels(m, card)),
    classesHeading(), make("div", { class: "classes", role: "group", "aria-label": "What went wrong" }, ...drawClasses(m, m.data)),
    make("div", { class: "between" }, make("h3", {}, "Reason ", make("kbd", {}, "n")), act(m, "Take one over", "a", () => m.adopt(), "adopt small")), ...field("reason", "3", "Why this label counts", "Reason"),
    wording, make("p", { class: "says", role: "status" }), save,
    make("div", { class: "steps" }, act(m, "Defer", "d", () => m.defer(), "defer"), act(m, "Like cases", "l", () => m.like(), "like"),
      act(m, "Ask a judge again", "b", () => m.leave("rerun"), "ask"), act(m, "Take back", "z", () => m.undo(), "undo"),
      act(m, "Previous", "k", () => m.step(-1), "previous"), act(m, "Next", "j", () => m.step(1), "next")));
  for (const each of aside.querySelectorAll("textarea")) sayKey(each, save);
  if (before) aside.querySelector(`[data-act="${before}"]`)?.focus();
}

/** Shows what is chosen and what became of it, without touching what is typed. */
function paintPanel(root, m, card) {
  const aside = root.querySelector(".decision");
  const draft = m.draft(card.key), state = pointState(m, card.key), now = stateOf(m, m.data, card.key);
  const sent = state === "pending" && !draft.value ? m.sent[card.key] : null;
  paintChoices(aside, sent ?? draft);
  for (const name of ["reason", "wording"]) {
    const field = aside.querySelector(`textarea.${name}`), words = sent?.[name] ?? draft[name];
    if (field.value !== words) { field.value = words; field.tellRoom(); }
  }
  const deferred = m.data.agenda.find((each) => each.key === card.key)?.reason;
  const told = m.told || { pending: "Saving…", conflict: `${now?.text} ${REFUSED[now?.kind] ?? ""}`, failed: `${now?.text} ${FAILED[now?.kind] ?? ""}`,
    decided: draft.value ? "" : { applied: `Applied to ${now?.count} like ${now?.count === 1 ? "case" : "cases"}: in the journal and in the store.`, saved: "Saved: in the journal and in the store.", undone: "The last step was taken back; this decision stands." }[now?.state],
    deferred: ended(`Deferred${deferred ? `: ${deferred}` : ""}`), open: now?.state === "undone" ? BACK : "" }[state] || "";
  const says = aside.querySelector(".says");
  if (says.textContent !== told) says.replaceChildren(make("span", {}, told));
  says.dataset.state = m.told ? m.tells : state === "decided" ? "saved" : state;
  const moves = !draft.value && ["decided", "pending"].includes(state);
  const save = aside.querySelector(".save");
  save.classList.toggle("armed", draft.armed);
  save.classList.toggle("settles", moves && settles(m));
  // Behind the last point there is none; Enter, which may be pressed once too often, only says so.
  const ends = moves && !draft.armed && m.data.agenda.at(-1).key === card.key;
  save.classList.toggle("ends", ends);
  save.querySelector("span").textContent = draft.armed ? "Decide a second time" : ends ? "Finish" : moves ? "Next point" : "Save";
  aside.querySelector(".undo span").textContent = takesBack(m);
  const off = { ".save": !m.data.mayDecide, ".undo": !m.data.mayDecide || !m.done.length, ".adopt": !draft.value || !adopted(card, draft.value),
    ".like": state !== "decided" && state !== "pending", ".defer": !m.data.mayDecide, ".ask": !card.rerun };
  for (const [selector, is] of Object.entries(off)) aside.querySelector(selector).disabled = is;
}

/** What stands above the card: that nobody disagrees, or what was decided and that names are shown. */
function drawAbove(card, place) {
  const parts = [];
  if (card.agreed) parts.push(make("p", { class: "note" }, card.agreed));
  if (place.before && place.state === "open") parts.push(make("p", { class: "note" }, "This was decided outside the meeting; a further decision is kept beside it."));
  const stands = card.decisions.find((each) => each.current && each.look);
  if (place.state === "decided" && stands) {
    parts.push(make("section", { class: "verdict", "aria-label": "Decided" }, make("div", {}, make("strong", {}, "Decided "), badge(stands.look), stands.class ? ` · ${stands.class}` : ""), make("p", {}, stands.reason)));
  }
  return parts;
}

/** The offline baseline's answer stands apart: it counts words, and takes no side. */
function drawBaseline(card) {
  if (!card.baseline) return null;
  return make("p", { class: "note plain-note" }, "The offline baseline, which counts words and takes no side, says ", badge(card.baseline.look), card.baseline.unsure ? make("b", {}, ` ${capital(card.baseline.unsure)}.`) : "", card.baseline.why ? ` ${card.baseline.why}` : "");
}
