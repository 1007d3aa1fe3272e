"""Merging: the workers' batches put one after the other into the handover's streams."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from data.importing.import_tables import SCHEMAS, stream_path, write_table
from data.importing.preview.copied_raters import Heard, Voice
from data.importing.preview.preview import RunCounts
from data.importing.preview.summary import Told
from faithfulness.model.vocabulary import Tier
from faithfulness.protocols import PROTOCOLS

_BLOCK_ROWS = 100_000  # of a stream: the store reads few large blocks twice as fast as many small
_BLOCK_BYTES = 64_000_000


class Batch(NamedTuple):
    """What one worker hands back."""

    tables: dict[str, bytes]
    said: dict[Voice, list[Heard]]
    counts: dict[str, Counter[tuple[str, ...]]]
    told: Told
    items: int


class Merged:
    """The streams of one import while batches come in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._streams: dict[str, pa.ipc.RecordBatchStreamWriter] = {}
        self._waiting: dict[str, list[pa.Table]] = defaultdict(list)
        self._rows = 0
        self.items = 0
        self.told = Told()
        self.said: dict[Voice, list[Heard]] = defaultdict(list)
        self.counts: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)

    def add(self, batch: Batch) -> None:
        rows = 0
        for name, raw in batch.tables.items():
            table = pa.ipc.open_stream(raw).read_all()
            if name == "annotations":
                rows = table.num_rows
            waiting = self._waiting[name]
            waiting.append(self._renumbered(table))
            if sum(each.num_rows for each in waiting) >= _BLOCK_ROWS or (
                sum(each.nbytes for each in waiting) >= _BLOCK_BYTES
            ):
                self._write(name)
        self._rows += rows
        self.items += batch.items
        self.told.add(batch.told)
        for voice, answers in batch.said.items():
            self.said[voice] += answers
        for key, counts in batch.counts.items():
            self.counts[key] += counts

    def close(self) -> None:
        for name in self._waiting:
            self._write(name)
        for stream in self._streams.values():
            stream.close()

    def write_runs(self, runs: Sequence[RunCounts], details: Mapping[str, str]) -> None:
        rows = {
            "run_key": [each.run_key for each in runs],
            "name": [each.name for each in runs],
            "protocol": [each.protocol for each in runs],
            "system": [each.system for each in runs],
            "details": [json.dumps(dict(details), ensure_ascii=False)] * len(runs),
        }
        write_table(self._folder, "runs", pa.table(rows, schema=SCHEMAS["runs"]))

    def _renumbered(self, table: pa.Table) -> pa.Table:
        """Row numbers that begin at 0 in every batch go on where the last batch ended."""
        if "row" not in table.column_names or not self._rows:
            return table
        at = table.column_names.index("row")
        return table.set_column(at, table.schema.field(at), pc.add(table["row"], self._rows))

    def _write(self, name: str) -> None:
        if waiting := self._waiting[name]:
            self._stream(name).write_table(pa.concat_tables(waiting).combine_chunks())
            waiting.clear()

    def _stream(self, name: str) -> Any:
        if name not in self._streams:
            path = str(stream_path(self._folder, name))
            self._streams[name] = pa.ipc.new_stream(path, SCHEMAS[name])
        return self._streams[name]


def run_counts(
    counts: Mapping[str, Counter[tuple[str, ...]]],
    altered: Mapping[tuple[str, str], int],
    file_name: str,
) -> tuple[RunCounts, ...]:
    """The runs of an import in order, each with what it counts."""
    found = []
    for key, counted in counts.items():
        protocol, _, system = key.partition("\x1f")
        by_label: dict[str, dict[str, int]] = {}
        for criterion in PROTOCOLS[protocol].criteria:
            labels = {v: counted["label", criterion.key, v] for v in criterion.scale.values}
            by_label[criterion.key] = {value: n for value, n in labels.items() if n}
        found.append(
            RunCounts(
                run_key=key,
                name=system or PurePath(file_name).stem or "import",
                protocol=protocol,
                system=system,
                items=counted["items",],
                units=counted["units", PROTOCOLS[protocol].unit.value],
                answers=sum(sum(labels.values()) for labels in by_label.values()),
                unread=counted["unread",],
                not_judged=counted["not judged",],
                numbers=counted["numbers",],
                left_out=counted["left out",],
                by_label=by_label,
                by_author={
                    name: n - counted["unread", name] - counted["not judged", name]
                    for name, n in _by_author(counted, "author").items()
                },
                unread_by_author=_by_author(counted, "unread"),
                not_judged_by_author=_by_author(counted, "not judged"),
                quotes=counted["quotes",],
                absent_quotes=counted["tier", Tier.ABSENT.value],
                altered_by_tier={k[1]: n for k, n in sorted(altered.items()) if k[0] == key},
                quotes_by_tier={k[1]: n for k, n in sorted(counted.items()) if k[0] == "tier"},
            )
        )
    return tuple(found)


def _by_author(counted: Mapping[tuple[str, ...], int], what: str) -> dict[str, int]:
    return {k[1]: n for k, n in sorted(counted.items()) if k[0] == what and k[1:]}
