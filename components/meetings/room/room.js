const memory = new WeakMap();
const blank = () => ({ value: "", reason: "", class: "", wording: "", section: "", defer: "", chosen: false, armed: false });

/** Every press counts: what is done is a list that only grows until the server has stored it, each entry
 *  with an id of its own, and keys pressed before a card is there wait for it. */
function newMemory(data) {
  const old = kept(data);
  const m = { desk: data.desk, seq: data.ack, log: [], told: "", held: [], told_until: data.ack, since: null, ticking: 0, sentAt: 0, asks: "", resend: false,
    drafts: old.drafts ?? {}, shared: old.shared ?? {}, found: {}, sent: old.sent ?? {}, spent: old.spent ?? {}, done: old.done ?? [], made: old.made ?? {}, dropped: {}, key: old.key };
  if (!old.drafts) takeOver(m, data);
  m.log = (old.log ?? []).map((each) => ({ ...each, seq: ++m.seq, desk: data.desk }));
  m.resend = m.log.length > 0;
  return m;
}

function actions(root, m, setStateValue, setTriggerValue) {
  const card = () => m.data.cards.find((each) => each.key === m.key);
  const say = (words) => { m.told = words; m.tells = "told"; m.paint(); };
  const note = (words) => { m.told = words; m.tells = "noted"; m.paint(); };
  const send = (action) => {
    m.log = [...m.log, { seq: ++m.seq, id: hex(), desk: m.desk, ...action }];
    m.sentAt = performance.now();
    m.keep();
    setStateValue("log", m.log);
  };
  m.keep = () => {
    keepDrafts(m);
    const { log, drafts, shared, sent, spent, done, made, key } = m;
    try { sessionStorage.setItem(where(m.data), JSON.stringify({ log, drafts, shared, sent, spent, done, made, key })); } catch { /* a full store only costs what a reload would lose */ }
  };
  /** Which of the things done here would be taken back: the last on the point that is shown, else the last. */
  m.takes = () => { const at = m.done.findLastIndex((each) => each.key === m.key); return at < 0 ? m.done.length - 1 : at; };
  m.draft = (key) => (m.drafts[key] ??= blank());
  m.here = () => m.log.findLast((each) => each.kind === "present")?.people ?? m.data.here;
  m.runs = () => { const state = pointState(m, m.key); return !document.hidden && (!["decided", "pending"].includes(state) || Boolean(m.draft(m.key).value)); };
  m.go = (key) => {
    count(m);
    m.key = key;
    m.told = "";
    m.draft(key).armed &&= pointState(m, key) === "conflict";
    setStateValue("at", m.data.agenda.findIndex((each) => each.key === key));
    m.keep();
    m.draw();
  };
  m.step = (by) => {
    const next = m.data.agenda[m.data.agenda.findIndex((each) => each.key === m.key) + by];
    if (next) m.go(next.key);
    else note(by > 0 ? "This is the last point. Press Shift+F to finish the meeting." : "This is the first point.");
  };
  m.pick = (value) => {
    const draft = m.draft(m.key);
    draft.value = value;
    draft.armed = pointState(m, m.key) === "conflict";
    if (!draft.chosen) draft.class = suggested(card(), value);
    m.keep();
    say("");
  };
  // A class that was only suggested is confirmed by its key, not switched off.
  m.classify = (value) => { const draft = m.draft(m.key); draft.chosen = !(draft.chosen && draft.class === value); draft.class = draft.chosen ? value : ""; m.keep(); say(""); };
  m.adopt = () => {
    const draft = m.draft(m.key);
    if (!draft.value) return say("Choose a label first.");
    const words = adopted(card(), draft.value);
    if (!words) return say("Nobody gave a reason for this label. Write one (n).");
    const fits = takeReason(draft, words);
    m.keep();
    say(fits ? "" : NO_ROOM);
  };
  m.save = () => {
    const draft = m.draft(m.key), here = card(), key = m.key, state = pointState(m, key);
    if (!m.data.mayDecide) return say("Nothing can be stored here: the store can only be read, or your role does not allow it.");
    if (!draft.value && ["decided", "pending"].includes(state)) return m.step(1);
    if (!draft.value) return say("Choose a label first.");
    if (!draft.reason.trim()) return say("Say why: write a reason (n) or take one over (a).");
    if (tooLong(draft.reason, draft.wording)) return say(TOO_LONG);
    if ((here.decided || ["decided", "pending"].includes(state)) && !draft.armed) {
      draft.armed = true;
      return say("This point is decided already. Press Enter once more to decide it a second time; both decisions stay on record.");
    }
    const { value, reason, wording } = draft, section = draft.section || here.sections.at(-1), seconds = takeSeconds(m, key);
    m.sent[key] = { ...draft, armed: false, seconds };
    m.done.push({ key, kind: "decide" });
    delete m.drafts[key];
    m.told = m.built = "";
    m.savedAt = performance.now();
    setTimeout(() => m.paint(), SETTLES);
    send({ kind: "decide", key, value, reason, error_class: draft.class, wording, section, seconds, seen: here.seen, confirmed: draft.armed });
    m.draw();
  };
  m.undo = () => {
    const at = m.takes();
    if (at < 0) return say("There is nothing to take back in this tab.");
    const [last] = m.done.splice(at, 1);
    if (last.kind === "decide" && m.sent[last.key]) m.drafts[last.key] = { ...blank(), ...m.sent[last.key], armed: false };
    send({ kind: "undo", key: last.key, cases: m.made[last.key]?.at(-1) ?? [] });
    m.go(last.key);
  };
  m.defer = () => {
    if (!m.data.mayDecide) return say("Nothing can be stored here: the store can only be read, or your role does not allow it.");
    const key = m.key;
    if (["decided", "pending"].includes(pointState(m, key))) return say("This point is decided. Take the decision back (z), then defer it.");
    deferSheet(root, m, (reason) => { const draft = m.draft(key); draft.defer = reason; if (!draft.value) draft.reason = ""; send({ kind: "defer", key, reason, seconds: takeSeconds(m, key) }); m.step(1); });
  };
  m.people = () => peopleSheet(root, m, (people) => send({ kind: "present", key: "", people }));
  m.like = () => {
    if (!["decided", "pending"].includes(pointState(m, m.key))) return say("Decide this point first; then its decision can be applied to like cases.");
    m.asks = m.key;
    setStateValue("like", m.key);
    note("Looking for like cases…");
  };
  m.liked = () => {
    const like = m.data.like;
    if (!m.asks || like?.key !== m.asks) return;
    const key = m.asks;
    m.asks = m.told = "";
    const opened = likeSheet(root, m, like, (cases) => { m.done.push({ key, kind: "like" }); send({ kind: "like", key, cases, follows: like.number }); });
    if (opened) m.afterSheet = () => setStateValue("like", "");
    else { setStateValue("like", ""); note("No other undecided case is like this one."); }
  };
  m.finish = () => finishSheet(root, m, () => {
    count(m);
    for (const key of Object.keys(m.spent)) if (m.spent[key] >= 1) send({ kind: "timed", key: "", point: key, seconds: takeSeconds(m, key) });
    send({ kind: "finish", key: "" });
  });
  m.toTrouble = () => { const lost = m.data.agenda.find((each) => ["conflict", "failed"].includes(pointState(m, each.key))); if (lost) m.go(lost.key); };
  m.drop = () => {
    const now = stateOf(m, m.data, m.key);
    if (["conflict", "failed"].includes(now?.state)) { m.dropped[m.key] = now.seq; delete m.drafts[m.key]; }
    const general = m.data.results[""];
    if (general) m.dropped[""] = general.seq;
    m.built = "";
    m.keep();
    m.told = "";
    m.draw();
  };
  m.wide = () => { if (root.getRootNode().fullscreenElement ?? document.fullscreenElement) document.exitFullscreen(); else root.requestFullscreen?.().catch(() => say("The browser does not allow full screen here.")); };
  m.leave = (page) => {
    if (page === "rerun" && !card()?.rerun) return;
    count(m);
    m.keep();
    setTriggerValue("leave", { page, key: m.key });
  };
  m.read = () => { const link = root.querySelector(".case a.open"); if (link) link.click(); else say("The reader names everybody; it opens once this point is decided."); };
  m.help = () => helpSheet(root);
  const type = (selector) => { const field = root.querySelector(selector); if (field.closest("details")) field.closest("details").open = true; field.focus(); };
  const read = (share) => root.querySelector(".case").scrollBy({ top: share * root.querySelector(".case").clientHeight });
  const does = { j: () => m.step(1), ArrowRight: () => m.step(1), k: () => m.step(-1), ArrowLeft: () => m.step(-1), ArrowDown: () => read(0.12), ArrowUp: () => read(-0.12), PageDown: () => read(0.85), PageUp: () => read(-0.85), " ": () => read(0.85),
    a: m.adopt, n: () => type("textarea.reason"), g: () => type("textarea.wording"), Enter: m.save, Escape: m.drop, z: m.undo, d: m.defer, l: m.like, p: m.people, b: () => m.leave("rerun"), o: m.read, v: () => m.leave("meetings"),
    "/": () => searchTexts(root), x: m.toTrouble, f: m.wide, F: m.finish, "?": m.help };
  const keys = new Set([...Object.keys(does), ..."123456789", ...CLASS_KEYS]);
  const waits = () => m.asks || !card() || m.held.length > 0;
  // While a card is awaited every letter counts: it may belong to a reason that is being written.
  m.known = { has: (key) => keys.has(key) || (waits() && (key.length === 1 || key === "Backspace")) };
  m.act = (key) => (waits() ? m.held.push(key) : m.do(key));
  m.do = (pressed) => {
    const key = keys.has(pressed) ? pressed : pressed.toLowerCase();
    const label = card().labels["123456789".indexOf(key)], kind = m.data.classes[CLASS_KEYS.indexOf(key)];
    if (label) m.pick(label.value);
    else if (kind) m.classify(kind[0]);
    else does[key]?.();
  };
}

