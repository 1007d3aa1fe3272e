"""Result of a bridge: the answers implied under another protocol, with the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from faithfulness.model.vocabulary import Answer


class BridgeReason(NamedTuple):
    """Why one unit got its bridged answer, or none; `rule` is an id of docs/protocols.md."""

    unit_id: str
    criterion: str
    says: str
    rule: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bridged:
    """Answers that follow, why, and what could not be said.

    Attributes:
        answers: Only what follows; each says in its comment that it is bridged, and how.
        reasons: One for every unit that was looked at.
        cannot: Why some or all of it cannot be bridged; empty where everything could.
        may_be: By unit, all answers that are consistent with what was said.
    """

    answers: tuple[Answer, ...] = ()
    reasons: tuple[BridgeReason, ...] = ()
    cannot: str = ""
    may_be: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def make_refusal(why: str) -> Bridged:
    """Nothing follows."""
    return Bridged(cannot=f"cannot bridge: {why}")
