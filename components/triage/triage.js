const memory = new WeakMap();

/** Every press counts: decisions are a list that only grows until the server has stored it, and keys
 *  pressed while the next page is on its way wait for it. */
function newMemory(data) {
  const before = entered();
  const m = { desk: data.desk, seq: data.ack, log: [], at: (data.cards.find((each) => each.key === before.at) ?? data.cards[0])?.key, drafts: new Map(before.drafts ?? []), who: data.who || before.who || knownName(), told: "", news: "", done: [], presses: before.presses ?? [], sides: new Map(), order: [], awaits: null, waiting: 0, held: [], told_until: data.ack };
  // The page may be loaded anew, or the server have begun anew, before it said what became of these.
  m.log = (before.log ?? []).map((each) => ({ ...each, seq: ++m.seq, desk: data.desk }));
  m.resend = true;
  return m;
}

function actions(root, m, setStateValue, setTriggerValue) {
  const card = () => m.settles(m.data.cards.find((each) => each.key === m.at));
  const say = (words) => { m.told = words; m.news = ""; m.paint(); };
  // A form that was opened on a decided case and left as it was is closed when one comes back.
  const asBefore = (draft) => { draft.armed = false; draft.again &&= !isEmpty(draft); };
  const send = (action) => { m.log = [...m.log, { seq: ++m.seq, id: hex(), desk: m.desk, ...action }]; keepEntered(m); setStateValue("log", m.log); };
  m.draft = (key) => {
    if (!m.drafts.has(key)) m.drafts.set(key, { value: "", reason: "", class: "", chosen: false, armed: false, again: false });
    return m.drafts.get(key);
  };
  m.go = (key) => { m.at = key; m.told = m.news = ""; m.awaits = null; m.isLast = false; m.broughtAt = 0; asBefore(m.draft(card().key)); m.draw(); };
  m.turnTo = (at) => { m.sides.set(m.at, at); m.told = m.news = ""; m.draw(); };
  m.otherSide = () => {
    const { points } = m.data.cards.find((each) => each.key === m.at);
    if (points?.length > 1) m.turnTo((points.indexOf(card()) + 1) % points.length);
    else say(points ? "There is only one side to settle here." : "This case is about one question only.");
  };
  m.turn = (page, from = "first") => {
    if (page < 1 || page > m.data.pages) return;
    m.waiting = page;
    m.from = from;
    setStateValue("turn", { page });
  };
  m.step = (by) => {
    const next = m.data.cards[m.data.cards.findIndex((each) => each.key === m.at) + by];
    if (next) m.go(next.key);
    else m.turn(m.data.page + by, by > 0 ? "first" : "last");
  };
  m.pick = (value) => {
    const draft = m.draft(card().key);
    draft.value = value;
    draft.armed = false;
    draft.hasty = isHasty(m);
    if (!draft.chosen) draft.class = suggested(card(), value);
    say("");
  };
  // A class that was only suggested is confirmed by its key, not switched off.
  m.classify = (value) => { const draft = m.draft(card().key); draft.chosen = !(draft.chosen && draft.class === value); draft.class = draft.chosen ? value : ""; say(""); };
  m.adopt = () => {
    const draft = m.draft(card().key);
    if (!draft.value) return say("Choose a label first.");
    const words = adopted(card(), draft.value);
    if (!words) return say("Nobody gave a reason for this label. Write one (n).");
    say(takeReason(draft, words) ? "" : NO_ROOM);
  };
  const field = () => root.querySelector("textarea");
  m.again = () => {
    m.draft(card().key).again = true;
    say("");
    root.querySelector(".labels .label").focus();
  };
  m.leaveDecided = () => { m.drafts.delete(card().key); say(""); root.querySelector(".again")?.focus(); };
  m.write = () => {
    if (!field()) m.again();
    field().focus();
  };
  m.save = () => {
    const row = m.data.cards.find((each) => each.key === m.at), here = card(), draft = m.draft(here.key);
    if (m.awaits) return;
    if (!m.data.mayDecide) return say("Nothing can be stored here: the store can only be read, or your role does not allow it.");
    if (shownVerdict(m, m.data, here)) return m.again();
    if (!draft.value) return say("Choose a label first.");
    if (!draft.reason.trim()) return say("Say why: write a reason (n) or take one over (a).");
    if (tooLong(draft.reason)) return say(TOO_LONG);
    if (!m.who.trim()) return say("Say who decides.");
    if (draft.hasty) {
      draft.hasty = false;
      return say("The case changed while you pressed. Look at this one, then save it.");
    }
    const pending = m.log.some((each) => each.key === here.key && each.kind === "decide" && each.seq > m.data.ack);
    if ((here.decided || pending) && !draft.armed && !draft.again) {
      draft.armed = true;
      return say("This case is decided already. Save once more to decide it a second time; both decisions stay on record.");
    }
    if (!m.data.isKnown) rememberName(m.who);
    send({ kind: "decide", key: here.key, value: draft.value, reason: draft.reason, error_class: draft.class, seen: here.seen, who: m.who });
    m.done.push(here.key);
    draft.armed = draft.again = false;
    // One decision may end several such cases, or leave half of this one: the next is known then.
    if (row.points) m.awaits = { seq: m.seq, key: here.key, total: m.data.total };
    else goNext(m, m.data);
    m.draw();
  };
  m.undo = () => {
    const key = m.done.pop();
    if (!key) return say("There is nothing to take back in this tab.");
    send({ kind: "undo", key, seen: 0, who: m.who, undoes: m.data.results[key]?.made.at(-1) ?? 0 });
    if (m.data.cards.some((each) => each.key === key)) return m.go(key);
    m.awaits = { seq: m.seq, key, total: m.data.total };
    m.draw();
  };
  m.mark = () => {
    if (!m.data.mayMark) return say("Nothing can be stored here: the store can only be read, or your role does not allow it.");
    m.presses = pressed(m.presses, unitOf(card().key), !isMarked(m, card()));
    setStateValue("marks", m.presses);
    m.draw();
  };
  m.leave = (page) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // a new tab follows the address
    event.preventDefault();
    setTriggerValue("leave", { page, key: m.at });
  };
  m.help = () => {
    const sheet = root.querySelector(".sheet"), asks = root.querySelector("a.rerun");  // not on answers that cannot all be right
    drawHelp(sheet, KEYS.filter(([key]) => asks || key !== "b"), ORDER);
    sheet.showModal();
  };
  m.typesAhead = (event) => {
    const last = m.held.at(-1), typed = last === "n" ? { text: "" } : last;
    if (!(m.waiting || m.awaits) || typed?.text === undefined) return false;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return m.held.push("Escape", "Enter");
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") return m.held.push("Escape");
    if (event.key.length === 1 || event.key === "Enter") typed.text += event.key === "Enter" ? "\n" : event.key;
    else if (event.key === "Backspace") typed.text = typed.text.slice(0, -1);
    else return false;
    if (typed !== last) m.held.push(typed);
    return true;
  };
  m.act = (key) => {
    if (m.waiting || m.awaits) return m.held.push(key);
    if (key.text !== undefined) { m.draft(card().key).reason += key.text; return say(""); }
    const label = card()?.labels["123456789".indexOf(key)];
    const kind = m.data.classes[CLASS_KEYS.indexOf(key)];
    if (label) m.pick(label.value);
    else if (kind && CLASS_KEYS.includes(key)) m.classify(kind[0]);
    else ({ j: () => m.step(1), ArrowDown: () => m.step(1), k: () => m.step(-1), ArrowUp: () => m.step(-1), a: m.adopt, s: m.otherSide, n: m.write,
      Enter: m.save, Escape: () => field()?.blur(), z: m.undo, m: m.mark, o: () => root.querySelector("a.open").click(), b: () => root.querySelector("a.rerun")?.click(), "/": () => searchTexts(root), "?": m.help })[key]?.();
  };
}

