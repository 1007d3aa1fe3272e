"""A batch is written down before it asks, goes on where it ended, and asks nothing twice."""

import gc
import json
import threading
import time
import weakref
from pathlib import Path

import pytest

from components.judging.batch_list import format_batch_state
from data.items.loading import load_annotations
from data.judging import batch_work, batches_queries
from data.judging import batches as stored
from data.judging.batch_plans import BatchScope, plan_batch
from data.judging.batch_work import Order
from data.judging.replies import load_item_replies
from data.runs import queries
from data.runs.remove import remove_runs
from data.samples.first_start import fill
from data.store.cache import versions
from data.store.store import open_store
from data.store.write_roles import Guard
from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge
from faithfulness.judging.offline.offline_judge import OfflineJudge
from faithfulness.judging.pace import Pace
from faithfulness.judging.prices import cost, load_price_list
from faithfulness.model.access import PROGRAM, Role, Visitor
from faithfulness.model.errors import JudgeFailed, NotAllowed, ReviewError
from faithfulness.model.prompt import edit_prompt
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Reply
from faithfulness.protocols import protocol
from tests.data.stored import save_drafts, sentence_draft
from tests.loopback_judge import LoopbackJudge
from tests.made_stores import new_store
from tests.scripted_judge import ScriptedJudge

GROUNDING = protocol("sentence_grounding")
QUICK = Pace(first_wait=0.01)


def answered(asked, sample=0):
    units = asked.item.units_of(GROUNDING.unit)
    said = [
        {"mark": asked.mark, "id": each.id, "sentence": each.text, "label": "unsupported"}
        | {"rationale": "r", "excerpt": None}
        for each in units
    ]
    return "\n".join(map(json.dumps, said))


PRICED = next(iter(load_price_list().models))
ONE_REPLY = cost(PRICED, 1_000, 100)


def priced(asked):
    """A reply of a model whose price is known."""
    return Reply(
        text=answered(asked),
        model=PRICED,
        finish_reason="stop",
        fingerprint=asked.prompt.fingerprint,
        tokens_in=1_000,
        tokens_out=100,
    )


@pytest.fixture
def store(tmp_path: Path):
    found = new_store(tmp_path / "s.duckdb")
    yield found
    batch_work.stop_all_batches()
    found.close()


@pytest.fixture
def run(store) -> str:
    drafts = [
        sentence_draft(nth)._replace(attributes={"market": "de" if nth % 4 else "fr"})
        for nth in range(12)
    ]
    return save_drafts(store, drafts)[0]


def order(store, run, judge, **more):
    items = list(queries.run_items(store, run)["item_id"])
    facts = {"run_id": run, "item_ids": items, "judge": judge, "prompt": GROUNDING.prompt}
    return Order(**facts | {"pace": QUICK} | more)


def finished(work):
    work.wait(30)
    assert not work.running
    return work.progress()


def planned(store, run, judge, **more):
    return plan_batch(
        store,
        BatchScope(run_id=run, **more),
        protocol=GROUNDING,
        judge=judge,
        prompt=GROUNDING.prompt,
        samples=1,
    )


def test_the_baseline_judges_a_whole_run_and_is_an_author_in_it(store, run):
    work = batch_work.start_batch(store, order(store, run, OfflineJudge(), asked_by="ada"))
    assert finished(work).done == 12
    (batch,) = stored.load_batches(store)
    assert (batch.total, batch.done, batch.left, batch.failed) == (12, 12, 0, 0)
    assert (batch.state, batch.asked_by, batch.run_id) == ("finished", "ada", run)
    found = queries.load_authors(store, run)
    mine = found[found["author"] == OfflineJudge().author.name].iloc[0]
    assert (mine["items"], mine["answers"]) == (12, 36)


