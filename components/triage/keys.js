// Keys and what became of the actions they sent.

/** An id of its own for each action, so that one that is sent twice is stored once. */
const hex = () => [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");

/** What became of the last action on a case: one on its way, or what the server said. */
function stateOf(m, data, key) {
  if (m.log.some((each) => each.key === key && each.seq > data.ack)) return { state: "pending", text: "" };
  return data.results[key];
}

const WITH = /Mac|iP(hone|ad|od)/.test(navigator.platform) ? "⌘+Enter" : "Ctrl+Enter";

/** Lets the button say which key presses it from here: in a field of several lines Enter begins a line. */
function sayKey(place, button) {
  const hint = button.querySelector("kbd");
  const tell = () => { hint.textContent = place.getRootNode().activeElement?.matches?.("textarea") ? WITH : "Enter"; };
  place.addEventListener("focusin", tell);
  place.addEventListener("focusout", () => setTimeout(tell));
}

const SCROLLS = /^(Arrow|Page|Home$|End$| $)/;  // what these keys do where there is more to read

let listener = null;  // one at a time, however often and wherever the component is drawn

/** Calls `m.act` for known keys, but while somebody types; Ctrl+Enter counts as Enter, in a field too, and so
 *  does Enter in a field of one line. Enter on a button or link presses that, unless it is one of `chosen`,
 *  where it would only choose again. Answers how to stop. */
function listen(root, m, known, chosen) {
  document.removeEventListener("keydown", listener, true);
  const hears = listener = (event) => {
    const target = event.composedPath()[0];
    if (document.querySelector('[role="dialog"]') || root.querySelector("dialog[open]")) return;
    const typing = target.closest?.(TYPING), held = event.ctrlKey || event.metaKey;
    // In one line Enter has no other meaning; it ends a word where an input method is at work.
    const oneLine = typing?.matches("input:not([type=search])") && !event.isComposing && !event.altKey && !event.shiftKey;
    const sends = event.key === "Enter" && (held || (oneLine && root.contains(typing)));
    if (event.repeat && (sends || (!typing && /^(Enter|z)$/i.test(event.key)))) {
      // A key that is held down decides once and takes back once, however long it is held.
    } else if (!typing && m.typesAhead?.(event)) {
      // Kept for the reason of the case that is on its way.
    } else if (typing && root.contains(typing)) {
      if (event.key === "Escape") typing.blur();
      else if (sends) { typing.blur(); m.act("Enter"); }
      else return;
    } else if (SCROLLS.test(event.key) && target.closest?.("[data-scrolls]")) {
      return;
    } else {
      if (typing || event.altKey || (held && !sends)) return;
      // A letter counts whatever its case, unless the capital has a meaning of its own, which
      // takes Shift: with Caps Lock alone nobody means to finish a meeting.
      const bare = event.key.length > 1 ? event.key : event.key.toLowerCase();
      const key = event.shiftKey && known.has(event.key) ? event.key : bare;
      if (!known.has(key)) return;
      const own = target.closest?.("button, a, summary");
      if (own && (event.key === " " || (event.key === "Enter" && !own.closest(chosen)))) return;
      if (event.key.startsWith("Arrow") && target !== document.body && !root.contains(target)) return;
      m.act(key);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", hears, true);
  return () => document.removeEventListener("keydown", hears, true);
}
