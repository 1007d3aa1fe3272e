"""Combine two tests into one verdict on whether a judge can do a rater's work.

The agreement test compares judge-rater agreement with rater-rater agreement. The replacement test
(alt-test) checks for every rater whether the judge is as close to the other raters, with a margin
for the judge's lower cost. The first test has no margin and the second has one, so a judge can
fall behind in the first and pass the second. The verdict explains such differences.
"""

from dataclasses import dataclass
from enum import StrEnum

from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.model.wording import capitalize_first, format_count
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.alt_test import EPSILON, FEWEST_RATERS, AltTest, alt_test
from faithfulness.statistics.ceiling import Ceiling, compute_ceiling
from faithfulness.statistics.sentence import format_share
from faithfulness.statistics.tables import Ratings

ALIKE = 0.05  # two shares that surely differ by less are called the same
RATERS_ARE = {"skilled": "skilled raters", "expert": "experts", "crowd": "a crowd"}


class JudgeStanding(StrEnum):
    """How the judge's agreement with raters compares with the raters' own."""

    LESS = "less"
    MORE = "more"
    ALIKE = "alike"
    OPEN = "open"  # the interval reaches too far on either side
    UNTESTED = "untested"  # two numbers without an interval of their difference
    UNKNOWN = "unknown"


_AGREES = {
    JudgeStanding.LESS: "agrees with the raters less often than they agree with each other",
    JudgeStanding.MORE: "agrees with the raters more often than they agree with each other",
    JudgeStanding.ALIKE: "agrees with the raters as well as they agree with each other",
    # Neither claims that the two are close: the interval may reach from 1 point to 30.
    JudgeStanding.OPEN: "may agree with the raters more or less often than they agree with each "
    "other: these items leave the difference open",
    JudgeStanding.UNTESTED: "cannot be tested by how often it agrees with the raters: the items "
    "are too few or too equal",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeVerdict:
    """What the two tests say about a judge, in numbers and in words.

    Attributes:
        agreement: How often the judge and a rater, and two raters, give the same label.
        replacement: The alt-test; None for a rater, who replaces nobody.
        summary: The verdict in one sentence.
        tests: Each test with its numbers, intervals and n, a sentence each.
        why_they_differ: Empty where the tests do not point in different directions.
    """

    agreement: Ceiling
    replacement: AltTest | None
    summary: str
    tests: tuple[str, ...]
    why_they_differ: str

    @property
    def has_result(self) -> bool:
        """Whether at least one of the tests has a number."""
        passes = None if self.replacement is None else self.replacement.passes
        return passes is not None or self.agreement.difference.value is not None

    @property
    def in_words(self) -> tuple[str, ...]:
        """The summary and what is behind it, a sentence or two each."""
        parts = (self.summary, *self.tests, self.why_they_differ)
        return tuple(part for part in parts if part)


def compute_judge_verdict(
    ratings: Ratings, judge: Author, *, raters_are: str, unit: str
) -> JudgeVerdict:
    """Compare a judge with the raters by both tests.

    Args:
        ratings: The labels of the raters and of the judge.
        judge: Who is compared with the raters; a rater is compared with the other raters.
        raters_are: skilled, expert or crowd; decides the margin of the replacement test.
        unit: What is labeled, in the singular.

    Raises:
        ReviewError: `raters_are` is none of the three.
    """
    if raters_are not in EPSILON:
        raise ReviewError(f"Raters are {', '.join(EPSILON)}; not “{raters_are}”.")
    # Many judges are called “judge …” by their own name; it is not said twice.
    named = judge.name.lower().startswith(judge.kind)
    name = judge.name if named else f"{judge.kind} {judge.name}"
    agreement = compute_ceiling(ratings, judge)
    replacement = None
    if judge.kind is AuthorKind.JUDGE:
        replacement = alt_test(ratings, judge, epsilon=EPSILON[raters_are])
    standing = _classify_standing(agreement)
    tests = [_describe_agreement_test(agreement, name, unit)]
    if replacement is not None:
        tests.append(_describe_replacement_test(replacement, raters_are, unit))
    return JudgeVerdict(
        agreement=agreement,
        replacement=replacement,
        summary=_summarize_tests(standing, replacement, name),
        tests=tuple(tests),
        why_they_differ=_explain_difference(standing, replacement),
    )


def _classify_standing(agreement: Ceiling) -> JudgeStanding:
    difference = agreement.difference
    if difference.value is None:
        return JudgeStanding.UNKNOWN
    if difference.low is None or difference.high is None:
        return JudgeStanding.UNTESTED
    if difference.high < 0:
        return JudgeStanding.LESS
    if difference.low > 0:
        return JudgeStanding.MORE
    alike = -difference.low <= ALIKE and difference.high <= ALIKE
    return JudgeStanding.ALIKE if alike else JudgeStanding.OPEN


def _summarize_tests(standing: JudgeStanding, replacement: AltTest | None, name: str) -> str:
    agrees = _AGREES.get(standing, "")
    if replacement is None:
        few = f"it takes at least {FEWEST_RATERS} other raters with labels on the same units"
        return capitalize_first(f"{name} {agrees or f'cannot be compared with the raters: {few}'}.")
    if replacement.passes is None:
        told = f"Whether {name} may stand in for a rater cannot be told: {replacement.reason}."
        return f"{told} It {agrees}." if agrees else told
    lead = f"By the replacement test with a margin of {_format_margin(replacement)}, {name}"
    passes = "may stand in for a rater"
    if not replacement.passes:
        passes = "is not shown to be fit to stand in for a rater"
    joint = ", although it" if _are_apart(standing, replacement) else "; it"
    return f"{lead} {passes}{joint} {agrees}." if agrees else f"{lead} {passes}."


def _are_apart(standing: JudgeStanding, replacement: AltTest) -> bool:
    """Whether one test speaks for the judge and the other one against it."""
    if replacement.passes:
        return standing is JudgeStanding.LESS
    return standing in (JudgeStanding.MORE, JudgeStanding.ALIKE)


def _explain_difference(standing: JudgeStanding, replacement: AltTest | None) -> str:
    if replacement is None or replacement.passes is None or not _are_apart(standing, replacement):
        return ""
    if replacement.passes:
        return (
            "Why the tests differ: the agreement test has no margin, so it shows even a small "
            "difference. The replacement test looks at one rater after the other, counts a tie as "
            f"a win, and lets a rater be ahead by less than {_format_margin(replacement)}, "
            "because a "
            "judge costs less. Whether that much is acceptable is for you to decide."
        )
    return (
        "Why the tests differ: the agreement test takes all pairs together. The replacement test "
        "has to prove for each rater alone that the rater is not ahead by "
        f"{_format_margin(replacement)} "
        "or more, and is stricter the more raters there are. It can fail where items are few, or "
        "where one rater is much closer to the others than the rest."
    )


def _describe_agreement_test(agreement: Ceiling, name: str, unit: str) -> str:
    if agreement.difference.value is None:
        return f"Agreement test: no result, because {agreement.difference.reason}."
    return (
        f"Agreement test: {name} and a rater give the same label in "
        f"{format_share(agreement.judge)} of "
        f"pairs, two raters in {format_share(agreement.raters)}; the difference is "
        f"{_format_points(agreement.difference)}. From {_format_basis(agreement.difference, unit)}."
    )


def _describe_replacement_test(found: AltTest, raters_are: str, unit: str) -> str:
    lead = (
        f"Replacement test (alt-test), margin epsilon {found.epsilon:.2f} for "
        f"{RATERS_ARE[raters_are]}:"
    )
    tested = [row for row in found.rows if row.wins is not None]
    if not tested:
        return f"{lead} no result, because {found.reason}."
    won = sum(row.wins is True for row in tested)
    doubt = f" The test {found.reason}." if found.reason else ""
    return (
        f"{lead} the judge wins against {won} of {format_count(len(tested), 'rater')}; half "
        "is enough. "
        f"It is as close to the other raters as the rater it replaces on "
        f"{format_share(found.judge_as_close)} of labels, the rater as close as the judge on "
        f"{format_share(found.rater_as_close)}: the rater is ahead by "
        f"{_format_points(found.rater_ahead)}. From "
        f"{_format_basis(found.rater_ahead, unit)}.{doubt}"
    )


def _format_margin(found: AltTest) -> str:
    return f"{100 * found.epsilon:.0f} points"


def _format_basis(estimate: Estimate, unit: str) -> str:
    return f"{format_count(estimate.items, 'item')}, {format_count(estimate.units, unit)}"


def _format_points(estimate: Estimate) -> str:
    """A difference in points with its interval: “−6 points [−9, −3]”."""
    value = _format_signed(estimate.value or 0.0)
    unit = "point" if value in ("1", "−1") else "points"
    if estimate.low is None or estimate.high is None:
        lead = "" if estimate.reason.startswith("no interval") else "no interval: "
        return f"{value} {unit} ({lead}{estimate.reason})"
    return f"{value} {unit} [{_format_signed(estimate.low)}, {_format_signed(estimate.high)}]"


def _format_signed(value: float) -> str:
    return f"{100 * value:.0f}".replace("-0", "0").replace("-", "−")