def test_a_stopped_batch_goes_on_with_what_is_missing_only(store, run):
    judge = ScriptedJudge(lambda a, s: time.sleep(0.05) or answered(a))
    work = batch_work.start_batch(store, order(store, run, judge, pace=Pace(at_once=1)))
    while work.progress().done < 3:
        time.sleep(0.01)
    work.stop()
    finished(work)
    (batch,) = stored.load_batches(store)
    assert 3 <= batch.done < 12
    assert (batch.state, batch.reason) == ("stopped", "Stopped by a person.")
    asked = len(judge.asked)
    assert finished(batch_work.resume_batch(store, batch.batch_id, judge)).done == 12 - batch.done
    ids = [each.item.id for each, _ in judge.asked]
    assert len(ids) - asked == 12 - batch.done
    assert len(set(ids)) == 12
    assert stored.load_batch(store, batch.batch_id).left == 0
    with pytest.raises(ReviewError, match="nothing to resume"):
        batch_work.resume_batch(store, batch.batch_id, judge)


def test_a_batch_outlives_the_store_that_was_closed_under_it(store, run, tmp_path):
    judge = ScriptedJudge(lambda a, s: time.sleep(0.05) or answered(a))
    work = batch_work.start_batch(store, order(store, run, judge, pace=Pace(at_once=2)))
    while work.progress().done < 2:
        time.sleep(0.01)
    batch_work.stop_all_batches()
    store.close()
    again = open_store(store.path)
    (batch,) = stored.load_batches(again)
    assert batch.reason == batch_work.CLOSING
    assert batch.left
    finished(batch_work.resume_batch(again, batch.batch_id, judge))
    assert stored.load_batch(again, batch.batch_id).left == 0
    again.close()


def test_the_same_judge_is_not_asked_twice_at_the_same_time(store, run):
    release = threading.Event()
    judge = ScriptedJudge(lambda a, s: release.wait(10) and answered(a))
    work = batch_work.start_batch(store, order(store, run, judge, asked_by="ada"), batch_id="b")
    with pytest.raises(ReviewError, match="asked about this run already by ada"):
        batch_work.start_batch(store, order(store, run, judge))
    assert batch_work.start_batch(store, order(store, run, judge), batch_id="b") is work
    other = ScriptedJudge(lambda a, s: answered(a), name="other")
    assert finished(batch_work.start_batch(store, order(store, run, other))).done == 12
    release.set()
    assert finished(work).done == 12
    assert len(judge.asked) == 12
    assert len(stored.load_batches(store)) == 2


def test_failures_are_kept_by_item_with_their_kind_and_words(store, run):
    def script(asked, sample):
        if asked.item.id < middle:
            return JudgeFailed("Too long: use another model.", kind="too_long")
        return answered(asked)

    ids = sorted(queries.run_items(store, run)["item_id"])
    middle = ids[5]
    work = batch_work.start_batch(store, order(store, run, ScriptedJudge(script)))
    assert finished(work).failed == {"too_long": 5}
    batch = stored.load_batch(store, work.batch_id)
    assert (batch.done, batch.failed, batch.state) == (7, 5, "finished")
    found = batches_queries.load_failed_items(store, work.batch_id)
    assert set(found["item_id"]) == set(ids[:5])
    assert set(found["kind"]) == {"too_long"}
    assert set(found["says"]) == {"Too long: use another model."}


def test_what_a_judge_cannot_judge_is_settled_and_never_asked_again(store, run):
    def script(asked, sample):
        if asked.item.id in never:
            return JudgeFailed("Cannot judge this.", kind="cannot_judge")
        return (
            JudgeFailed("Too long.", kind="too_long") if asked.item.id == long else answered(asked)
        )

    ids = sorted(queries.run_items(store, run)["item_id"])
    never, long = set(ids[:3]), ids[3]
    judge = ScriptedJudge(script)
    work = batch_work.start_batch(store, order(store, run, judge))
    finished(work)
    batch = stored.load_batch(store, work.batch_id)
    assert (batch.done, batch.failed, batch.beyond, batch.left) == (8, 1, 3, 1)
    assert [each.item_id for each in stored.load_to_do(store, work.batch_id)] == [long]
    long = ""
    assert finished(batch_work.resume_batch(store, work.batch_id, judge)).done == 1
    assert len(judge.asked) == 13
    batch = stored.load_batch(store, work.batch_id)
    assert (batch.failed, batch.beyond, batch.left) == (0, 3, 0)
    assert format_batch_state(batch, ()) == "finished · 3 cannot be judged by this judge"
    found = batches_queries.load_failed_items(store, work.batch_id)
    assert set(found["kind"]) == {"cannot_judge"}
    with pytest.raises(ReviewError, match="nothing to resume"):
        batch_work.resume_batch(store, work.batch_id, judge)


