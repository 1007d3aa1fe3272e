// What is sent while there is no connection is lost, and Streamlit asks for the page again only where it was at
// work. Asking for it brings along what every form still holds, and each of its actions is stored once.
const STATE = "data-test-connection-state";
const BACK = "CONNECTED";

export default function ({ setTriggerValue }) {
  const app = document.querySelector(`[${STATE}]`);
  if (!app) return undefined;
  let was = app.getAttribute(STATE);
  const watch = new MutationObserver(() => {
    const is = app.getAttribute(STATE), returned = is === BACK && was !== BACK;
    was = is;
    if (returned) setTriggerValue("back", true);
  });
  watch.observe(app, { attributes: true, attributeFilter: [STATE] });
  return () => watch.disconnect();
}
