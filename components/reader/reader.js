const memory = new WeakMap();  // one record per mounted reader
const PAUSE = 150;  // a person who runs through sentences is only reported where they stop

function prepareItem(data) {
  const m = { data, nodes: new Map(), ends: new Map(), marks: new Map(), cuts: new Map(), figures: new Map(), noticed: new Map(), sources: new Map(), quotes: new Map(), coverage: [], order: [], passed: new Map(), characters: 0 };
  for (const text of data.reviewed) for (const unit of text.units) m.order.push({ unit, noun: text.kind, of: text.units.length });
  m.whole = m.order.length > 0 && m.order.every((each) => each.noun === "text");
  for (const [id, said] of Object.entries(data.said)) for (const each of said) for (const quote of each.quotes ?? []) {
    m.quotes.set(quote.id, { unit: id, by: each.by, color: quote.near ? "gray" : each.look.color, near: Boolean(quote.near) });
  }
  return m;
}

function build(root, m) {
  const texts = m.data.reviewed.map((text) => (text.kind === "claim" ? drawClaims(text, m) : drawReviewed(text, m)));

  const sources = m.data.sources.length ? drawSources(m) : null;
  const [first, second] = [root.querySelector(".first"), root.querySelector(".second")];
  const right = sources ? [sources] : texts.slice(1);
  first.replaceChildren(...(sources ? texts : texts.slice(0, 1)));
  second.replaceChildren(...right);
  const panes = root.querySelector(".panes");
  panes.classList.toggle("alone", !right.length);
  panes.classList.toggle("cards", m.data.sources.some((source) => source.kind === "product"));
  if (!sources && texts.length > 1) {
    const swap = make("button", { type: "button", class: "tool" }, "⇄ Swap sides");
    swap.addEventListener("click", () => { panes.insertBefore(panes.children[1], panes.children[0]); swap.focus(); });
    texts[0].querySelector("header").append(swap);
  }
  if (!right.length) texts[0]?.querySelector("header").append(make("span", { class: "quiet small" }, "No source text came with this item"));
  signChecked(m);
  const addressed = root.querySelector(".addressed");
  addressed.replaceChildren(...drawAddressed(m));
  addressed.hidden = !m.data.addressed.length;
  drawHelp(root.querySelector(".help"));
  requestAnimationFrame(() => drawRail(root, m));
}

function drawAround(root, m) {
  const query = root.querySelector(".query"), long = m.data.query.length > LONG_QUERY || m.data.query.trim().includes("\n");
  const unfolded = query.querySelector("details")?.open;
  query.replaceChildren(...drawQuery(m.data));
  if (unfolded) query.querySelector("details").open = true;
  query.classList.toggle("long", long);
  if (long) query.tabIndex = 0;
  else query.removeAttribute("tabindex");
  root.querySelector(".legend").replaceChildren(...drawLegend(m, m.toggle));
  root.querySelector(".authors").replaceChildren(...drawAuthors(m, m.by));
  root.querySelector(".bar").replaceChildren(...drawBar(m));
}

