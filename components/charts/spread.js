/** Draws distributions line by line; each mark with an id is a button that reports it. */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const active = parentElement.activeElement ?? parentElement.ownerDocument.activeElement?.shadowRoot?.activeElement;
  const focused = active?.dataset?.at;
  const press = (mark, attributes, ...children) => {
    if (!mark.id) return make("div", attributes, ...children);
    const button = make("button", { ...attributes, type: "button", "data-at": mark.id, "aria-label": mark.label, title: mark.label, "aria-pressed": String(Boolean(mark.on)) }, ...children);
    button.addEventListener("click", () => setTriggerValue("clicked", mark.id));
    return button;
  };
  root.replaceChildren({ shares, multiples, drift }[data.kind](data, press));
  if (focused) for (const each of root.querySelectorAll("button")) if (each.dataset.at === focused) each.focus({ preventScroll: true });
}

const sized = (element, name, value) => { element.style.setProperty(name, value); return element; };
const percent = (value) => `${(100 * value).toFixed(3)}%`;
const named = (line) => make("div", { class: "who" }, make("span", { class: "strong" }, line.title), line.note ? make("span", { class: "quiet small" }, line.note) : null);
const told = (line) => make("div", { class: "told" }, ...line.numbers.map(([text, note]) => make("div", {}, make("span", { class: "strong" }, text), note ? make("span", { class: "quiet small" }, ` ${note}`) : null)));
const aside = (line, press) => make("div", { class: "aside" }, ...line.apart.map((mark) => press(mark, { class: "apart" }, symbol(mark), make("span", { class: "small" }, mark.text))));

function shares(data, press) {
  const list = make("div", { class: "shares", role: "list", "aria-label": data.label });
  list.append(make("div", { class: "keys" }, ...data.keys.map((look) => make("span", { class: "key" }, make("span", { class: "swatch", "data-color": look.color, "data-shade": look.shade }), make("span", { class: "small" }, `${look.glyph} ${look.title}`)))));
  for (const line of data.lines) {
    const stack = make("div", { class: "stack" });
    for (const mark of line.marks) {
      stack.append(sized(press(mark, { class: "segment", "data-color": mark.color, "data-shade": mark.shade },
        make("span", { class: "inside" }, mark.glyph, make("span", { class: "long" }, ` ${mark.title}`), make("span", { class: "short" }, ` ${mark.text}`))), "flex-grow", mark.share));
    }
    if (!line.marks.length) stack.append(make("span", { class: "quiet small nothing" }, line.nothing));
    list.append(make("div", { class: "line", role: "listitem" }, named(line), stack, aside(line, press), told(line)));
  }
  return list;
}

function multiples(data, press) {
  const grid = make("div", { class: "multiples", role: "list", "aria-label": data.label });
  // A bar is pressed, so none may be thinner than 24 px.
  sized(grid, "--least", `${36 + 26 * Math.max(...data.lines.map((line) => line.marks.length))}px`);
  for (const line of data.lines) {
    const bars = make("div", { class: "bars" });
    for (const mark of line.marks) {
      const fill = sized(make("span", { class: "fill" }), "--share", percent(mark.share));
      bars.append(press(mark, { class: `bar${mark.gap ? " gap" : ""}`, "data-color": mark.color, "data-shade": mark.shade },
        make("span", { class: mark.id ? "count" : "count quiet" }, mark.text), make("span", { class: "well" }, fill), make("span", { class: "foot" }, mark.title)));
    }
    grid.append(make("div", { class: "panel", role: "listitem" }, named(line), told(line), bars));
  }
  return make("div", {}, grid, data.foot ? make("div", { class: "quiet small under" }, data.foot) : null);
}

function drift(data, press) {
  const [low, high] = data.domain;
  const at = (value) => percent(Math.min(1, Math.max(0, (value - low) / (high - low || 1))));
  const grid = make("div", { class: "multiples drift", role: "list", "aria-label": data.label });
  for (const line of data.lines) {
    const runs = make("div", { class: "runs" });
    for (const mark of line.marks) {
      const well = make("span", { class: "level" });
      if (mark.low !== null) well.append(sized(sized(make("span", { class: "whisker" }), "--from", at(mark.low)), "--to", at(mark.high)));
      if (mark.value !== null) well.append(sized(make("span", { class: mark.low === null ? "dot open" : "dot" }), "--at", at(mark.value)));
      runs.append(press(mark, { class: "run" }, make("span", { class: "count" }, mark.text), well, make("span", { class: "foot" }, mark.title)));
    }
    const scale = make("div", { class: "scale quiet", "aria-hidden": "true" }, ...data.ticks.map((tick) => sized(make("span", {}, tick.text), "--at", at(tick.at))));
    // Many runs take a line of their own; panels of few share one.
    grid.append(make("div", { class: line.marks.length > 6 ? "panel long" : "panel", role: "listitem" }, named(line), make("div", { class: "frame" }, scale, runs)));
  }
  return grid;
}
