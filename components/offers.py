"""The parts of a Selection that a page can offer, from what the store holds."""

from collections.abc import Iterable, Mapping

import pandas as pd

from components.address import slice_as_text
from components.filter_bar import Choice
from faithfulness.protocol import Protocol
from faithfulness.vocabulary import AuthorKind

LABELS = {
    "run": "Run",
    "author": "Author",
    "label": "Label",
    "by": "Label by",
    "protocol": "Protocol",
    "system": "System",
    "slice": "Slice",
}
BY = {AuthorKind.RATER.value: "by raters", AuthorKind.JUDGE.value: "by judges"}


def offers(
    offered: pd.DataFrame, protocols: Mapping[str, Protocol], names: Iterable[str]
) -> tuple[Choice, ...]:
    """One choice a name, in this order; `offered` is the answer of `queries_filters.offered`."""
    found = {
        part: dict(zip(rows["value"], rows["title"], strict=True))
        for part, rows in offered.groupby("part", sort=False)
    }
    used = {key: each for key, each in protocols.items() if key in found.get("protocol", {})}
    titles = {
        "run": {key: _run(title, protocols) for key, title in found.get("run", {}).items()},
        "system": found.get("system", {}),
        "author": found.get("author", {}),
        "protocol": {key: each.title for key, each in used.items()},
        "label": _labels(used.values()),
        "by": BY,
        "slice": {
            slice_as_text(*key.split("\x1f", 1)): title
            for key, title in found.get("slice", {}).items()
        },
    }
    return tuple(
        Choice(
            name=name,
            label=LABELS[name],
            titles=titles[name],
            several=name not in ("protocol", "by"),
        )
        for name in names
    )


def _run(title: str, protocols: Mapping[str, Protocol]) -> str:
    name, _, key = title.rpartition(" · ")
    return f"{name} · {protocols[key].title}" if key in protocols else title


def _labels(protocols: Iterable[Protocol]) -> dict[str, str]:
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


def names(offer: Iterable[Choice]) -> dict[str, str]:
    """What people call runs, protocols, labels and the rest, by their keys."""
    return {key: title for each in offer for key, title in each.titles.items()}
