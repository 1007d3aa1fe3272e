"""Describe agreement in plain sentences that claim no more than the intervals support."""

from faithfulness.model.wording import capitalize_first, format_count
from faithfulness.statistics.agreement import Estimate

PARTED = 0.2  # kappa and AC1 further apart than this tell of skewed labels, not of the judge


def format_header(percent: Estimate, *, judge: str, reference: str, unit: str) -> str:
    """The first sentence of a comparison: how often both say the same.

    Args:
        percent: Share of units with the same label.
        judge: Whom the sentence is about, such as “judge north”.
        reference: Who that is compared with, such as “the majority of raters”.
        unit: What is labelled, in the singular.
    """
    if percent.value is None:
        return f"{capitalize_first(judge)} and {reference} have no label on the same {unit}."
    items, units = format_count(percent.items, "item"), format_count(percent.units, unit)
    return (
        f"On {items} with both, {judge} and {reference} give the same label to "
        f"{format_share(percent)} "
        f"of {units}."
    )


def format_share(estimate: Estimate) -> str:
    """A share in percent with its interval: “84 % [81, 87]”; a dash where it is undefined."""
    if estimate.value is None:
        return "—"
    said = f"{100 * estimate.value:.0f} %"
    if estimate.low is None or estimate.high is None:
        return said
    return f"{said} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def format_skew_warning(kappa: Estimate, ac1: Estimate, commonest: str, baseline: Estimate) -> str:
    """A warning where one common label makes kappa and AC1 part; empty where they do not."""
    if kappa.value is None or ac1.value is None or baseline.value is None:
        return ""
    if abs(ac1.value - kappa.value) <= PARTED:
        return ""
    return (
        f"Kappa ({kappa.value:.2f}) and AC1 ({ac1.value:.2f}) part because the labels are skewed: "
        f"{100 * baseline.value:.0f} % of the reference's are {commonest}. Neither is wrong. Kappa "
        "asks how well the rest is told apart, AC1 how often both would agree on such labels; "
        "judge by the rare label's F1 and by the table."
    )


def compare_with_baseline(percent: Estimate, baseline: Estimate, commonest: str) -> str:
    """Whether the judge does better than always giving the reference's commonest label."""
    if percent.value is None or baseline.value is None:
        return ""
    always = f"A judge that always says {commonest} would reach {100 * baseline.value:.0f} %"
    if percent.low is None:
        return f"{always}."
    if percent.low > baseline.value:
        return f"{always}, which this judge surpasses."
    if percent.high is not None and percent.high < baseline.value:
        return f"{always}, more than this judge."
    return f"{always}, and these items do not show that this judge does better."
