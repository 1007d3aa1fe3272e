"""Rating in the store: drafts step by step, signatures once, queues that tell nothing."""

import json

import pytest

from data.items.loading import find_item_number, load_annotations, load_item
from data.rating import rating_desk as desk
from data.rating import rating_queries as questions
from data.rating.assignments import Purpose, assign_items
from data.rating.drafts import DraftStep, Sheet, fold_steps, save_steps
from data.rating.rating_desk import sign_sheet
from data.runs.remove import remove_runs
from data.store import backups
from data.store.store import Store, open_store
from faithfulness.model.errors import Conflict, NotSaved, ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind, Tier
from faithfulness.protocols import protocol
from faithfulness.review import rating
from tests.data.stored import ADA, BEN, CONTEXT, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

GROUNDING = protocol("sentence_grounding")
LABELS = ("supported", "contradictory", "no_rad")
QUOTE = "holds 1.7 litres"


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "plumbline.duckdb")
    yield opened
    opened.close()


@pytest.fixture
def run(store) -> str:
    values = {ADA: LABELS, NORTH: ("unsupported", "supported", "no_rad")}
    (run_id,) = save_drafts(store, [sentence_draft(n, values) for n in range(1, 7)])
    return run_id


def sheet_of(store: Store, run: str, rater: str = "zora", nth: int = 0) -> Sheet:
    return Sheet(run, str(questions.load_queue(store, run, rater)["item_id"].iloc[nth]), rater)


def said(value: str | None, *quotes: str, reason: str = "") -> dict:
    places = [(CONTEXT.index(each), each) for each in quotes]
    return {
        "label": {
            "value": value,
            "rationale": reason,
            "excerpts": [
                {"field": "context", "text": text, "start": at, "end": at + len(text)}
                for at, text in places
            ],
        }
    }


FULL = {"s1": said("supported", QUOTE), "s2": said("contradictory", "$45.00"), "s3": said("no_rad")}


def fill(store: Store, sheet: Sheet, states: dict, visit: str = "v") -> None:
    item = load_item(store, sheet.item_id)
    steps = [
        DraftStep(f"{visit}.{nth}", unit, "set", state, 2.0)
        for nth, (unit, state) in enumerate(states.items(), start=1)
    ]
    desk.keep_steps(store, sheet, item, GROUNDING, steps)


def sign(store: Store, sheet: Sheet, began: str = "", visit: str = "v") -> dict:
    item = load_item(store, sheet.item_id)
    return desk.sign(store, sheet, item, GROUNDING, seen=(began, visit), times={"s1": 1.5})


def mine(store: Store, sheet: Sheet, current: bool = True):
    author = Author(kind=AuthorKind.RATER, name=sheet.rater)
    found = load_annotations(store, sheet.item_id, sheet.run_id, current)
    return [each for each in found if each.author == author]


def test_a_draft_survives_closing_and_is_nobody_elses(store, run, tmp_path):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL)
    store.close()
    again = open_store(tmp_path / "plumbline.duckdb")
    found = desk.read_sheet(again, sheet, GROUNDING)
    assert found.states["s1"]["label"]["excerpts"][0]["text"] == QUOTE
    assert not desk.read_sheet(again, sheet._replace(rater="yann"), GROUNDING).states
    assert not mine(again, sheet)
    again.close()


def test_a_step_sent_twice_is_kept_once(store, run):
    sheet = sheet_of(store, run)
    steps = [
        DraftStep("v.1", "s1", "set", said("supported")),
        DraftStep("v.2", "s2", "set", said("no_rad")),
    ]
    save_steps(store, sheet, steps[:1])
    save_steps(store, sheet, steps)
    save_steps(store, sheet, steps)
    with store.read() as cursor:
        kept = cursor.execute("select step_id from drafts order by draft_no").fetchall()
    assert kept == [("v.1",), ("v.2",)]


