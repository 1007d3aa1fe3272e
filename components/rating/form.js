const MOST_LABELS = 9;

/** One record for each opening of a sheet; it outlives a remount, so that nothing typed is lost. */
function recordOf(data) {
  globalThis.plumblineRatings ??= new Map();
  const kept = globalThis.plumblineRatings.get(data.visit);
  if (kept) return kept;
  const earlier = [...globalThis.plumblineRatings.values()];
  for (const each of earlier) if (each.data.sheet !== data.sheet && isOver(each)) forgetEntered(each.data);
  const before = earlier.find((each) => each.data.sheet === data.sheet) ?? enteredBefore(data);
  const m = { data, before, last: data.known.at(-1), states: clone(data.states), undo: clone(data.undo), log: [], seq: data.seq, unsent: {}, complaints: {}, advice: data.advice, problem: "", locked: "", active: 0, typing: null, heard: -1, hits: [] };
  m.byId = new Map(data.units.map((unit) => [unit.id, unit]));
  m.chosen = data.units.find((unit) => !isAnswered(m, unit))?.id ?? data.units[0]?.id;
  globalThis.plumblineRatings.clear();
  globalThis.plumblineRatings.set(data.visit, m);
  return m;
}

function isAnswered(m, unit) { return unit.criteria.every((key) => { const said = told(m, unit.id, key); return said.value !== null || said.skipped || !m.data.criteria[key].required; }) && unit.criteria.some((key) => { const said = told(m, unit.id, key); return said.value !== null || said.skipped; }); }

function lookOf(m, unit) {
  const key = unit.criteria[0], said = told(m, unit.id, key);
  const label = m.data.criteria[key].labels.find((each) => each.value === said.value);
  return label ?? (said.skipped ? { glyph: "○", color: "gray", title: "Not judged", underline: "none" } : null);
}

