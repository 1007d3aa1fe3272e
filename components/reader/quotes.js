const TIER_TONES = { verbatim: "blue", near: "blue", stitched: "yellow", similar: "yellow", altered: "red", absent: "red" };

/** An excerpt: its words, how well they were found, what differs, what clashes, where to look. */
function drawQuote(quote, authors, m) {
  const box = make("blockquote", { class: quote.tier === "absent" ? "lost" : "", "data-quote": quote.id });
  const line = make("div", { class: "found small" }, make("span", { class: "tier", "data-color": TIER_TONES[quote.tier] ?? "gray" }, capital(quote.found)));
  if (quote.where && quote.tier !== "absent") line.append(make("span", { class: "quiet" }, ` in ${quote.where}`));
  box.append(drawWords(quote), line);
  if (quote.near) box.append(make("div", { class: "near-passage" },
    make("span", { class: "quiet small" }, `Nearest passage, in ${quote.where} (${quote.near[1]})`), make("div", { class: "words", dir: "auto" }, quote.near[0])));
  if (quote.clashes) box.append(drawClashes(quote));
  const foot = make("div", { class: "small foot" });
  if (m.marks.has(quote.id)) {
    const button = make("button", { type: "button", class: "show" }, quote.near ? "Show nearest passage" : "Show in source");
    button.addEventListener("click", () => m.point(quote.id));
    foot.append(button);
  }
  if (authors.length > 1) foot.append(make("span", { class: "quiet" }, `quoted by ${authors.join(", ")}`));
  if (foot.hasChildNodes()) box.append(foot);
  return box;
}

function drawWords(quote) {
  const words = make("div", { class: quote.tier === "absent" ? "words struck" : "words", dir: "auto" });
  return quote.parts ? putParts(words, quote.parts) : put(words, quote.text.trim());
}

function drawClashes(quote) {
  const marked = (title, segments) => make("div", { class: "clashing" }, make("span", { class: "quiet small" }, title),
    make("span", {}, ...segments.map(([words, kinds]) => (kinds.length ? make("em", { class: "clash", title: `Possible clash: ${kinds.join(", ")}` }, words) : make("span", {}, words)))));
  return make("div", { class: "clashes" }, make("div", { class: "small" }, make("b", {}, "Possible clash"), make("span", { class: "quiet" }, ` ${quote.clashes.join("; ")}`)),
    marked("Said", quote.unit ?? []), marked("Source", quote.source ?? []));
}

/** Paints the clashing words in the response and in the sources, where the marks hold them. */
function paintClashes(m, said) {
  const ranges = [];
  for (const quote of said.flatMap((each) => each.quotes ?? [])) {
    if (!quote.clashes) continue;
    const unit = m.nodes.get(m.chosen), marks = m.marks.get(quote.id) ?? [];
    const isOne = unit?.length === 1 || unit?.[0].matches(".row");
    if (isOne) ranges.push(...rangesAt(unit[0], spansOf(quote.unit)));
    if (marks.length === 1) ranges.push(...rangesAt(marks[0], spansOf(quote.source)));
  }
  paint("plumbline-clash", ranges);
}

function spansOf(segments) {
  let at = 0;
  const spans = [];
  for (const [words, kinds] of segments ?? []) { if (kinds.length) spans.push([at, at + words.length]); at += words.length; }
  return spans;
}

function capital(words) { return words ? words[0].toUpperCase() + words.slice(1) : ""; }

function drawLink([words, mayFollow], m) {
  const source = m.sources.get(words.split("#")[0]);
  if (source) {  // a link may name a source of the item
    const button = make("button", { type: "button", class: "show source-link" }, words);
    button.addEventListener("click", () => { source.closest(".scroll").scrollTop += source.parentElement.getBoundingClientRect().top - source.closest(".scroll").getBoundingClientRect().top; flash([source.parentElement]); });
    return button;
  }
  // Python has judged the address already; the browser's own reading has to agree.
  const safe = mayFollow && URL.canParse(words) && ["http:", "https:"].includes(new URL(words).protocol);
  return safe
    ? make("a", { href: words, target: "_blank", rel: "noopener noreferrer nofollow", class: "source-link" }, words)
    : make("span", { class: "source-link" }, words, make("span", { class: "quiet small" }, "  not a web address"));
}
