const DRAW = {
  // The page has the first level to itself.
  heading: (block) => make(`h${Math.min(block.level + 1, 6)}`, { dir: "auto" }, block.text),
  words: (block) => make("p", { dir: "auto" }, block.lead ? make("b", {}, block.lead) : null, block.lead ? " " : null, block.text),
  quote: (block) => make("blockquote", { dir: "auto" }, block.text),
  points: (block) => make("ul", {}, ...block.texts.map((each) => make("li", { dir: "auto" }, each))),
  table: (block) => make("table", {},
    make("thead", {}, make("tr", {}, ...block.header.map((each) => make("th", { scope: "col" }, each)))),
    make("tbody", {}, ...block.rows.map((row) => make("tr", {}, ...row.map((each, at) => make("td", { dir: "auto", "data-title": block.header[at] }, each)))))),
};

/** Draws a document; its texts are put in as text. */
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root");
  root.replaceChildren(make("article", { "aria-label": data.label }, ...data.blocks.map((block) => DRAW[block.kind](block))));
}
