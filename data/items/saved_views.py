"""Saved views: page addresses stored under a name in an append-only table."""

import pandas as pd

from data.store.engine import Cursor
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, ReviewError

KIND = "view"
LONGEST_NAME = 80
LONGEST_ADDRESS = 8_000
SECONDS = 10.0

_VIEWS = """
select name, page, address, saved_at
from (
    select *, row_number() over (partition by name order by view_no desc) as nth
    from saved_views
)
where nth = 1
    and not is_removed
order by lower(name), name
"""

_APPEND = """
insert into saved_views (view_no, operation_id, name, page, address, is_removed, saved_at)
select
    coalesce(max(view_no), 0) + 1, $operation_id, $name, $page, $address, $is_removed, $saved_at
from saved_views
"""


def load_saved_views(store: Store) -> pd.DataFrame:
    """The saved views by name.

    Columns:
        name, page (the script's name), address (its query string), saved_at (UTC).
    """
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(_VIEWS).df()
    return found


def save_view(store: Store, *, name: str, page: str, address: str, operation_id: str) -> None:
    """Keep an address under a name; a name that is taken now means the new address.

    Raises:
        ReviewError: the name is empty or too long, or the address is.
        NotSaved: nothing was stored.
    """
    name = " ".join(name.split())
    if not name:
        raise ReviewError("A view needs a name. Write one, for example “Prices, judges alone”.")
    if len(name) > LONGEST_NAME:
        raise ReviewError(
            f"The name is longer than {LONGEST_NAME} characters. Write a shorter one."
        )
    if len(address) > LONGEST_ADDRESS:
        raise ReviewError("The filters are too many for one address. Choose fewer, then save.")
    _store_view(store, operation_id, name=name, page=page, address=address, is_removed=False)


def remove_view(store: Store, *, name: str, operation_id: str) -> None:
    """Take a view off the list.

    Raises:
        ReviewError: there is no such view.
        NotSaved: nothing was stored.
    """
    views = load_saved_views(store)
    found = views[views["name"] == name]
    if found.empty:
        raise ReviewError(f"There is no view “{name}”, or it was removed. Look at the list again.")
    page, address = str(found["page"].iloc[0]), str(found["address"].iloc[0])
    _store_view(store, operation_id, name=name, page=page, address=address, is_removed=True)


def change_view(
    store: Store, *, action: str, name: str, page: str, address: str, operation_id: str
) -> None:
    """Save or remove a view, as the list of views asks for it; raises what these two raise."""
    if action == "save":
        save_view(store, name=name, page=page, address=address, operation_id=operation_id)
    else:
        remove_view(store, name=name, operation_id=operation_id)


def _store_view(store: Store, operation_id: str, **facts: str | bool) -> None:
    saved_at = now()

    def work(cursor: Cursor) -> str:
        cursor.execute(_APPEND, {**facts, "operation_id": operation_id, "saved_at": saved_at})
        return str(facts["name"])

    try:
        store.write(operation_id, KIND, work, about=f"the saved view {facts['name']}")
    except AlreadyDone:
        return