/** Everything that is seen, from the record. */
function painters(m) {
  const { root } = m;
  const one = (selector) => root.querySelector(selector);
  m.speak = (words) => { one(".spoken").textContent = words; };
  m.paintStatus = () => {
    const waiting = m.log.length || m.typing;
    const done = m.data.units.filter((unit) => isAnswered(m, unit)).length;
    const saved = m.problem ? m.problem : m.locked === "sign" ? "Signing…" : waiting ? "Saving…" : m.undo.length ? "Draft saved" : m.data.signed ? "Signed; a change is a correction" : "";
    one(".status").textContent = [`${done} of ${m.data.units.length} answered`, saved, m.news].filter(Boolean).join(" · ");
    one(".status").classList.toggle("problem", Boolean(m.problem));
    one(".undo").disabled = !m.undo.length;
    one(".sign").disabled = Boolean(m.locked);
    root.querySelector(".rating").setAttribute("aria-busy", String(Boolean(waiting)));
    if (!m.before) keepEntered(m);
  };
  m.paintTexts = () => {
    for (const unit of m.data.units) {
      const look = lookOf(m, unit), on = unit.id === m.chosen;
      for (const [nth, node] of (m.nodes.get(unit.id) ?? []).entries()) {
        node.dataset.color = look?.color ?? "";
        node.dataset.underline = look?.underline ?? "";
        node.classList.toggle("chosen", on);
        node.classList.toggle("complained", Boolean(m.complaints[unit.id]));
        if (nth) continue;
        node.setAttribute("aria-selected", String(on));
        node.tabIndex = on ? 0 : -1;
        node.querySelector(".glyph").textContent = look?.glyph ?? "·";
      }
    }
    one(".dots").replaceChildren(...(m.data.units.length > 1 ? m.data.units.map((unit) => make("span", { "data-color": lookOf(m, unit)?.color ?? "", class: `dot${lookOf(m, unit) ? " done" : ""}${unit.id === m.chosen ? " here" : ""}` })) : []));
    if (m.drawnFor !== m.byId.get(m.chosen)?.field) one(".sources").replaceChildren(...drawSources(m));
    paintQuotes(m);
    m.paintStatus();
  };
  m.paint = () => {
    const focus = root.getRootNode().activeElement?.dataset?.focus;
    one(".card").replaceChildren(...drawCard(m));
    if (focus) one(`[data-focus="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    m.paintTexts();
  };
  m.focusUnit = () => { (m.nodes.get(m.chosen)?.[0] ?? one(".reviewed")).focus({ preventScroll: true }); };
  m.help = () => one(".help").showModal();
  m.field = (key) => one(`.criterion.active [data-key="${key}"]`)?.focus() ?? one(`[data-key="${key}"]`)?.focus();
}

/** Everything a person can do with the answers. */
function deeds(m) {
  const here = () => { const unit = m.byId.get(m.chosen); return unit ? [unit, m.data.criteria[unit.criteria[m.active] ?? unit.criteria[0]]] : []; };
  m.choose = (id) => {
    if (!m.byId.has(id)) return;
    settle(m);
    if (id !== m.chosen) { m.active = 0; m.root.querySelector(".card").scrollTop = 0; }
    m.chosen = id;
    m.paint();
    m.focusUnit();
    m.nodes.get(id)?.[0]?.scrollIntoView({ block: "nearest" });
  };
  m.step = (by) => { const at = m.data.units.findIndex((unit) => unit.id === m.chosen) + by; if (m.data.units[at]) m.choose(m.data.units[at].id); };
  m.turn = (by) => { const [unit] = here(); const next = m.active + by; if (unit?.criteria[next]) { m.active = next; m.paint(); m.root.querySelectorAll(".criterion")[next]?.scrollIntoView({ block: "nearest" }); } };
  m.answer = (id, key, value) => {
    change(m, id, key, (state) => { state.value = value; state.skipped = false; });
    m.speak(m.data.criteria[key].labels.find((label) => label.value === value)?.title ?? "");
  };
  m.skip = (id, key) => { change(m, id, key, (state) => { state.value = null; state.skipped = true; }); m.speak("Not judged"); };
  m.digit = (number) => {
    const [unit, criterion] = here();
    if (!unit || number > MOST_LABELS) return;
    if (number === 0) { if (criterion.may_skip) m.skip(unit.id, criterion.key); return; }
    const label = criterion.labels[number - 1];
    if (label) m.answer(unit.id, criterion.key, label.value);
  };
  m.clear = () => { const [unit, criterion] = here(); if (unit) change(m, unit.id, criterion.key, (state) => { state.value = null; state.skipped = false; }); };
  m.take = () => {
    const unit = m.data.units.find((each) => each.suggests);
    const { suggestion } = m.advice;
    if (!unit || !suggestion?.value) return;
    change(m, unit.id, unit.criteria[0], (state) => {
      state.value = suggestion.value;
      state.checks = suggestion.checks;
      if (!state.comment.trim()) state.comment = suggestion.comment;
    });
    m.choose(unit.id);
  };
  m.guide = () => { settle(m); enqueue(m, { kind: "guide" }); };
  m.sign = () => { if (m.undo.length || m.log.length || m.typing) leave(m, { kind: "sign" }); else m.speak("Nothing has changed since you signed"); };
}

/** Evidence: words or sentences of a source become excerpts of the chosen unit. */
function evidence(m) {
  const asks = () => { const unit = m.byId.get(m.chosen); return unit?.criteria.find((key) => m.data.criteria[key].asks.includes("excerpts")); };
  const add = (quote) => {
    const key = asks();
    if (!key) { m.speak("No excerpts are asked for here"); return; }
    const same = (each) => each.field === quote.field && each.start === quote.start && each.end === quote.end;
    const had = told(m, m.chosen, key).excerpts.some(same);
    change(m, m.chosen, key, (state) => { state.excerpts = had ? state.excerpts.filter((each) => !same(each)) : [...state.excerpts, quote]; });
    m.speak(had ? "Excerpt removed" : "Excerpt taken");
  };
  m.takeSelected = () => {
    const found = selectedQuote(m);
    if (!found) { m.speak("Select words in a source first"); return; }
    add(found.quote);
    (m.root.getRootNode().getSelection?.() ?? document.getSelection())?.removeAllRanges();
    m.root.querySelector(".offer").hidden = true;
  };
  m.toSources = () => { const last = m.sentences.find((each) => each.node === m.lastSentence) ?? m.sentences[0]; if (last) m.toSentence(last.node); };
  m.toSentence = (node) => { m.lastSentence = node; node.focus({ preventScroll: true }); node.scrollIntoView({ block: "nearest" }); };
  const quoteOf = ({ source, start, words }) => { const text = words.trim(); const from = start + points(words.slice(0, words.indexOf(text))); return { field: source, text, start: from, end: from + points(text) }; };
  m.takeSentence = (at) => add(quoteOf(m.sentences[at]));
  m.takeMore = (at) => {
    const [one, next] = [m.sentences[at], m.sentences[at + 1]], key = asks();
    if (!next || next.source !== one.source || !key) return;
    const first = quoteOf(one), second = quoteOf(next);
    const range = document.createRange();
    const place = m.sources.get(one.source);
    const known = told(m, m.chosen, key).excerpts.find((each) => each.field === one.source && each.start <= first.start && each.end === first.end) ?? first;
    range.setStart(...spot(place, known.start));
    range.setEnd(...spot(place, second.end));
    const longer = { ...known, end: second.end, text: range.toString() };
    change(m, m.chosen, key, (state) => { state.excerpts = [...state.excerpts.filter((each) => !(each.field === known.field && each.start === known.start)), longer]; });
    m.toSentence(next.node);
  };
  m.offer = () => {
    const button = m.root.querySelector(".offer"), found = asks() ? selectedQuote(m) : null;
    button.hidden = !found;
    if (!found) return;
    const place = found.range.getBoundingClientRect(), outer = m.root.querySelector(".rating").getBoundingClientRect();
    button.style.left = `${Math.max(0, Math.min(place.left - outer.left, outer.width - 170))}px`;
    button.style.top = `${place.bottom - outer.top + 4}px`;
  };
}

function build(m) {
  const { root, data } = m;
  m.nodes = new Map();
  m.drawnFor = undefined;
  const query = root.querySelector(".query");
  query.replaceChildren(...(data.query ? [make("span", { class: "quiet small" }, `${data.asked} `), make("span", { dir: "auto" }, data.query)] : []));
  root.querySelector(".reviewed").replaceChildren(...drawReviewed(m));
  root.querySelector(".reviewed").setAttribute("aria-label", data.reviewed.map((text) => text.title).join(" and "));
  root.querySelector(".panes").classList.toggle("whole", data.units.length === 1);
  drawHelp(root.querySelector(".help"));
  root.querySelector(".undo").onclick = () => undo(m);
  root.querySelector(".keys").onclick = () => m.help();
  root.querySelector(".sign").onclick = () => m.sign();
  root.querySelector(".offer").onclick = () => m.takeSelected();
  for (const kind of ["mouseup", "keyup"]) root.querySelector(".sources").addEventListener(kind, () => setTimeout(m.offer));
}

export default function ({ data, parentElement: root, setStateValue }) {
  if (!root.isConnected) return undefined;  // it left the page before this call was made
  const m = recordOf(data);
  m.send = (log) => setStateValue("log", log);
  m.resend = () => setStateValue("log", [...m.log]);
  if (m.root === root && m.end) return m.end;
  m.root = root;
  painters(m);
  deeds(m);
  evidence(m);
  build(m);
  const onKey = (event) => { const act = keyAction(m, event); if (act) { event.preventDefault(); event.stopPropagation(); act(); } };
  const onSaid = (event) => hear(m, event.detail);
  globalThis.addEventListener("keydown", onKey, true);
  globalThis.addEventListener("plumbline:rating", onSaid);
  const stopBoxes = leaveBoxes(), stopClock = keepTime(m);
  leaveBox(); // one that was chosen from while there was no form
  m.paint();
  if (globalThis.plumblineRatingSaid) hear(m, globalThis.plumblineRatingSaid);
  const { before } = m;
  m.before = null;
  if (before) takeUp(m, before);
  else if (m.log.length) m.resend();
  m.end = takePlace(root, data.visit, () => {
    globalThis.removeEventListener("keydown", onKey, true);
    globalThis.removeEventListener("plumbline:rating", onSaid);
    stopBoxes();
    stopClock();
    clearTimeout(m.again);
    m.root = null;
    m.end = null;
  });
  return m.end;
}