def test_unread_replies_are_stored_and_listed_with_their_words(store, run):
    judge = ScriptedJudge(lambda a, s: "I would rather not say.")
    work = batch_work.start_batch(store, order(store, run, judge))
    assert finished(work).unread == 12
    batch = stored.load_batch(store, work.batch_id)
    assert (batch.done, batch.unread, batch.left) == (12, 12, 0)
    found = batches_queries.load_unread_items(store, work.batch_id)
    assert len(found) == 12
    assert set(found["reply"]) == {"I would rather not say."}
    (reply,) = load_item_replies(store, run, found["item_id"].iloc[0])
    assert reply.text == "I would rather not say."


def test_a_plan_leaves_out_what_the_same_judge_said_with_the_same_prompt(store, run):
    judge = OfflineJudge()
    first = planned(store, run, judge)
    assert (first.found, first.judged, len(first.item_ids), first.cost) == (12, 0, 12, 0.0)
    few = order(store, run, judge)
    finished(batch_work.start_batch(store, order(store, run, judge, item_ids=few.item_ids[:5])))
    after = planned(store, run, judge)
    assert (after.found, after.judged, len(after.item_ids)) == (12, 5, 7)
    assert len(planned(store, run, judge, ask_again=True).item_ids) == 12
    assert planned(store, run, ScriptedJudge([], name="other")).judged == 0


def test_a_plan_samples_at_random_or_evenly_and_follows_the_selection(store, run):
    judge = ScriptedJudge([])
    even = planned(store, run, judge, items=6, evenly_over="market")
    assert dict(even.per_slice) == {"fr": 3, "de": 3}
    assert batches_queries.load_slice_keys(store, run) == ["market"]
    assert len(planned(store, run, judge, items=4).item_ids) == 4
    assert (
        planned(store, run, judge, items=4).item_ids == planned(store, run, judge, items=4).item_ids
    )
    chosen = planned(store, run, judge, selection=Selection(slices=(("market", "fr"),)))
    assert (chosen.found, len(chosen.item_ids)) == (3, 3)


def test_a_plan_tells_tokens_and_an_unknown_cost(store, run):
    told = planned(store, run, ScriptedJudge([], name="nobody knows it"))
    assert told.cost is None
    assert told.tokens_in > 12 * 100
    assert told.weighed == 12
    known = planned(store, run, ScriptedJudge([], name="gpt-4o"))
    assert known.cost
    assert known.cost > 0


def test_a_plan_counts_the_items_whose_text_speaks_to_the_judge(store, run):
    fill(store)
    runs = queries.runs(store)
    sample = runs[(runs["system"] == "shop-assistant-a") & (runs["protocol"] == GROUNDING.key)]
    told = planned(store, str(sample["run_id"].iloc[0]), ScriptedJudge([]))
    assert (told.addressed, told.weighed) == (2, 16)
    assert planned(store, run, ScriptedJudge([])).addressed == 0


def test_samples_are_kept_and_asked_as_often_as_said(store, run):
    judge = ScriptedJudge(lambda a, s: answered(a))
    work = batch_work.start_batch(store, order(store, run, judge, samples=3))
    assert finished(work).replies == 36
    assert stored.load_batch(store, work.batch_id).replies == 36
    item = queries.run_items(store, run)["item_id"].iloc[0]
    (answer, *_) = [
        each.answer for each in load_annotations(store, item, run) if each.author == judge.author
    ]
    assert (answer.value, answer.confidence) == ("unsupported", None)


