"""What stands under an author's name in a rerun is about the new answer, and says so."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from components.answer_diff import compare, in_words, new_cell
from faithfulness.protocol import Reading
from faithfulness.protocols import protocol
from faithfulness.rerun import Change, Drift, Kind, Sample
from faithfulness.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Item,
    Reply,
    Tier,
)

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
MOVED = Change(
    unit_id="s1",
    criterion="label",
    kind=Kind.MOVED,
    before=BEFORE,
    after=AFTER,
    excerpts=Drift.DROPPED,
)


def test_a_note_under_a_rater_speaks_of_the_new_answer():
    assert in_words(MOVED, LABEL, JUDGE) == "new answer: Unsupported · without a quote"
    gone = replace(MOVED, kind=Kind.GONE, after=None, excerpts=Drift.NONE)
    assert in_words(gone, LABEL, JUDGE) == "new answer: none"


def test_both_tiers_are_told_by_their_names_and_no_difference_by_nothing():
    same = replace(MOVED, kind=Kind.SAME, excerpts=Drift.SAME)
    assert in_words(same, LABEL, JUDGE) == ""
    worse = replace(same, tiers=(Tier.VERBATIM, Tier.NEAR))
    assert in_words(worse, LABEL, JUDGE) == (
        "new answer: quote with small differences (here word for word)"
    )


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
    sample = Sample(reply=Reply(text="x"), reading=Reading(answers=(said,)), cost=None)
    rules = protocol("sentence_grounding")
    diff = compare(Item(id="i", fields=(), units=()), rules, [], [sample], JUDGE)
    cell = new_cell(("s1", "label"), LABEL, diff)
    assert (cell.text, cell.note) == ("Supported", note)
