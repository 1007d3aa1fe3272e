"""Word diff of two texts: deletions are struck through, insertions underlined."""

from collections.abc import Sequence

from components.ui.mounted import mount_component
from faithfulness.text.differences import PartKind, compare_words

_mount = mount_component(
    "plumbline_word_diff",
    "assets/text.css",
    "assets/text.js",
    "evidence/word_diff/word_diff.css",
    "evidence/word_diff/word_diff.js",
)

Section = tuple[str, str, str]  # its title, the older text and the newer one


def show_word_diff(sections: Sequence[Section], *, key: str, label: str) -> None:
    """Draw each section with what changed in it; letters, blanks and line ends all count."""
    data = {
        "label": label,
        "sections": [
            {"title": title, "parts": parts(older, newer)} for title, older, newer in sections
        ],
    }
    _mount(key=key, data=data)


def parts(older: str, newer: str) -> list[tuple[str, str]]:
    """Runs of text, each with same, gone or new; a changed run is gone, then new."""
    found: list[tuple[str, str]] = []
    for each in compare_words(older, newer, to_the_letter=True):
        if each.kind is PartKind.SAME:
            found.append(("same", each.excerpt_text))
            continue
        found += [("gone", each.excerpt_text)] if each.excerpt_text else []
        found += [("new", each.source_text)] if each.source_text else []
    return found
