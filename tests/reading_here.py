"""Imports read in the test's own process: the same code, without a new interpreter for each file.

What the process around it is for (memory, time, what a dead reader leaves) is tested where it is
used: `tests/data/importers/test_prepare.py`, `tests/attacks`, `tests/faults` and the browser.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from data.importers import child, prepare
from data.importers.limits import Limits
from data.importers.preparing import Known, Progress, prepare_here
from data.importers.preview import write_manifest
from faithfulness.errors import ImportRefused, ReviewError


def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "_run", _run)


def _run(
    request: Mapping[str, Any], seconds: int, known: Known | None, progress: Progress | None
) -> None:
    del seconds
    asked = child._request(request, Limits(**request["limits"]))
    try:
        write_manifest(Path(request["into"]), prepare_here(asked, known, progress))
    except ReviewError as refused:
        raise ImportRefused(str(refused)) from None
