"""Paginated list of the items of a run in file order, and the removal of the run."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from components.ui.address import link, open_page
from components.ui.numbers import NONE, count, format_count, number
from components.ui.plain import plain
from components.ui.session import done, get_login_name, operation_id
from components.ui.table.table import Cell, Clicked, Column, Group, TableRow, show_table
from faithfulness.model.selection import Selection
from faithfulness.review.minutes_words import describe_kept_minutes

COLUMNS = (
    Column(title="Item"),
    Column(title="Response", wide=True),
    Column(title="Numbers"),
    Column(title="Answers", end=True, drop=True),
    Column(title="Unread", end=True),
)
CUT_AT = 200
AUTHORS_SHOWN = 5
_FIXED = {"position", "item_id", "external_id", "query", "response", "answers", "unread"}


def show_items(items: pd.DataFrame, run_id: str) -> Clicked | None:
    """Draw one page of items; answers the id of the item that was clicked."""
    authors = [name for name in items.columns if name not in _FIXED]
    rows = [_build_row(line, run_id, authors) for line in items.to_dict("records")]
    return show_table(COLUMNS, [Group(rows=rows)], key="items", label="Items of the run")


def offer_removal(
    runs: pd.DataFrame, run_id: str, remove: Callable[..., None], *, may: bool
) -> None:
    """Say what goes with a run; whoever says yes removes it and is led to the list of runs.

    Args:
        runs: as `data.runs.queries.runs` answers.
        run_id: of the run that is looked at.
        remove: `data.records.remove_runs` of the store.
        may: whether the visitor's role and the store allow it.
    """
    if not may:
        return
    with st.popover("Remove this run", icon=":material/delete:"):
        st.markdown(plain(describe_removal(runs.set_index("run_id").loc[run_id].to_dict())))
        st.caption("Nothing of it is deleted from the store, but no page brings it back.")
        if st.button("Yes, remove it", type="primary", key="remove_run"):
            form = f"remove {run_id}"
            by = get_login_name() or "reviewer"
            remove(run_ids=[run_id], removed_by=by, operation_id=operation_id(form))
            done(form)
            open_page("runs", Selection())


def describe_removal(run: dict[Any, Any]) -> str:
    """What leaves with a run, as `cli.py remove` tells it."""
    parts = [format_count(int(run["items"]), "item"), format_count(int(run["answers"]), "answer")]
    if run["decisions"]:
        parts.append(format_count(int(run["decisions"]), "decision"))
    kept = [f"The {describe_kept_minutes(title)}." for title in run["meetings"]]
    gone = (
        f"{', '.join(parts[:-1])} and {parts[-1]} leave every list and number. The file may then "
        "be imported again."
    )
    return " ".join((gone, *kept))


def show_pager(total: int, here: int, after: int, goes_on: int) -> None:
    """Say how many items fit and offer the pages; positions are -1 at the start and the end."""
    if not here:
        st.info("No item fits. Clear the search, or go back to the start of the list.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(format_count(total, "item"), width="content")
        if after >= 0 and st.button("Start of the list", icon=":material/first_page:"):
            del st.query_params["after"]
            st.rerun()
        if goes_on >= 0 and st.button("Next page", icon=":material/arrow_forward:"):
            st.query_params["after"] = str(goes_on)
            st.rerun()


def _build_row(line: dict[Any, Any], run_id: str, authors: list[Any]) -> TableRow:
    item_id = str(line["item_id"])
    return TableRow(
        id=item_id,
        cells=(
            Cell(
                text=str(line["external_id"] or item_id[:8]),
                note=f"No. {count(int(line['position']) + 1)}",
                action="open",
                href=link("item", Selection(runs=(run_id,), item=item_id)),
                strong=True,
            ),
            Cell(text=_shorten_text(line["response"]), note=_shorten_text(line["query"])),
            Cell(text="", lines=_list_numbers(line, authors)),
            Cell(text=count(int(line["answers"]))),
            Cell(text=count(int(line["unread"]))),
        ),
    )


def _list_numbers(line: dict[Any, Any], authors: list[Any]) -> list[tuple[str, str]]:
    """The first few authors' numbers; those who have none for this item stand last."""
    said = [(number(line[name]), str(name)) for name in authors]
    said.sort(key=lambda each: each[0] == NONE)
    left = len(said) - AUTHORS_SHOWN
    return [*said[:AUTHORS_SHOWN], ("…", f"and {count(left)} more")] if left > 1 else said


def _shorten_text(text: Any) -> str:
    """The first words; the query for them cuts without a sign."""
    if not isinstance(text, str):
        return ""
    return f"{text}…" if len(text) >= CUT_AT else text
