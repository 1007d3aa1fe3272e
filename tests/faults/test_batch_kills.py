"""A batch that is killed ten times: sixty results, and nothing asked again that was stored."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from data.judging import batches
from data.runs import queries
from data.store.store import open_store
from tests.data.stored import save_drafts, sentence_draft
from tests.loopback_judge import LoopbackJudge, Request
from tests.made_stores import new_store

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 4


def item_of(request: Request) -> int:
    found = re.search(r"Question (\d+):", request.body["messages"][-1]["content"])
    assert found
    return int(found.group(1))


def command(store: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, ROOT / "cli.py", "judge", "--store", store, "--json", *words],
        cwd=ROOT,
        env=os.environ | {"PLUMBLINE_JUDGE_ALLOW": "127.0.0.1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stored_items(path: Path, run: str) -> tuple[str, set[int]]:
    """The batch, and the items whose replies are in the store, as it opens after a kill."""
    store = open_store(path)
    try:
        (batch,) = batches.load_batches(store)
        left = {each.item_id for each in batches.load_to_do(store, batch.batch_id)}
        rows = queries.run_items(store, run, limit=100).itertuples()
        done = {int(row.external_id.removeprefix("q")) for row in rows if row.item_id not in left}
        assert len(done) == batch.done
        return batch.batch_id, done
    finally:
        store.close()


def wait_for(server: LoopbackJudge, requests: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 120
    while len(server.asked) < requests and process.poll() is None:
        assert time.monotonic() < until, "the batch asks nothing"
        time.sleep(0.005)


def kill_once(path: Path, words: list[str], server: LoopbackJudge, chance: random.Random) -> set:
    """Let a batch ask some more, kill it, and say which items it asked about."""
    before = len(server.asked)
    process = command(path, *words)
    wait_for(server, before + chance.randint(2, 8), process)
    time.sleep(chance.uniform(0, 0.15))
    assert process.poll() is None, "the batch ended before it was killed"
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    return {item_of(each) for each in server.asked[before:]}


@pytest.mark.parametrize(
    ("items", "kills"), [(12, 1), pytest.param(60, 10, marks=pytest.mark.soak)]
)
def test_a_batch_killed_again_and_again_asks_nothing_that_is_stored(tmp_path, items, kills):
    path = tmp_path / "s.duckdb"
    store = new_store(path)
    (run,) = save_drafts(store, [sentence_draft(nth) for nth in range(items)])
    store.close()
    chance = random.Random("batch kills")
    done: set[int] = set()
    pace = ["--at-once", str(AT_ONCE)]
    with LoopbackJudge(delay=0.1) as server:
        words = [run, "--model", "good", "--address", server.base_url, *pace]
        for _ in range(kills):
            asked = kill_once(path, words, server, chance)
            assert not asked & done, "asked again after it was stored"
            batch_id, now_done = stored_items(path, run)
            assert done <= now_done
            done, words = now_done, ["--resume", batch_id, *pace]
        before = len(server.asked)
        said, problems = command(path, *words).communicate(timeout=120)
        told = json.loads(said)["batches"][0]
        assert (told["done"], told["total"], told["failed"]) == (items, items, 0), problems
        assert not {item_of(each) for each in server.asked[before:]} & done
        assert len(server.asked) <= items + kills * AT_ONCE
    check_whole(path, run, items)


def paid(path: Path) -> int:
    """The replies that the store has paid for, whole items and parts of them."""
    store = open_store(path)
    try:
        return batches.load_batches(store)[0].replies
    finally:
        store.close()


@pytest.mark.soak
@pytest.mark.slow
def test_samples_that_came_before_a_kill_are_not_asked_again(tmp_path):
    path = tmp_path / "s.duckdb"
    store = new_store(path)
    (run,) = save_drafts(store, [sentence_draft(nth) for nth in range(3)])
    store.close()
    pace = ["--at-once", "1"]
    with LoopbackJudge(delay=0.2) as server:
        judge = ["--model", "obedient:supported", "--address", server.base_url]
        words = [run, *judge, "--samples", "4", "--trap", *pace]
        for asked in (3, 7):  # in the middle of the first item, then of the second
            process = command(path, *words)
            wait_for(server, asked, process)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            # Of the calls made, one was under way; its reply may have come too late.
            assert len(server.asked) - 1 <= paid(path) <= len(server.asked)
            batch_id, _ = stored_items(path, run)
            words = ["--resume", batch_id, *pace]
            server.asked[paid(path) :] = []
        said, problems = command(path, *words).communicate(timeout=60)
        told = json.loads(said)["batches"][0]
        assert (told["done"], told["replies"], told["failed"]) == (3, 12, 0), problems
        assert [item_of(each) for each in server.asked] == [0] * 4 + [1] * 4 + [2] * 4
        # What came before a kill is read with the mark and the traps of its own call.
        assert (told["unread"], told["trapped"], told["kept"]) == (0, 12, 12)


def check_whole(path: Path, run: str, items: int) -> None:
    store = open_store(path)
    (author,) = queries.load_authors(store, run).to_dict("records")
    assert (author["author"], author["items"], author["answers"]) == ("good", items, 3 * items)
    with store.read() as cursor:
        rows = cursor.execute("select count(*), count(distinct group_id) from reply_facts")
        assert rows.fetchall() == [(items, items)]
    store.close()
