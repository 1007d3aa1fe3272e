"""Policy lens: compare agreement across protocols under every policy."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.agreement.cells import SECONDS
from data.agreement.pairs import load_chosen_items
from data.agreement.policy_profiles import PLACES, Bridgeable, load_bridgeable
from data.agreement.policy_subject import PolicySubject, load_policy_subject
from data.agreement.question import AgreementQuestion
from data.store.store import Store
from faithfulness.policies.bridges import ImpliedMeaning
from faithfulness.policies.policies import POLICIES, Policy, policy
from faithfulness.statistics.agreement import Estimate, pair_estimates
from faithfulness.statistics.tables import PairTables, count_pairs

PAGE = 20
AT_ONCE = 2_000  # items that are named together
HEADLINE = {
    False: ("percent", "kappa", "ac1"),
    True: ("percent", "kappa", "ac1", "kappa_quadratic"),
}
_PLACE = ["item_id", "run_id", "run", "external_id"]

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True)
class LensRow:
    """The headline under one policy.

    Attributes:
        policy: The reading of the rules.
        reference: The side as text, marked with the policy where it is bridged.
        judge: The other side, alike.
        estimates: "percent", "kappa" and "ac1", on ordinal scales also "kappa_quadratic".
        items: Responses on which both have an answer.
        reference_only: Responses on which only the reference has one.
        judge_only: Responses on which only the judge has one.
        cannot_reference: Why the reference could not be bridged, with how many responses.
        cannot_judge: Why the judge could not.
        tables: What the numbers are computed from.
    """

    policy: Policy
    reference: str
    judge: str
    estimates: Mapping[str, Estimate]
    items: int
    reference_only: int
    judge_only: int
    cannot_reference: Mapping[str, int]
    cannot_judge: Mapping[str, int]
    tables: PairTables


@dataclass(frozen=True, kw_only=True, slots=True)
class Lens:
    """One comparison under every policy.

    `flipping` counts items about which both speak and on which an answer changes between policies.
    """

    matter: PolicySubject
    rows: tuple[LensRow, ...]
    flipping: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Flips:
    """A page of items on which a side's answer changes between two policies, and how many.

    Columns of `rows`: item_id, run_id, run (its name), external_id, and for each of reference and
    judge: …_first, …_second (values, missing where nothing follows), …_first_reason,
    …_second_reason (empty for a side that is not bridged); agreed_first, agreed_second (missing
    where one of them has no value).
    """

    rows: pd.DataFrame
    total: int


class PolicyView(NamedTuple):
    """Both sides on the same items, by one policy: positions on the scale, -1 without an answer."""

    reference: Numbers
    judge: Numbers
    why_reference: list[ImpliedMeaning | None]
    why_judge: list[ImpliedMeaning | None]


def compare_policies(store: Store, asked: AgreementQuestion) -> Lens:
    """The headline under every policy; `asked.policy` does not matter here.

    Raises:
        ReviewError: see `load_policy_subject`.
    """
    matter = load_policy_subject(store, asked)
    items, reference, judge = _load_sides(store, matter)
    views = {key: _build_view(matter, each, reference, judge) for key, each in POLICIES.items()}
    rows = tuple(_build_row(matter, POLICIES[key], items, view) for key, view in views.items())
    changing = np.zeros(len(items), np.bool_)
    base = next(iter(views.values()))
    for view in views.values():
        changing |= (view.reference != base.reference) | (view.judge != base.judge)
    changing &= reference.speaking & judge.speaking
    return Lens(matter=matter, rows=rows, flipping=int(changing.sum()))


def load_flips(
    store: Store, asked: AgreementQuestion, first: str, second: str, page: int = 1
) -> Flips:
    """Items about which both speak and on which an answer changes between two policies, and why.

    Raises:
        ReviewError: see `load_policy_subject`; or there is no such policy.
    """
    matter = load_policy_subject(store, asked)
    items, reference, judge = _load_sides(store, matter)
    one, other = (_build_view(matter, policy(key), reference, judge) for key in (first, second))
    changes = (one.reference != other.reference) | (one.judge != other.judge)
    rows = np.flatnonzero(changes & reference.speaking & judge.speaking)
    skip = (max(page, 1) - 1) * PAGE
    shown = rows[skip : skip + PAGE]
    frame = _load_places(store, matter, items[shown])
    for name, view in (("first", one), ("second", other)):
        frame = frame.assign(**_build_columns(matter, view, shown, name))
    return Flips(rows=frame.reset_index(drop=True), total=len(rows))


def iterate_bridged(store: Store, asked: AgreementQuestion) -> Iterator[pd.DataFrame]:
    """What both sides say about every item under every policy, some thousand rows at a time.

    Columns: item_id, run_id, run, external_id, policy, reference_value, judge_value,
    reference_reason, judge_reason.
    """
    matter = load_policy_subject(store, asked)
    items, reference, judge = _load_sides(store, matter)
    for key, each in POLICIES.items():
        view = _build_view(matter, each, reference, judge)
        for start in range(0, len(items), AT_ONCE):
            here = np.arange(start, min(start + AT_ONCE, len(items)))
            said = _build_columns(matter, view, here, "value")
            yield _load_places(store, matter, items[here]).assign(
                policy=key,
                reference_value=said["reference_value"],
                judge_value=said["judge_value"],
                reference_reason=said["reference_value_reason"],
                judge_reason=said["judge_value_reason"],
            )


def load_both_sides(
    store: Store, asked: AgreementQuestion, by: Policy
) -> tuple[PolicySubject, Numbers, PolicyView]:
    """What both sides say about the same items by one policy.

    Raises:
        ReviewError: see `load_policy_subject`.
    """
    matter = load_policy_subject(store, asked)
    items, reference, judge = _load_sides(store, matter)
    return matter, items, _build_view(matter, by, reference, judge)


def _load_sides(store: Store, matter: PolicySubject) -> tuple[Numbers, Bridgeable, Bridgeable]:
    """The chosen items that both or one of the sides speak about, and both sides on all items."""
    asked = matter.asked
    reference = load_bridgeable(store, matter.reference_protocol, asked.reference, asked.judge)
    judge = load_bridgeable(store, matter.judge_protocol, asked.judge, asked.reference)
    chosen = _load_chosen_items(store, matter)
    items = np.intersect1d(np.union1d(reference.items, judge.items), chosen)
    return items, _restrict_to_items(reference, items), _restrict_to_items(judge, items)


def _load_chosen_items(store: Store, matter: PolicySubject) -> Numbers:
    """Items of the selection under either protocol."""
    selection = matter.asked.selection
    protocols = {each.key: each for each in (matter.reference_protocol, matter.judge_protocol)}
    parts = [
        load_chosen_items(store, replace(selection, protocol=key), each)
        for key, each in protocols.items()
    ]
    chosen: Numbers = np.unique(np.concatenate(parts))
    return chosen


def _restrict_to_items(side: Bridgeable, items: Numbers) -> Bridgeable:
    """The same side on some items, in their order; -1 where it says nothing."""
    if not len(side.items):
        return Bridgeable(items=items, codes=np.full(len(items), -1, np.int64))
    place = np.minimum(np.searchsorted(side.items, items), len(side.items) - 1)
    there = side.items[place] == items
    if side.codes is not None:
        return Bridgeable(items=items, codes=np.where(there, side.codes[place], -1))
    which = side.which if side.which is not None else np.zeros(0, np.int64)
    return Bridgeable(items=items, profiles=side.profiles, which=np.where(there, which[place], -1))


def _build_view(
    matter: PolicySubject, by: Policy, reference: Bridgeable, judge: Bridgeable
) -> PolicyView:
    codes, whys = [], []
    for side in (reference, judge):
        found, meant = side.under(by, matter.criterion, matter.values)
        reasons: list[ImpliedMeaning | None] = [None] * len(side.items)
        if side.which is not None:
            silent = side.which < 0
            found = np.where(silent, -1, found)
            reasons = [meant[at] if at >= 0 else None for at in side.which.tolist()]
        codes.append(found)
        whys.append(reasons)
    return PolicyView(codes[0], codes[1], whys[0], whys[1])


def count_met_pairs(matter: PolicySubject, items: Numbers, view: PolicyView) -> PairTables:
    """The pairs of answers, of the items about which both sides say something."""
    scale = matter.target.criterion(matter.criterion).scale
    met = (view.reference >= 0) & (view.judge >= 0)
    return count_pairs(
        scale.values,
        scale.ordinal,
        items=items[met],
        reference=view.reference[met],
        judge=view.judge[met],
    )


def _build_row(matter: PolicySubject, by: Policy, items: Numbers, view: PolicyView) -> LensRow:
    tables = count_met_pairs(matter, items, view)
    return LensRow(
        policy=by,
        reference=matter.marked("reference", by),
        judge=matter.marked("judge", by),
        estimates=pair_estimates(tables, HEADLINE[tables.ordinal]),
        items=int(((view.reference >= 0) & (view.judge >= 0)).sum()),
        reference_only=int(((view.reference >= 0) & (view.judge < 0)).sum()),
        judge_only=int(((view.reference < 0) & (view.judge >= 0)).sum()),
        cannot_reference=_count_missing(view.reference, view.why_reference),
        cannot_judge=_count_missing(view.judge, view.why_judge),
        tables=tables,
    )


def _count_missing(codes: Numbers, meant: list[ImpliedMeaning | None]) -> dict[str, int]:
    missing = [meant[at] for at in np.flatnonzero(codes < 0).tolist()]
    return dict(Counter(each.in_general for each in missing if each).most_common())


def _build_columns(
    matter: PolicySubject, view: PolicyView, rows: Numbers, name: str
) -> dict[str, Any]:
    """Values and reasons of both sides on some items, as columns."""
    found: dict[str, Any] = {}
    for side, codes, why in (
        ("reference", view.reference, view.why_reference),
        ("judge", view.judge, view.why_judge),
    ):
        found[f"{side}_{name}"] = [
            matter.values[code] if code >= 0 else None for code in codes[rows].tolist()
        ]
        found[f"{side}_{name}_reason"] = [
            each.reason if (each := why[at]) else "" for at in rows.tolist()
        ]
    both = (view.reference[rows] >= 0) & (view.judge[rows] >= 0)
    same = view.reference[rows] == view.judge[rows]
    agreed = zip(same.tolist(), both.tolist(), strict=True)
    found[f"agreed_{name}"] = [is_same if is_known else None for is_same, is_known in agreed]
    return found


def _load_places(store: Store, matter: PolicySubject, items: Numbers) -> pd.DataFrame:
    protocols = [matter.reference_protocol.key, matter.judge_protocol.key]
    # Whoever looks an answer up wants the labels that it was bridged from.
    protocols.sort(key=matter.target.key.__eq__)
    facts = {
        "items": items.tolist(),
        "protocols": protocols,
        "runs": list(matter.asked.selection.runs),
    }
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(PLACES, facts).df()
    return found.set_index("item_no").reindex(items.tolist())[_PLACE].reset_index(drop=True)
