"""Rows of the table of claims: a benchmark says what it measured against which limit.

A row goes to the file that BENCHMARK_ROWS names; without it nothing happens, because a benchmark
prints its own lines. benchmarks/table.py sets the variable and makes the table.
"""

import json
import os
from pathlib import Path
from typing import NamedTuple

VARIABLE = "BENCHMARK_ROWS"


class Row(NamedTuple):
    """One claim; `met` is None where nothing was promised or nothing could be measured."""

    claim: str
    measured: str
    against: str
    met: bool | None


class Point(NamedTuple):
    """What one question took on a store of one size, in milliseconds."""

    question: str
    labels: int
    wall: float
    cpu: float


def claim(
    what: str,
    measured: float,
    unit: str,
    *,
    at_most: float | None = None,
    at_least: float | None = None,
    peer: str = "",
) -> None:
    """Put a claim into the table; `peer` names what else was measured in the same run."""
    limits = []
    if at_most is not None:
        limits.append(f"at most {told(at_most, unit)}")
    if at_least is not None:
        limits.append(f"at least {told(at_least, unit)}")
    met = None
    if limits:
        is_low_enough = at_most is None or measured <= at_most
        met = bool(is_low_enough and (at_least is None or measured >= at_least))
    against = "; ".join([*limits, *([peer] if peer else [])])
    _append(Row(what, told(measured, unit), against or "—", met)._asdict())


def skip(what: str, why: str) -> None:
    """Put into the table why something was not measured."""
    _append(Row(what, "not measured", why, None)._asdict())


def grew(question: str, labels: int, wall: float, cpu: float) -> None:
    """Put one point of a growth curve into the table."""
    _append(Point(question, labels, wall, cpu)._asdict())


def told(number: float, unit: str) -> str:
    """A number with its unit; three digits are enough for a benchmark."""
    if number == int(number) or abs(number) >= 100:
        text = f"{number:,.0f}"
    else:
        text = f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"
    return f"{text} {unit}".strip()


def read(path: Path) -> tuple[list[Row], list[Point]]:
    """The rows and the points that a benchmark left."""
    rows, points = [], []
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for line in lines:
        said = json.loads(line)
        if "claim" in said:
            rows.append(Row(**said))
        else:
            points.append(Point(**said))
    return rows, points


def _append(said: dict[str, object]) -> None:
    name = os.environ.get(VARIABLE)
    if name:
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(json.dumps(said) + "\n")
