// Put before the code of components that take keys: a select box would keep them after a choice.
const isOpen = (box) => box.getAttribute("aria-expanded") === "true";

/** The select box that has the focus; none inside a list of filters or a dialog, where no key is the page's. */
function focusedBox() {
  const here = document.activeElement;
  return here?.matches("input[role=combobox]") && !here.closest("[role=dialog]") ? here : null;
}

/** Leaves a select box that is closed. It is focused once more before: a press on an option has moved
 *  the place from which Tab goes on, and this makes it the box again. */
function leaveBox(box = focusedBox()) {
  if (!box || box !== focusedBox() || isOpen(box)) return;
  box.blur();
  box.focus({ preventScroll: true });
  box.blur();
}

/** When the list closes after a choice, or on Enter or Esc where it is closed, the next key is the page's. */
function onChoice(event) {
  const box = focusedBox();
  if (!box || (event.type === "keydown" ? !["Enter", "Escape"].includes(event.key) : !event.target.closest?.("[role=option]"))) return;
  if (!isOpen(box)) { leaveBox(box); return; }
  if (event.key === "Escape") return;
  const watch = new MutationObserver(() => { if (!isOpen(box)) { watch.disconnect(); leaveBox(box); } });
  watch.observe(box, { attributeFilter: ["aria-expanded"] });
}

/** Watches the select boxes of the page; answers how to stop. */
function leaveBoxes() {
  for (const kind of ["keydown", "pointerup"]) document.addEventListener(kind, onChoice, true);
  return () => { for (const kind of ["keydown", "pointerup"]) document.removeEventListener(kind, onChoice, true); };
}
