"""A hundred kills: nothing acknowledged is lost, nothing is half stored, every store opens."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from data.store.store import open_store
from tests.faults import writer

ROOT = Path(__file__).resolve().parents[2]
# What a kill may leave to be told: a line that was not yet stored, or not yet whole.
EXPECTED = ("Applied from the journal", "the last line was cut off")


def wait_for(path: Path) -> None:
    end = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < end, "the writer did not open its store"
        time.sleep(0.002)


@contextlib.contextmanager
def nursery(drill=writer):
    """A process that has everything imported and forks a writer for every line it is given."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"tests.faults.{drill.__name__.rpartition('.')[2]}"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait(timeout=10)
        process.stdout.close()


def kill_and_check(mode: str, kills: int, folder: Path, drill=writer) -> list[str]:
    path, acks = folder / "s.duckdb", folder / "acknowledged"
    is_open = acks.with_suffix(".open")
    chance = random.Random(f"{mode} kills")
    found: list[str] = []
    with nursery(drill) as parent:
        for kill in range(kills):
            is_open.unlink(missing_ok=True)
            parent.stdin.write(f"{mode} {path} {acks}\n")
            parent.stdin.flush()
            child = int(parent.stdout.readline())
            # Every fourth kill may fall into the opening, the others into the writing.
            if kill % 4:
                wait_for(is_open)
            time.sleep(chance.uniform(0.01, 0.6))
            os.kill(child, signal.SIGKILL)
            if int(parent.stdout.readline()) != -signal.SIGKILL:
                found.append(f"{mode}: the writer ended by itself before kill {kill + 1}")
            found += check(path, acks, drill)
    if len(acknowledged(acks)) < kills / 2:
        found.append(f"{mode}: the drill wrote next to nothing")
    return found


def acknowledged(acks: Path) -> set[str]:
    return set(acks.read_text().splitlines()) if acks.exists() else set()


def check(path: Path, acks: Path, drill=writer) -> list[str]:
    if not path.exists():
        return []
    store = open_store(path)
    try:
        found = drill.complaints(store, acknowledged(acks))
        return found + [line for line in store.recovery if not any(map(line.count, EXPECTED))]
    finally:
        store.close()


@pytest.mark.parametrize("share", [0.2, pytest.param(1, marks=pytest.mark.soak)])
def test_a_hundred_kills_lose_nothing_that_was_acknowledged(tmp_path, share):
    modes = {"plain": int(40 * share), "checkpoint": int(40 * share), "import": int(20 * share)}
    for mode in modes:
        (tmp_path / mode).mkdir()
    with ThreadPoolExecutor(len(modes)) as pool:
        drills = [
            pool.submit(kill_and_check, mode, kills, tmp_path / mode)
            for mode, kills in modes.items()
        ]
        assert [line for drill in drills for line in drill.result()] == []
