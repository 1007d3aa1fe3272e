"""Every shared reference case of two sides is met to the last digit that was given."""

import json
from collections.abc import Mapping

import numpy as np
import pytest

from faithfulness.statistics.agreement import (
    bowker,
    compute_pair_values,
    mcnemar,
    pair_estimates,
    stuart_maxwell,
)
from faithfulness.statistics.coefficients import (
    TableBatch,
    brennan_prediger,
    build_credit_matrix,
    cohen_kappa,
    gwet_ac,
    krippendorff_alpha,
    scott_pi,
)
from faithfulness.statistics.influence import compute_left_out, compute_linear_errors
from faithfulness.statistics.tables import PairTables, count_pairs
from tests.shared_data import SHARED, needs_shared

CASES = SHARED / "agreement_cases.json"
KINDS = {
    "pair_table",
    "label_pairs",
    "pair_table_ordinal",
    "score_pairs",
    "binary_with_none",
    "item_tables",
}
PLAIN = {
    "percent_agreement": "percent",
    "cohen_kappa": "kappa",
    "scott_pi": "pi",
    "gwet_ac1": "ac1",
    "brennan_prediger": "brennan_prediger",
    "krippendorff_alpha_nominal": "alpha",
    "mcc": "mcc",
    "kendall_tau_b": "tau_b",
    "goodman_kruskal_gamma": "gamma",
    "spearman": "spearman",
    "pearson": "pearson",
    "mean_difference_columns_minus_rows": "mean_difference",
    "mean_difference_second_minus_first": "mean_difference",
    "sd_difference": "sd_difference",
    "mean_absolute_difference": "mae",
    "icc_1_1": "icc_1_1",
    "icc_2_1": "icc_2_1",
    "icc_3_1": "icc_3_1",
}
WEIGHTED = {
    "cohen_kappa": cohen_kappa,
    "gwet_ac2": gwet_ac,
    "scott_pi": scott_pi,
    "brennan_prediger": brennan_prediger,
    "krippendorff_alpha_weighted": krippendorff_alpha,
}
SHIPPED_WEIGHTED = {
    ("cohen_kappa", "linear"): "kappa_linear",
    ("cohen_kappa", "quadratic"): "kappa_quadratic",
    ("gwet_ac2", "quadratic"): "ac2",
    ("krippendorff_alpha_weighted", "quadratic"): "alpha_interval",
}


def cases():
    if not CASES.is_file():
        return []
    given = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    return [
        pytest.param(case, expected, id=f"{case['id']}-{expected['statistic']}")
        for case in given
        if case["kind"] in KINDS
        for expected in case["expected"]
    ]


def tables_of(case) -> PairTables:
    """One unit an item, unless the case groups units by item."""
    data = case["input"]
    if case["kind"] == "item_tables":
        cells = np.array(data["item_tables"]).reshape(len(data["item_tables"]), -1)
        return PairTables(
            values=tuple("abcd"), ordinal=False, items=np.arange(len(cells)), cells=cells
        )
    if "table" in data:
        table = np.array(data["table"])
        first, second = (
            np.repeat(axis, table.ravel()) for axis in np.indices(table.shape).reshape(2, -1)
        )
        values = tuple(str(value) for value in range(len(table)))
    else:
        names = {"label_pairs": ("reference", "predicted"), "score_pairs": ("x", "y")}
        one, two = names.get(case["kind"], ("human", "judge"))
        both = [pair for pair in zip(data[one], data[two], strict=True) if None not in pair]
        declared = next(
            (
                each["params"]["labels"]
                for each in case["expected"]
                if "labels" in each.get("params", {})
            ),
            sorted({value for pair in both for value in pair}),
        )
        first, second = (np.array([declared.index(pair[side]) for pair in both]) for side in (0, 1))
        values = tuple(str(value) for value in declared)
    return count_pairs(values, True, items=np.arange(len(first)), reference=first, judge=second)


def spread_over_scores(case) -> dict[str, float]:
    """Scores with gaps between them stand at their own places: pad the scale with unused ones."""
    first, second = (np.array(case["input"][side]) for side in ("x", "y"))
    low, high = min(first.min(), second.min()), max(first.max(), second.max())
    values = tuple(str(value) for value in range(low, high + 1))
    tables = count_pairs(
        values, True, items=np.arange(len(first)), reference=first - low, judge=second - low
    )
    found = compute_pair_values(tables.total, values, True, ("mean_difference", "sd_difference"))
    shift, spread = -float(found["mean_difference"]), float(found["sd_difference"])
    return {
        "mean_difference_x_minus_y": shift,
        "sd_difference": spread,
        "limits_2sd_low": shift - 2 * spread,
        "limits_2sd_high": shift + 2 * spread,
    }


def over_items(tables: PairTables, statistic: str) -> float | list[float]:
    """Errors and percentiles over items, of the case whose units are grouped."""
    for ending in (
        "_se_jackknife_items",
        "_se_delta_items",
        "_se_bootstrap_items",
        "_ci95_percentile_items",
    ):
        if statistic.endswith(ending):
            name = PLAIN[statistic.removesuffix(ending)]
            break
    size = len(tables.values)

    def values(sums):
        return compute_pair_values(sums.reshape(-1, size, size), tables.values, False, [name])

    if ending == "_se_delta_items":
        return compute_linear_errors(tables.cells, values)[name]
    if ending == "_se_jackknife_items":
        without = compute_left_out(tables.cells, values)[name]
        return float(without.std() * np.sqrt(len(without) - 1))
    drawn = values(drawn_again(tables.cells, 20_000))[name]
    return float(drawn.std()) if "_se_" in ending else np.quantile(drawn, [0.025, 0.975]).tolist()


