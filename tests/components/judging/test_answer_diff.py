"""What stands under an author's name in a rerun is about the new answer, and says so."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from components.judging.answer_diff import build_new_cell, compare, describe_change
from faithfulness.judging.rerun import AnswerChange, ChangeKind, Drift, Sample
from faithfulness.model.protocol import ReplyReading
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Field,
    Item,
    Placement,
    Reply,
    Span,
    Tier,
)
from faithfulness.protocols import protocol

LABEL = protocol("sentence_grounding").criterion("label")
ANA = Author(kind=AuthorKind.RATER, name="ana")
JUDGE = Author(kind=AuthorKind.JUDGE, name="north")
BEFORE = Annotation(
    number=1,
    run_id="r",
    item_id="i",
    answer=Answer(unit_id="s1", criterion="label", value="contradictory"),
    author=ANA,
    signed_at=datetime(2026, 1, 1, tzinfo=UTC),
)
AFTER = Answer(unit_id="s1", criterion="label", value="unsupported")
SOURCE = "A warranty of 24 months."
ITEM = Item(id="i", fields=(Field(name="context", kind="context", text=SOURCE),), units=())
MOVED = AnswerChange(
    unit_id="s1",
    criterion="label",
    kind=ChangeKind.MOVED,
    before=BEFORE,
    after=AFTER,
    excerpts=Drift.DROPPED,
)


def quoted(text, tier):
    span = Span(field="context", start=0, end=len(SOURCE))
    return Excerpt(text=text, placement=Placement(tier=tier, coverage=0.9, spans=(span,)))


def test_a_note_under_a_rater_speaks_of_the_new_answer():
    assert describe_change(MOVED, LABEL, JUDGE, ITEM) == "new answer: Unsupported · without a quote"
    gone = replace(MOVED, kind=ChangeKind.GONE, after=None, excerpts=Drift.NONE)
    assert describe_change(gone, LABEL, JUDGE, ITEM) == "new answer: none"


def test_both_tiers_are_told_by_their_names_and_no_difference_by_nothing():
    same = replace(MOVED, kind=ChangeKind.SAME, excerpts=Drift.SAME)
    assert describe_change(same, LABEL, JUDGE, ITEM) == ""
    words = quoted(SOURCE, Tier.VERBATIM)
    slip = quoted("A waranty of 24 months.", Tier.NEAR)
    turned = quoted("A warranty of 36 months.", Tier.NEAR)

    def told(before, *after):
        stored = replace(BEFORE, answer=replace(AFTER, excerpts=(before,)))
        change = replace(same, before=stored, after=replace(AFTER, excerpts=after))
        return describe_change(change, LABEL, JUDGE, ITEM)

    small, other = "with small differences", "with another number or a “not”"
    assert told(words, slip) == f"new answer: quote {small} (here word for word)"
    against = "36 months against 24 months"
    assert told(slip, words, slip, turned) == f"new answer: quote {other}: {against} (here {small})"
    assert told(slip, words, slip) == told(words) == ""


@pytest.mark.parametrize(
    ("confidence", "note"),
    [
        (0.26, "low confidence, 26\u00a0%: more likely wrong than right"),
        (0.64, "low confidence, 64\u00a0%"),
        (0.74, ""),
        (None, ""),
    ],
)
def test_a_label_that_its_judge_is_not_sure_of_says_so_below_it(confidence, note):
    said = replace(AFTER, value="supported", confidence=confidence)
    sample = Sample(reply=Reply(text="x"), reading=ReplyReading(answers=(said,)), cost=None)
    rules = protocol("sentence_grounding")
    diff = compare(Item(id="i", fields=(), units=()), rules, [], [sample], JUDGE)
    cell = build_new_cell(("s1", "label"), LABEL, diff)
    assert (cell.text, cell.note) == ("Supported", note)


@pytest.mark.parametrize(
    ("key", "values", "note"),
    [
        ("sentence_grounding", ("no_rad", "supported", "supported"),
         "3 samples: supported ×2, no attribution needed ×1"),
        ("comparative_summary", tuple("52342"), "median of 5 samples: 2 ×2, 3 ×1, 4 ×1, 5 ×1"),
        ("comparative_summary", ("4", None, "4"), "median of 2 of 3 samples: 4 ×2, unread ×1"),
        ("comparative_summary", ("2", "5"), "samples tied: 2 ×1, 5 ×1"),
    ],
)  # fmt: skip
def test_a_settled_label_shows_its_samples_and_no_confidence(key, values, note):
    rules = protocol(key)
    criterion = rules.criteria[0]
    answers = [
        Answer(unit_id="u", criterion=criterion.key, value=value, problem="" if value else "odd")
        for value in values
    ]
    samples = [
        Sample(reply=Reply(text="x"), reading=ReplyReading(answers=(answer,)), cost=None)
        for answer in answers
    ]
    diff = compare(Item(id="i", fields=(), units=()), rules, [], samples, JUDGE)
    shown = build_new_cell(("u", criterion.key), criterion, diff).note
    assert shown.replace("\u00a0", " ") == note
