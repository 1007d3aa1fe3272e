"""Agreement by slice of the items, such as system, length or a metadata column."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.agreement.choice import select_labeled
from components.charts.coefficients import SHARES
from components.charts.slices import show_slices
from components.ui.number_meanings import meaning
from components.ui.numbers import format_count
from faithfulness.statistics.agreement import pair_estimates
from faithfulness.statistics.slices import slices
from faithfulness.statistics.tables import PairTables

NAMES = ("percent", "kappa", "ac1")
ON_SCORES = ("percent", "kappa_quadratic", "ac2", "within_one")
MOST = 40  # slices drawn; a person reads no more


def ask_split(keys: Sequence[str]) -> str:
    """By what the items are told apart."""
    return select_labeled("split", "Slices by", {key: key.replace("_", " ") for key in keys})


def ask_number(tables: PairTables) -> str:
    """Which number is shown on each slice."""
    names = ON_SCORES if tables.ordinal else NAMES
    return select_labeled("number", "Number", {name: meaning(name).title for name in names})


def show_all_slices(
    tables: PairTables, by: Sequence[str], name: str, titles: Mapping[str, str]
) -> None:
    """Draw the slices of one number, and say how to read them."""
    if not tables.units_n:
        st.caption("No unit has both, so there is nothing to cut into slices.")
        return
    rows = slices(tables, by, (name,))
    overall = pair_estimates(tables, (name,))[name]
    chosen = st.query_params.get("part", "")
    show_slices(rows[:MOST], overall, titles=titles, chosen=chosen, percent=name in SHARES)
    if len(rows) > MOST:
        st.caption(
            f"And {format_count(len(rows) - MOST, 'more slice')}, all with higher lower bounds."
        )
    tested = sum(each.p is not None for each in rows)
    st.caption(describe_differing(sum(each.differs for each in rows), tested))
    st.caption(
        "Lowest lower bound first; an open dot has no interval. A click lists the units of a slice "
        "that got different labels."
    )


def describe_differing(differing: int, tested: int) -> str:
    """How many slices surely differ, said with how many could be looked at."""
    if not tested:
        return "No slice has an interval, so none can be told apart from all items."
    all_of = f"looked at {format_count(tested, 'slice')} with an interval"
    if not differing:
        return f"No slice surely differs from all items, counting that we {all_of}."
    verb, those = ("differs", "it has") if differing == 1 else ("differ", "they have")
    found = format_count(differing, "slice")
    return f"{found} {verb} from all items, counting that we {all_of}; only {those} a colour."
