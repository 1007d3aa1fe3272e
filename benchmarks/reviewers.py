"""Twenty reviewers at the running app on a million labels: reading, saving, beside other work.

Usage: python -m benchmarks.reviewers [--labels N] [--seconds S] [--only PHASE] [--store FILE]

Each has a tab to read in and a tab to rate in, and asks for something every five seconds. They read
alone, read and save, and do both while a file is imported and while a judge is asked about a run,
each through cli.py and the app's door. Everything stays on 127.0.0.1 and ends by itself. What the
pages acknowledged is looked for in the store once the app is closed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np

from benchmarks import import_speed
from benchmarks.big_store import make_store
from benchmarks.claims import claim
from benchmarks.machine import most_taken, peak, processor, taken_away, watch_host
from benchmarks.reviewer import FILTERS, Reviewer
from data.runs.queries import run_items, runs
from data.store.store import open_store
from tests.browser.conftest import Server
from tests.loopback_judge import LoopbackJudge
from tests.server_log import faults

ROOT = Path(__file__).resolve().parents[1]
REVIEWERS, EVERY = 20, 5.0  # people, and seconds from one thing they ask for to the next
READING, SAVING, FIRST, MEMORY = 1.0, 1.5, 3.0, 800  # seconds, seconds, seconds, megabytes
SLOWEST = 8  # that are named
LONGEST = 3  # a phase beside other work lasts as long as that, at most so many times its seconds
ITEMS_JUDGED, AT_ONCE, DELAY = 600, 4, 0.3
SHEETS = """
select au.name, i.item_id
from annotations a
join authors au on au.author_no = a.author_no
join items i on i.item_no = a.item_no
where au.kind = 'rater' and au.name like 'reviewer %'
group by all
having count(distinct a.unit_no) = 20
"""


class Took(NamedTuple):
    """Seconds that one thing took, what it was, and when it began."""

    what: str
    seconds: float
    began: float


class Place(NamedTuple):
    """What the store holds, as far as an address needs it."""

    runs: list[str]
    items: list[str]


class Person:
    """One reviewer with two tabs; alternates between them where saving is wanted."""

    def __init__(self, url: str, nth: int, place: Place) -> None:
        # Nobody keeps step: while some sign a sheet others read, and others press keys.
        self.nth, self.place, self.turn = nth, place, nth
        self.reading = Reviewer(url, f"reviewer {nth:02}")
        self.rating = Reviewer(url, f"reviewer {nth:02}")
        self.took: list[Took] = []

    def open_home(self) -> None:
        self.timed("first page", lambda: self.reading.look(""))

    def open_sheet(self) -> None:
        self.rating.begin_rating(self.place.runs[self.nth % len(self.place.runs)])

    def act(self, *, saves: bool) -> None:
        self.turn += 1
        if saves and self.turn % 4 == 0:
            self.timed("save: sheet", self.rating.sign)
        elif saves and self.turn % 2 == 0:
            self.timed("save: key", self.rating.press)
        else:
            self.read(self.turn // 2 if saves else self.turn)

    def read(self, nth: int) -> None:
        """Every third look is at an item, the others at a list or its next filter."""
        at = nth + self.nth * 4
        if nth % 3 == 0:
            item = self.place.items[at % len(self.place.items)]
            self.timed("read: item", lambda: self.reading.look("item", f"item={item}"))
        else:
            page, filters = FILTERS[at % len(FILTERS)]
            query = urlencode(filters)
            self.timed(f"read: {page or 'runs'}", lambda: self.reading.look(page, query))

    def timed(self, what: str, work: Callable[[], None]) -> None:
        began = time.perf_counter()
        try:
            work()
        except Exception as problem:  # noqa: BLE001  whatever it is, a person would see an error
            self.reading.problems.append(f"{what}: {problem!r}")
        self.took.append(Took(what, time.perf_counter() - began, began))

    def problems(self) -> list[str]:
        found = self.reading.problems + self.rating.problems
        self.reading.problems, self.rating.problems = [], []
        return found


def all_at_once(work: Sequence[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=each) for each in work]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def work_for(person: Person, *, saves: bool, until: float, is_over: threading.Event) -> None:
    """Ask every five seconds; what comes late is not made up for."""
    at = time.perf_counter() + person.nth / REVIEWERS * EVERY
    while at < until and not is_over.is_set():
        time.sleep(max(0.0, at - time.perf_counter()))
        person.act(saves=saves)
        at = max(at + EVERY, time.perf_counter())


def phase(
    name: str, people: list[Person], server: Server, seconds: float, beside: list[str] | None
) -> None:
    """Let people work for a time, or for as long as the command beside them takes."""
    is_over, began, used = threading.Event(), time.perf_counter(), processor(server.process.pid)
    taken = [taken_away()]
    until = began + seconds * (LONGEST if beside else 1)
    working = []
    with ExitStack() as beside_them:
        if beside:
            command = beside_them.enter_context(
                subprocess.Popen(beside, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            )

            def watch() -> None:
                told = command.communicate()[0].decode()
                took = time.perf_counter() - began
                print(f"  beside it, in {took:.0f} s: {' '.join(told.split())[-160:]}", flush=True)
                if command.returncode:
                    people[0].reading.problems.append(f"the command ended so: {told[-300:]}")
                is_over.set()

            working.append(watch)
        saves = name != "reading"
        asked = {"saves": saves, "until": until, "is_over": is_over}
        watching = threading.Event()
        beside_them.callback(watching.set)
        threading.Thread(target=watch_host, args=(taken, watching), daemon=True).start()
        working += [lambda p=each: work_for(p, **asked) for each in people]  # type: ignore[misc]
        all_at_once(working)
    seconds, used = time.perf_counter() - began, processor(server.process.pid) - used
    asked_for = sum(len(each.took) for each in people)
    print(
        f"{name}: {seconds:.0f} s, {used / asked_for:.2f} s of the app's processor time for each "
        f"of {asked_for}, load of the machine {os.getloadavg()[0]:.1f}, "
        f"{taken_away() - taken[0]:.1f} s of its processors taken away by other machines, "
        f"{most_taken(taken)}"
    )
    tell_slowest(people, began)
    tell(name, people, peak(server.process.pid))


def tell_slowest(people: list[Person], since: float) -> None:
    """Whether slow things came one by one or all at one time."""
    slowest = sorted((each for person in people for each in person.took), key=lambda t: -t.seconds)
    told = [
        f"{t.what.partition(': ')[2]} {t.seconds:.1f} at {t.began - since:.0f}" for t in slowest
    ]
    print(f"  slowest, seconds: {', '.join(told[:SLOWEST])}")


def tell(name: str, people: list[Person], memory: float) -> None:
    took: dict[str, list[float]] = defaultdict(list)
    for person in people:
        for each in person.took:
            took[each.what].append(each.seconds)
        person.took = []
    problems = [each for person in people for each in person.problems()]
    for kind, limit in (("read", READING), ("save", SAVING)):
        found = [each for what, several in took.items() if kind in what for each in several]
        if found:
            half, most = np.percentile(found, [50, 95])
            print(f"  {kind}: n {len(found)}, p50 {half:.2f} s, p95 {most:.2f} s; limit {limit} s")
            told = "reading" if kind == "read" else "saving"
            claim(f"{REVIEWERS} reviewers, {name}: p95 {told}", most, "s", at_most=limit)
    for what, several in sorted(took.items()):
        print(f"    {what}: n {len(several)}, p95 {np.percentile(several, 95):.2f} s")
    print(f"  peak memory: {memory:.0f} MB; limit {MEMORY} MB")
    print(f"  errors: {len(problems)}", *problems[:5], sep="\n    ", flush=True)
    claim(f"{REVIEWERS} reviewers, {name}: errors", len(problems), "", at_most=0)
    claim(f"{REVIEWERS} reviewers, {name}: peak memory", memory, "MB", at_most=MEMORY)


def lost(path: Path, people: list[Person]) -> tuple[int, int]:
    """How many acknowledged sheets and key presses the store lacks, and how many there were."""
    store = open_store(path)
    with store.read() as cursor:
        sheets = set(cursor.execute(SHEETS).fetchall())
        steps = {row[0] for row in cursor.execute("select step_id from drafts").fetchall()}
    store.close()
    signed = {tuple(each) for person in people for each in person.rating.signed}
    kept = {each for person in people for each in person.rating.kept}
    return len(signed - sheets) + len(kept - steps), len(signed) + len(kept)


def make(path: Path, labels: int, given: Path | None) -> Place:
    if given:
        shutil.copytree(given.parent, path.parent)
        for each in path.parent.glob(f"{given.name}*"):
            each.rename(path.with_name(each.name.replace(given.name, path.name, 1)))
    else:
        path.parent.mkdir()
        make_store(path, labels)
    store = open_store(path)
    ids = [str(each) for each in runs(store)["run_id"]]
    items = [str(each) for each in run_items(store, ids[0], limit=200)["item_id"]]
    store.close()
    return Place(ids, items)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--megabytes", type=float, default=100, help="of the file imported")
    parser.add_argument("--only", nargs="*", default=(), help="reading, saving, import, judging")
    parser.add_argument("--store", type=Path, help="a store made before, in a folder of its own")
    asked = parser.parse_args()
    with ExitStack() as until_the_end:
        folder = Path(until_the_end.enter_context(tempfile.TemporaryDirectory()))
        path = folder / "store" / "plumbline.duckdb"
        place = make(path, asked.labels, asked.store)
        judge = until_the_end.enter_context(LoopbackJudge(delay=DELAY))
        os.environ["PLUMBLINE_JUDGE_ALLOW"] = f"127.0.0.1:{judge.port}"
        file = folder / "more.jsonl"
        server = Server(folder)
        until_the_end.callback(lambda: server.process.poll() is None and server.stop())
        people = [Person(server.url, nth, place) for nth in range(REVIEWERS)]
        all_at_once([each.open_home for each in people])
        first = max(each.took.pop().seconds for each in people)
        print(f"first page, {REVIEWERS} at once: slowest {first:.2f} s; limit {FIRST} s")
        claim(f"{REVIEWERS} first pages at once: slowest", first, "s", at_most=FIRST)
        cli = [sys.executable, str(ROOT / "cli.py")]
        store = ["--store", str(path)]
        beside = {
            "reading": None,
            "saving": None,
            "import": [*cli, "import", str(file), "--format", "sentence_labels", *store],
            "judging": [
                *(*cli, "judge", place.runs[1], "--address", judge.base_url, "--model", "good"),
                *("--items", str(ITEMS_JUDGED), "--at-once", str(AT_ONCE), *store),
            ],
        }
        wanted = [each for each in beside if not asked.only or each in asked.only]
        if wanted != ["reading"]:
            all_at_once([each.open_sheet for each in people])
        for name in wanted:
            if name == "import":
                import_speed.write_items(file, int(asked.megabytes * 1e6))
            titles = {"import": "saving, during an import", "judging": "saving, a judge at work"}
            phase(titles.get(name, name), people, server, asked.seconds, beside[name])
        for each in people:
            each.reading.hang_up()
            each.rating.hang_up()
        server.stop()
        missing, of = lost(path, people)
        print(f"lost: {missing} of {of} acknowledged sheets and key presses")
        claim(f"{REVIEWERS} reviewers: acknowledged saves lost", missing, f"of {of}", at_most=0)
        found = faults(server.log.read_text())
        print(f"faults in the app's log: {found}")
        claim(f"{REVIEWERS} reviewers: faults in the app's log", found, "", at_most=0)


if __name__ == "__main__":
    main()
