"""Filters of the disagreements page with counts, empty states and links to a meeting."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

import streamlit as st

from components.ui.address import open_page, read_selection
from components.ui.chips.chips import ChipGroup
from components.ui.import_in_progress import wait_for_counted
from components.ui.numbers import format_count
from components.ui.plain import plain
from components.ui.url_widgets import chosen
from faithfulness.model.selection import Selection
from faithfulness.model.visible import escape_brief
from faithfulness.policies.inconsistency_order import TITLE
from faithfulness.review.disagreement import KINDS, DisagreementKind

AUDIT = "audit"  # in an address, beside the kinds of disagreement
STATES = {"open": "Open", "decided": "Decided", "all": "All"}
SORTS = {"worst": "Worst first", "far": "Furthest apart", "stored": "As stored"}


def filter_kinds(said: Collection[str]) -> tuple[DisagreementKind, ...]:
    """Kinds that the address names; nonsense does not narrow."""
    return tuple(kind for kind in DisagreementKind if kind.value in said)


def read_queue_filters() -> dict[str, Any]:
    """What the address narrows the queue to, by the names of `data.meetings.meeting_desk.About`."""
    return {
        "selection": replace(read_selection(), item="", unit="", at="", listed=""),
        "kinds": filter_kinds(st.query_params.get_all("kind")),
        "audits": AUDIT in st.query_params.get_all("kind"),
        "sort": chosen("sort", SORTS),
        "with_baseline": st.query_params.get("baseline") == "true",
    }


def show_meeting_buttons(*, has_marks: bool) -> None:
    """Buttons that take what is marked, or what the page is narrowed to, to a new meeting.

    An agenda is made of what is open, also where the page shows what was decided.
    """
    marked = "Make an agenda of everything that is marked, whatever the filters leave"
    if has_marks and st.button("Meet about what was marked", icon=":material/flag:", help=marked):
        _open_agenda("marked")
    these = "these" if chosen("state", STATES) == "open" else "the open ones"
    about = "Make an agenda of the open ones that the filters leave"
    if st.button(f"Meet about {these}", icon=":material/groups:", help=about):
        _open_agenda("")


def _open_agenda(source: str) -> NoReturn:
    """Go to a new meeting; what the page is narrowed to stays at hand there."""
    own = {name: st.query_params.get_all(name) for name in ("kind", "sort", "baseline")}
    own |= {"from": [source] if source else []}
    open_page("meetings", read_queue_filters()["selection"], view="new", **own)


def build_chip_groups(
    state: str,
    kinds: Collection[str],
    counts: tuple[Mapping[str, int], Mapping[str, int]],
    several: tuple[int, int] = (0, 0),
) -> list[ChipGroup]:
    """Open, decided or all; then who differs from whom, and what cannot all be right.

    Beside the states stands why the kinds do not add up to them: a disagreement of `several` kinds
    counts under each, and what cannot all be right is no disagreement; it is listed when chosen.
    """
    states, by_kind = counts
    return [
        ChipGroup(
            name="state",
            label="Decided or not",
            titles={"" if key == "open" else key: title for key, title in STATES.items()},
            counts={"" if key == "open" else key: count for key, count in states.items()},
            on=("" if state == "open" else state,),
            single=True,
            note=" · ".join(_iter_chip_notes(state, kinds, by_kind.get(AUDIT, 0), several)),
        ),
        ChipGroup(
            name="kind",
            label="Who differs",
            titles={kind.value: title for kind, title in KINDS.items()} | {AUDIT: TITLE},
            counts=by_kind,
            on=tuple(kinds),
        ),
    ]


def _iter_chip_notes(
    state: str, kinds: Collection[str], audits: int, several: tuple[int, int]
) -> Iterator[str]:
    if audits and AUDIT not in kinds:
        yield f"“{TITLE}” is not in “{STATES[state]}”"
    many, of = several
    if many:
        yield f"{many:,} of {of:,} {'is' if many == 1 else 'are'} of several kinds"


def show_empty_list(*, audits: bool, saved: int, unknown: str, soon: Callable[[], int]) -> None:
    """Say why the list is empty, and of what was decided on it that it is stored.

    Args:
        audits: whether answers that rule each other out are listed.
        saved: decisions made on this list.
        unknown: the item that the address asks for when the store has none such.
        soon: how many items of the run are being counted now.
    """
    if not unknown and wait_for_counted(soon):
        return
    if unknown:
        st.warning(
            f"The store has no item “{plain(escape_brief(unknown))}”, for which this address asks. "
            "Open the item from its run's list, or see the disagreements of all items.",
            icon=":material/help:",
        )
        if st.button("All disagreements"):
            open_page("disagreements", Selection())
    elif saved:
        stored = "in the journal and in the store"
        st.success(f"{format_count(saved, 'decision')} saved: {stored}. No case is left here.")
    elif audits:
        st.info(
            "No answers rule each other out here. What is settled by a decision is no "
            "inconsistency any more; it stands among the decided disagreements where people "
            "differed. Widen the filter to see more.",
            icon=":material/done_all:",
        )
    else:
        st.info(
            "No disagreement is left here: everybody who answered says the same, or all is "
            "decided. Widen the filter, or look at what was decided.",
            icon=":material/done_all:",
        )
