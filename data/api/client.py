"""Client for scripts: opens the store directly, or sends requests to the app that has it open."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from data import exporting
from data.agreement import report
from data.agreement.question import AgreementQuestion
from data.api import health
from data.api.remote import Door, find_running_door
from data.importing.annotator_kinds import load_annotator_kinds
from data.importing.existing_items import count_stored_items
from data.importing.import_service import keep_import
from data.importing.known_files import find_known_files
from data.importing.tables.mappings import Remembered, load_mapping
from data.items.findings import refind
from data.items.loading import load_known_items
from data.judging import batch_orders, batch_work
from data.runs import queries
from data.runs.remove import remove_runs
from data.store import backups
from data.store.opening import make_folder
from data.store.store import Store, open_store
from data.store.transactions import count_operations_by_kind
from faithfulness.model.errors import StoreUnavailable
from faithfulness.model.vocabulary import AuthorKind, Item

NOTHING = "Stopped; nothing was stored."
_LOOK = "Look at what is there with: cli.py runs"


class Desk(Protocol):
    """What a command may ask, the same on both ways."""

    def runs(self) -> list[dict[str, Any]]: ...

    def headlines(self) -> list[dict[str, Any]]: ...

    def known_items(self, item_ids: Sequence[str]) -> Mapping[str, Item]: ...

    def known_files(self, names: Mapping[str, str]) -> list[str]: ...

    def count_met(self, item_ids: Sequence[str]) -> int: ...

    def recall_mapping(self, columns: Sequence[str]) -> Remembered | None: ...

    def recall_kinds(self) -> Mapping[str, AuthorKind]: ...

    def save_import(self, folder: Path, operation_id: str) -> tuple[str, ...]: ...

    def remove_runs(self, run_ids: Sequence[str], operation_id: str) -> None: ...

    def export(self, part: str, names: Sequence[str], kind: str, into: Path) -> None: ...

    def agree(self, asked: AgreementQuestion) -> dict[str, Any]: ...

    def pairs(self, asked: AgreementQuestion, kind: str, into: Path) -> None: ...

    def judge(self, order: Mapping[str, Any]) -> dict[str, Any]: ...

    def judging(self, batch_id: str) -> dict[str, Any]: ...

    def stop_judging(self, batch_id: str) -> dict[str, Any]: ...

    def refind(self, operation_id: str) -> int: ...

    def back_up(self) -> str: ...

    def conditions(self) -> list[dict[str, str]]: ...

    def recovery(self) -> Sequence[str]: ...

    def stopped(self) -> str:
        """What a person who stopped the command is told: whether anything is stored."""
        ...

    def close(self) -> None: ...


def find_desk(path: Path, *, create: bool = False) -> Desk:
    """The desk of a store.

    Raises:
        StoreUnavailable: there is no store, or another process than the app has it open.
    """
    door = find_running_door(path)
    if door is not None:
        return Remote(door)
    if create:
        make_folder(path)
    return Here(open_store(path, create=create))


class Here:
    """A store that this process opened and gives back."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._before = self._after = _count_stored(store)

    def runs(self) -> list[dict[str, Any]]:
        return _frame_to_rows(queries.runs(self._store))

    def headlines(self) -> list[dict[str, Any]]:
        return _frame_to_rows(queries.load_headlines(self._store))

    def known_items(self, item_ids: Sequence[str]) -> Mapping[str, Item]:
        return load_known_items(self._store, item_ids)

    def known_files(self, names: Mapping[str, str]) -> list[str]:
        return [each.in_words for each in find_known_files(self._store, names)]

    def count_met(self, item_ids: Sequence[str]) -> int:
        return count_stored_items(self._store, item_ids)

    def recall_mapping(self, columns: Sequence[str]) -> Remembered | None:
        return load_mapping(self._store, columns)

    def recall_kinds(self) -> Mapping[str, AuthorKind]:
        return load_annotator_kinds(self._store)

    def save_import(self, folder: Path, operation_id: str) -> tuple[str, ...]:
        return keep_import(self._store, folder, operation_id=operation_id)

    def remove_runs(self, run_ids: Sequence[str], operation_id: str) -> None:
        remove_runs(self._store, run_ids=run_ids, removed_by="a script", operation_id=operation_id)

    def export(self, part: str, names: Sequence[str], kind: str, into: Path) -> None:
        exporting.write_part(self._store, part, names, kind, into)

    def agree(self, asked: AgreementQuestion) -> dict[str, Any]:
        return report.build_report(self._store, asked)

    def pairs(self, asked: AgreementQuestion, kind: str, into: Path) -> None:
        exporting.write_pairs(self._store, asked, kind, into)

    def judge(self, order: Mapping[str, Any]) -> dict[str, Any]:
        return batch_orders.begin_batch(self._store, order)

    def judging(self, batch_id: str) -> dict[str, Any]:
        return batch_orders.load_batch_state(self._store, batch_id)

    def stop_judging(self, batch_id: str) -> dict[str, Any]:
        return batch_orders.stop_batch(self._store, batch_id)

    def refind(self, operation_id: str) -> int:
        return refind(self._store, operation_id=operation_id)

    def back_up(self) -> str:
        return str(backups.back_up(self._store))

    def conditions(self) -> list[dict[str, str]]:
        return health.serialize_conditions(health.examine(self._store.path, self._store))

    def recovery(self) -> Sequence[str]:
        return self._store.recovery

    def stopped(self) -> str:
        if self._before is None or self._after is None:
            return f"Stopped; what is stored could not be counted any more. {_LOOK}"
        made = self._after - self._before
        if not made:
            return NOTHING
        told = ", ".join(f"{kind} ({times})" for kind, times in sorted(made.items()))
        return f"Stopped, but this was stored before and stays: {told}. {_LOOK}"

    def close(self) -> None:
        self._after = None  # until it is counted: whoever is impatient stops this too
        batch_work.stop_all_batches()
        self._after = _count_stored(self._store)
        self._store.close()


