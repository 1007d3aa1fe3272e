"""Prompt versions in the store: who was told what, agreement with raters, and trials."""

import json
import threading

import pytest

from data.items.loading import load_item
from data.judging import prompt_queries, prompt_trials
from data.judging.save_rerun import keep_rerun
from data.runs.queries import run_items
from data.runs.remove import remove_runs
from faithfulness.judging import prompt_trial, rerun
from faithfulness.judging.judge import question
from faithfulness.judging.offline.offline_judge import OfflineJudge
from faithfulness.judging.prompt_trial import AFTER, BEFORE, Trial, TrialItem
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.prompt import edit_prompt
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import Author, AuthorKind, Reply
from faithfulness.protocols import protocol
from faithfulness.statistics.agreement import pair_estimates
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft
from tests.scripted_judge import ScriptedJudge

RULES = protocol("sentence_grounding")
LABEL = RULES.criterion("label")
STRICT = edit_prompt(RULES.prompt, system="Be strict.", template=RULES.prompt.template)
GOOD = ("supported", "contradictory", "no_rad")
MILD = ("supported", "supported", "no_rad")
CAT = Author(kind=AuthorKind.RATER, name="cat")


def reply(asked, labels) -> Reply:
    lines = [
        {"mark": asked.mark, "id": unit.id, "sentence": unit.text, "label": label,
         "rationale": "r", "excerpt": "holds 1.7 litres" if label == "supported" else None}
        for unit, label in zip(asked.item.units_of(RULES.unit), labels, strict=True)
    ]  # fmt: skip
    text = "\n".join(map(json.dumps, lines))
    return Reply(text=text, model="m", fingerprint=asked.prompt.fingerprint)


def by_prompt(asked, sample):
    """A judge that sees the contradiction only when it is told to be strict."""
    return reply(asked, GOOD if asked.prompt == STRICT else MILD)


def keep(store, run_id, item_id, judge, prompt, **more):
    asked = question(RULES, load_item(store, item_id), prompt)
    samples = rerun.ask_judge(asked, judge)
    name = f"{judge.author.name}-{prompt.version}-{item_id}"
    keep_rerun(
        store,
        run_id=run_id,
        item_id=item_id,
        author=judge.author,
        samples=samples,
        settled=rerun.settle_samples(samples, RULES),
        prompt=prompt,
        settings=judge.settings,
        operation_id=name,
        group_id=name,
        **more,
    )


@pytest.fixture
def judged(store):
    """Three items, two rated by all, one by nobody; a judge told two versions one after another."""
    three = {ADA: GOOD, BEN: GOOD, CAT: MILD}
    tied = {ADA: ("supported", "contradictory", "no_rad"), BEN: ("unsupported", *GOOD[1:])}
    drafts = [sentence_draft(1, three), sentence_draft(2, tied), sentence_draft(3, {NORTH: MILD})]
    (run_id,) = save_drafts(store, drafts)
    items = list(run_items(store, run_id)["item_id"])
    judge = ScriptedJudge(by_prompt, name="gpt-test")
    for item_id in items:
        keep(store, run_id, item_id, judge, RULES.prompt)
    for item_id in items[:2]:
        why = {"based_on": RULES.prompt.fingerprint, "note": "was too mild", "made_by": "ada"}
        keep(store, run_id, item_id, judge, STRICT, **why)
    keep(store, run_id, items[0], OfflineJudge(), RULES.prompt)
    return run_id, items


def test_a_protocol_nobody_was_asked_under_has_the_version_that_comes_with_it(store):
    (only,) = prompt_queries.load_versions(store, RULES)
    assert only.is_shipped
    assert (only.first_used_at, only.judges, only.items) == (None, (), 0)
    assert prompt_queries.load_version_agreement(store, RULES, LABEL) == []


def test_a_version_says_who_was_told_it_and_who_made_it_why(store, judged):
    shipped, strict = prompt_queries.load_versions(store, RULES)
    assert (shipped.is_shipped, shipped.judges, shipped.items) == (True, ("gpt-test",), 3)
    assert (strict.prompt, strict.items, strict.replies) == (STRICT, 2, 2)
    assert (strict.based_on, strict.note, strict.made_by) == (
        RULES.prompt.fingerprint,
        "was too mild",
        "ada",
    )
    assert shipped.first_used_at < strict.first_used_at
    assert prompt_queries.load_versions(store, protocol("claim_overlap"))[0].items == 0


