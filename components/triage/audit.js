// Answers that cannot all be right: both sides, the rule, the sentence, and what can be settled.

/** The two sides; the one that a decision would settle is marked. */
function drawTwoSides(row, point) {
  const parts = [];
  row.sides.forEach((side, at) => {
    if (at) parts.push(make("span", { class: "against quiet" }, "against"));
    const box = drawSide(side);
    box.dataset.settles = String(side.points.includes(point.key));
    box.append(make("div", { class: "small quiet" }, side.about));
    parts.push(box);
  });
  return make("div", { class: "sides" }, ...parts);
}

/** Which side the decision is about; its labels follow. */
function drawToSettle(m, row, card) {
  const choices = row.points.map((each, at) => {
    const button = make("button", { type: "button", class: "settle", "aria-pressed": String(each.key === card.key), title: each.question }, each.settles);
    button.addEventListener("click", () => m.turnTo(at));
    return button;
  });
  const head = make("div", { class: "between" }, make("h3", {}, "What is settled"), row.points.length > 1 ? make("kbd", {}, "s") : null);
  return make("div", { class: "to-settle", role: "group", "aria-label": "What is settled" }, head, ...choices);
}

function drawAudit(row, point) {
  const words = point.whole ? row.points.find((each) => !each.whole) ?? point : point;
  const look = row.sides.at(-1).votes[0];
  return make("article", { class: words.whole ? "audit whole" : "audit", "aria-label": `${row.unit} of ${row.item}` },
    make("header", {}, make("h2", {}, row.item, make("span", { class: "quiet" }, ` · ${row.unit}`)), make("p", { class: "links" }, make("a", { href: row.reader, class: "open" }, ...keyed("Open the words in the reader", "o"))), make("p", { class: "small quiet where" }, row.where.join(" · "))),
    make("p", { class: "reason-why small" }, row.why.join(" · ")),
    drawTwoSides(row, point),
    make("p", { class: "rule" }, make("b", {}, row.rule.title, ". "), row.rule.because),
    row.left ? make("p", { class: "left" }, row.left) : null,
    make("h3", {}, words.whole ? "The response" : `${words.unit}, in the response`),
    make("div", { class: "unit", "data-color": look.color }, drawPassage(words.evidence.unit, false)),
    make("h3", {}, "Evidence in the sources"), ...drawEvidence(words.evidence), drawTexts(words),
    make("h3", {}, `What is said: ${point.settles}`), make("dl", { class: "reasons" }, ...point.voices.flatMap(drawReason)),
    drawDecisions(point),
    make("h3", {}, "Earlier decisions on this pattern"), drawEarlier(point));
}
