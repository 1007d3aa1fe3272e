"""A batch on the screen: numbers about traps carry their n, while it runs and when it has ended."""

import json
import threading

import pytest
from streamlit.testing.v1 import AppTest

from data import batch_work, queries_batches
from data.batch_work import Order
from data.queries import run_items
from data.records import batches as stored
from faithfulness.judges.scripted_judge import ScriptedJudge
from faithfulness.pace import Pace
from faithfulness.prompt import trapped
from faithfulness.protocols import protocol
from tests.data.stored import save_drafts, sentence_draft
from tests.data.test_batches import finished
from tests.made_stores import new_store

GROUNDING = protocol("sentence_grounding")


@pytest.fixture
def store(tmp_path):
    made = new_store(tmp_path / "s.duckdb")
    yield made
    batch_work.stop_all()
    made.close()


def metrics(page, *args):
    test = AppTest.from_function(page, args=args).run(timeout=20)
    assert not test.exception
    return {each.label: each.value for each in test.metric}


def running(work):
    from components.batch_view import follow

    follow([work], may_steer=False)


def ended(*known):
    from components.batch_view import show_ended

    show_ended(*known, may_resume=False)


def praise(asked):
    """A reply that calls everything supported, the traps as well."""
    said = [
        {"mark": asked.mark, "id": each.id, "label": "supported"}
        for each in asked.seen.units_of(GROUNDING.unit)
    ]
    return "\n".join(map(json.dumps, said))


def test_who_fell_into_a_trap_is_told_of_how_many_replies(store):
    (run,) = save_drafts(store, [sentence_draft(number) for number in range(4)])
    third, go_on = threading.Event(), threading.Event()
    asked_so_far = []

    def scripted(asked, sample):
        asked_so_far.append(asked)
        if len(asked_so_far) == 3:
            third.set()
            assert go_on.wait(30)
        return praise(asked)

    items = list(run_items(store, run, limit=4)["item_id"])
    order = Order(
        run_id=run,
        item_ids=items,
        judge=ScriptedJudge(scripted),
        prompt=trapped(GROUNDING.prompt),
        pace=Pace(at_once=1),
    )
    work = batch_work.start(store, order)
    try:
        assert third.wait(30)
        assert metrics(running, work)["Fell into a trap"] == "2 of 2"
    finally:
        go_on.set()
    finished(work)
    about = stored.load_batch(store, work.batch_id)
    told = [
        each(store, work.batch_id)
        for each in (
            queries_batches.failed_items,
            queries_batches.unread_items,
            queries_batches.trapped_items,
        )
    ]
    assert metrics(ended, about, *told)["Fell into a trap"] == "4 of 4"
