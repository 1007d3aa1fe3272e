// All texts of a card's item, to search, and what a program noticed; they come once they are opened.
const SHORT = 600;  // characters of a text that stands open
const LONG = 100_000;  // characters from which parts of a text out of sight are not laid out
const BLOCK = 4_000;

const figures = (number) => number.toLocaleString("en");

const placesIn = new WeakMap();  // by the folded part of a card: its texts, and what is marked in them

/** The folded part of a card; `showTexts` fills it. Texts that came with the card stand open. The search
 *  field is there at once, so that what is typed is no key of the card's. */
function drawTexts({ key, texts }) {
  const places = { data: {}, marks: new Map(), noticed: new Map(), sources: new Map() };
  const list = make("div", { class: "texts-list scroll", tabindex: "0", role: "region", "aria-label": "All texts of the item", "data-scrolls": "true" }, make("p", { class: "quiet small" }, "Loading…"));
  const many = `${figures(texts.count)} ${texts.count === 1 ? "text" : "texts"}, ${figures(texts.characters)} characters`;
  const box = make("details", { class: "texts", "data-key": key },
    make("summary", {}, "All sources and automatic findings ", make("span", { class: "quiet small" }, many), " ", make("kbd", {}, "/")),
    make("div", { class: "texts-body" }, make("div", { class: "texts-head" }, make("h4", {}, "Sources"), drawSearch(list, places)), list, make("div", { class: "texts-found" })));
  placesIn.set(box, places);
  if (texts.sent) fillTexts(box, texts.sent);
  return box;
}

/** Fills the folded part of the card that was just drawn, now or as soon as its texts are there. */
function showTexts(root, m) {
  const box = root.querySelector(".case details.texts");
  if (!box) return;
  const { key, filled } = box.dataset;
  m.unfolded ??= new Map();
  let isOpen = m.unfolded.get(key) ?? Boolean(filled);
  box.open = isOpen;
  box.addEventListener("toggle", () => {
    if (box.open === isOpen) return;  // it stands as it was drawn
    m.unfolded.set(key, isOpen = box.open);
    if (isOpen) needTexts(m, box);
  });
  if (isOpen) needTexts(m, box);
}

function needTexts(m, box) {
  const { key, filled } = box.dataset;
  if (filled) return;
  if (globalThis.plumblineTexts?.key === key) fillTexts(box, globalThis.plumblineTexts);
  else m.askTexts({ key, at: performance.now() });
}

let textsListener = null;  // one at a time, however often the component is drawn

/** Fills the card's part when texts arrive; answers how to stop. */
function hearTexts(root) {
  globalThis.removeEventListener("plumbline:texts", textsListener);
  const hears = textsListener = ({ detail }) => {
    const box = root.querySelector(".case details.texts");
    if (box?.dataset.key === detail.key && !box.dataset.filled) fillTexts(box, detail);
  };
  globalThis.addEventListener("plumbline:texts", hears);
  return () => globalThis.removeEventListener("plumbline:texts", hears);
}

/** Opens the texts and goes to their search field. */
function searchTexts(root) {
  const box = root.querySelector(".case details.texts");
  if (!box) return;
  box.open = true;
  box.querySelector(".search").focus({ preventScroll: true });
  box.scrollIntoView({ block: "start" });  // room below the field for what is found
}

function fillTexts(box, told) {
  const places = placesIn.get(box), field = box.querySelector(".search");
  places.data = { noticed: told.noticed, cannot: told.cannot, addressed: told.addressed, counting: { near: {} } };
  box.querySelector(".texts-list").replaceChildren(...told.texts.map((text, at) => drawText(text, at, places)));
  const speaks = drawAddressed(places), found = drawNoticed(places, told.unit);
  box.querySelector(".texts-found").replaceChildren(...(speaks.length ? [make("div", { class: "addressed" }, ...speaks)] : []),
    ...(found.length ? found : [make("p", { class: "quiet small" }, "A program noticed nothing here.")]));
  box.dataset.filled = "true";
  if (field.matches(":focus")) box.scrollIntoView({ block: "start" });
  if (field.value) field.dispatchEvent(new Event("input"));
}

/** One text, folded unless it is short; marked is what somebody quotes, what was found, and what is judged. */
function drawText({ title, characters, segments }, at, places) {
  const words = make("div", { class: "source-text", dir: "auto" });
  let block = words, size = 0;
  const begin = () => { block = make("div", { class: "block" }); size = 0; words.append(block); };
  if (characters > LONG) begin();
  for (const [piece, names] of segments) for (const line of characters > LONG ? piece.split(/(?<=\n)/) : [piece]) {
    if (names.length) block.append(drawMarked(line, names, places));
    else put(block, line);
    size += line.length;
    if (characters > LONG && size > BLOCK && line.endsWith("\n")) begin();
  }
  places.sources.set(at, words);
  return make("details", { class: "source", open: characters <= SHORT ? "open" : null }, make("summary", {}, title, make("span", { class: "quiet small" }, ` ${figures(characters)} characters`)), words);
}

function drawMarked(words, names, { marks }) {
  const mark = make("mark", { class: "in-text" }, words);
  for (const name of names) {
    mark.classList.add(name.startsWith("check-") ? "checked" : name);
    marks.set(name, [...(marks.get(name) ?? []), mark]);
  }
  return mark;
}
