// Put before the code of components with fields for many words: whoever writes is told before the room ends.
const NEAR = 0.9;  // of a field's length, from which on the room is counted

const inFigures = (count) => count.toLocaleString("en");

function roomWords({ value, maxLength }) {
  if (value.length < NEAR * maxLength) return "";
  if (value.length < maxLength) return `${inFigures(value.length)} of ${inFigures(maxLength)} characters`;
  return value.length > maxLength ? `${inFigures(value.length - maxLength)} characters more than the ${inFigures(maxLength)} that are kept` : `All ${inFigures(maxLength)} characters are used; no more are taken.`;
}

/** A field and the line below it that counts. A browser cuts what is pasted to the room there is, without a
 *  word; here it is refused as a whole. `field.tellRoom` is called where the field is filled by a program. */
function withRoom(field) {
  const line = make("p", { class: "room-left small", role: "status" });
  const tell = (words) => {
    line.classList.toggle("full", field.value.length >= field.maxLength || words !== roomWords(field));
    if (line.textContent !== words) line.replaceChildren(words);
  };
  field.tellRoom = () => tell(roomWords(field));
  field.addEventListener("input", field.tellRoom);
  field.addEventListener("beforeinput", (event) => {
    const comes = (event.data ?? event.dataTransfer?.getData("text/plain") ?? "").length;
    const room = field.maxLength - field.value.length + field.selectionEnd - field.selectionStart;
    if (comes < 2 || comes <= room || event.isComposing) return;
    event.preventDefault();
    tell(`Not taken: it has ${inFigures(comes)} characters, and there is room for ${inFigures(room)}. Shorten it first.`);
  });
  field.tellRoom();
  return [field, line];
}