def test_each_version_is_compared_with_the_majority_also_after_it_was_superseded(store, judged):
    mild, strict = prompt_queries.load_version_agreement(store, RULES, LABEL)
    assert [each.fingerprint for each in (mild, strict)] == [
        RULES.prompt.fingerprint,
        STRICT.fingerprint,
    ]
    # Item 1: all three sentences have a majority; item 2: the first is a tie; item 3: no rater.
    assert (mild.labelled, mild.tied, mild.unrated, mild.unread) == (9, 1, 3, 0)
    assert (strict.labelled, strict.tied, strict.unrated) == (6, 1, 0)
    assert (mild.tables.units_n, mild.tables.items_n) == (5, 2)
    percent = [pair_estimates(each.tables, ["percent"])["percent"] for each in (mild, strict)]
    assert [each.value for each in percent] == [pytest.approx(3 / 5), 1.0]
    assert percent[0].low is None
    assert "20 items" in percent[0].reason


def test_a_removed_run_and_the_baseline_do_not_count(store, judged):
    assert {each.judge for each in prompt_queries.load_version_agreement(store, RULES, LABEL)} == {
        "gpt-test"
    }
    remove_runs(store, run_ids=[judged[0]], removed_by="ada", operation_id="gone")
    assert prompt_queries.load_version_agreement(store, RULES, LABEL) == []
    assert [each.items for each in prompt_queries.load_versions(store, RULES)] == [0, 0]


def test_the_baseline_does_not_count_however_its_name_is_written(store, judged):
    run_id, items = judged
    loud = ScriptedJudge(by_prompt, name=BASELINE.name.upper())
    keep(store, run_id, items[0], loud, RULES.prompt)
    assert {each.judge for each in prompt_queries.load_version_agreement(store, RULES, LABEL)} == {
        "gpt-test"
    }
    assert {each.judges for each in prompt_queries.load_versions(store, RULES)} == {("gpt-test",)}


def test_a_version_that_only_the_baseline_was_asked_with_is_not_used_yet(store):
    (run_id,) = save_drafts(store, [sentence_draft(1, {ADA: GOOD})])
    items = list(run_items(store, run_id)["item_id"])
    keep(store, run_id, items[0], ScriptedJudge(by_prompt, name=BASELINE.name), RULES.prompt)
    (only,) = prompt_queries.load_versions(store, RULES)
    assert (only.first_used_at, only.last_used_at, only.judges) == (None, None, ())
    keep(store, run_id, items[0], ScriptedJudge(by_prompt, name="gpt-test"), RULES.prompt)
    (only,) = prompt_queries.load_versions(store, RULES)
    assert only.first_used_at == only.last_used_at is not None


def test_the_most_disputed_items_have_a_majority_of_raters(store, judged):
    found = prompt_queries.load_most_disputed(store, RULES.key, "label")
    assert [each.item_id for each in found] == sorted(
        judged[1][:2], key=[each.item_id for each in found].index
    )
    assert {each.run_id for each in found} == {judged[0]}
    assert prompt_queries.load_most_disputed(store, "claim_overlap", "supported") == []


def test_more_than_one_page_of_disagreements_gives_twenty_items(store):
    drafts = [sentence_draft(n, {ADA: GOOD, NORTH: MILD}) for n in range(30)]
    save_drafts(store, drafts)
    found = prompt_queries.load_most_disputed(store, RULES.key, "label")
    assert len({each.item_id for each in found}) == prompt_queries.DISPUTED


def cases_of(store):
    return [
        TrialItem(each.run_id, load_item(store, each.item_id), each.external_id)
        for each in prompt_queries.load_most_disputed(store, RULES.key, "label")
    ]


