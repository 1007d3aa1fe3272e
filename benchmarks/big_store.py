"""Makes stores of a million labels and more, through the same path as every import.

Usage: python -m benchmarks.big_store STORE [LABELS]
"""

import hashlib
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.columns import empty, same, write
from data.importing import import_tables
from data.importing.save import save_import
from data.store.store import open_store
from faithfulness.model.vocabulary import Field, compute_item_id

SENTENCES = 20
AUTHORS_PER_ITEM = 5
LABELS_PER_ITEM = SENTENCES * AUTHORS_PER_ITEM
RUNS_PER_IMPORT = 4
LABELS_PER_IMPORT = 1_000_000
LABELS = np.array(["supported", "unsupported", "contradictory", "no_rad"])
SHARES = [0.72, 0.16, 0.07, 0.05]
UNREAD = 0.004
FOUND = 0.1  # quoted labels with a finding, about as many as the sample has
KINDS = np.array(["number", "unit", "negation", "exclusive"])
AUTHORS = [("rater", f"rater {n:02}") for n in range(1, 13)] + [
    ("judge", name) for name in ("north", "south", "west")
]
SUBJECTS = ("The kettle", "This tent", "The lamp", "The charger", "Their jacket", "The pan")
VERBS = ("holds", "weighs", "lasts", "needs", "costs", "covers", "survives")
THINGS = ("1.7 litres", "two persons", "40 hours", "a 65 W plug", "$49.90", "light rain", "30 days")
ENDS = ("in most reviews", "on the detail page", "after a year of use", "at full load", "in winter")


def make_store(path: Path, labels: int, *, seed: int = 1) -> None:
    """Make a store with about this many labels; ends with the store closed."""
    with_store = open_store(path, create=True)
    try:
        done = 0
        while done < labels:
            part = min(LABELS_PER_IMPORT, labels - done)
            folder = Path(tempfile.mkdtemp(dir=path.parent))
            try:
                write_import(folder, part, seed=seed + done)
                save_import(with_store, folder, operation_id=f"big-{seed}-{done}")
            finally:
                shutil.rmtree(folder)
            done += part
    finally:
        with_store.close()