/** Takes in what the server says became of each action; what was refused comes back to its form. */
function hear(m) {
  const { data } = m;
  m.log = m.log.filter((each) => each.seq > data.ack);
  for (const [key, each] of Object.entries(data.results)) {
    m.made[key] = each.made;
    if (each.seq <= m.told_until || !["conflict", "failed"].includes(each.state)) continue;
    const at = m.done.findLastIndex((one) => one.key === key && one.kind === each.kind);
    if (at >= 0) m.done.splice(at, 1);
    if (each.kind === "undo" && each.state === "failed") m.done.push({ key, kind: "decide" });
    if (each.kind === "decide" && m.sent[key] && !m.drafts[key]?.value) {
      m.drafts[key] = { ...m.sent[key], armed: each.state === "conflict" };
      m.spent[key] = (m.spent[key] ?? 0) + (m.sent[key].seconds ?? 0);
    }
  }
  m.told_until = data.ack;
}

/** Does what was pressed meanwhile, and types what was written into the field that a key opened. */
function replay(root, m) {
  const ready = () => !m.asks && m.data.cards.some((each) => each.key === m.key);
  while (ready() && m.held.length) {
    const key = m.held.shift(), field = root.getRootNode().activeElement;
    const sheet = root.querySelector("dialog[open]");
    if (sheet && key === "Enter") sheet.querySelector(".save").click();
    else if (sheet && key === "Escape") closeSheet(sheet);
    else if (field?.matches(TYPING)) {
      if (key === "Escape") field.blur();
      else field.value = key === "Backspace" ? field.value.slice(0, -1) : field.value + (key === "Enter" ? "\n" : key);
      field.dispatchEvent(new Event("input"));
    } else m.do(key);
  }
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.isConnected) return undefined;  // it left the page before this call was made
  const whose = `${data.meeting} ${data.desk}`, isNew = !memory.has(root), known = memory.get(root) ?? memory.get(leftRoot(whose));
  const m = known?.desk === data.desk ? known : newMemory(data);
  if (known && known !== m) stopClock(known);
  memory.set(root, m);
  if (isNew) Object.assign(m, { shown: "", built: "", resend: m.log.length > 0 });
  m.data = data;
  if (!data.agenda.some((each) => each.key === m.key)) m.key = data.agenda[data.at]?.key ?? data.agenda[0].key;
  m.paint = () => { const card = m.data.cards.find((each) => each.key === m.key); if (card && m.built === m.key) paintPanel(root, m, card); };
  m.draw = () => {
    const card = m.data.cards.find((each) => each.key === m.key), place = root.querySelector(".case");
    drawBar(root, m);
    drawTrouble(root, m);
    root.classList.toggle("waits", !card);
    if (!card) return;
    const point = m.data.agenda.find((each) => each.key === m.key), shown = JSON.stringify([card, point.state, point.before]);
    if (m.shown !== shown) {
      place.replaceChildren(...drawAbove(card, point), drawCard(card, false), ...[drawBaseline(card)].filter(Boolean));
      if (m.built !== m.key || point.state === "decided") place.scrollTop = 0;
      m.shown = shown;
      showTexts(root, m);
    }
    if (m.built !== m.key) { drawPanel(root, m, card); m.built = m.key; }
    paintPanel(root, m, card);
  };
  m.askTexts = (asked) => setStateValue("texts", asked);
  actions(root, m, setStateValue, setTriggerValue);
  hear(m);
  dropStored(m);
  if (m.asks && isNew) setStateValue("like", m.asks);  // what was asked for may have gone with the old place
  if (m.resend) { m.resend = false; m.sentAt = performance.now(); setStateValue("log", m.log); }
  if (!data.cards.some((each) => each.key === m.key)) setStateValue("at", data.agenda.findIndex((each) => each.key === m.key));
  m.keep();
  m.draw();
  m.liked();
  startClock(m, () => { paintClock(root, m); drawTrouble(root, m); });
  const unlisten = listen(root, m, m.known, ".labels, .classes, .strip"), stopTexts = hearTexts(root);
  replay(root, m);
  return takePlace(root, whose, () => { count(m); m.keep(); stopClock(m); stopTexts(); unlisten(); });
}
