"""Prepare copies of files for import in the limited child process and return its manifest."""

import hashlib
import logging
import os
import secrets
import signal
import stat
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from data.importing.import_tables import MANIFEST, SCHEMAS, build_stream_path
from data.importing.importer import Options
from data.importing.limits import PAGE, Limits, describe_remedy, format_size
from data.importing.preview.preview import Manifest, read_manifest
from data.importing.preview.questions import read_refusal
from data.store import child_process
from data.store.child_process import read_messages
from faithfulness.model.errors import ImportRefused
from faithfulness.model.full_disk import describe_full_disk
from faithfulness.model.vocabulary import Item

logger = logging.getLogger(__name__)

Known = Callable[[Sequence[str]], Mapping[str, Item]]
Progress = Callable[[str, int, int], None]

_SECONDS_A_MEGABYTE = 3  # of computing, for files larger than the base allows
_CHUNK = 1 << 20
_LAST_WORDS = 500  # bytes of a dead child's complaints that are logged


def prepare(
    files: Sequence[tuple[str, Path]],
    *,
    importer: str | None = None,
    options: Options | None = None,
    into: Path,
    limits: Limits = PAGE,
    known: Known | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Prepare files for the store; `into` then holds the Arrow streams and the manifest.

    Args:
        files: The name people know each file by, and where it lies.
        importer: The key of a format; None lets the files be recognised.
        options: What the person says about the files.
        into: An empty folder of the caller's; nothing is left in it when the files are refused.
        limits: How much may be read.
        known: Answers which of these items the store already has, so that their cut is kept.
        progress: Told the stage, how many items are done, and how many there are (0: not known).

    Raises:
        ImportRefused: the files cannot be read; the message says which, where and what to do.
    """
    with tempfile.TemporaryDirectory(prefix="import-", dir=into) as folder:
        copies = [_copy_file(name, path, Path(folder), limits) for name, path in files]
        size = sum(each["bytes"] for each in copies)
        seconds = limits.cpu_seconds + _SECONDS_A_MEGABYTE * size // 1_000_000
        request = {
            "files": copies,
            "importer": importer,
            "options": _serialize_options(options or Options()),
            "into": str(into),
            "limits": asdict(limits),
            "cpu_seconds": seconds,
            "ask": known is not None,
        }
        try:
            _run(request, seconds, known, progress)
        except ImportRefused:
            _remove_prepared_files(into)
            raise
    manifest = read_manifest(into)
    logger.info("%s files prepared as %s, %s bytes", len(copies), manifest.importer, size)
    return manifest


def _serialize_options(options: Options) -> dict[str, Any]:
    return asdict(options) | {"mapping": dict(options.mapping)}


def _copy_file(name: str, path: Path, folder: Path, limits: Limits) -> dict[str, Any]:
    """A copy under a random name, so that neither name nor later changes reach the reader."""
    target = folder / secrets.token_hex(16)
    digest, size = hashlib.sha256(), 0
    try:
        # A pipe or a device would be read forever.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ImportRefused(f"{name}: this is not a file; choose a file")
            with target.open("xb") as copy:
                while chunk := file.read(_CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
                    if size > limits.file_bytes:
                        raise _refuse_too_large(name, limits)
                    copy.write(chunk)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and (problem := describe_full_disk(error)):
            raise ImportRefused(f"{name}: not read. {problem}") from None
        reason = error.strerror if isinstance(error, OSError) else "its name is not a file's"
        raise ImportRefused(f"{name}: cannot be opened: {reason}; choose another file") from None
    return {"name": name, "path": str(target), "sha256": digest.hexdigest(), "bytes": size}


def _refuse_too_large(name: str, limits: Limits) -> ImportRefused:
    return ImportRefused(
        f"{name}: the file has more than {format_size(limits.file_bytes)}, the limit here; "
        f"{describe_remedy(limits)}"
    )


def _run(
    request: Mapping[str, Any], seconds: int, known: Known | None, progress: Progress | None
) -> None:
    """Talk with the child until it is done.

    Raises:
        ImportRefused: it refused the files, died, or took too long.
    """
    names = ", ".join(each["name"] for each in request["files"])
    with tempfile.TemporaryFile() as complaints:
        child = child_process.start_child("data.importing.child", complaints)
        try:
            with child_process.end_child_after(child, 2 * seconds + 30):
                child_process.send_message(child, request)
                heard = (
                    _handle_message(child, said, known, progress) for said in read_messages(child)
                )
                is_done = any(heard)
                child.wait()
        finally:
            code = child_process.close_child(child)
        complaints.seek(max(0, complaints.seek(0, os.SEEK_END) - _LAST_WORDS))
        broken = complaints.read().decode("utf-8", "replace").strip()
    if not is_done:
        logger.error("the reader of an import ended with %s: %s", code, broken)
        raise ImportRefused(f"{names}: could not be read: {_explain_exit(code, seconds)}")


def _handle_message(
    child: child_process.Child,
    said: Mapping[str, Any],
    known: Known | None,
    progress: Progress | None,
) -> bool:
    if "refused" in said:
        raise read_refusal(said)
    if "progress" in said and progress is not None:
        progress(*said["progress"])
    if "ask" in said and known is not None:
        child_process.send_message(
            child, [_serialize_item(each) for each in known(said["ask"]).values()]
        )
    return "done" in said


def _serialize_item(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "cutter": item.cutter,
        "fields": [[each.name, each.kind, each.text] for each in item.fields],
        "units": [
            [
                unit.id,
                unit.kind.value,
                unit.field,
                unit.text,
                unit.span.start if unit.span else None,
                unit.span.end if unit.span else None,
            ]
            for unit in item.units
        ],
    }


def _explain_exit(code: int, seconds: int) -> str:
    if code == -signal.SIGXCPU:
        return f"it took more than {seconds} seconds of computing; split the file"
    if code == -signal.SIGKILL:
        return "it took too long or more memory than this machine has free; split the file"
    return "the reader stopped on it; check the file or export it again"


def _remove_prepared_files(into: Path) -> None:
    for path in (into / MANIFEST, *(build_stream_path(into, name) for name in SCHEMAS)):
        path.unlink(missing_ok=True)
