"""Agreement in plain sentences that claim no more than the intervals do."""

from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.ceiling import Ceiling
from faithfulness.wording import begun, counted

ALIKE = 0.05  # two shares that surely differ by less are called the same
PARTED = 0.2  # kappa and AC1 further apart than this tell of skewed labels, not of the judge


def header(
    percent: Estimate, ceiling: Ceiling | None, *, judge: str, reference: str, unit: str
) -> str:
    """The first sentence of a comparison: how often both say the same, beside the raters.

    Args:
        percent: Share of units with the same label.
        ceiling: The judge beside the raters; None where the reference is not what raters say.
        judge: Whom the sentence is about, such as “judge north”.
        reference: Who that is compared with, such as “the majority of raters”.
        unit: What is labelled, in the singular.
    """
    if percent.value is None:
        return f"{begun(judge)} and {reference} have no label on the same {unit}."
    lead = f"On {counted(percent.items, 'item')} with both, "
    if ceiling is not None and ceiling.difference.value is not None:
        lead = f"On {counted(ceiling.judge.items, 'item')} that two raters labelled as well, "
        return lead + _beside_raters(ceiling, judge)
    many = counted(percent.units, unit)
    return f"{lead}{judge} and {reference} give the same label to {share(percent)} of {many}."


def _beside_raters(ceiling: Ceiling, judge: str) -> str:
    numbers = f"{share(ceiling.judge)} against {share(ceiling.raters)}"
    low, high = ceiling.difference.low, ceiling.difference.high
    if low is None or high is None:
        return (
            f"{judge} and a rater give the same label to {share(ceiling.judge)}, two raters to "
            f"{share(ceiling.raters)}; these are too few or too equal to tell the two apart."
        )
    if high < 0:
        return (
            f"{judge} agrees with the raters less often than the raters agree with each other: "
            f"{numbers}."
        )
    if low > 0:
        return (
            f"{judge} agrees with the raters more often than the raters agree with each other: "
            f"{numbers}."
        )
    if -low <= ALIKE and high <= ALIKE:
        return (
            f"{judge} agrees with the raters as well as the raters agree with each other: "
            f"{numbers}."
        )
    return (
        f"{judge} agrees with the raters about as often as the raters agree with each other, "
        f"{numbers}, but these items leave open a difference of {_points(low)} to {_points(high)}."
    )


def share(estimate: Estimate) -> str:
    """A share in percent with its interval: “84 % [81, 87]”; a dash where it is undefined."""
    if estimate.value is None:
        return "—"
    said = f"{100 * estimate.value:.0f} %"
    if estimate.low is None or estimate.high is None:
        return said
    return f"{said} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def skew(kappa: Estimate, ac1: Estimate, commonest: str, baseline: Estimate) -> str:
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


def better_than_constant(percent: Estimate, baseline: Estimate, commonest: str) -> str:
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


def _points(value: float) -> str:
    said = round(100 * value)
    return f"{'−' if said < 0 else '+' if said else ''}{abs(said)} points"
