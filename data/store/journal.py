"""Journal: a second, independent record of signed operations, stored as lines of a file.

Every operation that the store acknowledges has a line in `<store>.journal`:

- `signed` lines are written before the transaction and contain everything needed to redo it. They
  are written by `store.write_journaled(operation_id, kind, payload, work)`. The payload is plain
  JSON and identifies runs, items, units and authors by id, never by a number from the store.
- `done` lines are written after the transaction of a plain `store.write(…)`, such as an import.
  They cannot redo it, but they prove that it was stored.
- `cancelled` lines follow a signed line whose transaction was rolled back.
- `restored` lines record that an older copy replaced the store. They name the done operations that
  the copy lacked, and the signed operations that were permanently excluded at a person's request.

When a store is opened, `data.store.replay` applies the signed lines that are missing from it. A
module that writes a kind of operation registers how to redo it at import time:
`register_work("rating", work)` if the same `work(cursor, operation_id, payload)` is run again, else
`register_redo("rating", redo)` with `redo(store, payload)`. In the second case the payload also
contains `operation_id`; redo ends with `store.write(payload["operation_id"], …)` and returns a
description of the parts that could not be redone, if any.

A line contains the SHA-256 of the previous line and of itself, so that changed, missing and
truncated lines are detected.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from data.store.sidecar_files import (
    get_sidecar_path,
    now,
    stamp,
    sync_file,
    sync_folder,
    write_durably,
)
from faithfulness.model.errors import NotSaved
from faithfulness.model.full_disk import NOT_SAVED, is_disk_full

SIGNED, DONE, CANCELLED, RESTORED = "signed", "done", "cancelled", "restored"

_HASH_KEY = b',"hash":"'
_TAIL = len(_HASH_KEY) + 64 + len(b'"}')


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    """A place between two lines: the bytes before it, and the last line's number and hash."""

    size: int = 0
    sequence: int = 0
    hash: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEntry:
    """One line of the journal; `payload` is what a signed operation needs to be done again."""

    sequence: int
    state: str
    operation_id: str
    kind: str
    payload: Mapping[str, Any]
    written_at: str
    start: Position  # just before this line


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalReading:
    """What a journal says from some position on, and what is wrong with it."""

    entries: tuple[JournalEntry, ...]
    end: Position  # after the last whole line
    cut_off: bytes  # what follows that line
    complaints: tuple[str, ...]


def read_journal(path: Path, start: Position | None = None) -> JournalReading:
    """Read and check every line after a position; a damaged line is told and left out."""
    place = start or Position()
    content = b""
    if path.exists():
        with path.open("rb") as file:
            file.seek(place.size)
            content = file.read()
    *lines, cut_off = content.split(b"\n")
    entries: list[JournalEntry] = []
    complaints: list[str] = []
    for line in lines:
        size = place.size + len(line) + 1
        entry, problem = _read_line(line, place)
        if problem:
            complaints.append(f"journal, byte {place.size}: {problem}")
        if entry is None:
            place = Position(size=size, sequence=place.sequence + 1, hash="")
            continue
        entries.append(entry)
        place = Position(size=size, sequence=entry.sequence, hash=line[-66:-2].decode("ascii"))
    return JournalReading(
        entries=tuple(entries), end=place, cut_off=cut_off, complaints=tuple(complaints)
    )


def _read_line(line: bytes, place: Position) -> tuple[JournalEntry | None, str]:
    body, tail = line[:-_TAIL], line[-_TAIL:]
    if (
        not tail.startswith(_HASH_KEY)
        or _compute_digest(body).encode() != tail[len(_HASH_KEY) : -2]
    ):
        return None, f"line {place.sequence + 1} is damaged and was left out"
    found = json.loads(body + b"}")
    entry = JournalEntry(
        sequence=found["sequence"],
        state=found["state"],
        operation_id=found["operation_id"],
        kind=found["kind"],
        payload=found["payload"],
        written_at=found["at"],
        start=place,
    )
    # After a damaged line nothing is known of its hash, and that was told already.
    if place.hash and found["previous"] != place.hash:
        return entry, f"line {entry.sequence} does not follow the line before it"
    return entry, ""


