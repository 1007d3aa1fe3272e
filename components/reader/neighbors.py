"""Previous and next item in the current list, and the other runs that contain the item."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from components.reader.item_view import open_item
from components.reader.reader import ReaderView
from components.ui.address import open_page
from components.ui.contradiction_lists import LISTS
from components.ui.item_heading import ItemDestination, show_gone
from components.ui.plain import plain, told_apart
from faithfulness.model.selection import Selection
from faithfulness.model.visible import escape_brief
from faithfulness.model.vocabulary import Annotation
from faithfulness.model.wording import format_count, join_names
from faithfulness.protocols import PROTOCOLS

_OTHER_RUNS = 2  # that are named; the list of runs in the heading holds all
_LONGEST_RUN = 32  # letters of a name
_WAY = ":material/arrow_forward:"
FIRST = "first"  # in an address, in place of an item: whichever comes first


class Beside(Protocol):
    """The items before and behind, with their runs and units where a list names them."""

    @property
    def before(self) -> str: ...

    @property
    def place(self) -> int: ...

    @property
    def total(self) -> int: ...

    @property
    def runs(self) -> tuple[str, str]: ...

    @property
    def units(self) -> tuple[str, str]: ...


def resolve_first_item(selection: Selection, ask: Callable[..., pd.DataFrame]) -> Selection:
    """The selection with the run's first item, where the address asks for it without its name.

    `ask` is `data.runs.queries.run_items` of the store.
    """
    if selection.item != FIRST:
        return selection
    asked = replace(selection, item="")
    found = ask(asked.runs[0], asked, limit=1) if asked.runs else pd.DataFrame()
    return replace(asked, item="" if found.empty else str(found["item_id"].iloc[0]))


def choose_place(selection: Selection, places: pd.DataFrame) -> tuple[Any, bool]:
    """The place in which an item is read, and whether it is one that the address asks for."""
    asked = (selection.at,) if selection.at else selection.runs
    wanted = places[places["run_id"].isin(asked)]
    place: Any = next((wanted if len(wanted) else places).itertuples())
    return place, bool(len(wanted)) or not asked


def narrow_to_item(selection: Selection, run_id: str) -> Selection:
    """The selection while this item is read; a list may hold other runs than the item's own."""
    if selection.listed in LISTS:
        return replace(selection, at=run_id, unit="")
    return replace(selection, runs=(run_id,), unit="", listed="", sort="", group="", at="")


def show_missing_item(selection: Selection, start: ReaderView, is_asked: bool) -> None:
    """Say what the address asks for in vain, and what is shown instead."""
    if not is_asked:
        st.info("That run is no longer there. This is the same item in another run.")
    if selection.unit != start.unit:
        which = "nearest" if start.unit else "first"
        st.info(f"This item has no unit {plain(selection.unit)}. The {which} one is shown.")


def show_other_ids(further_ids: Sequence[str], attributes: Mapping[str, str]) -> None:
    """Say which other records of the file have the item's texts."""
    if len(further_ids):
        ids = join_names([f"“{each}”" for each in further_ids], shown=12)
        record = "record" if len(further_ids) == 1 else "records"
        st.caption(plain(f"Also the {record} {ids} of the file, with the same texts"))
    elif same := attributes.get("same_texts_as"):
        st.caption(plain(f"The record “{same}” of the file has the same texts"))


