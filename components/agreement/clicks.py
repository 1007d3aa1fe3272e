"""Parse a clicked cell, score difference or slice from the URL into a query for units."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from components.agreement.choice import ChosenComparison
from components.agreement.labels import get_label_looks
from components.agreement.overview import APART
from components.charts.confusion import parse_cell_key
from components.charts.difference_bars import parse_step


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Units in words, and as `data.agreement.pairs.cell_units` is asked for them."""

    heading: str
    asks: Mapping[str, Any] = field(default_factory=dict)


def read_unpaired_click(asked: ChosenComparison) -> Wanted | None:
    """Units on which only one side has a label, or people come to none."""
    said = st.query_params.get("apart", "")
    reference, judge = asked.sides
    titles = {
        "reference_only": f"Only {reference} has a label",
        "judge_only": f"Only {judge} has a label",
        "ties": "Raters come to no majority",
    }
    return Wanted(heading=titles[said], asks={"apart": said}) if said in APART else None


def read_cell_click(
    asked: ChosenComparison, groups: Mapping[str, str], direction: str
) -> Wanted | None:
    """Units of a cell, or of a difference between scores."""
    looks = get_label_looks(asked, groups)
    reference, judge = asked.sides
    cell = parse_cell_key(st.query_params.get("cell", ""), tuple(looks))
    if cell is not None:
        asks = {
            "reference_value": _expand_group(cell.reference, groups),
            "judge_value": _expand_group(cell.judge, groups),
            "field": direction,
        }
        said = f"{reference}: {looks[cell.reference].title}. {judge}: {looks[cell.judge].title}"
        return Wanted(heading=said, asks=asks)
    step = parse_step(st.query_params.get("steps", ""), len(looks))
    if step is None or not asked.criterion.scale.ordinal:
        return None
    steps = f"{abs(step)} {'step' if abs(step) == 1 else 'steps'}"
    words = f"{steps} {'higher' if step > 0 else 'lower'}" if step else "the same"
    return Wanted(heading=f"{judge} scores {words}", asks={"difference": step, "field": direction})


def read_slice_click(split: str, titles: Mapping[str, str]) -> Wanted | None:
    """Units of a slice on which the two differ: what a person comes to see there."""
    part = st.query_params.get("part", "")[:500]
    if not part:
        return None
    name = titles.get(part, part)
    return Wanted(
        heading=f"Units with different labels where {split.replace('_', ' ')} is {name}",
        asks={"part": (split, part), "differing": True},
    )


def _expand_group(value: str, groups: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(each for each, group in groups.items() if group == value) or (value,)
