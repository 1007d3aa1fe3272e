/** The card of the chosen unit: what is asked, what was answered, what is still missing. */
function drawCard(m) {
  const unit = m.byId.get(m.chosen);
  if (!unit) return [make("p", { class: "quiet" }, "This item has nothing to rate under this protocol.")];
  const complaints = (m.complaints[unit.id] ?? []).map((text) => make("p", { class: "problem", role: "alert" }, text));
  return [make("header", {}, make("h2", {}, unit.title), make("span", { class: "quiet small" }, unit.about ?? "")),
    make("div", { class: "body" }, ...complaints, drawClaim(unit), ...unit.criteria.flatMap((key, at) => drawCriterion(m, unit, m.data.criteria[key], at)), ...drawHints(m, unit))];
}

/** The claim that is rated, with the sentence it was drawn from. */
function drawClaim(unit) {
  if (!unit.origin) return null;
  const [before, sentence, behind] = unit.origin;
  return make("div", { class: "claim", dir: "auto" }, make("p", {}, unit.text), make("p", { class: "small" }, drawOrigin(before, behind, sentence)));
}

/** What a program noticed, only after the rater has answered: before, it would steer them. */
function drawHints(m, unit) {
  const found = m.data.hints[unit.id] ?? [];
  const isAnswered = unit.criteria.every((key) => { const said = told(m, unit.id, key); return said.value || said.skipped; });
  if (!found.length || !isAnswered) return [];
  const place = (where, words) => make("div", { class: "small" }, make("span", { class: "quiet" }, `${where} `), make("span", { dir: "auto" }, `“${words.trim()}”`));
  return [make("section", { class: "hints", "aria-label": "What a program noticed" }, make("h4", {}, "A program noticed", make("span", { class: "quiet small" }, " a mark to look at; your answer stands")),
    ...found.map((each) => make("div", { class: "hint" }, make("div", {}, make("b", {}, each.title), make("span", { class: "quiet small" }, ` ${each.certainty}`)), make("div", {}, `${each.says.charAt(0).toUpperCase()}${each.says.slice(1)}.`),
      each.words ? place("In the response", each.words) : null, each.source ? place(`In ${each.source[2]}`, each.source[1]) : null,
      ...each.candidates.map(([, words, where]) => place(`Look at, in ${where}`, words)))))];
}

function drawCriterion(m, unit, criterion, at) {
  const said = told(m, unit.id, criterion.key);
  const several = unit.criteria.length > 1;
  const box = make("section", { class: `criterion${several && at === m.active ? " active" : ""}`, "aria-label": criterion.question });
  box.addEventListener("focusin", () => { if (m.active !== at) { m.active = at; for (const [nth, each] of [...m.root.querySelectorAll(".criterion")].entries()) each.classList.toggle("active", several && nth === at); } });
  box.append(make("h3", {}, several ? `${capital(criterion.key)}: ` : "", criterion.question));
  if (unit.suggests) box.append(...drawSuggestion(m, unit, criterion));
  box.append(drawLabels(m, unit, criterion, said));
  const loose = looseChecks(unit, criterion, said);
  if (loose.length) box.append(drawChecks(m, unit, criterion, said, loose, "Observations"));
  if (criterion.asks.includes("excerpts")) box.append(drawExcerpts(m, unit, criterion, said));
  if (criterion.asks.includes("links")) box.append(drawLinks(m, unit, criterion, said));
  if (criterion.asks.includes("rationale")) box.append(...drawReason(m, unit, criterion, said));
  if (criterion.asks.includes("comment")) box.append(drawField(m, unit, criterion, "comment", "Comment", "o", said.comment));
  return [box];
}

/** The reason, and why it is needed where the answer departs from what is marked. */
function drawReason(m, unit, criterion, said) {
  const because = m.advice.reasons[unit.id]?.[criterion.key];
  const field = drawField(m, unit, criterion, "rationale", because ? "Reason, needed for this answer" : "Reason", "w", said.rationale);
  return because ? [make("p", { class: "departure small", role: "status" }, because), field] : [field];
}

function capital(word) { return word.charAt(0).toUpperCase() + word.slice(1).replaceAll("_", " "); }

function drawLabels(m, unit, criterion, said) {
  const wide = criterion.ordinal || unit.wide;
  const group = make("div", { class: `labels${wide ? " levels" : ""}${criterion.ordinal ? "" : " long"}`, role: "radiogroup", "aria-label": criterion.question });
  const labels = criterion.ordinal ? [...criterion.labels].reverse() : criterion.labels;
  for (const label of labels) {
    const number = criterion.labels.indexOf(label) + 1;
    const on = said.value === label.value;
    const button = make("button", { type: "button", role: "radio", class: "label", "aria-checked": String(on), "data-color": label.color, "data-focus": `${criterion.key}.${label.value}`, title: wide ? "" : label.meaning },
      make("kbd", {}, String(number)), criterion.ordinal ? null : symbol(label), make("b", {}, label.title), wide ? make("span", { class: "meaning small" }, label.meaning) : null);
    button.addEventListener("click", () => m.answer(unit.id, criterion.key, label.value));
    group.append(button);
    const own = criterion.ordinal ? criterion.checklist.filter((check) => check.level === label.value) : [];
    if (own.length) group.append(drawChecks(m, unit, criterion, said, own, label.title));
  }
  if (criterion.may_skip) {
    const skip = make("button", { type: "button", role: "radio", class: "label", "aria-checked": String(said.skipped), "data-color": "gray", "data-focus": `${criterion.key}.skip` }, make("kbd", {}, "0"), symbol({ glyph: "○", color: "gray" }), make("b", {}, "Not judged"));
    skip.addEventListener("click", () => m.skip(unit.id, criterion.key));
    group.append(skip);
  }
  const chosen = criterion.labels.find((label) => label.value === said.value);
  if (wide || !chosen) return group;
  return make("div", {}, group, make("p", { class: "quiet small" }, chosen.meaning));
}

