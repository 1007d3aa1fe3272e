const STATE_WORDS = { open: "open", decided: "decided", deferred: "deferred", pending: "being saved", conflict: "not saved, decided by somebody else", failed: "not saved" };
const MOST_SEGMENTS = 40;

/** What is known of a point here: on its way, refused, or as the store has it. */
function pointState(m, key) {
  const now = stateOf(m, m.data, key);
  if (now && (now.state === "pending" || (["conflict", "failed"].includes(now.state) && m.dropped[key] !== now.seq))) return now.state;
  return m.data.agenda.find((each) => each.key === key)?.state ?? "open";
}

function act(m, words, key, does, name) {
  const made = make("button", { type: "button", class: `plain act ${name}`, "data-act": name }, ...keyed(words, key));
  made.addEventListener("click", does);
  return made;
}

function drawStrip(m) {
  if (m.data.agenda.length > MOST_SEGMENTS) return null;
  return make("ol", { class: "strip", "aria-label": "Agenda" }, ...m.data.agenda.map((each, at) => {
    const state = pointState(m, each.key);
    const made = make("button", { type: "button", "data-state": state, "aria-current": each.key === m.key ? "true" : "false", "aria-label": `Point ${at + 1}, ${STATE_WORDS[state]}`, title: `Point ${at + 1}, ${STATE_WORDS[state]}` }, { decided: "✓", deferred: "…", conflict: "!", failed: "!" }[state] ?? String(at + 1));
    made.addEventListener("click", () => m.go(each.key));
    return make("li", {}, made);
  }));
}

function drawBar(root, m) {
  const at = m.data.agenda.findIndex((each) => each.key === m.key) + 1, of = m.data.agenda.length;
  const states = m.data.agenda.map((each) => pointState(m, each.key));
  const done = ["decided", "deferred"].map((state) => [states.filter((each) => each === state).length, state]).filter(([many]) => many);
  const here = m.here();
  const people = act(m, here.length === 1 ? "1 present" : `${here.length} present`, "p", () => m.people(), "people");
  people.title = here.join(", ");
  root.querySelector(".head").replaceChildren(
    make("div", { class: "what" }, make("strong", { class: "title" }, m.data.title),
      make("span", { class: "place", role: "status" }, `Point ${at} of ${of}`), make("span", { class: "quiet small counts" }, done.map(([many, state]) => `${many} ${state}`).join(", "))),
    drawStrip(m),
    make("div", { class: "tools" }, make("span", { class: "clock", role: "timer", "aria-label": "Time on this point" }), people,
      act(m, "Keys", "?", () => m.help(), "help"), act(m, "Full screen", "f", () => m.wide(), "wide"),
      act(m, "Leave", "v", () => m.leave("meetings"), "leave"), act(m, "Finish", "F", () => m.finish(), "finish")));
  paintClock(root, m);
}

function paintClock(root, m) {
  const place = root.querySelector(".clock");
  if (!place) return;
  place.textContent = clockWords(secondsOn(m, m.key));
  place.dataset.runs = String(m.runs());
}

/** Whatever was not saved elsewhere than on the card that is shown. */
function drawTrouble(root, m) {
  const place = root.querySelector(".trouble");
  const lost = m.data.agenda.findIndex((each) => each.key !== m.key && ["conflict", "failed"].includes(pointState(m, each.key)));
  const general = stateOf(m, m.data, "");
  const waits = m.log.length && performance.now() - m.sentAt > 8000;
  place.hidden = true;
  if (waits) place.replaceChildren("Not saved yet: the server has not answered for a while. What you pressed is kept here and is sent again; keep this tab open.");
  else if (general?.state === "failed" && m.dropped[""] !== general.seq) place.replaceChildren(make("span", {}, general.text));
  else if (lost >= 0) {
    const go = make("button", { type: "button", class: "plain" }, ...keyed("Go there", "x"));
    go.addEventListener("click", () => m.toTrouble());
    place.replaceChildren(make("span", {}, `Point ${lost + 1} is not saved. What was entered is still there. `), go);
  } else return;
  place.hidden = false;
}
