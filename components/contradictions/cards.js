/** Draws cards; a click on one reports it, the pager reports its page. */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const report = (action, at) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // a new tab follows the address
    event.preventDefault();
    setTriggerValue("clicked", { action, at });
  };
  const button = (words, action, at, off) => {
    const made = make("button", { type: "button", class: "plain" }, words);
    made.disabled = off;
    made.addEventListener("click", report(action, at));
    return made;
  };
  const pager = (name) => data.pages < 2 ? null : make("nav", { class: "pager", "aria-label": name },
    button("Previous", "page", data.page - 1, data.page <= 1),
    make("span", { class: "small" }, `Page ${data.page.toLocaleString("en")} of ${data.pages.toLocaleString("en")}`),
    button("Next", "page", data.page + 1, data.page >= data.pages));
  const head = make("div", { class: "head" },
    make("p", { class: "words", role: "status" }, make("b", {}, data.count.toLocaleString("en")), " ", data.words),
    data.clear ? button("Clear filters", "clear", 0, false) : null, pager("Pages"));
  const list = [];
  let group = null;
  data.cards.forEach((card, at) => {
    if (card.group !== group && data.groups[card.group]) {
      const [title, size] = data.groups[card.group];
      list.push(make("h2", { class: "grouped" }, title, make("span", { class: "size quiet small" }, size.toLocaleString("en"))));
    }
    group = card.group;
    list.push(drawCard(card, report("open", at)));
  });
  root.replaceChildren(head, ...list, ...[pager("Pages, below")].filter(Boolean));
}

function drawQuote(quote) {
  const about = [quote.found, quote.where, quote.by.length ? `quoted by ${listed(quote.by)}` : ""].filter(Boolean);
  const note = make("div", { class: "about small" });
  about.forEach((each, at) => note.append(make("span", { class: at === 0 && quote.missing ? "missing" : "quiet" }, at ? ` · ${each}` : each)));
  const box = make("blockquote", {}, quote.passage.segments.length ? drawPassage(quote.passage, quote.missing) : null, drawOwnWords(quote), note);
  if (quote.clashes.length) box.append(make("ul", { class: "clashes small", "aria-label": "Possible clashes" }, ...quote.clashes.map((each) => make("li", {}, each))));
  return box;
}

const listed = (names) => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

function drawVoice(voice) {
  return make("li", { class: voice.so ? "voice so" : "voice" }, symbol(voice.look),
    make("span", { class: "name" }, voice.name), make("span", { class: "unseen" }, ` (${voice.kind}): ${voice.look.title}`));
}

function drawReasons(voices) {
  const said = voices.filter((each) => each.why || each.sure !== null);
  if (!said.length) return null;
  return make("details", {}, make("summary", { class: "small" }, `Reasons (${said.length})`),
    make("dl", {}, ...said.flatMap((each) => [
      make("dt", {}, symbol(each.look), make("b", {}, each.name), make("span", { class: "quiet small" }, each.look.title), each.sure === null ? null : make("span", { class: "quiet small" }, `stated confidence ${Math.round(each.sure * 100)} %`)),
      make("dd", { dir: "auto" }, each.why)])));
}

function drawRow(card, row, at) {
  const left = make("div", { class: card.whole ? "side whole" : "side" }, at ? null : make("h3", { class: "quiet small" }, card.unit), drawPassage(row.unit, false));
  const right = make("div", { class: "side" }, at ? null : make("h3", { class: "quiet small" }, "Evidence"));
  for (const quote of row.quotes) right.append(drawQuote(quote));
  for (const link of row.links.slice(0, 3)) right.append(make("p", { class: "link small" }, link));
  if (row.left) right.append(make("p", { class: "quiet small" }, `and ${row.left} more in the reader`));
  if (!row.quotes.length && !row.links.length) right.append(make("p", { class: "none" }, "Nobody who says so quotes any words for it."));
  return make("div", { class: "sides" }, left, right);
}

function drawCard(card, open) {
  const go = make("a", { class: "open", href: card.href }, "Open in the reader");
  go.addEventListener("click", open);
  go.append(make("span", { class: "unseen" }, ` at ${card.unit} of ${card.item}`));
  const top = make("header", {}, card.look ? make("span", { class: "badge", "data-color": card.look.color }, `${card.look.glyph} ${card.look.title}`) : null,
    make("span", { class: "so small" }, card.so), make("ul", { class: "voices small", "aria-label": "Who said what" }, ...card.voices.map(drawVoice)));
  const rows = card.rows.map((row, at) => drawRow(card, row, at));
  if (card.left) rows.push(make("p", { class: "left quiet small" }, `and ${card.left} more in the reader`));
  const where = make("footer", { class: "small" }, make("span", { class: "quiet" }, [card.item, card.run, card.protocol].join(" · ")), go);
  return make("article", { "data-color": card.look?.color, "data-line": card.look?.underline, "aria-label": `${card.unit} of ${card.item}` }, top, ...rows, drawReasons(card.voices), where);
}