def show_other_runs(
    here: Selection, run_id: str, elsewhere: Sequence[Annotation], places: pd.DataFrame
) -> None:
    """Say in which other runs raters and judges answered about the item, with the way there."""
    titles = get_run_titles(places)
    signed: dict[str, list[str]] = {each: [] for each in titles}
    for each in elsewhere:
        signed[each.run_id].append(f"{each.author.kind.value} {each.author.name}")
    named = [(each, list(dict.fromkeys(names))) for each, names in signed.items() if names]
    if not named:
        return
    names_of_runs = dict(zip(places["run_id"], places["name"], strict=True))
    protocols = dict(zip(places["run_id"], places["protocol"], strict=True))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="other_runs"):
        st.caption("Also judged in", width="content")
        for other, names in named[:_OTHER_RUNS]:
            name = escape_brief(names_of_runs[other], _LONGEST_RUN)
            people = sorted(names, reverse=True)  # raters before judges
            if protocols[other] != protocols[run_id]:
                name += f" · {PROTOCOLS[protocols[other]].title}"
            label = plain(f"{name}: {join_names(people, shown=2)}")
            full_name = plain(f"{titles[other]}, by {join_names(people, shown=12)}")
            if st.button(
                label, key=f"other_run_{other}", icon=_WAY, type="tertiary", help=full_name
            ):
                open_page("item", Selection(runs=(other,), item=here.item))
        if len(named) > _OTHER_RUNS:
            more = format_count(len(named) - _OTHER_RUNS, "more run")
            st.caption(f"and {more}, in the list of runs above", width="content")


def list_decisions_elsewhere(
    said: Sequence[Annotation], places: pd.DataFrame, run_id: str
) -> tuple[tuple[int, str], ...]:
    """The decisions that were made in another run than the one looked at, with its name."""
    names = dict(zip(places["run_id"], places["name"], strict=True))
    return tuple((each.number, names[each.run_id]) for each in said if each.run_id != run_id)


def get_run_titles(places: pd.DataFrame) -> dict[str, str]:
    """What people call the runs an item stands in, by their ids."""
    named = {
        str(each.run_id): f"{each.name} · {PROTOCOLS[str(each.protocol)].title}"
        for each in places.itertuples()
    }
    return told_apart(named)


def get_run_heading(runs: pd.DataFrame, run_id: str) -> tuple[str, str]:
    """A run's name, and the title of its protocol."""
    run = runs.set_index("run_id").loc[run_id]
    return str(run["name"]), PROTOCOLS[str(run["protocol"])].title


def go_to_destination(
    asked: ItemDestination, here: Selection, beside: Beside, start: ReaderView
) -> None:
    """Go where a person asks to; a list leads on to the unit for which it holds an item."""
    if asked.run:
        open_page("item", Selection(runs=(asked.run,), item=here.item))
    if asked.item:
        at = 0 if asked.item == beside.before else 1
        there = replace(here, item=asked.item, unit=beside.units[at])
        open_item(replace(there, at=beside.runs[at]) if here.listed else there, start)
    run_id = here.at or here.runs[0]
    if asked.judge:
        open_page("rerun", Selection(runs=(run_id,), item=here.item, unit=start.unit))
    if asked.rate:
        open_page("rate", Selection(runs=(run_id,), item=here.item))
    if asked.all_items:
        open_page("item", Selection(runs=(run_id,)) if here.listed else replace(here, item=""))


def show_list_link(here: Selection, called: Mapping[str, str], total: int) -> None:
    """Say which list the item is read in, and lead back to it."""
    if not here.listed:
        return
    narrowed = replace(here, item="", unit="")
    words = f" {narrowed.in_words(called)}" if not narrowed.is_everything else ""
    items = "item" if total == 1 else "items"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        title = LISTS[here.listed].lower()
        st.caption(plain(f"Going through {total:,} {items}: {title}{words}"), width="content")
        if st.button("Back to the list", icon=":material/view_agenda:", type="tertiary"):
            first = next(iter(LISTS))
            listed = "" if here.listed == first else here.listed
            open_page("contradictions", replace(narrowed, listed=listed, at=""))


def offer_nearest(ask: Callable[[], pd.DataFrame], selection: Selection, what: str) -> None:
    """Say what the address asks for in vain, and lead to the nearest of all runs (`ask`)."""
    runs = ask()
    known = runs[runs["run_id"].isin(selection.runs)]
    asked = show_gone(what, plain(known["name"].iloc[0]) if len(known) else "")
    if asked.all_items:
        open_page("item", Selection(runs=(str(known["run_id"].iloc[0]),)))
    if asked.run:
        open_page("runs", Selection())
