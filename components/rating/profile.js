/** Who rates in this browser: asked once, remembered here, and never a login. */
const WHERE = "plumbline-rater";

function draw(root, data, name, report) {
  const box = root.querySelector(".profile");
  if (name) {
    const change = make("button", { type: "button", class: "tool" }, "Change");
    change.addEventListener("click", () => { localStorage.removeItem(WHERE); report(""); draw(root, data, "", report); root.querySelector("input").focus(); });
    box.replaceChildren(make("span", { class: "quiet small" }, `${data.as} `), make("b", {}, name), change);
    if (data.note && name === data.name) box.append(make("p", { class: "quiet small", role: "status" }, data.note));
    return;
  }
  const input = make("input", { type: "text", maxlength: "80", required: "", "aria-label": "Your name", placeholder: "Your name", autocomplete: "off" });
  const form = make("form", {}, input, make("button", { type: "submit", class: "tool go" }, data.button));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = input.value.normalize("NFC").trim().replace(/\s+/g, " ");
    if (!said) return;
    localStorage.setItem(WHERE, said);
    report(said);
    draw(root, data, said, report);
  });
  box.replaceChildren(form, make("p", { class: "quiet small" }, `${data.why} It is not a login: use the same name every time, and your own.`));
}

export default function ({ data, parentElement: root, setStateValue }) {
  const kept = data.name || localStorage.getItem(WHERE) || "";
  if (!kept && root.querySelector("input")) return;  // somebody may be typing
  draw(root, data, kept, (name) => setStateValue("name", name));
  if (kept && kept !== data.name) setStateValue("name", kept);
}