def test_undo_goes_back_step_by_step_also_after_a_reload():
    steps = [
        DraftStep("1", "s1", "set", {"a": 1}),
        DraftStep("2", "s1", "set", {"a": 2}),
        DraftStep("3", "s2", "set", {"b": 1}),
        DraftStep("4", "s2", "undo", {}),
    ]
    found = fold_steps(steps)
    assert found.states == {"s1": {"a": 2}, "s2": {}}
    assert found.undo == (("s1", None), ("s1", {"a": 1}))


def test_a_signed_sheet_has_answers_places_times_and_no_draft(store, run):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL)
    assert sign(store, sheet) == {}
    answers = {each.answer.unit_id: each.answer for each in mine(store, sheet)}
    assert [answers[unit].value for unit in ("s1", "s2", "s3")] == list(LABELS)
    (excerpt,) = answers["s1"].excerpts
    assert excerpt.placement.tier is Tier.VERBATIM
    (span,) = excerpt.placement.spans
    assert CONTEXT[span.start : span.end] == QUOTE
    after = desk.read_sheet(store, sheet, GROUNDING)
    assert (after.is_signed, after.is_changed, after.undo) == (True, False, ())
    assert questions.load_own_times(store, run, "zora")["seconds"].tolist() == [7.5]


def test_a_quote_that_says_the_wrong_place_is_looked_for(store, run):
    sheet = sheet_of(store, run)
    state = said("supported", QUOTE)
    state["label"]["excerpts"][0] |= {"start": 3, "end": 9}
    fill(store, sheet, {**FULL, "s1": state})
    sign(store, sheet)
    (first, *_) = mine(store, sheet)
    span = first.answer.excerpts[0].placement.spans[0]
    assert CONTEXT[span.start : span.end] == QUOTE


def test_complaints_stand_at_their_unit_and_nothing_is_signed(store, run):
    sheet = sheet_of(store, run)
    fill(store, sheet, {"s1": said("supported"), "s3": said("no_rad")})
    found = sign(store, sheet)
    assert set(found) == {"s1", "s2"}
    assert "excerpt" in found["s1"][0]
    assert not mine(store, sheet)


def test_signing_the_same_sheet_twice_stores_once(store, run):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL)
    assert [sign(store, sheet) for _ in range(3)] == [{}, {}, {}]
    assert len(mine(store, sheet, current=False)) == 3
    item = load_item(store, sheet.item_id)
    found = desk.read_sheet(store, sheet, GROUNDING)
    answers = rating.build_answers(found.states, item, GROUNDING)
    twice = [sign_sheet(store, sheet, answers, last_step="v.9", seconds={}) for _ in range(2)]
    assert twice[0] == twice[1]
    assert len(mine(store, sheet, current=False)) == 6


def test_a_correction_supersedes_and_keeps_what_was(store, run):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL)
    sign(store, sheet)
    began = desk.read_sheet(store, sheet, GROUNDING).last
    fill(store, sheet, {"s2": said("unsupported", reason="on second thought")}, visit="w")
    assert sign(store, sheet, began, "w") == {}
    now = {each.answer.unit_id: each.answer.value for each in mine(store, sheet)}
    assert now == {"s1": "supported", "s2": "unsupported", "s3": "no_rad"}
    assert len(mine(store, sheet, current=False)) == 6


def test_a_change_in_another_window_is_told_before_signing(store, run):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL, visit="one")
    fill(store, sheet, {"s3": said("unsupported")}, visit="two")
    with pytest.raises(Conflict, match="another window"):
        sign(store, sheet, visit="one")
    assert not mine(store, sheet)


def test_a_change_in_another_window_is_told_though_this_one_changed_something_later(store, run):
    sheet = sheet_of(store, run)
    item = load_item(store, sheet.item_id)
    fill(store, sheet, FULL, visit="a")
    desk.keep_steps(store, sheet, item, GROUNDING, [DraftStep("b.0", "s1", "time", {}, 2.0)])
    fill(store, sheet, {"s1": said("unsupported")}, visit="b")
    last = DraftStep("a.9", "s3", "set", said("no_rad", reason="small talk"), 1.0)
    desk.keep_steps(store, sheet, item, GROUNDING, [last])
    with pytest.raises(Conflict, match="another window"):
        sign(store, sheet, visit="a")
    assert not mine(store, sheet)
    assert sign(store, sheet, began="a.9", visit="c") == {}


