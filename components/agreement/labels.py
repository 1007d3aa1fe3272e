"""Confusion matrix, per-label precision, recall and F1, and score differences."""

from collections.abc import Mapping

import streamlit as st

from components.agreement.choice import ChosenComparison
from components.agreement.undefined_reasons import show_reasons
from components.charts.coefficients import SHARES
from components.charts.confusion import parse_cell_key, show_confusion
from components.charts.difference_bars import parse_step, show_differences
from components.charts.dots import format_estimate, format_percent
from components.charts.marks import draw_marks
from components.ui.label_colors import Look, look
from components.ui.number_meanings import meaning
from components.ui.numbers import count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_segments, bound_toggle
from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.wording import format_count
from faithfulness.statistics.agreement import (
    Estimate,
    count_differences,
    marginal_homogeneity,
    pair_estimates,
)
from faithfulness.statistics.homogeneity import count_differing_items
from faithfulness.statistics.tables import PairTables

# Six answers as people first read them; what the six add is how it is known.
GROUPS = {
    "yes_evidence": "yes",
    "yes_common_knowledge": "yes",
    "no_contrary_evidence": "no",
    "no_against_common_knowledge": "no",
    "unsure": "other",
    "nothing_to_check": "other",
}
_GROUPED = Scale(
    labels=(
        Label(value="yes", title="Yes", tone=Tone.GOOD),
        Label(value="no", title="No", tone=Tone.BAD, contradicts=True),
        Label(value="other", title="Other", tone=Tone.NEUTRAL),
    )
)
DIRECTIONS = {
    "": "Claims both ways",
    "response": "Claims of the response (precision)",
    "reference": "Claims of the reference (recall)",
}
SURE = 0.05


def ask_direction(asked: ChosenComparison) -> str:
    """Which claims; empty for both ways and for protocols without claims."""
    if len(asked.protocol.checked_against) < 2:
        return ""
    return bound_segments("direction", "Direction", DIRECTIONS)


def ask_groups(asked: ChosenComparison) -> dict[str, str]:
    """The groups into which answers are joined; none unless somebody asks for it."""
    if not set(GROUPS) <= set(asked.criterion.scale.values):
        return {}
    return GROUPS if bound_toggle("groups", "Join to yes, no, other") else {}


def get_label_looks(asked: ChosenComparison, groups: Mapping[str, str]) -> dict[str, Look]:
    if not groups:
        return asked.looks
    return {each.value: look(each, _GROUPED) for each in _GROUPED.labels}


def show_labels(asked: ChosenComparison, tables: PairTables, groups: Mapping[str, str]) -> None:
    """The table, and beside it the differences of scores or the F1 of each label."""
    looks = get_label_looks(asked, groups)
    shown = tables.collapsed(groups) if groups else tables
    chosen = parse_cell_key(st.query_params.get("cell", ""), shown.values)
    left, right = st.columns([3, 2], gap="large") if shown.ordinal else (st.container(), None)
    with left:
        show_confusion(shown.total, looks, sides=asked.sides, chosen=chosen)
        st.caption(
            "Rows are the reference. Each cell: units, and their share of the row. "
            "A click lists the units below."
        )
    if right is not None:
        with right:
            _show_scores(shown)


def _show_scores(tables: PairTables) -> None:
    step = parse_step(st.query_params.get("steps", ""), len(tables.values))
    st.markdown("**Judge minus reference**")
    show_differences(count_differences(tables), chosen=step)
    names = ("mean_difference", "within_one", "mae", "kappa_quadratic", "spearman")
    found = pair_estimates(tables, names)
    parts = [
        {
            "title": meaning(name).title,
            "text": format_percent(each) if name in SHARES else _format_signed(each),
            "drawn": False,
        }
        for name, each in found.items()
    ]
    label = "Numbers of score differences"
    draw_marks({"kind": "parts", "label": label, "parts": parts}, key="scores")
    st.caption(plain(describe_bias(found["mean_difference"])))
    show_reasons(found.values(), {})


def describe_bias(bias: Estimate) -> str:
    """Whether the judge is milder or stricter, as far as the interval tells."""
    if bias.value is None:
        return bias.reason
    if bias.low is None or bias.high is None:
        return f"Whether the judge is milder or stricter cannot be told: {bias.reason}."
    if bias.low > 0:
        return f"The judge is milder, by {_format_signed(bias)} steps on average."
    if bias.high < 0:
        return f"The judge is stricter, by {_format_signed(bias)} steps on average."
    return f"No lasting mildness or strictness shows: {_format_signed(bias)} steps on average."


def show_per_label(asked: ChosenComparison, tables: PairTables, groups: Mapping[str, str]) -> None:
    """Each label apart: how often both use it, and how well the judge finds it."""
    looks = get_label_looks(asked, groups)
    shown = tables.collapsed(groups) if groups else tables
    kinds = ("precision", "recall", "f1", "bias")
    found = pair_estimates(shown, [f"{kind}:{value}" for value in looks for kind in kinds])
    uses, given = shown.total.sum(axis=1), shown.total.sum(axis=0)
    rows = []
    for at, (value, each) in enumerate(looks.items()):
        numbers = [found[f"{kind}:{value}"] for kind in kinds]
        glyph = "" if each.glyph == each.title else each.glyph
        rows.append(
            TableRow(
                id=value,
                cells=(
                    Cell(text=each.title, glyph=glyph, color=each.color),
                    Cell(text=count(int(uses[at]))),
                    Cell(text=count(int(given[at]))),
                    *(_build_share_cell(one) for one in numbers[:3]),
                    Cell(text=_format_points(numbers[3])),
                ),
            )
        )
    titles = (asked.sides[0], asked.sides[1], "Precision", "Recall", "F1", "Judge more often")
    columns = (
        Column(title="Label"),
        *(Column(title=each, end=True, drop=at < 2) for at, each in enumerate(titles)),
    )
    st.subheader("Label by label", anchor=False)
    show_table(columns, [Group(rows=rows)], key="per_label", label="Numbers of each label")
    st.caption(plain(describe_label_use(shown)))
    show_reasons(found.values(), {value: each.title for value, each in looks.items()})


def _build_share_cell(found: Estimate) -> Cell:
    """A precision, recall or F1 with the units of this label that it rests on."""
    return Cell(text=format_estimate(found), note=f"n {count(found.units)}" if found.units else "")


def describe_label_use(tables: PairTables) -> str:
    """Whether both sides use the labels equally often, tested over items."""
    _, freedom, p = marginal_homogeneity(tables)
    if p is None or not freedom:
        return "Whether both use the labels equally often cannot be tested here."
    differ = format_count(count_differing_items(tables), "item")
    said = f"p {'< 0.001' if p < 0.001 else f'= {p:.3f}'}, tested over the {differ} that differ"
    if p < SURE:
        return f"The two do not use the labels equally often ({said})."
    return f"Nothing shows that the two use the labels differently often ({said})."


def _format_signed(found: Estimate) -> str:
    text = format_estimate(found)
    if found.name == "mean_difference" and found.value is not None and found.value > 0:
        return f"+{text}"
    return text


def _format_points(found: Estimate) -> str:
    """A difference of shares in points, with its sign."""
    if found.value is None:
        return "—"
    ends = [each for each in (found.low, found.high) if each is not None]
    said = [_format_point(each) for each in (found.value, *ends)]
    return said[0] + (f" [{', '.join(said[1:])}]" if ends else "") + " points"


def _format_point(value: float) -> str:
    points = round(100 * value)
    return f"{points:+d}".replace("-", "−") if points else "0"
