"""A rerun, a double press or a closed tab in mid-save: saved whole or not at all, and it shows."""

import random
import time
from collections import Counter
from urllib.parse import urlencode

import pytest

from data.runs.queries import run_items, runs
from data.store.store import open_store
from tests.browser.conftest import Server
from tests.faults import people
from tests.faults.socket_person import SocketPerson
from tests.few import few
from tests.server_log import faults

FORM, NAME = "plumbline_rating_form", "plumbline_rater"
EVENTS = ("rerun", "twice", "closed")
SHEETS = """
select au.name, a.operation_id, count(*)
from annotations a
join authors au on au.author_no = a.author_no
where au.kind = 'rater' and au.name like 'socket %'
group by au.name, a.operation_id
"""


def prepare(path):
    path.parent.mkdir(parents=True)
    people.prepare(path)


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path, prepare)
    yield running
    if running.process.poll() is None:
        running.stop()
    assert not faults(running.log.read_text())


def place(server):
    """The address of one item's sheet; read before the server has the store, from its copy."""
    path = server.store.parent.parent / "copy.duckdb"
    people.prepare(path)
    store = open_store(path)
    run_id = str(runs(store)["run_id"][0])
    item_id = str(run_items(store, run_id, limit=1)["item_id"][0])
    store.close()
    return item_id


def opened(server, rater: str, query: str) -> SocketPerson:
    person = SocketPerson(server.url, "rate", query)
    person.send()
    person.wait()
    person.change(NAME, {"name": rater})
    person.wait()
    return person


def log_of(given) -> list[dict]:
    """Every sentence answered, then signed: what the form reports after the last key."""
    answer = {"value": "no_rad", "rationale": "", "comment": "", "excerpts": []}
    kinds = [{"kind": "set", "unit": u["id"], "state": {"label": answer}} for u in given["units"]]
    return [
        {"seq": seq, "id": f"{given['visit']}.{seq}", "seconds": 1.0, **said}
        for seq, said in enumerate([*kinds, {"kind": "sign", "unit": "", "times": {}}], start=1)
    ]


def disturb(person: SocketPerson, event: str, log: list[dict], wait: float) -> None:
    """Sign, and before it is answered do something else."""
    person.change(FORM, {"log": log})
    time.sleep(wait)
    if event == "closed":
        return person.hang_up()
    if event == "rerun":
        person.send()
    else:
        person.change(FORM, {"log": log})
    person.wait()
    return person.hang_up()


@pytest.mark.slow
@pytest.mark.parametrize("rounds", few([9, 100], 1))
def test_save_that_is_disturbed_is_whole_or_not_there_and_the_next_screen_says_which(
    server, rounds
):
    item_id, chance, signed = place(server), random.Random("reruns"), {}
    query = urlencode({"item": item_id})
    for nth in range(rounds):
        rater, event = f"socket {nth}", EVENTS[nth % len(EVENTS)]
        person = opened(server, rater, query)
        log = log_of(person.components[FORM]["given"])
        disturb(person, event, log, chance.uniform(0.02, 0.3))
        time.sleep(0.3 if event == "closed" else 0)  # a run that nobody sees may still end
        again = opened(server, rater, query)
        given = again.components[FORM]["given"]
        assert given["item"] == item_id
        signed[rater] = given["signed"]
        if event != "closed":
            assert given["signed"], (rater, event)
        again.hang_up()
    server.stop()
    store = open_store(server.store)
    with store.read() as cursor:
        sheets = cursor.execute(SHEETS).fetchall()
    store.close()
    assert Counter(name for name, _, _ in sheets) == Counter(
        rater for rater, is_signed in signed.items() if is_signed
    )
    assert {count for _, _, count in sheets} == {len(people.LABELS)}
    assert sum(signed.values()) >= rounds * 2 // 3