/** Observations; ticking decides nothing by itself. Those of a score stand under their level. */
function drawChecks(m, unit, criterion, said, checks, title) {
  const group = make("div", { class: "checks", role: "group", "aria-label": title });
  for (const check of checks) {
    const input = make("input", { type: "checkbox", "data-focus": `${criterion.key}.${check.key}` });
    input.checked = said.checks.includes(check.key);
    input.addEventListener("change", () => change(m, unit.id, criterion.key, (state) => {
      state.checks = input.checked ? [...state.checks, check.key] : state.checks.filter((key) => key !== check.key);
    }));
    group.append(make("label", {}, input, make("span", {}, check.text)));
  }
  return group;
}

function looseChecks(unit, criterion, said) {
  if (criterion.ordinal) return [];
  // Beside an answer only what speaks for it is asked, and what was ticked before.
  return criterion.checklist.filter((check) => !unit.suggests || check.level === said.value || said.checks.includes(check.key));
}

function drawExcerpts(m, unit, criterion, said) {
  const needs = m.data.needs.kind === "excerpt" && m.data.needs.required_for.includes(said.value);
  const box = make("div", { class: "excerpts" }, make("h4", {}, "Excerpts", make("span", { class: "quiet small" }, needs ? " needed for this label" : " if any")));
  said.excerpts.forEach((quote, at) => {
    const remove = make("button", { type: "button", class: "tool", "aria-label": "Remove this excerpt", "data-focus": `${criterion.key}.remove.${at}` }, "Remove");
    remove.addEventListener("click", () => change(m, unit.id, criterion.key, (state) => { state.excerpts.splice(at, 1); }));
    const title = m.data.sources.find((source) => source.name === quote.field)?.title ?? "";
    const words = make("button", { type: "button", class: "words", title: "Show in the source", dir: "auto" }, quote.text);
    words.addEventListener("click", () => rangeOf(m, quote)?.startContainer.parentElement?.scrollIntoView({ block: "center" }));
    box.append(make("blockquote", {}, words, make("div", { class: "under" }, make("span", { class: "quiet small" }, title), remove)));
  });
  if (!said.excerpts.length) box.append(make("p", { class: `small ${needs ? "needed" : "quiet"}` }, "Select words in a source and press ", make("kbd", {}, "q"), ", or press ", make("kbd", {}, "e"), " and take whole sentences with ", make("kbd", {}, "↵"), "."));
  return box;
}

/** Links belong to the answers that rest on evidence, and only to them. */
function drawLinks(m, unit, criterion, said) {
  const wanted = m.data.needs.required_for.includes(said.value);
  if (said.value && !wanted && !said.links.length) return make("p", { class: "quiet small" }, "No evidence links with this answer.");
  return drawField(m, unit, criterion, "links", wanted ? "Evidence links, one a line; needed for this answer" : "Evidence links, one a line", "l", said.links.join("\n"));
}

function drawField(m, unit, criterion, name, title, key, text) {
  const area = make("textarea", { rows: "2", maxlength: "9000", "data-focus": `${criterion.key}.${name}`, "data-key": key });
  area.value = text;
  area.addEventListener("input", () => typed(m, unit.id, criterion.key, (state) => { state[name] = name === "links" ? area.value.split("\n") : area.value; }));
  area.addEventListener("blur", () => settle(m));
  area.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); m.focusUnit(); } });
  return make("label", { class: "field" }, make("span", {}, title, " ", make("kbd", {}, key)), ...withRoom(area));
}

function drawSuggestion(m, unit, criterion) {
  const given = m.advice.suggestion;
  if (!given) return [];
  const label = criterion.labels.find((each) => each.value === given.value);
  const box = make("div", { class: "suggestion", "data-color": label?.color ?? "gray" },
    label ? make("span", {}, "The rules suggest ", make("span", { class: "badge" }, `${label.glyph} ${label.title}`)) : make("span", {}, "No suggestion yet"),
    make("span", { class: "small" }, given.why));
  if (label) {
    const take = make("button", { type: "button", class: "tool", "data-focus": "take" }, "Take it ", make("kbd", {}, "t"));
    take.addEventListener("click", () => m.take());
    box.append(take);
  }
  return [box];
}
