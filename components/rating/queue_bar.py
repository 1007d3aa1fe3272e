"""Rating queue: run and list choice, progress, guidance, assignment and navigation."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st

from components.rating.profile import clean_name
from components.rating.turn import RatingRequest
from components.ui import session
from components.ui.numbers import format_count
from components.ui.url_widgets import bound_choice, bound_segments
from faithfulness.model.protocol import Protocol

LISTS = {
    "open": "To rate",
    "assigned": "Assigned to me",
    "calibration": "Calibration",
    "rated": "Rated by me",
}
OVERLAP = {
    "0": "However many raters",
    "1": "Until 1 rater has",
    "2": "Until 2 raters have",
    "3": "Until 3 raters have",
    "5": "Until 5 raters have",
}
NOTHING = {
    "open": "Nothing is left to rate in this run. Choose another run, or look at what you rated.",
    "assigned": "Nothing is assigned to you that you have not rated. Choose **To rate** instead.",
    "calibration": "No calibration items wait for you. Choose **To rate** instead.",
    "rated": "You have not signed anything in this run yet. Choose **To rate** to begin.",
}


class HandOut(NamedTuple):
    """Items to be given to raters."""

    raters: tuple[str, ...]
    items: int
    overlap: int
    is_calibration: bool
    operation_id: str


def choose_run(runs: pd.DataFrame, protocols: Mapping[str, Protocol], last: str) -> str:
    """The run to rate, by its id; whoever comes without one goes on with the `last` one."""
    if last and "run" not in st.query_params:
        st.query_params["run"] = last
    titles = {
        str(each.run_id): f"{each.name} · {protocols[str(each.protocol)].title}"
        + " (sample)" * bool(each.is_sample)
        for each in runs.itertuples()
        if str(each.protocol) in protocols
    }
    # Always in the address: without a word there the next rerun would take the last one for meant.
    return bound_choice("run", "Run", titles, width=260, usual="")


def choose_list() -> tuple[str, int]:
    """Which items are wanted, and how many raters are enough for one (0: no number is)."""
    before = st.query_params.get("list", next(iter(LISTS)))
    listed = bound_segments("list", "List", LISTS)
    if before in LISTS and listed != before:  # another list begins with its own first item
        st.query_params.pop("item", None)
    overlap = bound_choice("overlap", "Raters an item", OVERLAP) if listed == "open" else "0"
    return listed, int(overlap)


def waiting(queue: pd.DataFrame, listed: str) -> list[str]:
    """The items of a list in this rater's order; those begun first, so that none is forgotten."""
    to_do = ~queue["is_rated"] | queue["is_begun"]
    kept = {
        "open": to_do & ~(queue["is_full"] & ~queue["is_begun"]),
        "assigned": to_do & queue["is_assigned"],
        "calibration": to_do & queue["is_calibration"],
        "rated": queue["is_rated"],
    }[listed]
    found = queue[kept]
    return [
        str(each)
        for each in found.sort_values("is_begun", ascending=False, kind="stable")["item_id"]
    ]


def format_progress(queue: pd.DataFrame, times: pd.DataFrame) -> str:
    """How far the rater is, by their own signatures alone."""
    rated, begun = int(queue["is_rated"].sum()), int((queue["is_begun"] & ~queue["is_rated"]).sum())
    words = [f"{rated:,} of {format_count(len(queue), 'item')} rated by you"]
    if begun:
        words.append(f"{begun:,} begun")
    for name, title in (("is_assigned", "assigned"), ("is_calibration", "calibration")):
        mine = queue[queue[name]]
        if len(mine):
            words.append(f"{title} {int(mine['is_rated'].sum())} of {len(mine)}")
    if len(times):
        words.append(f"{_format_seconds(float(times['seconds'].median()))} an item (median)")
    return " · ".join(words)


def _format_seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def show_progress(queue: pd.DataFrame, times: pd.DataFrame) -> None:
    st.caption(format_progress(queue, times), width="content")


def offer_guidance(protocol: Protocol) -> None:
    """A button, also by key, that opens the protocol's guidance beside the form."""
    if st.button("Guidance", icon=":material/menu_book:", shortcut="G", key="guidance"):
        show_guidance(protocol)


def show_guidance(protocol: Protocol) -> None:
    @st.dialog(protocol.title, width="medium", position="right", icon=":material/menu_book:")
    def show() -> None:
        st.markdown(protocol.guidance)

    show()


def ask_assignment(run_id: str) -> HandOut | None:
    """Ask who is to rate how much; an answer only when it is sent."""
    form = f"hand_out_{run_id}"
    with st.popover("Hand out", icon=":material/group_add:"), st.form(form, border=False):
        st.markdown("Give items of this run, drawn at random, to raters.")
        names = st.text_area("Names, one a line", key=f"{form}_names", max_chars=4_000)
        items = st.number_input("Items to draw (0: all)", 0, 100_000, 0, key=f"{form}_items")
        same = st.toggle("Calibration: everybody gets the same items", key=f"{form}_same")
        overlap = st.number_input("Raters an item", 1, 20, 1, key=f"{form}_overlap")
        if not st.form_submit_button("Hand out", type="primary"):
            return None
    return HandOut(
        raters=tuple(each for each in map(clean_name, names.splitlines()) if each),
        items=int(items),
        overlap=int(overlap),
        is_calibration=same,
        operation_id=session.operation_id(form),
    )


def show_assigned(run_id: str, pairs: int) -> None:
    session.done(f"hand_out_{run_id}")
    st.toast(f"Handed out {format_count(pairs, 'rating')}.", icon=":material/group_add:")


def show_removed_run(leave: Callable[[], None]) -> None:
    """Say that the run on the screen is gone, and offer to leave what was entered in it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(
            "This run was removed while you rated it: nothing can be stored or signed in it. What "
            "you wrote stays below until you leave it; copy what you need.",
            icon=":material/link_off:",
        )
        st.button("Leave it", icon=":material/arrow_forward:", on_click=leave)


def show_nothing_left(listed: str) -> None:
    st.info(NOTHING[listed], icon=":material/task_alt:")


def find_next_item(listed: Sequence[str], item_id: str, wish: RatingRequest) -> str:
    """Where a wish leads: a neighbour in the list; empty where there is none."""
    at = listed.index(item_id) if item_id in listed else -1
    by = 1 if wish.signed else wish.go
    if at < 0 or not 0 <= at + by < len(listed):
        return ""
    return listed[at + by]


def choose_item(queue: pd.DataFrame, waiting: Sequence[str]) -> str:
    """The item that the address names, if the run has it, else the first that waits."""
    said = st.query_params.get("item", "")
    if said and said in set(queue["item_id"]):
        return said
    return waiting[0] if waiting else ""


def go_to(item_id: str, *, signed: bool) -> None:
    """Show another item, or whatever waits first."""
    if signed:
        st.toast("Signed and stored.", icon=":material/task_alt:")
    if item_id:
        st.query_params["item"] = item_id
    else:
        st.query_params.pop("item", None)
    st.rerun()


def show_rating_off(*, read_only: bool) -> None:
    why = "the store can only be read" if read_only else "you have the role of a reader"
    st.info(f"Rating is off while {why}.", icon=":material/lock:")


def show_name_first() -> None:
    st.info(
        "Say who you are, and you get your own queue. You will see the item, its sources and the "
        "guidance; what other people or judges said about it stays hidden until you have signed.",
        icon=":material/visibility_off:",
    )