const KNOWN = new Set(["j", "k", "ArrowDown", "ArrowUp", "a", "s", "n", "Enter", "z", "m", "o", "b", "/", "?", ..."123456789", ...CLASS_KEYS]);

/** Where to go on once a decision on such a case is stored: to what it left, else to the next. */
function goOn(m, data, { key, total }) {
  const now = data.results[key];
  const row = data.cards.find((each) => each.points?.some((point) => point.key === key));
  if (!["saved", "undone"].includes(now?.state)) {
    if (!row) m.told = now?.text ?? "";
    return;
  }
  m.drafts.delete(key);
  m.form = "";
  if (row) {
    const own = row.points.findIndex((each) => each.key === key), open = row.points.findIndex((each) => !each.decided);
    m.at = row.key;
    m.sides.set(row.key, now.state === "undone" || open < 0 ? own : open);
  }
  const ended = total - data.total;
  const left = row ? "The card says what is left." : ended > 0 ? `It ended ${ended === 1 ? "this case" : `${ended.toLocaleString("en")} cases`}.` : "";
  m.news = now.state === "undone" ? "Taken back; the decision stays on record." : `Saved: in the journal and in the store. ${left}`;
}

/** The case after one that a decision ended, in the order in which they stood. */
function nextOf(m, data) {
  const gone = Math.max(0, m.order.indexOf(m.at));
  const key = m.order.slice(gone).find((each) => data.cards.some((card) => card.key === each));
  return key ?? data.cards[Math.min(gone, data.cards.length - 1)]?.key;
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.isConnected) return undefined;  // it left the page before this call was made
  const isNew = !memory.has(root), known = memory.get(root) ?? memory.get(leftRoot(data.desk));
  const m = known?.desk === data.desk ? known : newMemory(data);
  memory.set(root, m);
  if (isNew) Object.assign(m, { form: "", shown: "", built: "", resend: true });
  m.data = data;
  if (!m.who) m.who = data.who;
  m.presses = unstored(m.presses, data.lastMark);
  dropStored(m, data);
  m.log = m.log.filter((each) => each.seq > data.ack);
  keepEntered(m); // also where no case is left to draw: what is answered is not sent again
  if (m.resend && m.log.length) setStateValue("log", m.log);
  if (m.resend && m.presses.length) setStateValue("marks", m.presses);
  m.resend = false;
  const stored = data.ack > m.told_until;
  m.told_until = data.ack;
  // What is settled of a case: it, or of two answers that cannot both be right the chosen one.
  m.settles = (row) => row?.points ? row.points[Math.min(m.sides.get(row.key) ?? 0, row.points.length - 1)] : row;
  m.paint = () => {
    const row = m.data.cards.find((each) => each.key === m.at), card = m.settles(row);
    if (card) m.decision(row, card);
    keepEntered(m);
  };
  m.decision = (row, card) => {
    const built = `${m.at}\n${card.key}\n${row.points?.length}\n${JSON.stringify(shownVerdict(m, m.data, card))}`;
    const types = m.built === m.at && m.shownKey === card.key && root.getRootNode().activeElement?.matches(".decision textarea, .decision input");
    if (m.form !== built && !types) { drawDecision(root, m, m.data, card, row); m.form = built; m.built = m.at; }
    m.shownKey = card.key;
    paintDecision(root, m, m.data, card);
  };
  m.draw = () => {
    const row = m.data.cards.find((each) => each.key === m.at), card = m.settles(row);
    drawQueue(root, m, m.data);
    const shown = JSON.stringify([row, card.key]);
    const place = root.querySelector(".case");
    if (m.shown !== shown) {
      place.replaceChildren(row.points ? drawAudit(row, card) : drawCard(card));
      for (const [name, page] of [["open", "item"], ["rerun", "rerun"]]) place.querySelector(`a.${name}`)?.addEventListener("click", m.leave(page));
      if (m.built !== m.at) place.scrollTop = 0;
      m.shown = shown;
      showTexts(root, m);
    }
    m.decision(row, card);
    keepEntered(m);
  };
  m.askTexts = (asked) => setStateValue("texts", asked);
  actions(root, m, setStateValue, setTriggerValue);
  const arrived = m.waiting && data.page === Math.min(m.waiting, data.pages);
  if (m.awaits && data.ack >= m.awaits.seq) { goOn(m, data, m.awaits); m.awaits = null; }
  const lost = !data.cards.some((each) => each.key === m.at);
  if (arrived) m.waiting = 0;
  else if (m.waiting && isNew) m.turn(m.waiting, m.from);  // what was asked for may have gone with the old place
  const opens = arrived && m.from === "open" ? firstOpen(m, data) : undefined;
  if (arrived || lost) m.at = lost && stored && !arrived ? nextOf(m, data) : opens ?? data.cards.at(arrived && m.from === "last" ? -1 : 0)?.key;
  if (lost && isNew) m.broughtAt = Date.now();  // keys kept for the case that stood here are not meant for this one
  passDecided(root, m, data);
  m.order = data.cards.map((each) => each.key);
  const unlisten = listen(root, m, KNOWN, ".labels, .classes, .to-settle, .queue .row");
  const stopBoxes = leaveBoxes(), stopTexts = hearTexts(root);
  if (isNew) leaveBox(); // one that was chosen from while there was no case
  if (data.cards.length) m.draw();
  while (!m.waiting && !m.awaits && m.held.length) m.act(m.held.shift());
  return takePlace(root, data.desk, () => { stopBoxes(); stopTexts(); unlisten(); });
}
