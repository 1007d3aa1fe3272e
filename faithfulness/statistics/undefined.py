"""Why a number of agreement is undefined on a table, in plain words."""

import numpy as np

from faithfulness.statistics.tables import Numbers

NO_ORDER = "the labels have no order"

_ONE_OF_THEM_IS_ENOUGH = frozenset({"mcc", "pearson", "spearman", "tau_b"})


def why_undefined(name: str, total: Numbers, values: tuple[str, ...]) -> str:
    """The reason why this number has no value on this table, (K, K), rows the reference."""
    kind, _, label = name.partition(":")
    if not total.sum():
        return "no unit has both"
    if label:
        return {
            "precision": f"the judge never says {label}",
            "recall": f"the reference never says {label}",
        }.get(kind, f"neither ever says {label}")
    if total.sum() == 1:
        return "only one unit has both"
    if len(values) == 1:
        return "the scale has one label only"
    if kind == "gamma":
        return "no two units differ on both sides"
    return _who_is_constant(kind, total)


def _who_is_constant(kind: str, total: Numbers) -> str:
    reference = np.count_nonzero(total.sum(axis=1)) == 1
    judge = np.count_nonzero(total.sum(axis=0)) == 1
    if reference and judge:
        return "both use one label only"
    if kind in _ONE_OF_THEM_IS_ENOUGH and reference:
        return "the reference uses one label only"
    return "the judge uses one label only"
