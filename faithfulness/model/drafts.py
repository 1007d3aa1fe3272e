"""Drafts: the contents of an import file before segmentation, alignment and placement.

These are NamedTuples, not frozen dataclasses: an import creates one object for every label of the
file, and a dataclass takes several times as long to create (benchmarks/import_speed.py).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from faithfulness.model.vocabulary import Author, Field, UnitKind


class DraftDecision(NamedTuple):
    """What a decision says beside its label, where an adjudicator's answer is one of this desk."""

    reason: str
    error_class: str = ""
    how: str = "decided"
    guidance: str = ""  # fingerprints of the words that were in force
    prompt: str = ""
    seconds: float = 0.0
    section: str = ""  # of the guidance, for which `wording` is proposed
    wording: str = ""


class DraftAnswer(NamedTuple):
    """One label as the file has it; `text` is the author's own sentence or claim."""

    author: Author
    criterion: str
    value: str | None
    unit: UnitKind
    text: str = ""  # sentence or claim as written; empty for the whole response
    field: str = "response"  # the reviewed field the unit belongs to
    sentence: str = ""  # for a claim: the sentence it came from, where the file says so
    rationale: str = ""
    excerpts: Sequence[str] = ()
    links: Sequence[str] = ()
    checks: Sequence[str] = ()
    comment: str = ""
    confidence: float | None = None
    # Marked parts of the unit with their own value: (start, end, value) in the reviewed field.
    parts: Sequence[tuple[int, int, str]] = ()
    problem: str = ""
    line: int = 0
    file: str = ""  # where files were merged: the one that `line` counts in; else the draft's
    unit_id: str = ""  # which of several sentences with the same words
    decision: DraftDecision | None = None
    start: int | None = None  # where `text` stands in `field`, in characters from 0
    end: int | None = None


class RawReply(NamedTuple):
    """A judge's reply as it came; the protocol's parser reads it at import."""

    author: Author
    text: str
    model: str = ""
    finish_reason: str = ""
    line: int = 0


class Number(NamedTuple):
    """A number the file gives for a whole item without the answers behind it."""

    author: Author
    name: str
    value: float | None
    line: int = 0
    file: str = ""


class Stated(NamedTuple):
    """A claim the file lists though nobody judged it: a unit without an answer."""

    text: str
    field: str = "response"
    sentence: str = ""


class QuestionOption(NamedTuple):
    """One possible answer to a question: what the import is then told, and the words shown."""

    value: str
    title: str


class ImportQuestion(NamedTuple):
    """What a person must say about a column or an annotator of a file before it is stored."""

    file: str
    column: str  # empty where an annotator is asked about
    text: str
    choices: Sequence[QuestionOption]  # roles of the column, or kinds of the annotator
    protocol: str = ""
    annotator: str = ""


class Draft(NamedTuple):
    """One item of one run as a file has it."""

    protocol: str
    system: str
    external_id: str
    fields: tuple[Field, ...]
    said: Sequence[DraftAnswer] = ()
    replies: Sequence[RawReply] = ()
    numbers: Sequence[Number] = ()
    attributes: Mapping[str, str] = {}
    # Sentences of the reviewed field when the file brings its own cut; else our cutter cuts.
    cut: Sequence[str] | None = None
    file: str = ""
    line: int = 0
    claims: Sequence[Stated] = ()  # units beside those that `said` speaks of
    # (column, what it was taken for, why) of reasons that no answer takes up -> how many cells
    unheard: Mapping[tuple[str, str, str], int] = {}
    questions: Sequence[ImportQuestion] = ()  # about the draft's file, on its first draft
    further_ids: Sequence[str] = ()  # of other records with the same texts that are this item
    # Which of the records with these texts it is, where one annotator answers about several.
    occurrence: int = 1
    stated_authors: frozenset[Author] = frozenset()  # those whose kind the file itself says
