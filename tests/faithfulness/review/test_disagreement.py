"""How far answers lie apart, who differs, and why a disagreement stands where it does."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from faithfulness.model.contradiction import UnitCase
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Field,
    Item,
    make_response_unit,
)
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.review.disagreement import (
    ERROR_CLASSES,
    Decision,
    Disagreement,
    DisagreementKind,
    compute_weight,
    explain_order,
    list_kinds,
    severity,
)

LABEL = protocol("sentence_grounding").criterion("label")
SCORE = protocol("expert_rubric").criterion("accuracy")
DAY = datetime(2026, 11, 5, tzinfo=UTC)


def disagreement(said, criterion=LABEL, sure=(), **more):
    """One answer for each pair of an author ("rater ada") and a value; `sure` says how sure."""
    unit = make_response_unit("response", "It costs $49.")
    notes = tuple(
        Annotation(
            number=number,
            run_id="r",
            item_id="i",
            answer=Answer(
                unit_id=unit.id,
                criterion=criterion.key,
                value=value,
                confidence=dict(sure).get(name),
            ),
            author=Author(kind=AuthorKind(name.split()[0]), name=name.split()[1]),
            signed_at=DAY,
        )
        for number, (name, value) in enumerate(said.items(), start=1)
    )
    case = UnitCase(
        run_id="r",
        run_name="run",
        system="s",
        protocol="sentence_grounding",
        external_id="q1",
        item=Item(
            id="i",
            fields=(Field(name="response", kind="response", text=unit.text),),
            units=(unit,),
        ),
        unit=unit,
        number=1,
        of=1,
        annotations=notes,
    )
    facts = {
        "kinds": (DisagreementKind.JUDGE_RATERS,),
        "severity": 1.0,
        "weight": 1.0,
        "sureness": None,
    }
    return Disagreement(case=case, criterion=criterion, **facts | more)


@pytest.mark.parametrize(
    ("values", "distance"),
    [
        (("supported", "contradictory"), 1.0),
        (("supported", "unsupported"), 0.6),
        (("unsupported", "contradictory"), 0.4),
        (("no_rad", "supported"), 0.5),
        (("supported", "supported"), 0.0),
        (("supported", "unsupported", "contradictory"), 1.0),
        (("supported", "walrus"), 0.0),
        ((), 0.0),
    ],
)
def test_labels_are_as_far_apart_as_their_tones(values, distance):
    assert severity(LABEL.scale, values) == distance


def test_two_labels_of_one_tone_are_near():
    scale = protocol("response_consistency").criterion("consistency").scale
    tones = {}
    for label in scale.labels:
        tones.setdefault(label.tone, []).append(label.value)
    twins = next(values for values in tones.values() if len(values) > 1)
    assert severity(scale, twins[:2]) == 0.3


def test_scores_are_as_far_apart_as_their_steps():
    assert severity(SCORE.scale, ("1", "5")) == 1.0
    assert severity(SCORE.scale, ("5", "3", "4")) == 0.5


def test_every_pair_of_different_labels_of_every_protocol_has_a_distance():
    for each in PROTOCOLS.values():
        for criterion in each.criteria:
            for one, other in pairwise(criterion.scale.values):
                assert 0 < severity(criterion.scale, (one, other)) <= 1


def test_a_judge_is_against_raters_when_it_does_not_say_what_most_of_them_say():
    assert list_kinds({"a": 2, "b": 1}, {"b": 1}) == (
        DisagreementKind.JUDGE_RATERS,
        DisagreementKind.RATERS,
    )
    assert list_kinds({"a": 2, "b": 1}, {"a": 1}) == (DisagreementKind.RATERS,)
    assert list_kinds({"a": 1, "b": 1}, {"a": 1}) == (DisagreementKind.RATERS,)
    assert list_kinds({}, {"a": 1, "b": 1}) == (DisagreementKind.JUDGES,)
    assert list_kinds({"a": 1}, {"a": 1}, ("a", "b", "a")) == (DisagreementKind.UNSTABLE,)
    assert list_kinds({"a": 3}, {"a": 1}, ("a", "a")) == ()


def test_distance_voices_sureness_and_trouble_each_raise_the_weight():
    base = compute_weight(0.5, 3, 0.5, absent=False, clash=False)
    assert compute_weight(1.0, 3, 0.5, absent=False, clash=False) == 2 * base
    assert compute_weight(0.5, 5, 0.5, absent=False, clash=False) > base
    assert compute_weight(0.5, 3, 0.9, absent=False, clash=False) > base
    assert compute_weight(0.5, 3, 0.5, absent=True, clash=False) > base
    assert compute_weight(0.5, 3, 0.5, absent=False, clash=True) > base
    assert compute_weight(0.5, 3, None, absent=False, clash=False) == base
    assert compute_weight(0.0, 9, 1.0, absent=True, clash=True) == 0


def test_the_order_is_explained_by_what_it_is_made_of():
    raters = dict.fromkeys(("rater ada", "rater ben", "rater chi"), "contradictory")
    found = disagreement(
        {"judge north": "supported", **raters},
        absent=(AuthorKind.JUDGE,),
        clashes=("number",),
        sure={"judge north": 0.8},
        sureness=0.8,
    )
    assert explain_order(found) == (
        "supported against contradictory",
        "all 3 raters against the judge",
        "the judge's stated confidence 80 %",
        "the judge's quote is in no source",
        "numbers clash with a source",
    )


def test_it_is_said_whose_confidence_it_is_or_that_it_is_a_mean():
    said = {"judge north": "supported", "rater ada": "contradictory", "rater ben": "contradictory"}
    alone = disagreement(said, sure={"rater ada": 0.9}, sureness=0.9)
    assert explain_order(alone)[2] == "a rater's stated confidence 90 %"
    both = disagreement(said, sure={"rater ada": 0.9, "judge north": 0.7}, sureness=0.8)
    assert explain_order(both)[2] == "mean of 2 stated confidences 80 %"


def test_what_checks_found_is_one_reason_in_words():
    said = {"judge north": "supported", "rater ada": "contradictory"}
    found = disagreement(said, found=(("product_figure", "price"),))
    assert explain_order(found)[2:] == ("a check found: price differs",)
    keys = (("quoted_review", "absent"), ("product_figure", "limit"))
    assert explain_order(disagreement(said, clashes=("number",), found=keys))[2:] == (
        "numbers clash with a source",
        "a check found: quoted review is in no review, limit does not hold",
    )


@pytest.mark.parametrize(
    ("judges", "raters", "told"),
    [
        ("s", "c", "the rater against the judge"),
        ("s", "cu", "both raters against the judge"),
        ("s", "ccs", "2 of 3 raters against the judge"),
        ("s", "cus", "1 rater against 1 rater against 1 rater"),
        ("su", "cc", "both raters against both judges"),
        ("sc", "cc", "both raters against 1 of 2 judges"),
        ("sc", "ccs", "2 of 3 raters against 1 of 2 judges"),
        ("ssu", "cccc", "all 4 raters against all 3 judges"),
        ("ssc", "cccu", "all 4 raters against 2 of 3 judges"),
        ("", "su", "1 rater against 1 rater"),
        ("s", "uss", "2 raters against 1 rater"),
        ("s", "su", "1 rater against 1 rater"),
        ("", "csus", "2 raters against 1 rater against 1 rater"),
        ("su", "", "1 judge against 1 judge"),
        ("su", "su", "1 rater against 1 rater, 1 judge against 1 judge"),
    ],
)
def test_sides_say_who_is_on_them_and_of_how_many(judges, raters, told):
    words = {"s": "supported", "u": "unsupported", "c": "contradictory"}
    said = {f"judge {nth}": words[each] for nth, each in enumerate(judges)}
    said |= {f"rater {nth}": words[each] for nth, each in enumerate(raters)}
    counts = [Counter(words[each] for each in side) for side in (raters, judges)]
    found = explain_order(disagreement(said, kinds=list_kinds(*counts)))
    assert found[1] == told


@pytest.mark.parametrize("gone", ["rater ada", "judge north"])
def test_a_side_that_nobody_is_on_any_more_is_not_told(gone):
    said = {"rater ada": "supported", "judge north": "contradictory", gone: None}
    for kinds in (
        (DisagreementKind.JUDGE_RATERS,),
        (DisagreementKind.RATERS, DisagreementKind.JUDGES),
    ):
        assert " 0 " not in " ".join(explain_order(disagreement(said, kinds=kinds)))
    assert explain_order(disagreement(said)) == ()


def test_scores_and_unstable_judges_are_explained_too():
    two = disagreement(
        {"rater ada": "1", "rater ben": "4", "rater chi": "4"},
        SCORE,
        kinds=(DisagreementKind.RATERS,),
    )
    assert explain_order(two) == ("1 against 4", "1 rater against 2 raters")
    judges = disagreement({"judge a": "1", "judge b": "2"}, SCORE, kinds=(DisagreementKind.JUDGES,))
    assert explain_order(judges)[1] == "1 judge against 1 judge"
    unstable = disagreement(
        {"judge north": "supported"},
        kinds=(DisagreementKind.UNSTABLE,),
        samples=(("north", ("supported", "unsupported", "supported")),),
    )
    assert explain_order(unstable) == (
        "supported against unsupported",
        "north said supported 2×, unsupported 1×",
    )


def test_a_decision_that_is_taken_back_leaves_it_open():
    first = Decision(
        number=5,
        value="supported",
        by="eve",
        reason="r",
        error_class="other",
        decided_at=DAY,
        is_current=False,
    )
    again = replace(first, number=6, value="unsupported", is_current=True)
    taken_back = replace(again, value=None)
    said = {"rater ada": "supported", "judge north": "unsupported"}
    assert disagreement(said).decided is None
    assert disagreement(said, decisions=(first, again)).decided == again
    assert disagreement(said, decisions=(first, taken_back)).decided is None


def test_error_classes_are_the_stored_ones():
    assert list(ERROR_CLASSES) == [
        "judge_wrong",
        "rater_wrong",
        "both_defensible",
        "guideline_gap",
        "ambiguous_source",
        "bad_cut",
        "excerpt_missing",
        "other",
    ]
