"""Form for a new meeting: source and number of points, agenda, host and participants."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol
from urllib.parse import urlencode

import streamlit as st

from components.meetings.cells import build_unit_cell, format_unit_cell, parse_place
from components.rating.profile import ask_name, clean_name
from components.ui.address import open_page
from components.ui.numbers import format_count
from components.ui.plain import plain
from components.ui.session import done, operation_id, read_widget_values, remember, remembered
from components.ui.table.table import Cell, Clicked, Column, Group, TableRow, show_table
from components.ui.url_widgets import (
    ask_text_to_keep,
    bound_choice,
    bound_page,
    bound_segments,
    keep_in_url,
)
from faithfulness.model.selection import Selection
from faithfulness.policies.inconsistency_order import TITLE
from faithfulness.review.disagreement import KINDS, DisagreementKind
from faithfulness.review.meeting import Point

PAGE = 50
OFFERED = 12  # known people to press; any other is typed
PRESSED = 50  # as many as may be present
LONGEST_TITLE = 120
LONGEST_LIST = 2_000  # letters of names: fifty people may be present
LONGEST_KEPT = 3_000  # bytes of an address for what is entered here; proxies refuse 8 KB in all
MOST = 500  # as many points as a meeting may have
SOURCES = {"worst": "The worst of them", "all": "All of them", "marked": "What was marked"}
SIZES = (5, 10, 20, 30, 50, 100, 200)
USUAL = "10"  # a good hour
COLUMNS = (
    Column(title="Point, and why it is here", wide=True),
    Column(title="Where", firm=True),
    Column(title="", end=True),
)
_LEFT_OFF, _SHOWN = "left off the agenda", "agenda as it was shown"


class ListedPoint(Protocol):
    """A point with its words, as `data.meetings.agendas.lines` gives it."""

    @property
    def point(self) -> Point: ...
    @property
    def protocol(self) -> str: ...
    @property
    def run(self) -> str: ...
    @property
    def external_id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def why(self) -> tuple[str, ...]: ...


class Begin(NamedTuple):
    """What a host asks for: a meeting with these facts."""

    points: Sequence[Point]
    host: str
    present: tuple[str, ...]
    title: str
    hides_authors: bool


def choose_source(open_ones: int, marked: int) -> tuple[str, int]:
    """Where the points come from, and how many are wanted at most."""
    most = f"{MOST:,} of {open_ones:,}" if open_ones > MOST else f"{open_ones:,}"
    counts = {"worst": "", "all": f" ({most})", "marked": f" ({marked:,})"}
    titles = {key: f"{title}{counts[key]}" for key, title in SOURCES.items()}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        source = bound_segments("from", "Points", titles)
        if source != "worst" or not open_ones:
            return source, MOST
        titles = list_sizes(open_ones, st.query_params.get("first", ""))
        usual = USUAL if USUAL in titles else next(iter(titles))
        first = int(bound_choice("first", "How many", titles, width=150, usual=usual))
        if first > open_ones:
            st.caption(f"Only {open_ones:,} {'is' if open_ones == 1 else 'are'} open.")
        return source, first


def list_sizes(open_ones: int, asked: str = "") -> dict[str, str]:
    """How many points can be wanted: up to the first number that takes all, and what is asked."""
    enough = next((each for each in SIZES if each >= open_ones), SIZES[-1])
    kept = [each for each in SIZES if each <= enough or str(each) == asked]
    return {str(each): f"{each} points" for each in kept}


def show_kinds(kinds: Sequence[DisagreementKind], *, audits: bool = False) -> None:
    """Say which kinds of disagreement are meant, where not all are."""
    named = [KINDS[each] for each in kinds] + ([TITLE] if audits else [])
    if named:
        st.caption(f"Only: {', '.join(named)}")


def kept(points: Sequence[Point], signature: str) -> list[Point]:
    """The points without those that were taken off this very agenda."""
    said, off = remembered(_LEFT_OFF) or (signature, ())
    if said != signature:
        off = ()
    remember(_LEFT_OFF, (signature, off))
    return [each for each in points if each not in off]


def show_agenda(
    points: Sequence[Point], lines: Callable[[Sequence[Point]], Sequence[ListedPoint]], source: str
) -> Clicked | None:
    """Draw a page of the agenda; answers "open" or "off" with the point of the row."""
    if not points:
        show_no_points(source)
        return None
    first = 0
    if len(points) > PAGE:
        first = PAGE * (bound_page("page", -(-len(points) // PAGE)) - 1)
        st.caption(f"Points {first + 1} to {min(first + PAGE, len(points))} of {len(points)}")
    shown = lines(points[first : first + PAGE])
    rows = [_build_row(first + at, each) for at, each in enumerate(shown, start=1)]
    return show_table(COLUMNS, [Group(rows=rows)], key="agenda", label="Agenda")


def remove_point(row: str) -> None:
    """Take a point off the agenda and draw it again."""
    signature, off = remembered(_LEFT_OFF)
    remember(_LEFT_OFF, (signature, (*off, Point(*row.split("\x1f")))))
    st.rerun()


def offer_restore(taken_off: int) -> None:
    """Offer to put back what was taken off."""
    if taken_off:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"{format_count(taken_off, 'point')} taken off.", width="content")
            st.button("Put back", icon=":material/undo:", on_click=forget)


def forget() -> None:
    """Begin a new agenda with nothing taken off."""
    remember(_LEFT_OFF, None)
    remember(_SHOWN, None)


def show_no_points(source: str) -> None:
    said = {
        "marked": "Nothing is marked yet. Press `m` on a disagreement or on a sentence in the "
        "reader; what is marked gathers here, for everybody.",
    }.get(
        source,
        "No open disagreement is left here, or all points were taken off. Widen the filter on the "
        "page of disagreements, or meet about what was marked.",
    )
    st.info(said, icon=":material/done_all:")


def ask_host() -> str:
    why = "What the meeting decides is signed with this name."
    return ask_name("Host:", "I host", why)


def ask_details(
    points: Sequence[Point], pace: tuple[float | None, int], known: Iterable[str], host: str
) -> Begin | None:
    """Ask who is there and begin; an answer only when it is pressed, with what was shown then."""
    people, named = st.columns(2)
    with people:
        present, entered = _ask_people(list(known))
    with named:
        hint = "For example: prices, week 47"
        title = ask_text_to_keep(
            "title", "Title", key="meeting_title", longest=LONGEST_TITLE, placeholder=hint
        )
    if not _keep_over_reload(title, entered):
        people.caption("These names are too long for the address of the page: a reload loses them.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        hides = _ask_whether_names_hide()
        st.space("stretch")
        st.caption(format_duration(len(points), pace), width="content")
        pressed = st.button(
            f"Begin with {format_count(len(points), 'point')}" if points else "Begin",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not (points and host),
            help=None if host else "Say who hosts, then begin.",
        )
    shown: Sequence[Point] = remembered(_SHOWN) or points
    remember(_SHOWN, points)
    if not pressed:
        return None
    return Begin(shown, host, present, title.strip(), hides)


def parse_people(typed: str, known: Sequence[str]) -> tuple[str, ...]:
    """Names parted by commas, each once and spelled as it is known."""
    return match_known_names(typed.split(","), known)


def match_known_names(said: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """These names, each once and spelled as it is known, also where that is no clean name."""
    spelled = {clean_name(each).casefold(): each for each in known}
    exact = set(known)  # two people may differ by a capital alone
    named = (each if each in exact else clean_name(each) for each in said)
    return tuple(
        dict.fromkeys(
            each if each in exact else spelled.setdefault(each.casefold(), each)
            for each in named
            if each
        )
    )


def _ask_people(known: Sequence[str]) -> tuple[tuple[str, ...], dict[str, list[str]]]:
    """Who is present, and how that was entered, by the words of the address."""
    # A field that takes what is typed when it is left; a list to choose from would drop a new name.
    typed = ask_text_to_keep(
        "present",
        "People present",
        key="meeting_people",
        longest=LONGEST_LIST,
        placeholder="Names, with commas between",
    )
    # Who was pressed stays to be seen, whoever comes first now: after a reload the page is drawn
    # once before the browser has said who hosts. The address may have had no room for them.
    held = read_widget_values("meeting_known")
    said = match_known_names((*st.query_params.get_all("known")[:PRESSED], *held), known)
    names = parse_people(typed, (*said, *known))
    pressed: Sequence[str] = ()
    if offered := list(dict.fromkeys((*known[:OFFERED], *said))):
        pressed = st.pills(
            "People known here",
            offered,
            selection_mode="multi",
            default=list(said),
            format_func=plain,
            label_visibility="collapsed",
            key="meeting_known",
        )
    entered = {"present": [typed] if typed else [], "known": list(pressed)}
    return tuple(dict.fromkeys((*names, *pressed))), entered


def _keep_over_reload(title: str, people: Mapping[str, list[str]]) -> bool:
    """Keep both in the address; people who do not fit in it not at all, for half would mislead."""
    entered = {"title": [title] if title else [], **people}
    fits = len(urlencode(entered, doseq=True)) <= LONGEST_KEPT
    for name, said in entered.items():
        keep_in_url(name, said if fits or name == "title" else [])
    return fits


def _ask_whether_names_hide() -> bool:
    hides = st.toggle(
        "Hide names until decided",
        value=st.query_params.get("names") != "shown",
        help="The card calls authors A, B, C until its point is decided.",
        key="meeting_hides",
    )
    keep_in_url("names", [] if hides else ["shown"])
    return hides


def begin(asked: Begin | None, store: Callable[..., str]) -> None:
    """Store the meeting that is asked for and open its room; a double click begins one."""
    if asked is not None:
        meeting_id = store(operation_id=operation_id("begin meeting"), **asked._asdict())
        done("begin meeting")
        forget()
        open_page("meeting", Selection(), meeting=meeting_id)


def format_duration(points: int, pace: tuple[float | None, int]) -> str:
    """How long so many points may take; nothing where no meeting has told."""
    seconds, of = pace
    if seconds is None or not points:
        return ""
    minutes = max(1, round(points * seconds / 60))
    hours, rest = divmod(minutes, 60)
    spoken = f"{hours} h {rest:02} min" if hours else f"{minutes} min"
    return f"About {spoken} (median {seconds:.0f} s a point, n {of:,})"


def _build_row(number: int, each: ListedPoint) -> TableRow:
    row = "\x1f".join(each.point)
    name = each.external_id or each.point.item_id[:8]
    asked = each.point.criterion.replace("_", " ")
    why = " · ".join(each.why) or "marked, though nobody disagrees on it"
    return TableRow(
        id=row,
        cells=(
            build_unit_cell(f"{number}. {each.text}", why, parse_place(row)),
            Cell(
                text=f"{name} · {format_unit_cell(each.point.unit_id)}",
                note=f"{asked} · {each.run}",
            ),
            Cell(text="Take off", action="off"),
        ),
    )
