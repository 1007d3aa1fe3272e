"""Import speed: strict parsing and storing against DuckDB's read_json, and taking in on all cores.

    python -m benchmarks.import_speed [megabytes]

Bars: parsing and storing together at least 25 % as fast as read_json into a table, strictness
included; cutting, aligning and placing at least 5,000 sentences a second per core against contexts
of 5,000 characters. Ratios come from one run on one machine; the clock is never asserted.
"""

import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import duckdb

from benchmarks.claims import claim
from data.importing.formats.sentence_labels import IMPORTER
from data.importing.importer import Options, Source
from data.importing.preparing import Request, pause_garbage_collection, prepare_here
from data.importing.preview.preview import FileEntry, write_manifest
from data.importing.save import save_import
from data.store.store import open_store

LABELS = ("supported", "unsupported", "contradictory", "no_rad")
WORDS = (
    *("lamp", "kettle", "chair", "battery", "review", "price", "seller", "cable", "warranty"),
    *("bright", "heavy", "blue", "returns", "ships", "within", "hours", "includes", "charger"),
    *("customers", "report", "quiet", "motor", "filter", "steel", "handle", "recycled"),
)


def sentence(chance: random.Random) -> str:
    words = chance.choices(WORDS, k=chance.randint(7, 15))
    return f"{words[0].title()} {' '.join(words[1:])} {chance.randint(2, 900)}."


def labelled(chance: random.Random, context: list[str], text: str) -> dict[str, str | None]:
    label = chance.choice(LABELS)
    excerpt = chance.choice(context) if label in ("supported", "contradictory") else None
    return {"sentence": text, "label": label, "rationale": sentence(chance), "excerpt": excerpt}


def write_items(path: Path, size: int) -> int:
    """One item a line: a context of 5,000 characters, eight labelled sentences."""
    chance, written, count = random.Random(1), 0, 0
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            context = [sentence(chance) for _ in range(70)]
            texts = [sentence(chance) for _ in range(8)]
            record = {
                "id": f"i{count}",
                "user_request": sentence(chance),
                "context_document": " ".join(context)[:5000],
                "response": " ".join(texts),
                "judge": "north",
                "sentences": [labelled(chance, context, text) for text in texts],
            }
            written += file.write(json.dumps(record) + "\n")
            count += 8
    return count


def write_rows(path: Path, size: int) -> int:
    """One labelled sentence a line; the first of an item carries its response."""
    chance, written, count = random.Random(2), 0, 0
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            texts = [sentence(chance) for _ in range(8)]
            for text in texts:
                record = {"id": f"i{count // 8}", "judge": "north", **labelled(chance, texts, text)}
                if text is texts[0]:
                    record["response"] = " ".join(texts)
                written += file.write(json.dumps(record) + "\n")
                count += 1
    return count


class Took(NamedTuple):
    """Seconds of computing in all processes, and seconds on the wall; others share the machine."""

    computing: float
    wall: float


def computing() -> float:
    mine = resource.getrusage(resource.RUSAGE_SELF)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + workers.ru_utime + workers.ru_stime


def timed(work: Callable[[], object]) -> Took:
    began, computed = time.perf_counter(), computing()
    work()
    return Took(computing() - computed, time.perf_counter() - began)


def engine_reads(path: Path, folder: Path) -> Took:
    connection = duckdb.connect(str(folder / "peer.duckdb"))
    statement = f"create table t as from read_json('{path}', format = 'newline_delimited')"
    took = timed(lambda: (connection.execute(statement), connection.execute("checkpoint")))
    connection.close()
    return took


def we_parse(path: Path) -> Took:
    source = Source(path.name, path)
    with pause_garbage_collection():
        return timed(lambda: [None for _ in IMPORTER.read([source], Options())])


def compare(name: str, write: Callable[[Path, int], int], size: int, folder: Path) -> None:
    path = folder / f"{name}.jsonl"
    count = write(path, size)
    megabytes = path.stat().st_size / 1e6
    engine = min(engine_reads(path, Path(tempfile.mkdtemp(dir=folder))) for _ in range(3))
    parsing = min(we_parse(path) for _ in range(3))
    into = folder / f"{name}-prepared"
    into.mkdir()
    source = Source(path.name, path)
    taking = timed(lambda: write_prepared(source, into))
    store = open_store(folder / f"{name}.duckdb", create=True)
    storing = timed(lambda: (save_import(store, into, operation_id=name), store.checkpoint()))
    store.close()
    cores = len(os.sched_getaffinity(0))
    ours = Took(parsing.computing + storing.computing, parsing.wall + storing.wall)
    rest = Took(taking.computing - parsing.computing, taking.wall - parsing.wall)
    print(
        f"{name}: {megabytes:.0f} MB, {count:,} sentences; seconds of computing (and on the wall)"
    )
    print(f"  read_json into a table   {engine.computing:7.2f} ({engine.wall:.2f})")
    print(f"  strict parsing           {parsing.computing:7.2f} ({parsing.wall:.2f})")
    print(f"  storing the prepared     {storing.computing:7.2f} ({storing.wall:.2f})")
    print(
        f"  parsing and storing      {ours.computing:7.2f} ({ours.wall:.2f}): "
        f"{engine.computing / ours.computing:.0%} of read_json by computing, "
        f"{engine.wall / ours.wall:.0%} on the wall (bar 25 %)"
    )
    share = 100 * engine.computing / ours.computing
    claim(f"Strict parsing and storing of {name}", share, "% of the speed", at_least=25,
          peer="DuckDB's read_json into a table")  # fmt: skip
    claim(f"Cut, align and place {name}, and find clashes", count / rest.computing,
          "sentences a second of processor", at_least=5_000)  # fmt: skip
    print(
        f"  cut, align, place, write {rest.computing:7.2f} ({rest.wall:.2f}): "
        f"{count / rest.computing:,.0f} sentences a second of computing (bar 5,000), "
        f"{count / rest.wall:,.0f} a second on {cores} cores"
    )


def write_prepared(source: Source, into: Path) -> None:
    files = [FileEntry(name=source.name, sha256=source.name, bytes=source.path.stat().st_size)]
    manifest = prepare_here(Request([source], None, Options(), into, files))
    write_manifest(into, manifest)


def linear(folder: Path) -> None:
    """The same work on a quarter, a half and all of the sentences: seconds for each sentence."""
    costs = []
    for size in (2_000_000, 4_000_000, 8_000_000):
        path = folder / f"linear-{size}.jsonl"
        count = write_items(path, size)
        into = folder / f"linear-{size}"
        into.mkdir()
        request = Request([Source(path.name, path)], None, Options(), into, workers=1)
        began = time.process_time()
        prepare_here(request)
        costs.append((time.process_time() - began) / count * 1e6)
    told = ", ".join(f"{cost:.0f}" for cost in costs)
    claim(
        "Four times the sentences: cost of each", costs[-1] / costs[0], "times", peer="linear is 1"
    )
    print(f"one core, 1x 2x 4x the sentences: {told} microseconds of computing a sentence")


def main() -> None:
    size = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 200_000_000
    folder = Path(tempfile.mkdtemp(prefix="import-speed-"))
    try:
        linear(folder)
        compare("items", write_items, size, folder)
        compare("rows", write_rows, size, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
