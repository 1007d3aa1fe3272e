"""Full agreement report with intervals and notes, shared by page, command and export."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from data.agreement import parts as parts
from data.agreement.pairs import (
    Compared,
    compared,
    item_slices,
    question,
    ratings,
    sides,
    slice_keys,
)
from data.agreement.policy_report import policy_report
from data.agreement.question import AgreementQuestion
from data.agreement.rated_items import rated_items
from data.items.sample_runs import sample_left_out
from data.runs import queries
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import UnitKind
from faithfulness.model.wording import counted
from faithfulness.statistics.agreement import Estimate, pair_estimates
from faithfulness.statistics.correction import ASSUMPTION
from faithfulness.statistics.rated_sample import known_against
from faithfulness.statistics.raters.dawid_skene import Beliefs, rater_beliefs
from faithfulness.statistics.sentence import header
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


def report(store: Store, asked: AgreementQuestion) -> dict[str, Any]:
    """All numbers of a comparison, in a form that JSON can hold.

    Keys: protocol, criterion, reference, judge, field, by, unit, sentence (the comparison in one
    sentence), verdict (sentences on the judge beside the raters, the summary first), coverage
    (units and items that were compared and that were not), numbers (one row each), notes (what to
    know before they are believed). `by` and `slice` of a row are empty for a number over all items;
    `reference` is empty for a number of one author alone, such as the F1 of the claim protocol.
    With a policy it is `policy_report`.

    Raises:
        ReviewError: there is no such run, author, criterion or slice.
    """
    if asked.policy:
        return policy_report(store, asked)
    asked, protocol = settled(store, asked)
    found = compared(
        store, asked.selection, asked.criterion, asked.reference, asked.judge, field=asked.field
    )
    numbers = pair_estimates(found.tables)
    raters = ratings(store, asked.selection, asked.criterion, field=asked.field)
    labels = parts.with_judge(store, asked, raters)
    verdict = parts.compare_with_raters(asked, labels, protocol.unit.value)
    from_raters = parts.is_from_raters(asked.reference)
    sentence = (
        _in_one_sentence(raters)
        if asked.judge == asked.reference
        else header(
            numbers["percent"],
            judge=asked.judge.in_words,
            reference=asked.reference.in_words,
            unit=protocol.unit.value,
        )
    )
    rows = [
        _row(asked, each)
        for part in (
            numbers.values(),
            parts.of_ceiling(verdict.agreement if verdict and from_raters else None),
            parts.of_replacement(asked, verdict.replacement if verdict else None),
            parts.rates(store, asked, found.tables),
        )
        for each in part
        if asked.judge != asked.reference  # raters among themselves are told below
    ]
    alone = {"reference": "", "judge": MAJORITY.as_text}
    rows += [_row(asked, each, **alone) for each in parts.among_raters(raters)]
    beliefs = rater_beliefs(raters)
    rows += [
        _row(asked, each, reference="", judge=Side.of(author).as_text)
        for author, each in parts.believed_raters(beliefs)
    ]
    rows += list(_claims(store, asked, protocol))
    rows += list(_sliced(store, asked, found))
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
        | {"sample_runs_left_out": len(sample_left_out(store, asked.selection))},
        "numbers": rows,
        "notes": [*_notes_on_rates(store, asked, rows), *_notes_on_beliefs(beliefs)],
    }


def _notes_on_beliefs(beliefs: Beliefs) -> list[str]:
    """Why to doubt what Dawid and Skene's model believes, where it is told at all."""
    return [f"Doubtful: {beliefs.reason}."] if beliefs.raters and beliefs.reason else []


