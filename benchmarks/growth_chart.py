"""Draws how answers grow with the store: milliseconds against labels, both by powers of ten."""

import math
from collections.abc import Sequence
from html import escape

from benchmarks.claims import Point

WIDTH, HEIGHT = 860, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 330, 20, 50
# Two shades for the two moments; lines are told apart by their names, not by colour alone.
COLOURS = {"at first": "#004488", "after a save": "#0f6b66"}
GRAY, GRID = "#4a525d", "#dde1e7"
APART = 16  # least distance of two names


def growth_chart(points: Sequence[Point]) -> str:
    """The chart as an SVG document."""
    sizes = sorted({each.labels for each in points})
    highest = math.ceil(math.log10(max(each.wall for each in points)))
    scale = _Scale(math.log10(sizes[0]), math.log10(sizes[-1]), max(highest, 2))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for power in range(scale.top + 1):
        y = scale.y(10**power)
        parts.append(
            f'<line x1="{LEFT}" y1="{y:.0f}" x2="{WIDTH - RIGHT}" y2="{y:.0f}" stroke="{GRID}"/>'
        )
        parts.append(_text(LEFT - 8, y + 4, f"{10**power:,} ms", anchor="end"))
    for size in sizes:
        parts.append(_text(scale.x(size), HEIGHT - BOTTOM + 20, f"{size:,}", anchor="middle"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 10, "labels in the store", anchor="middle"))
    parts += _lines(points, scale)
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Scale:
    def __init__(self, first: float, last: float, top: int) -> None:
        self._first, self._span, self.top = first, max(last - first, 1), top

    def x(self, labels: float) -> float:
        along = (math.log10(labels) - self._first) / self._span
        return LEFT + along * (WIDTH - LEFT - RIGHT)

    def y(self, wall: float) -> float:
        along = math.log10(max(wall, 1)) / self.top
        return HEIGHT - BOTTOM - along * (HEIGHT - TOP - BOTTOM)


def _lines(points: Sequence[Point], scale: _Scale) -> list[str]:
    parts, ends = [], []
    for question in dict.fromkeys(each.question for each in points):
        mine = sorted((each for each in points if each.question == question), key=_labels)
        colour = COLOURS.get(question.rpartition(", ")[2], GRAY)
        dashes = ' stroke-dasharray="5 3"' if question.endswith("after a save") else ""
        path = " ".join(f"{scale.x(each.labels):.1f},{scale.y(each.wall):.1f}" for each in mine)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
        )
        ends.append((scale.y(mine[-1].wall), f"{question}: {mine[-1].wall:,.0f} ms", colour))
    below = -math.inf
    for y, name, colour in sorted(ends):
        below = max(y + 4, below + APART)
        parts.append(_text(WIDTH - RIGHT + 8, below, name, colour=colour))
    return parts


def _labels(point: Point) -> int:
    return point.labels


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = GRAY) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(text)}</text>"
    )
