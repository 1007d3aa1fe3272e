const KEYS = [
  ["↑ ↓ or k j", "previous or next sentence, claim or match"],
  ["← →", "previous or next item"],
  ["e", "to the evidence; again for the next passage"],
  ["m", "mark for the meeting"],
  ["/", "search within the sources"],
  ["Enter", "on a passage: every sentence that relies on it"],
  ["Esc", "all labels bright again"],
  ["?", "this sheet"],
];

function drawHelp(sheet) {
  const close = make("button", { type: "button", class: "tool" }, "Close");
  close.addEventListener("click", () => sheet.close());
  sheet.replaceChildren(make("h2", {}, "Keys"), make("dl", {}, ...KEYS.flatMap(([key, does]) => [make("dt", {}, key), make("dd", {}, does)])), close);
}

/** What a key means here: nothing while somebody types, or while another part of the page has the focus. */
function keyAction(root, m, event) {
  const target = event.composedPath()[0];  // the real one, also inside shadow roots
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.(TYPING)) return undefined;
  if (document.querySelector('[role="dialog"]') || root.querySelector("dialog[open]")) return undefined;
  if (event.key === "Enter") {
    const mark = target.closest?.("mark"), figure = target.closest?.("[data-figure][role=button]");
    return mark ? () => m.light(mark) : figure ? () => m.point(figure.dataset.figure) : undefined;
  }
  const free = target === document.body || target.closest?.("[role=listbox], .side .pane:not(.sources)") || target.closest?.("mark");
  const arrows = free ? { ArrowDown: () => m.step(1), ArrowUp: () => m.step(-1) } : {};
  return {
    ...arrows, j: () => m.step(1), k: () => m.step(-1), e: () => m.toEvidence(), m: () => m.toggleMark(),
    "?": () => m.help(), "/": () => root.querySelector(".search")?.focus(), Escape: m.show.size || m.relying?.length ? () => m.clear() : undefined,
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
}
