"""Group the drafts of all files by item and reject conflicting ids."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from data.importing.annotator_kind_questions import AnnotatorKinds
from data.importing.controls import REPLACEMENT
from faithfulness.model.drafts import Draft
from faithfulness.model.errors import ImportRefused
from faithfulness.model.names import fold_draft_names
from faithfulness.model.vocabulary import Author, compute_item_id
from faithfulness.protocols import PROTOCOLS

# The attribute of a record whose texts another record of its run has: that one's id.
SAME_TEXTS = "same_texts_as"

_Run = tuple[str, str]
_Voice = tuple[Author | None, str]


class FirstLocation(NamedTuple):
    """Where an id or an answer was first met."""

    file: str
    line: int
    external_id: str = ""
    texts: str = ""  # the id of an item with these texts
    occurrence: int = 1  # which of the items with these texts


@dataclass(kw_only=True, slots=True)
class GatheredDrafts:
    """All drafts of an import, grouped by item in the order of first appearance."""

    groups: dict[str, list[Draft]] = field(default_factory=dict)
    runs: dict[_Run, dict[str, int]] = field(default_factory=dict)  # item -> position in its run
    # Run and item -> the ids of all its records, each with its first place.
    ids: dict[tuple[_Run, str], dict[str, FirstLocation]] = field(default_factory=dict)


def gather_drafts(drafts: Iterable[Draft], kinds: AnnotatorKinds | None = None) -> GatheredDrafts:
    """Bring drafts together.

    Args:
        drafts: the items of all files.
        kinds: who of their raters is a model; None leaves all of them as the files have them.

    Raises:
        ImportRefused: an id is used twice by one author, or for two texts; no draft at all.
    """
    gathered = GatheredDrafts()
    ids = _Ids(gathered)
    for draft in drafts:
        _check_fields(draft)
        draft = fold_draft_names(draft)
        if kinds is not None:
            draft = kinds.settle(draft)
        draft, item_id = ids.admit(draft)
        gathered.groups.setdefault(item_id, []).append(draft)
        positions = gathered.runs.setdefault((draft.protocol, draft.system), {})
        positions.setdefault(item_id, len(positions))
    if not gathered.groups:
        raise ImportRefused("The files hold no item; there is nothing to import.")
    return gathered


def _check_fields(draft: Draft) -> None:
    names = [each.name for each in draft.fields]
    if len(set(names)) != len(names):
        raise ImportRefused(f"{_format_location(draft)}: a field is given twice; keep one of them")
    if draft.numbers and not (draft.said or draft.replies):
        return  # a metric's scores alone: nobody answered about a text
    reviewed = PROTOCOLS[draft.protocol].checked_against
    texts = [each.text.replace(REPLACEMENT, "") for each in draft.fields if each.name in reviewed]
    if not any(map(str.strip, texts)):
        raise ImportRefused(
            f"{_format_location(draft)}: there is no text to review; add the response"
        )


def _format_location(draft: Draft) -> str:
    return f"{draft.file} line {draft.line}"


def _collect_voices(draft: Draft) -> set[_Voice]:
    """Who says what about the item; a draft in which nobody speaks has one silent voice."""
    found: set[_Voice] = {(each.author, each.criterion) for each in draft.said}
    found |= {(each.author, "reply") for each in draft.replies}
    found |= {(each.author, f"number {each.name}") for each in draft.numbers}
    return found or {(None, "")}


def _hash_questions(draft: Draft) -> set[int]:
    """Each question that is answered, by whom; two answers to one of them cannot stand together."""
    found = {
        hash((each.author, each.criterion, each.unit, each.field, each.text, each.start))
        for each in draft.said
    }
    found |= {hash((each.author, "reply")) for each in draft.replies}
    return found | {hash((each.author, "number", each.name)) for each in draft.numbers}


@dataclass(kw_only=True, slots=True)
class _Records:
    """The records of one run that have the same texts."""

    first: FirstLocation
    waiting: Draft | None  # the first record, whose questions matter once there is a second one
    last: dict[int, int] = field(default_factory=dict)  # question -> the last record it is about

    def place(self, draft: Draft, known: int) -> int:
        """Which of the items with these texts the draft is about, counted from 1.

        Args:
            draft: one of the records.
            known: the item that its id names already; 0 where the id is new.
        """
        if self.waiting is not None:
            self.last = dict.fromkeys(_hash_questions(self.waiting), 1)
            self.waiting = None
        questions = _hash_questions(draft)
        occurrence = known or 1 + max((self.last.get(each, 0) for each in questions), default=0)
        for each in questions:
            self.last[each] = max(occurrence, self.last.get(each, 0))
        return occurrence


class _Ids:
    """The ids and voices met so far."""

    def __init__(self, gathered: GatheredDrafts) -> None:
        self._of_items = gathered.ids
        self._ids: dict[tuple[_Run, str], FirstLocation] = {}
        self._records: dict[tuple[_Run, str], _Records] = {}
        self._voices: dict[tuple[_Run, str], dict[_Voice, FirstLocation]] = {}

    def admit(self, draft: Draft) -> tuple[Draft, str]:
        """The draft with its item id.

        Records with the same texts are one item with all their ids. Where one annotator answers
        the same question about several of them, each is an item of its own, so that both count.
        """
        run = (draft.protocol, draft.system)
        texts = compute_item_id(draft.fields)
        own_id = draft.external_id or f"\x00{texts}"  # without an id, its texts name a record
        known = self._ids.get((run, own_id))
        if known and known.texts != texts:
            raise _build_refusal(
                draft, known, "has other texts", "give different texts different ids"
            )
        place = FirstLocation(draft.file, draft.line, draft.external_id, texts)
        records = self._records.get((run, texts))
        if records is None:
            records = self._records[run, texts] = _Records(first=place, waiting=draft)
            occurrence = 1
        else:
            occurrence = records.place(draft, known.occurrence if known else 0)
        place = place._replace(occurrence=occurrence)
        self._check_voices((run, own_id), draft, place)
        for each in (own_id, *draft.further_ids):
            self._ids.setdefault((run, each), place)
        if occurrence == 1:
            item_id = texts
        else:
            item_id = compute_item_id(draft.fields, occurrence)
            draft = _mark_occurrence(draft, occurrence, records.first.external_id)
        ids = self._of_items.setdefault((run, item_id), {})
        for each in (draft.external_id, *draft.further_ids):
            if each:
                ids.setdefault(each, place)
        return draft, item_id

    def _check_voices(self, key: tuple[_Run, str], draft: Draft, place: FirstLocation) -> None:
        """Refuse a record that is there again: its annotators answered about it before."""
        spoken = self._voices.setdefault(key, {})
        voices = _collect_voices(draft)
        clash = next((spoken[voice] for voice in voices if voice in spoken), None)
        if clash is not None:
            raise _build_refusal(draft, clash, "is there again", "keep one of them")
        spoken.update(dict.fromkeys(voices, place))


def _mark_occurrence(draft: Draft, occurrence: int, first_id: str) -> Draft:
    """The draft as a later item with the same texts; its id stays beside the texts."""
    own = {SAME_TEXTS: first_id} if first_id else {}
    return draft._replace(occurrence=occurrence, attributes={**draft.attributes, **own})


def _build_refusal(draft: Draft, first: FirstLocation, what: str, remedy: str) -> ImportRefused:
    name = draft.external_id
    thing = f"the id {name[:80]!r}" if name else "an item without an id"
    return ImportRefused(
        f"{_format_location(draft)}: {thing} {what} (first in {first.file} line "
        f"{first.line}); {remedy}"
    )
