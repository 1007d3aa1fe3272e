"""One verdict on a judge names both tests and says why they differ, and only where they do."""

import numpy as np
import pytest

from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.judge_verdict import compute_judge_verdict
from faithfulness.statistics.tables import Ratings

NORTH = Author(kind=AuthorKind.JUDGE, name="north")
RATERS = tuple(Author(kind=AuthorKind.RATER, name=name) for name in ("Ada", "Ben", "Cy"))
BEHIND = "less often than they agree with each other"


def ratings(items: int, skills: tuple[float, ...], judge: float, seed: int = 1) -> Ratings:
    """Four sentences an item; with its skill each says the truth, else any of three labels."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 4 * items)
    every = (judge, *skills)
    guess = rng.integers(0, 3, (4 * items, len(every)))
    codes = np.where(rng.random(guess.shape) < every, truth[:, None], guess).astype(np.int8)
    return Ratings(
        values=("a", "b", "c"),
        ordinal=False,
        authors=(NORTH, *RATERS[: len(skills)]),
        items=np.repeat(np.arange(items), 4),
        codes=codes,
        counts=np.ones(4 * items, np.int64),
    )


def verdict_on(made: Ratings, raters_are: str = "skilled", judge: Author = NORTH):
    return compute_judge_verdict(made, judge, raters_are=raters_are, unit="sentence")


def test_a_judge_behind_the_raters_that_passes_by_the_margin_is_explained():
    made = ratings(300, (0.9, 0.9, 0.9), 0.8)
    found = verdict_on(made, "expert")
    assert found.agreement.difference.high < 0
    assert found.replacement.passes
    assert found.summary == (
        "By the replacement test with a margin of 20 points, judge north may stand in for a rater, "
        f"although it agrees with the raters {BEHIND}."
    )
    agreement, replacement = found.tests
    judge, raters = found.agreement.judge, found.agreement.raters
    for each in (judge, raters):
        text = f"{100 * each.value:.0f} % [{100 * each.low:.0f}, {100 * each.high:.0f}]"
        assert text in agreement
    assert agreement.endswith("From 300 items, 1,200 sentences.")
    assert "margin epsilon 0.20 for experts: the judge wins against 3 of 3 raters" in replacement
    ahead = found.replacement.rater_ahead
    assert 0 < ahead.low < ahead.value < ahead.high < 0.2
    assert f"ahead by {100 * ahead.value:.0f} points [{100 * ahead.low:.0f}, " in replacement
    assert "no margin" in found.why_they_differ
    assert "less than 20 points" in found.why_they_differ


def test_without_the_margin_the_same_judge_fails_and_nothing_needs_explaining():
    found = verdict_on(ratings(300, (0.9, 0.9, 0.9), 0.6), "crowd")
    assert "is not shown to be fit to stand in for a rater; it agrees" in found.summary
    assert BEHIND in found.summary
    assert found.why_they_differ == ""
    assert found.in_words == (found.summary, *found.tests)


def test_a_judge_as_good_as_the_raters_passes_both():
    found = verdict_on(ratings(900, (0.8, 0.8, 0.8), 0.8))
    assert found.summary.endswith(
        "may stand in for a rater; it agrees with the raters as well as they agree with each other."
    )
    assert found.why_they_differ == ""


def test_a_judge_that_agrees_as_well_but_fails_rater_by_rater_is_explained():
    # Two raters who copy from each other: the judge beats the third rater, never the two.
    made = ratings(300, (0.9, 0.9, 0.1), 0.6)
    codes = made.codes.copy()
    codes[:, 2] = codes[:, 1]
    found = verdict_on(
        Ratings(
            values=made.values,
            ordinal=False,
            authors=made.authors,
            items=made.items,
            codes=codes,
            counts=made.counts,
        ),
        "crowd",
    )
    wins = {row.author.name: row.wins for row in found.replacement.rows}
    assert wins == {"Ada": False, "Ben": False, "Cy": True}
    assert not found.replacement.passes
    assert found.summary.endswith(
        "is not shown to be fit to stand in for a rater, although it agrees with the raters as "
        "well as they agree with each other."
    )
    assert "for each rater alone that the rater is not ahead by 10 points" in found.why_they_differ


@pytest.mark.parametrize(
    ("items", "skills", "summary", "tests"),
    [
        (
            25,
            (0.8, 0.8),
            "cannot be told: fewer than 30 items",
            ("Agreement test: judge north and a rater", "no result, because fewer than 30 items"),
        ),
        (
            40,
            (0.8,),
            "cannot be told: it takes at least 2 raters.",
            ("Agreement test: no result, because it takes at least 2 raters.", "no result"),
        ),
    ],
)
def test_what_cannot_be_tested_is_said_with_the_reason(items, skills, summary, tests):
    found = verdict_on(ratings(items, skills, 0.8))
    assert found.summary.startswith("Whether judge north may stand in for a rater")
    assert summary in found.summary
    for text, each in zip(tests, found.tests, strict=True):
        assert text in each
    assert found.has_result == (len(skills) > 1)
    assert found.why_they_differ == ""


@pytest.mark.parametrize(
    ("items", "judge", "said"),
    [
        (25, 0.9, "It may agree with the raters more or less often than they agree with each"),
        (
            9,
            0.1,
            "It cannot be tested by how often it agrees with the raters: the items",
        ),
    ],
)
def test_what_the_items_leave_open_is_never_called_alike(items, judge, said):
    found = verdict_on(ratings(items, (0.8, 0.8), judge))
    assert said in found.summary
    assert "as often as" not in found.summary


def test_a_rater_is_compared_with_the_others_and_replaces_nobody():
    found = verdict_on(ratings(300, (0.4, 0.9, 0.9), 0.8), judge=RATERS[0])
    assert found.replacement is None
    assert found.summary == f"Rater Ada agrees with the raters {BEHIND}."
    assert len(found.tests) == 1


def test_raters_without_a_margin_are_refused():
    with pytest.raises(ReviewError, match="expert, skilled, crowd; not “bored”"):
        verdict_on(ratings(30, (0.8, 0.8), 0.8), "bored")


def test_a_difference_without_an_interval_says_so_once():
    (agreement, *_) = verdict_on(ratings(5, (0.9, 0.9), 0.8)).tests
    assert "points (no interval from fewer than 20 items)." in agreement
