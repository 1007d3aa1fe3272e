"""A rerun that is kept: every sample stored, the settled answers signed, nothing twice."""

import json
import shutil
from contextlib import contextmanager
from dataclasses import replace

import duckdb
import pandas as pd
import pytest

from data.items.loading import load_annotations, load_item
from data.judging import judging_queries
from data.judging.asked_items import AskedItems
from data.judging.batches import open_batch
from data.judging.replies import load_item_replies
from data.judging.save_rerun import keep_rerun
from data.meetings.adjudicate import adjudicate
from data.runs import queries
from data.runs.remove import remove_runs
from data.store import migrating
from data.store.journal import SIGNED, Journal, read_journal
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from faithfulness.judging import rerun
from faithfulness.judging.judge import JudgeQuestion, question
from faithfulness.judging.offline.offline_judge import NAME, OfflineJudge
from faithfulness.model.errors import ReviewError
from faithfulness.model.prompt import edit_prompt
from faithfulness.model.vocabulary import Answer, Reply, Tier
from faithfulness.protocols import protocol
from tests.data.stored import ADA, EVE, save_drafts, sentence_draft, stored_findings
from tests.older_stores import downgrade_store
from tests.scripted_judge import ScriptedJudge

RULES = protocol("sentence_grounding")
GOOD = ("supported", "contradictory", "no_rad")


