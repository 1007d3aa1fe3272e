"""Parse statistics of judge replies: shares, reasons, and the reply texts."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from components.ui.chips.chips import ChipGroup, show_chips
from components.ui.numbers import count, format_count, format_percent
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page
from faithfulness.judging.reply_states import TITLES
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind

COLUMNS = (
    Column(title="Run and judge"),
    Column(title="Replies", end=True),
    Column(title="Read in full", end=True),
    Column(title="Partly unread", end=True),
    Column(title="Unread", end=True),
    Column(title="Why", wide=True),
)
REASONS = 4
LONGEST = 20_000  # characters of a reply in a list; the item shows more
OUTCOMES = {"read": "read in full", "partly": "partly unread", "unread": "unread"}


class Replies(NamedTuple):
    """Whose replies are looked at, and with what flaw."""

    run_id: str
    judge: str
    state: str = ""


def read_replies_choice() -> Replies | None:
    run_id, _, judge = st.query_params.get("replies", "").partition(":")
    state = st.query_params.get("state", "")
    return Replies(run_id, judge, state if state in TITLES else "") if run_id and judge else None


def show_health(
    found: pd.DataFrame, protocols: Mapping[str, Protocol], asked: Replies | None
) -> None:
    """One row a run and judge under their protocols; a click names them in the address."""
    if found.empty:
        st.info(
            "No reply of a judge is stored for these runs. A file with labels alone brings none; "
            "replies are kept when a judge is asked here, or when the file holds them.",
            icon=":material/forum:",
        )
        return
    groups = []
    for key, protocol in protocols.items():
        here = found[found["protocol"] == key].groupby(["run_id", "judge"], sort=False)
        rows = [_build_row(f"{run_id}:{judge}", group, asked) for (run_id, judge), group in here]
        if rows:
            groups.append(Group(title=protocol.title, rows=rows))
    clicked = show_table(COLUMNS, groups, key="health", label="Replies of judges")
    st.caption(
        "Shares are of replies. A reply that is partly unread left some answers without a label; "
        "reasons may be several for one reply. A sentence in other words was read where its "
        "position is unambiguous, a reply without mark where it cannot be a quotation."
    )
    if clicked:
        st.query_params["replies"] = clicked.row
        for name in ("state", "page"):
            st.query_params.pop(name, None)
        st.rerun()


def show_state_chips(found: pd.DataFrame, asked: Replies) -> None:
    """What was wrong with one judge's replies, as choices with their counts."""
    mine = found[(found["run_id"] == asked.run_id) & (found["judge"] == asked.judge)]
    counts = _count_reasons(mine)
    flawed = int(mine[mine["states"].map(bool)]["replies"].sum())
    titles = {"": "All of them"} | {key: TITLES[key] for key in TITLES if counts.get(key)}
    st.subheader(plain(f"Replies of {asked.judge} that need a look"), anchor=False)
    group = ChipGroup(
        name="state",
        label="What was wrong",
        titles=titles,
        counts={"": flawed, **counts},
        on=(asked.state,),
        single=True,
    )
    show_chips([group], key="states")


def list_replies(
    replies: pd.DataFrame, asked: Replies, *, page: int, pages: int
) -> Selection | None:
    """The words of each reply as they came; answers the item that somebody wants to read."""
    wanted = None
    for at, row in enumerate(replies.to_dict("records")):
        said = ", ".join(TITLES[each].lower() for each in row["states"])
        name = str(row["external_id"] or str(row["item_id"])[:8])
        with st.expander(plain(f"{name} · {OUTCOMES[row['outcome']]} · {said}"), key=f"told_{at}"):
            if st.button("Open the item", key=f"open_{at}", icon=":material/article:"):
                wanted = Selection(
                    runs=(asked.run_id,),
                    item=str(row["item_id"]),
                    authors=(Author(kind=AuthorKind.JUDGE, name=asked.judge),),
                )
            for each in [*row["problems"], *row["notes"]]:
                st.caption(f"- {plain(str(each)[:300])}")
            _show_reply_text(str(row["text"]) if isinstance(row["text"], str) else "")
    if pages > 1 and bound_page("page", pages) != page:
        st.rerun()
    return wanted


def _show_reply_text(text: str) -> None:
    st.text(text[:LONGEST] or "The reply is empty.")
    if len(text) > LONGEST:
        st.caption(f"The first {LONGEST:,} of {len(text):,} characters; the item shows more.")


def _build_row(key: str, group: pd.DataFrame, asked: Replies | None) -> TableRow:
    outcomes: Mapping[Any, int] = group.groupby("outcome")["replies"].sum().to_dict()
    total = int(group["replies"].sum())
    reasons = _count_reasons(group).most_common(REASONS)
    is_asked = asked is not None and key == f"{asked.run_id}:{asked.judge}"
    return TableRow(
        id=key,
        cells=(
            Cell(
                text=str(group["run"].iloc[0]),
                note=str(group["judge"].iloc[0]),
                badge="Shown below" if is_asked else "",
                strong=True,
            ),
            Cell(text=count(total)),
            *(_build_share_cell(int(outcomes.get(each, 0)), total) for each in OUTCOMES),
            Cell(
                text="Nothing was wrong" if not reasons else "Show the replies",
                action="show" if reasons else "",
                note="; ".join(f"{TITLES[key].lower()} {count(n)}" for key, n in reasons),
            ),
        ),
    )


def _build_share_cell(part: int, total: int) -> Cell:
    if not part:
        return Cell(text="0")
    return Cell(text=format_percent(part / total), note=format_count(part, "reply", "replies"))


def _count_reasons(group: pd.DataFrame) -> Counter[str]:
    found: Counter[str] = Counter()
    for states, many in zip(group["states"], group["replies"], strict=True):
        for each in states:
            found[each] += int(many)
    return found
