"""A batch on the screen: numbers about traps carry their n, while it runs and when it has ended."""

import json
import threading

import pytest
from streamlit.testing.v1 import AppTest

from data.api.commands_judge import _format_ending
from data.judging import batch_work, batches_queries
from data.judging import batches as stored
from data.judging.batch_orders import load_batch_state
from data.judging.batch_work import Order
from data.runs.queries import run_items
from faithfulness.judging.pace import Pace
from faithfulness.model.prompt import add_trap_version
from faithfulness.model.vocabulary import Reply
from faithfulness.protocols import protocol
from tests.data.judging.test_batches import finished
from tests.data.stored import save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.scripted_judge import ScriptedJudge

GROUNDING = protocol("sentence_grounding")


@pytest.fixture
def store(tmp_path):
    made = new_store(tmp_path / "s.duckdb")
    yield made
    batch_work.stop_all_batches()
    made.close()


def drawn(page, *args):
    test = AppTest.from_function(page, args=args).run(timeout=20)
    assert not test.exception
    facts = {each.label: each.value for each in test.metric}
    return facts, "\n".join(str(each.value) for each in test.caption)


def running(work):
    from components.judging.batch_view import follow

    follow([work], may_steer=False)


def ended(*known):
    from components.judging.batch_view import show_ended

    show_ended(*known, may_resume=False)


def praise(asked):
    """A reply that calls everything supported, the traps as well."""
    said = [
        {"mark": asked.mark, "id": each.id, "label": "supported"}
        for each in asked.seen.units_of(GROUNDING.unit)
    ]
    return "\n".join(map(json.dumps, said))


def test_who_fell_into_a_trap_is_told_of_how_many_replies(store):
    (run,) = save_drafts(store, [sentence_draft(number) for number in range(5)])
    fourth, go_on = threading.Event(), threading.Event()
    asked_so_far = []

    def scripted(asked, sample):
        asked_so_far.append(asked)
        if len(asked_so_far) == 2:
            return Reply(text="No.", finish_reason="refusal")
        if len(asked_so_far) == 4:
            fourth.set()
            assert go_on.wait(30)
        return praise(asked)

    items = list(run_items(store, run, limit=5)["item_id"])
    order = Order(
        run_id=run,
        item_ids=items,
        judge=ScriptedJudge(scripted),
        prompt=add_trap_version(GROUNDING.prompt),
        pace=Pace(at_once=1),
    )
    work = batch_work.start_batch(store, order)
    try:
        assert fourth.wait(30)
        facts, said = drawn(running, work)
        assert facts["Fell into a trap"] == "2 of 2"
        assert "Traps: not answered in 1 of 3 replies" in said
    finally:
        go_on.set()
    finished(work)
    about = stored.load_batch(store, work.batch_id)
    told = [
        each(store, work.batch_id)
        for each in (
            batches_queries.load_failed_items,
            batches_queries.load_unread_items,
            batches_queries.load_trapped_items,
        )
    ]
    facts, said = drawn(ended, about, *told)
    assert facts["Fell into a trap"] == "4 of 4"
    assert "Traps: not answered in 1 of 5 replies" in said
    (line,) = [
        each for each in _format_ending(load_batch_state(store, work.batch_id)) if "Traps" in each
    ]
    assert "4 of 4 replies answered one wrongly; 1 more answered none" in line
