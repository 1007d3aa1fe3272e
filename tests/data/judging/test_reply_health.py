"""How well judges kept to the form of a reply, counted over stored replies."""

import json

import pytest

from data.items.loading import load_item
from data.judging.reply_health import load_flawed_replies, load_reply_health
from data.judging.save_rerun import keep_rerun
from data.runs import queries
from faithfulness.judging import rerun
from faithfulness.judging.judge import question
from faithfulness.protocols import protocol
from tests.data.stored import ADA, save_drafts, sentence_draft
from tests.scripted_judge import ScriptedJudge

RULES = protocol("sentence_grounding")


@pytest.fixture
def run(store):
    return save_drafts(store, [sentence_draft(values={ADA: ("supported",) * 3})])[0]


def written(asked, *, altered=False, label="supported"):
    units = asked.item.units_of(RULES.unit)
    texts = [each.text for each in units]
    if altered:
        texts[0] = texts[0].replace("The kettle", "This kettle")
    return "\n".join(
        json.dumps(
            {"mark": asked.mark, "sentence": text, "label": label, "rationale": "r"}
            | {"excerpt": None}
        )
        for text in texts
    )


def keep(store, run, *replies, operation_id="one"):
    item_id = str(queries.run_items(store, run)["item_id"].iloc[0])
    asked = question(RULES, load_item(store, item_id))
    judge = ScriptedJudge(lambda asked, sample: replies[sample](asked), name="north")
    samples = rerun.ask_judge(asked, judge, samples=len(replies))
    keep_rerun(
        store,
        run_id=run,
        item_id=item_id,
        author=judge.author,
        samples=samples,
        settled=rerun.settle_samples(samples, RULES),
        prompt=asked.prompt,
        settings=judge.settings,
        operation_id=operation_id,
        group_id=operation_id,
    )


def told(store, run):
    found = load_reply_health(store, [run])
    return sorted(zip(found["outcome"], found["states"], found["replies"], strict=True))


def test_a_sentence_in_other_words_is_told_of_replies_asked_for_here(store, run):
    keep(store, run, lambda asked: written(asked, altered=True))
    assert told(store, run) == [("read", ("altered",), 1)]
    assert load_flawed_replies(store, run, "north", state="altered").total == 1


def test_every_sample_counts_by_its_own_answers(store, run):
    keep(store, run, written, lambda asked: "no JSON at all", written)
    assert [each[::2] for each in told(store, run)] == [("read", 2), ("unread", 1)]


def test_a_superseded_reply_counts_no_more(store, run):
    keep(store, run, lambda asked: "no JSON at all")
    keep(store, run, written, operation_id="two")
    assert told(store, run) == [("read", (), 1)]


def test_tied_samples_are_counted_where_every_reply_could_be_read(store, run):
    keep(store, run, written, lambda asked: written(asked, label="no_rad"))
    assert told(store, run) == [("read", (), 1), ("read", ("tied",), 1)]
    (tied,) = load_flawed_replies(store, run, "north", state="tied").replies.itertuples()
    assert list(tied.problems) == ["samples tied: supported ×1, no_rad ×1"]


def test_a_reply_without_the_mark_and_one_in_other_words_have_their_states(store, run):
    keep(store, run, lambda asked: written(asked).replace(f'"mark": "{asked.mark}", ', ""))
    assert told(store, run) == [("read", ("without_mark",), 1)]
    (reply,) = load_flawed_replies(store, run, "north", state="without_mark").replies.itertuples()
    assert [note.partition(":")[0] for note in reply.notes] == ["without mark"]
