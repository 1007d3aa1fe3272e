"""More people than are promised: no pause between requests, sixty at once, two hundred tabs.

Usage: python -m benchmarks.crowd [--labels N] [--seconds S]

Twenty ask again as soon as they are answered; sixty ask every five seconds; two hundred tabs are
opened and closed, and the app's memory is looked at before, with them, and once it has forgotten
them; one person searches for 20,000 letters while others read. Everything stays on 127.0.0.1 and
ends by itself, in less than four minutes.
"""

import argparse
import os
import re
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from benchmarks.claims import claim
from benchmarks.machine import processor
from benchmarks.reviewers import EVERY, MEMORY, Person, Place, all_at_once, make
from tests.browser.conftest import Server
from tests.server_log import faults

EAGER, CROWD, TABS = 20, 60, 200
AT_LEAST = 8  # reruns a second
FORGOTTEN_AFTER = 5  # seconds that the app keeps a closed tab here; Streamlit's own is 120
BACK_WITHIN = 20  # % of the memory before
LETTERS, SEARCH, OTHERS = 20_000, 6.0, 2.0  # letters, seconds, seconds
SEARCHED = ("", "contradictions", "disagreements", "agreement", "distributions", "compare")


class Crowd:
    """People at one server, their errors, and how long each answer took."""

    def __init__(self, server: Server, place: Place) -> None:
        self.server, self.place = server, place
        self.people: list[Person] = []

    def gather(self, count: int) -> list[Person]:
        """At least so many people with the first page open; gives exactly so many."""
        new = [Person(self.server.url, nth, self.place) for nth in range(len(self.people), count)]
        in_turn = [new[at : at + EAGER] for at in range(0, len(new), EAGER)]
        for several in in_turn:
            all_at_once([each.open_home for each in several])
        self.people += new
        return self.people[:count]

    def leave(self) -> None:
        for each in self.people:
            each.reading.hang_up()
            each.rating.hang_up()
        self.people = []

    def told(self) -> tuple[list[float], list[str]]:
        """Seconds of each answer and what went wrong since the last time this was asked."""
        took = [each.seconds for person in self.people for each in person.took]
        for person in self.people:
            person.took = []
        return took, [each for person in self.people for each in person.problems()]


def work(person: Person, until: float, every: float) -> None:
    """Read on until the time is over; what comes late is not made up for."""
    at = time.perf_counter() + (person.nth * 0.37) % max(every, 0.01)
    while at < until:
        time.sleep(max(0.0, at - time.perf_counter()))
        person.act(saves=False)
        at = max(at + every, time.perf_counter())


def read_for(
    crowd: Crowd, count: int, seconds: float, every: float
) -> tuple[list[float], int, float]:
    """Let so many read; seconds of each answer, how many errors, and how long it all lasted."""
    people = crowd.gather(count)
    crowd.told()
    used, began = processor(crowd.server.process.pid), time.perf_counter()
    until = began + seconds
    all_at_once([lambda p=each: work(p, until, every) for each in people])  # type: ignore[misc]
    lasted = time.perf_counter() - began
    used = processor(crowd.server.process.pid) - used
    took, problems = crowd.told()
    half, most = np.percentile(took, [50, 95])
    print(
        f"  n {len(took)} in {lasted:.0f} s, p50 {half:.2f} s, p95 {most:.2f} s, "
        f"{used / lasted:.1f} processors used by the app, {len(problems)} errors"
    )
    print(*problems[:5], sep="\n    ", flush=True)
    return took, len(problems), lasted


def without_a_pause(crowd: Crowd, seconds: float) -> None:
    print(f"{EAGER} who ask again as soon as they are answered")
    took, problems, lasted = read_for(crowd, EAGER, seconds, 0.0)
    name = f"{EAGER} reviewers without a pause"
    claim(f"{name}: pages a second", len(took) / lasted, "", at_least=AT_LEAST)
    claim(f"{name}: errors", problems, f"of {len(took)}", at_most=0)


