"""Files made to fill the memory cost the app and its reader little of it."""

import io
import json
import resource
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.data.importing.samples import item, json_lines, put
from tests.few import few
from tests.shared_data import ROOT, SHARED, needs_shared

GROWTH = 500  # megabytes, the app and its reader together

# In a process of its own: what the tests before this one used up would hide the growth.
MEASURE = """
import json, resource, sys
from pathlib import Path
from data.importing import limits
from data.importing.prepare import prepare
from faithfulness.model.errors import ImportRefused

def peak(who):
    return resource.getrusage(who).ru_maxrss / 1024

name, path, into = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
before = peak(resource.RUSAGE_SELF)
try:
    prepare([(name, path)], into=into, limits=getattr(limits, sys.argv[4]))
    refused = ""
except ImportRefused as error:
    refused = str(error)
app = peak(resource.RUSAGE_SELF) - before
print(json.dumps([refused, app, peak(resource.RUSAGE_CHILDREN)]))
"""


def measured(name: str, path: Path, into: Path, limits: str = "PAGE") -> tuple[str, float, float]:
    """Why the file was refused, by how much the app grew, and the reader's peak, in megabytes."""
    into.mkdir()
    found = subprocess.run(
        [sys.executable, "-c", MEASURE, name, str(path), str(into), limits],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    refused, app, reader = json.loads(found.stdout)
    return refused, app, reader


@pytest.fixture(scope="module")
def reader_at_rest(tmp_path_factory) -> float:
    folder = tmp_path_factory.mktemp("rest")
    path = put(folder, "small.jsonl", json_lines(item(1, sentences=[])))
    refused, _, reader = measured("small.jsonl", path, folder / "into")
    assert refused == ""
    assert reader > 20  # a reader was measured at all
    return reader


def parquet_bomb(**how: object) -> bytes:
    words = pa.array(["B" * 900_000])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), words)
    rows = {"id": [str(at) for at in range(20_000)], "response": column, "score": ["4"] * 20_000}
    sink = io.BytesIO()
    pq.write_table(pa.table(rows), sink, compression="zstd", **how)
    return sink.getvalue()


def yaml_bomb() -> bytes:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    for at in range(1, 12):
        lines.append(f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]")
    return "\n".join(lines).encode()


BOMBS = {
    "dictionary.parquet": parquet_bomb,
    "plain.parquet": lambda: parquet_bomb(store_schema=False),
    "aliases.yaml": yaml_bomb,
    "deep.jsonl": lambda: b'{"x": ' + b"[" * 4_000_000,
    "line.jsonl": lambda: b'{"x": "' + b"y" * 60_000_000,
    "keys.jsonl": lambda: b"{" + b",".join(b'"k%d":0' % at for at in range(200_000)) + b"}\n",
    "columns.csv": lambda: b",".join(b"c%d" % at for at in range(200_000)) + b"\n" + b"," * 199_999,
    "quote.csv": lambda: b'id,response,score\n1,"' + b"y\n" * 20_000_000,
    "list.json": lambda: b"[" + b"0," * 2_000_000 + b"0]",
}


# The last three fill a limit byte by byte, which takes a minute.
@pytest.mark.parametrize("name", few(BOMBS, len(BOMBS) - 3))
def test_bomb_is_refused_and_costs_little_memory(name, reader_at_rest, tmp_path):
    path = put(tmp_path, name, BOMBS[name]())
    refused, app, reader = measured(name, path, tmp_path / "into")
    assert name in refused
    assert app + reader - reader_at_rest <= GROWTH, (app, reader, reader_at_rest)


def sentences_bomb() -> bytes:
    """Items with lists of labelled sentences, which repeat one text."""
    sentences = [{"sentence": "The tent sleeps two people. " * 5_000, "label": "supported"}]
    count = 5_000
    table = {"id": [f"t{at}" for at in range(count)], "response": ["It sleeps two."] * count}
    sink = io.BytesIO()
    pq.write_table(pa.table(table | {"sentences": [sentences] * count}), sink, compression="zstd")
    return sink.getvalue()


