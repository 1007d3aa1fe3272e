"""Load and save whether an annotator name belongs to a person or a model, as set at import."""

from collections.abc import Mapping

from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.vocabulary import AuthorKind

_LATEST = """
select name, arg_max(kind, choice_no)
from annotator_kinds
group by name
order by name
"""
_ADD = """
insert into annotator_kinds (choice_no, operation_id, name, kind)
select (select coalesce(max(choice_no), 0) + 1 from annotator_kinds), $operation_id, $name, $kind
"""


def load_annotator_kinds(store: Store) -> dict[str, AuthorKind]:
    """The kind that was chosen last for each name."""
    with store.read() as cursor:
        return _load_latest_kinds(cursor)


def save_annotator_kinds(cursor: Cursor, kinds: Mapping[str, str], operation_id: str) -> None:
    """Remember the kinds that were chosen for an import, with that import."""
    known = _load_latest_kinds(cursor)
    for name, kind in kinds.items():
        if known.get(name) != kind:
            values = {"operation_id": operation_id, "name": name, "kind": AuthorKind(kind).value}
            cursor.execute(_ADD, values)


def _load_latest_kinds(cursor: Cursor) -> dict[str, AuthorKind]:
    return {name: AuthorKind(kind) for name, kind in cursor.execute(_LATEST).fetchall()}
