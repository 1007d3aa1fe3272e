"""A batch asks every item once, keeps to its pace, and ends where going on makes no sense."""

import threading
import time
from functools import partial

import pytest

from faithfulness.judging import pace
from faithfulness.judging.batch import IN_A_ROW, Batch, Ending, Task
from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge
from faithfulness.judging.judge import question
from faithfulness.judging.pace import Pace
from faithfulness.model.errors import JudgeFailed, NotSaved
from faithfulness.protocols import protocol
from tests.example_items import example_of
from tests.loopback_judge import LoopbackJudge
from tests.scripted_judge import ScriptedJudge

KEY = "comparative_summary"
SCORE = "It holds.\n{mark}\nScore- <score>4</score>"
QUICK = Pace(first_wait=0.02)
ALONE = Pace(at_once=1, first_wait=0.02)


def tasks(count: int) -> list[Task]:
    ask = partial(question, protocol(KEY), example_of(protocol(KEY))[0])
    return [Task(f"item {nth}", ask) for nth in range(count)]


def answered(asked, sample):
    return SCORE.format(mark=asked.mark)


class Kept:
    """What a batch handed over."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self.values: list[str | None] = []
        self.failed: list[tuple[str, str]] = []

    def keep(self, task, asked, samples, settled):
        self.items.append(task.key)
        self.values += [each.value for each in settled.answers]

    def fail(self, task, failure):
        self.failed.append((task.key, failure.kind))


def batch(count, judge, kept, **more):
    return Batch(tasks(count), judge, keep=kept.keep, failed=kept.fail, **{"pace": QUICK} | more)


def fails(kind, times=10**6, **more):
    left = [times]

    def script(asked, sample):
        left[0] -= 1
        if left[0] >= 0:
            return JudgeFailed(f"failed: {kind}", kind=kind, **more)
        return answered(asked, sample)

    return ScriptedJudge(script)


def test_every_item_is_asked_once_and_kept():
    kept, judge = Kept(), ScriptedJudge(answered)
    whole = batch(25, judge, kept)
    assert whole.run() == (Ending.FINISHED, "")
    assert sorted(kept.items) == sorted(each.key for each in tasks(25))
    assert kept.values == ["4"] * 25
    assert len(judge.asked) == 25
    told = whole.progress()
    assert (told.done, told.left, told.unread, told.replies, told.unpriced) == (25, 0, 0, 25, 25)
    assert told.per_minute
    assert told.per_minute > 0


def test_an_empty_batch_is_finished():
    assert batch(0, ScriptedJudge(answered), Kept()).run().ending is Ending.FINISHED


def test_samples_are_settled_and_counted():
    def differing(asked, sample):
        score = 2 if sample == 0 else 5
        return f"It holds.\n{asked.mark}\nScore- <score>{score}</score>"

    kept, judge = Kept(), ScriptedJudge(differing)
    whole = batch(3, judge, kept, samples=3)
    whole.run()
    assert kept.values == ["5", "5", "5"]
    assert whole.progress().replies == len(judge.asked) == 9


def test_an_unreadable_reply_is_kept_and_counted_as_unread():
    kept = Kept()
    whole = batch(4, ScriptedJudge(lambda asked, sample: "no idea"), kept)
    assert whole.run().ending is Ending.FINISHED
    assert kept.values == [None] * 4
    assert (whole.progress().done, whole.progress().unread) == (4, 4)


def test_as_many_are_asked_at_once_as_the_pace_says():
    under_way, most, lock = [0], [0], threading.Lock()

    def slow(asked, sample):
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        time.sleep(0.03)
        with lock:
            under_way[0] -= 1
        return answered(asked, sample)

    batch(30, ScriptedJudge(slow), Kept(), pace=Pace(at_once=6)).run()
    assert most[0] == 6


def test_calls_a_minute_are_kept_to():
    began = time.monotonic()
    batch(6, ScriptedJudge(answered), Kept(), pace=Pace(at_once=3, per_minute=1200)).run()
    assert time.monotonic() - began >= 5 * 60 / 1200


def test_beside_several_people_a_judge_is_asked_less_often(monkeypatch):
    monkeypatch.setattr(pace, "several_at_work", lambda: True)
    monkeypatch.setattr(pace, "BESIDE_PEOPLE", 0.05)
    began = time.monotonic()
    batch(6, ScriptedJudge(answered), Kept(), pace=Pace(at_once=3)).run()
    assert time.monotonic() - began >= 5 * 0.05
    began = time.monotonic()
    batch(3, ScriptedJudge(answered), Kept(), pace=Pace(at_once=3, per_minute=600)).run()
    assert time.monotonic() - began >= 2 * 0.1  # what was asked for is never exceeded


@pytest.mark.parametrize("kind", ["quota", "key", "model", "address"])
def test_what_fails_for_everybody_ends_the_batch_after_one_call(kind):
    kept, judge = Kept(), fails(kind)
    ending, reason = batch(50, judge, kept, pace=Pace(at_once=8)).run()
    assert (ending, reason) == (Ending.STOPPED, f"failed: {kind}")
    assert len(judge.asked) == 1
    assert kept.failed == [(kept.failed[0][0], kind)]


def test_a_burst_of_faults_is_waited_out_with_growing_waits():
    kept, judge = Kept(), fails("server", times=3, may_retry=True)
    began = time.monotonic()
    assert batch(5, judge, kept, pace=Pace(at_once=1, first_wait=0.05)).run().ending == "finished"
    assert time.monotonic() - began >= 0.05 + 0.1 + 0.2
    assert len(kept.items) == 5
    assert len(judge.asked) == 8
    assert kept.failed == []


def test_faults_for_good_end_the_batch_within_twenty_calls():
    kept, judge = Kept(), fails("server", may_retry=True, may_be_paid=True)
    whole = batch(60, judge, kept, pace=Pace(at_once=4, first_wait=0.001))
    ending, reason = whole.run()
    assert ending is Ending.STOPPED
    assert reason.startswith(f"{IN_A_ROW} items in a row failed")
    assert len(judge.asked) <= 20
    assert whole.progress().maybe_paid == len(kept.failed)


def test_a_timeout_is_not_paid_for_twice_by_itself():
    kept, judge = Kept(), fails("timeout", times=1, may_retry=True, may_be_paid=True)
    whole = batch(3, judge, kept)
    assert whole.run().ending is Ending.FINISHED
    assert len(judge.asked) == 3
    assert whole.progress().failed == {"timeout": 1}
    assert whole.progress().maybe_paid == 1


@pytest.mark.parametrize("kind", ["too_long", "cannot_judge"])
def test_items_that_cannot_be_judged_do_not_end_the_batch(kind):
    kept, judge = Kept(), fails(kind, times=9)
    assert batch(12, judge, kept).run().ending is Ending.FINISHED
    assert (len(kept.items), len(kept.failed)) == (3, 9)


def test_the_wait_that_an_endpoint_asks_for_holds_for_everybody():
    times, limited = [], threading.Event()

    def script(asked, sample):
        times.append(time.monotonic())
        if len(times) == 5 and not limited.is_set():
            limited.set()
            return JudgeFailed("slow down", kind="rate_limit", retry_after=0.4, may_retry=True)
        time.sleep(0.01)
        return answered(asked, sample)

    kept = Kept()
    assert batch(20, ScriptedJudge(script), kept).run().ending is Ending.FINISHED
    assert len(kept.items) == 20
    refused = times[4]
    early = [each for each in times if refused + 0.05 < each < refused + 0.4]
    assert early == []
    assert times[-1] > refused + 0.4


def test_a_longer_wait_than_anybody_waits_pauses_the_batch_after_one_call():
    kept = Kept()
    judge = fails("rate_limit", may_retry=True, retry_after=3600.0)
    ending, reason = batch(30, judge, kept).run()
    assert ending is Ending.PAUSED
    assert "Nothing is asked before" in reason
    assert "UTC" in reason
    assert len(judge.asked) == 1


def test_a_pause_keeps_what_is_under_way_and_asks_nothing_new():
    kept, judge = Kept(), ScriptedJudge(lambda a, s: time.sleep(0.02) or answered(a, s))
    whole = batch(100, judge, kept)
    runner = threading.Thread(target=whole.run)
    runner.start()
    while len(kept.items) < 10:
        time.sleep(0.005)
    whole.pause()
    time.sleep(0.1)
    count = len(judge.asked)
    assert len(kept.items) == count < 100
    assert whole.progress().paused
    time.sleep(0.1)
    assert len(judge.asked) == count
    whole.go_on()
    runner.join(20)
    assert len(kept.items) == 100


def test_a_stop_ends_at_once_and_leaves_the_rest_to_do():
    kept, judge = Kept(), ScriptedJudge(lambda a, s: time.sleep(0.02) or answered(a, s))
    whole, ended = batch(500, judge, kept), []
    runner = threading.Thread(target=lambda: ended.append(whole.run()))
    runner.start()
    while len(kept.items) < 8:
        time.sleep(0.005)
    whole.stop("enough")
    runner.join(2)
    assert ended == [(Ending.STOPPED, "enough")]
    assert len(kept.items) == len(judge.asked) < 500
    assert kept.failed == []
    assert whole.progress().left == 500 - len(kept.items)


def test_a_call_that_was_stopped_on_the_wire_may_be_charged_for():
    kept = Kept()
    whole = batch(3, fails("stopped", times=1, may_be_paid=True), kept, pace=ALONE)
    whole.run()
    told = whole.progress()
    assert (told.done, dict(told.failed), told.maybe_paid) == (2, {}, 1)


def test_a_store_that_refuses_ends_the_batch_before_more_is_paid():
    def refuse(task, asked, samples, settled):
        raise NotSaved("Not saved: the disk is full.")

    judge = ScriptedJudge(answered)
    whole = Batch(tasks(40), judge, keep=refuse, pace=ALONE)
    assert whole.run() == (Ending.STOPPED, "Not saved: the disk is full.")
    assert len(judge.asked) == 1


def test_an_unexpected_error_stays_loud():
    def broken(asked, sample):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        batch(40, ScriptedJudge(broken), Kept()).run()


@pytest.mark.parametrize(
    ("model", "ending", "most"),
    [
        ("good", Ending.FINISHED, 12),
        ("server*3", Ending.FINISHED, 15),
        ("rate_limit:1*1", Ending.FINISHED, 13),
        ("rate_limit:300", Ending.PAUSED, 1),
        ("quota", Ending.STOPPED, 1),
        ("bad_key", Ending.STOPPED, 1),
        ("no_model", Ending.STOPPED, 1),
        ("server", Ending.STOPPED, 20),
        ("html", Ending.STOPPED, 8),
        ("too_long", Ending.FINISHED, 12),
        ("refusal", Ending.FINISHED, 12),
    ],
)
def test_through_the_real_client_each_fault_ends_as_designed(
    model, ending, most, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PLUMBLINE_JUDGE_ALLOW", "127.0.0.1")
    kept = Kept()
    with LoopbackJudge() as server:
        judge = OpenAIJudge(Endpoint(base_url=server.base_url, model=model, structured="text"))
        began = time.monotonic()
        whole = batch(12, judge, kept)
        ended = whole.run()
        judge.close()
        assert ended.ending is ending, ended
        assert len(server.asked) <= most
    if model == "rate_limit:1*1":
        assert time.monotonic() - began >= 1
    if model == "refusal":
        assert whole.progress().unread == 12


def test_a_hanging_endpoint_is_left_within_two_seconds_of_a_stop(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_JUDGE_ALLOW", "127.0.0.1")
    with LoopbackJudge() as server:
        judge = OpenAIJudge(Endpoint(base_url=server.base_url, model="hang"))
        whole = batch(5, judge, Kept())
        runner = threading.Thread(target=whole.run)
        runner.start()
        while not server.asked:
            time.sleep(0.01)
        began = time.monotonic()
        whole.stop()
        runner.join(10)
        assert time.monotonic() - began < 2
        judge.close()


def test_a_paused_batch_can_be_stopped():
    whole = batch(20, ScriptedJudge(answered), Kept())
    whole.pause()
    runner = threading.Thread(target=whole.run)
    runner.start()
    time.sleep(0.2)
    assert whole.progress().done == 0
    whole.stop("enough")
    runner.join(5)
    assert not runner.is_alive()
    assert whole.progress().ended == (Ending.STOPPED, "enough")
