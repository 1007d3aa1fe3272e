"""Saving what raters do on a million labels: alone, then twenty raters every five seconds.

Usage: python -m benchmarks.rating_saves [LABELS] [SECONDS]
"""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.big_store import make_store
from benchmarks.claims import claim
from data.items.loading import load_item
from data.meetings.decide import decide
from data.rating import rating_desk, rating_queries
from data.rating.drafts import DraftStep, Sheet
from data.rating.rating_desk import build_operation_id
from data.runs import queries
from data.store.store import Store, open_store
from faithfulness.model.vocabulary import Author, AuthorKind, Item
from faithfulness.protocols import protocol
from faithfulness.review.meeting import Point

ALONE, TOGETHER = 50, 1500  # milliseconds, at most, of 95 in 100 saves
RATERS, EVERY = 20, 5.0  # people, and seconds from one save of theirs to the next
SAVES = 100  # of each kind, alone
LINE = bytes(1500)  # as long as what the journal keeps of a signature
GROUNDING = protocol("sentence_grounding")
EVE = Author(kind=AuthorKind.ADJUDICATOR, name="eve")


class Took(NamedTuple):
    """Milliseconds of one save: of the clock, and of the processor."""

    wall: float
    cpu: float


def timed(work: Callable[[], object]) -> Took:
    began, used = time.perf_counter(), time.thread_time()
    work()
    return Took((time.perf_counter() - began) * 1000, (time.thread_time() - used) * 1000)


def tell(name: str, took: list[Took], limit: float | None = None) -> None:
    walls, cpus = (np.array([getattr(each, kind) for each in took]) for kind in Took._fields)
    half, most = np.percentile(walls, [50, 95])
    against = f"; limit {limit}, ratio {most / limit:.2f}" if limit else ""
    if limit:
        claim(f"Saving {name}: p95", most, "ms", at_most=limit)
    print(
        f"{name}: p50 {half:.0f} ms, p95 {most:.0f} ms, slowest {walls.max():.0f} ms "
        f"(p95 of processor {np.percentile(cpus, 95):.0f} ms; {len(took)} saves{against})"
    )


def sync_twice(folder: Path) -> Callable[[], None]:
    """What a signature cannot do without: a line of the journal and one of the log on disk."""
    handles = [os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND) for name in "ab"]

    def work() -> None:
        for handle in handles:
            os.write(handle, LINE)
            os.fsync(handle)

    return work


class Rater:
    """One person at work: a press of a key, then a whole sheet signed, on item after item."""

    def __init__(self, store: Store, run_id: str, name: str) -> None:
        self.store, self.run_id, self.name = store, run_id, name
        self.items = rating_queries.load_queue(store, run_id, name)["item_id"].tolist()
        self.nth = -1
        self.presses = 0
        self.signed: list[str] = []
        self.begin()

    def begin(self) -> None:
        self.nth += 1
        self.sheet = Sheet(self.run_id, str(self.items[self.nth]), self.name)
        self.item: Item = load_item(self.store, self.sheet.item_id)

    def press(self) -> None:
        self._keep([self.item.units[self.presses % len(self.item.units)].id])

    def fill(self) -> None:
        self._keep([unit.id for unit in self.item.units])

    def sign(self) -> None:
        seen = ("", self.name)
        found = rating_desk.sign(self.store, self.sheet, self.item, GROUNDING, seen=seen, times={})
        assert not found
        last = f"{self.name}.{self.presses}"
        self.signed.append(build_operation_id(self.sheet, last))

    def _keep(self, units: list[str]) -> None:
        steps = []
        for unit in units:
            self.presses += 1
            state = {"label": {"value": "unsupported", "rationale": "as the notes say"}}
            steps.append(DraftStep(f"{self.name}.{self.presses}", unit, "set", state, 1.0))
        rating_desk.keep_steps(self.store, self.sheet, self.item, GROUNDING, steps)


def alone(store: Store, run_id: str) -> None:
    rater = Rater(store, run_id, "alone")
    took: dict[str, list[Took]] = {"a key press": [], "a signature": [], "a decision": []}
    for nth in range(SAVES):
        took["a key press"].append(timed(rater.press))
        rater.fill()
        took["a signature"].append(timed(rater.sign))
        point = Point(run_id, rater.sheet.item_id, "s1", "label")
        told = {"value": "supported", "author": EVE, "reason": "so", "seen": 2**60}
        took["a decision"].append(
            timed(lambda p=point, t=told, n=nth: decide(  # type: ignore[misc]
                store, **p._asdict(), **t, operation_id=f"decide {n}"
            ))
        )  # fmt: skip
        rater.begin()
    for name, each in took.items():
        tell(f"alone, {name}", each, ALONE)


def work_for(rater: Rater, began: float, seconds: float, took: list[Took]) -> None:
    """Save every five seconds, a key press and a signed sheet in turn; none is made up for."""
    share = (hash(rater.name) % 100) / 100 * EVERY
    for turn in range(int(seconds // EVERY)):
        time.sleep(max(0.0, began + share + turn * EVERY - time.perf_counter()))
        if turn % 2:
            rater.fill()
            took.append(timed(rater.sign))
            rater.begin()
        else:
            took.append(timed(rater.press))


def together(store: Store, run_id: str, seconds: float) -> list[Rater]:
    raters = [Rater(store, run_id, f"rater of twenty {nth:02}") for nth in range(RATERS)]
    took: list[Took] = []
    began = time.perf_counter()
    people = [
        threading.Thread(target=work_for, args=(each, began, seconds, took)) for each in raters
    ]
    for each in people:
        each.start()
    for each in people:
        each.join()
    tell(f"{RATERS} raters, each every {EVERY:.0f} s for {seconds:.0f} s", took, TOGETHER)
    return raters


def lost(path: Path, raters: list[Rater]) -> int:
    """How many acknowledged signatures and key presses a freshly opened store does not have."""
    store = open_store(path)
    with store.read() as cursor:
        done = {row[0] for row in cursor.execute("select operation_id from operations").fetchall()}
        steps = {row[0] for row in cursor.execute("select step_id from drafts").fetchall()}
    store.close()
    pressed = {f"{each.name}.{nth}" for each in raters for nth in range(1, each.presses + 1)}
    return len({name for each in raters for name in each.signed} - done) + len(pressed - steps)


def main(labels: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.duckdb"
        make_store(path, labels)
        store = open_store(path)
        run_id = str(queries.runs(store)["run_id"].iloc[0])
        print(f"{labels:,} labels; load of the machine {os.getloadavg()[0]:.1f}")
        work = sync_twice(Path(folder))
        tell("two lines synced to this disk", [timed(work) for _ in range(SAVES)])
        alone(store, run_id)
        raters = together(store, run_id, seconds)
        store.close()
        signed = sum(len(each.signed) for each in raters)
        presses = sum(each.presses for each in raters)
        missing = lost(path, raters)
        claim("Saves lost after reopening", missing, f"of {signed + presses:,}", at_most=0)
        print(f"lost: {missing} of {signed} signatures and {presses:,} presses, after reopening")


if __name__ == "__main__":
    asked = [*map(int, sys.argv[1:3])]
    main(asked[0] if asked else 1_000_000, asked[1] if len(asked) > 1 else 60)
