"""How counts and shares are said."""

import pytest

from faithfulness.model.vocabulary import Tier
from faithfulness.model.wording import (
    NONE,
    TIERS,
    format_count,
    format_percent,
    format_quote_counts,
    format_undo,
    parse_undone_number,
)


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0 replies"), (1, "1 reply"), (2, "2 replies"), (12_345, "12,345 replies")],
)
def test_a_count_carries_its_noun(value, said):
    assert format_count(value, "reply", "replies") == said


def test_a_plain_noun_takes_an_s():
    assert format_count(3, "item") == "3 items"


@pytest.mark.parametrize(
    ("share", "digits", "said"), [(None, 0, NONE), (0.0, 0, "0 %"), (0.1234, 1, "12.3 %")]
)
def test_a_share_is_in_percent_and_an_undefined_one_is_no_zero(share, digits, said):
    assert format_percent(share, digits) == said


@pytest.mark.parametrize(
    ("reason", "number"),
    [
        ("Takes decision 412 back", 412),
        ("Takes decision 412 back, and rightly so", 0),  # somebody's own words
        ("Takes decision back", 0),
        ("", 0),
    ],
)
def test_only_the_reason_the_store_writes_takes_a_decision_back(reason, number):
    assert parse_undone_number(reason) == number


def test_what_was_taken_back_is_said_with_its_reason():
    said = format_undo("Supported", "it is on page 2")
    assert said == "Takes back Supported, for which the reason was: it is on page 2"


def test_quotes_are_counted_by_how_they_were_found_the_worst_first():
    assert set(TIERS) == set(Tier)
    told = format_quote_counts(1_054, {"verbatim": 1_050, "near": 2, "absent": 2})
    assert told == "1,054 quotes: 2 in no source, 2 with small differences, 1,050 word for word"
    told = format_quote_counts(
        9, {"verbatim": 1, "near": 3, "similar": 4, "absent": 1}, {"near": 3}
    )
    assert told == (
        "9 quotes: 1 in no source, 3 with another number or a “not”, 4 only something similar, "
        "1 word for word"
    )
    assert format_quote_counts(1, {}) == "1 quote: not looked for"
