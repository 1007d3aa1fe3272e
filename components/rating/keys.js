const KEYS = [
  ["j k or ↓ ↑", "next or previous sentence, claim or step"],
  ["1 2 3 …", "choose a label or score"],
  ["0", "not judged, where the protocol has it"],
  ["← →", "the other question, where there are two"],
  ["x", "take the answer back"],
  ["e", "into the sources: ↓ ↑ to a sentence, ↵ to take it or give it back, Shift ↓ to take the next one with it, Esc back"],
  ["q", "use the selected words as an excerpt"],
  ["/", "find in the sources; ↵ goes to the sentence"],
  ["w o l", "reason, comment, evidence links; Esc leaves the field"],
  ["t", "take what the rules suggest"],
  ["z", "undo, until you sign"],
  ["g", "guidance"],
  ["n p", "next or previous item"],
  ["Ctrl ↵", "sign"],
  ["?", "this sheet"],
];

function drawHelp(sheet) {
  const close = make("button", { type: "button", class: "tool" }, "Close");
  close.addEventListener("click", () => sheet.close());
  sheet.replaceChildren(make("h2", {}, "Keys"), make("dl", {}, ...KEYS.flatMap(([key, does]) => [make("dt", {}, key), make("dd", {}, does)])), close);
}

/** The key whatever its case: with Shift or Caps Lock it means the same. */
const letter = (event) => (event.key.length === 1 ? event.key.toLowerCase() : event.key);

/** Keys inside the sources move from sentence to sentence. */
function sentenceAction(m, event, node) {
  const at = m.sentences.findIndex((each) => each.node === node);
  const go = (by) => () => m.toSentence(m.sentences[Math.max(0, Math.min(m.sentences.length - 1, at + by))].node);
  if (event.key === "ArrowDown" && event.shiftKey) return () => m.takeMore(at);
  return { ArrowDown: go(1), j: go(1), ArrowUp: go(-1), k: go(-1), Enter: () => m.takeSentence(at), " ": () => m.takeSentence(at), Escape: () => m.focusUnit() }[letter(event)];
}

/** What a key means here: nothing while somebody types or a dialog is open. */
function keyAction(m, event) {
  const target = event.composedPath()[0];
  if (document.querySelector('[role="dialog"]') || m.root.querySelector("dialog[open]")) return undefined;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return () => m.sign();
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.(TYPING)) return undefined;
  const sentence = target.closest?.(".sentence");
  const inside = sentence && sentenceAction(m, event, sentence);
  if (inside) return inside;
  const control = target.closest?.("button, input, a, summary, [role=button], [role=radio], [role=combobox]");
  if (control && (event.key === "Enter" || event.key === " ")) return undefined;
  if (/^[0-9]$/.test(event.key)) return () => m.digit(Number(event.key));
  const foreign = !m.root.contains(target) && target !== document.body;
  const arrows = foreign && control ? {} : { ArrowDown: () => m.step(1), ArrowUp: () => m.step(-1), ArrowLeft: () => m.turn(-1), ArrowRight: () => m.turn(1) };
  return {
    ...arrows, j: () => m.step(1), k: () => m.step(-1), x: () => m.clear(), e: () => m.toSources(), q: () => m.takeSelected(),
    "/": () => m.root.querySelector(".search")?.focus(), w: () => m.field("w"), o: () => m.field("o"), l: () => m.field("l"),
    t: () => m.take(), g: () => m.guide(), z: () => undo(m), n: () => leave(m, { kind: "go", by: 1 }), p: () => leave(m, { kind: "go", by: -1 }), "?": () => m.help(),
  }[letter(event)];
}
