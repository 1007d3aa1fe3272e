"""Parts of an agreement report: rater agreement, alt-test, bias-corrected rates, claim scores."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from data.agreement import pairs
from data.agreement.pairs import load_ratings
from data.agreement.question import AgreementQuestion
from data.store.store import Store
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.alt_test import AltTest
from faithfulness.statistics.ceiling import Ceiling
from faithfulness.statistics.correction import estimate_corrected_rate
from faithfulness.statistics.judge_verdict import JudgeVerdict, compute_judge_verdict
from faithfulness.statistics.label_rates import count_judged_items, count_labeled_items
from faithfulness.statistics.raters.dawid_skene import Beliefs
from faithfulness.statistics.raters.several_raters import estimate_coefficients
from faithfulness.statistics.tables import PairTables, Ratings


def build_row(estimate: Estimate, **about: Any) -> dict[str, Any]:
    """A number as a report's row; `about` says whose it is, and what differs from a whole one.

    A number that too few cases carry is no number here either: its counts are in the reason.
    """
    told = {
        "statistic": estimate.name,
        "value": None if estimate.counts else estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "items": estimate.items,
        "units": estimate.units,
        "reason": ": ".join(part for part in (estimate.reason, estimate.counts) if part),
    }
    names = ("reference", "judge", "by", "slice", "differs", "protocol", "criterion", "field")
    return told | dict.fromkeys(names, "") | {"differs": None} | about


def load_ratings_with_judge(
    store: Store, asked: AgreementQuestion, raters: Ratings
) -> Ratings | None:
    """The labels of all raters and of the judge; None where the judge is not one author."""
    judge = asked.judge.author
    if judge is None:
        return None
    authors = list(dict.fromkeys((*raters.authors, judge)))
    return load_ratings(store, asked.selection, asked.criterion, authors, field=asked.field)


def compare_with_raters(
    asked: AgreementQuestion, labels: Ratings | None, unit: str
) -> JudgeVerdict | None:
    """The verdict on the judge beside the raters; None where the judge is not one author.

    Raises:
        ReviewError: the question calls the raters something that has no margin.
    """
    judge = asked.judge.author
    if judge is None or labels is None or asked.judge == asked.reference:
        return None
    return compute_judge_verdict(labels, judge, raters_are=asked.raters_are, unit=unit)


def is_from_raters(side: Side) -> bool:
    """Whether a side is what raters say: one of them or their majority."""
    return side == MAJORITY or _is_kind(side, "rater")


def list_ceiling_estimates(beside: Ceiling | None) -> Iterator[Estimate]:
    """How often judge and rater, and two raters, say the same, and the difference."""
    if beside is not None:
        yield replace(beside.judge, name="judge_with_raters")
        yield replace(beside.raters, name="raters_with_raters")
        yield replace(beside.difference, name="judge_below_raters")


def list_rater_estimates(raters: Ratings) -> Iterator[Estimate]:
    """How far all raters agree with each other."""
    if len(raters.authors) > 1:
        for name, each in estimate_coefficients(raters).items():
            yield replace(each, name=f"raters_{name}")


def list_rater_beliefs(beliefs: Beliefs) -> Iterator[tuple[Author, Estimate]]:
    """How often each rater is right by Dawid and Skene's model, over all and for every label."""
    for each in beliefs.raters:
        for number in (each.right, *each.finds.values()):
            yield each.author, number


def list_replacement_estimates(
    asked: AgreementQuestion, found: AltTest | None
) -> Iterator[Estimate]:
    """The alt-test's winning rate, and how often judge and rater are as close as the other."""
    if found is None:
        return
    margin = f"epsilon {found.epsilon:g} for {asked.raters_are} raters"
    items = max((row.items for row in found.rows), default=0)
    units = max((row.units for row in found.rows), default=0)
    winning = Estimate(
        name="winning_rate",
        value=found.winning_rate,
        low=None,
        high=None,
        items=items,
        units=units,
        reason=found.reason,
    )
    parts = {
        "winning_rate": winning,
        "advantage": found.judge_as_close,
        "rater_as_close": found.rater_as_close,
        "rater_ahead": found.rater_ahead,
    }
    for name, each in parts.items():
        reason = "; ".join(part for part in (margin, each.reason) if part)
        yield replace(each, name=f"alt_test_{name}", reason=reason)


def estimate_rates(
    store: Store, asked: AgreementQuestion, tables: PairTables
) -> Iterator[Estimate]:
    """The share of every label by the judge, by people, and the judge's set right by people's."""
    judge = asked.judge.author
    if judge is None or not _is_kind(asked.judge, "judge") or _is_kind(asked.reference, "judge"):
        return
    judged = _load_judge_ratings(store, asked, judge)
    for label in tables.values if judged.authors else ():
        found = estimate_corrected_rate(
            count_labeled_items(tables, label), count_judged_items(judged, tables, label)
        )
        for each in (found.judge_only, found.human_only, found.corrected):
            yield replace(each, name=f"rate_{each.name}:{label}")


def estimate_claim_scores(store: Store, asked: AgreementQuestion, side: Side) -> Iterator[Estimate]:
    """Precision, recall and F1 of the claim protocol by one side; of raters their mean."""
    found = pairs.estimate_claim_scores(store, asked.selection, side, asked.reference, asked.judge)
    for name, each in found.items():
        yield replace(each, name=f"claim_{name}")


def _load_judge_ratings(store: Store, asked: AgreementQuestion, judge: Author) -> Ratings:
    return load_ratings(store, asked.selection, asked.criterion, [judge], field=asked.field)


def _is_kind(side: Side, kind: str) -> bool:
    return side.author is not None and side.author.kind == AuthorKind(kind)
