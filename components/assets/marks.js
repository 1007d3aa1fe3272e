// Put before the code of components whose units can be marked for a meeting.
/** Another press; the list grows until the server has stored it, so that no press is lost. */
function pressed(presses, unit, on) {
  return [...presses, { id: crypto.getRandomValues(new Uint32Array(4)).join("-"), unit, on }];
}

/** Presses that were not stored when the page was drawn: they stand until they are. */
function unstored(presses, last) { return presses.slice(presses.findIndex((each) => each.id === last) + 1); }
