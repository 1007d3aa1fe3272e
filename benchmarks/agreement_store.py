"""Makes stores of a million pairs and more: a rater and a judge on every sentence.

Usage: python -m benchmarks.agreement_store STORE [PAIRS]
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

SENTENCES = 20
PAIRS_PER_IMPORT = 1_000_000
LABELS = pa.array(["supported", "unsupported", "contradictory", "no_rad"])
SHARES = [0.72, 0.16, 0.07, 0.05]
AGREE = 0.8  # of the sentences; the judge guesses on the others
UNREAD = 0.004
AUTHORS = (("rater", "ada"), ("judge", "north"))
RUNS = 4
WIDTH = 12  # characters a sentence


def make_pairs(path: Path, pairs: int, *, seed: int = 1) -> None:
    """Make a store with this many pairs; ends with the store closed."""
    store = open_store(path, create=True)
    try:
        for done in range(0, pairs, PAIRS_PER_IMPORT):
            folder = Path(tempfile.mkdtemp(dir=path.parent))
            try:
                write_pairs(folder, min(PAIRS_PER_IMPORT, pairs - done), seed=seed + done)
                save_import(store, folder, operation_id=f"pairs-{seed}-{done}")
            finally:
                shutil.rmtree(folder)
    finally:
        store.close()


def write_pairs(folder: Path, pairs: int, *, seed: int) -> None:
    """Write a prepared import of short responses, each sentence labelled by both authors."""
    rng = np.random.default_rng(seed)
    count = max(1, pairs // SENTENCES)
    ids = pa.array([hashlib.md5(f"{seed} {n}".encode()).hexdigest() for n in range(count)])
    _write_texts(folder, ids, seed)
    runs = pa.array([f"run{n}" for n in range(RUNS)])
    run_of = np.sort(rng.integers(0, RUNS, count))
    _write_runs(folder, ids, runs, run_of, seed)
    _write_labels(folder, ids, runs.take(pa.array(run_of)), rng)
    digest = hashlib.sha256(f"{seed} {pairs}".encode()).hexdigest()
    files = [{"name": f"pairs-{seed}.jsonl", "sha256": digest, "bytes": pairs * 340}]
    manifest = {"importer": "plumbline", "files": files}
    (folder / import_tables.MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def _write_texts(folder: Path, ids: pa.Array, seed: int) -> None:
    count = len(ids)
    response = "".join(f"Sentence {n:02}." for n in range(1, SENTENCES + 1))
    write(folder, "items", {"item_id": ids, "cutter": same("agreement", count)})
    texts = [f"Answer {seed}-{n}" for n in range(count)]
    columns = {
        "item_id": pa.concat_arrays([ids, ids]),
        "name": pa.concat_arrays([same("query", count), same("response", count)]),
        "kind": pa.concat_arrays([same("query", count), same("response", count)]),
        "text": pa.concat_arrays([pa.array(texts), same(response, count)]),
        "position": np.repeat(np.arange(2), count),
    }
    write(folder, "fields", columns)
    position = np.tile(np.arange(SENTENCES), count)
    columns = {
        "item_id": ids.take(pa.array(np.repeat(np.arange(count), SENTENCES))),
        "unit_id": _units().take(pa.array(position)),
        "position": position,
        "kind": same("sentence", count * SENTENCES),
        "field": same("response", count * SENTENCES),
        "span_start": position * WIDTH,
        "span_end": position * WIDTH + WIDTH,
        "text": pa.nulls(count * SENTENCES, pa.string()),
    }
    write(folder, "units", columns)


def _write_runs(folder: Path, ids: pa.Array, runs: pa.Array, run_of: np.ndarray, seed: int) -> None:
    columns = {
        "run_key": runs,
        "name": [f"Pairs {seed}-{n}" for n in range(RUNS)],
        "protocol": ["sentence_grounding"] * RUNS,
        "system": [f"assistant {n}" for n in range(RUNS)],
        "details": ["{}"] * RUNS,
    }
    write(folder, "runs", columns)
    columns = {
        "run_key": runs.take(pa.array(run_of)),
        "item_id": ids,
        "position": np.arange(len(ids)),
        "external_id": [f"q{n}" for n in range(len(ids))],
        "attributes": pa.array(
            [[("market", "de" if n % 3 else "us")] for n in range(len(ids))],
            pa.map_(pa.string(), pa.string()),
        ),
    }
    write(folder, "run_items", columns)


def _write_labels(folder: Path, ids: pa.Array, run_of: pa.Array, rng: np.random.Generator) -> None:
    count = len(ids)
    rater = rng.choice(4, (count, SENTENCES), p=SHARES)
    guess = rng.choice(4, (count, SENTENCES), p=SHARES)
    judge = np.where(rng.random(rater.shape) < AGREE, rater, guess)
    value = np.stack([rater, judge], axis=1).ravel()
    lost = rng.random(value.size) < UNREAD
    item = pa.array(np.repeat(np.arange(count), 2 * SENTENCES))
    who = pa.array(np.tile(np.repeat(np.arange(2), SENTENCES), count))
    columns = {
        "row": np.arange(value.size),
        "run_key": run_of.take(item),
        "item_id": ids.take(item),
        "unit_id": _units().take(pa.array(np.tile(np.arange(SENTENCES), 2 * count))),
        "criterion": same("label", value.size),
        "author_kind": pa.array([kind for kind, _ in AUTHORS]).take(who),
        "author": pa.array([name for _, name in AUTHORS]).take(who),
        "value": LABELS.take(pa.array(value, mask=lost)),
        "problem": pa.array(["", "the reply says nothing about this sentence"]).take(
            pa.array(lost.astype(int))
        ),
        "rationale": same("", value.size),
        "comment": same("", value.size),
        "confidence": pa.nulls(value.size, pa.float64()),
        "links": empty("links", value.size),
        "checks": empty("checks", value.size),
        "pieces": empty("pieces", value.size),
        "reply_id": pa.nulls(value.size, pa.string()),
    }
    write(folder, "annotations", columns)


def _units() -> pa.Array:
    return pa.array([f"s{n}" for n in range(1, SENTENCES + 1)])


if __name__ == "__main__":
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else PAIRS_PER_IMPORT
    began = time.perf_counter()
    make_pairs(Path(sys.argv[1]), wanted)
    print(f"{wanted:,} pairs in {time.perf_counter() - began:.1f} s")
