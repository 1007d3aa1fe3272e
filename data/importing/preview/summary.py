"""Collect the first examples and the counts shown in the import preview."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from data.importing.preview.preview import Complaint, FirstItem
from data.importing.preview.repeated import find_repeated_answers
from faithfulness.intake.complaints import strip_unit
from faithfulness.intake.intake import Place, PreparedItem
from faithfulness.model.drafts import Draft
from faithfulness.model.vocabulary import Tier
from faithfulness.model.wording import TIERS
from faithfulness.text.altered import BETWEEN, altered
from faithfulness.text.differences import PartKind, compare_words, count_differing_words

_SHOWN_QUOTES = 400
_PART_SHOWN = 160
_FEW = 2  # differences that are spelt out; more of them are only looked at in the reader


class Inexact(NamedTuple):
    """A quote that no source has as it stands, and what the source has."""

    file: str
    line: int
    text: str
    tier: Tier
    found: str  # the words of the source, several places joined by BETWEEN
    turned: str  # what it says instead where its sense is another, else empty

    @property
    def in_words(self) -> str:
        """What differs and the quoted words; empty where no word does."""
        quote = self.text[:_SHOWN_QUOTES]
        if self.tier is Tier.ABSENT:
            return quote
        differs = self.turned or self._differs()
        return f"{differs}: “{quote}”" if differs else ""

    def _differs(self) -> str:
        if self.tier is Tier.SIMILAR:
            return f"only “{_shorten_text(self.found)}” is similar"
        if self.tier is Tier.STITCHED:  # it is counted as that, and its words are the source's
            return ""
        parts = compare_words(self.text, self.found)
        if not count_differing_words(parts):
            return ""
        told = []
        for part in parts:
            said, stands = (
                _shorten_text(part.excerpt_text.strip()),
                _shorten_text(part.source_text.strip()),
            )
            if part.kind is PartKind.CHANGED:
                told.append(f"“{said}” where the source has “{stands}”")
            elif part.kind is PartKind.ADDED and said:
                told.append(f"“{said}” is not in the source")
            elif part.kind is PartKind.LEFT_OUT and stands:
                told.append(f"“{stands}” of the source is left out")
        return ", ".join(told) if len(told) <= _FEW else TIERS[self.tier]


def _shorten_text(text: str) -> str:
    return text if len(text) <= _PART_SHOWN else f"{text[:_PART_SHOWN]}…"


def find_inexact_quotes(draft: Draft, taken: PreparedItem) -> Iterator[Inexact]:
    """Every quote of a draft that was looked for and not found word for word."""
    texts = {each.name: each.text for each in taken.item.fields}
    for each in taken.signed:
        for excerpt in each.answer.excerpts:
            place = excerpt.placement
            if place is None or place.tier is Tier.VERBATIM:
                continue
            found = BETWEEN.join(texts.get(s.field, "")[s.start : s.end] for s in place.spans)
            turned = altered(excerpt.text, place.tier, found)
            file = each.file or draft.file
            yield Inexact(file, each.line, excerpt.text, Tier(place.tier), found, turned)


FIRST_ITEMS = 5
_COMPLAINTS = 500
_MOST_COMPLAINTS = 600  # so that one sentence over and over leaves room for others
_FIRST_QUOTES = 20
_FIRST_ANSWERS = 12
_SHOWN = 400


@dataclass(kw_only=True, slots=True)
class PreviewSummary:
    """The first of everything that is shown before storing, with counts of all."""

    complaint_count: int = 0
    complaints: list[Complaint] = field(default_factory=list)
    times: Counter[tuple[str, str]] = field(default_factory=Counter)  # by file and sentence
    first_items: list[FirstItem] = field(default_factory=list)
    absent_quotes: list[Complaint] = field(default_factory=list)
    altered_quotes: list[Complaint] = field(default_factory=list)
    differing_quotes: list[Complaint] = field(default_factory=list)
    differing: int = 0  # how many of these there are in all
    altered: Counter[tuple[str, str]] = field(default_factory=Counter)  # by run and tier
    unread_replies: list[Complaint] = field(default_factory=list)
    lost: list[Place] = field(default_factory=list)  # answers that no unit can carry
    repeated: list[Place] = field(default_factory=list)  # answers that say the same again
    # Where files have items whose stored sentences are others, by file and item.
    cut_differently: dict[tuple[str, str], Place] = field(default_factory=dict)
    gained: int = 0  # sentences that stored items did not have in any form
    kept: Counter[str] = field(default_factory=Counter)  # by file: answers and given numbers

    def hear(self, run_key: str, draft: Draft, taken: PreparedItem) -> None:
        """Take note of what one draft says, and of what is wrong with it."""
        complaints = _list_complaints(draft, taken)
        self.complaint_count += len(complaints)
        self._keep(complaints, Counter((each.file, strip_unit(each.text)) for each in complaints))
        self._hear_quotes(run_key, draft, taken)
        self.unread_replies += list_unread(draft, taken)
        self.lost += ((each.file or draft.file, each.line) for each in taken.lost)
        if taken.is_cut_differently:
            place = (draft.file, draft.line)
            self.cut_differently.setdefault((draft.file, taken.item.id), place)
            self.gained += taken.gained
        else:
            self.repeated += find_repeated_answers(draft, taken)
        self.kept.update(each.file or draft.file for each in taken.signed)
        self.kept.update(each.file or draft.file for each in draft.numbers)

    def _hear_quotes(self, run_key: str, draft: Draft, taken: PreparedItem) -> None:
        for each in find_inexact_quotes(draft, taken):
            told = Complaint(file=each.file, line=each.line, text=each.in_words)
            if each.tier is Tier.ABSENT:
                self.absent_quotes.append(told)
            elif each.turned:
                self.altered[run_key, each.tier] += 1
                self.altered_quotes.append(told)
            elif told.text:
                self.differing += 1
                self.differing_quotes.append(told)

    def show(self, run_key: str, draft: Draft, taken: PreparedItem) -> None:
        """Keep one of the first items for the screen."""
        if len(self.first_items) < FIRST_ITEMS:
            self.first_items.append(_build_first_item(run_key, draft, taken))

    def add(self, other: "PreviewSummary") -> None:
        """What was told about the next part of the same import."""
        self.complaint_count += other.complaint_count
        self._keep(other.complaints, other.times)
        self.first_items += other.first_items[: FIRST_ITEMS - len(self.first_items)]
        self.absent_quotes += other.absent_quotes[: _FIRST_QUOTES - len(self.absent_quotes)]
        self.altered_quotes += other.altered_quotes[: _FIRST_QUOTES - len(self.altered_quotes)]
        self.differing += other.differing
        left = _FIRST_QUOTES - len(self.differing_quotes)
        self.differing_quotes += other.differing_quotes[:left]
        self.altered += other.altered
        self.unread_replies += other.unread_replies
        self.lost += other.lost
        self.repeated += other.repeated
        self.cut_differently |= other.cut_differently
        self.gained += other.gained
        self.kept += other.kept

    @property
    def complaint_times(self) -> dict[str, dict[str, int]]:
        """How often each sentence among the complaints comes in all, by file."""
        found: dict[str, dict[str, int]] = {}
        for (file, text), many in self.times.items():
            found.setdefault(file, {})[text] = many
        return found

    def _keep(self, complaints: Iterable[Complaint], times: Counter[tuple[str, str]]) -> None:
        """The first complaints, then those that say something new; what is like them is counted."""
        for each in complaints:
            key = (each.file, strip_unit(each.text))
            if len(self.complaints) < (_COMPLAINTS if key in self.times else _MOST_COMPLAINTS):
                self.complaints.append(each)
                self.times.setdefault(key, 0)
        for key, many in times.items():
            if key in self.times:
                self.times[key] += many


def list_unread(draft: Draft, taken: PreparedItem) -> list[Complaint]:
    """Why replies could not be read, each reason once a reply; one answer with its unit."""
    reasons: dict[tuple[int, str, str], list[str]] = {}
    for signed in taken.signed:
        answer = signed.answer
        if signed.reply_no is not None and answer.is_unread:
            key = signed.line or draft.line, answer.criterion, answer.problem
            reasons.setdefault(key, []).append(answer.unit_id)
    return [
        Complaint(
            file=draft.file,
            line=line,
            text=f"{f'{unit_ids[0]}, ' * (len(unit_ids) == 1)}{criterion}: {problem}",
        )
        for (line, criterion, problem), unit_ids in reasons.items()
    ]


def _list_complaints(draft: Draft, taken: PreparedItem) -> list[Complaint]:
    """What breaks a rule, and every value of the file that is not on the scale."""
    problems = [
        (each.file or draft.file, each.line, each.problem) for each in draft.said if each.problem
    ]
    told = sorted([*taken.complaints, *problems])
    return [Complaint(file=file, line=line, text=text) for file, line, text in told]


def _build_first_item(key: str, draft: Draft, taken: PreparedItem) -> FirstItem:
    texts = {unit.id: unit.text for unit in taken.item.units}
    return FirstItem(
        run_key=key,
        external_id=draft.external_id,
        fields={each.name: each.text[:_SHOWN] for each in taken.item.fields},
        answers=[
            {
                "author": f"{each.author.kind} {each.author.name}",
                "criterion": each.answer.criterion,
                "unit": texts.get(each.answer.unit_id, "")[:_SHOWN],
                "value": each.answer.value or "",
                "problem": each.answer.problem,
            }
            for each in taken.signed[:_FIRST_ANSWERS]
        ],
        further_ids=list(draft.further_ids),
    )
