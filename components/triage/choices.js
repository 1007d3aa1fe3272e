// Labels, classes and reasons to choose from; the triage page and the meeting room both have them.
const CLASS_KEYS = "qwertyui";
const LONGEST_REASON = 4000;  // characters, of proposed wording too; the server refuses more

const keyed = (words, key) => [make("span", {}, words), make("kbd", {}, key)];

/** The class that follows from the label alone, as a suggestion that everybody sees and can change. */
function suggested(card, value) {
  const right = (kind) => card.voices.filter((each) => each.kind === kind && each.value !== null).map((each) => each.value === value);
  const judges = right("judge"), raters = right("rater");
  if (judges.includes(false) && raters.length && raters.every(Boolean)) return "judge_wrong";
  if (raters.includes(false) && judges.length && judges.every(Boolean)) return "rater_wrong";
  return "";
}

/** A reason that somebody gave for this label, with their name where it is shown; else empty. */
function adopted(card, value) {
  const found = card.voices.find((each) => each.value === value && each.why && each.kind === "rater") ?? card.voices.find((each) => each.value === value && each.why);
  if (card.blind) return found?.why ?? "";
  return found ? `As ${found.name}: ${found.why}` : "";
}

/** Takes words over into the reason: below what is typed there, in place of what was only taken over
 *  before. Answers false where they find no room. */
function takeReason(draft, words) {
  const typed = draft.reason === draft.taken ? "" : draft.reason.trimEnd();
  if (typed.split("\n").includes(words) || typed === words) return true;
  const whole = typed ? `${typed}\n${words}` : words;
  if (whole.length > LONGEST_REASON) return false;
  draft.taken = typed ? "" : words;
  draft.reason = whole;
  return true;
}

const NO_ROOM = `There is no room for it: a reason has at most ${inFigures(LONGEST_REASON)} characters. Write it in short (n).`;
const TOO_LONG = `Not saved: a reason and a wording have at most ${inFigures(LONGEST_REASON)} characters each. Shorten it, then save.`;
const tooLong = (...texts) => texts.some((each) => each.length > LONGEST_REASON);

function drawLabels(m, card) {
  return card.labels.map((label, at) => {
    const sign = label.glyph === label.title ? [] : [symbol(label), " "];
    const button = make("button", { type: "button", class: "label", "data-color": label.color, "data-value": label.value, "aria-pressed": "false", title: label.meaning }, make("span", {}, ...sign, label.title), make("kbd", {}, String(at + 1)));
    button.addEventListener("click", () => m.pick(label.value));
    return button;
  });
}

/** The heading of the classes; one that follows from the label is told to be no more than that. */
const classesHeading = () => make("h3", {}, "What went wrong ", make("span", { class: "suggestion small", hidden: "hidden", title: "Press it to confirm it, or another one" }, "suggested by the label"));

function drawClasses(m, data) {
  return data.classes.map(([value, title], at) => {
    const button = make("button", { type: "button", class: "class small", "data-value": value, "aria-pressed": "false" }, ...keyed(title, CLASS_KEYS[at]));
    button.addEventListener("click", () => m.classify(value));
    return button;
  });
}

function paintChoices(place, draft) {
  for (const each of place.querySelectorAll(".label")) each.setAttribute("aria-pressed", String(each.dataset.value === draft.value));
  const guessed = Boolean(draft.class) && !draft.chosen;
  for (const each of place.querySelectorAll(".class")) {
    each.setAttribute("aria-pressed", String(each.dataset.value === draft.class));
    each.classList.toggle("suggested", guessed && each.dataset.value === draft.class);
  }
  place.querySelector(".suggestion").hidden = !guessed;
}

function drawHelp(sheet, keys, order) {
  const close = make("button", { type: "button", class: "plain" }, "Close");
  close.addEventListener("click", () => sheet.close());
  sheet.replaceChildren(make("h2", {}, "Keys"), make("dl", {}, ...keys.flatMap(([key, does]) => [make("dt", {}, key), make("dd", {}, does)])), make("h2", {}, "Order"), make("p", {}, order), close);
}
