"""Strict Parquet reader: plain columns only, read within a memory limit."""

import contextlib
import math
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from data.importing.controls import replace_in_value
from data.importing.importer import Source, build_refusal, quote_value
from data.importing.limits import Limits, format_size
from data.importing.readers.strict import check_texts, refuse_too_many_rows
from faithfulness.model.errors import ImportRefused
from faithfulness.model.wording import join_names

_BATCH = 64  # rows that are unpacked at a time
_MEASURED = 1024  # rows that are measured at a time, their texts still packed
_LINES_SHOWN = 20


def read_parquet_rows(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a Parquet file by column name, numbered from 1 (there are no lines)."""
    file = _open_file(source)
    number, unpacked = 0, 0
    try:
        for batch in file.iter_batches(batch_size=_BATCH, use_threads=False):
            batch.validate(full=True)
            unpacked += _measure_batch(source, batch)
            if unpacked > source.limits.unpacked_bytes:
                raise _refuse_too_large(source)
            for row in _convert_to_plain(batch).to_pylist():
                number += 1
                _check_row(source, number, row)
                yield number, replace_in_value(source, number, row)
    except MemoryError:  # before the others: Arrow's own one is an ArrowException too
        raise _refuse_too_large(source) from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _refuse_damaged(source, error) from None


def limit_memory(limits: Limits) -> None:
    """Let this process take only so much more memory, for good; for a process that reads a file.

    Arrow's own allocator asks for more than a gigabyte at once, so the system's is used instead.
    """
    pa.set_memory_pool(pa.system_memory_pool())
    with contextlib.suppress(OSError):  # only Linux tells what is taken by now
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = pages * resource.getpagesize() + limits.parquet_memory_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _open_file(source: Source) -> pq.ParquetFile:
    limits, size = source.limits, source.path.stat().st_size
    if size == 0:
        raise build_refusal(source, None, "the file is empty; export it again")
    if size > limits.file_bytes:
        raise build_refusal(
            source,
            None,
            f"the file has {format_size(size)}; the limit here is {format_size(limits.file_bytes)}",
        )
    try:
        file = pq.ParquetFile(source.path, memory_map=False)
        schema, metadata = file.schema_arrow, file.metadata
    except MemoryError:
        raise _refuse_too_large(source) from None
    except (pa.ArrowException, OSError) as error:
        raise _refuse_damaged(source, error) from None
    if metadata.num_rows > limits.rows:
        raise refuse_too_many_rows(source)
    if metadata.num_rows <= 0:
        raise build_refusal(source, None, "the file is empty: it has no row; export it again")
    stored = sum(metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
    if stored > limits.unpacked_bytes:
        raise _refuse_too_large(source)
    _check_columns(source, schema)
    return file


def check_unpacked_size(source: Source) -> None:
    """Refuse a file by the size of its texts before any of them is unpacked.

    The size that a Parquet file declares is the packed one where a dictionary holds the texts: a
    column that repeats one text declares little and unpacks to much.
    """
    texts = [field.name for field in _open_file(source).schema_arrow if _is_text(field.type)]
    unpacked = 0
    try:
        packed = pq.ParquetFile(source.path, memory_map=False, read_dictionary=texts)
        for batch in packed.iter_batches(batch_size=_MEASURED, use_threads=False):
            batch.validate(full=True)
            unpacked += _measure_batch(source, batch)
            if unpacked > source.limits.unpacked_bytes:
                raise _refuse_too_large(source)
    except MemoryError:  # before the others: Arrow's own one is an ArrowException too
        raise _refuse_too_large(source) from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _refuse_damaged(source, error) from None


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _check_columns(source: Source, schema: pa.Schema) -> None:
    most = source.limits.columns
    if len(schema) > most:  # each costs memory before a row of it is read
        told = f"the file has {len(schema):,} columns; the limit is {most:,}"
        raise build_refusal(source, None, f"{told}; keep those that are needed")
    names: set[str] = set()
    for column in schema:
        if not column.name.strip():
            raise build_refusal(source, None, "a column has no name; name or remove it")
        if column.name in names:
            raise build_refusal(
                source, None, f"the column {quote_value(column.name)} is there twice"
            )
        names.add(column.name)
        named = column.metadata or {}
        if b"ARROW:extension:name" in named or not _is_plain(column.type, source.limits.depth):
            raise build_refusal(
                source,
                None,
                f"the column {quote_value(column.name)} has the type {quote_value(column.type)}; "
                "only texts, numbers, true/false, dates, and lists and records of them are read",
            )


def _is_plain(kind: pa.DataType, depth: int) -> bool:
    if depth < 0 or isinstance(kind, pa.BaseExtensionType):
        return False
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _is_plain(kind.value_type, depth - 1)
    if pa.types.is_struct(kind):
        return all(_is_plain(kind.field(at).type, depth - 1) for at in range(kind.num_fields))
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(_is_scalar(kind) or _is_written_out(kind))


def _is_scalar(kind: pa.DataType) -> bool:
    tests = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_integer,
        pa.types.is_floating,
        pa.types.is_boolean,
        pa.types.is_null,
    )
    return any(test(kind) for test in tests)


def _is_written_out(kind: pa.DataType) -> bool:
    """Types that become their text: a date, a time or a decimal has one exact spelling."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_decimal(kind))


def _measure_batch(source: Source, batch: pa.RecordBatch) -> int:
    """Bytes the batch has when every row has its own text, known before it is unpacked."""
    return sum(_measure_array(source, column) for column in batch.columns)


def _measure_array(source: Source, column: pa.Array) -> int:
    if isinstance(column, pa.ListArray | pa.LargeListArray):
        return _measure_array(source, column.flatten())
    if isinstance(column, pa.StructArray):
        return sum(_measure_array(source, part) for part in column.flatten())
    if not isinstance(column, pa.DictionaryArray):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary)
    if (pc.max(lengths).as_py() or 0) > 4 * source.limits.text_characters:
        raise _refuse_too_large(source)
    return int(pc.sum(pc.take(lengths, column.indices)).as_py() or 0)


