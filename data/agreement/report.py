"""Full agreement report with intervals and notes, shared by page, command and export."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from data.agreement import parts as parts
from data.agreement.pairs import (
    Compared,
    compare_sides,
    find_question,
    list_slice_keys,
    load_item_slices,
    load_ratings,
    load_sides,
)
from data.agreement.policy_report import build_policy_report
from data.agreement.question import AgreementQuestion
from data.agreement.rated_items import count_rated_items
from data.items.sample_runs import find_left_out_sample_runs
from data.runs import queries
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import UnitKind
from faithfulness.model.wording import format_count
from faithfulness.statistics.agreement import Estimate, pair_estimates
from faithfulness.statistics.correction import ASSUMPTION
from faithfulness.statistics.rated_sample import list_sample_problems
from faithfulness.statistics.raters.dawid_skene import Beliefs, compute_rater_beliefs
from faithfulness.statistics.sentence import format_header
from faithfulness.statistics.slices import slices
from faithfulness.statistics.tables import Ratings

# What is said of every slice; all numbers of all slices would be a table that nobody reads.
BY_SLICE = {True: ("percent", "kappa_quadratic", "ac2"), False: ("percent", "kappa", "ac1")}
COVERAGE = (
    "both",
    "reference_only",
    "judge_only",
    "ties",
    "unread_reference",
    "unread_judge",
    "joined",
    "one_rating",
    "items_both",
    "items_reference_only",
    "items_judge_only",
)


def build_report(store: Store, asked: AgreementQuestion) -> dict[str, Any]:
    """All numbers of a comparison, in a form that JSON can hold.

    Keys: protocol, criterion, reference, judge, field, by, unit, sentence (the comparison in one
    sentence), verdict (sentences on the judge beside the raters, the summary first), coverage
    (units and items that were compared and that were not), numbers (one row each), notes (what to
    know before they are believed). `by` and `slice` of a row are empty for a number over all items;
    `reference` is empty for a number of one author alone, such as the F1 of the claim protocol.
    With a policy it is `build_policy_report`.

    Raises:
        ReviewError: there is no such run, author, criterion or slice.
    """
    if asked.policy:
        return build_policy_report(store, asked)
    asked, protocol = settle_question(store, asked)
    found = compare_sides(
        store, asked.selection, asked.criterion, asked.reference, asked.judge, field=asked.field
    )
    numbers = pair_estimates(found.tables)
    raters = load_ratings(store, asked.selection, asked.criterion, field=asked.field)
    labels = parts.load_ratings_with_judge(store, asked, raters)
    verdict = parts.compare_with_raters(asked, labels, protocol.unit.value)
    from_raters = parts.is_from_raters(asked.reference)
    sentence = (
        _format_sentence(raters)
        if asked.judge == asked.reference
        else format_header(
            numbers["percent"],
            judge=asked.judge.in_words,
            reference=asked.reference.in_words,
            unit=protocol.unit.value,
        )
    )
    rows = [
        _build_row(asked, each)
        for part in (
            numbers.values(),
            parts.list_ceiling_estimates(verdict.agreement if verdict and from_raters else None),
            parts.list_replacement_estimates(asked, verdict.replacement if verdict else None),
            parts.estimate_rates(store, asked, found.tables),
        )
        for each in part
        if asked.judge != asked.reference  # raters among themselves are told below
    ]
    alone = {"reference": "", "judge": MAJORITY.as_text}
    rows += [_build_row(asked, each, **alone) for each in parts.list_rater_estimates(raters)]
    beliefs = compute_rater_beliefs(raters)
    rows += [
        _build_row(asked, each, reference="", judge=Side.of(author).as_text)
        for author, each in parts.list_rater_beliefs(beliefs)
    ]
    rows += list(_list_claim_rows(store, asked, protocol))
    rows += list(_list_slice_rows(store, asked, found))
    return {
        "protocol": protocol.key,
        "criterion": asked.criterion,
        "reference": asked.reference.as_text,
        "judge": asked.judge.as_text,
        "field": asked.field,
        "by": asked.by,
        "unit": protocol.unit.value,
        "sentence": sentence,
        "verdict": list(verdict.in_words) if verdict else [],
        "coverage": {name: int(getattr(found, name)) for name in COVERAGE}
        | {"sample_runs_left_out": len(find_left_out_sample_runs(store, asked.selection))},
        "numbers": rows,
        "notes": [*_list_rate_notes(store, asked, rows), *_list_belief_notes(beliefs)],
    }


def _list_belief_notes(beliefs: Beliefs) -> list[str]:
    """Why to doubt what Dawid and Skene's model believes, where it is told at all."""
    return [f"Doubtful: {beliefs.reason}."] if beliefs.raters and beliefs.reason else []


