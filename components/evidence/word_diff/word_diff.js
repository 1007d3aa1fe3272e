/** Draws a text with its changes; long stretches without any are folded and open at a click. */
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root");
  const drawn = data.sections.map((section) => {
    const text = make("div", { class: "text" });
    const last = section.parts.length - 1;
    section.parts.forEach(([kind, words], at) => text.append(...draw(kind, words, at === 0, at === last)));
    if (!section.parts.length) text.append(make("span", { class: "quiet" }, "Empty in both."));
    return make("section", {}, make("h3", {}, section.title), text);
  });
  root.replaceChildren(make("div", { role: "region", "aria-label": data.label }, ...drawn));
}

const LONG = 700;  // characters without a change
const NEAR = 200;  // of them shown beside a change

function draw(kind, words, isFirst, isLast) {
  if (kind === "gone") return [make("del", { title: "only in the older version" }, words)];
  if (kind === "new") return [make("ins", { title: "only in the newer version" }, words)];
  if (isFirst && isLast) return [fold(words)];
  if (words.length <= LONG) return [make("span", {}, words)];
  const from = isFirst ? 0 : edge(words, NEAR);  // the text before the first change ends beside it
  const to = isLast ? words.length : edge(words, words.length - NEAR);
  if (from + NEAR >= to) return [make("span", {}, words)];
  return [make("span", {}, words.slice(0, from)), fold(words.slice(from, to)), make("span", {}, words.slice(to))];
}

/** Behind the line, else the word, that ends soonest after a place: no word is cut by a fold. */
function edge(words, place) {
  const ahead = words.slice(place, place + NEAR);
  const end = [/\n/, /\s/].map((each) => ahead.search(each)).find((each) => each >= 0);
  return end === undefined ? place : place + end + 1;
}

function fold(words) {
  const about = `${words.length.toLocaleString("en")} characters without a change`;
  return make("details", {}, make("summary", {}, about), make("span", {}, words));
}
