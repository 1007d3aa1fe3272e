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
  if (words.length <= LONG || (isFirst && isLast)) return [make("span", {}, words)];
  const from = isFirst ? 0 : NEAR;
  const to = isLast ? words.length : words.length - NEAR;
  const middle = words.slice(from, to);
  const fold = make("details", {}, make("summary", {}, `${middle.length.toLocaleString("en")} characters without a change`), make("span", {}, middle));
  return [make("span", {}, words.slice(0, from)), fold, make("span", {}, words.slice(to))];
}
