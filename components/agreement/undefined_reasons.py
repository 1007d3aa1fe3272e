"""List the reasons why metrics in a table are undefined or lack an interval, without repeats."""

from collections.abc import Iterable, Mapping

import streamlit as st

from components.ui.number_meanings import MEANINGS
from components.ui.plain import plain
from faithfulness.model.wording import capitalize_first
from faithfulness.statistics.agreement import Estimate

MOST = 4  # places named beside a reason


def show_reasons(estimates: Iterable[Estimate], titles: Mapping[str, str]) -> None:
    """A line a reason, with the numbers that it is about.

    Args:
        estimates: The numbers of a table.
        titles: What people call the labels inside the names of numbers.
    """
    lines = reasons(estimates, titles)
    if lines:
        st.caption("  \n".join(plain(line) for line in lines))


def reasons(estimates: Iterable[Estimate], titles: Mapping[str, str]) -> list[str]:
    """“No interval from fewer than 20 items: Precision, Recall and 2 more.”."""
    found: dict[str, list[str]] = {}
    for each in estimates:
        if each.reason:
            kind, _, label = each.name.partition(":")
            reason = each.reason.replace(f"says {label}", f"says {titles.get(label, label)}")
            named = MEANINGS[kind].title if kind in MEANINGS else kind
            found.setdefault(reason, []).append(
                f"{titles.get(label, label)} {_lower_title(named)}" if label else named
            )
    return [_format_reason(reason, list(dict.fromkeys(places))) for reason, places in found.items()]


def _lower_title(title: str) -> str:
    return title if title.isupper() else title.lower()


def _format_reason(reason: str, places: list[str]) -> str:
    shown = ", ".join(places[:MOST])
    more = f" and {len(places) - MOST} more" if len(places) > MOST else ""
    return f"{capitalize_first(reason)} ({shown}{more})."
