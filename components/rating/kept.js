// What is entered and not known to be stored is kept by the tab, so that it outlives a reload while the server is away.
// The place names store, run, item and rater: nobody else who rates in this browser gets to see it.
const placeOf = (data) => `plumbline rating ${data.store} ${data.sheet}`;

const unstored = (m) => [...m.log.filter((each) => ["set", "undo"].includes(each.kind)).map((each) => each.unit), ...(m.typing ? [m.typing.id] : [])];

function keepEntered(m) {
  const units = new Set(unstored(m)), { visit, store, sheet, signed } = m.data;
  try {
    if (!units.size && m.locked !== "sign") { sessionStorage.removeItem(placeOf(m.data)); return; }
    const states = Object.fromEntries([...units].map((id) => [id, m.states[id]]));
    sessionStorage.setItem(placeOf(m.data), JSON.stringify({ data: { visit, store, sheet, signed }, last: m.data.known.at(-1), log: m.log, typing: m.typing, states, unsent: m.unsent, chosen: m.chosen, locked: m.locked }));
  } catch { /* a full or closed store only costs what a reload would lose */ }
}

/** What an opening of the same sheet in this tab had entered and not seen stored. */
function enteredBefore(data) {
  try { return JSON.parse(sessionStorage.getItem(placeOf(data))); } catch { return null; }
}

/** Who is led on to another sheet was answered, and then nothing is left; who comes there by Back or a link may have left
 *  something that is not stored. What is stored all the same is known by its id when the sheet is opened again. */
const isOver = (m) => !unstored(m).length;

function forgetEntered(data) {
  try { sessionStorage.removeItem(placeOf(data)); } catch { /* then it is not kept either */ }
}
