"""The list of runs: what was evaluated, by whom, and how it came out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from components.address import link
from components.numbers import count, counted, day, interval, number
from components.table.table import Cell, Clicked, Column, Group, Row, show_table
from faithfulness.protocol import Protocol
from faithfulness.selection import Selection
from faithfulness.vocabulary import AuthorKind

COLUMNS = (
    Column(title="Run", wide=True),
    Column(title="Result"),
    Column(title="Items", end=True),
    Column(title="Signed by", drop=True),
    Column(title="Unread", end=True),
    Column(title="Next"),
)


def narrowed(runs: pd.DataFrame, selection: Selection) -> pd.DataFrame:
    """The runs a selection leaves; words are looked for in a run's name and system."""
    kept = runs
    if selection.protocol:
        kept = kept[kept["protocol"] == selection.protocol]
    if selection.unread:
        kept = kept[kept["unread"] > 0]
    if selection.words:
        named = (kept["name"] + "\n" + kept["system"]).str.lower()
        kept = kept[named.str.contains(selection.words.lower(), regex=False)]
    return kept


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
            _row(run, results.get(str(run.run_id), ()))
            for run in runs[runs["protocol"] == key].itertuples()
        ]
        if rows:
            groups.append(Group(title=protocol.title, note=protocol.purpose, rows=rows))
    return show_table(COLUMNS, groups, key="runs", label="Runs")


def _row(run: Any, results: Sequence[Any]) -> Row:
    to_items = link("item", Selection(runs=(run.run_id,)))
    unread = int(run.unread)
    return Row(
        id=run.run_id,
        cells=(
            Cell(
                text=run.name,
                note=" · ".join(_known((run.system, f"imported {day(run.imported_at)}"))),
                badge="Sample" if run.is_sample else "",
                action="items",
                href=to_items,
                strong=True,
            ),
            Cell(text="", lines=[_result(each) for each in results] or [("—", "no number yet")]),
            Cell(text=count(int(run.items)), note=f"{count(int(run.answers))} answers"),
            Cell(text="", lines=[*_signers(run)] or [("—", "")]),
            Cell(
                text=count(unread) if unread else "0",
                action="unread" if unread else "",
                href=link("item", Selection(runs=(run.run_id,), unread=True)) if unread else "",
            ),
            Cell(text="Read first item", action="open", href=to_items),
        ),
    )


def _result(line: Any) -> tuple[str, str]:
    """A number with its n; the interval only where there is one."""
    who = line.author if line.author_kind == AuthorKind.JUDGE else counted(line.authors, "rater")
    if line.author_kind == AuthorKind.ADJUDICATOR:
        who = "adjudicated"
    about = [who, line.name, f"n {count(int(line.counted))}"]
    if line.left_out:
        about.append(f"{count(int(line.left_out))} left out")
    about.append(interval(line.low, line.high))
    return number(line.value), " · ".join(_known(about))


def _signers(run: Any) -> Iterable[tuple[str, str]]:
    for many, one in ((int(run.raters), "rater"), (int(run.judges), "judge")):
        if many:
            yield count(many), one if many == 1 else f"{one}s"


def _known(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text]
