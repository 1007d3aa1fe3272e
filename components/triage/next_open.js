// Two people may work through one list: "Save and next" passes over what the other has decided meanwhile.

/** Nothing decided stands here, nor is a decision on its way; what cannot all be right is listed only while it is open. */
const isUndecided = (m, data, row) => Boolean(row.points) || !(row.decided || stateOf(m, data, row.key)?.state === "pending");

const isUntouched = (root, m, key) => isEmpty(m.draft(key)) && !root.getRootNode().activeElement?.matches(".decision textarea, .decision input");

/** The next case to decide, on this page or the first one that has any. A list of what is decided is walked as it stands. */
function goNext(m, data) {
  if (!data.onlyOpen) return m.step(1);
  const later = data.cards.slice(data.cards.findIndex((each) => each.key === m.at) + 1);
  const open = later.find((each) => isUndecided(m, data, each));
  if (open) m.go(open.key);
  else if (data.page < data.pages) m.turn(data.page + 1, "open");
  m.landed = { key: m.at, seq: m.seq };
  m.isLast = !open && data.page >= data.pages;
}

/** Where to stand on a page that was turned to for its open cases; undefined where the next page has to tell. */
function firstOpen(m, data) {
  const open = data.cards.find((each) => isUndecided(m, data, each));
  if (!open && data.page >= data.pages) m.news = "No open case follows.";
  if (open || data.page >= data.pages) return (open ?? data.cards[0])?.key;
  return m.turn(data.page + 1, "open");
}

/** The answer to a save may tell that the case after it is decided too: whoever has not begun on it goes on. */
function passDecided(root, m, data) {
  if (!m.landed || data.ack < m.landed.seq) return;
  const row = data.cards.find((each) => each.key === m.at), { key } = m.landed;
  m.landed = null;
  const verdict = key === m.at && row && !row.points && !m.done.includes(key) ? standing(row) : undefined;
  if (!verdict || !isUntouched(root, m, key)) return;
  goNext(m, data);
  m.landed = null;
  m.broughtAt = Date.now();
  const found = m.isLast ? "No open case follows." : "The next open case follows.";
  m.news = `${row.item} · ${row.unit.replace(/ of .*/, "")} was decided meanwhile${verdict.by ? ` by ${verdict.by}` : ""}. ${found}`;
}

/** A label that was pressed while the case changed may have been meant for the one before. */
const isHasty = (m) => Date.now() - (m.broughtAt ?? 0) < 1000;
