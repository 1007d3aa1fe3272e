/** Draws one disagreement; the meeting draws the same card larger. */
function badge(look, words) {
  return make("span", { class: "badge", "data-color": look.color }, words ?? (look.glyph === look.title ? look.title : `${look.glyph} ${look.title}`));
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

const listed = (names) => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

function drawSide(side) {
  const votes = side.votes.map((vote) => make("div", { class: "vote", "data-color": vote.color },
    symbol(vote), make("b", {}, vote.title),
    vote.of > 1 ? make("span", { class: "bar", "aria-hidden": "true" }, fill(vote)) : null,
    vote.of > 1 ? make("span", { class: "small of" }, `${vote.count} of ${vote.of}`) : null));
  return make("div", { class: "side" }, make("div", { class: "small who" }, side.who), ...votes);
}

function fill(vote) {
  const bar = make("span", {});
  bar.style.width = `${100 * vote.count / vote.of}%`;
  return bar;
}

function drawQuote(quote) {
  const cited = quote.by.length ? `cited by ${listed(quote.by)}` : "";
  const about = [quote.found, quote.where, cited].filter(Boolean);
  const note = make("div", { class: "small about" }, ...about.map((each, at) => make("span", { class: at === 0 && quote.missing ? "missing" : "quiet" }, at ? ` · ${each}` : each)));
  const box = make("blockquote", { "data-missing": String(quote.missing) }, drawPassage(quote.passage, quote.missing), drawOwnWords(quote), note);
  if (quote.clashes.length) box.append(make("ul", { class: "clashes small", "aria-label": "Possible clashes" }, ...quote.clashes.map((each) => make("li", {}, each))));
  return box;
}

const LINKS = 3;  // links beyond these are folded

function drawEvidence(evidence) {
  const parts = evidence.quotes.map(drawQuote);
  const links = evidence.links.map((link) => make("p", { class: "small quiet link" }, link));
  parts.push(...links.slice(0, LINKS));
  if (links.length > LINKS) parts.push(make("details", { class: "small" }, make("summary", {}, `${links.length - LINKS} more links`), ...links.slice(LINKS)));
  if (evidence.left) parts.push(make("p", { class: "small quiet" }, `and ${evidence.left} more in the reader`));
  if (!parts.length) parts.push(make("p", { class: "quiet" }, "Nobody quotes any words for it."));
  return parts;
}

function drawReason(voice) {
  const sure = voice.unsure ? make("b", { class: "unsure" }, `${capital(voice.unsure)}. `) : voice.sure === null ? "" : `Stated confidence ${Math.round(voice.sure * 100)} %. `;
  return [make("dt", {}, voice.name, voice.was ? make("span", { class: "was quiet" }, `was ${voice.was}`) : null), make("dd", {}, badge(voice.look)),
    make("dd", { class: voice.why ? "why" : "why quiet" }, sure, make("span", { dir: "auto" }, voice.why || "No reason given"))];
}

const LONG_REASON = 280;  // characters

/** A reason, cut where it is long; the rest unfolds. */
function foldable(words) {
  if (words.length <= LONG_REASON) return words;
  const cut = words.slice(0, LONG_REASON).replace(/\s+\S*$/, "");
  return make("details", { class: "fold" }, make("summary", {}, make("span", { class: "cut" }, `${cut}… `), make("span", { class: "more" })), words);
}

/** How many like cases wait, and how many of them in the run, or runs, that are looked at. */
function likeWords({ like, here, runs }) {
  const inside = runs > 1 ? "these runs" : "this run", waits = `${like.toLocaleString("en")} more like this ${like === 1 ? "waits" : "wait"} undecided`;
  if (here === like) return `${waits} in ${inside}.`;
  return like === 1 ? `${waits}, not in ${inside}.` : `${waits}, ${here ? here.toLocaleString("en") : "none"} of them in ${inside}.`;
}

function drawEarlier(card) {
  const { total, values, examples, like } = card.earlier;
  const waiting = like ? likeWords(card.earlier) : "";
  if (!total) return make("p", { class: "quiet" }, "None yet. ", waiting);
  return make("div", {},
    make("p", { class: "tally" }, `${total} decided: `, ...values.map((each) => badge(each, `${each.glyph} ${each.title} ${each.count}`))),
    ...examples.map((each) => make("p", { class: "small example" }, make("b", {}, each.of), " was decided ", each.look?.title ?? "otherwise", `${each.by ? ` by ${each.by}` : ""}, ${each.when}: `, foldable(each.reason))),
    waiting ? make("p", { class: "small quiet" }, waiting) : null);
}

function drawDecisions(card) {
  if (!card.decisions.length) return null;
  return make("section", { class: "decided" }, make("h3", {}, "Decisions on this case"), make("ol", {}, ...card.decisions.map((each) =>
    make("li", { class: each.current ? "current" : "" }, each.look ? badge(each.look) : make("b", {}, "Taken back"),
      make("span", {}, ` ${each.by ? `${each.by}, ` : ""}${each.when}${each.class ? ` · ${each.class}` : ""}`), each.current ? null : make("span", { class: "quiet" }, " (superseded)"),
      make("div", { class: "quiet", dir: "auto" }, each.reason)))));
}

/** In the room nobody is to lose the room for the reader; while names are hidden it stays shut. */
function drawReaderLink(card, inRoom) {
  if (card.reader) return make("a", { href: card.reader, class: "open", ...(inRoom ? { target: "_blank", rel: "noopener", title: "Opens in a new tab" } : {}) }, ...keyed("Open in the reader", "o"));
  return card.blind ? make("span", { class: "small quiet shut" }, "The reader names everybody; it opens once this point is decided.") : null;
}

/** `asks` is whether the card leads to a judge; in the room a button with a key does. */
function drawCard(card, asks = true) {
  const sides = [];
  card.sides.forEach((side, at) => { if (at) sides.push(make("span", { class: "against quiet" }, "against")); sides.push(drawSide(side)); });
  const samples = card.samples.map((each) => make("p", { class: "samples" }, make("b", {}, each.name), ` was asked ${each.looks.length} times: `, ...each.looks.map(symbol)));
  const links = make("p", { class: "links" }, drawReaderLink(card, !asks), asks && card.rerun ? make("a", { href: card.rerun, class: "rerun" }, ...keyed("Ask a judge again", "b")) : null);
  const look = card.sides[0]?.votes[0] ?? {};
  return make("article", { class: card.whole ? "whole" : "", "aria-label": `${card.unit} of ${card.item}` },
    make("header", {}, make("h2", {}, card.item, make("span", { class: "quiet" }, ` · ${card.unit}`)), asks ? links : null, make("p", { class: "small quiet where" }, card.where.join(" · "))),
    make("p", { class: "reason-why small" }, ...card.why.flatMap((each, at) => at ? [" · ", each] : [each])),
    make("div", { class: "sides" }, ...sides), ...samples,
    card.several || card.whole ? make("p", { class: "question" }, card.question) : null,
    make("h3", {}, card.whole ? "The response" : card.unit.startsWith("Claim") ? "Claim" : "Sentence, in the response"),
    make("div", { class: "unit", "data-color": look.color }, drawPassage(card.evidence.unit, false)),
    make("h3", {}, "Evidence in the sources"), ...drawEvidence(card.evidence), drawTexts(card),
    make("h3", {}, "Reasons"), make("dl", { class: "reasons" }, ...card.voices.flatMap(drawReason)),
    drawDecisions(card),
    make("h3", {}, "Earlier decisions on this pattern"), drawEarlier(card), asks ? null : links);
}
