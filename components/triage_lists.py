"""The choices of the disagreements page in words, with how much each would leave."""

from collections.abc import Collection, Mapping

from components.chips.chips import ChipGroup
from faithfulness.disagreement import KINDS, Kind

STATES = {"open": "Open", "decided": "Decided", "all": "All"}
SORTS = {"worst": "Worst first", "far": "Furthest apart", "stored": "As stored"}


def chosen_kinds(said: Collection[str]) -> tuple[Kind, ...]:
    """Kinds that the address names; nonsense does not narrow."""
    return tuple(kind for kind in Kind if kind.value in said)


def chip_groups(
    state: str,
    kinds: Collection[Kind],
    counts: tuple[Mapping[str, int], Mapping[Kind, int]],
) -> list[ChipGroup]:
    """Open, decided or all; then who differs from whom."""
    states, by_kind = counts
    return [
        ChipGroup(
            name="state",
            label="Decided or not",
            titles={"" if key == "open" else key: title for key, title in STATES.items()},
            counts={"" if key == "open" else key: count for key, count in states.items()},
            on=("" if state == "open" else state,),
            single=True,
        ),
        ChipGroup(
            name="kind",
            label="Who differs",
            titles={kind.value: title for kind, title in KINDS.items()},
            counts={kind.value: count for kind, count in by_kind.items()},
            on=[kind.value for kind in kinds],
        ),
    ]