def drawn_again(cells: np.ndarray, resamples: int) -> np.ndarray:
    """The sums over as many items, drawn with replacement."""
    items = len(cells)
    drawn = np.random.default_rng(20_240_101).multinomial(items, [1 / items] * items, resamples)
    return (drawn @ cells).astype(np.float64)


def weighted(tables: PairTables, expected: Mapping) -> float:
    kind = expected["params"].get("weights")
    size = len(tables.values)
    if kind is None:
        weights = 1 - np.array(expected["params"]["disagreement_weights"]) / 6
    else:
        weights = build_credit_matrix(size, kind)
    value = float(WEIGHTED[expected["statistic"]](TableBatch(tables.total), weights))
    shipped = SHIPPED_WEIGHTED.get((expected["statistic"], kind))
    if shipped:
        again = compute_pair_values(tables.total, tables.values, True, [shipped])[shipped]
        assert float(again) == pytest.approx(value, abs=1e-12)
    return value


def of_claims(case) -> dict[str, float]:
    """Coverage and rates of each side; a claim that was not judged counts in neither."""
    found = {"pairs_compared": float(tables_of(case).units_n)}
    for side in ("human", "judge"):
        said = case["input"][side]
        judged = [value for value in said if value is not None]
        found[f"{side}_coverage"] = len(judged) / len(said)
        found[f"{side}_supported_rate"] = sum(judged) / len(judged)
    return found


def of_table(tables: PairTables) -> dict[str, float | None]:
    total = tables.total
    statistic, freedom, p = stuart_maxwell(total)
    found = {
        "stuart_maxwell_chi2": statistic,
        "stuart_maxwell_p": p,
        "df": freedom,
        "bowker_chi2": bowker(total)[0],
    }
    if len(total) == 2:
        names = ("mcnemar_chi2", "mcnemar_chi2_continuity", "mcnemar_exact_p")
        found.update(zip(names, mcnemar(total), strict=True))
    # With every unit as its own item the delta method is Fleiss, Cohen and Everitt's (1969), who
    # divide by the units and not by one less.
    size, units = len(tables.values), tables.units_n
    errors = compute_linear_errors(
        tables.cells,
        lambda sums: compute_pair_values(
            sums.reshape(-1, size, size), tables.values, False, ["kappa"]
        ),
    )
    found["cohen_kappa_se"] = errors["kappa"] * float(np.sqrt((units - 1) / units))
    return found


def of_labels(tables: PairTables, statistic: str) -> float | dict[str, list[float]]:
    parts = {
        kind: [
            compute_pair_values(tables.total, tables.values, False, [f"{kind}:{value}"])[
                f"{kind}:{value}"
            ]
            for value in tables.values
        ]
        for kind in ("precision", "recall", "f1")
    }
    if statistic == "per_label_precision_recall_f1":
        return {kind: [float(value) for value in found] for kind, found in parts.items()}
    kind, _, which = statistic.partition("_")
    return float(np.mean(parts[kind]) if which == "macro" else parts[kind][int(which[-1])])


def value_of(case, expected, tables: PairTables):
    statistic = expected["statistic"]
    if statistic.endswith("_items"):
        return over_items(tables, statistic)
    if case["id"].startswith("bland_altman"):
        return spread_over_scores(case)[statistic]
    if set(expected.get("params", {})) & {"weights", "disagreement_weights"}:
        return weighted(tables, expected)
    if statistic in PLAIN:
        name = PLAIN[statistic]
        return pair_estimates(tables, [name])[name].value
    if case["kind"] == "binary_with_none":
        return of_claims(case)[statistic]
    if statistic.startswith(("per_label", "f1_", "recall_")):
        return of_labels(tables, statistic)
    return of_table(tables)[statistic]


@needs_shared
@pytest.mark.parametrize(("case", "expected"), cases())
def test_reference_case_is_met(case, expected):
    tables = tables_of(case)
    found = value_of(case, expected, tables)
    assert_met(found, expected)
    if "df" in expected.get("params", {}) and "bowker" not in expected["statistic"]:
        assert of_table(tables)["df"] == expected["params"]["df"]


def assert_met(found, expected) -> None:
    """The value, the published digits where there are any, or no value at all."""
    if expected.get("undefined"):
        assert found is None
        return
    tolerance = expected.get("tolerance", 1e-6)
    if isinstance(expected["value"], dict):
        for kind, values in expected["value"].items():
            assert found[kind] == pytest.approx(values, abs=tolerance, nan_ok=True)
        return
    assert found == pytest.approx(expected["value"], abs=tolerance)
    if "published" in expected and "tolerance" not in expected:
        half = 0.5 * 10 ** -expected["published_decimals"]
        assert found == pytest.approx(expected["published"], abs=half * 1.001)
