// A save is answered when the person is at the next case already: what was not stored is told there.

/** Cases other than this one whose decision was refused, with what was entered still there. */
function missed(m, data, card) {
  return Object.keys(data.results).map((key) => ({ key, now: stateOf(m, data, key) }))
    .filter(({ key, now }) => key !== card.key && ["conflict", "failed"].includes(now.state) && m.drafts.get(key)?.value);
}

function rowOf(data, key) {
  return data.cards.find((each) => (each.points ?? [each]).some((point) => point.key === key));
}

function drawMissed(m, data, { key, now }) {
  const row = rowOf(data, key), name = row ? `${row.item} · ${row.unit.replace(/ of .*/, "")}` : "A case on another page";
  const back = make("button", { type: "button", class: "plain small" }, "Go back to it");
  back.addEventListener("click", () => {
    if (row.points) m.sides.set(row.key, row.points.findIndex((each) => each.key === key));
    m.go(row.key);
  });
  const drop = make("button", { type: "button", class: "plain small" }, "Drop mine");
  drop.addEventListener("click", () => { m.drafts.delete(key); m.draw(); });
  const kept = "Yours is not saved; what you entered is kept there and can be saved again.";
  return make("div", {}, make("p", {}, make("b", {}, `${name}: `), `${now.text} ${kept}`), row ? back : "", drop);
}

/** Changes the alert only where its words change, so that it is read out once. */
function paintMissed(place, m, data, card) {
  const found = missed(m, data, card), words = JSON.stringify(found.map((each) => [each, rowOf(data, each.key)?.key]));
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.replaceChildren(...found.map((each) => drawMissed(m, data, each)));
}
