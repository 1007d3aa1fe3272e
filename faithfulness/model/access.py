"""Roles and permissions of a visitor: four roles, every one including the previous ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from faithfulness.model.names import fold_name


class Role(IntEnum):
    """What a person may do; a higher one may all that a lower one may."""

    READER = 1
    RATER = 2
    ADJUDICATOR = 3
    ADMIN = 4

    @property
    def title(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, kw_only=True, slots=True)
class Visitor:
    """Somebody who signed in, or the program itself; without a role they may not even read."""

    name: str
    role: Role | None


# Threads that serve nobody: what they do was allowed to whoever set them to work.
PROGRAM = Visitor(name="", role=Role.ADMIN)


def get_identity(claims: Mapping[str, Any]) -> str:
    """The name that a person signs with, from what the provider says of them; empty for nobody.

    An address that the provider has not checked could be anybody's, so it is not taken; some
    providers say that as text. It has the one spelling that forms and the store give to names, so
    that whoever signs with it is not taken for somebody else.
    """
    address = fold_name(str(claims.get("email") or "").lower())
    if address and str(claims.get("email_verified")).lower() != "false":
        return address
    return fold_name(str(claims.get("sub") or ""))