def _list_rate_notes(
    store: Store, asked: AgreementQuestion, rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What a corrected rate assumes, and what is known against that here."""
    if not any(str(row["statistic"]).startswith("rate_corrected") for row in rows):
        return []
    chosen = count_rated_items(store, asked.selection.protocol, asked.selection.runs)
    kind = asked.reference.kind
    against = list_sample_problems(kind, rated=chosen.rated, disputed=chosen.disputed)
    return [f"The corrected rate {ASSUMPTION}.", *against]


def _format_sentence(raters: Ratings) -> str:
    """What is told where nobody is compared with the raters."""
    names = ", ".join(each.name for each in raters.authors)
    return f"{format_count(len(raters.authors), 'rater')} among themselves: {names or 'nobody'}."


def _build_row(asked: AgreementQuestion, estimate: Estimate, **more: Any) -> dict[str, Any]:
    about = {
        "reference": asked.reference.as_text,
        "judge": asked.judge.as_text,
        "protocol": asked.selection.protocol,
        "criterion": asked.criterion,
        "field": asked.field,
    }
    return parts.build_row(estimate, **about | more)


def settle_question(store: Store, asked: AgreementQuestion) -> tuple[AgreementQuestion, Protocol]:
    """The question with its protocol and criterion, after a look at everything it names.

    Raises:
        ReviewError: there is no such run, author, criterion, field or slice.
    """
    selection = replace(asked.selection, protocol=_find_protocol(store, asked))
    protocol, criterion = find_question(selection, asked.criterion)
    selection = replace(selection, protocol=protocol.key)
    if asked.field and asked.field not in protocol.checked_against:
        fields = ", ".join(protocol.checked_against)
        raise ReviewError(f"{protocol.title} has no units of {asked.field}; there are: {fields}.")
    offered = load_sides(store, selection, criterion.key, with_baseline=True)["side_text"]
    for side in (asked.reference, asked.judge):
        if side.author is not None and side.as_text not in set(offered):
            there = ", ".join(offered) or "nobody"
            raise ReviewError(
                f"{side.as_text} has no label here. Those who have: {there}."
                f"{_suggest_other_runs(store, selection, criterion.key, side)}"
                f"{_suggest_sample(store, selection, criterion.key, side)}"
            )
    keys = list_slice_keys(store, selection, criterion.key) if asked.by else ()
    if asked.by and asked.by not in keys:
        raise ReviewError(
            f"The items cannot be told apart by “{asked.by}”. Use one of: {', '.join(keys)}."
        )
    return replace(asked, selection=selection, criterion=criterion.key), protocol


def _suggest_other_runs(store: Store, selection: Selection, criterion: str, side: Side) -> str:
    """Where a side has labels all the same: in runs that were not chosen."""
    everywhere = replace(selection, runs=())
    if not selection.runs:
        return ""
    offered = load_sides(store, everywhere, criterion, with_baseline=True)["side_text"]
    if side.as_text not in set(offered):
        return ""
    return f" Other runs have labels by {side.as_text}; name them as well, or leave --run out."


def _suggest_sample(store: Store, selection: Selection, criterion: str, side: Side) -> str:
    """Where a side has labels all the same: in a run of the sample that is left out here."""
    for run in find_left_out_sample_runs(store, selection):
        there = load_sides(store, replace(selection, runs=(run,)), criterion, with_baseline=True)
        if side.as_text in set(there["side_text"]):
            return (
                f" {side.as_text} labels the sample, which is left out because other runs are "
                f"stored; look at it with --run {run}."
            )
    return ""


def _find_protocol(store: Store, asked: AgreementQuestion) -> str:
    """The protocol that is meant: named, or that of the runs, or the only one with such runs."""
    runs = queries.runs(store)
    missing = set(asked.selection.runs) - set(runs["run_id"])
    if missing:
        raise ReviewError(f"There is no run {min(missing)}, or it was removed. List the runs.")
    if asked.selection.protocol or (asked.criterion and not asked.selection.runs):
        return asked.selection.protocol
    if asked.selection.runs:
        runs = runs[runs["run_id"].isin(asked.selection.runs)]
    runs = runs[~runs["run_id"].isin(find_left_out_sample_runs(store, asked.selection))]
    found = sorted(set(runs["protocol"]))
    if len(found) != 1:
        if found and asked.criterion:
            return ""
        if not found:
            raise ReviewError("The store holds no runs. Import some first.")
        raise ReviewError(
            "There are runs under several protocols. Name the one to compare under: --protocol "
            f"{', '.join(found[:-1])} or {found[-1]}."
        )
    return str(found[0])


def _list_claim_rows(
    store: Store, asked: AgreementQuestion, protocol: Protocol
) -> Iterator[dict[str, Any]]:
    if protocol.unit is not UnitKind.CLAIM or asked.field:
        return
    for side in dict.fromkeys((asked.reference, asked.judge)):
        for each in parts.estimate_claim_scores(store, asked, side):
            yield _build_row(asked, each, reference="", judge=side.as_text)


def _list_slice_rows(
    store: Store, asked: AgreementQuestion, found: Compared
) -> Iterator[dict[str, Any]]:
    if not asked.by or not len(found.tables.items):
        return
    of_item = load_item_slices(store, asked.selection, asked.by, found.tables.items)
    names = BY_SLICE[found.tables.ordinal]
    for each in slices(found.tables, np.asarray(of_item, np.str_), names):
        yield _build_row(asked, each.estimate, by=asked.by, slice=each.value, differs=each.differs)


def find_overall_row(told: Mapping[str, Any], statistic: str) -> Mapping[str, Any] | None:
    """The row of a number over all items: the judge's where it has one, else the raters' own."""
    rows = [row for row in told["numbers"] if row["statistic"] == statistic and not row["by"]]
    by_side: dict[str, Mapping[str, Any]] = {row["judge"]: row for row in reversed(rows)}
    return by_side.get(told["judge"]) or by_side.get(MAJORITY.as_text)
