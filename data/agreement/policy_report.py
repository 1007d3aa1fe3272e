"""Agreement report across protocols for one policy, with a comparison of all policies."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from data.agreement.parts import build_row
from data.agreement.policies import LensRow, compare_policies, count_met_pairs, load_both_sides
from data.agreement.policy_subject import PolicySubject
from data.agreement.question import AgreementQuestion
from data.items.sample_runs import find_left_out_sample_runs
from data.store.store import Store
from faithfulness.model.wording import format_count
from faithfulness.policies.policies import policy
from faithfulness.statistics.agreement import Estimate, pair_estimates
from faithfulness.statistics.correction import Corrected, JudgedItems, estimate_corrected_rate
from faithfulness.statistics.label_rates import count_labeled_items
from faithfulness.statistics.sentence import format_header


def estimate_policy_rates(store: Store, asked: AgreementQuestion) -> Mapping[str, Corrected]:
    """By answer of the target's scale: judge_only, human_only and corrected, under `asked.policy`.

    The correction holds only if the responses that people answered about are a random sample of
    all that the judge did (`correction.ASSUMPTION`).

    Raises:
        ReviewError: there is no such policy, bridge or author.
    """
    chosen = policy(asked.policy)
    matter, items, view = load_both_sides(store, asked, chosen)
    tables = count_met_pairs(matter, items, view)
    alone = view.judge[(view.reference < 0) & (view.judge >= 0)]
    return {
        label: estimate_corrected_rate(
            count_labeled_items(tables, label),
            JudgedItems(judge=(alone == at).astype(np.float64), units=np.ones(len(alone))),
        )
        for at, label in enumerate(tables.values)
    }


def build_policy_report(store: Store, asked: AgreementQuestion) -> dict[str, Any]:
    """As `agreement_report.report`, with bridged sides marked by the policy.

    Of `numbers`, rows with an empty `by` are of the chosen policy; rows by "policy" are the
    headline under each, lowest first. More keys: policy (its key, title, about and source_rule),
    flipping (items that change an answer between policies), notes (what could not be bridged).

    Raises:
        ReviewError: there is no such policy, bridge or author.
    """
    chosen = policy(asked.policy)
    found = compare_policies(store, asked)
    matter = found.matter
    row = next(each for each in found.rows if each.policy is chosen)
    numbers = pair_estimates(row.tables)
    rows = [_build_row(matter, row, each) for each in numbers.values()]
    for name in row.estimates:
        beside = [(each, each.estimates[name]) for each in found.rows]
        beside.sort(key=lambda pair: (pair[1].value is not None, pair[1].value or 0.0))
        rows += [
            _build_row(matter, each, estimate) | {"by": "policy", "slice": each.policy.key}
            for each, estimate in beside
        ]
    return {
        "protocol": matter.target.key,
        "criterion": matter.criterion,
        "reference": row.reference,
        "judge": row.judge,
        "field": "",
        "by": "policy",
        "unit": "response",
        "sentence": _format_sentence(matter, row, numbers["percent"]),
        "coverage": _count_coverage(row)
        | {"sample_runs_left_out": len(find_left_out_sample_runs(store, asked.selection))},
        "numbers": rows,
        "policy": {
            "key": chosen.key,
            "title": chosen.title,
            "about": chosen.about,
            "source_rule": chosen.source_rule,
        },
        "flipping": found.flipping,
        "notes": _list_notes(row, found.flipping),
    }


def _build_row(matter: PolicySubject, row: LensRow, estimate: Estimate) -> dict[str, Any]:
    return build_row(
        estimate,
        reference=row.reference,
        judge=row.judge,
        protocol=matter.target.key,
        criterion=matter.criterion,
    )


def _format_sentence(matter: PolicySubject, row: LensRow, percent: Estimate) -> str:
    names = {}
    for side in ("reference", "judge"):
        words = getattr(matter.asked, side).in_words
        bridged = f" (bridged by “{row.policy.title}”)" if matter.bridged(side) else ""
        names[side] = words + bridged
    return format_header(percent, unit="response", **names)


def _count_coverage(row: LensRow) -> dict[str, int]:
    nothing = dict.fromkeys(("ties", "unread_reference", "unread_judge", "joined"), 0)
    return nothing | {
        "both": row.items,
        "reference_only": row.reference_only,
        "judge_only": row.judge_only,
        "items_both": row.items,
        "items_reference_only": row.reference_only,
        "items_judge_only": row.judge_only,
    }


def _list_notes(row: LensRow, flipping: int) -> list[str]:
    notes = [f"Policy “{row.policy.title}”: {row.policy.about}"]
    for side, cannot in (("reference", row.cannot_reference), ("judge", row.cannot_judge)):
        notes += [
            f"Cannot bridge {format_count(many, 'response')} of the {side}: {why}"
            for why, many in cannot.items()
        ]
    notes.append(f"{format_count(flipping, 'response')} change an answer between policies.")
    return notes
