const ROOM_KEYS = [
  ["1 … 9", "the label"], ["q w e r t y u i", "what went wrong"], ["n", "write the reason; Esc leaves the field"], ["a", "take over a reason that was given for this label"],
  ["g", "propose wording for the guidance"], ["Enter, or Ctrl+Enter in a field", "save; then go on"], ["d", "defer, with why"], ["z", "take back what was decided on this point, else the last decision, which the button names"],
  ["l", "apply the decision to like cases"], ["b", "ask a judge again, and come back"], ["/", "search all texts of the item"], ["o", "open in the reader in a new tab, once names are shown"], ["j k or → ←", "next or previous point"],
  ["↓ ↑, Space, Page Down and Up", "read on in the card"], ["p", "who is present"], ["x", "go to a point that was not saved"], ["f", "full screen"], ["v", "leave the room; the meeting stays open"], ["Shift+F", "finish the meeting"], ["?", "this sheet"],
];
const ROOM_ORDER = "The points stand as they were put on the agenda. The line below a point's name says what makes it urgent: how far the labels lie apart, how many answered, how sure they are, and what was found in the sources.";

/** Closes at once: the browser's own way takes a moment, in which the next press would be lost. */
function escapes(event, sheet) {
  if (event.key !== "Escape") return false;
  event.preventDefault();
  closeSheet(sheet);
  return true;
}

/** Until the next frame a closed field would still get what is typed. */
function closeSheet(sheet) {
  sheet.getRootNode().activeElement?.blur();
  sheet.close();
}

function helpSheet(root) {
  const sheet = root.querySelector(".sheet");
  sheet.onkeydown = (event) => { event.stopPropagation(); if (event.key === "?") closeSheet(sheet); else escapes(event, sheet); };
  sheet.setAttribute("aria-label", "Keys");
  drawHelp(sheet, ROOM_KEYS, ROOM_ORDER);
  sheet.showModal();
}

/** Opens a sheet; `does` is what Enter and its main button do, and answers false to stay open. */
function openSheet(root, m, title, parts, button, does) {
  const sheet = root.querySelector(".sheet");
  const done = () => { if (does() !== false) closeSheet(sheet); };
  const main = make("button", { type: "button", class: "save" }, ...keyed(button, "Enter"));
  main.addEventListener("click", done);
  const close = make("button", { type: "button", class: "plain" }, ...keyed("Cancel", "Esc"));
  close.addEventListener("click", () => closeSheet(sheet));
  sheet.setAttribute("aria-label", title);
  sheet.replaceChildren(make("h2", {}, title), ...parts, make("p", { class: "says", role: "status" }), make("div", { class: "choice" }, main, close));
  sheet.onkeydown = (event) => {
    event.stopPropagation();
    if (escapes(event, sheet)) return;
    const own = event.composedPath()[0].closest("button, summary");
    if (event.key !== "Enter" || event.shiftKey || own) return;
    event.preventDefault();
    done();
  };
  sheet.onclose = () => { m.afterSheet?.(); m.afterSheet = null; m.draw(); };
  sheet.showModal();
  return sheet;
}

const complain = (sheet, words) => { sheet.querySelector(".says").replaceChildren(words); return false; };

function deferSheet(root, m, send) {
  const why = make("textarea", { rows: "3", maxlength: String(LONGEST_REASON), "aria-label": "Why it is deferred", placeholder: "What is missing, and who asks for it" });
  why.value = m.draft(m.key).defer || m.draft(m.key).reason.trim();
  const sheet = openSheet(root, m, "Defer this point", withRoom(why), "Defer and go on", () => (tooLong(why.value) ? complain(sheet, TOO_LONG) : send(why.value)));
  why.focus();
}

function peopleSheet(root, m, send) {
  const names = [...new Set([...m.data.known, ...m.here()])], on = new Set(m.here());
  const list = make("div", { class: "persons", role: "group", "aria-label": "Present" });
  const add = make("input", { type: "text", maxlength: "80", "aria-label": "Somebody who joins", placeholder: "Somebody who joins" });
  const paint = () => list.replaceChildren(...names.map((name) => {
    const made = make("button", { type: "button", class: "person", "aria-pressed": String(on.has(name)) }, name);
    made.addEventListener("click", () => { if (!on.delete(name)) on.add(name); made.setAttribute("aria-pressed", String(on.has(name))); });
    return made;
  }));
  // Whoever is typed joins on Enter, Tab and a press elsewhere alike; commas part them.
  const join = () => {
    const typed = add.value.split(",").map((each) => each.trim().replace(/\s+/g, " ")).filter(Boolean);
    for (const each of typed) {
      const name = names.includes(each) ? each : names.find((one) => one.toLowerCase() === each.toLowerCase()) ?? each;
      if (!names.includes(name)) names.push(name);
      on.add(name);
    }
    add.value = "";
    if (typed.length) paint();
    return typed.length > 0;
  };
  add.addEventListener("blur", join);
  paint();
  const sheet = openSheet(root, m, "Who is present", [make("p", { class: "quiet small" }, "Switch off whoever leaves, write whoever joins; commas part several."), list, add], "Note it", () => {
    if (join()) return false;
    if (!on.size) return complain(sheet, "At least one person is there.");
    return send(names.filter((each) => on.has(each)));
  });
  add.focus();
}

