"""Agreement on parts of the items: by system, by length, by what the file says about an item."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.agreement_choice import labelled_choice
from components.charts.coefficients import SHARES
from components.charts.slices import show_slices
from components.meanings import meaning
from components.numbers import counted
from faithfulness.statistics.agreement import pair_estimates
from faithfulness.statistics.slices import slices
from faithfulness.statistics.tables import PairTables

NAMES = ("percent", "kappa", "ac1")
ON_SCORES = ("percent", "kappa_quadratic", "ac2", "within_one")
MOST = 40  # slices drawn; a person reads no more


def ask_split(keys: Sequence[str]) -> str:
    """By what the items are told apart."""
    return labelled_choice("split", "Slices by", {key: key.replace("_", " ") for key in keys})


def ask_number(tables: PairTables) -> str:
    """Which number is shown on each slice."""
    names = ON_SCORES if tables.ordinal else NAMES
    return labelled_choice("number", "Number", {name: meaning(name).title for name in names})


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
        st.caption(f"And {counted(len(rows) - MOST, 'more slice')}, all with higher lower bounds.")
    differing = sum(each.differs for each in rows)
    st.caption(
        f"Lowest lower bound first; open dots have no interval (fewer than 20 items). A colour "
        f"marks the {counted(differing, 'slice')} that still "
        f"{'differs' if differing == 1 else 'differ'} from all items after correction for looking "
        f"at {counted(len(rows), 'slice')}. A click lists the slice's units below."
    )
