"""List of runs by protocol, with answer counts and summary scores."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from components.reader.neighbors import FIRST
from components.ui.address import link
from components.ui.numbers import NONE, count, format_count, format_day, interval, number
from components.ui.table.table import Cell, Clicked, Column, Group, TableRow, show_table
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import AuthorKind

JUDGES_SHOWN = 4
COLUMNS = (
    Column(title="Run"),
    Column(title="Raters"),
    Column(title="Judges"),
    Column(title="Items", end=True),
    Column(title="Unread", end=True),
    Column(title="Next", drop=True),
)


def narrowed(runs: pd.DataFrame, selection: Selection) -> pd.DataFrame:
    """The runs a selection leaves; words are looked for in a run's name and system."""
    kept = runs
    if selection.runs:
        kept = kept[kept["run_id"].isin(selection.runs)]
    if selection.systems:
        kept = kept[kept["system"].isin(selection.systems)]
    if selection.protocol:
        kept = kept[kept["protocol"] == selection.protocol]
    if selection.unread:
        kept = kept[kept["unread"] > 0]
    if selection.words:
        named = (kept["name"] + "\n" + kept["system"]).str.lower()
        kept = kept[named.str.contains(selection.words.lower(), regex=False)]
    return kept


def sort_by_protocol(runs: pd.DataFrame, protocols: Iterable[str]) -> pd.DataFrame:
    """Runs of one protocol together: a page never splits what one screen shows."""
    places = {key: at for at, key in enumerate(protocols)}
    return runs.assign(order=runs["protocol"].map(places)).sort_values("order", kind="stable")


def show_number_notes() -> None:
    st.caption(
        "Each number is a mean over n items; an item's number by several raters is their mean, "
        "not their majority. Left out are items without a number: nothing to count, or not judged. "
        "95 % intervals are shown from 20 items on. Unread answers state a problem instead of a "
        "label and never count."
    )


def show_runs(
    runs: pd.DataFrame, headlines: pd.DataFrame, protocols: Mapping[str, Protocol]
) -> Clicked | None:
    """Draw runs under their protocols; answers "open", "items" or "unread" with the run's id."""
    results: dict[str, list[Any]] = {}
    for line in headlines.itertuples():
        results.setdefault(str(line.run_id), []).append(line)
    groups = []
    for key, protocol in protocols.items():
        rows = [
            _build_row(run, results.get(str(run.run_id), ()))
            for run in runs[runs["protocol"] == key].itertuples()
        ]
        if rows:
            groups.append(Group(title=protocol.title, note=protocol.purpose, rows=rows))
    return show_table(COLUMNS, groups, key="runs", label="Runs")


def _build_row(run: Any, results: Sequence[Any]) -> TableRow:
    to_items = link("item", Selection(runs=(run.run_id,)))
    to_first = link("item", Selection(runs=(run.run_id,), item=FIRST))
    unread = int(run.unread)
    system = "" if run.system == run.name else run.system
    people = [each for each in results if each.author_kind != AuthorKind.JUDGE]
    judges = [each for each in results if each.author_kind == AuthorKind.JUDGE]
    return TableRow(
        id=run.run_id,
        cells=(
            Cell(
                text=run.name,
                note=" · ".join(_drop_empty((system, f"imported {format_day(run.imported_at)}"))),
                badge="Sample" if run.is_sample else "",
                action="items",
                href=to_items,
                strong=True,
            ),
            _build_people_cell(people, int(run.raters)),
            build_judges_cell(judges, int(run.judges)),
            Cell(text=count(int(run.items)), note=" · ".join(_list_answer_counts(run))),
            Cell(
                text=count(unread),
                action="unread" if unread else "",
                href=link("item", Selection(runs=(run.run_id,), unread=True)) if unread else "",
            ),
            Cell(text="Read first item", action="open", href=to_first),
        ),
    )


def _list_answer_counts(run: Any) -> list[str]:
    """Answers of raters and judges; decisions are told apart, they answer an answer."""
    decisions = format_count(int(run.decisions), "decision") if run.decisions else ""
    return [
        each.replace(" ", "\u00a0")
        for each in _drop_empty((format_count(int(run.answers), "answer"), decisions))
    ]


def _build_people_cell(results: Sequence[Any], raters: int) -> Cell:
    """The raters' number, and the adjudicated one where there is one; a dash, never 0."""
    if not results:
        return Cell(text=NONE, note=format_count(raters, "rater") if raters else "")
    first, *more = results
    note = (first.name, _format_people(first), *_list_number_facts(first))
    return Cell(
        text=_format_with_interval(first),
        strong=True,
        note=" · ".join(_drop_empty(note)),
        lines=[
            (_format_with_interval(each), " · ".join(("adjudicated", *_list_number_facts(each))))
            for each in more
        ],
    )


def _format_people(line: Any) -> str:
    if line.author_kind == AuthorKind.ADJUDICATOR:
        return "adjudicated"
    raters = format_count(int(line.authors), "rater")
    return f"mean of {raters}" if line.authors > 1 else raters


def build_judges_cell(results: Sequence[Any], judges: int) -> Cell:
    """A line a judge, by the name under which it signs; then how many more."""
    if not results:
        return Cell(text=NONE, note=format_count(judges, "judge") if judges else "")
    shown = results[:JUDGES_SHOWN]
    lines = [
        (_format_with_interval(each), " · ".join((each.author, *_list_number_facts(each))))
        for each in shown
    ]
    left = len(results) - len(shown)
    return Cell(text="", lines=[*lines, ("…", f"and {count(left)} more")] if left else lines)


def _format_with_interval(line: Any) -> str:
    """A number and its interval, where there is one, as they stand on every page."""
    said = " ".join(_drop_empty((number(line.value), interval(line.low, line.high))))
    return said.replace(" ", "\u00a0")


def _list_number_facts(line: Any) -> list[str]:
    """What stands behind a number: whether the file gave it, n, and what was left out."""
    left_out = f"{count(int(line.left_out))} left out" if line.left_out else ""
    is_given = getattr(line, "given", False)  # such a number may be on a scale of its own
    said = ("given in the file" if is_given else "", f"n {count(int(line.counted))}", left_out)
    # A narrow column breaks between the facts, never between "n" and its number.
    return [each.replace(" ", "\u00a0") for each in _drop_empty(said)]


def _drop_empty(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text]
