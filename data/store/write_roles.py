"""Access control: admit visitors, and check their role and name before a write."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from faithfulness.model.access import PROGRAM, Role, Visitor
from faithfulness.model.errors import NotAllowed
from faithfulness.model.vocabulary import AuthorKind

# By the kind of an operation. A kind that is not listed needs the highest role.
NEEDS: Mapping[str, Role] = {
    "view": Role.RATER,
    "draft": Role.RATER,
    "rating": Role.RATER,
    "sheet": Role.RATER,
    "meeting mark": Role.RATER,
    "review tick": Role.RATER,
    "adjudication": Role.ADJUDICATOR,
    "adjudications": Role.ADJUDICATOR,
    "adjudications taken back": Role.ADJUDICATOR,
    "assignment": Role.ADJUDICATOR,
    "decision check": Role.ADJUDICATOR,
    "guideline proposal": Role.ADJUDICATOR,
    "meeting": Role.ADJUDICATOR,
    "meeting points": Role.ADJUDICATOR,
    "meeting event": Role.ADJUDICATOR,
    "rerun": Role.ADJUDICATOR,
    "batch": Role.ADMIN,
    "batch event": Role.ADMIN,
    "findings": Role.ADMIN,
    "import": Role.ADMIN,
    "paid sample": Role.ADMIN,
    "removal": Role.ADMIN,
    "save_mapping": Role.ADMIN,
}
# Where the payloads of the journal name the person who acts.
_SIGNERS = ("rater", "host", "by", "removed_by")


def get_required_role(kind: str) -> Role:
    return NEEDS.get(kind, Role.ADMIN)


class Guard:
    """Asked at the door and before every write; without a login it lets everything through.

    `who` answers with the visitor that the current thread serves, with None when nobody has
    signed in.
    """

    def __init__(self, who: Callable[[], Visitor | None] | None = None) -> None:
        self._who = who or (lambda: PROGRAM)

    def may(self, kind: str) -> bool:
        visitor = self._who()
        return visitor is not None and (visitor.role or 0) >= get_required_role(kind)

    def admit(self) -> None:
        """Refuse whoever may not even read.

        Raises:
            NotAllowed: nobody is signed in, or they have no role.
        """
        visitor = self._who()
        if visitor is None:
            raise NotAllowed("Nobody is signed in here. Sign in, then open the page again.")
        if visitor.role is None:
            raise NotAllowed(
                f"You are signed in as {visitor.name}, but have no role here. Whoever runs "
                "Plumbline gives roles."
            )

    def check(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Refuse what the visitor has no role for, or would sign with another's name.

        Raises:
            NotAllowed: says which of the two, and what to do.
        """
        visitor = self._who()
        if visitor is PROGRAM:
            return
        self.admit()
        assert visitor is not None
        assert visitor.role is not None
        needed = get_required_role(kind)
        if visitor.role < needed:
            raise NotAllowed(
                f"This needs the role {needed.title}; you are signed in as {visitor.name} with "
                f"the role {visitor.role.title}. Nothing was stored. Whoever runs Plumbline gives "
                "roles."
            )
        for name in _iter_signers(payload):
            if name != visitor.name:
                raise NotAllowed(
                    f"This would be signed as {name or 'nobody'}, but you are signed in as "
                    f"{visitor.name}. Nothing was stored; sign with your own name."
                )


def _iter_signers(payload: Mapping[str, Any]) -> Iterator[str]:
    author = payload.get("author")
    if author is not None and author["kind"] != AuthorKind.JUDGE.value:
        yield str(author["name"])
    for key in _SIGNERS:
        if key in payload:
            yield str(payload[key])
