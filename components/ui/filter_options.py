"""Filter options for a page, derived from the contents of the store."""

from collections.abc import Iterable, Mapping

import pandas as pd
import streamlit as st

from components.ui.address import format_slice_key
from components.ui.contradiction_lists import PLACEMENT
from components.ui.filter_bar import FilterChoice
from components.ui.plain import plain
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import AuthorKind

LABELS = {
    "run": "Run",
    "author": "Author",
    "label": "Label",
    "by": "Label by",
    "protocol": "Protocol",
    "system": "System",
    "slice": "Slice",
    "placement": "Quoted",
}
COLUMNS = ("part", "value", "title")
BY = {AuthorKind.RATER.value: "by raters", AuthorKind.JUDGE.value: "by judges"}


def build_filter_choices(
    offered: pd.DataFrame,
    protocols: Mapping[str, Protocol],
    names: Iterable[str],
    *,
    single: Iterable[str] = ("protocol", "by"),
) -> tuple[FilterChoice, ...]:
    """One choice a name, in this order; `offered` is the answer of `queries_filters.offered`.

    Of the `single` ones only one value can be chosen.
    """
    alone = frozenset(single)
    found: dict[str, dict[str, str]] = {}
    for part, value, title in zip(*(offered[name].tolist() for name in COLUMNS), strict=True):
        found.setdefault(part, {})[value] = title
    used = {key: each for key, each in protocols.items() if key in found.get("protocol", {})}
    titles = {
        "run": {
            key: _run(title, protocols) + " (sample)" * (key in found.get("sample", {}))
            for key, title in found.get("run", {}).items()
        },
        "system": found.get("system", {}),
        "author": found.get("author", {}),
        "protocol": {key: each.title for key, each in used.items()},
        "label": _list_label_titles(used.values()),
        "by": BY,
        "placement": PLACEMENT,
        "slice": {
            format_slice_key(*key.split("\x1f", 1)): title
            for key, title in found.get("slice", {}).items()
        },
    }
    return tuple(
        FilterChoice(
            name=name,
            label=LABELS[name],
            titles=titles[name],
            several=name not in alone,
        )
        for name in names
    )


def _run(title: str, protocols: Mapping[str, Protocol]) -> str:
    name, _, key = title.rpartition(" · ")
    return f"{name} · {protocols[key].title}" if key in protocols else title


def _list_label_titles(protocols: Iterable[Protocol]) -> dict[str, str]:
    """Labels of nominal scales; where two protocols use one title, it says which."""
    found: dict[str, str] = {}
    for protocol in protocols:
        for criterion in protocol.criteria:
            if not criterion.scale.ordinal:
                for label in criterion.scale.labels:
                    taken = label.title in found.values()
                    found[label.value] = (
                        f"{label.title} ({protocol.title.lower()})" if taken else label.title
                    )
    return found


def choose_default_protocol(offered: pd.DataFrame, protocols: Mapping[str, Protocol]) -> str:
    """The protocol to show while the address names none.

    That of the first run that the address names, also as a side of a comparison; else the first
    one under which a run is stored, of the sample only where nothing else is; else the first of
    all.
    """
    runs = _map_run_protocols(offered, protocols)
    sides = [st.query_params.get(name, "").partition("|")[0] for name in ("a", "b")]
    named = (*st.query_params.get_all("run"), *sides)
    samples = set(offered.loc[offered["part"] == "sample", "value"])
    own = {key for run, key in runs.items() if run not in samples}
    stored = (key for key in protocols if key in (own or set(runs.values())))
    return next((runs[run] for run in named if run in runs), next(stored, next(iter(protocols))))


def show_other_protocol(
    selection: Selection, offered: pd.DataFrame, protocols: Mapping[str, Protocol]
) -> None:
    """Say that no chosen run is under the protocol that is shown, and lead to theirs."""
    runs = _map_run_protocols(offered, protocols)
    found = [runs[run] for run in selection.runs if run in runs]
    if not found or selection.protocol in found:
        return
    title, shown = protocols[found[0]].title, protocols[selection.protocol].title
    with st.container(horizontal=True, vertical_alignment="center", key="other_protocol"):
        run = "The chosen run is" if len(found) == 1 else "The chosen runs are"
        st.info(f"{run} under {title}, but {shown} is shown.", icon=":material/rule:")
        if st.button(f"Show {title}"):
            st.query_params["protocol"] = found[0]
            st.rerun()


def _map_run_protocols(offered: pd.DataFrame, protocols: Mapping[str, Protocol]) -> dict[str, str]:
    """The protocol of every stored run, by the run's id."""
    runs = offered[offered["part"] == "run"]
    keys = {
        run: title.rpartition(" · ")[2]
        for run, title in zip(runs["value"], runs["title"], strict=True)
    }
    return {run: key for run, key in keys.items() if key in protocols}


def names(offer: Iterable[FilterChoice]) -> dict[str, str]:
    """What people call runs, protocols, labels and the rest, by their keys."""
    return {key: title for each in offer for key, title in each.titles.items()}


def show_narrowing(what: str, selection: Selection, called: Mapping[str, str]) -> None:
    """Say in plain English what a list shows, where anything narrows it."""
    if not selection.is_everything:
        st.caption(plain(f"{what} {format_narrowing(what, selection.in_words(called))}"))


def format_narrowing(what: str, words: str) -> str:
    """The words behind a count; runs are named, for "1 run of run A" says it twice."""
    counts_runs = what.endswith((" run", " runs")) and words.startswith("of run ")
    return f"named {words.removeprefix('of run ')}" if counts_runs else words