/** A like case: its words, who said what, how its quotes were found; the rest is folded. */
function drawLikely(each, box) {
  const said = each.voices.flatMap((voice) => [make("span", { class: "says-what" }, `${voice.name} `, badge(voice.look)), " "]);
  const more = make("details", {}, make("summary", {}, each.whole ? "Evidence and reasons" : "In its response, with evidence and reasons"),
    ...(each.whole ? [] : [make("div", { class: "unit" }, drawPassage(each.evidence.unit, false))]), ...drawEvidence(each.evidence), make("dl", { class: "reasons" }, ...each.voices.flatMap(drawReason)));
  return make("div", { class: "likely" }, make("label", {}, box, make("span", {}, make("b", {}, each.item), " ", each.run ? make("span", { class: "of-run quiet small" }, `${each.run}${each.sample ? " · Sample" : ""} `) : null, each.text)),
    make("p", { class: "small" }, ...said, make("span", { class: "quiet says-what" }, each.found)), more);
}

function likeSheet(root, m, like, send) {
  if (!like.cases.length) return false;
  const boxes = like.cases.map((each) => {
    const box = make("input", { type: "checkbox" });
    box.addEventListener("change", () => tell());
    return [each, box];
  });
  const chosen = () => boxes.filter(([, box]) => box.checked);
  const rows = boxes.map(([each, box]) => drawLikely(each, box));
  const many = boxes.length, others = boxes.filter(([each]) => each.run).length;
  const elsewhere = others ? ` ${others === many ? (many === 1 ? "It is" : "All are") : others === 1 ? "One is" : `${others} are`} of another run, named there.` : "";
  // What another run has is none of this meeting's: it is chosen one by one.
  const set = (on) => { for (const [each, box] of boxes) if (!on || !each.run) box.checked = on; tell(); };
  const all = { "+": () => set(true), "-": () => set(false) }, tally = make("span", { class: "quiet small", role: "status" });
  const tool = (words, key) => { const made = make("button", { type: "button", class: "plain small" }, ...keyed(words, key)); made.addEventListener("click", all[key]); return made; };
  const tell = () => { tally.replaceChildren(`${chosen().length} of ${many} chosen`); sheet.querySelector(".says").replaceChildren(); };
  const tools = make("div", { class: "like-tools" }, ...(others < many ? [tool(others ? "All of this meeting's runs" : "All", "+"), tool("None", "-")] : []), tally);
  const sheet = openSheet(root, m, `Apply “${like.title}” to like cases`, [make("p", { class: "quiet small" }, `${many} undecided ${many === 1 ? "case has" : "cases have"} the same labels on both sides and the same kind of clash.${elsewhere} Look at each and choose what is the same; ↓ ↑ move, Space chooses, → unfolds and ← folds.`), tools, make("div", { class: "like-cases" }, ...rows)], "Apply", () => {
    const cases = chosen().map(([each]) => [each.key, each.seen]);
    return cases.length ? send(cases) : complain(sheet, "None is chosen: Space chooses a case.");
  });
  tell();
  const enter = sheet.onkeydown;
  sheet.onkeydown = (event) => {
    const at = rows.findIndex((row) => row.contains(event.composedPath()[0])), by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const opens = { ArrowRight: true, ArrowLeft: false }[event.key], every = others < many && !event.ctrlKey && !event.metaKey && !event.altKey && all[event.key];
    if (every) { event.preventDefault(); event.stopPropagation(); every(); return; }
    if (by === undefined && (opens === undefined || at < 0)) return enter(event);
    event.preventDefault();
    event.stopPropagation();
    if (opens !== undefined) rows[at].querySelector("details").open = opens;
    else boxes[Math.max(0, Math.min(many - 1, at + by))][1].focus();
  };
  boxes[0][1].focus();
  return true;
}

/** Places of points with something entered that nobody saved; what was refused is told apart. */
function begunPoints(m) {
  const begun = (key) => { const draft = m.drafts[key]; return draft && [draft.value, draft.reason.trim(), draft.wording.trim()].some(Boolean); };
  return m.data.agenda.flatMap(({ key }, at) => begun(key) && !["conflict", "failed"].includes(pointState(m, key)) ? [at] : []);
}

function begunWords(places) {
  const numbers = places.map((at) => at + 1);
  return numbers.length === 1 ? `Point ${numbers[0]} has something entered that is not saved; the minutes will not have it.` : `Points ${listed(numbers)} have something entered that is not saved; the minutes will not have it.`;
}

function finishSheet(root, m, send) {
  const states = m.data.agenda.map((each) => pointState(m, each.key)), many = (...kinds) => states.filter((each) => kinds.includes(each)).length;
  const lost = many("conflict", "failed");
  const parts = [make("p", {}, `${many("decided", "pending")} decided, ${many("deferred")} deferred, ${many("open")} not reached.`)];
  if (lost) parts.push(make("p", { class: "missing" }, `${lost} ${lost === 1 ? "point is" : "points are"} not saved. Cancel and press x to go there.`));
  const drafts = begunPoints(m);
  if (drafts.length) parts.push(make("p", { class: "missing" }, begunWords(drafts)), make("div", { class: "steps" }, ...drafts.slice(0, 6).map((at, nth) => act(m, `Go to point ${at + 1}`, nth ? "" : "x", () => goBack(at), "back"))));
  const sheet = openSheet(root, m, "Finish the meeting", parts, "Finish and write the minutes", send), enter = sheet.onkeydown;
  for (const each of sheet.querySelectorAll("kbd:empty")) each.remove();
  const goBack = (at) => { closeSheet(sheet); m.go(m.data.agenda[at].key); };
  sheet.onkeydown = (event) => { if (event.key.toLowerCase() === "x" && drafts.length) { event.preventDefault(); event.stopPropagation(); goBack(drafts[0]); } else enter(event); };
  sheet.querySelector(".save").focus();
}