def _notes_on_rates(
    store: Store, asked: AgreementQuestion, rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What a corrected rate assumes, and what is known against that here."""
    if not any(str(row["statistic"]).startswith("rate_corrected") for row in rows):
        return []
    chosen = rated_items(store, asked.selection.protocol, asked.selection.runs)
    kind = asked.reference.kind
    against = known_against(kind, rated=chosen.rated, disputed=chosen.disputed)
    return [f"The corrected rate {ASSUMPTION}.", *against]


def _in_one_sentence(raters: Ratings) -> str:
    """What is told where nobody is compared with the raters."""
    names = ", ".join(each.name for each in raters.authors)
    return f"{counted(len(raters.authors), 'rater')} among themselves: {names or 'nobody'}."


def _row(asked: AgreementQuestion, estimate: Estimate, **more: Any) -> dict[str, Any]:
    about = {
        "reference": asked.reference.as_text,
        "judge": asked.judge.as_text,
        "protocol": asked.selection.protocol,
        "criterion": asked.criterion,
        "field": asked.field,
    }
    return parts.row_of(estimate, **about | more)


def settled(store: Store, asked: AgreementQuestion) -> tuple[AgreementQuestion, Protocol]:
    """The question with its protocol and criterion, after a look at everything it names.

    Raises:
        ReviewError: there is no such run, author, criterion, field or slice.
    """
    selection = replace(asked.selection, protocol=_protocol(store, asked))
    protocol, criterion = question(selection, asked.criterion)
    selection = replace(selection, protocol=protocol.key)
    if asked.field and asked.field not in protocol.checked_against:
        fields = ", ".join(protocol.checked_against)
        raise ReviewError(f"{protocol.title} has no units of {asked.field}; there are: {fields}.")
    offered = sides(store, selection, criterion.key, with_baseline=True)["side_text"]
    for side in (asked.reference, asked.judge):
        if side.author is not None and side.as_text not in set(offered):
            there = ", ".join(offered) or "nobody"
            raise ReviewError(
                f"{side.as_text} has no label here. Those who have: {there}."
                f"{_in_other_runs(store, selection, criterion.key, side)}"
                f"{_in_the_sample(store, selection, criterion.key, side)}"
            )
    keys = slice_keys(store, selection, criterion.key) if asked.by else ()
    if asked.by and asked.by not in keys:
        raise ReviewError(
            f"The items cannot be told apart by “{asked.by}”. Use one of: {', '.join(keys)}."
        )
    return replace(asked, selection=selection, criterion=criterion.key), protocol


def _in_other_runs(store: Store, selection: Selection, criterion: str, side: Side) -> str:
    """Where a side has labels all the same: in runs that were not chosen."""
    everywhere = replace(selection, runs=())
    if not selection.runs:
        return ""
    offered = sides(store, everywhere, criterion, with_baseline=True)["side_text"]
    if side.as_text not in set(offered):
        return ""
    return f" Other runs have labels by {side.as_text}; name them as well, or leave --run out."


def _in_the_sample(store: Store, selection: Selection, criterion: str, side: Side) -> str:
    """Where a side has labels all the same: in a run of the sample that is left out here."""
    for run in sample_left_out(store, selection):
        there = sides(store, replace(selection, runs=(run,)), criterion, with_baseline=True)
        if side.as_text in set(there["side_text"]):
            return (
                f" {side.as_text} labels the sample, which is left out because other runs are "
                f"stored; look at it with --run {run}."
            )
    return ""


def _protocol(store: Store, asked: AgreementQuestion) -> str:
    """The protocol that is meant: named, or that of the runs, or the only one with such runs."""
    runs = queries.runs(store)
    missing = set(asked.selection.runs) - set(runs["run_id"])
    if missing:
        raise ReviewError(f"There is no run {min(missing)}, or it was removed. List the runs.")
    if asked.selection.protocol or (asked.criterion and not asked.selection.runs):
        return asked.selection.protocol
    if asked.selection.runs:
        runs = runs[runs["run_id"].isin(asked.selection.runs)]
    runs = runs[~runs["run_id"].isin(sample_left_out(store, asked.selection))]
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


def _claims(store: Store, asked: AgreementQuestion, protocol: Protocol) -> Iterator[dict[str, Any]]:
    if protocol.unit is not UnitKind.CLAIM or asked.field:
        return
    for side in dict.fromkeys((asked.reference, asked.judge)):
        for each in parts.claim_scores(store, asked, side):
            yield _row(asked, each, reference="", judge=side.as_text)


def _sliced(store: Store, asked: AgreementQuestion, found: Compared) -> Iterator[dict[str, Any]]:
    if not asked.by or not len(found.tables.items):
        return
    of_item = item_slices(store, asked.selection, asked.by, found.tables.items)
    names = BY_SLICE[found.tables.ordinal]
    for each in slices(found.tables, np.asarray(of_item, np.str_), names):
        yield _row(asked, each.estimate, by=asked.by, slice=each.value, differs=each.differs)


def overall(told: Mapping[str, Any], statistic: str) -> Mapping[str, Any] | None:
    """The row of a number over all items: the judge's where it has one, else the raters' own."""
    rows = [row for row in told["numbers"] if row["statistic"] == statistic and not row["by"]]
    by_side: dict[str, Mapping[str, Any]] = {row["judge"]: row for row in reversed(rows)}
    return by_side.get(told["judge"]) or by_side.get(MAJORITY.as_text)
