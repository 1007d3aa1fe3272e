"""A trial without any endpoint: the baseline on the disputed items of the sample."""

import pytest
from streamlit.testing.v1 import AppTest

from components.ui.plain import plain
from data.judging import prompt_queries
from data.samples.first_start import fill
from data.store.write_roles import Guard
from faithfulness.model.access import Role, Visitor
from tests.made_stores import new_store
from tests.opened_pages import store_of_pages
from tests.test_every_page import opened, said


@pytest.fixture
def sample(tmp_path):
    path = tmp_path / "plumbline.duckdb"
    new_store(path, fill).close()
    with store_of_pages(path) as store:
        yield store


def press(test: AppTest, label: str) -> AppTest:
    (button,) = [each for each in test.button if each.label == label]
    return button.click().run()


def with_baseline(test: AppTest) -> AppTest:
    (kinds,) = [each for each in test.get("segmented_control") if each.label == "Judge"]
    return kinds.set_value("offline").run()


def test_it_opens_on_a_judge_that_reads_prompts_and_says_that_the_baseline_does_not(sample):
    test = opened("try_prompt", protocol="sentence_grounding")
    assert "Model" in [each.label for each in test.text_input]
    assert "Enter a model to go on." in said(test)
    assert not test.warning
    test = with_baseline(test)
    (warning,) = test.warning
    assert "reads no prompt" in warning.value
    assert "Model behind an endpoint" in warning.value


def test_the_baseline_is_tried_says_what_it_cannot_answer_and_is_kept(sample):
    test = opened("try_prompt", protocol="sentence_grounding")
    assert "**20 items**" in said(test)
    found = prompt_queries.load_most_disputed(sample, "sentence_grounding", "label")
    test = press(with_baseline(test), "Try it")
    for _ in range(20):
        if "Same label as most raters" in said(test):
            break
        test.run()
    # One of the twenty is beyond it: told, left out, and too few remain for an interval.
    assert "19 of 20 items answered" in said(test)
    (warning,) = test.warning
    starts = [
        plain(f"No answer on {each.external_id}. Cannot judge this offline") for each in found
    ]
    assert warning.value.startswith(tuple(starts))
    assert "prompt sentence" not in said(test)  # it reads none
    assert "Counts only" in said(test)
    press(test, "Keep")
    assert not test.exception
    assert "Kept on 19 items" in said(test)
    items = [each.item_id for each in found]
    stored = prompt_queries.load_judge_labels(sample, "sentence_grounding", "label", items)
    assert "lexical baseline (offline, no model)" in stored


def test_a_reader_sets_nothing_to_work_even_by_a_button_that_was_drawn_before(sample):
    test = with_baseline(opened("try_prompt", protocol="sentence_grounding"))
    sample.guard = Guard(lambda: Visitor(name="ada@desk.example", role=Role.READER))
    press(test, "Try it")
    assert "trial" not in test.query_params
    assert next(each for each in test.button if each.label == "Try it").disabled


def test_too_few_items_are_said_before_and_a_protocol_without_any_says_why(sample):
    few = opened("try_prompt", protocol="comparative_summary")
    assert "counts without an interval" in said(few)
    assert not opened("try_prompt", protocol="nonsense", trial="nonsense").exception
