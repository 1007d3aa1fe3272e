/** Draws groups of choices with counts; a click reports which one. */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const active = parentElement.ownerDocument.activeElement?.shadowRoot?.activeElement ?? parentElement.activeElement;
  const focused = active?.dataset?.at;
  const draw = (group, option) => {
    const button = make("button", {
      type: "button",
      class: group.single ? "tab" : "chip",
      "aria-pressed": String(option.on),
      "data-at": `${group.name}:${option.key}`,
    }, make("span", {}, option.title), make("span", { class: "count" }, option.count.toLocaleString("en")));
    if (!option.count && !option.on) button.classList.add("empty");
    button.addEventListener("click", () => setTriggerValue("clicked", { name: group.name, key: option.key, single: group.single }));
    return button;
  };
  root.replaceChildren(...data.groups.map((group) => {
    // A few short words find room beside each other on a phone too.
    const short = group.options.reduce((all, option) => all + option.title.length, 0) <= 24;
    const box = make("div", { class: group.single ? `group tabs${short ? " short" : ""}` : "group", role: "group", "aria-label": group.label });
    if (!group.single) box.append(make("span", { class: "label quiet small" }, group.label));
    box.append(...group.options.filter((option) => group.single || option.count || option.on).map((option) => draw(group, option)));
    if (group.note) box.append(make("span", { class: "note quiet small" }, group.note));
    return box;
  }));
  if (focused) for (const each of root.querySelectorAll("button")) if (each.dataset.at === focused) each.focus({ preventScroll: true });
}
