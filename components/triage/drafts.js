// What is entered and not known to be saved is kept by the tab: a reload, or a look at another page, loses none of it.
const PLACE = "plumbline triage";

const RATER = "plumbline-rater";  // the one name that this browser is known by, wherever it signs

function knownName() {
  try { return localStorage.getItem(RATER) ?? ""; } catch { return ""; }
}

function rememberName(name) {
  try { localStorage.setItem(RATER, name.normalize("NFC").trim().replace(/\s+/g, " ")); } catch { /* then it is asked for again */ }
}

function entered() {
  try { return JSON.parse(sessionStorage.getItem(PLACE)) ?? {}; } catch { return {}; }
}

function keepEntered(m) {
  const begun = [...m.drafts].filter(([, each]) => each.value || each.reason).map(([key, each]) => [key, { ...each, armed: false }]);
  try { sessionStorage.setItem(PLACE, JSON.stringify({ drafts: begun, who: m.who, at: m.at, log: m.log, presses: m.presses })); } catch { /* a full or closed store only costs what a reload would lose */ }
}
