"""Killed while people rate, decide and meet: every acknowledged save is there, none is half."""

import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from data.store.journal import read_journal
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from tests.faults import people
from tests.faults.test_kills import acknowledged, kill_and_check

_log = logging.getLogger(__name__)


@pytest.mark.slow
@pytest.mark.timeout(3600)  # a machine may be busy
@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.soak)])
def test_kills_among_people_lose_nothing_that_was_acknowledged(tmp_path, kills):
    modes = ("plain", "checkpoint")
    for mode in modes:
        (tmp_path / mode).mkdir()
        people.prepare(tmp_path / mode / "s.duckdb")
    with ThreadPoolExecutor(len(modes)) as pool:
        drills = [
            pool.submit(kill_and_check, mode, kills, tmp_path / mode, people) for mode in modes
        ]
        assert [line for drill in drills for line in drill.result()] == []
    saved = sum((kinds_saved(tmp_path / mode) for mode in modes), Counter())
    _log.info("%s kills, acknowledged and found whole: %s", kills * len(modes), dict(saved))
    assert set(saved) == set(people.LEAVES)


def kinds_saved(folder: Path) -> Counter:
    """How many of each kind were acknowledged; the journal that tells about them is whole."""
    store = open_store(folder / "s.duckdb")
    with store.read() as cursor:
        kinds = dict(cursor.execute(people.OPERATIONS).fetchall())
    store.close()
    assert read_journal(get_sidecar_path(folder / "s.duckdb", "journal")).complaints == ()
    # A draft is acknowledged by its last step.
    return Counter(kinds.get(name, "draft") for name in acknowledged(folder / "acknowledged"))
