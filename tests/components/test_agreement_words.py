"""Sentences beside the tables of agreement: what may be said of slices and undefined numbers."""

from components.agreement_slices import differing_in_words
from components.reasons import reasons
from faithfulness.statistics.agreement import Estimate


def test_slices_without_an_interval_are_not_said_to_be_alike():
    assert differing_in_words(0, 0).startswith("No slice has an interval")
    assert "looked at 3 slices with an interval" in differing_in_words(0, 3)
    assert differing_in_words(1, 3).startswith("1 slice differs from all items")
    assert differing_in_words(2, 2).endswith("only they have a colour.")


def test_a_reason_names_the_label_and_leaves_f1_as_it_is_written():
    none = {"value": None, "low": None, "high": None, "items": 0, "units": 0}
    said = "neither ever says poor"
    found = [Estimate(name=f"{kind}:poor", reason=said, **none) for kind in ("f1", "precision")]
    assert reasons(found, {"poor": "Poor"}) == ["Neither ever says Poor (Poor F1, Poor precision)."]
