"""Sentences claim no more than their intervals do."""

import pytest

from faithfulness.statistics import sentence
from faithfulness.statistics.agreement import Estimate


def number(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(name="percent", value=value, low=low, high=high, items=412, units=2031)


def header(percent: Estimate | None = None) -> str:
    return sentence.format_header(
        percent or number(0.85, 0.82, 0.88),
        judge="judge north",
        reference="the majority of raters",
        unit="sentence",
    )


def test_the_sentence_names_both_sides_and_n():
    assert header() == (
        "On 412 items with both, judge north and the majority of raters give the same label to "
        "85 % [82, 88] of 2,031 sentences."
    )


def test_nothing_shared_is_said_not_shown_as_zero():
    text = header(number(None))
    assert text == "Judge north and the majority of raters have no label on the same sentence."


def test_kappa_and_ac1_far_apart_warn_and_near_each_other_do_not():
    far = sentence.format_skew_warning(number(0.2), number(0.9), "Supported", number(0.94))
    assert "0.20" in far
    assert "0.90" in far
    assert "94 % of the reference's are Supported" in far
    assert sentence.format_skew_warning(number(0.75), number(0.9), "Supported", number(0.9)) == ""
    assert sentence.format_skew_warning(number(None), number(0.9), "Supported", number(0.9)) == ""


@pytest.mark.parametrize(
    ("percent", "said"),
    [
        (number(0.8, 0.75, 0.85), "surpasses"),
        (number(0.7, 0.6, 0.8), "do not show that this judge does better"),
        (number(0.5, 0.4, 0.6), "more than this judge"),
        (number(0.8), "would reach 66 %."),
        (number(None), ""),
    ],
)
def test_a_judge_is_held_against_always_the_commonest_label(percent, said):
    assert said in sentence.compare_with_baseline(percent, number(0.66), "Supported")


def test_a_share_without_interval_shows_none():
    assert sentence.format_share(number(0.5)) == "50 %"
    assert sentence.format_share(number(None)) == "—"
