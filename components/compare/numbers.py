"""Summary score and agreement of both sides, with the paired difference and its interval."""

from collections.abc import Sequence

import streamlit as st

from components.charts.paired import show_paired
from components.ui.number_meanings import meaning
from components.ui.numbers import count, format_count, interval, number
from components.ui.plain import plain
from faithfulness.statistics.intervals import compute_mean_interval
from faithfulness.statistics.paired import PairedNumber, describe_difference
from faithfulness.statistics.paired import drop_nan as known_of
from faithfulness.statistics.tables import Numbers

NAMES = ("A", "B")


def show_number(
    measure: PairedNumber, own: Sequence[Numbers], *, judged: bool, common: bool, on: str = ""
) -> None:
    """Say the protocol's number of each side, and the paired difference with its doubt.

    Args:
        measure: The number on the common items.
        own: Each side's numbers, on all its items or the common ones.
        judged: Whether a higher number means better responses and not a milder author.
        common: Whether `own` holds the common items only.
        on: Which units the difference counts, where the sides labelled different ones.
    """
    title = plain(measure.name)
    st.markdown(plain(describe_difference(measure, f"“{measure.name}”", NAMES)))
    where = "on the common items" if common else "on all its items"
    st.caption(
        f"{title} {where}: "
        + "; ".join(
            f"{name} {_format_mean(values)}" for name, values in zip(NAMES, own, strict=True)
        )
        + "."
        + (f" {plain(on)}" if on else "")
    )
    show_paired(
        [measure],
        titles={measure.name: measure.name},
        about={},
        judged=judged,
        label=f"{measure.name}: B minus A",
        key="number",
    )
    _explain_rounding([measure])


def describe_units(many: tuple[int, int, int], one: str) -> str:
    """Say how many units A, B and both labelled, unless all three are the same."""
    first, second, both = many
    if first == second == both:
        return ""
    return (
        f"In the compared items A labelled {format_count(first, one)} and B {count(second)}: the "
        f"difference counts the {count(both)} that both labelled."
    )


def show_agreement(measures: Sequence[PairedNumber], reference: str) -> None:
    """Draw how much better B agrees with the reference than A does."""
    first = measures[0]
    if not first.difference.items:
        st.caption(plain(f"No unit has labels of A, of B and of {reference}. Choose another one."))
        return
    st.markdown(
        plain(describe_difference(first, f"agreement with {reference} (same label)", NAMES))
    )
    st.caption(
        plain(
            f"Each side against {reference}, on what all three labelled. Right of the line B "
            "agrees better; for the mean distance, left of it."
        )
    )
    show_paired(
        measures,
        titles={each.name: meaning(each.name).title for each in measures},
        about={each.name: meaning(each.name).in_words for each in measures},
        judged=True,
        label=f"Agreement with {reference}: B minus A",
        key="agreement",
    )
    _explain_rounding(measures)


def _explain_rounding(measures: Sequence[PairedNumber]) -> None:
    """Say why a difference seems wrong, where it does."""
    if not all(fits(each) for each in measures):
        st.caption(
            "Differences are rounded from unrounded numbers, so the last digit may be another than "
            "that of B minus A as shown."
        )


def fits(measure: PairedNumber, digits: int = 2) -> bool:
    """Whether the difference, as shown, is that of the two numbers as shown."""
    first, second, found = measure.first, measure.second, measure.difference.value
    if first is None or second is None or found is None:
        return True
    shown = round(round(second, digits) - round(first, digits), digits)
    return shown == round(found, digits)


def _format_mean(values: Numbers) -> str:
    known = known_of(values)
    found = compute_mean_interval(known)
    between = interval(found.low, found.high)
    left = len(values) - len(known)
    said = f"{number(found.value)}{f' {between}' if between else ''}"
    more = f", {format_count(left, 'item')} without" if left else ""
    return f"{said}, {format_count(len(known), 'item')}{more}"
