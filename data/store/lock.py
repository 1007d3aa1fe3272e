"""File lock that lets only one process own a store and records its process id.

DuckDB also locks its file, but that lock is released silently when the owning process opens and
closes the file in any other way. A second writer would then destroy the first one's data.
"""

import contextlib
import fcntl
import os
from pathlib import Path

from data.store.sidecar_files import get_sidecar_path
from faithfulness.model.errors import StoreUnavailable


def find_owner(path: Path) -> int | None:
    """The process that holds the store: None when nobody does, 0 when it gave no number."""
    try:
        handle = os.open(get_sidecar_path(path, "lock"), os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        words = os.read(handle, 32).decode("ascii", "replace").split()
        return int(words[0]) if words and words[0].isdigit() else 0
    finally:
        os.close(handle)
    return None


class StoreLock:
    """An exclusive hold on one store, from taking it to releasing it or the end of the process."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(
            get_sidecar_path(path, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode=0o600
        )
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._handle)
            raise StoreUnavailable(_describe_owner(path)) from None
        # A full disk takes no number: the lock holds, and others cannot tell whose it is.
        with contextlib.suppress(OSError):
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Give the store back; the file stays, because removing it would let two people in."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = -1


def _describe_owner(path: Path) -> str:
    pid = find_owner(path)
    if pid == 0:
        return (
            f"{path}: the store is open in a process that could not leave its number, as on a full "
            "disk. Free some space and try again, or end that process first."
        )
    who = f"process {pid}" if pid else "another process"
    if pid == os.getpid():
        who = f"this process ({pid})"
    return (
        f"{path}: the store is open in {who}. Work through that one (commands do so by "
        "themselves while the app runs), or end it first."
    )
