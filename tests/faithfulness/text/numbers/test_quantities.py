"""Numbers are read with what they measure, as people write them."""

import time
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.text.numbers.quantities import find_quantities


def read(text):
    return [(each.low, each.high, each.dimension) for each in find_quantities(text)]


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
        ("half a dozen eggs", 6.0, "count"),
        ("a hundred and twenty people", 120.0, "count"),
        ("three hundred sixty-five days", 365 * 86400.0, "time"),
        ("a one-hundred-and-twenty-minute film", 7200.0, "time"),
        ("two and a half million people", 2.5e6, "count"),
        ("eight-and-a-half years", 8.5 * 31556952.0, "time"),
        ("seven and nine-tenths kilometres", 7900.0, "length"),
        ("a five-and-three-eighths-inch pipe", 5.375 * 0.0254, "length"),
        ("eight and a half years", 8.5 * 31556952.0, "time"),
        ("8 and a half years", 8.5 * 31556952.0, "time"),
        ("a one-and-a-half-year warranty", 1.5 * 31556952.0, "time"),
        ("five and three quarters hours", 5.75 * 3600.0, "time"),
        ("8 and 1/2 years", 8.5 * 31556952.0, "time"),
        ("an hour and a half", 5400.0, "time"),
        ("2 hours and a quarter", 8100.0, "time"),
        ("three quarters of an hour", 2700.0, "time"),
        ("a quarter of an hour", 900.0, "time"),
        ("a half-mile walk", 804.672, "length"),
        ("a 3/8-inch plug", 0.375 * 0.0254, "length"),
        ("1/2 cup", 0.5 * 0.236588236, "volume"),
        ("1⁄2 cup", 0.5 * 0.236588236, "volume"),
        ("2⅜ inches", 2.375 * 0.0254, "length"),
        ("four-and-a-half stars", 4.5, "rating"),
        ("a third of the users", 100 / 3, "percent"),
        ("3/4 of the users", 75.0, "percent"),
        ("three and three-quarter inches", 3.75 * 0.0254, "length"),
        ("a three-and-three-quarter-inch screw", 3.75 * 0.0254, "length"),
        ("two and two-third cups", 8 / 3 * 0.236588236, "volume"),
        ("five point two kilograms", 5.2, "mass"),
        ("zero point two five litres", 0.25, "volume"),
        ("twenty-one point five percent", 21.5, "percent"),
        ("at one point two people", 2.0, "count"),
        ("minus five degrees Celsius", -5.0, "degree C"),
        ("minus 5 °C", -5.0, "degree C"),
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
        ("between ten and fifteen hours", 36000.0, 54000.0),
        ("one to two hours", 3600.0, 7200.0),
        ("between one and two hours", 3600.0, 7200.0),
        ("two-to-three-hour sessions", 7200.0, 10800.0),
        ("two- to three-hour sessions", 7200.0, 10800.0),
        ("1½–2 hours", 5400.0, 7200.0),
        ("one and a half to two hours", 5400.0, 7200.0),
        ("half an hour to an hour and a half", 1800.0, 5400.0),
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


def test_a_range_of_prices_names_its_currency_once_and_two_numbers_stay_two():
    assert read("$10–20") == [(10.0, 20.0, "money USD")]
    between = read("between one hundred and two hundred people")
    assert between == [(100.0, 200.0, "count")]
    assert [low for low, _, _ in read("two hundred five-star reviews")] == [200.0, 5.0]


@pytest.mark.parametrize("text", ["the third day", "a fourth hour of rain", "the first half"])
def test_ordinals_are_no_parts(text):
    assert find_quantities(text) == ()


@pytest.mark.parametrize("blank", ["\n", "\t", " \n ", "\u2003", ": "])
def test_a_hedge_is_read_across_any_blank(blank):
    assert read(f"lasts up to{blank}10 hours") == [(-inf, 36000.0, "time")]


def test_sides_of_a_box_share_the_last_unit():
    assert [each.dimension for each in find_quantities("47.2 x 23.6 x 29 inches")] == ["length"] * 3


@pytest.mark.parametrize("text", ["[3]", "the one I like", "3D", "the 4th", "WH1000", "at 10:30",
                                  "on 2024-01-31", "1. First", "no number"])  # fmt: skip
def test_names_dates_and_list_marks_are_no_quantities(text):
    assert find_quantities(text) == ()


@pytest.mark.parametrize("text", ["1,192.168.1", "1.299,001.1", "$1,234.567.8 each"])
def test_digits_that_are_written_as_no_number_are_none(text):
    assert find_quantities(text) == ()


@given(st.text(alphabet="0123456789.,'-/ $€%½kx°ofthwundre\u00a0\n", max_size=80))
@settings(max_examples=400, deadline=None)
def test_spans_lie_in_the_text_and_in_order(text):
    found = find_quantities(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert [each.start for each in found] == sorted(each.start for each in found)


@pytest.mark.parametrize("words", ["2-and-a-quarter ", "5 one "])
def test_many_numbers_take_no_long_time(words):
    began = time.process_time()
    assert len(find_quantities(words * 20_000)) >= 20_000
    assert time.process_time() - began < 5