@pytest.fixture
def place(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    return run_id, str(queries.run_items(store, run_id)["item_id"].iloc[0])


def ask(store, sql):
    with store.read() as cursor:
        return cursor.execute(sql).fetchall()


@contextmanager
def open_copy(store):
    """The same store once more, as it is now."""
    store.checkpoint()
    folder = store.path.with_name("copy")
    folder.mkdir()
    for each in store.path.parent.glob(f"{store.path.name}*"):
        if each.is_file() and not each.name.endswith(".lock"):
            shutil.copy(each, folder)
    copy = open_store(folder / store.path.name)
    try:
        yield copy
    finally:
        copy.close()
        shutil.rmtree(folder)


def reply(question: JudgeQuestion, labels: tuple[str, ...], tokens: int | None = 100) -> Reply:
    lines = [
        {
            "mark": question.mark,
            "id": unit.id,
            "sentence": unit.text,
            "label": label,
            "rationale": f"because of {label}",
            "excerpt": "Its price is $45.00." if label != "no_rad" else None,
        }
        for unit, label in zip(question.item.units_of(RULES.unit), labels, strict=True)
    ]
    return Reply(
        text="\n".join(map(json.dumps, lines)),
        model="gpt-test",
        finish_reason="stop",
        fingerprint=question.prompt.fingerprint,
        tokens_in=tokens,
        tokens_out=20,
        seconds=0.5,
    )


def judged(store, place, *labels, prompt=None, name="gpt-test"):
    """Samples with these labels, as a judge of this name gave them."""
    asked = question(RULES, load_item(store, place[1]), prompt)
    judge = ScriptedJudge(lambda asked, number: reply(asked, labels[number]), name=name)
    return judge, rerun.ask_judge(asked, judge, samples=len(labels)), asked


def keep(store, place, judge, samples, prompt, operation_id="one", **more):
    return keep_rerun(
        store,
        run_id=place[0],
        item_id=place[1],
        author=judge.author,
        samples=samples,
        settled=rerun.settle_samples(samples, RULES),
        prompt=prompt,
        settings={"model": judge.author.name, "host": "127.0.0.1:9", **judge.settings},
        operation_id=operation_id,
        group_id=f"group-{operation_id}",
        **more,
    )


def current(store, place, author):
    found = load_annotations(store, place[1], place[0])
    return {each.answer.unit_id: each for each in found if each.author == author}


def test_all_samples_are_stored_and_what_they_settle_is_signed(store, place):
    labels = [("supported", "contradictory", "no_rad"), *[("supported", "supported", "no_rad")] * 2]
    judge, samples, asked = judged(store, place, *labels)
    numbers = keep(store, place, judge, samples, asked.prompt)
    mine = current(store, place, judge.author)
    assert sorted(each.number for each in mine.values()) == sorted(numbers)
    assert (mine["s2"].answer.value, mine["s2"].answer.confidence) == ("supported", None)
    assert mine["s2"].answer.excerpts[0].placement.tier is Tier.VERBATIM
    # The words come from the second sample, and so does the reply they point to.
    replies = dict(ask(store, "select sample_no, reply_id from reply_facts"))
    assert mine["s2"].reply_id == replies[1]
    assert mine["s1"].reply_id == replies[0]
    assert ask(store, "select count(*), min(samples), max(samples) from reply_facts") == [(3, 3, 3)]
    values = "select value, count(*) from sample_answers where criterion = 'label' group by value"
    assert dict(ask(store, values)) == {"supported": 5, "contradictory": 1, "no_rad": 3}
    assert len(load_item_replies(store, *place)) == 3
    summary = "select count(*) from summaries s join authors a using (author_no) where a.name = "
    assert ask(store, f"{summary}'gpt-test'") == [(1,)]
    assert stored_findings(store, place[1])


def test_the_same_press_twice_is_stored_once(store, place):
    judge, samples, asked = judged(store, place, GOOD)
    first = keep(store, place, judge, samples, asked.prompt)
    assert keep(store, place, judge, samples, asked.prompt) == first
    assert ask(store, "select count(*) from reply_facts") == [(1,)]


def test_the_same_judge_supersedes_itself_and_nobody_else(store, place):
    judge, samples, asked = judged(store, place, GOOD, GOOD, GOOD)
    keep(store, place, judge, samples, asked.prompt)
    again, others, _ = judged(store, place, ("no_rad", "no_rad", "no_rad"))
    keep(store, place, again, others, asked.prompt, "two")
    other, thirds, _ = judged(store, place, GOOD, name="another")
    keep(store, place, other, thirds, asked.prompt, "three")
    assert {each.answer.value for each in current(store, place, judge.author).values()} == {
        "no_rad"
    }
    assert [each.answer.value for each in current(store, place, other.author).values()] == [*GOOD]
    assert len(current(store, place, ADA)) == 3
    # The samples of a superseded rerun no longer stand beside the item; they stay in the store.
    assert len(load_item_replies(store, *place)) == 2
    assert ask(store, "select count(*) from replies where model = 'gpt-test'") == [(5,)]


def test_a_lost_rerun_is_kept_again_from_the_journal(store, place, tmp_path):
    judge, samples, asked = judged(store, place, GOOD, GOOD)
    prompt = edit_prompt(asked.prompt, system="Be strict.", template=asked.prompt.template)
    more = {"based_on": asked.prompt.fingerprint, "note": "stricter", "made_by": "ada"}
    numbers = keep(store, place, judge, samples, prompt, **more)
    facts = "select * from reply_facts order by sample_no"
    tables = ("replies", "sample_answers", "prompts", "prompt_notes", "findings", "excerpts")
    before = [ask(store, facts), *(ask(store, f"select count(*) from {each}") for each in tables)]
    store.close()
    connection = duckdb.connect(str(tmp_path / "s.duckdb"))
    for each in (*tables, "reply_facts"):
        if each not in ("findings", "excerpts"):
            connection.execute(f"delete from {each}")
    for each in ("findings", "excerpts", "annotations"):
        connection.execute(f"delete from {each} where annotation_no >= {min(numbers)}")
    connection.execute("delete from operations where operation_id = 'one'")
    connection.close()
    again = open_store(tmp_path / "s.duckdb")
    assert any("rerun (1)" in line for line in again.recovery)
    after = [ask(again, facts), *(ask(again, f"select count(*) from {each}") for each in tables)]
    assert after == before
    assert sorted(each.number for each in current(again, place, judge.author).values()) == numbers
    again.close()


def test_an_older_journal_brings_no_share_back_as_confidence(store, place, tmp_path):
    judge, samples, asked = judged(store, place, GOOD, GOOD)
    keep(store, place, judge, samples, asked.prompt)
    store.close()
    path = tmp_path / "s.duckdb"
    reading = read_journal(get_sidecar_path(path, "journal"))
    (entry,) = (entry for entry in reading.entries if entry.kind == "rerun")
    older = {key: value for key, value in entry.payload.items() if key != "confidence_is_stated"}
    older["answers"] = [answer | {"confidence": 1.0} for answer in older["answers"]]
    journal = Journal(get_sidecar_path(path, "journal"), reading.end)
    journal.append(SIGNED, "older", "rerun", older | {"group_id": "older"})
    journal.close()
    again = open_store(path)
    assert any("rerun (1)" in line for line in again.recovery)
    assert ask(again, "select count(*), count(confidence) from annotations") == [(9, 0)]
    again.close()


def test_a_migration_clears_shares_of_samples_and_no_stated_confidence(store, place, tmp_path):
    judge, samples, asked = judged(store, place, GOOD, GOOD)
    keep(store, place, judge, samples, asked.prompt)
    other, alone, _ = judged(store, place, GOOD, name="another")
    keep(store, place, other, alone, asked.prompt, "two")
    store.close()
    path = tmp_path / "s.duckdb"
    downgrade_store(path, 10)
    connection = duckdb.connect(str(path))
    connection.execute("update annotations set confidence = 0.8 where reply_id is not null")
    migrating.migrate(connection)
    found = connection.execute(
        "select w.name, count(*), count(a.confidence) from annotations a "
        "join authors w using (author_no) where a.reply_id is not null group by all order by all"
    ).fetchall()
    connection.close()
    assert found == [("another", 3, 3), ("gpt-test", 3, 0)]


def test_an_unreadable_reply_is_kept_as_unread_with_its_words(store, place):
    asked = question(RULES, load_item(store, place[1]))
    judge = ScriptedJudge(["I would rather not."])
    samples = rerun.ask_judge(asked, judge)
    keep(store, place, judge, samples, asked.prompt)
    assert all(each.answer.is_unread for each in current(store, place, judge.author).values())
    assert [each.text for each in load_item_replies(store, *place)] == ["I would rather not."]


def test_without_a_reply_nothing_is_stored(store, place):
    before = store.version()
    with pytest.raises(ReviewError, match="nothing to keep"):
        keep(store, place, ScriptedJudge([]), (), RULES.prompt)
    assert store.version() == before


def test_answers_that_do_not_fit_are_refused_whole(store, place):
    judge, samples, asked = judged(store, place, GOOD)
    wrong = replace(samples[0].reading.answers[0], unit_id="s99")
    odd = samples[0]._replace(reading=samples[0].reading._replace(answers=(wrong,)))
    with pytest.raises(ReviewError, match="s99"):
        keep(store, place, judge, [odd], asked.prompt)
    assert ask(store, "select count(*) from reply_facts") == [(0,)]


def test_the_offline_baseline_is_kept_like_any_judge(store, place):
    asked = question(RULES, load_item(store, place[1]))
    judge = OfflineJudge()
    samples = rerun.ask_judge(asked, judge)
    keep(store, place, judge, samples, asked.prompt)
    mine = current(store, place, judge.author)
    assert mine["s2"].answer.value == "unsupported"
    (kept,) = judging_queries.load_kept_reruns(store, *place).itertuples()
    assert (kept.author, kept.samples) == (NAME, 1)
    assert kept.cost != kept.cost  # unknown, never 0


def test_kept_reruns_say_what_they_took(store, place):
    judge, samples, asked = judged(store, place, GOOD, GOOD)
    priced = [samples[0]._replace(cost=0.01), samples[1]._replace(cost=0.02)]
    prompt = edit_prompt(asked.prompt, system="Be strict.", template=asked.prompt.template)
    keep(store, place, judge, priced, prompt, based_on=asked.prompt.fingerprint)
    keep(store, place, judge, [priced[0], samples[1]], asked.prompt, "two")
    half, whole = judging_queries.load_kept_reruns(store, *place).itertuples()
    assert (whole.tokens_in, whole.tokens_out, whole.seconds) == (200, 40, 1.0)
    assert whole.cost == pytest.approx(0.03)
    assert half.cost != half.cost  # one of two costs is not known
    assert {each.fingerprint for each in judging_queries.load_stored_prompts(store, RULES.key)} == {
        prompt.fingerprint,
        asked.prompt.fingerprint,
    }
    assert (
        judging_queries.load_base_fingerprint(store, prompt.fingerprint) == asked.prompt.fingerprint
    )
    assert judging_queries.load_base_fingerprint(store, asked.prompt.fingerprint) == ""


def test_recent_items_are_those_answered_about_last(store, place):
    drafts = [sentence_draft(number, {ADA: GOOD}, system="beta") for number in (2, 3)]
    (other,) = save_drafts(store, drafts, "second")
    assert list(judging_queries.load_recent_items(store)["external_id"]) == ["q3", "q2", "q1"]
    judge, samples, asked = judged(store, place, GOOD)
    keep(store, place, judge, samples, asked.prompt)
    assert list(judging_queries.load_recent_items(store, [place[0]])["external_id"]) == ["q1"]
    assert list(judging_queries.load_recent_items(store, [other], limit=1)["external_id"]) == ["q3"]
    first = next(judging_queries.load_recent_items(store).itertuples())
    assert (first.run_id, first.item_id) == place
    assert first.begins.startswith("Question 1")
    remove_runs(store, run_ids=[other], removed_by="ada", operation_id="gone")
    assert list(judging_queries.load_recent_items(store)["external_id"]) == ["q1"]


def test_a_decision_is_no_last_answer(store, place, monkeypatch):
    drafts = [sentence_draft(2, {ADA: GOOD}, system="beta")]
    save_drafts(store, drafts, "second")
    before = judging_queries.load_recent_items(store)
    for nth in range(3):
        adjudicate(
            store,
            run_id=place[0],
            item_id=place[1],
            answer=Answer(unit_id="s1", criterion="label", value="supported"),
            author=EVE,
            reason="the page says so",
            seen=10**6,
            operation_id=f"decided {nth}",
        )
    pd.testing.assert_frame_equal(judging_queries.load_recent_items(store), before)
    monkeypatch.setattr(judging_queries, "MOST_RECENT", 2)  # fewer than decisions were made since
    assert list(judging_queries.load_recent_items(store)["external_id"]) == ["q2"]


def test_a_store_without_answers_has_no_recent_items(store):
    assert judging_queries.load_recent_items(store).empty


def tables_of(store):
    """All that a rerun leaves, but for when it came."""
    questions = (
        "select * exclude (signed_at) from annotations order by annotation_no",
        "select * from excerpts order by annotation_no, position",
        "select * from findings order by annotation_no, check_name, kind, says",
        "select * from summaries order by summary_no",
        "select * exclude (replied_at) from replies order by reply_id",
        "select * from reply_facts order by reply_id",
        "select * from sample_answers order by reply_id, unit_no, criterion",
        "select * exclude (first_used_at) from prompts order by fingerprint",
        "select * from authors order by author_no",
    )
    return [ask(store, each) for each in questions]


def begun(store, place, judge, name="batch"):
    """A batch about the item, and the item as the batch knows it."""
    open_batch(
        store,
        batch_id=name,
        run_id=place[0],
        item_ids=[place[1]],
        author=judge.author,
        prompt=RULES.prompt,
        settings={},
        samples=3,
        asked_by="ada",
    )
    return AskedItems(store, name).look_up(place[1])


@pytest.mark.parametrize("times", [1, 2])
def test_what_a_batch_knows_of_an_item_changes_nothing_that_is_stored(store, place, times):
    """The second time supersedes the first."""
    labels = [GOOD, ("supported", "supported", "no_rad"), ("supported", "supported", "supported")]
    judge, samples, asked = judged(store, place, *labels)
    found = []
    for is_known in (False, True):
        with open_copy(store) as copy:
            known = begun(copy, place, judge)
            assert known.item == asked.item
            more = {"asked": known} if is_known else {}
            for nth in range(times):
                keep(copy, place, judge, samples, asked.prompt, f"nth-{nth}", **more)
            found.append(tables_of(copy))
    assert found[0] == found[1]
    assert [len(rows) for rows in found[0]][3] == 1 + times


def test_numbers_of_an_earlier_opening_are_looked_up_again(store, place):
    judge, samples, asked = judged(store, place, GOOD)
    known = begun(store, place, judge)
    wrong = known.numbers._replace(run_no=77, item_no=78, author_no=79)
    stale = replace(known, opening=store.openings - 1, numbers=wrong, units={"s1": 80})
    numbers = keep(store, place, judge, samples, asked.prompt, asked=stale)
    signed = current(store, place, judge.author)
    assert [each.number for each in signed.values()] == numbers
    assert [each.answer.value for each in signed.values()] == [*GOOD]


def test_an_item_is_read_again_after_an_import(store, place):
    """It may have brought the item more units."""
    judge, samples, asked = judged(store, place, GOOD)
    older = replace(begun(store, place, judge), units={"s1": 77})
    save_drafts(store, [sentence_draft(2)], "more")
    keep(store, place, judge, samples, asked.prompt, asked=older)
    assert [*current(store, place, judge.author)] == ["s1", "s2", "s3"]


def test_a_run_removed_after_the_question_takes_no_reply(store, place):
    judge, samples, asked = judged(store, place, GOOD)
    known = begun(store, place, judge)
    remove_runs(store, run_ids=[place[0]], removed_by="ada", operation_id="gone")
    before = tables_of(store)
    with pytest.raises(ReviewError, match="was removed"):
        keep(store, place, judge, samples, asked.prompt, asked=known)
    assert tables_of(store) == before


def test_an_item_that_left_its_run_is_not_known(store, place):
    judge, _, _ = judged(store, place, GOOD)
    store.write("lost", "test", lambda cursor: cursor.execute("delete from run_items") and None)
    with pytest.raises(ReviewError, match="has no item"):
        begun(store, place, judge)
    (run_id,) = save_drafts(store, [sentence_draft(2)], "more")
    other = str(queries.run_items(store, run_id)["item_id"].iloc[0])
    assert begun(store, (run_id, other), judge, "other") is not None
    store.write("lost too", "test", lambda cursor: cursor.execute("delete from run_items") and None)
    assert AskedItems(store, "other").look_up(other) is None
