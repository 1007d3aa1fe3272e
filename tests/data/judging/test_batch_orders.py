"""A script's order is carried out alike in its own process and through the door of the app."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette

from data.api.client import Desk, Here, find_desk
from data.api.server import Gate
from data.judging import batch_work
from data.runs import queries
from data.store.store import Store
from faithfulness.judging.offline.offline_judge import NAME, OfflineJudge
from faithfulness.model.errors import ReviewError
from tests.data.stored import save_drafts, sentence_draft
from tests.loopback_judge import LoopbackJudge
from tests.made_stores import new_store
from tests.run_commands import run_command

ITEMS = 8


def eight_items(store: Store) -> None:
    save_drafts(store, [sentence_draft(nth) for nth in range(ITEMS)])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = new_store(tmp_path / "s.duckdb", eight_items)
    yield opened
    batch_work.stop_all_batches()
    opened.close()


@pytest.fixture
def run(store: Store) -> str:
    return str(queries.runs(store).run_id[0])


@pytest.fixture(params=["here", "through the door"])
def desk(request: pytest.FixtureRequest, store: Store) -> Iterator[Desk]:
    if request.param == "here":
        yield Here(store)
        return
    gate = Gate(store=lambda: store)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(Starlette(routes=gate.routes()), log_level="error", lifespan="off")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    with gate.announced(store.path, f"http://127.0.0.1:{listener.getsockname()[1]}"):
        yield find_desk(store.path)
    server.should_exit = True
    thread.join(10)


def ended(desk: Desk, batch_id: str) -> dict:
    until = time.monotonic() + 60
    while (told := desk.judging(batch_id))["running"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    return told


def test_a_plan_warns_of_samples_at_temperature_0(desk, run):
    settings = {"model": "m", "address": "https://judge.example/v1", "temperature": "0"}
    order = {"run": run, "settings": settings, "samples": 3, "preview": True}
    assert desk.judge(order)["warning"].startswith("At temperature 0 the 3 samples")
    assert desk.judge(order | {"samples": 1})["warning"] == ""


def test_an_order_is_planned_carried_out_and_told(desk, run):
    order = {"run": run, "settings": dict(OfflineJudge().settings), "items": 5}
    planned = desk.judge(order | {"preview": True})
    assert "batch_id" not in planned
    assert (planned["judge"], planned["plan"]["items"], planned["plan"]["found"]) == (NAME, 5, 8)
    begun = desk.judge(order)
    told = ended(desk, begun["batch_id"])
    assert (told["done"], told["total"], told["state"]) == (5, 5, "finished")
    rest = desk.judge({"run": run, "settings": dict(OfflineJudge().settings)})
    assert (rest["plan"]["judged"], rest["plan"]["items"]) == (5, 3)
    assert ended(desk, rest["batch_id"])["done"] == 3
    assert "batch_id" not in desk.judge(order)


def test_a_stopped_order_is_resumed_with_the_judge_it_began_with(desk, run, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_JUDGE_ALLOW", "127.0.0.1")
    with LoopbackJudge(delay=0.2) as server:
        settings = {"address": server.base_url, "model": "good", "temperature": "0"}
        begun = desk.judge({"run": run, "settings": settings, "at_once": 1})
        while desk.judging(begun["batch_id"])["done"] < 2:
            time.sleep(0.05)
        stopped = desk.stop_judging(begun["batch_id"])
        assert not stopped["running"]
        assert 2 <= stopped["done"] < ITEMS
        desk.judge({"resume": begun["batch_id"]})
        assert ended(desk, begun["batch_id"])["done"] == ITEMS
        assert len(server.asked) <= ITEMS + 1


def test_an_order_that_cannot_be_carried_out_is_refused_in_words(desk, run):
    wrong = [
        {"run": "nowhere", "settings": {"model": NAME}},
        {"resume": "nothing"},
        {"settings": "offline"},
        {"settings": {"model": NAME}, "items": "many"},
        {"settings": {"model": NAME}, "at_once": [1]},
        {"settings": {"model": NAME}, "samples": 10**12},
        {"settings": {"model": "m", "address": "http://169.254.169.254/v1"}},
        {"settings": {"model": "m", "address": "file:///etc/passwd"}},
        {},
    ]
    for order in wrong:
        with pytest.raises(ReviewError):
            desk.judge({"run": run} | order)


def command(store: Path, *words: str, code: int = 0) -> str:
    return run_command("judge", "--store", store, *words, code=code)


def test_several_judges_are_asked_by_one_command(store, run, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_JUDGE_ALLOW", "127.0.0.1")
    store.close()
    with LoopbackJudge() as server:
        words = ("--address", server.base_url, "--model", "good", "--model", "no_model")
        told = json.loads(command(store.path, run, "--offline", *words, "--json", code=1))
    found = {each["judge"]: each for each in told["batches"]}
    assert found[NAME]["done"] == found["good"]["done"] == ITEMS
    assert (found["no_model"]["done"], found["no_model"]["state"]) == (0, "stopped")
    assert "knows no model" in found["no_model"]["reason"]
    assert found["good"]["unpriced"] == ITEMS


def test_the_command_says_count_tokens_and_cost_before_and_counts_after(store, run):
    store.close()
    said = command(store.path, run, "--offline", "--preview")
    assert f"{ITEMS} of {ITEMS} items to ask, 0 asked before" in said
    assert "cost: nothing" in said
    ended = command(store.path, run, "--offline")
    assert f"{ITEMS} of {ITEMS} items answered" in ended
    assert ended.splitlines()[-1].endswith("; cost: nothing")
    assert "0 of 8 items to ask, 8 asked before" in command(store.path, run, "--offline")
    assert "Name a judge" in command(store.path, run, code=2)
    words = ("--model", "m", "--address", "https://judge.example/v1", "--samples", "3", "--preview")
    assert "  At temperature 0 the 3 samples" in command(store.path, run, *words)
    assert "temperature" not in command(store.path, run, *words, "--temperature", "0.7")
    assert "Name the run" in command(store.path, "--offline", code=2)


def test_a_judge_whom_every_item_is_beyond_ends_the_command_with_1(store):
    (run,) = save_drafts(
        store, [sentence_draft(1)._replace(protocol="expert_rubric", said=[])], "rubric"
    )
    store.close()
    told = command(store.path, run, "--offline", code=1)
    assert "0 of 1 items answered, 0 with unread answers, 0 failed, 1 beyond this judge" in told
