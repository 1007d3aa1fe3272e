const memory = new WeakMap();

/** Every press counts: decisions are a list that only grows until the server has stored it, and keys
 *  pressed while the next page is on its way wait for it. */
function newMemory(data) {
  return { desk: data.desk, seq: data.ack, log: [], at: data.cards[0]?.key, drafts: new Map(), who: data.who, told: "", done: [], presses: [], waiting: 0, held: [], told_until: data.ack };
}

function actions(root, m, setStateValue, setTriggerValue) {
  const card = () => m.data.cards.find((each) => each.key === m.at);
  const say = (words) => { m.told = words; m.paint(); };
  const send = (action) => { m.log = [...m.log, { seq: ++m.seq, ...action }]; setStateValue("log", m.log); };
  m.draft = (key) => {
    if (!m.drafts.has(key)) m.drafts.set(key, { value: "", reason: "", class: "", chosen: false, armed: false });
    return m.drafts.get(key);
  };
  m.go = (key) => { m.at = key; m.told = ""; m.draft(key).armed = false; m.draw(); };
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
    const draft = m.draft(m.at);
    draft.value = value;
    draft.armed = false;
    if (!draft.chosen) draft.class = suggested(card(), value);
    say("");
  };
  m.classify = (value) => { const draft = m.draft(m.at); draft.chosen = draft.class !== value; draft.class = draft.chosen ? value : ""; say(""); };
  m.adopt = () => {
    const draft = m.draft(m.at);
    if (!draft.value) return say("Choose a label first.");
    const words = adopted(card(), draft.value);
    if (!words) return say("Nobody gave this label, so there is no reason to take over. Write one.");
    draft.reason = words;
    say("");
  };
  m.save = () => {
    const draft = m.draft(m.at), here = card();
    if (!m.data.mayDecide) return say("The store can only be read.");
    if (!draft.value) return say("Choose a label first.");
    if (!draft.reason.trim()) return say("Say why: write a reason (n) or take one over (a).");
    if (!m.who.trim()) return say("Say who decides.");
    const pending = m.log.some((each) => each.key === m.at && each.kind === "decide" && each.seq > m.data.ack);
    if ((here.decided || pending) && !draft.armed) {
      draft.armed = true;
      return say("This case is decided already. Save once more to decide it a second time; both decisions stay on record.");
    }
    send({ kind: "decide", key: m.at, value: draft.value, reason: draft.reason, error_class: draft.class, seen: here.seen, who: m.who });
    m.done.push(m.at);
    draft.armed = false;
    m.step(1);
    m.draw();
  };
  m.undo = () => {
    const key = m.done.pop();
    if (!key) return say("There is nothing to take back in this tab.");
    send({ kind: "undo", key, seen: 0, who: m.who });
    if (m.data.cards.some((each) => each.key === key)) m.go(key);
    else m.draw();
  };
  m.mark = () => {
    if (!m.data.mayDecide) return say("The store can only be read.");
    m.presses = pressed(m.presses, unitOf(m.at), !isMarked(m, card()));
    setStateValue("marks", m.presses);
    m.draw();
  };
  m.leave = (page) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // a new tab follows the address
    event.preventDefault();
    setTriggerValue("leave", { page, key: m.at });
  };
  m.help = () => { const sheet = root.querySelector(".sheet"); drawHelp(sheet, KEYS, ORDER); sheet.showModal(); };
  m.act = (key) => {
    if (m.waiting) return m.held.push(key);
    const label = card()?.labels["123456789".indexOf(key)];
    const kind = m.data.classes[CLASS_KEYS.indexOf(key)];
    if (label) m.pick(label.value);
    else if (kind && CLASS_KEYS.includes(key)) m.classify(kind[0]);
    else ({ j: () => m.step(1), ArrowDown: () => m.step(1), k: () => m.step(-1), ArrowUp: () => m.step(-1), a: m.adopt, n: () => root.querySelector("textarea").focus(),
      Enter: m.save, z: m.undo, m: m.mark, o: () => root.querySelector("a.open").click(), "?": m.help })[key]?.();
  };
}

const KNOWN = new Set(["j", "k", "ArrowDown", "ArrowUp", "a", "n", "Enter", "z", "m", "o", "?", ..."123456789", ...CLASS_KEYS]);

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const known = memory.get(root);
  const m = known?.desk === data.desk ? known : newMemory(data);
  memory.set(root, m);
  m.data = data;
  if (!m.who) m.who = data.who;
  m.presses = unstored(m.presses, data.lastMark);
  m.log = m.log.filter((each) => each.seq > data.ack);
  for (const [key, each] of Object.entries(data.results)) {
    if (each.state === "saved" && each.seq > m.told_until && key !== m.at) m.drafts.delete(key);
  }
  m.told_until = data.ack;
  m.paint = () => { const card = m.data.cards.find((each) => each.key === m.at); if (card) paintDecision(root, m, m.data, card); };
  m.draw = () => {
    const card = m.data.cards.find((each) => each.key === m.at);
    drawQueue(root, m, m.data);
    const shown = JSON.stringify(card);
    const place = root.querySelector(".case");
    if (m.shown !== shown) {
      place.replaceChildren(drawCard(card));
      for (const [name, page] of [["open", "item"], ["rerun", "rerun"]]) place.querySelector(`a.${name}`)?.addEventListener("click", m.leave(page));
      if (m.built !== m.at) place.scrollTop = 0;
      m.shown = shown;
    }
    if (m.built !== m.at) { drawDecision(root, m, m.data, card); m.built = m.at; }
    paintDecision(root, m, m.data, card);
  };
  actions(root, m, setStateValue, setTriggerValue);
  const arrived = m.waiting && data.page === Math.min(m.waiting, data.pages);
  if (arrived || !data.cards.some((each) => each.key === m.at)) m.at = data.cards.at(arrived && m.from === "last" ? -1 : 0)?.key;
  if (arrived) m.waiting = 0;
  listen(root, m, KNOWN, ".labels, .classes, .queue .row");
  if (data.cards.length) m.draw();
  while (!m.waiting && m.held.length) m.act(m.held.shift());
  return () => document.removeEventListener("keydown", m.listener, true);
}
