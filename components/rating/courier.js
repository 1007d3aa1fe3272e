/** Tells the form beside it what was stored; the item's own data stay where they are. */
export default function ({ data }) {
  globalThis.plumblineRatingSaid = data;
  globalThis.dispatchEvent(new CustomEvent("plumbline:rating", { detail: data }));
}
