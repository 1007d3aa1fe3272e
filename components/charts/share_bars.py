"""Histograms of the item summary scores in bins of ten percent, one panel per distribution."""

from collections.abc import Sequence

from components.charts.distribution_lines import ChartLine, bars
from components.charts.score_bars import build_panels
from components.charts.spread import Bar, draw_spread
from faithfulness.model.measure import BINS, Measure, format_bin

LAST = BINS - 1


def show_bins(
    lines: Sequence[ChartLine], measure: Measure, *, chosen: Bar, key: str = "bins"
) -> None:
    """Draw the panels; a click on a bar names it in the address."""
    feet = {value: (_format_foot(int(value)), format_bin(value)) for value in measure.values}
    data = build_panels(lines, measure, chosen, feet=feet, colors=dict.fromkeys(feet, "blue"))
    data["foot"] = (
        "Items by their number in per cent: 0 stands for 0 to below 10, and so on; exactly 100 has "
        "a bar of its own. Every panel has its own height; the count is above a bar."
    )
    draw_spread(data, key=key, says=bars(lines, measure.values))


def _format_foot(at: int) -> str:
    return str(at * 10)
