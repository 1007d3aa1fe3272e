/** Hands counts that Python made of the ticks to the reader beside it. */
export default function ({ data }) {
  if (data.item) globalThis.dispatchEvent(new CustomEvent("plumbline:counted", { detail: data }));
}
