"""How counts and shares are said."""

import pytest

from faithfulness.wording import NONE, counted, percent


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0 replies"), (1, "1 reply"), (2, "2 replies"), (12_345, "12,345 replies")],
)
def test_a_count_carries_its_noun(value, said):
    assert counted(value, "reply", "replies") == said


def test_a_plain_noun_takes_an_s():
    assert counted(3, "item") == "3 items"


@pytest.mark.parametrize(
    ("share", "digits", "said"), [(None, 0, NONE), (0.0, 0, "0 %"), (0.1234, 1, "12.3 %")]
)
def test_a_share_is_in_percent_and_an_undefined_one_is_no_zero(share, digits, said):
    assert percent(share, digits) == said