def test_time_told_by_another_window_does_not_keep_a_sheet_from_being_signed(store, run):
    sheet = sheet_of(store, run)
    item = load_item(store, sheet.item_id)
    desk.keep_steps(store, sheet, item, GROUNDING, [DraftStep("a.1", "s1", "time", {}, 2.0)])
    fill(store, sheet, FULL, visit="b")
    desk.keep_steps(store, sheet, item, GROUNDING, [DraftStep("a.2", "s1", "time", {}, 2.0)])
    assert sign(store, sheet, began="a.1", visit="b") == {}
    assert len(mine(store, sheet)) == 3


def test_a_step_stored_while_somebody_signs_is_not_closed_with_the_sheet(store, run):
    sheet = sheet_of(store, run)
    item = load_item(store, sheet.item_id)
    fill(store, sheet, FULL, visit="a")
    found = desk.read_sheet(store, sheet, GROUNDING)
    fill(store, sheet, {"s1": said("unsupported")}, visit="b")
    answers = rating.build_answers(found.states, item, GROUNDING)
    with pytest.raises(Conflict, match="another window"):
        sign_sheet(store, sheet, answers, last_step=found.last, seconds={})
    kept = desk.read_sheet(store, sheet, GROUNDING)
    assert kept.states["s1"]["label"]["value"] == "unsupported"
    assert not kept.is_signed


def test_a_removed_run_is_told_and_the_draft_stays(store, run):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL)
    remove_runs(store, run_ids=[run], removed_by="ada", operation_id="gone")
    with pytest.raises(ReviewError, match="removed"):
        fill(store, sheet, {"s1": said("unsupported")}, visit="w")
    with store.read() as cursor:
        assert cursor.execute("select count(*) from drafts").fetchall() == [(3,)]


def test_a_signature_that_cannot_be_stored_keeps_the_draft(store, run, monkeypatch):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL)
    elsewhere = store.path.rename(store.path.with_suffix(".away"))
    with pytest.raises(NotSaved):
        sign(store, sheet)
    elsewhere.rename(store.path)
    assert desk.read_sheet(store, sheet, GROUNDING).is_changed
    assert sign(store, sheet) == {}
    assert len(mine(store, sheet, current=False)) == 3


def test_a_lost_signature_comes_back_from_the_journal(store, run, tmp_path):
    sheet = sheet_of(store, run)
    fill(store, sheet, FULL)
    copy = backups.back_up(store)
    sign(store, sheet)
    path = store.path
    store.close()
    path.unlink()
    path.with_name(path.name + ".wal").unlink(missing_ok=True)
    path.write_bytes(copy.read_bytes())
    again = open_store(path)
    assert [each.answer.value for each in mine(again, sheet)] == list(LABELS)
    assert questions.load_own_times(again, run, "zora")["seconds"].tolist() == [7.5]
    again.close()


def test_the_newest_import_is_offered_first_and_its_runs_in_their_order(store, run):
    later = [sentence_draft(system=each, number=9) for each in ("late", "later")]
    newest = save_drafts(store, later, "second")
    assert list(questions.load_rating_runs(store)["run_id"]) == [*newest, run]


def test_the_run_that_a_rater_worked_on_last_is_known_until_it_is_removed(store, run):
    later = save_drafts(store, [sentence_draft(system="late", number=9)], "second")
    assert questions.find_last_run(store, "zora") == ""
    fill(store, sheet_of(store, later[0]), {"s1": said("no_rad")}, visit="a")
    fill(store, sheet_of(store, run), {"s1": said("no_rad")}, visit="b")
    assert (questions.find_last_run(store, "zora"), questions.find_last_run(store, "yann")) == (
        run,
        "",
    )
    remove_runs(store, run_ids=[run], removed_by="eve", operation_id="gone")
    assert questions.find_last_run(store, "zora") == later[0]


