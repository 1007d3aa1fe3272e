"""The rerun page as a meeting opens it: nobody is named before the point is decided."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.access.shared_store import open_store_once, shared_store
from data.items.loading import load_annotations
from data.meetings.agendas import agenda_from
from data.meetings.save_meetings import begin_meeting
from data.store.paths import VARIABLE
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind
from tests.data.stored import save_drafts, sentence_draft
from tests.made_stores import new_store

ROOT = Path(__file__).resolve().parents[2]
S, C = "supported", "contradictory"
# Letters alone, which reach a page as they are; a run is called after its system.
NAMES = ("Zora", "Quentin", "Yolanda", "Xaver")
ZORA, QUENTIN = (Author(kind=AuthorKind.RATER, name=name) for name in NAMES[:2])
YOLANDA = Author(kind=AuthorKind.JUDGE, name=NAMES[2])
BACK = "Back to the meeting"


@pytest.fixture
def store(tmp_path, monkeypatch) -> Iterator[Store]:
    path = tmp_path / "plumbline.duckdb"
    made = new_store(path)
    values = {ZORA: (C, S, S), QUENTIN: (C, S, S), YOLANDA: (S, S, S)}
    draft = sentence_draft(1, values, system=NAMES[3])
    # A rationale that names its author is for its author to avoid.
    draft.said[:] = [each._replace(rationale="as the page says") for each in draft.said]
    save_drafts(made, [draft])
    made.close()
    monkeypatch.setenv(VARIABLE, str(path))
    open_store_once.clear()
    opened = shared_store()
    yield opened
    opened.close()
    open_store_once.clear()


def opened(store: Store, **more: str) -> AppTest:
    (point,) = agenda_from(store, Selection(), first=1)
    told = {"host": "eve", "present": [], "agenda": [point], "operation_id": "b"}
    meeting = begin_meeting(store, **told)
    test = AppTest.from_file(str(ROOT / "pages" / "rerun.py"), default_timeout=60)
    here = {"run": point.run_id, "item": point.item_id, "unit": point.unit_id}
    here |= {"criterion": point.criterion, "meeting": meeting} | more
    for name, said in here.items():
        test.query_params[name] = said
    test.run()
    assert not test.exception
    return test


def press(test: AppTest, label: str) -> AppTest:
    next(each for each in test.button if each.label == label).click().run()
    assert not test.exception
    return test


def labels(test: AppTest) -> set[str]:
    return {each.label for each in test.button}


def sent(test: AppTest) -> str:
    """All that the browser gets to draw."""
    found = [each.proto for each in (*test.main, *test.sidebar)]
    return f"{found} {test.query_params}"


def test_a_blind_rerun_sends_no_name_before_during_and_after(store):
    test = opened(store, names="hidden")
    told = [sent(test)]
    told.append(sent(press(test, "Ask")))
    assert "Judge 1" in told[1]
    assert "Rater 2" in told[1]
    told.append(sent(press(test, "Keep")))
    assert "M goes back to the meeting" in test.success[0].value
    assert "Show on the item" not in labels(test)
    told.append(sent(press(test, "Ask again")))
    assert not [name for name in NAMES for each in told if name in each]


def test_a_rerun_of_a_decided_point_names_everybody_and_lists_what_was_kept(store):
    test = press(opened(store), "Ask")
    assert not [name for name in NAMES if name not in sent(test)]
    assert {"Open the item", BACK} <= labels(test)
    press(press(test, "Keep"), "Ask again")
    assert "Reruns kept before" in sent(test)
    assert "reads none" in sent(test)  # the baseline was asked, and no prompt stands beside it


def test_a_kept_baseline_says_where_it_counts_and_leads_to_the_queue(store):
    test = press(press(opened(store, meeting="", names=""), "Ask"), "Keep")
    assert "“With offline baseline” is switched on" in test.success[0].value
    assert "Disagreements with offline baseline" in labels(test)
    meant = press(press(opened(store), "Ask"), "Keep")
    assert "Disagreements with offline baseline" not in labels(meant)  # the room has its own way


def test_going_back_warns_once_and_only_of_what_would_be_lost(store):
    test = press(opened(store, names="hidden"), "Ask")
    assert not test.warning
    press(test, BACK)
    assert "not kept" in test.warning[0].value
    assert "Throw away" in labels(test)  # still on the page, with its answers
    press(test, "Keep")
    assert not test.warning
    assert len(load_annotations(store, test.query_params["item"])) > 9


def test_an_address_that_names_no_point_shows_no_answers(store):
    test = press(opened(store, names="hidden", criterion="nonsense"), "Ask")
    assert "nonsense" in test.error[0].value
    assert not [name for name in NAMES if name in sent(test)]


def test_several_samples_at_temperature_0_are_warned_of(store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_JUDGE_ALLOW", "127.0.0.1:9")
    test = opened(store)
    test.segmented_control(key="judge_kind").select("endpoint").run()
    test.text_input(key="judge_address").input("http://127.0.0.1:9/v1")
    test.text_input(key="judge_model").input("m").run()
    shown = "At temperature 0 the 5 samples will be nearly the same"
    assert not [each for each in test.warning if each.value.startswith("At temperature 0")]
    test.number_input(key="judge_samples").set_value(5).run()
    assert [each for each in test.warning if each.value.startswith(shown)]
    test.text_input(key="judge_temperature").input("0.7").run()
    assert not [each for each in test.warning if each.value.startswith("At temperature 0")]
