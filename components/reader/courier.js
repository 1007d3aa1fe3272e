/** Hands what Python found to the reader beside it; the item's own data stay where they are. */
export default function ({ data }) {
  if (data.words) globalThis.dispatchEvent(new CustomEvent("plumbline:candidates", { detail: data }));
}
