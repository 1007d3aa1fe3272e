"""Decide whether a statement about the number of customers holds, from review counts.

A person or a judge marks the reviews that support a statement and those that contradict it. The
verdict follows from the counts by these rules:

- "many", "most" and "customers generally say" need 80 % of the reviews that mention the topic;
- a plural needs at least two supporting reviews;
- "three reviewers" needs exactly three; "at least three" needs three or more;
- a share ("8 out of 10", "83 %") is compared with all listed reviews, within the tolerance of its
  own rounding, and only for sets of fewer than 50 reviews: a larger set may be a sample.
"""

from dataclasses import dataclass
from typing import NamedTuple

ENOUGH = 0.80
SMALL = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewCount:
    """How many reviews support a statement and contradict it, out of how many."""

    supporting: int
    contradicting: int
    total: int

    def __post_init__(self) -> None:
        if min(self.supporting, self.contradicting) < 0 or self.speaking > self.total:
            raise ValueError("more reviews are ticked than are listed")

    @property
    def speaking(self) -> int:
        """Reviews that say something about the matter at all."""
        return self.supporting + self.contradicting


class CountClaim(NamedTuple):
    """What a sentence says about how many: `share` of 0 to 1 with its `slack`, or a `number`."""

    kind: str  # many, general, plural, number or share
    share: float = 0.0
    slack: float = 0.0
    number: int = 0
    most: int = 0  # the upper end of a range such as "three to five", else 0
    hedge: str = ""


class Verdict(NamedTuple):
    """Whether a statement holds by the counts; `holds` is None where the rules do not decide."""

    holds: bool | None
    rule: str
    says: str


def verdict(claim: CountClaim, count: ReviewCount) -> Verdict:
    """What the counts say about the statement."""
    if claim.kind in {"many", "general"}:
        return _judge_most(count)
    if claim.kind == "plural":
        return _judge_plural(count)
    if claim.kind == "number":
        return _judge_number(claim, count)
    return _judge_share(claim, count)


def _judge_most(count: ReviewCount) -> Verdict:
    if count.supporting < 2:
        return _judge_plural(count)
    holds = 10 * count.supporting >= 8 * count.speaking  # whole numbers: 80 % is never missed
    says = (f"{count.supporting} of {count.speaking} reviews that speak of it support it "
            f"({_format_percent(count.supporting, count.speaking)} of them, "
            f"{_format_percent(count.supporting, count.total)} of all {count.total}); "
            f"80 % are needed")  # fmt: skip
    return Verdict(holds, "80 % of the reviews", says)


def _judge_plural(count: ReviewCount) -> Verdict:
    supporting = f"{count.supporting} of {count.total} reviews supports it"
    if count.supporting == 1:
        return Verdict(False, "a plural needs two reviews", f"only {supporting}")
    if count.supporting == 0:
        return Verdict(False, "a plural needs two reviews", "no review supports it")
    says = f"{count.supporting} of {count.total} reviews support it"
    return Verdict(True, "a plural needs two reviews", says)


def _judge_number(claim: CountClaim, count: ReviewCount) -> Verdict:
    number = f"{claim.number} to {claim.most}" if claim.most else f"{claim.number}"
    says = f"{number} are said, {count.supporting} of {count.total} reviews support it"
    holds: bool | None = claim.number <= count.supporting <= (claim.most or claim.number)
    if claim.hedge == "least":
        holds = count.supporting >= claim.number
    elif claim.hedge in {"most", "up to"}:
        holds = count.supporting <= claim.number
    elif claim.hedge == "about":
        holds = 10 * abs(count.supporting - claim.number) <= max(10, claim.number)
    return Verdict(holds, "the number of reviews", says)


def _judge_share(claim: CountClaim, count: ReviewCount) -> Verdict:
    if not count.total:
        return Verdict(None, "share of the reviews", "there are no reviews")
    part = count.supporting / count.total
    says = (f"{_format_percent(claim.share, 1)} are said, {count.supporting} of {count.total} "
    "reviews are "
            f"{_format_percent(count.supporting, count.total)}")  # fmt: skip
    if count.total >= SMALL:
        return Verdict(None, "small sets only", f"{says}; {SMALL} reviews or more are not a count")
    low, high = claim.share - claim.slack, claim.share + claim.slack
    holds = low - 1e-9 <= part <= high + 1e-9
    if claim.hedge == "least":
        holds = part >= low - 1e-9
    elif claim.hedge in {"most", "up to"}:
        holds = part <= high + 1e-9
    return Verdict(holds, "share of the reviews", says)


def _format_percent(part: float, whole: float) -> str:
    return f"{part / whole:.0%}".replace("%", " %")