def test_a_trial_asks_both_prompts_and_measures_the_gain_on_the_same_units(store):
    save_drafts(store, [sentence_draft(n, {ADA: GOOD, NORTH: MILD}) for n in range(20)])
    cases = cases_of(store)
    judge = ScriptedJudge(by_prompt, name="gpt-test")
    trial = Trial(RULES, cases, judge, {BEFORE: RULES.prompt, AFTER: STRICT})
    trial.run()
    assert trial.progress().done == 40
    items = list(trial.cases)
    reference = prompt_queries.load_majority_labels(store, RULES.key, "label", items)
    stored = prompt_queries.load_judge_labels(store, RULES.key, "label", items)
    assert trial.labels(BEFORE, "label") == stored["north"]  # the same labels by another way
    found = prompt_trial.compare_outcomes(
        LABEL, reference, trial.labels(BEFORE, "label"), trial.labels(AFTER, "label")
    )
    assert (found.items, found.units) == (20, 60)
    assert (found.agreed_before, found.agreed_after) == (40, 60)
    percent = found.measures[0].difference
    assert percent.value == pytest.approx(1 / 3)
    assert percent.p < 0.001
    assert {each.gain for each in found.steps} == {1}
    assert len(found.steps) == 20
    # Nothing was stored.
    assert prompt_queries.load_version_agreement(store, RULES, LABEL) == []


def test_fewer_than_twenty_items_have_counts_and_no_interval(store, judged):
    judge = ScriptedJudge(by_prompt, name="new")
    trial = Trial(RULES, cases_of(store), judge, {AFTER: STRICT})
    trial.run()
    reference = prompt_queries.load_majority_labels(store, RULES.key, "label", judged[1])
    before = prompt_queries.load_judge_labels(store, RULES.key, "label", judged[1])["gpt-test"]
    found = prompt_trial.compare_outcomes(LABEL, reference, before, trial.labels(AFTER, "label"))
    assert (found.items, found.agreed_before, found.agreed_after) == (2, 5, 5)
    assert found.measures[0].difference.low is None
    assert "20" in found.measures[0].difference.reason


def test_a_stopped_trial_keeps_what_came_and_a_failure_is_told(store):
    save_drafts(store, [sentence_draft(n, {ADA: GOOD, NORTH: MILD}) for n in range(6)])
    begun, go_on = threading.Event(), threading.Event()

    def slow(asked, sample):
        begun.set()
        assert go_on.wait(20)
        return by_prompt(asked, sample)

    trial = Trial(RULES, cases_of(store), ScriptedJudge(slow, name="slow"), {AFTER: STRICT})
    thread = threading.Thread(target=trial.run)
    thread.start()
    assert begun.wait(20)
    trial.stop()
    go_on.set()
    thread.join(20)
    assert len(trial.tried(AFTER)) < 6

    def no_key(asked, sample):
        raise JudgeFailed("The key is wrong. Enter it again.", kind="key")

    trial = Trial(RULES, cases_of(store), ScriptedJudge(no_key, name="no"), {AFTER: STRICT})
    ended = trial.run()
    assert "key is wrong" in ended.reason
    assert trial.tried(AFTER) == {}
    nothing = prompt_trial.compare_outcomes(LABEL, {}, {}, trial.labels(AFTER, "label"))
    assert (nothing.items, nothing.measures) == (0, ())


def test_a_kept_trial_is_stored_once_and_the_tried_prompt_counts(store):
    save_drafts(store, [sentence_draft(n, {ADA: GOOD, NORTH: MILD}) for n in range(3)])
    judge = ScriptedJudge(by_prompt, name="gpt-test")
    trial = Trial(RULES, cases_of(store), judge, {BEFORE: RULES.prompt, AFTER: STRICT})
    trial.run()
    why = {"based_on": RULES.prompt.fingerprint, "note": "was too mild", "made_by": "ada"}
    for _ in range(2):  # a second press of the button
        kept = prompt_trials.keep_trial(
            store, trial, trial_id="t", author=judge.author, settings=judge.settings, edited=why
        )
        assert kept == 3
    shipped, strict = prompt_queries.load_versions(store, RULES)
    assert (shipped.replies, strict.replies, strict.note) == (3, 3, "was too mild")
    now = prompt_queries.load_judge_labels(store, RULES.key, "label", list(trial.cases))["gpt-test"]
    assert now == trial.labels(AFTER, "label")
    mild, better = prompt_queries.load_version_agreement(store, RULES, LABEL)
    assert [
        pair_estimates(each.tables, ["percent"])["percent"].value for each in (mild, better)
    ] == [
        pytest.approx(2 / 3),
        1.0,
    ]
