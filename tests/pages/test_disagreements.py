"""The disagreements page without a browser: what it stores of what the component reports."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from data.importing.save import save_import
from data.meetings.adjudicate import adjudicate
from data.meetings.marks import mark_units
from data.store.cache import incremental_cache
from data.store.cache.import_cache_fill import holding
from data.store.cache.incremental_cache import take_up
from data.triage.cases import load_disagreements
from data.triage.queue import load_queue
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer
from tests.data.stored import (
    ADA,
    BEN,
    EVE,
    NORTH,
    prepare_drafts,
    save_drafts,
    sentence_draft,
)
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages

S, C = "supported", "contradictory"


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "plumbline.duckdb"
    made = new_store(path)
    values = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, S)}
    save_drafts(made, [sentence_draft(number, values) for number in (1, 2, 3)])
    made.close()
    with store_of_pages(path) as opened:
        yield opened


def opened(**asked) -> AppTest:
    return opened_page("disagreements", asked)


def data_of(test) -> dict:
    return next(
        data
        for each in test.get("bidi_component")
        if "cards" in (data := json.loads(each.proto.json))
    )


def report(test, *actions):
    """What the component says: its whole list of actions that nobody has acknowledged."""
    test.session_state["triage"] = {"log": list(actions)}
    return test.run()


def action(seq, card, value=C, reason="the source says so", **more):
    return {
        "seq": seq,
        "kind": "decide",
        "key": card["key"],
        "value": value,
        "reason": reason,
        "error_class": "judge_wrong",
        "seen": card["seen"],
        "who": "Eve",
    } | more


def decided(store):
    return load_disagreements(store, load_queue(store, Selection(), decided="decided").rows)


def test_one_name_is_remembered_wherever_somebody_signs(store):
    test = opened()
    test.session_state["rater_name"] = "Ida"  # as Rate and Meetings remember it
    test.run()
    assert data_of(test)["who"] == "Ida"
    report(test, action(1, data_of(test)["cards"][0], who="Olga"))
    assert test.session_state["rater_name"] == "Olga"


def test_a_card_and_its_links_name_the_run_that_is_looked_at(store):
    values = {ADA: (C, S, S), NORTH: (S, S, S)}
    for name in ("morning", "evening"):
        (run_id,) = save_drafts(store, [sentence_draft(9, values, system=name)], name)
        (own,) = data_of(opened(run=run_id))["cards"]
        assert own["key"].startswith(run_id)
        assert own["where"][0] == f"{name} run"
        assert f"run={run_id}" in own["reader"]
        assert f"run={run_id}" in own["rerun"]
    first, second = (
        data_of(opened(system=name))["cards"][0]["where"][0] for name in ("morning", "evening")
    )
    assert (first, second) == ("morning run", "evening run")


def test_a_reason_that_is_too_long_is_refused_and_not_cut(store):
    test = opened().run()
    card = data_of(test)["cards"][0]
    report(test, action(1, card, reason="x" * 4_001))
    refused = data_of(test)["results"][card["key"]]
    assert refused["state"] == "failed"
    assert "has 4,001 characters, and at most 4,000 are stored" in refused["text"]
    assert not decided(store)
    report(test, action(2, card, reason="x" * 4_000))
    (found,) = decided(store)
    assert found.decided.reason == "x" * 4_000


def test_every_action_is_stored_once_however_often_it_is_reported(store):
    test = opened()
    cards = data_of(test)["cards"]
    log = [action(seq, card) for seq, card in enumerate(cards, start=1)]
    report(test, *log[:1])
    report(test, *log[:2])
    report(test, *log)
    report(test, *log)
    found = decided(store)
    assert [len(each.decisions) for each in found] == [1, 1, 1]
    assert {each.decided.error_class for each in found} == {"judge_wrong"}
    data = data_of(test)
    assert data["ack"] == 3
    assert {each["state"] for each in data["results"].values()} == {"saved"}
    assert len(data["cards"]) == 3  # the list does not shift under whoever works through it


@pytest.mark.parametrize(
    ("state", "words"),
    [("open", "these"), ("decided", "the open ones"), ("all", "the open ones"), ("x", "these")],
)
def test_the_button_names_what_its_agenda_would_hold(store, state, words):
    labels = [each.label for each in opened(state=state).button]
    assert f"Meet about {words}" in labels


def test_what_was_marked_is_offered_for_a_meeting_before_the_rest(store):
    assert "Meet about what was marked" not in [each.label for each in opened().button]
    case = load_disagreements(store, load_queue(store, Selection()).rows)[0].case
    unit = (case.run_id, case.item.id, case.unit.id)
    mark_units(store, [unit], on=True, by="Eve", operation_id="mark")
    meet = [each.label for each in opened().button if each.label.startswith("Meet")]
    assert meet == ["Meet about what was marked", "Meet about these"]


def test_a_session_that_forgot_how_far_it_was_stores_nothing_twice(store):
    test = opened()
    log = [action(1, data_of(test)["cards"][0])]
    report(test, *log)
    # A run that is cut short after the store has it, before the session knows.
    test.session_state["remembered:triage ack"] = 0
    report(test, *log)
    assert [len(each.decisions) for each in decided(store)] == [1]


def test_what_cannot_be_stored_is_told_and_the_next_action_still_is(store):
    test = opened()
    first, second, _ = data_of(test)["cards"]
    report(
        test,
        action(1, first, reason="  "),
        action(2, second, who=" "),
        action(3, second, value="walrus"),
        action(4, second),
    )
    data = data_of(test)
    assert data["results"][first["key"]]["state"] == "failed"
    assert "reason" in data["results"][first["key"]]["text"]
    assert data["results"][second["key"]]["state"] == "saved"
    assert len(decided(store)) == 1


def test_a_conflict_says_what_changed_and_the_second_try_keeps_both(store):
    test = opened()
    card = data_of(test)["cards"][0]
    found = load_disagreements(store, load_queue(store, Selection()).rows)[0]
    adjudicate(
        store,
        run_id=found.case.run_id,
        item_id=found.case.item.id,
        answer=Answer(unit_id="s1", criterion="label", value=S),
        author=EVE,
        reason="first",
        seen=found.seen,
        operation_id="other",
    )
    report(test, action(1, card, who="Ola"))
    data = data_of(test)
    assert data["results"][card["key"]]["state"] == "conflict"
    assert "eve settled Sentence 1 as" in data["results"][card["key"]]["text"]
    now = data["cards"][0]
    assert [each["reason"] for each in now["decisions"]] == ["first"]
    report(test, action(1, card, who="Ola"), action(2, now, who="Ola"))
    assert [each.by for each in decided(store)[0].decisions] == ["eve", "Ola"]


def test_taking_back_restores_what_counted_before(store):
    test = opened()
    card = data_of(test)["cards"][0]
    undo = {"kind": "undo", "key": card["key"], "seen": 0, "who": "Eve"}
    log = [
        action(1, card, value=C),
        action(2, card, value=S),
        undo | {"seq": 3},
    ]
    report(test, *log)
    (found,) = decided(store)
    assert [each.value for each in found.decisions] == [C, S, C]
    assert found.decided.value == C
    report(test, *log, undo | {"seq": 4})
    assert decided(store) == []
    other = data_of(test)["cards"][1]
    report(test, action(5, other), undo | {"seq": 6, "key": other["key"]})
    assert decided(store) == []
    assert data_of(test)["results"][other["key"]]["state"] == "undone"


def test_an_undo_of_nothing_is_told(store):
    test = opened()
    card = data_of(test)["cards"][0]
    report(test, {"seq": 1, "kind": "undo", "key": card["key"], "seen": 0, "who": "Eve"})
    assert "no decision" in data_of(test)["results"][card["key"]]["text"]
    assert decided(store) == []


def test_no_disagreement_left_is_said_plainly(store):
    test = opened_page("disagreements", {"words": "seventeen purple walruses"})
    assert not test.exception
    assert "No disagreement is left" in test.info[0].value


def test_run_that_is_being_counted_says_so_in_place_of_an_empty_list(store, tmp_path, monkeypatch):
    monkeypatch.setattr(incremental_cache, "LARGE", 3)
    others = [sentence_draft(number, {ADA: (C, S, S), BEN: (S, C, S)}) for number in range(11, 15)]
    folder = prepare_drafts(tmp_path / "many", others, "many")
    for page in ("disagreements", "contradictions"):
        opened_page(page, {})  # its answers are kept
    with holding(store, "many") as held:
        (run,) = save_import(store, folder, operation_id="many")
        for page in ("disagreements", "contradictions"):
            test = opened_page(page, {"run": run})
            (told,) = test.info
            assert told.value.startswith("4 items of this import are being counted.")
            # Who leaves meanwhile comes back to the same list.
            assert test.session_state[f"remembered:address of {page}"] == f"run={run}"
        assert "being counted" not in str(opened(item="nowhere", run=run).info)
        pages = [opened_page(page, {"run": run}) for page in ("disagreements", "contradictions")]
        take_up(store, held)
    for each in pages:
        assert not each.run().exception
        assert "being counted" not in str(each.info)
    assert len(data_of(pages[0])["cards"]) == 8
