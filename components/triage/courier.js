/** Hands the texts of a case to the card beside it, also to one that is drawn after they came. */
export default function ({ data }) {
  if (!data.key) return;
  globalThis.plumblineTexts = data;
  globalThis.dispatchEvent(new CustomEvent("plumbline:texts", { detail: data }));
}
