"""Profile: how many statements of a response stand how to its sources, whoever cut it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

MOST_TRIED = 24  # unknown statements that are tried out; more of them leave no other answers


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
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

    def settled(self) -> Iterator["Profile"]:
        """Every way in which the unknown statements can turn out."""
        vague, open_ = min(self.not_supported, MOST_TRIED), min(self.open, MOST_TRIED)
        known = replace(self, not_supported=0, open=0)
        for denied in range(vague + 1):
            for labels in _parts(open_, 4):
                yield replace(
                    known,
                    supported=known.supported + labels[0],
                    unsupported=known.unsupported + labels[1] + vague - denied,
                    contradictory=known.contradictory + labels[2] + denied,
                    no_rad=known.no_rad + labels[3],
                )


class Implied(NamedTuple):
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


def profiles_of_size(size: int, query_type: str = "") -> Iterator[Profile]:
    """Every profile of so many labelled sentences, at most MOST_TRIED."""
    for supported, unsupported, contradictory, no_rad in _parts(min(size, MOST_TRIED), 4):
        yield Profile(
            supported=supported,
            unsupported=unsupported,
            contradictory=contradictory,
            no_rad=no_rad,
            query_type=query_type,
        )


def _parts(total: int, places: int) -> Iterator[tuple[int, ...]]:
    """All ways to share a number out over places."""
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _parts(total - first, places - 1):
            yield (first, *rest)
