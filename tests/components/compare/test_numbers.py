"""A difference is shown beside two numbers: where rounding parts them, that is said."""

import pytest

from components.compare.numbers import describe_units, fits
from faithfulness.statistics.comparison import Difference
from faithfulness.statistics.paired import PairedNumber


def measure(first, second):
    value = None if None in (first, second) else second - first
    found = Difference(name="share", value=value, low=None, high=None, p=None, items=3)
    return PairedNumber(name="share", first=first, second=second, difference=found)


@pytest.mark.parametrize(
    ("first", "second", "is_right"),
    [
        (0.706, 0.544, False),  # shown as 0.71 and 0.54, with −0.16 between them
        (0.71, 0.54, True),
        (0.1, 0.4, True),
        (0.333, 0.333, True),
        (0.5, None, True),
    ],
)
def test_a_difference_that_rounding_parts_from_its_numbers_is_noticed(first, second, is_right):
    assert fits(measure(first, second)) is is_right


def test_units_are_told_only_where_the_sides_labelled_different_ones():
    said = describe_units((30, 28, 28), "sentence")
    assert "A labelled 30 sentences and B 28" in said
    assert "counts the 28 that both labelled" in said
    assert describe_units((28, 28, 26), "sentence")  # as many on either side, but other ones
    assert describe_units((28, 28, 28), "sentence") == ""