def test_every_rater_has_an_order_of_their_own_that_no_answer_changes(store, run):
    orders = {
        rater: questions.load_queue(store, run, rater)["item_id"].tolist()
        for rater in ("zora", "yann")
    }
    assert set(orders["zora"]) == set(orders["yann"])
    assert orders["zora"] != orders["yann"]
    for nth in (4, 2):
        sheet = sheet_of(store, run, "yann", nth)
        fill(store, sheet, FULL, visit=f"v{nth}")
        sign(store, sheet, visit=f"v{nth}")
    assert questions.load_queue(store, run, "zora")["item_id"].tolist() == orders["zora"]


def test_a_queue_says_nothing_of_other_authors(store, run):
    found = questions.load_queue(store, run, "zora", overlap=1)
    assert list(found.columns) == [
        "item_id", "external_id", "is_rated", "is_begun", "is_full", "is_assigned", "is_calibration"
    ]  # fmt: skip
    told = json.dumps(found.to_dict("list"))
    assert not [word for word in ("ada", "north", *LABELS, "sentence 1") if word in told]
    assert found["is_full"].all()  # ada signed every item
    assert not questions.load_queue(store, run, "zora", overlap=2)["is_full"].any()
    assert not questions.load_queue(store, run, "ada", overlap=1)["is_full"].any()
    assert questions.load_own_answers(store, *sheet_of(store, run)) == []


def test_what_is_fetched_of_an_item_is_signed_by_the_rater_who_asks(store, run):
    """Blind by construction: the statements name their author, and nobody else's rows arrive."""
    sheet = sheet_of(store, run, "ada")
    fill(store, sheet, FULL | {"s1": said("unsupported", reason="ada thought again")})
    assert sign(store, sheet) == {}
    with store.read() as cursor:
        asked = {"number": find_item_number(cursor, sheet.item_id), "run_id": run, "rater": "ada"}
        rows = cursor.execute(questions._OWN, asked).fetchall()
        quotes = cursor.execute(questions._OWN_EXCERPTS, asked).fetchall()
    signed = {each.number for each in mine(store, sheet, current=False)}
    assert {row[0] for row in rows} == signed
    assert {row[6] for row in rows} == {"ada"}
    assert {row[0] for row in quotes} <= signed
    answers = {each.unit_id: each for each in questions.load_own_answers(store, *sheet)}
    assert answers["s1"].rationale == "ada thought again"
    assert [answers[each.answer.unit_id] for each in mine(store, sheet)] == [
        each.answer for each in mine(store, sheet)
    ]
    everything = {name: each for name, each in vars(questions).items() if name.isupper()}
    for name, statement in everything.items():
        if isinstance(statement, str) and "annotations" in statement:
            assert "w.name = $rater" in statement, name
    answering = (questions._OWN, questions._OWN_EXCERPTS)
    assert not [each for each in answering if "<> $rater" in each]


def test_items_are_handed_out_evenly_and_calibration_is_the_same_for_all(store, run):
    names = ["zora", "yann", "xenia"]
    share = {"overlap": 2, "assigned_by": BEN.name}
    many = assign_items(
        store, run, names, items=0, purpose=Purpose.SHARE, operation_id="one", **share
    )
    again = assign_items(
        store, run, names, items=0, purpose=Purpose.SHARE, operation_id="one", **share
    )
    assert many == again == 12
    loads = [int(questions.load_queue(store, run, name)["is_assigned"].sum()) for name in names]
    assert loads == [4, 4, 4]
    assign_items(
        store, run, names, items=3, purpose=Purpose.CALIBRATION, operation_id="two", **share
    )
    chosen = []
    for name in names:
        found = questions.load_queue(store, run, name)
        chosen.append(set(found[found["is_calibration"]]["item_id"]))
    assert chosen[0] == chosen[1] == chosen[2]
    assert len(chosen[0]) == 3
    with pytest.raises(ReviewError, match="name between"):
        assign_items(
            store, run, ["zora"], items=0, purpose=Purpose.SHARE, operation_id="x", **share
        )
