"""Columns: the header and a first value of tables, read in a limited child like everything else."""

import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from data.importers.importer import Source
from data.importers.limits import PAGE, Limits
from data.importers.tables import columns, first_row
from faithfulness.errors import ImportRefused, ReviewError

SHOWN = 120  # characters of a first value
MOST = 300  # columns that a person could map
SECONDS = 20

_ROOT = Path(__file__).resolve().parents[2]


def read_columns(files: Sequence[tuple[str, Path]], limits: Limits = PAGE) -> dict[str, str]:
    """Every column of these tables with its first value, cut for the screen.

    Raises:
        ImportRefused: a file is no table, or has more columns than a person could map.
    """
    request = {
        "files": [[name, str(path.absolute())] for name, path in files],
        "limits": asdict(limits),
    }
    names = ", ".join(name for name, _ in files)
    try:
        child = subprocess.run(
            [sys.executable, "-E", "-s", "-m", "data.importers.columns"],
            cwd=_ROOT,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            input=json.dumps(request).encode("utf-8"),
            capture_output=True,
            timeout=3 * SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ImportRefused(f"{names}: the columns take too long to read; split the file") from None
    if child.returncode != 0:
        raise ImportRefused(f"{names}: the columns cannot be read; check the file")
    said = json.loads(child.stdout)
    if "refused" in said:
        raise ImportRefused(said["refused"])
    return dict(said["columns"])


def main() -> int:
    said = json.loads(sys.stdin.buffer.read())
    limits = Limits(**said["limits"])
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer: dict[str, Any] = {"columns": _found(said["files"], limits)}
    except ReviewError as refused:
        answer = {"refused": str(refused)}
    except MemoryError:
        answer = {"refused": f"{said['files'][0][0]}: too large to read here; split the file"}
    sys.stdout.buffer.write(json.dumps(answer).encode("utf-8"))
    return 0


def _found(files: Sequence[tuple[str, str]], limits: Limits) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, path in files:
        source = Source(name, Path(path), limits)
        header = columns(source)
        if not header:
            raise ImportRefused(f"{name}: no columns were found; choose a table")
        if len(header) > MOST:
            raise ImportRefused(f"{name}: {len(header)} columns; at most {MOST} can be mapped")
        first = first_row(source)
        found |= {each: _shown(first.get(each)) for each in header if each not in found}
    return found


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


if __name__ == "__main__":
    sys.exit(main())