def write_import(folder: Path, labels: int, *, seed: int = 1) -> None:
    """Write a prepared import of this many labels: 20 sentences and 5 authors an item."""
    rng = np.random.default_rng(seed)
    count = max(1, labels // LABELS_PER_ITEM)
    pool = _sentences(rng)
    sentence = rng.integers(0, len(pool), (count, SENTENCES))
    lengths = np.array([len(text) for text in pool])[sentence]
    starts = np.concatenate([np.zeros((count, 1), int), (lengths + 1).cumsum(1)[:, :-1]], axis=1)
    texts = [" ".join(pool[n] for n in row) for row in sentence]
    ids = pa.array(_write_items(folder, texts, seed))
    _write_units(folder, ids, starts, lengths)
    run_of = np.sort(rng.integers(0, RUNS_PER_IMPORT, count))
    _write_runs(folder, ids, run_of, seed)
    _write_labels(folder, ids, run_of, rng)
    digest = hashlib.sha256(f"{seed} {labels}".encode()).hexdigest()
    files = [{"name": f"big-{seed}.jsonl", "sha256": digest, "bytes": labels * 170}]
    manifest = {"importer": "plumbline", "files": files}
    (folder / import_tables.MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def _sentences(rng: np.random.Generator) -> list[str]:
    parts = [(s, v, t, e) for s in SUBJECTS for v in VERBS for t in THINGS for e in ENDS]
    rng.shuffle(parts)
    return [f"{s} {v} {t} {e}." for s, v, t, e in parts]


def _write_items(folder: Path, texts: list[str], seed: int) -> list[str]:
    rows: dict[str, list[object]] = {"item_id": [], "name": [], "kind": [], "text": []}
    ids = []
    for number, response in enumerate(texts):
        query = f"Which one should I take, number {seed}-{number}?"
        # Half the sentences stand in the context, so that excerpts have somewhere to come from.
        context = f"Notes for {seed}-{number}. " + response[: len(response) // 2] * 2
        fields = (
            Field(name="query", kind="query", text=query),
            Field(name="context", kind="context", text=context),
            Field(name="response", kind="response", text=response),
        )
        item_id = compute_item_id(fields)
        ids.append(item_id)
        for each in fields:
            rows["item_id"].append(item_id)
            rows["name"].append(each.name)
            rows["kind"].append(each.kind)
            rows["text"].append(each.text)
    rows["position"] = list(range(3)) * len(texts)
    write(folder, "items", {"item_id": ids, "cutter": ["big_store"] * len(ids)})
    write(folder, "fields", rows)
    return ids


def _write_units(folder: Path, ids: pa.Array, starts: np.ndarray, lengths: np.ndarray) -> None:
    count = len(ids)
    names = pa.array([f"s{n}" for n in range(1, SENTENCES + 1)])
    position = np.tile(np.arange(SENTENCES), count)
    columns = {
        "item_id": ids.take(pa.array(np.repeat(np.arange(count), SENTENCES))),
        "unit_id": names.take(pa.array(position)),
        "position": position,
        "kind": same("sentence", count * SENTENCES),
        "field": same("response", count * SENTENCES),
        "span_start": starts.ravel(),
        "span_end": (starts + lengths).ravel(),
        "text": pa.nulls(count * SENTENCES, pa.string()),
    }
    write(folder, "units", columns)


def _write_runs(folder: Path, ids: pa.Array, run_of: np.ndarray, seed: int) -> None:
    keys = [f"run{n}" for n in range(RUNS_PER_IMPORT)]
    columns = {
        "run_key": keys,
        "name": [f"Shopping answers {seed}-{n}" for n in range(RUNS_PER_IMPORT)],
        "protocol": ["sentence_grounding"] * RUNS_PER_IMPORT,
        "system": [f"assistant {n}" for n in range(RUNS_PER_IMPORT)],
        "details": ["{}"] * RUNS_PER_IMPORT,
    }
    write(folder, "runs", columns)
    count = len(ids)
    columns = {
        "run_key": pa.array(keys).take(pa.array(run_of)),
        "item_id": ids,
        "position": np.arange(count),
        "external_id": [f"q{n}" for n in range(count)],
        "attributes": pa.array(
            [[("market", "de" if n % 3 else "us")] for n in range(count)],
            pa.map_(pa.string(), pa.string()),
        ),
    }
    write(folder, "run_items", columns)


def _write_labels(
    folder: Path, ids: pa.Array, run_of: np.ndarray, rng: np.random.Generator
) -> None:
    count = len(ids)
    # Three raters and two judges an item, as a file has them: author by author, then sentences.
    author = np.concatenate(
        [
            np.argsort(rng.random((count, 12)), axis=1)[:, :3],
            12 + np.argsort(rng.random((count, 3)), axis=1)[:, :2],
        ],
        axis=1,
    )
    value = rng.choice(4, (count, AUTHORS_PER_ITEM, SENTENCES), p=SHARES)
    unread = rng.random(value.shape) < UNREAD
    _write_annotations(folder, ids, run_of, author, value, unread, rng)
    known = ~unread
    supported = ((value == 0) & known).sum(2)
    attributable = ((value != 3) & known).sum(2)
    columns = _signed(ids, run_of, author) | {
        "name": same("Supported", author.size),
        "value": pa.array(
            (supported / np.maximum(attributable, 1)).ravel(), mask=(attributable == 0).ravel()
        ),
        "counted": attributable.ravel(),
        "left_out": (SENTENCES - attributable).ravel(),
        "parts": pa.array([[]] * author.size, pa.map_(pa.string(), pa.float64())),
        "given": pa.array(np.zeros(author.size, bool)),
    }
    write(folder, "summaries", columns)


def _write_annotations(
    folder: Path,
    ids: pa.Array,
    run_of: np.ndarray,
    author: np.ndarray,
    value: np.ndarray,
    unread: np.ndarray,
    rng: np.random.Generator,
) -> None:
    rows = value.size
    flat, lost = value.ravel(), unread.ravel()
    judged = np.repeat(author >= 12, SENTENCES)
    reasons = pa.array(["", *(f"The notes say so, point {n} of the list." for n in range(500))])
    reason = np.where(judged, rng.integers(1, 501, rows), 0)
    units = pa.array([f"s{n}" for n in range(1, SENTENCES + 1)])
    columns = {
        name: column.take(pa.array(np.repeat(np.arange(author.size), SENTENCES)))
        for name, column in _signed(ids, run_of, author).items()
    } | {
        "row": np.arange(rows),
        "unit_id": units.take(pa.array(np.tile(np.arange(SENTENCES), author.size))),
        "criterion": same("label", rows),
        "value": pa.array(LABELS).take(pa.array(flat, mask=lost)),
        "problem": pa.array(["", "the reply says nothing about this sentence"]).take(
            pa.array(lost.astype(int))
        ),
        "rationale": reasons.take(pa.array(reason)),
        "comment": same("", rows),
        "confidence": pa.nulls(rows, pa.float64()),
        "links": empty("links", rows),
        "checks": empty("checks", rows),
        "pieces": empty("pieces", rows),
        "reply_id": pa.nulls(rows, pa.string()),
    }
    write(folder, "annotations", columns)
    quoting = np.flatnonzero(judged & ~lost & (flat != 3) & (flat != 1))
    _write_excerpts(folder, columns, quoting)
    _write_findings(folder, quoting[rng.random(len(quoting)) < FOUND])


def _write_excerpts(folder: Path, labels: dict[str, pa.Array], rows: np.ndarray) -> None:
    spans = import_tables.SCHEMAS["excerpts"].field("spans").type
    span = pa.StructArray.from_arrays(
        [
            same("context", len(rows)),
            pa.array(rows % 700, pa.int32()),
            pa.array(rows % 700 + 30, pa.int32()),
        ],
        fields=list(spans.value_type),
    )
    columns = {
        "row": rows,
        "item_id": labels["item_id"].take(pa.array(rows)),
        "position": np.zeros(len(rows), int),
        "text": pa.array([f"holds 1.7 litres, note {n}" for n in range(300)]).take(
            pa.array(rows % 300)
        ),
        "tier": same("verbatim", len(rows)),
        "coverage": np.ones(len(rows)),
        "spans": pa.ListArray.from_arrays(pa.array(np.arange(len(rows) + 1), pa.int32()), span),
    }
    write(folder, "excerpts", columns)


def _write_findings(folder: Path, rows: np.ndarray) -> None:
    count = len(rows)
    columns = {
        "row": rows,
        "check_name": same("clash", count),
        "kind": pa.array(KINDS).take(pa.array(rows % len(KINDS))),
        "unit_start": np.zeros(count, int),
        "unit_end": np.full(count, 5),
        "source_field": same("context", count),
        "source_start": rows % 700,
        "source_end": rows % 700 + 5,
        "says": same("one against another", count),
    }
    write(folder, "findings", columns)


def _signed(ids: pa.Array, run_of: np.ndarray, author: np.ndarray) -> dict[str, pa.Array]:
    item = np.repeat(np.arange(len(ids)), AUTHORS_PER_ITEM)
    who = pa.array(author.ravel())
    runs = pa.array([f"run{n}" for n in range(RUNS_PER_IMPORT)])
    return {
        "run_key": runs.take(pa.array(run_of[item])),
        "item_id": ids.take(pa.array(item)),
        "author_kind": pa.array([kind for kind, _ in AUTHORS]).take(who),
        "author": pa.array([name for _, name in AUTHORS]).take(who),
    }


if __name__ == "__main__":
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else LABELS_PER_IMPORT
    began = time.perf_counter()
    make_store(Path(sys.argv[1]), wanted)
    print(f"{wanted:,} labels in {time.perf_counter() - began:.1f} s")
