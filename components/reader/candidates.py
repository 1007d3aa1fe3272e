"""Send the source passages most similar to the selected text to the reader."""

from components.reader.annotation_view import title
from components.ui.mounted import mount_component
from faithfulness.model.vocabulary import Item
from faithfulness.text.candidates import find_candidates

# A component of its own: what it carries is small, and the item's texts are not sent again.
_mount = mount_component("plumbline_candidates", "reader/courier.js")


def send_candidates(item: Item, words: str, *, key: str) -> None:
    """Send the nearest passages to the reader; nothing until somebody asked."""
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    found = find_candidates(words, item.sources) if words else ()
    data = {
        "item": item.id,
        "words": words,
        "found": [
            {
                "source": each.span.field,
                "title": titles[each.span.field],
                "text": each.text,
                "score": each.score,
            }
            for each in found
        ],
    }
    _mount(key=key, data=data)
