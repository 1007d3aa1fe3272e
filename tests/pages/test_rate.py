"""The rating page shows an item, its sources and the own sheet; of other authors nothing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.rating.profile import IN_SAMPLE
from data.items.loading import load_annotations, load_item
from data.rating import rating_desk as desk
from data.rating import rating_queries as questions
from data.rating.drafts import DraftStep, Sheet
from data.runs import queries
from data.samples.first_start import fill
from data.store.store import Store
from faithfulness.protocols import PROTOCOLS, protocol
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("rating") / "plumbline.duckdb"
    opened = new_store(path, fill)
    opened.close()
    with store_of_pages(path) as shared:
        yield shared


def opened(rater: str = "Zora", **address: str) -> AppTest:
    return opened_page("rate", address, state={"rater_name": rater})


def form_of(test: AppTest) -> dict:
    found = [json.loads(each.proto.json) for each in test.get("bidi_component")]
    return next(each for each in found if "units" in each)


def everything(test: AppTest) -> str:
    """All that travels to the browser, as text."""
    drawn = [json.loads(each.proto.json) for each in test.get("bidi_component")]
    told = [json.dumps(each, ensure_ascii=False) for each in drawn]
    return "\n".join([str(test.main), *told, json.dumps(dict(test.query_params), default=str)])


def one_run_of_each(store: Store) -> list[tuple[str, str]]:
    runs = queries.runs(store).drop_duplicates("protocol")
    return list(zip(runs["protocol"], runs["run_id"], strict=True))


def test_all_five_protocols_have_a_form(store):
    found = dict(one_run_of_each(store))
    assert set(found) == set(PROTOCOLS)
    for key, run in found.items():
        test = opened(run=run)
        assert not test.exception
        assert not test.error
        form = form_of(test)
        assert form["units"]
        item = load_item(store, form["item"])
        for source in form["sources"]:
            assert "".join(words for _, words, _ in source["pieces"]) == item.text_of(
                source["name"]
            )
        levels = [label for each in form["criteria"].values() for label in each["labels"]]
        assert all(label["meaning"] for label in levels), key
        assert PROTOCOLS[key].title in str(test.selectbox[0].options)


def test_nothing_another_author_said_reaches_the_page(store):
    for _, run in one_run_of_each(store):
        for item_id in questions.load_queue(store, run, "Zora")["item_id"].head(3):
            test = opened(run=run, item=item_id)
            told = everything(test)
            assert form_of(test)["item"] == item_id
            texts = "\n".join(each.text for each in load_item(store, item_id).fields)
            for each in load_annotations(store, item_id):
                secrets = [each.author.name, each.answer.rationale, each.answer.comment]
                secrets += [excerpt.text for excerpt in each.answer.excerpts]
                found = [word for word in secrets if word and word in told and word not in texts]
                assert found == []
            assert form_of(test)["states"] == {}


def test_a_rater_sees_what_they_signed_themselves(store):
    run = dict(one_run_of_each(store))["sentence_grounding"]
    seen = []
    for item_id in questions.load_queue(store, run, "Nora")["item_id"]:
        own = questions.load_own_answers(store, run, item_id, "Nora")
        if own:
            states = form_of(opened("Nora", run=run, item=item_id, list="rated"))["states"]
            seen.append({unit: each["label"]["value"] for unit, each in states.items()})
            assert seen[-1] == {each.unit_id: each.value for each in own}
            break
    assert seen


def test_whoever_comes_back_without_an_address_goes_on_where_they_were(store):
    runs = questions.load_rating_runs(store)["run_id"].tolist()
    run = dict(one_run_of_each(store))["sentence_grounding"]
    assert run != runs[0]
    sheet = Sheet(run, questions.load_queue(store, run, "Quinn")["item_id"].iloc[-1], "Quinn")
    said = {"label": {"value": "no_rad", "rationale": "", "comment": "", "excerpts": []}}
    item = load_item(store, sheet.item_id)
    step = DraftStep("q.1", item.units[0].id, "set", said, 2.0)
    desk.keep_steps(store, sheet, item, protocol("sentence_grounding"), [step])
    test = opened("Quinn")
    assert test.query_params["run"] == run
    assert form_of(test)["item"] == sheet.item_id
    next(box for box in test.selectbox if box.label == "Run").set_value(runs[0]).run()
    test.run()  # whoever goes to another run stays there
    assert test.query_params["run"] in (runs[0], [runs[0]])
    assert (
        form_of(opened("Rhea"))["item"]
        in questions.load_queue(store, runs[0], "Rhea")["item_id"].tolist()
    )


def test_an_address_with_nonsense_leads_to_the_first_item(store):
    run = dict(one_run_of_each(store))["sentence_grounding"]
    first = form_of(opened(run=run))["item"]
    test = opened(run=run, item="nonsense", list="nonsense", overlap="99")
    assert not test.exception
    assert form_of(test)["item"] == first


def test_a_full_item_leaves_the_queue_and_says_nothing_else(store):
    run = dict(one_run_of_each(store))["sentence_grounding"]
    queue = questions.load_queue(store, run, "Zora", 1)
    test = opened(run=run, overlap="1")
    assert not test.exception
    left = queue[~queue["is_full"]]["item_id"].tolist()
    if left:
        assert form_of(test)["item"] == left[0]
    else:
        assert "Nothing is left to rate" in test.info[0].value


def test_without_a_name_no_item_is_shown(store):
    test = opened("")
    assert not test.exception
    assert "Say who you are" in test.info[0].value
    assert not [each for each in test.get("bidi_component") if '"units"' in each.proto.json]


def test_another_list_begins_with_its_own_first_item(store):
    run_id = one_run_of_each(store)[0][1]
    queue = questions.load_queue(store, run_id, "Zora", 0)
    test = opened(run=run_id, item=str(queue["item_id"].iloc[-1]))
    assert "item" in test.query_params
    (lists,) = [each for each in test.get("segmented_control") if each.label == "List"]
    lists.set_value("rated").run()
    assert "rated" in test.query_params["list"]
    assert "item" not in test.query_params


def test_a_name_that_the_sample_brought_is_told_beside_it(store):
    def beside(rater):
        found = [json.loads(each.proto.json) for each in opened(rater).get("bidi_component")]
        return next(each["note"] for each in found if each.get("as") == "You rate as")

    assert beside("Priya") == IN_SAMPLE
    assert beside("Zora") == ""
    assert beside("") == ""