def _compute_digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def select_unsettled_entries(entries: Sequence[JournalEntry]) -> list[JournalEntry]:
    """The signed and done lines that still count: the last word on each operation, in order."""
    last: dict[str, JournalEntry] = {}
    for entry in entries:
        if entry.state == RESTORED:
            out = collect_left_out_operations([entry])
            last = {
                key: kept for key, kept in last.items() if kept.state == SIGNED and key not in out
            }
            continue
        earlier = last.pop(entry.operation_id, None)
        if entry.state == DONE and earlier is not None:
            entry = earlier  # what was signed says more: it can be done again
        if entry.state != CANCELLED:
            last[entry.operation_id] = entry
    return list(last.values())


def collect_left_out_operations(entries: Sequence[JournalEntry]) -> set[str]:
    """The signed operations that restores left out for good."""
    return {
        str(operation_id)
        for entry in entries
        if entry.state == RESTORED
        for operation_id in entry.payload.get("left_out", ())
    }


def tidy_journal(path: Path, start: Position | None = None) -> JournalReading:
    """Read a journal and put a cut-off last line aside, so that whole lines can follow."""
    reading = read_journal(path, start)
    if not reading.cut_off:
        return reading
    aside = get_sidecar_path(path, f"cut-{stamp()}")
    write_durably(aside, reading.cut_off)
    os.truncate(path, reading.end.size)
    sync_file(path)
    told = f"journal: the last line was cut off and put aside as {aside.name}"
    return replace(reading, cut_off=b"", complaints=(*reading.complaints, told))


class Journal:
    """The journal of an open store; the store's write lock makes appends one at a time."""

    def __init__(self, path: Path, position: Position) -> None:
        self.path = path
        self.position = position
        is_new = not path.exists()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._handle = os.open(path, flags, mode=0o600)
        if is_new:
            sync_folder(path.parent)

    def append(
        self, state: str, operation_id: str, kind: str, payload: Mapping[str, Any] | None = None
    ) -> None:
        """Write one line and wait until it is on disk.

        Raises:
            NotSaved: the line is not on disk; nothing of it is left behind.
        """
        body = json.dumps(
            {
                "sequence": self.position.sequence + 1,
                "state": state,
                "operation_id": operation_id,
                "kind": kind,
                "payload": dict(payload or {}),
                "at": now().isoformat(),
                "previous": self.position.hash,
            },
            allow_nan=False,
            separators=(",", ":"),
        ).encode("ascii")[:-1]
        digest = _compute_digest(body)
        line = body + _HASH_KEY + digest.encode("ascii") + b'"}\n'
        self._put(line)
        self.position = Position(
            size=self.position.size + len(line),
            sequence=self.position.sequence + 1,
            hash=digest,
        )

    def take_back(self, before: Position) -> None:
        """Cut off the lines after a position: the one way to unsay them on a full disk.

        Raises:
            OSError: they are still there.
        """
        os.ftruncate(self._handle, before.size)
        os.fsync(self._handle)
        self.position = before

    def _put(self, line: bytes) -> None:
        found = os.fstat(self._handle)
        if found.st_nlink == 0:
            raise NotSaved(
                f"Not saved: the journal {self.path} was removed while the store was open. "
                "Restart Plumbline; it begins a new one."
            )
        try:
            if found.st_size > self.position.size:  # a part of a line that could not be cut off
                os.ftruncate(self._handle, self.position.size)
            left = line
            while left:  # a nearly full disk takes a part, and only then says that it is full
                left = left[os.write(self._handle, left) :]
            os.fsync(self._handle)
        except OSError as error:
            # A part of a line must not stay in front of the next one; the next one tries again.
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self.position.size)
            raise NotSaved(_describe_write_error(self.path, error)) from error

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _describe_write_error(path: Path, error: OSError) -> str:
    if is_disk_full(error):
        return NOT_SAVED
    return f"Not saved: the journal {path} cannot be written ({error.strerror})."