/** What a person can do; each changes the page here and tells Python only the outcome. */
function wire(root, m, setStateValue) {
  const detail = root.querySelector(".detail");
  let later;
  const tell = (action) => setStateValue("action", { action, unit: m.chosen, by: m.view.by, show: [...m.show], ask: m.asked ?? "" });
  const paintAll = () => { recolour(m); drawAround(root, m); };
  m.redraw = () => { detail.replaceChildren(...drawDetail(m, m.chosen)); };
  m.toggle = (key) => { if (!m.show.delete(key)) m.show.add(key); paintAll(); root.querySelector(`.chip[aria-pressed="true"]`)?.focus(); tell("filter"); };
  m.by = (by) => { m.view = m.data.views.find((view) => view.by === by) ?? m.view; paintAll(); root.querySelector('.author[aria-checked="true"]')?.focus(); tell("author"); };
  m.clear = () => { const had = m.show.size; m.show.clear(); rely(m, []); paintAll(); m.redraw(); if (had) tell("filter"); };
  m.help = () => root.querySelector(".help").showModal();
  m.toggleMark = () => {
    if (!may(m, "meeting mark")) { root.querySelector(".spoken").textContent = OFF; return; }
    if (!m.marked.delete(m.chosen)) m.marked.add(m.chosen);
    m.presses = pressed(m.presses, m.chosen, m.marked.has(m.chosen));
    recolour(m);
    m.redraw();
    root.querySelector(".spoken").textContent = m.marked.has(m.chosen) ? "Marked for the meeting" : "Mark removed";
    setStateValue("marks", m.presses);
  };
  m.choose = (id, byPerson) => {
    if (!m.order.some((each) => each.unit.id === id)) return;
    chooseUnit(root, m, id, byPerson);
    if (byPerson) { clearTimeout(later); later = setTimeout(() => setStateValue("unit", id), PAUSE); }
  };
  m.step = (by) => {
    const at = m.order.findIndex(({ unit }) => unit.id === m.chosen);
    for (let next = at + by; next >= 0 && next < m.order.length; next += by) {
      if (matches(m, m.order[next].unit.id)) { rely(m, []); m.choose(m.order[next].unit.id, true); return; }
    }
  };
  m.point = (quote) => { const marks = m.marks.get(quote) ?? []; flash(marks); if (marks[0]) { intoView(marks[0]); marks[0].scrollIntoView({ block: "nearest" }); } };
  m.toEvidence = () => {
    const marks = [...root.querySelectorAll("mark.on")];
    const at = marks.indexOf(root.getRootNode().activeElement ?? null);
    const next = marks[(at + 1) % marks.length];
    if (next) { intoView(next); next.focus({ preventScroll: true }); flash([next]); }
  };
  m.light = (mark) => {
    const names = mark.dataset.quotes.split(" ");
    const quoted = names.filter((name) => m.quotes.has(name)).map((name) => m.quotes.get(name).unit);
    const units = quoted.length ? quoted : noticedAt(m, names);
    const figures = names.filter((name) => m.figures.has(name)).map((name) => m.figures.get(name));
    if (figures.length) { flash(figures); intoView(figures[0]); }
    if (!units.length) return;
    const sorted = m.order.map(({ unit }) => unit.id).filter((id) => units.includes(id));
    rely(m, quoted.length ? sorted : []);
    m.choose(sorted.includes(m.chosen) ? m.chosen : sorted[0], true);
    flash([mark]);
  };
  m.showWords = (source, words) => {
    const text = m.sources.get(source), at = text?.textContent.indexOf(words) ?? -1;
    if (at < 0) return;
    const [range] = rangesAt(text, [[at, at + words.length]]);
    paint("plumbline-here", [range]);
    rangeIntoView(range, text.closest(".scroll"));
  };
  offerCandidates(root, m, () => tell("candidates"));
  m.endCounting = wireCounting(m, (ticks) => setStateValue("ticks", ticks));
}

/** Rings every unit that relies on a passage. */
function rely(m, ids) {
  for (const id of m.relying ?? []) for (const node of m.nodes.get(id) ?? []) node.classList.remove("relies");
  m.relying = ids;
  for (const id of ids) for (const node of m.nodes.get(id) ?? []) node.classList.add("relies");
}

function chooseUnit(root, m, id, byPerson) {
  for (const [which, on] of [[m.chosen, false], [id, true]]) for (const node of m.nodes.get(which) ?? []) {
    if (node.hasAttribute("role")) { node.setAttribute("aria-selected", on); node.tabIndex = on ? 0 : -1; }
    node.classList.toggle("chosen", on);
  }
  for (const name of m.lit ?? []) { colourTick(m, name, m.quotes.get(name).color, false); for (const mark of m.marks.get(name) ?? []) mark.classList.remove("on"); }
  m.chosen = id;
  const said = m.data.said[id] ?? [];
  const quotes = said.flatMap((each) => (each.quotes ?? []).map((quote) => ({ ...quote, color: m.quotes.get(quote.id).color, mine: each.by === m.view.by })));
  m.lit = quotes.map((quote) => quote.id);
  // The colour of the author whose labels are shown wins, a passage that is only near loses.
  for (const quote of [...quotes].sort((a, b) => weight(a) - weight(b))) {
    for (const mark of m.marks.get(quote.id) ?? []) { mark.classList.add("on"); mark.dataset.color = quote.color; }
  }
  // Where authors quote the same words, the ticks of all of them take the colour that won.
  for (const name of m.lit) colourTick(m, name, m.marks.get(name)?.[0].dataset.color, true);
  const noticed = lightNoticed(m, id);
  root.querySelector(".detail").replaceChildren(...drawDetail(m, id));
  root.querySelector(".detail").scrollTop = 0;
  const node = m.nodes.get(id)?.[0];
  if (node) intoView(node);
  if (node?.closest(".long")) stayInView(node, () => m.chosen === id);
  const best = quotes.find((quote) => quote.mine && m.marks.has(quote.id)) ?? quotes.find((quote) => m.marks.has(quote.id));
  if (best) { intoView(m.marks.get(best.id)[0]); if (byPerson) flash(m.marks.get(best.id)); }
  else if (noticed) intoView(noticed);
  paintClashes(m, said);
  const tall = root.querySelector(".detail").offsetHeight;
  if (tall > (m.kept ?? 0)) { m.kept = tall; root.querySelector(".detail").style.setProperty("--kept", `${tall}px`); }
  if (byPerson && node) node.focus({ preventScroll: true });
}

