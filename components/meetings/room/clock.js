// Time spent on each point: counted here while the room is looked at, told with what is done next.
const clockWords = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds)), hours = Math.floor(whole / 3600);
  const rest = `${Math.floor(whole / 60) % 60}`.padStart(hours ? 2 : 1, "0") + `:${String(whole % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${rest}` : rest;
};

/** Adds what passed since the last look to the point that was shown; a hidden tab counts nothing. */
function count(m) {
  const now = performance.now();
  if (m.since !== null && m.key && m.runs()) m.spent[m.key] = (m.spent[m.key] ?? 0) + (now - m.since) / 1000;
  m.since = document.hidden ? null : now;
}

/** Takes the seconds of a point to tell them. */
function takeSeconds(m, key) {
  count(m);
  const seconds = Math.round((m.spent[key] ?? 0) * 10) / 10;
  delete m.spent[key];
  return seconds;
}

function secondsOn(m, key) {
  const stored = m.data.agenda.find((each) => each.key === key)?.seconds ?? 0;
  const told = m.log.filter((each) => (each.point ?? each.key) === key).reduce((sum, each) => sum + (each.seconds ?? 0), 0);
  return stored + told + (m.spent[key] ?? 0);
}

function startClock(m, paint) {
  stopClock(m);
  m.since = document.hidden ? null : performance.now();
  m.seen = () => { count(m); paint(); };
  m.ticking = setInterval(m.seen, 1000);
  m.leaving = () => { count(m); m.keep(); };  // a page that is loaded anew goes on from there
  document.addEventListener("visibilitychange", m.seen);
  window.addEventListener("pagehide", m.leaving);
}

function stopClock(m) {
  if (m.ticking) clearInterval(m.ticking);
  document.removeEventListener("visibilitychange", m.seen);
  window.removeEventListener("pagehide", m.leaving);
  m.ticking = 0;
}
