"""Parse the letter codes and notes of the sample files: one letter per annotator."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind

# The order is the order of the letters in every code.
AUTHORS: Mapping[str, Author] = {
    "nora": Author(kind=AuthorKind.RATER, name="Nora"),
    "felix": Author(kind=AuthorKind.RATER, name="Felix"),
    "priya": Author(kind=AuthorKind.RATER, name="Priya"),
    "north": Author(kind=AuthorKind.JUDGE, name="judge-north-2"),
    "harbor": Author(kind=AuthorKind.JUDGE, name="judge-harbor-mini"),
}
# This judge is stored by its raw replies, so that the protocols' parsers read them.
WRITER = "north"

LABELS = {"S": "supported", "U": "unsupported", "C": "contradictory", "N": "no_rad"}
CLAIM_VALUES = {"T": "true", "F": "false"}
SCORES = {letter: letter for letter in "12345"}
CONSISTENCY = {
    "E": "yes_evidence",
    "C": "no_contrary_evidence",
    "K": "yes_common_knowledge",
    "A": "no_against_common_knowledge",
    "U": "unsure",
    "N": "nothing_to_check",
}
QUERY_TYPES = {"F": "factoid", "O": "opinion", "B": "broad", "G": "generic"}
# One word where all five agree on the kind of query.
QUERY_CODES = {word: letter * len(AUTHORS) for letter, word in QUERY_TYPES.items()}
NOT_SAID = "-"
IN_REPLY = "."  # the judge's answer stands in the reply that the file spells out


class SampleNote(NamedTuple):
    """What one author added to one answer of theirs."""

    why: str = ""
    excerpts: tuple[str, ...] | None = None  # None: the excerpts everybody quotes here


def parse_columns(code: str, meanings: Mapping[str, str], where: str) -> dict[str, str]:
    """Each author's value by their letter in the code; authors who said nothing are left out."""
    letters = code.replace(" ", "")
    unknown = set(letters) - set(meanings) - {NOT_SAID, IN_REPLY}
    if len(letters) != len(AUTHORS) or unknown:
        raise ReviewError(
            f"{where}: the code {code!r} needs {len(AUTHORS)} letters, one for each of "
            f"{', '.join(AUTHORS)}, out of {' '.join(meanings)} {NOT_SAID} {IN_REPLY}"
        )
    found = zip(AUTHORS, letters, strict=True)
    return {key: meanings[letter] for key, letter in found if letter in meanings}


def parse_notes(entry: Mapping[str, Any]) -> dict[str, SampleNote]:
    """The notes of an entry: an author's key with a reason, or with a reason and own excerpts."""
    found = {}
    for key in AUTHORS:
        said = entry.get(key)
        if isinstance(said, str):
            found[key] = SampleNote(said)
        elif said is not None:
            own = said.get("from")
            found[key] = SampleNote(said.get("why", ""), None if own is None else parse_texts(own))
    return found


def parse_texts(said: str | Sequence[str] | None) -> tuple[str, ...]:
    """One text or several, as the file likes to write them."""
    if said is None:
        return ()
    return (said,) if isinstance(said, str) else tuple(said)


_REASONS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "north": {
        "supported": (
            "The quoted passage states this.",
            "The excerpt entails the whole sentence.",
            "The source says the same in nearly the same words.",
        ),
        "unsupported": (
            "I find no passage that settles this.",
            "The sources do not address it, so it is not entailed.",
        ),
        "contradictory": (
            "The excerpt rules this out.",
            "The source gives something else, so the sentence is falsified.",
        ),
        "no_rad": ("Not a statement of fact.", "A remark that needs no source."),
    },
    "harbor": {
        "supported": ("Stated in the source.", "Mentioned.", "Matches the source."),
        "unsupported": ("Not mentioned.", "No evidence."),
        "contradictory": ("Conflicts with the source.", "Source says otherwise."),
        "no_rad": ("No fact.", "Chit-chat."),
    },
}


def choose_reason(author: str, value: str, text: str) -> str:
    """What a judge writes by habit where the file has no reason of its own; raters write none."""
    choices = _REASONS.get(author, {}).get(value, ("",))
    return choices[len(text) % len(choices)]
