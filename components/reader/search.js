const MOST_FOUND = 1000;

/** A field that finds words in the sources; matches are painted, the texts stay as they are. */
function drawSearch(body, m) {
  const field = make("input", { type: "search", class: "search", placeholder: "Search sources", "aria-label": "Search within the sources", maxlength: "200" });
  const said = make("span", { class: "quiet small", role: "status" });
  let found = [], at = -1;
  const say = () => { said.textContent = field.value.trim() ? (found.length ? `${at + 1} of ${found.length}${found.length === MOST_FOUND ? "+" : ""}` : m.sources.size ? "none" : "") : ""; };
  const go = (by) => {
    if (!found.length) return;
    at = (at + by + found.length) % found.length;
    paint("plumbline-here", [found[at]]);
    rangeIntoView(found[at], body);
    say();
  };
  field.addEventListener("input", () => {
    found = field.value.trim() ? [...m.sources.values()].flatMap((text) => rangesOf(text, field.value.trim())).slice(0, MOST_FOUND) : [];
    at = -1;
    paint("plumbline-found", found);
    paint("plumbline-here", []);
    go(1);
    say();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { go(event.shiftKey ? -1 : 1); event.preventDefault(); }
    if (event.key === "Escape") { field.value = ""; field.dispatchEvent(new Event("input")); field.blur(); }
  });
  return make("span", { class: "searching" }, said, field);
}

function rangesOf(text, words) {
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
  const spans = [...text.textContent.matchAll(pattern)].slice(0, MOST_FOUND).map((match) => [match.index, match.index + match[0].length]);
  return rangesAt(text, spans);
}

/** Ranges for ascending spans of an element's text. */
function rangesAt(element, spans) {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), ranges = [];
  let node = walk.nextNode(), passed = 0;
  for (const [start, end] of spans) {
    while (node && passed + node.length <= start) { passed += node.length; node = walk.nextNode(); }
    if (!node) break;
    const range = document.createRange();
    range.setStart(node, start - passed);
    while (node && passed + node.length < end) { passed += node.length; node = walk.nextNode(); }
    if (!node) break;
    range.setEnd(node, end - passed);
    ranges.push(range);
  }
  return ranges;
}

function paint(name, ranges) {
  if (!globalThis.CSS?.highlights) return;  // an older browser still scrolls to the place
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

/** A text may be folded away; a place in it is seen once it is unfolded. */
function unfold(node) {
  const folded = (node.closest ? node : node.parentElement).closest("details:not([open])");
  if (folded) { folded.open = true; unfold(folded.parentElement); }
}

function rangeIntoView(range, box) {
  unfold(range.startContainer);
  const outer = box.getBoundingClientRect(), inner = range.getBoundingClientRect();
  if (inner.top < outer.top + 40 || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 3;
}

function intoView(element) {
  unfold(element);
  const box = element.closest(".scroll");
  if (!box) return;
  const outer = box.getBoundingClientRect(), inner = element.getBoundingClientRect();
  if (inner.top < outer.top + 40 || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 3;
}

function flash(elements) {
  for (const element of elements) {
    element.classList.remove("flash");
    void element.offsetWidth;  // begins the animation again
    element.classList.add("flash");
    setTimeout(() => element.classList.remove("flash"), 1200);
  }
}

const FRAMES = 12;

/** How tall parts of a long text are is known once they come into sight: until that is settled, looks again. */
function stayInView(element, isMeant, left = FRAMES) {
  requestAnimationFrame(() => {
    if (!isMeant()) return;
    intoView(element);
    if (left > 1) stayInView(element, isMeant, left - 1);
  });
}
