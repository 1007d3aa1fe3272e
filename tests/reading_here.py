"""Imports read in the test's own process: the same code, without a new interpreter for each file.

What the process around it is for (memory, time, what a dead reader leaves) is tested where it is
used: `tests/data/importing/test_prepare.py`, `tests/attacks`, `tests/faults` and the browser.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from data.importing import child, prepare
from data.importing.limits import Limits
from data.importing.preparing import Known, Progress, prepare_here
from data.importing.preview.preview import write_manifest
from data.importing.preview.questions import describe_refusal, read_refusal
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Item

_one_at_a_time = Lock()  # a process of its own reads one import, and keeps it in one place


def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "_run", _run)


def _run(
    request: Mapping[str, Any], seconds: int, known: Known | None, progress: Progress | None
) -> None:
    del seconds
    said = _sent(request)
    asked = child._parse_request(said, Limits(**said["limits"]))

    def ask(item_ids: Sequence[str]) -> dict[str, Item]:
        found = known(_sent(list(item_ids))) if known else {}
        return {
            key: child._parse_item(_sent(prepare._serialize_item(each)))
            for key, each in found.items()
        }

    try:
        with _one_at_a_time:
            manifest = prepare_here(asked, ask if known else None, progress)
            write_manifest(Path(said["into"]), manifest)
    except ReviewError as refused:
        raise read_refusal(_sent(describe_refusal(refused))) from None


def _sent(said: Any) -> Any:
    """As it arrives at the other end of a pipe."""
    return json.loads(json.dumps(said))