def test_another_judge_cannot_take_over_a_batch(store, run):
    work = batch_work.start_batch(store, order(store, run, ScriptedJudge(lambda a, s: answered(a))))
    finished(work)
    with pytest.raises(ReviewError, match="Start a new batch"):
        batch_work.resume_batch(store, work.batch_id, ScriptedJudge([], name="other"))


def test_an_ended_batch_forgets_its_judge_and_keeps_its_numbers(store, run):
    judge = ScriptedJudge(answered, name="with a key")
    gone = weakref.ref(judge)
    work = batch_work.start_batch(store, order(store, run, judge))
    del judge
    assert finished(work).done == 12
    gc.collect()
    assert gone() is None
    assert batch_work.find_batch(work.batch_id) is work
    told = work.progress()
    assert (told.done, told.replies, told.ended.ending) == (12, 12, "finished")
    for press in (work.pause, work.go_on, work.stop):
        press()  # a page drawn before the end may still send one
    assert stored.load_batch(store, work.batch_id).state == "finished"


def test_only_whoever_may_begin_a_batch_may_pause_or_stop_it(store, run):
    held = threading.Event()

    def slowly(asked, sample=0):
        held.wait(10)
        return answered(asked)

    work = batch_work.start_batch(store, order(store, run, ScriptedJudge(slowly)))
    visitor = Visitor(name="rob@desk.example", role=Role.RATER)
    here = threading.get_ident()
    free = store.guard
    store.guard = Guard(lambda: visitor if threading.get_ident() == here else PROGRAM)
    for press in (work.pause, work.go_on, work.stop):
        with pytest.raises(NotAllowed, match="needs the role admin"):
            press()
    assert not work.progress().paused
    store.guard = free
    held.set()
    assert finished(work).done == 12


def lose(store, item_id):
    """Take an item out of its run behind everybody's back, so that nothing can be kept of it."""
    gone = (
        "delete from run_items where item_no in (select item_no from items where item_id = $item)"
    )

    def work(cursor):
        cursor.execute(gone, {"item": item_id})

    store.write("lost", "test", work)


def test_an_item_that_cannot_be_kept_fails_alone_and_is_not_paid_again(store, run):
    judge = ScriptedJudge(answered)
    chosen = order(store, run, judge)
    lose(store, chosen.item_ids[4])
    work = batch_work.start_batch(store, chosen)
    told = finished(work)
    assert (told.done, dict(told.failed), told.ended.ending) == (11, {"not_kept": 1}, "finished")
    batch = stored.load_batch(store, work.batch_id)
    assert (batch.done, batch.failed, batch.state) == (11, 1, "finished")
    assert batch.replies == len(judge.asked) == 12
    with store.read() as cursor:
        (said,) = cursor.execute("select text from batch_events where kind = 'failed'").fetchone()
    assert said.startswith("not_kept: ")
    again = ScriptedJudge(answered)
    finished(batch_work.resume_batch(store, work.batch_id, again, QUICK))
    assert again.asked == []


def test_samples_that_came_before_a_stop_are_not_asked_again(store, run):
    def third_fails(asked, sample):
        return JudgeFailed("no key", kind="key") if sample == 2 else priced(asked)

    work = batch_work.start_batch(
        store, order(store, run, ScriptedJudge(third_fails), samples=3, pace=Pace(at_once=1))
    )
    assert finished(work).done == 0
    (batch,) = stored.load_batches(store)
    assert (batch.done, batch.replies, batch.unpriced) == (0, 2, 0)
    assert batch.cost == pytest.approx(2 * ONE_REPLY)
    judge = ScriptedJudge(lambda asked, sample: priced(asked))
    assert finished(batch_work.resume_batch(store, work.batch_id, judge, QUICK)).done == 12
    assert len(judge.asked) == 36 - 2
    (batch,) = stored.load_batches(store)
    assert (batch.done, batch.replies, batch.unread) == (12, 36, 0)
    assert batch.cost == pytest.approx(36 * ONE_REPLY)