function colourTick(m, name, color, on) {
  const tick = m.ticks?.get(name);
  if (tick) { tick.classList.toggle("on", on); tick.dataset.color = color; }
}

function weight(quote) { return (quote.near ? 0 : 2) + (quote.mine ? 1 : 0); }

function clicked(root, m, event) {
  const mark = event.target.closest("mark"), figure = event.target.closest("[data-figure]");
  if (mark) { m.light(mark); return; }
  if (figure) { m.point(figure.dataset.figure); if (m.whole) return; }
  const tick = event.target.closest(".tick"), nested = event.target.closest("[data-units]"), node = event.target.closest("[data-unit]");
  if (tick) { m.point(tick.dataset.quote); m.light(m.marks.get(tick.dataset.quote)[0]); return; }
  const ids = nested ? nested.dataset.units.split(" ") : node ? [node.dataset.unit] : [];
  if (!ids.length) return;
  rely(m, []);
  // Where units lie inside each other, another click goes on to the next one out.
  m.choose(ids[(ids.indexOf(m.chosen) + 1) % ids.length], true);
}

/** Draws one item; choosing a unit happens here, Python only learns which. */
export default function ({ data, parentElement: root, setStateValue }) {
  if (!root.isConnected) return undefined;  // it left the page before this call was made
  let m = memory.get(root);
  const drawn = JSON.stringify([data.item, data.protocol, data.said, data.start]);
  if (m?.drawn !== drawn) {
    const presses = m?.data.item === data.item ? unstored(m.presses, data.lastMark) : [];
    if (m) m.stop();
    const ticked = m?.data.item === data.item ? unstored(m.ticked, data.start.counts.last) : [];
    m = Object.assign(prepareItem(data), { drawn, presses, ticked, counts: data.start.counts.counts ?? {}, countings: [], show: new Set(data.start.show), marked: new Set(data.start.marked) });
    for (const { unit, on } of presses) { if (on) m.marked.add(unit); else m.marked.delete(unit); }
    m.view = data.views.find((view) => view.by === data.start.by) ?? data.views[data.views.length - 1];
    memory.set(root, m);
    build(root, m);
    wire(root, m, setStateValue);
    recolour(m);
    drawAround(root, m);
    const known = m.order.some(({ unit }) => unit.id === data.start.unit);
    m.choose(known ? data.start.unit : m.order[0]?.unit.id, false);
    const onKey = (event) => { const act = keyAction(root, m, event); if (act) { act(); event.preventDefault(); event.stopPropagation(); } };
    const onFound = (event) => { if (event.detail.item === m.data.item && event.detail.words === m.asked) root.querySelector(".detail").replaceChildren(...drawCandidates(m, event.detail)); };
    const watch = new ResizeObserver(() => drawRail(root, m));
    watch.observe(root.querySelector(".panes"));
    document.addEventListener("keydown", onKey, true);
    const stopBoxes = leaveBoxes();
    globalThis.addEventListener("plumbline:candidates", onFound);
    m.stop = () => { m.endCounting(); stopBoxes(); document.removeEventListener("keydown", onKey, true); globalThis.removeEventListener("plumbline:candidates", onFound); watch.disconnect(); for (const name of ["found", "here", "clash"]) paint(`plumbline-${name}`, []); };
    root.querySelector(".panes").onclick = (event) => clicked(root, m, event);
    root.querySelector(".panes").onmouseover = (event) => hover(m, event.target.closest("[data-unit]")?.dataset.unit);
  }
  return takePlace(root, data.item, () => { memory.get(root)?.stop(); memory.delete(root); });
}

function hover(m, id) {
  if (id === m.hovered) return;
  const each = (unit, act) => { for (const said of m.data.said[unit] ?? []) for (const quote of said.quotes ?? []) for (const mark of m.marks.get(quote.id) ?? []) act(mark); };
  each(m.hovered, (mark) => mark.classList.remove("hint"));
  m.hovered = id;
  each(id, (mark) => mark.classList.add("hint"));
}