def _convert_to_plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = []
    for column in batch.columns:
        if isinstance(column, pa.DictionaryArray):
            columns.append(column.dictionary_decode())
        elif _is_written_out(column.type):
            columns.append(column.cast(pa.string()))
        else:
            columns.append(column)
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _check_row(source: Source, number: int, row: dict[str, Any]) -> None:
    check_texts(source, number, row)
    for name, value in row.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise _refuse_not_finite(source, name)


def _refuse_not_finite(source: Source, name: str) -> ImportRefused:
    """The refusal of a column with NaN or infinite numbers, with their values and all rows."""
    column = pq.read_table(source.path, columns=[name], use_threads=False)[name]
    rows = pc.indices_nonzero(pc.invert(pc.is_finite(pc.fill_null(column, 0.0)))).to_pylist()
    values = [*dict.fromkeys(str(column[row].as_py()) for row in rows[:_MEASURED])]
    where = "line" if len(rows) == 1 else "lines"
    shown = join_names([str(row + 1) for row in rows], shown=_LINES_SHOWN)
    return ImportRefused(
        f"{source.name} {where} {shown}: the column {quote_value(name)} holds "
        f"{join_names(values)}; "
        "leave these cells empty"
    )


def _refuse_too_large(source: Source) -> ImportRefused:
    limit = format_size(source.limits.unpacked_bytes)
    return build_refusal(
        source, None, f"the file unpacks to more than {limit}, the limit here; split it"
    )


def _refuse_damaged(source: Source, error: Exception) -> ImportRefused:
    del error  # the library's words quote bytes of the file
    return build_refusal(
        source, None, "not a readable Parquet file: damaged or cut off; export it again"
    )
