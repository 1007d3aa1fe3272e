"""What is wrong in an import before it is stored: quotes that differ first, then complaints."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.ui.numbers import count, counted
from components.ui.table.table import Cell, Column, Group, Row, show_table
from faithfulness.intake.complaints import Alike, Kind, alike, by_kind
from faithfulness.model.vocabulary import Tier
from faithfulness.model.wording import ALTERED, DIFFERING, quotes_in_words

FEW = 5  # of each kind: what is told after them stays in sight


def show_quotes(manifest: Any) -> None:
    """How quotes were found, and the first of those that do not stand in a source as they are."""
    quotes = sum(run.quotes for run in manifest.runs)
    if not quotes:
        return
    found, turned = Counter[str](), Counter[str]()
    for run in manifest.runs:
        found.update(run.quotes_by_tier)
        turned.update(run.altered_by_tier)
    told = quotes_in_words(quotes, found, turned)
    absent, altered = found[Tier.ABSENT], turned.total()
    if not (absent or altered or manifest.differing):
        st.caption(told)
        return
    st.markdown(f"## {told}")
    _show_first(
        manifest.absent_quotes,
        absent,
        "Quoted words",
        key="absent_quotes",
        label="Quotes that are in no source",
        about="Those in no source are stored and marked. Many of them mean that a source is "
        "missing in the file or stands in another column; few, that somebody quoted what is not "
        "there.",
    )
    _show_first(
        manifest.altered_quotes,
        altered,
        "What differs, and the quoted words",
        key="altered_quotes",
        label=f"Quotes {ALTERED}",
        about=f"Those {ALTERED} differ from their source in little else, and say something else.",
    )
    _show_first(
        manifest.differing_quotes,
        manifest.differing,
        "What differs, and the quoted words",
        key="differing_quotes",
        label=f"Quotes {DIFFERING}",
        about=f"Those {DIFFERING} are marked where they stand beside their source.",
    )


def _show_first(
    places: Sequence[Any], many: int, title: str, *, key: str, label: str, about: str
) -> None:
    if not many:
        return
    st.caption(about)
    wants_all = len(places) > FEW and st.toggle(
        f"Show the first {count(len(places))}", key=f"all_{key}"
    )
    shown = places if wants_all else places[:FEW]
    _show_places(shown, title, key=key, label=label)
    _say_more(many - len(shown))


def show_complaints(manifest: Any) -> None:
    if not manifest.complaint_count:
        return
    st.markdown("## " + counted(manifest.complaint_count, "complaint"))
    st.caption(
        "What breaks a rule of its protocol is stored as it is. What could not be found in its "
        "item is named here and left out."
    )
    found, title = alike(manifest.complaints, manifest.complaint_times), "What is wrong"
    groups = [complaint_group(each) for each in by_kind(found)]
    show_table(_columns(title), groups, key="complaints", label="Complaints by line")
    left = manifest.complaint_count - sum(each.times for each in found)
    if left > 0:
        st.caption(f"and {counted(left, 'more complaint')}, not counted above")
    shown = sum(len(group.rows) for group in groups)
    if shown < len(manifest.complaints) and st.toggle("Show each by itself", key="each_one"):
        label = "Every complaint by line"
        _show_places(manifest.complaints, title, key="every_complaint", label=label)
        _say_more(manifest.complaint_count - len(manifest.complaints))


def complaint_group(kind: Kind) -> Group:
    """A kind of complaint with how often it comes, and its most frequent sentences."""
    left = len(kind.found) - FEW
    more = f"{counted(left, 'rarer sentence')} not listed here" if left > 0 else ""
    return Group(title=kind.in_words, note=more, rows=_complaint_rows(kind.found[:FEW], kind.title))


def _complaint_rows(complaints: Sequence[Alike], kind: str) -> list[Row]:
    return [
        Row(
            id=f"{kind} {number}",
            cells=(
                Cell(text=each.file),
                Cell(text=each.first_lines or "—"),
                Cell(text=each.in_words),
            ),
        )
        for number, each in enumerate(complaints)
    ]


def _show_places(places: Sequence[Any], title: str, *, key: str, label: str) -> None:
    rows = [
        Row(
            id=str(number),
            cells=(
                Cell(text=each.file),
                Cell(text=count(each.line) if each.line else "—"),
                Cell(text=each.text),
            ),
        )
        for number, each in enumerate(places)
    ]
    show_table(_columns(title), [Group(rows=rows)], key=key, label=label)


def _columns(title: str) -> tuple[Column, ...]:
    return (
        Column(title="File"),
        Column(title="Line", end=True),
        Column(title=title, wide=True),
    )


def _say_more(left: int) -> None:
    if left > 0:
        st.caption(f"and {count(left)} more")
