"""Torn logs: what a killed process left of a large transaction is taken out of the engine's log.

A large transaction writes whole row groups into the file and only their places into the log. When
DuckDB 1.5 reads a log that ends before the commit, it undoes all other rows of the transaction but
keeps those row groups: an import would be there in part (2.0 undoes them too). So the log is cut
where its last whole transaction ends, before the engine sees it.
"""

import logging
import shutil
import struct
from pathlib import Path

from data.store.sidecar_files import log_of, side, stamp, write_durably

_HEAD = b"\x64\x00\x62"  # the log's version, which ends at the first such mark
_END = b"\xff\xff"
_LONGEST_HEAD = 128
_ENTRY = struct.Struct("<QQ2sB")  # length of the content, its checksum, first field, kind
_BEFORE = 16  # bytes of length and checksum
_FIELD = b"\x64\x00"
_ROW_GROUPS, _COMMIT = 29, 100

_log = logging.getLogger(__name__)


def is_torn(path: Path) -> bool:
    """Whether the log of this store ends in a part of a large transaction."""
    return _end_of_whole(log_of(path)) is not None


def mend(path: Path) -> None:
    """Cut off what was never committed; the log as it was is put aside, not deleted."""
    log = log_of(path)
    end = _end_of_whole(log)
    if end is None:
        return
    with log.open("rb") as file:
        whole = file.read(end)
    aside = side(path, f"damaged-{stamp()}.wal")
    shutil.copyfile(log, aside)  # not a rename: the store has its log at every moment
    write_durably(log, whole)
    _log.warning("a large write was cut off before it was saved; its log is kept as %s", aside.name)


def _end_of_whole(log: Path) -> int | None:
    """Where the last whole transaction ends, if row groups of an unfinished one stand behind it.

    None also for a log that is not as it is known here: the engine then decides alone.
    """
    if not log.exists():
        return None
    size = log.stat().st_size
    with log.open("rb") as file:
        head = file.read(_LONGEST_HEAD)
        if not head.startswith(_HEAD) or _END not in head:
            return None
        at = whole = head.index(_END) + len(_END)
        has_row_groups = False
        while at + _ENTRY.size <= size:
            file.seek(at)
            length, _, field, kind = _ENTRY.unpack(file.read(_ENTRY.size))
            if field != _FIELD or length < _ENTRY.size - _BEFORE:
                return None
            at += _BEFORE + length
            if at > size:
                break
            has_row_groups = has_row_groups or kind == _ROW_GROUPS
            if kind == _COMMIT:
                whole, has_row_groups = at, False
    return whole if has_row_groups else None
