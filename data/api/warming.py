"""Warming: what the first visitor of a large store would wait for is asked before they come."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from functools import partial
from threading import Thread

from data.agreement.pairs import compared, sides
from data.contradictions.contradictions import all_cases
from data.distributions.counts import labels, summaries
from data.items.filters import offered
from data.runs.queries import headlines, runs
from data.store.cache.incremental_cache import stamp_now
from data.store.store import Store
from data.triage.disagreements import all_disagreements
from faithfulness.judging.endpoint import openai_judge
from faithfulness.judging.request_priority import give_way
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY
from faithfulness.protocols import protocol

LARGE = 100_000  # annotations; of fewer a page finds everything in a tenth of a second
JUDGES = 8  # of each protocol; the tables of more would push out what was asked before
PATIENCE = 30.0  # seconds that each question waits for people who are served

_log = logging.getLogger(__name__)


def warm(store: Store) -> Thread:
    """Ask in a thread of its own, one question after the other; people who come go first."""
    asking = Thread(target=_ask_all, args=(store,), name="plumbline-warming", daemon=True)
    asking.start()
    return asking


def _ask_all(store: Store) -> None:
    # A store that is closed or damaged meanwhile is told of by whoever looks at it.
    with contextlib.suppress(ReviewError):
        if stamp_now(store).annotation < LARGE:
            return
        for ask in _questions(store):
            give_way(PATIENCE)
            ask()
        _log.info("the answers of a large store are at hand")


def _questions(store: Store) -> Iterator[Callable[[], object]]:
    several = (runs, headlines, offered, all_disagreements, all_cases, summaries)
    yield from (partial(ask, store) for ask in several)
    yield partial(labels, store, "")  # of one criterion as of all
    for key in dict.fromkeys(runs(store)["protocol"]):
        asked = protocol(key).criteria[0].key
        selection = Selection(protocol=key, criterion=asked)
        found = sides(store, selection)
        for judge in found.loc[found["kind"] == "judge", "side"].head(JUDGES):
            yield partial(compared, store, selection, asked, MAJORITY, judge)
    yield openai_judge.load