def sixty(crowd: Crowd, seconds: float) -> None:
    print(f"{CROWD} who ask every {EVERY:.0f} seconds")
    took, problems, _ = read_for(crowd, CROWD, seconds, EVERY)
    name = f"{CROWD} reviewers, over the promise"
    claim(f"{name}: p95 reading", float(np.percentile(took, 95)), "s", peer="no limit is promised")
    claim(f"{name}: errors", problems, f"of {len(took)}", at_most=0)


def long_search(crowd: Crowd) -> None:
    """One person searches each list for letters that stand nowhere, while four others read."""
    searcher, *others = crowd.gather(5)
    crowd.told()
    is_over = threading.Event()
    terms = ["x" * LETTERS, "%a" * (LETTERS // 2), "kettle " * (LETTERS // 7)]

    def search() -> None:
        for page in SEARCHED:
            for words in terms:
                query = urlencode({"words": words})
                searcher.timed("search", lambda p=page, q=query: searcher.reading.look(p, q))
        is_over.set()

    def read_on(person: Person) -> None:
        while not is_over.is_set():
            person.act(saves=False)
            time.sleep(0.5)

    all_at_once([search, *(lambda p=each: read_on(p) for each in others)])  # type: ignore[misc]
    searched = [each.seconds for each in searcher.took]
    searcher.took = []
    took, problems = crowd.told()
    print(
        f"{len(searched)} searches for {LETTERS:,} letters: slowest {max(searched):.2f} s; others "
        f"meanwhile: n {len(took)}, slowest {max(took):.2f} s, {len(problems)} errors"
    )
    print(*problems[:5], sep="\n    ", flush=True)
    name = f"Search for {LETTERS:,} letters"
    claim(f"{name}: slowest of {len(searched)}", max(searched), "s", at_most=SEARCH)
    claim(f"{name}: slowest page of others", max(took), "s", at_most=OTHERS)
    claim(f"{name}: errors", len(problems), f"of {len(took) + len(searched)}", at_most=0)


def tabs(crowd: Crowd) -> None:
    """Memory before, with and after so many tabs, each with pages behind it."""
    crowd.leave()
    before = settled(crowd.server)
    for _ in range(TABS // EAGER):  # a tab that is open costs its session, not a thread here
        people = crowd.gather(len(crowd.people) + EAGER)[-EAGER:]
        all_at_once([lambda p=each: p.act(saves=False) for each in people])  # type: ignore[misc]
    opened = memory(crowd.server)
    took, problems = crowd.told()
    crowd.leave()
    after = settled(crowd.server)
    grown = 100 * (after - before) / before
    print(
        f"{TABS} tabs: {before:.0f} MB before, {opened:.0f} MB with them, {after:.0f} MB once they "
        f"are forgotten ({grown:+.0f} %); {len(problems)} errors"
    )
    print(*problems[:5], sep="\n    ", flush=True)
    claim(f"{TABS} tabs: memory of the app", opened, "MB", at_most=MEMORY)
    claim(f"{TABS} tabs: memory kept once they are closed", grown, "%", at_most=BACK_WITHIN)
    claim(f"{TABS} tabs: errors", len(problems), f"of {len(took)}", at_most=0)


def memory(server: Server) -> float:
    """Megabytes that the app holds now."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def settled(server: Server) -> float:
    """Memory once the app has had time to forget closed tabs, and does not fall any more."""
    time.sleep(2 * FORGOTTEN_AFTER + 2)
    last = memory(server)
    for _ in range(6):
        time.sleep(2)
        now = memory(server)
        if now > last * 0.99:
            return now
        last = now
    return last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labels", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=30)
    asked = parser.parse_args()
    os.environ["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = str(FORGOTTEN_AFTER)
    with ExitStack() as until_the_end:
        folder = Path(until_the_end.enter_context(tempfile.TemporaryDirectory()))
        place = make(folder / "store" / "plumbline.duckdb", asked.labels, None)
        server = Server(folder)
        until_the_end.callback(server.stop)
        crowd = Crowd(server, place)
        print(f"{asked.labels:,} labels", flush=True)
        without_a_pause(crowd, asked.seconds)
        long_search(crowd)
        sixty(crowd, asked.seconds)
        tabs(crowd)
        found = faults(server.log.read_text())
        print(f"faults in the app's log: {found}")
        claim("A crowd: faults in the app's log", found, "", at_most=0)


if __name__ == "__main__":
    main()
