"""A reviews field taken apart into reviews."""

import pytest

from faithfulness.checks.reviews import split_reviews
from faithfulness.model.vocabulary import Field


def parts(text: str) -> list[str]:
    field = Field(name="reviews", kind="reviews", text=text)
    return [text[each.start : each.end] for each in split_reviews([field])]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("★★★★★ Great\nBoils fast.\n★★☆☆☆ Loud\nIt roars.\nReturned.", 2),
        ("Review 1: Good.\nReview 2: Bad.\nReally.", 2),
        ("1. Good.\n2. Bad.\n3. Fine.", 3),
        ("- Good.\n- Bad.", 2),
        ("5/5 Good.\n1/5 Bad.", 2),
        ("Good.\n\nBad.\nReally bad.\n\nFine.", 3),
        ("Good.\nBad.", 2),
        ("★★★★★ The only one.", 1),
        ("Good. Bad. Who knows how many these are?", 0),
        ("", 0),
    ],
)
def test_layout_tells_reviews_apart(text, count):
    assert len(parts(text)) == count


def test_a_review_keeps_all_its_lines():
    assert parts("★★★★★ Great\nBoils fast.\n★☆☆☆☆ Loud") == [
        "★★★★★ Great\nBoils fast.",
        "★☆☆☆☆ Loud",
    ]
