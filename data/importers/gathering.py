"""Gathering: drafts of all files brought together by item, and ids that clash refused."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from data.importers.controls import REPLACEMENT
from faithfulness.drafts import Draft
from faithfulness.errors import ImportRefused
from faithfulness.names import with_folded_names
from faithfulness.protocols import PROTOCOLS
from faithfulness.vocabulary import Author, Field, item_id_of

_Run = tuple[str, str]
_Voice = tuple[Author | None, str]


class Place(NamedTuple):
    """Where an id or an answer was first met."""

    file: str
    line: int
    item_id: str = ""
    external_id: str = ""


@dataclass(kw_only=True, slots=True)
class Gathered:
    """All drafts of an import, grouped by item in the order of first appearance."""

    groups: dict[str, list[Draft]] = field(default_factory=dict)
    runs: dict[_Run, dict[str, int]] = field(default_factory=dict)  # item -> position in its run


def gather(drafts: Iterable[Draft]) -> Gathered:
    """Bring drafts together.

    Raises:
        ImportRefused: an id is used twice by one author, or for two texts; no draft at all.
    """
    gathered, ids = Gathered(), _Ids()
    for draft in drafts:
        _check_fields(draft)
        draft, item_id = ids.admit(with_folded_names(draft))
        gathered.groups.setdefault(item_id, []).append(draft)
        positions = gathered.runs.setdefault((draft.protocol, draft.system), {})
        positions.setdefault(item_id, len(positions))
    if not gathered.groups:
        raise ImportRefused("The files hold no item; there is nothing to import.")
    return gathered


def _check_fields(draft: Draft) -> None:
    names = [each.name for each in draft.fields]
    if len(set(names)) != len(names):
        raise ImportRefused(f"{_where(draft)}: a field is given twice; keep one of them")
    if draft.numbers and not (draft.said or draft.replies):
        return  # a metric's scores alone: nobody answered about a text
    reviewed = PROTOCOLS[draft.protocol].checked_against
    texts = [each.text.replace(REPLACEMENT, "") for each in draft.fields if each.name in reviewed]
    if not any(map(str.strip, texts)):
        raise ImportRefused(f"{_where(draft)}: there is no text to review; add the response")


def _where(draft: Draft) -> str:
    return f"{draft.file} line {draft.line}"


def _voices(draft: Draft) -> set[_Voice]:
    """Who says what about the item; a draft in which nobody speaks has one silent voice."""
    found: set[_Voice] = {(each.author, each.criterion) for each in draft.said}
    found |= {(each.author, "reply") for each in draft.replies}
    found |= {(each.author, f"number {each.name}") for each in draft.numbers}
    return found or {(None, "")}


class _Ids:
    """The ids and voices met so far."""

    def __init__(self) -> None:
        self._ids: dict[tuple[_Run, str], Place] = {}
        self._voices: dict[tuple[_Run, str], dict[_Voice, Place]] = {}

    def admit(self, draft: Draft) -> tuple[Draft, str]:
        """The draft with its item id; twins of one run are told apart by their own ids."""
        run = (draft.protocol, draft.system)
        item_id = item_id_of(draft.fields)
        place = Place(draft.file, draft.line, item_id, draft.external_id)
        if draft.external_id:
            first = self._ids.setdefault((run, draft.external_id), place)
            if first.item_id != item_id:
                raise _refused(draft, first, "has other texts", "give different texts other ids")
        voices = _voices(draft)
        spoken = self._voices.setdefault((run, item_id), {})
        clash = next((spoken[voice] for voice in voices if voice in spoken), None)
        if clash is not None:
            if clash.external_id == draft.external_id:
                raise _refused(draft, clash, "is there again", "keep one of them")
            draft, item_id = self._twin(run, draft, clash)
            spoken = self._voices.setdefault((run, item_id), {})
        spoken.update(dict.fromkeys(voices, place))
        return draft, item_id

    def _twin(self, run: _Run, draft: Draft, first: Place) -> tuple[Draft, str]:
        """A row whose texts all occurred before: its id joins the texts, so that it stays a row."""
        own = Field(name="topic", kind="topic", text=draft.external_id)
        others = tuple(each for each in draft.fields if each.name != "topic")
        twin = draft._replace(
            fields=(*others, own),
            attributes={**draft.attributes, "same_texts_as": first.external_id},
        )
        item_id = item_id_of(twin.fields)
        if (run, item_id) in self._voices:
            raise _refused(draft, first, "is there again", "keep one of them")
        return twin, item_id


def _refused(draft: Draft, first: Place, what: str, remedy: str) -> ImportRefused:
    name = draft.external_id
    thing = f"the id {name[:80]!r}" if name else "an item without an id"
    return ImportRefused(
        f"{_where(draft)}: {thing} {what} (first in {first.file} line {first.line}); {remedy}"
    )
