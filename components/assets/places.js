// Put before the code of components that take keys. Streamlit ends a call of them also when newer data overtook it, and the
// newer call may be made by then: over is only what has left the page. It may be drawn anew at once, in another place, and
// takes longer for that than it takes to press a key: what is pressed until then is kept for it.
const TYPING = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range])";
const RETURNS = 2000;  // milliseconds in which it may come back
const KEPT = /^(.|Enter|Escape|Backspace|Arrow\w+|Page\w+)$/u;

let place = null;  // where the component is drawn, and whose it is
let gone = null;  // the place that it has left, and what was pressed since
let field = null;  // where somebody types, as the last key or press left it

function focused(within = document) {
  const here = within.activeElement;
  return here?.shadowRoot ? focused(here.shadowRoot) ?? here : here;
}

// Asked after the key or press has done its work; where the field went away with the place it stands.
function noteField() {
  if (place?.root.isConnected) setTimeout(() => { if (place?.root.isConnected) field = focused()?.closest(TYPING) ?? null; });
}
for (const kind of ["keydown", "pointerup", "focusin"]) globalThis.addEventListener(kind, noteField, true);

function forgetPlace() {
  globalThis.removeEventListener("keydown", keepKey, true);
  clearTimeout(gone?.timer);
  gone = null;
}

/** Keeps a key for the component that is on its way; none that another part of the page has a use for. */
function keepKey(event) {
  if (location.pathname !== gone.path) { forgetPlace(); return; }
  const target = event.composedPath()[0], sends = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (event.altKey || ((event.ctrlKey || event.metaKey) && !sends) || event.isComposing || !KEPT.test(event.key)) return;
  if (document.querySelector('[role="dialog"], dialog[open]') || target.closest?.(TYPING)) return;
  if (target !== document.body && !/^\S$/u.test(event.key)) return;  // Enter, a blank or an arrow is for what has the focus
  gone.keys.push(event);  // and goes on: what stands there now may have a use for it, as buttons with a shortcut do
}

/** Whoever typed into it, or had a sheet of it open, means none of the next keys for what is drawn anew. */
function leavePlace() {
  const { root, whose, path } = place, busy = (field && !field.isConnected) || root.querySelector("dialog[open]");
  place = field = null;
  forgetPlace();
  if (location.pathname !== path) return;
  gone = { root, whose, path, keys: [], timer: setTimeout(forgetPlace, RETURNS) };
  if (!busy) globalThis.addEventListener("keydown", keepKey, true);
}

/** The root that the same component has left a moment ago, on this page of the app. */
const leftRoot = (whose) => (gone?.whose === whose && gone.path === location.pathname ? gone.root : undefined);

/** Types what the browser would have typed; answers false for a key that means something else. */
function typeInto(at, { key, ctrlKey, metaKey }) {
  const words = key === "Enter" && at.matches("textarea") ? "\n" : key;
  if (ctrlKey || metaKey || !at.setRangeText || (words.length > 1 && key !== "Backspace")) return false;
  const { selectionStart: from, selectionEnd: to } = at;
  if (key === "Backspace") at.setRangeText("", from === to ? Math.max(0, from - 1) : from, to, "end");
  else at.setRangeText(words, from, to, "end");
  at.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

function press(root, { key, code, shiftKey, ctrlKey, metaKey, repeat }) {
  const held = { key, code, shiftKey, ctrlKey, metaKey, repeat };
  const at = focused(), own = at?.matches(TYPING) && root.contains(at);
  if (own && typeInto(at, held)) return;
  (own ? at : document.body).dispatchEvent(new KeyboardEvent("keydown", { ...held, bubbles: true, composed: true, cancelable: true }));
}

/** The last step of a call: the component is drawn in `root` and takes keys. Presses once what was kept for it, and answers
 *  what Streamlit is to call at the end; `whose` tells it from the same component about something else. */
function takePlace(root, whose, stop) {
  const keys = leftRoot(whose) ? gone.keys.filter((each) => !each.defaultPrevented) : [];
  forgetPlace();
  place = { root, whose, path: location.pathname };
  for (const held of keys) press(root, held);
  return () => {
    if (root.isConnected) return;
    stop();
    if (place?.root === root) leavePlace();
  };
}
