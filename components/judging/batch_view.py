"""Progress, outcome and failures of judge batches, with controls to stop and resume."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from components.judging.batch_list import STATES, cannot
from components.judging.batch_shapes import Stored, Working
from components.judging.judge_form import ask_key
from components.judging.trap_notice import ICON, MEANS, format_reply_share, show_silent_replies
from components.ui.address import link, open_page
from components.ui.numbers import count, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging.batch import Progress
from faithfulness.judging.prices import format_spending
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side, is_baseline

BEYOND = "cannot_judge"  # settled: asking this judge again would never help
EVERY = 1.0  # seconds between two looks
LONGEST = 20_000  # characters of a reply shown here
KINDS = {
    "rate_limit": "asked too often",
    "quota": "no quota left",
    "key": "key not accepted",
    "model": "model not known",
    "server": "fault of the endpoint",
    "timeout": "no reply in time",
    "connection": "not reached",
    "not_a_reply": "no proper reply",
    "too_long": "texts too long for the model",
    "too_large": "reply too large",
    "address": "address refused",
    "request": "request refused",
    "not_kept": "answer could not be stored",
}


def follow(works: Sequence[Working], *, may_steer: bool) -> None:
    """Draw batches at work, looking again every second; the page runs anew when one has ended."""

    @st.fragment(run_every=EVERY)
    def look() -> None:
        if not all(each.running for each in works):
            st.rerun()
        for each in works:
            with st.container(border=True):
                _show_work(each, may_steer)

    look()


def _show_work(work: Working, may_steer: bool) -> None:
    told, about = work.progress(), work.about
    total, done = about.total, work.earlier + told.done
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{plain(about.author.name)}** on {plain(about.run)}", width="stretch")
        if may_steer:
            _show_controls(work, told.paused)
    beyond = about.beyond + told.failed.get(BEYOND, 0)
    st.progress(min(1.0, (done + beyond) / total if total else 1.0), text=_describe_progress(told))
    facts = {
        "Done": f"{count(done)} of {count(total)}",
        "Failed": count(sum(told.failed.values()) - told.failed.get(BEYOND, 0)),
        "Unread": count(told.unread),
        **(
            {"Fell into a trap": _format_share(told.trapped, told.replies - told.silent)}
            if about.has_traps
            else {}
        ),
        "Rate": "—" if told.per_minute is None else f"{told.per_minute:,.0f} a minute",
        "Time left": "—" if told.seconds_left is None else _format_duration(told.seconds_left),
        "Cost so far": _format_cost(about, told),
    }
    _show_numbers(facts, f"now_{work.batch_id}")
    show_silent_replies(told.silent, told.replies)
    if beyond:
        st.caption(f"{format_count(beyond, 'item')} {cannot(about)}")
    if told.failed.keys() - {BEYOND}:
        st.caption(_format_failures(told.failed))
    if told.maybe_paid:
        st.caption(
            f"{format_count(told.maybe_paid, 'failed call')} may be charged for all the same."
        )


def _show_controls(work: Working, paused: bool) -> None:
    key = work.batch_id
    if paused:
        st.button("Go on", icon=":material/play_arrow:", on_click=work.go_on, key=f"go_{key}")
    else:
        st.button("Pause", icon=":material/pause:", on_click=work.pause, key=f"pause_{key}")
    st.button(
        "Stop",
        icon=":material/stop:",
        on_click=work.stop,
        key=f"stop_{key}",
        help="Ends the questions under way as well; the rest can be asked later.",
    )


def show_ended(
    about: Stored,
    failed: pd.DataFrame,
    unread: pd.DataFrame,
    trapped: pd.DataFrame,
    *,
    may_resume: bool,
) -> bool:
    """How a batch ended: what failed, was unread or fell into a trap; True to go on with it."""
    wanted = False
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{plain(about.author.name)}** on {plain(about.run)}", width="stretch")
            if st.button("Open the run", icon=":material/article:", key=f"open_{about.batch_id}"):
                open_page("item", Selection(runs=(about.run_id,), authors=(about.author,)))
            if about.done:
                _show_next_steps(about)
        _show_end(about)
        facts = {
            "Done": f"{count(about.done)} of {count(about.total)}",
            "Failed": count(about.failed),
            "Unread": count(about.unread),
            **(
                {"Fell into a trap": _format_share(about.trapped, about.kept)}
                if about.has_traps
                else {}
            ),
            "Cost": _format_cost(about, about),
        }
        _show_numbers(facts, f"ended_{about.batch_id}")
        show_silent_replies(about.silent, about.kept + about.silent)
        if about.left and may_resume:
            _ask_key(about)
            wanted = st.button(
                f"Ask about the other {count(about.left)}",
                type="primary",
                icon=":material/play_arrow:",
                key=f"resume_{about.batch_id}",
            )
        _show_failed(about, failed)
        _show_unread(about, unread)
        _show_trapped(about, trapped)
    return wanted


def _show_next_steps(about: Stored) -> None:
    """To what the answers come to: how far they agree, and where they differ from others."""
    here, judge = Selection(runs=(about.run_id,), protocol=about.protocol), about.author
    # Elsewhere the offline baseline only counts where it is asked for.
    baseline = "true" if is_baseline(judge) else ""
    if st.button("Agreement", icon=":material/grid_on:", key=f"agree_{about.batch_id}"):
        open_page("agreement", here, judge=Side.of(judge).as_text, baseline=baseline)
    if st.button("Disagreements", icon=":material/forum:", key=f"differ_{about.batch_id}"):
        open_page("disagreements", replace(here, authors=(judge,)), baseline=baseline)


def _ask_key(about: Stored) -> None:
    """A key is held for a session only, so going on later may need it once more."""
    address = about.settings.get("address", "")
    if not address:
        return
    name = f"resume_{about.batch_id}"
    with st.expander("Address and key"):
        st.text_input("Address", address, disabled=True, key=f"{name}_address")
        ask_key(name, address)


def _show_end(about: Stored) -> None:
    if not about.left and about.beyond:
        st.info(
            f"Finished: {count(about.done)} of {format_count(about.total, 'item')} answered "
            "and stored; "
            f"{count(about.beyond)} {cannot(about)}, see why below.",
            icon=":material/check:",
        )
    elif not about.left and about.unread:
        st.warning(
            "Every item has a reply, and all are stored; on "
            f"{format_count(about.unread, 'item')} not "
            "all of it could be read, see why below.",
            icon=":material/rule:",
        )
    elif not about.left:
        st.success("Every item is answered and stored.", icon=":material/check:")
    elif about.state == "finished":
        st.warning(
            f"{format_count(about.left, 'item')} failed and stayed without an answer; see "
            "why below.",
            icon=":material/error:",
        )
    else:
        word = STATES.get(about.state, about.state).capitalize()
        why = plain(about.reason) or f"{word} before the end."
        st.warning(
            f"{why} What was answered is stored; nothing of it is asked again.",
            icon=":material/pause_circle:",
        )


def _show_failed(about: Stored, failed: pd.DataFrame) -> None:
    if failed.empty:
        return
    beyond = failed["kind"] == BEYOND
    again, never = failed[~beyond], failed[beyond]
    if len(again):
        counts = {str(kind): int(n) for kind, n in again["kind"].value_counts().items()}
        st.markdown("**Failed**")
        st.caption(_format_failures(counts))
        rows = _build_item_rows(about, again)
        _open_clicked(about, rows, f"failed_{about.batch_id}", "What happened", "Failed items")
    if len(never):
        words = cannot(about)
        st.markdown(f"**{words.capitalize()}**")
        rows = _build_item_rows(about, never)
        _open_clicked(about, rows, f"beyond_{about.batch_id}", "Why", f"Items that {words}")


def _show_unread(about: Stored, unread: pd.DataFrame) -> None:
    if unread.empty:
        return
    st.markdown("**Unread**")
    st.caption("The reply is kept and shown with the item; what could not be read counts nowhere.")
    rows = _build_item_rows(about, unread)
    _open_clicked(about, rows, f"unread_{about.batch_id}", "Problem", "Unread items")
    first = unread.iloc[0]
    with st.popover(plain(f"Reply on {first['external_id'] or 'the first'}")):
        st.text(str(first["reply"])[:LONGEST] or "The reply is empty.")


def _show_trapped(about: Stored, trapped: pd.DataFrame) -> None:
    if trapped.empty:
        return
    st.warning(
        f"**{format_reply_share(about.trapped, about.kept)}** answered a trap wrongly. "
        f"{MEANS} “Leave out "
        "items on which a judge fell into a trap” under More filters takes these out of means.",
        icon=ICON,
    )
    rows = _build_item_rows(about, trapped)
    _open_clicked(about, rows, f"trapped_{about.batch_id}", "Trap", "Items that fell into a trap")


def _format_share(some: int, of: int) -> str:
    return f"{count(some)} of {count(of)}" if of else "—"


def _build_item_rows(about: Stored, found: pd.DataFrame) -> list[TableRow]:
    return [
        _build_item_row(about, each.item_id, each.external_id, str(each.says))
        for each in found.itertuples()
    ]


def _build_item_row(about: Stored, item_id: object, external_id: object, says: str) -> TableRow:
    here = Selection(runs=(about.run_id,), item=str(item_id))
    name = str(external_id or str(item_id)[:8])
    cells = (Cell(text=name, action="open", href=link("item", here), strong=True), Cell(text=says))
    return TableRow(id=str(item_id), cells=cells)


def _open_clicked(about: Stored, rows: Sequence[TableRow], key: str, what: str, label: str) -> None:
    columns = (Column(title="Item"), Column(title=what, wide=True))
    clicked = show_table(columns, [Group(rows=rows)], key=key, label=label)
    if clicked:
        open_page("item", Selection(runs=(about.run_id,), item=clicked.row))


def _show_numbers(facts: Mapping[str, str], key: str) -> None:
    with st.container(horizontal=True, gap="large", key=f"numbers_{key}"):
        for name, value in facts.items():
            st.metric(name, value, width="content")


def _describe_progress(told: Progress) -> str:
    if told.paused:
        return "Paused; questions under way are still kept"
    if told.waiting > 0:
        return f"The endpoint is busy: waiting {_format_duration(told.waiting)}, then asking on"
    return "Asking less often, because several people work" if told.gives_way else "Asking"


def _format_failures(counts: Mapping[str, int]) -> str:
    return "Failed: " + ", ".join(
        f"{count(number)} {KINDS.get(kind, kind)}"
        for kind, number in counts.items()
        if kind != BEYOND
    )


def _format_cost(about: Stored, spent: Stored | Progress) -> str:
    model = about.settings.get("model", "")
    return format_spending(model, cost=spent.cost, replies=spent.replies, unpriced=spent.unpriced)


def _format_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
