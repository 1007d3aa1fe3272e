"""HTTP client for scripts: locate the app that has the store open and send it requests."""

import http.client
import json
import os
import socket
import tarfile
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode, urlsplit

from data.importing.import_tables import MANIFEST, SCHEMAS, build_stream_path
from data.store.copies import BackupFailed
from data.store.sidecar_files import get_sidecar_path
from faithfulness.model import errors
from faithfulness.model.errors import AlreadyDone, ReviewError, StoreUnavailable
from faithfulness.model.vocabulary import Field, Item, Span, Unit, UnitKind

PREFIX = "/plumbline/door"
SECONDS = 60.0
IMPORT_SECONDS = 1800.0
AT_ONCE = 500
IDS_AT_ONCE = 50_000  # of items that are counted: no text travels
_CHUNK = 1 << 20

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_KNOWN = {
    name: kind
    for name, kind in {**vars(errors), "BackupFailed": BackupFailed}.items()
    if isinstance(kind, type) and issubclass(kind, ReviewError)
}


class _NotWritten(Exception):
    """A file of the caller's could not be written while the app answered well."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def find_running_door(store_path: Path) -> "Door | None":
    """The door of the app that has this store open; None when no app runs."""
    try:
        said = json.loads(get_sidecar_path(Path(store_path).absolute(), "door").read_bytes())
        door = Door(url=str(said["url"]), token=str(said["token"]), pid=int(said["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return door if _is_alive(door.pid) else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@dataclass(frozen=True, kw_only=True)
class Door:
    """A way into the store that another process has open."""

    url: str
    token: str = field(repr=False)
    pid: int

    def import_prepared(self, folder: Path, *, operation_id: str) -> tuple[str, ...]:
        """Store a prepared import; gives the ids of its runs, as `records.save_import` does."""
        with tempfile.TemporaryFile() as packed:
            with tarfile.open(fileobj=packed, mode="w") as archive:
                for path in (
                    folder / MANIFEST,
                    *(build_stream_path(folder, name) for name in SCHEMAS),
                ):
                    if path.exists():
                        archive.add(path, arcname=path.name)
            packed.seek(0)
            words = {"operation_id": operation_id}
            said = self._send("import", words, packed, seconds=IMPORT_SECONDS)
        return tuple(said["run_ids"])

    def known_items(self, item_ids: Sequence[str]) -> dict[str, Item]:
        # In portions: whole items travel, and a large import asks about thousands of them.
        return {
            said["id"]: _build_item(said)
            for start in range(0, len(item_ids), AT_ONCE)
            for said in self.call(
                "known_items",
                {"item_ids": list(item_ids[start : start + AT_ONCE])},
                seconds=IMPORT_SECONDS,
            )
        }

    def count_met(self, item_ids: Sequence[str]) -> int:
        """As `records.count_met`."""
        return sum(
            int(
                self.call("count_met", {"item_ids": list(item_ids[start : start + IDS_AT_ONCE])})[
                    "met"
                ]
            )
            for start in range(0, len(item_ids), IDS_AT_ONCE)
        )

    def export(
        self, said: Mapping[str, Any], kind: str, into: Path, *, action: str = "export"
    ) -> None:
        """Write an export, or the pairs of a comparison, to a file of the caller's."""
        body = json.dumps(dict(said)).encode("ascii")
        self._send(action, {"kind": kind}, body, seconds=IMPORT_SECONDS, into=into)

    def call(
        self, action: str, said: Mapping[str, Any] | None = None, *, seconds: float = SECONDS
    ) -> Any:
        """Ask for an action that takes and gives JSON: runs, headlines, backup, doctor.

        Raises:
            ReviewError: the same one that the store's process raised.
            StoreUnavailable: the app does not answer, or not in time.
        """
        return self._send(action, {}, json.dumps(dict(said or {})).encode("ascii"), seconds=seconds)

    def _send(
        self,
        action: str,
        words: Mapping[str, str],
        body: bytes | IO[bytes],
        *,
        seconds: float,
        into: Path | None = None,
    ) -> Any:
        parts = urlsplit(self.url)
        if parts.scheme != "http" or parts.hostname not in _LOOPBACK:
            raise StoreUnavailable(f"{self.url}: the app's door is not on this machine")
        connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=seconds)
        address = f"{PREFIX}/{action}?{urlencode(words)}"
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Length": str(_measure_body(body)),
        }
        try:
            with _limit_exchange(connection, seconds):
                connection.request("POST", address, body=body, headers=headers)
                return _read_response(connection.getresponse(), into)
        except _NotWritten as trouble:
            raise trouble.error from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise StoreUnavailable(
                f"The app (process {self.pid}) has the store open and did not answer "
                f"({type(error).__name__}); look whether it runs, and try again"
            ) from error
        finally:
            connection.close()


def _measure_body(body: bytes | IO[bytes]) -> int:
    return len(body) if isinstance(body, bytes) else os.fstat(body.fileno()).st_size


def _read_response(response: http.client.HTTPResponse, into: Path | None) -> Any:
    if response.status == 200 and into is not None:
        with into.open("wb") as file:
            while chunk := response.read(_CHUNK):
                _write_chunk(file, chunk)
        return None
    raw = response.read()
    if response.status == 200:
        return json.loads(raw)["answer"]
    if response.status in (400, 403, 404, 422):
        raise _build_error(json.loads(raw))
    raise StoreUnavailable(f"The app answered with status {response.status}; see its log")


def _write_chunk(file: IO[bytes], chunk: bytes) -> None:
    """Write to a file of the caller's, whose trouble is none of the app's."""
    try:
        file.write(chunk)
        file.flush()
    except OSError as error:
        raise _NotWritten(error) from error


def _build_error(said: Mapping[str, Any]) -> ReviewError:
    if "AlreadyDone" in said["kinds"]:
        return AlreadyDone(str(said["operation_id"]), said["outcome"])
    # A child with more than a message to it comes back as the nearest kind that has only that.
    known = (_KNOWN[name] for name in said["kinds"] if name in _KNOWN)
    return next(known, ReviewError)(str(said["message"]))


@contextmanager
def _limit_exchange(connection: http.client.HTTPConnection, seconds: float) -> Iterator[None]:
    """A limit on the whole exchange; the socket's own timeout starts anew with every byte."""

    def end() -> None:
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _build_item(said: Mapping[str, Any]) -> Item:
    return Item(
        id=said["id"],
        fields=tuple(Field(**each) for each in said["fields"]),
        units=tuple(_build_unit(each) for each in said["units"]),
        cutter=said["cutter"],
    )


def _build_unit(said: Mapping[str, Any]) -> Unit:
    span = Span(**said["span"]) if said["span"] else None
    return Unit(**{**said, "kind": UnitKind(said["kind"]), "span": span})
