"""Sandboxed child process that reads untrusted files with limited memory and CPU time.

It is started by data/importing/prepare.py, reads one JSON request from standard input and writes
JSON lines: progress, queries about stored items, and finally "done", or "refused" with a reason.
"""

import json
import os
import resource
import sys
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import TracebackType
from typing import Any

from data.importing.importer import Options, Source
from data.importing.limits import Limits
from data.importing.preparing import LARGE, Known, Request, prepare_here
from data.importing.preview.preview import FileEntry, write_manifest
from data.importing.preview.questions import describe_refusal
from data.importing.readers.strict_parquet import limit_memory
from data.importing.tables.tables import detect_format
from data.store.child_process import exit_with_parent, lower_priority, send_to_parent
from faithfulness.model.errors import ReviewError
from faithfulness.model.full_disk import describe_full_disk
from faithfulness.model.vocabulary import AuthorKind, Field, Item, Span, Unit, UnitKind


def main() -> int:
    sys.excepthook = _log_exception_without_texts
    exit_with_parent(os.getppid())
    said = json.loads(sys.stdin.readline())
    limits = Limits(**said["limits"])
    _limit_resources(limits, said["cpu_seconds"])
    if sum(each["bytes"] for each in said["files"]) > LARGE:
        lower_priority()  # a large import takes all cores for minutes
    known: Known | None = _request_items if said["ask"] else None
    request = _parse_request(said, limits)
    if any(detect_format(source) == "parquet" for source in request.sources):
        limit_memory(limits)
    try:
        manifest = prepare_here(request, known, _send_progress)
        write_manifest(Path(said["into"]), manifest)
    except ReviewError as refused:
        send_to_parent(describe_refusal(refused))
    except (MemoryError, BrokenProcessPool):
        # A worker that dies was out of memory or out of time: nothing else ends one.
        send_to_parent(
            {"refused": f"{said['files'][0]['name']}: too large to read here; split the file"}
        )
    except OSError as error:
        if (problem := describe_full_disk(error)) is None:
            raise
        send_to_parent(describe_refusal(problem))
    else:
        send_to_parent({"done": True})
    return 0


def _limit_resources(limits: Limits, cpu_seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _parse_request(said: Mapping[str, Any], limits: Limits) -> Request:
    options = said["options"]
    kind = options["author_kind"]
    return Request(
        sources=[Source(each["name"], Path(each["path"]), limits) for each in said["files"]],
        importer=said["importer"],
        options=Options(
            **options
            | {"author_kind": AuthorKind(kind) if kind else None}
            | {name: _parse_kinds(options[name]) for name in ("kinds", "remembered_kinds")}
        ),
        into=Path(said["into"]),
        files=[
            FileEntry(name=each["name"], sha256=each["sha256"], bytes=each["bytes"])
            for each in said["files"]
        ],
    )


def _parse_kinds(options: Mapping[str, str]) -> dict[str, AuthorKind]:
    return {name: AuthorKind(kind) for name, kind in options.items()}


def _request_items(item_ids: Sequence[str]) -> dict[str, Item]:
    """Items the store already has, with the units that must be used."""
    send_to_parent({"ask": list(item_ids)})
    return {each["id"]: _parse_item(each) for each in json.loads(sys.stdin.readline())}


def _parse_item(said: Mapping[str, Any]) -> Item:
    return Item(
        id=said["id"],
        fields=tuple(Field(name=n, kind=k, text=t) for n, k, t in said["fields"]),
        units=tuple(_parse_unit(*each) for each in said["units"]),
        cutter=said["cutter"],
    )


def _parse_unit(
    unit_id: str, kind: str, field: str, text: str, start: int | None, end: int | None
) -> Unit:
    span = None
    if start is not None and end is not None:
        span = Span(field=field, start=start, end=end)
    return Unit(id=unit_id, kind=UnitKind(kind), field=field, text=text, span=span)


def _send_progress(stage: str, done: int, total: int) -> None:
    send_to_parent({"progress": [stage, done, total]})


def _log_exception_without_texts(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Where it broke, for the log; an error's own words may quote the file."""
    del error
    frames = traceback.extract_tb(trace)
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames[-6:]))
    sys.stderr.write(f"{kind.__name__} at {places}\n")


if __name__ == "__main__":
    sys.exit(main())