def test_paid_samples_and_failed_items_leave_every_kept_answer_as_it_is(store, run):
    seen = set()

    def third_fails(asked, sample):
        seen.add(store.version())
        return JudgeFailed("too long", kind="too_long") if sample == 2 else priced(asked)

    work = batch_work.start_batch(store, order(store, run, ScriptedJudge(third_fails), samples=3))
    assert finished(work).failed == {"too_long": 12}
    assert stored.load_batches(store)[0].replies == 24
    assert len(seen | {store.version()}) == 1


def test_the_last_replies_are_seen_when_a_batch_has_ended(store, run, monkeypatch):
    monkeypatch.setattr(versions, "SOON", 3600.0)
    seen = []

    def heard(asked, sample):
        seen.append(store.version())
        return priced(asked)

    assert (
        finished(batch_work.start_batch(store, order(store, run, ScriptedJudge(heard)))).done == 12
    )
    assert store.version() == max(seen) + 1


def test_another_time_limit_is_no_other_judge(store, run, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_JUDGE_ALLOW", "127.0.0.1")
    with LoopbackJudge() as server:
        address = {"base_url": server.base_url, "model": "good"}
        first, patient, warm = (
            OpenAIJudge(Endpoint(**address, **more))
            for more in ({"wall_seconds": 20}, {"wall_seconds": 60}, {"temperature": 0.7})
        )
        some = order(store, run, first).item_ids[:5]
        work = batch_work.start_batch(store, order(store, run, first, item_ids=some))
        assert finished(work).done == 5
        assert planned(store, run, patient).judged == 5
        assert planned(store, run, warm).judged == 0
        with pytest.raises(ReviewError, match="nothing to resume"):
            batch_work.resume_batch(store, work.batch_id, patient)
        with pytest.raises(ReviewError, match="other settings"):
            batch_work.resume_batch(store, work.batch_id, warm)
        for each in (first, patient, warm):
            each.close()


def test_an_empty_batch_is_refused(store, run):
    with pytest.raises(ReviewError, match="no item to ask"):
        batch_work.start_batch(store, order(store, run, OfflineJudge(), item_ids=()))


def test_a_removed_run_ends_its_batch_and_leaves_the_list(store, run):
    judge = ScriptedJudge(lambda a, s: time.sleep(0.05) or answered(a))
    work = batch_work.start_batch(store, order(store, run, judge, pace=Pace(at_once=1)))
    while work.progress().done < 2:
        time.sleep(0.01)
    remove_runs(store, run_ids=[run], removed_by="ada", operation_id="gone")
    ended = finished(work).ended
    assert ended.ending == "stopped"
    assert "removed" in ended.reason
    assert stored.load_batches(store) == []


def test_why_a_prompt_was_edited_is_kept_even_when_the_batch_asks_nothing(store, run):
    prompt = edit_prompt(GROUNDING.prompt, system="Be strict.", template=GROUNDING.prompt.template)
    made = {"based_on": GROUNDING.prompt.fingerprint, "note": "was too mild", "made_by": "ada"}

    def no_key(asked, sample):
        raise JudgeFailed("no", kind="key")

    judge = ScriptedJudge(no_key, name="m")
    work = batch_work.start_batch(store, order(store, run, judge, prompt=prompt, edited=made))
    finished(work)
    with store.read() as cursor:
        notes = cursor.execute("select based_on, note, made_by from prompt_notes").fetchall()
    assert notes == [tuple(made.values())]
    again = batch_work.resume_batch(store, work.batch_id, ScriptedJudge(answered, name="m"), QUICK)
    assert finished(again).done == 12
    with store.read() as cursor:
        assert cursor.execute("select count(*) from prompt_notes").fetchall() == [(1,)]
