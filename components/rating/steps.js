const TICK = 0.25;  // seconds
const IDLE = 60;  // seconds without a key or a move after which nobody is working
const PAUSE = 700;  // milliseconds after the last letter until typed words are kept
const STORED = ["set", "undo", "time"];
const AGAIN = 5_000;  // milliseconds until what was not stored is sent again

function clone(value) { return value === undefined ? undefined : JSON.parse(JSON.stringify(value)); }

function blank() { return { value: null, skipped: false, rationale: "", comment: "", checks: [], links: [], excerpts: [] }; }

/** What stands on the sheet for one criterion of one unit. */
function told(m, id, key) { return m.states[id]?.[key] ?? blank(); }

/** Puts a step into the log; the log travels as state, so that no step is lost while the page runs. */
function enqueue(m, step) {
  const unit = step.unit ?? m.chosen;
  const seconds = STORED.includes(step.kind) ? m.unsent[unit] ?? 0 : 0;
  if (seconds) m.unsent[unit] = 0;
  m.seq += 1;
  m.log = [...m.log, { seq: m.seq, id: `${m.data.visit}.${m.seq}`, unit, seconds, ...step }];
  m.send(m.log);
  m.paintStatus();
}

/** Changes one criterion of one unit, with the state before kept for undo. */
function change(m, id, key, alter) {
  if (m.locked) return;
  settle(m);
  const before = clone(m.states[id]) ?? null;
  const after = clone(before) ?? {};
  after[key] = { ...blank(), ...after[key] };
  alter(after[key]);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  m.news = "";
  keepStep(m, id, before, after);
}

function keepStep(m, id, before, after) {
  m.states[id] = after;
  m.undo.push([id, before]);
  delete m.complaints[id];
  enqueue(m, { kind: "set", unit: id, state: after });
  m.paint();
}

/** Typed words change the sheet at once and become a step when the typing rests. */
function typed(m, id, key, alter) {
  if (m.locked) return;
  if (m.typing && m.typing.id !== id) settle(m);
  m.typing ??= { id, before: clone(m.states[id]) ?? null };
  const after = clone(m.states[id]) ?? {};
  after[key] = { ...blank(), ...after[key] };
  alter(after[key]);
  m.states[id] = after;
  clearTimeout(m.later);
  m.later = setTimeout(() => settle(m), PAUSE);
  m.paintStatus();
}

/** Makes a step of what was typed so far. */
function settle(m) {
  clearTimeout(m.later);
  if (!m.typing) return;
  const { id, before } = m.typing;
  m.typing = null;
  const after = m.states[id];
  if (JSON.stringify(after) === JSON.stringify(before)) { m.paintStatus(); return; }
  m.undo.push([id, before]);
  delete m.complaints[id];
  enqueue(m, { kind: "set", unit: id, state: after });
  m.paintTexts();
}

function undo(m) {
  if (m.locked) return;
  settle(m);
  const step = m.undo.pop();
  if (!step) { m.speak("Nothing to undo"); return; }
  const [id, before] = step;
  m.states[id] = before ?? {};
  enqueue(m, { kind: "undo", unit: id, state: m.states[id] });
  m.choose(id);
  m.speak("Undone");
}

/** Signs, or goes to another item: the sheet is locked until the answer comes. */
function leave(m, step) {
  if (m.locked) return;
  settle(m);
  if (step.kind === "go") {
    for (const [unit, spent] of Object.entries(m.unsent)) if (spent >= 1) enqueue(m, { kind: "time", unit, state: {} });
  }
  m.locked = step.kind;
  const times = Object.fromEntries(Object.entries(m.unsent).filter(([, spent]) => spent > 0));
  m.unsent = {};
  enqueue(m, { ...step, times });
}

const plainly = (state) => JSON.stringify(Object.entries(state ?? {}).map(([key, said]) => [key, said.value, said.skipped, said.rationale?.trim(), said.comment?.trim(), said.checks, said.links?.filter((each) => each.trim()), said.excerpts?.map(({ field, start, end }) => [field, start, end])]).sort());

/** Enters again what an earlier opening of the same sheet did not see stored: the server began anew meanwhile, or the
 *  page was loaded anew. What is stored is known by its id, or stands on the sheet already. */
function takeUp(m, before) {
  keepEntered(m);
  if (before.locked === "sign" && m.data.signed && !before.data.signed) return;  // it was signed after all
  const known = new Set(m.data.known), left = { ...before, log: before.log.filter((each) => !known.has(each.id)) };
  let entered = 0;
  for (const id of new Set(unstored(left).filter((each) => m.byId.has(each)))) {
    const had = clone(m.states[id]) ?? null, after = clone(before.states[id]);
    if (plainly(had) !== plainly(after)) { keepStep(m, id, had, after); entered += 1; }
  }
  for (const [unit, spent] of Object.entries(before.unsent)) m.unsent[unit] = (m.unsent[unit] ?? 0) + spent;
  m.choose(before.chosen);
  if (entered) { m.news = "What you entered before is taken up"; m.speak(m.news); m.paintStatus(); }
  // Signed is only what this rater saw: no step of another tab, and no signature, since then.
  const last = m.data.known.at(-1) ?? "";
  if (before.locked === "sign" && (last === (before.last ?? "") || last.startsWith(before.data.visit))) m.sign();
}

/** What Python says: how far the log is stored, what it complains about, what the rules suggest. */
function hear(m, said) {
  if (said.visit !== m.data.visit || said.turn === m.heard) return;
  m.heard = said.turn;
  m.log = m.log.filter((each) => each.seq > said.ack);
  m.problem = said.problem;
  m.advice = said.advice;
  clearTimeout(m.again);
  if (said.problem && m.log.length) m.again = setTimeout(() => m.resend(), AGAIN);
  if (!m.log.length || said.problem) {
    if (said.problem) m.log = m.log.filter((each) => STORED.includes(each.kind));
    m.locked = "";
  }
  if (said.complaints) {
    m.complaints = clone(said.complaints);
    const first = m.data.units.find((unit) => m.complaints[unit.id]);
    if (first) { m.choose(first.id); m.speak(`Not signed. ${m.complaints[first.id][0]}`); }
  }
  m.paint();
}

/** Counts the time in which somebody works on the chosen unit. */
function keepTime(m) {
  const stir = () => { m.stirred = performance.now(); };
  for (const kind of ["keydown", "pointermove", "wheel", "pointerdown"]) globalThis.addEventListener(kind, stir, { passive: true });
  stir();
  const clock = setInterval(() => {
    if (document.visibilityState !== "visible" || performance.now() - m.stirred > IDLE * 1_000) return;
    m.unsent[m.chosen] = (m.unsent[m.chosen] ?? 0) + TICK;
  }, TICK * 1_000);
  const hide = () => { if (document.visibilityState === "hidden") settle(m); };
  document.addEventListener("visibilitychange", hide);
  return () => {
    clearInterval(clock);
    document.removeEventListener("visibilitychange", hide);
    for (const kind of ["keydown", "pointermove", "wheel", "pointerdown"]) globalThis.removeEventListener(kind, stir);
  };
}
