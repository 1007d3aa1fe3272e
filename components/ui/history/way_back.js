// st.switch_page goes to another page in two steps of the history: first the new query at the old
// page, then the new page. Nobody was ever at the first; Back must not lead there.
const HOLD = 400;  // milliseconds in which a step on the same page may turn out to be the first of two
const LATE = 1500;  // milliseconds after which it is surely a step of its own

function keepWayBack() {
  const push = history.pushState.bind(history);
  let first = null;
  const forget = () => { clearTimeout(first?.timer); first = null; };
  // It was no half step: the address before it gets its own place in the history.
  const settle = () => {
    if (!first || first.stands) return;
    first.stands = true;
    history.replaceState({}, "", first.from);
    push({}, "", first.to);
  };
  const isSecond = (to) => first && performance.now() - first.at < LATE && location.href === first.to && to.search === location.search && to.pathname !== location.pathname;
  history.pushState = (state, unused, url) => {
    const to = new URL(url ?? location.href, location.href);
    if (isSecond(to)) history.replaceState({}, "", first.from);
    else settle();
    forget();
    if (to.pathname !== location.pathname || to.href === location.href) return push(state, unused, url);
    first = { from: location.href, to: to.href, at: performance.now(), timer: setTimeout(settle, HOLD), stands: false };
    history.replaceState(state, unused, url);
  };
  addEventListener("popstate", forget);
}

export default function () {
  if (history.keepsWayBack) return;
  history.keepsWayBack = true;
  keepWayBack();
}
