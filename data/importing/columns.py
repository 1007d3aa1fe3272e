"""Read the header and first values of tables in a limited child process."""

import json
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from data.importing.importer import Source
from data.importing.limits import PAGE, Limits
from data.importing.readers.strict_parquet import check_unpacked_size, limit_memory
from data.importing.tables.cells import format_cell, is_empty, parse_author_kind, read_value
from data.importing.tables.contained import Inside, find_contained_columns
from data.importing.tables.roles import is_kind_name, read_role, suggest_mapping
from data.importing.tables.tables import detect_format, read_column_names, read_records
from faithfulness.model.errors import ImportRefused, ReviewError
from faithfulness.model.protocol import Criterion
from faithfulness.protocols import PROTOCOLS

SHOWN = 120  # characters of a first value
MOST = 300  # columns that a person could map
SECONDS = 20
LOOKED_AT = 50  # rows that tell whether a column holds labels
# Roles of what a row answers about; the rest is an answer, or beside the item.
_ABOUT = ("id", "system", "field", "product", "fragments", "sentence", "claim", "side")

_ROOT = Path(__file__).resolve().parents[2]


class TableColumns(NamedTuple):
    """What a look at tables found."""

    first: Mapping[str, str]  # every column with its first value, cut for the screen
    answers: Mapping[str, Sequence[str]]  # protocol -> columns that mostly hold its labels
    kinds: Mapping[str, Sequence[str]]  # protocol -> columns that say who is a person, who a model
    inside: Sequence[Inside] = ()  # columns whose texts stand in those of others

    def told(self, protocol_key: str) -> tuple[Sequence[str], Sequence[str], Sequence[Inside]]:
        """What values say under a protocol, as `roles.suggest_for_values` wants it."""
        return self.answers[protocol_key], self.kinds[protocol_key], self.inside

    @property
    def protocol(self) -> str:
        """The one protocol whose labels some column holds; empty where none or several do."""
        labelled = [key for key, columns in self.answers.items() if columns]
        return labelled[0] if len(labelled) == 1 else ""


def read_columns(files: Sequence[tuple[str, Path]], limits: Limits = PAGE) -> dict[str, str]:
    """Every column of these tables with its first value; as `inspect_columns`."""
    return dict(inspect_columns(files, limits).first)


def inspect_columns(files: Sequence[tuple[str, Path]], limits: Limits = PAGE) -> TableColumns:
    """The columns of these tables, which hold labels, and which say who is a model.

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
            [sys.executable, "-E", "-s", "-m", "data.importing.columns"],
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
    inside = [Inside(*each) for each in said["inside"]]
    return TableColumns(said["first"], said["answers"], said["kinds"], inside)


def main() -> int:
    said = json.loads(sys.stdin.buffer.read())
    limits = Limits(**said["limits"])
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sources = [Source(name, Path(path), limits) for name, path in said["files"]]
    if any(detect_format(source) == "parquet" for source in sources):
        limit_memory(limits)
    try:
        answer: dict[str, Any] = _collect_columns(said["files"], limits)._asdict()
    except ReviewError as refused:
        answer = {"refused": str(refused)}
    except MemoryError:
        answer = {"refused": f"{said['files'][0][0]}: too large to read here; split the file"}
    sys.stdout.buffer.write(json.dumps(answer).encode("utf-8"))
    return 0


def _collect_columns(files: Sequence[tuple[str, str]], limits: Limits) -> TableColumns:
    found: dict[str, str] = {}
    answers: dict[str, list[str]] = {key: [] for key in PROTOCOLS}
    kinds: dict[str, list[str]] = {key: [] for key in PROTOCOLS}
    inside: dict[tuple[str, str], Inside] = {}
    for name, path in files:
        source = Source(name, Path(path), limits)
        if detect_format(source) == "parquet":
            check_unpacked_size(source)
        header = read_column_names(source)
        if not header:
            raise ImportRefused(f"{name}: no columns were found; choose a table")
        if len(header) > MOST:
            raise ImportRefused(f"{name}: {len(header)} columns; at most {MOST} can be mapped")
        rows = _read_first_rows(source)
        new = [each for each in header if each not in found]
        found |= {each: _shorten_value(rows[0].get(each)) for each in new}
        for key, each in PROTOCOLS.items():
            answers[key] += [name for name in new if _is_labelled(rows, name, each.criteria[0])]
            unit = _find_unit_columns(header, key)
            kinds[key] += [name for name in new if _has_author_kinds(rows, name, unit)]
        inside |= {
            pair[:2]: pair
            for pair in find_contained_columns(rows, header)
            if pair[:2] not in inside
        }
    return TableColumns(found, answers, kinds, list(inside.values()))


def _read_first_rows(source: Source) -> list[dict[str, Any]]:
    """The first rows up to one that cannot be read; the preview refuses that one by its line."""
    rows: list[dict[str, Any]] = []
    with suppress(ImportRefused):
        rows.extend(row for _, row in islice(read_records(source), LOOKED_AT))
    return rows or [{}]


def _is_labelled(rows: Sequence[Mapping[str, Any]], column: str, asked: Criterion) -> bool:
    """Whether most values are labels; numbers, true and false may say anything."""
    if not all(value.replace("_", "").isalpha() for value in asked.scale.values) or asked.may_skip:
        return False
    given = [row[column] for row in rows if not is_empty(row.get(column))]
    return 2 * sum(read_value(asked, each)[0] is not None for each in given) > len(given)


def _find_unit_columns(header: Sequence[str], protocol_key: str) -> list[str]:
    """The columns that tell what a row answers about; none where no text under review is known."""
    mapping = suggest_mapping(header, protocol_key)
    if not {"field:response", "sentence", "claim"} & {*mapping.values()}:
        return []
    return [column for column, role in mapping.items() if read_role(column, role).kind in _ABOUT]


def _has_author_kinds(rows: Sequence[Mapping[str, Any]], column: str, unit: Sequence[str]) -> bool:
    """Whether every value says person or model, of who answered and not of who wrote the text.

    Under a name that tells nothing only a person and a model about one unit show that: a text has
    one who wrote it, so that its rows would all say the same.
    """
    given = [row for row in rows if not is_empty(row.get(column))]
    kinds = [parse_author_kind(row[column]) for row in given]
    if not kinds or None in kinds:
        return False
    if is_kind_name(column):
        return True
    units = [tuple(format_cell(row.get(each)) for each in unit) for row in given]
    return bool(unit) and len({*zip(units, kinds, strict=True)}) > len({*units})


def _shorten_value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


if __name__ == "__main__":
    sys.exit(main())
