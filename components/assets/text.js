// Put before the code of every component: text goes in as text, and nothing in it stays invisible.
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Appends text; a hidden character keeps its place, is fenced in, and is named by a style rule. */
function put(parent, text) {
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parent.append(document.createTextNode(text.slice(from, match.index)));
    const hidden = document.createElement("span");
    hidden.className = "hidden-character";
    hidden.dataset.name = "U+" + match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    hidden.append(document.createTextNode(match[0]));
    parent.append(hidden);
    from = match.index + match[0].length;
  }
  if (from < text.length) parent.append(document.createTextNode(text.slice(from)));
  return parent;
}

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== "") element.setAttribute(name, value);
  }
  for (const child of children) {
    if (typeof child === "string") put(element, child);
    else if (child) element.append(child);
  }
  return element;
}

function symbol(look) {
  return make("span", { class: "glyph", "data-color": look.color, "aria-hidden": "true" }, look.glyph);
}

/** An excerpt word by word: struck through is said but not there, underlined stands there instead. */
function putParts(parent, parts) {
  for (const [kind, said, stands] of parts) {
    if (kind === "same") { put(parent, said); continue; }
    if (said) parent.append(make("del", { title: "Not in the source" }, said));
    if (said && stands) parent.append(" ");
    if (stands) parent.append(make("ins", { title: "In the source, not in the excerpt" }, stands));
  }
  return parent;
}

/** On a card: words of a text with what stands around them; struck through where they are missing. */
function drawPassage(passage, missing) {
  const text = make("p", { class: missing ? "passage missing-words" : "passage", dir: "auto" });
  if (passage.before) text.append(make("span", { class: "around" }, passage.before));
  const words = make(missing ? "s" : "span", { class: "said" });
  for (const [piece, names] of passage.segments) words.append(names.length ? make("mark", { "data-kind": names[0] }, piece) : make("span", {}, piece));
  text.append(words);
  if (passage.behind) text.append(make("span", { class: "around" }, passage.behind));
  if (passage.origin) text.append(drawOrigin(...passage.around_origin, passage.origin));
  return text;
}

/** The sentence that a claim was drawn from, between what stands before and behind it. */
function drawOrigin(before, behind, sentence) {
  return make("span", { class: "origin around" }, "From “", before, make("span", { class: "origin-sentence" }, sentence), behind, "”");
}

/** On a card, which shows the source's words: the quote's own, where the two differ. */
function drawOwnWords(quote) {
  if (!quote.parts?.length) return null;
  return make("p", { class: "own-words" }, make("span", { class: "quiet" }, "Quoted as "), putParts(make("q", { dir: "auto" }), quote.parts));
}
