"""Numbers are read with what they measure, as people write them."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.text.quantities import quantities


def read(text):
    return [(each.low, each.high, each.dimension) for each in quantities(text)]


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("$1,299.00", 1299.0, "money USD"),
        ("1.299,00 €", 1299.0, "money EUR"),
        ("1 299,99 €", 1299.99, "money EUR"),
        ("€1.299", 1299.0, "money EUR"),
        ("価格は3,980円", 3980.0, "money JPY"),
        ("$3M", 3e6, "money USD"),
        ("$1.2 billion", 1.2e9, "money USD"),
        ("50 cents", 0.5, "money USD"),
        ("twenty-five percent", 25.0, "percent"),
        ("8 out of 10 reviewers", 80.0, "percent"),
        ("two thirds of users", 200 / 3, "percent"),
        ("half of the users", 50.0, "percent"),
        ("4.5 out of 5 stars", 4.5, "rating"),
        ("half an hour", 1800.0, "time"),
        ("1 hour 30 minutes", 5400.0, "time"),
        ("a one-year warranty", 31556952.0, "time"),
        ("2 1/2 cups", 2.5 * 0.236588236, "volume"),
        ("1½ litres", 1.5, "volume"),
        ("14-inch display", 14 * 0.0254, "length"),
        ("2000mAh", 2000.0, "charge"),
        ("450°F", 450.0, "degree F"),
        ("180 degrees Celsius", 180.0, "degree C"),
        ("-5 °C", -5.0, "degree C"),
        ("born in 1964", 1964.0, "year"),
        ("1500 songs", 1500.0, "count"),
        ("one hundred and twenty people", 120.0, "count"),
        ("a dozen eggs", 12.0, "count"),
    ],
)
def test_a_number_has_its_value_and_dimension(text, value, dimension):
    ((low, high, found),) = read(text)
    assert low == high == pytest.approx(value)
    assert found == dimension


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("10-15 hours", 36000.0, 54000.0),
        ("10 to 15 hours", 36000.0, 54000.0),
        ("between 10 and 15 hours", 36000.0, 54000.0),
        ("up to 10 hours", -inf, 36000.0),
        ("less than 10 hours", -inf, 36000.0),
        ("no more than 10 hours", -inf, 36000.0),
        ("more than 10 hours", 36000.0, inf),
        ("at least 10 hours", 36000.0, inf),
        ("10 hours or more", 36000.0, inf),
    ],
)
def test_ranges_and_bounds_are_intervals(text, low, high):
    assert read(text) == [(low, high, "time")]


@pytest.mark.parametrize("blank", ["\n", "\t", " \n ", "\u2003", ": "])
def test_a_hedge_is_read_across_any_blank(blank):
    assert read(f"lasts up to{blank}10 hours") == [(-inf, 36000.0, "time")]


def test_sides_of_a_box_share_the_last_unit():
    assert [each.dimension for each in quantities("47.2 x 23.6 x 29 inches")] == ["length"] * 3


@pytest.mark.parametrize("text", ["[3]", "the one I like", "3D", "the 4th", "WH1000", "at 10:30",
                                  "on 2024-01-31", "1. First", "no number"])  # fmt: skip
def test_names_dates_and_list_marks_are_no_quantities(text):
    assert quantities(text) == ()


@pytest.mark.parametrize("text", ["1,192.168.1", "1.299,001.1", "$1,234.567.8 each"])
def test_digits_that_are_written_as_no_number_are_none(text):
    assert quantities(text) == ()


@given(st.text(alphabet="0123456789.,'-/ $€%½kx°ofthwundre\u00a0\n", max_size=80))
@settings(max_examples=400, deadline=None)
def test_spans_lie_in_the_text_and_in_order(text):
    found = quantities(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert [each.start for each in found] == sorted(each.start for each in found)
