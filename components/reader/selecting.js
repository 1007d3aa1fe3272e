/** Words selected in a reviewed text can be looked for in the sources; Python answers by an event. */
function offerCandidates(root, m, ask) {
  const offer = root.querySelector(".offer");
  const chosenWords = () => {
    const selection = root.getRootNode().getSelection?.() ?? document.getSelection();
    const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
    const inside = range && root.querySelector(".panes").contains(range.startContainer);
    const home = inside && (range.startContainer.closest ? range.startContainer : range.startContainer.parentElement);
    return home?.closest(".side .pane:not(.sources)") ? [selection.toString().trim(), range] : ["", null];
  };
  const look = () => {
    const [words, range] = chosenWords();
    offer.hidden = words.length < 3 || !m.data.sources.length;
    if (offer.hidden) return;
    const place = range.getBoundingClientRect(), outer = root.querySelector(".reader").getBoundingClientRect();
    offer.style.left = `${Math.max(0, place.left - outer.left)}px`;
    offer.style.top = `${place.bottom - outer.top + 4}px`;
    offer.onclick = () => { offer.hidden = true; m.asked = words; ask(words); };
  };
  for (const kind of ["mouseup", "keyup"]) root.querySelector(".panes").addEventListener(kind, () => setTimeout(look));
}

/** The nearest passages, in the place of what was said about the unit, until another is chosen. */
function drawCandidates(m, { words, found }) {
  const back = make("button", { type: "button", class: "tool" }, "Back");
  back.addEventListener("click", () => m.redraw());
  const rows = found.map(({ source, title, text, score }) => {
    const show = make("button", { type: "button", class: "show" }, "Show in source");
    show.addEventListener("click", () => m.showWords(source, text));
    return make("section", { class: "column" }, make("header", {}, make("b", {}, title), make("span", { class: "quiet small" }, `${Math.round(100 * score)} % alike`)),
      make("blockquote", {}, make("div", { class: "words", dir: "auto" }, text)), show);
  });
  return [make("header", {}, make("h2", {}, "Nearest passages in the sources"), make("span", { class: "tools" }, back)),
    make("p", { class: "small" }, make("span", { class: "quiet" }, "for "), `“${words}”`),
    rows.length ? make("div", { class: "columns" }, ...rows) : make("p", { class: "quiet" }, "No passage shares telling words with this.")];
}