def usable_bomb(*, nested: bool) -> bytes:
    """A table that could be imported: every column is of use, and one text unpacks to gigabytes."""
    text = pa.array(["The tent sleeps two people. " * 5_000])  # 140 kB
    rows = 20_000
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), text)
    table = {"id": [f"t{at}" for at in range(rows)], "context_document": column}
    if nested:
        offsets = pa.array(range(0, rows + 1, 100), pa.int32())
        table = {
            "id": [f"t{at}" for at in range(rows // 100)],
            "context_document": pa.ListArray.from_arrays(offsets, column),
        }
    count = len(table["id"])
    table |= {"response": ["It sleeps two."] * count, "faithfulness": ["4"] * count}
    sink = io.BytesIO()
    pq.write_table(pa.table(table), sink, compression="zstd")
    return sink.getvalue()


def short_sentences_bomb() -> bytes:
    """Few items with very many short sentences, which are cheap to measure and dear to unpack."""
    sentences = pa.array([[{"sentence": "It sleeps two.", "label": "supported"}] * 200_000] * 50)
    table = {"id": [f"t{at}" for at in range(50)], "response": ["It sleeps two."] * 50}
    sink = io.BytesIO()
    pq.write_table(pa.table(table | {"sentences": sentences}), sink, compression="zstd")
    return sink.getvalue()


def long_texts_bomb() -> bytes:
    """Rows that would be refused for the length of their texts, were they read before measured."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), ["B" * 1_200_000])
    table = {"id": [f"t{at}" for at in range(300)], "context_document": column}
    table |= {"response": ["It sleeps two."] * 300, "faithfulness": ["4"] * 300}
    sink = io.BytesIO()
    pq.write_table(pa.table(table), sink, compression="zstd")
    return sink.getvalue()


USABLE_BOMBS = {
    "flat": lambda: usable_bomb(nested=False),
    "nested": lambda: usable_bomb(nested=True),
    "sentences": sentences_bomb,
    "short sentences": short_sentences_bomb,
    "long texts": long_texts_bomb,
}


@pytest.mark.parametrize("kind", USABLE_BOMBS)
@pytest.mark.parametrize("limits", ["PAGE", "COMMAND"])
def test_a_parquet_bomb_with_usable_columns_is_refused_by_its_size(kind, limits, tmp_path):
    path = put(tmp_path, "bomb.parquet", USABLE_BOMBS[kind]())
    assert path.stat().st_size < 2_000_000
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    refused, _, reader = measured("bomb.parquet", path, tmp_path / "into", limits)
    computing = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert "unpacks to more than 256 MB" in refused
    assert reader < 600
    assert computing < 10  # seconds of a processor, whatever else the machine does


def test_parquet_file_with_too_many_columns_is_refused_before_it_is_unpacked(tmp_path):
    sink = io.BytesIO()
    columns = {f"column {at}": ["1"] for at in range(20_000)}
    pq.write_table(pa.table({"id": ["a"], "response": ["It is."], "score": ["4"]} | columns), sink)
    path = put(tmp_path, "wide.parquet", sink.getvalue())
    refused, _, reader = measured("wide.parquet", path, tmp_path / "into", "COMMAND")
    told = "the file has 20,003 columns; the limit is 2,000; keep those that are needed"
    assert refused == f"wide.parquet: {told}"
    assert reader < 600


@needs_shared
@pytest.mark.parametrize("name", ["bomb.parquet", "aliases.yaml", "deep.jsonl"])
def test_given_bomb_costs_little_memory(name, reader_at_rest, tmp_path):
    path = SHARED / "hostile" / "import" / name
    _, app, reader = measured(name, path, tmp_path / "into")
    assert app + reader - reader_at_rest <= GROWTH, (app, reader, reader_at_rest)
