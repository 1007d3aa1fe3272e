// What is entered in the room and not stored yet: kept by the tab, and by the browser when a tab is gone.
const where = (data) => `plumbline room ${data.meeting}`;
const whereDrafts = (data) => `${where(data)} drafts`;

/** What this tab had entered and not seen stored before it was loaded anew or came back. */
function kept(data) {
  try { return JSON.parse(sessionStorage.getItem(where(data))) ?? {}; } catch { return {}; }
}

/** What the tabs of this browser had entered and not seen stored: for a new tab, or after a crash. */
function keptDrafts(data) {
  try { return JSON.parse(localStorage.getItem(whereDrafts(data))) ?? {}; } catch { return {}; }
}

/** What would be lost with this tab: drafts, and what is on its way until the server has said that it is stored. */
function unsaved(m) {
  const sent = m.log.filter((each) => each.kind === "decide" && m.sent[each.key]).map((each) => [each.key, { ...m.sent[each.key], armed: false }]);
  const begun = Object.entries(m.drafts).filter(([, each]) => each.value || each.reason || each.wording).map(([key, each]) => [key, { ...each, armed: false }]);
  return Object.fromEntries([...sent, ...begun]);
}

/** Writes what changed since this tab read or wrote it last (`m.shared`), so that a tab that only looks
 *  on neither removes what another one entered nor brings back what it has stored meanwhile. */
function keepDrafts(m) {
  const drafts = keptDrafts(m.data), own = unsaved(m);
  for (const key of Object.keys(m.shared)) {
    if (own[key]) continue;
    if (JSON.stringify(drafts[key]) === m.shared[key]) delete drafts[key];
    delete m.shared[key];
  }
  for (const [key, each] of Object.entries(own)) {
    const words = JSON.stringify(each);
    if (words !== m.shared[key]) { drafts[key] = each; m.shared[key] = words; }
  }
  try {
    if (Object.keys(drafts).length) localStorage.setItem(whereDrafts(m.data), JSON.stringify(drafts));
    else localStorage.removeItem(whereDrafts(m.data));
  } catch { /* a full or closed store only costs what the end of the tab would lose */ }
}

/** Takes over what a tab left behind that is gone. */
function takeOver(m, data) {
  m.drafts = keptDrafts(data);
  m.shared = Object.fromEntries(Object.entries(m.drafts).map(([key, each]) => [key, JSON.stringify(each)]));
  m.found = Object.fromEntries(Object.keys(m.drafts).map((key) => [key, true]));
}

/** What a tab sent before it was gone may be stored without its knowing: then it is no draft. */
function dropStored(m) {
  for (const card of m.data.cards.filter((each) => m.found[each.key])) {
    delete m.found[card.key];
    const draft = m.drafts[card.key], title = card.labels.find((each) => each.value === draft?.value)?.title;
    if (draft && card.decisions.some((each) => each.current && each.look?.title === title && each.reason === draft.reason.trim())) delete m.drafts[card.key];
  }
}
