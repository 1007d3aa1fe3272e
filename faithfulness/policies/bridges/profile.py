"""Profile: counts of a response's statements by their relation to the sources."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

MOST_TRIED = 24  # sentences of a response that are tried out from the whole back to its parts
FEW = 3  # rules count faults up to three, and from there on only shares


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementProfile:
    """Counts of statements; what is not known for sure has counts of its own.

    Attributes:
        supported: Borne out by a source, whole.
        unsupported: Neither borne out nor denied.
        contradictory: Denied by a source.
        no_rad: Nothing to look up.
        clashing: One source bears it out and another denies it.
        not_supported: Not borne out; whether a source denies it was not said (a false claim).
        open: Without a label: not answered, unread, or tied.
        query_type: factoid, opinion, broad or generic; empty where nobody said.
    """

    supported: int = 0
    unsupported: int = 0
    contradictory: int = 0
    no_rad: int = 0
    clashing: int = 0
    not_supported: int = 0
    open: int = 0
    query_type: str = ""

    @property
    def stated(self) -> int:
        """Statements that a source could bear out or deny, as far as they are known."""
        return self.supported + self.unsupported + self.contradictory + self.clashing

    @property
    def is_settled(self) -> bool:
        return not self.not_supported and not self.open

    def settled(self) -> Iterator["StatementProfile"]:
        """How the unknown statements can turn out, as far as rules tell it apart."""
        known = replace(self, not_supported=0, open=0)
        vague = self.not_supported
        for denied in _list_steps(vague):
            for labels in _generate_label_counts(self.open):
                yield replace(
                    known,
                    supported=known.supported + labels[0],
                    unsupported=known.unsupported + labels[1] + vague - denied,
                    contradictory=known.contradictory + labels[2] + denied,
                    no_rad=known.no_rad + labels[3],
                )


class ImpliedMeaning(NamedTuple):
    """What a profile means under another protocol.

    `values` are all answers that fit, the one that is meant first; `decided` says whether there is
    one that is meant; `rule` is the id of the rule in docs/protocols.md that decides. A `reason`
    why nothing is decided ends with its numbers in brackets, so that such reasons can be counted.
    """

    values: tuple[str, ...]
    decided: bool
    reason: str
    rule: str

    @property
    def in_general(self) -> str:
        """The reason without its numbers."""
        return self.reason.partition(" (")[0]


def generate_profiles(size: int, query_type: str = "") -> Iterator[StatementProfile]:
    """Every profile of so many labelled sentences, at most MOST_TRIED."""
    for supported, unsupported, contradictory, no_rad in _generate_partitions(
        min(size, MOST_TRIED), 4
    ):
        yield StatementProfile(
            supported=supported,
            unsupported=unsupported,
            contradictory=contradictory,
            no_rad=no_rad,
            query_type=query_type,
        )


def _list_steps(total: int) -> list[int]:
    """From none to all, without the steps in the middle where there are many."""
    few = [*range(FEW + 1), *range(total - FEW, total + 1)]
    return sorted({each for each in few if 0 <= each <= total})


def _generate_label_counts(total: int) -> Iterator[tuple[int, ...]]:
    """Ways to share a number out over four labels: few for three of them, the rest for one."""
    if total < 3 * FEW:
        yield from _generate_partitions(total, 4)
        return
    for place in range(4):
        for few in product(range(FEW + 1), repeat=3):
            yield (*few[:place], total - sum(few), *few[place:])


def _generate_partitions(total: int, places: int) -> Iterator[tuple[int, ...]]:
    """All ways to share a number out over places."""
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _generate_partitions(total - first, places - 1):
            yield (first, *rest)