class Remote:
    """A store that the running app has open, asked through its door."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._has_sent = False  # something to store

    def runs(self) -> list[dict[str, Any]]:
        return list(self._door.call("runs"))

    def headlines(self) -> list[dict[str, Any]]:
        return list(self._door.call("headlines"))

    def known_items(self, item_ids: Sequence[str]) -> Mapping[str, Item]:
        return self._door.known_items(item_ids)

    def known_files(self, names: Mapping[str, str]) -> list[str]:
        return list(self._door.call("known_files", {"names": dict(names)}))

    def count_met(self, item_ids: Sequence[str]) -> int:
        return self._door.count_met(item_ids)

    def recall_mapping(self, columns: Sequence[str]) -> Remembered | None:
        found = self._door.call("mapping", {"columns": list(columns)})
        return Remembered(**found) if found else None

    def recall_kinds(self) -> Mapping[str, AuthorKind]:
        kinds = self._door.call("annotator_kinds")
        return {name: AuthorKind(kind) for name, kind in kinds.items()}

    def save_import(self, folder: Path, operation_id: str) -> tuple[str, ...]:
        self._has_sent = True
        return self._door.import_prepared(folder, operation_id=operation_id)

    def remove_runs(self, run_ids: Sequence[str], operation_id: str) -> None:
        self._has_sent = True
        self._door.call("remove", {"run_ids": list(run_ids), "operation_id": operation_id})

    def export(self, part: str, names: Sequence[str], kind: str, into: Path) -> None:
        self._door.export({"part": part, "names": list(names)}, kind, into, action="part")

    def agree(self, asked: AgreementQuestion) -> dict[str, Any]:
        return dict(self._door.call("agree", asked.as_words(), seconds=600))

    def pairs(self, asked: AgreementQuestion, kind: str, into: Path) -> None:
        self._door.export(asked.as_words(), kind, into, action="pairs")

    def judge(self, order: Mapping[str, Any]) -> dict[str, Any]:
        self._has_sent = self._has_sent or not order.get("preview")
        return dict(self._door.call("judge", order))

    def judging(self, batch_id: str) -> dict[str, Any]:
        return dict(self._door.call("judging", {"batch_id": batch_id}))

    def stop_judging(self, batch_id: str) -> dict[str, Any]:
        return dict(self._door.call("stop_judging", {"batch_id": batch_id}))

    def refind(self, operation_id: str) -> int:
        self._has_sent = True
        said = {"operation_id": operation_id}
        return int(self._door.call("refind", said, seconds=3600)["found"])

    def back_up(self) -> str:
        return str(self._door.call("backup", seconds=600)["path"])

    def conditions(self) -> list[dict[str, str]]:
        return list(self._door.call("doctor", seconds=600)["conditions"])

    def recovery(self) -> Sequence[str]:
        return list(self._door.call("doctor", seconds=600)["recovery"])

    def stopped(self) -> str:
        if not self._has_sent:
            return NOTHING
        return f"Stopped here; the app goes on with what it was sent and may store it. {_LOOK}"

    def close(self) -> None:
        """The app keeps its store."""


def _count_stored(store: Store) -> Counter[str] | None:
    """What is stored, by its kind; None where the store cannot be asked."""
    try:
        with store.read() as cursor:
            return count_operations_by_kind(cursor)
    except StoreUnavailable:
        return None


def _frame_to_rows(frame: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(frame.to_json(orient="records", date_format="iso"))
    return found
