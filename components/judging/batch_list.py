"""Table of all judge batches with their progress and state."""

from collections.abc import Mapping, Sequence

from components.judging.batch_shapes import Stored
from components.ui.numbers import count, format_count, format_day
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging.offline.offline_judge import NAME

STATES: Mapping[str, str] = {
    "started": "interrupted",
    "resumed": "interrupted",
    "finished": "finished",
    "stopped": "stopped",
    "paused": "paused",
}


def show_batches(batches: Sequence[Stored], running: Sequence[str]) -> str:
    """Every batch in a table; answers the one that was clicked."""
    rows = [
        TableRow(
            id=each.batch_id,
            cells=(
                Cell(text=each.run, action="open", strong=True),
                Cell(text=each.author.name, note=_format_samples(each.samples)),
                Cell(text=f"{count(each.done)} of {count(each.total)}"),
                Cell(text=count(each.failed)),
                Cell(text=count(each.unread)),
                Cell(text=format_batch_state(each, running), note=_format_left_and_trapped(each)),
                Cell(text=format_day(each.started_at)),
            ),
        )
        for each in batches
    ]
    columns = (
        Column(title="Run"),
        Column(title="Judge", firm=True),
        Column(title="Done", end=True),
        Column(title="Failed", end=True, drop=True),
        Column(title="Unread", end=True, drop=True),
        Column(title="State", firm=True),
        Column(title="Begun", drop=True, firm=True),
    )
    clicked = show_table(columns, [Group(rows=rows)], key="batches", label="Batches")
    return clicked.row if clicked else ""


def format_batch_state(batch: Stored, running: Sequence[str]) -> str:
    """How a batch stands, in a few words for a list."""
    if batch.batch_id in running:
        return "at work"
    state = STATES.get(batch.state, batch.state)
    return f"{state} · {count(batch.beyond)} {cannot(batch)}" if batch.beyond else state


def cannot(batch: Stored) -> str:
    """What is said of items that the judge will never answer about."""
    offline = batch.settings.get("model") == NAME
    return f"cannot be judged {'offline' if offline else 'by this judge'}"


def _format_samples(samples: int) -> str:
    return "" if samples == 1 else f"{samples} samples an item"


def _format_left_and_trapped(batch: Stored) -> str:
    left = [f"{count(batch.left)} left"] if batch.left else []
    fell = (
        f"{count(batch.trapped)} of {format_count(batch.kept, 'reply', 'replies')} fell into a trap"
    )
    return " · ".join([*left, *([fell] if batch.trapped else [])])
