"""Expert rubric: two scores with what was ticked for them."""

import json

import pytest

from faithfulness.model.vocabulary import Answer
from faithfulness.protocols.expert_rubric import PROTOCOL
from tests.example_items import item_of

ITEM = item_of(
    "The museum closes at 16 on Sundays [1].",
    query="When does the museum close?",
    fragment_1="On Sundays the museum is open until 16.",
)
FULL = json.dumps(
    {
        "accuracy": {
            "score": 5,
            "rationale": "Exactly the fragment.",
            "checks": ["clear_answer", "tied_to_fragments", "clear_answer", "perfect"],
        },
        "ethics": {"score": 4, "rationale": "Recommends a visit.", "checks": ["own_judgement"]},
    },
    indent=1,
)
FLAT = """The answer misreads the fragment.
{"accuracy": 2, "accuracy_rationale": "16 is not 18.", "ethics": "5", "ethics_rationale": "OK."}"""
TWO_OBJECTS = """```
{"accuracy": {"score": 3.0, "rationale": "Padding.", "checks": ["superfluous"]}}
{"ethics": {"score": 1, "rationale": "Adds text.", "checks": ["undisclosed_text"]}}
```"""


def read(reply: str) -> list[Answer]:
    return list(PROTOCOL.parse(reply, ITEM, "").answers)


def test_scores_reasons_and_ticks_are_read_and_an_unknown_tick_is_noted() -> None:
    reading = PROTOCOL.parse(FULL, ITEM, "")
    accuracy, ethics = reading.answers
    assert (accuracy.value, ethics.value) == ("5", "4")
    assert accuracy.checks == ("clear_answer", "tied_to_fragments")
    assert ethics.rationale == "Recommends a visit."
    assert reading.notes == ("accuracy has no check 'perfect'",)


def test_flat_scores_are_read() -> None:
    accuracy, ethics = read(FLAT)
    assert (accuracy.value, accuracy.rationale) == ("2", "16 is not 18.")
    assert ethics.value == "5"


def test_criteria_in_two_objects_are_read() -> None:
    accuracy, ethics = read(TWO_OBJECTS)
    assert (accuracy.value, ethics.value) == ("3", "1")


@pytest.mark.parametrize("said", [0, 6, 4.5, True, "four", "５", None, [4], {"score": 9}, 10**30])
def test_score_off_the_scale_is_unread_and_the_other_stays(said: object) -> None:
    accuracy, ethics = read(json.dumps({"accuracy": said, "ethics": 5}))
    assert accuracy.is_unread
    assert ethics.value == "5"


def test_missing_and_doubled_scores_are_unread() -> None:
    accuracy, ethics = read('{"accuracy": 4} {"accuracy": 2}')
    assert "two different scores" in accuracy.problem
    assert "no score for ethics" in ethics.problem
    accuracy, _ = read('{"accuracy": 4, "accuracy": 2, "ethics": 3}')
    assert "more than once" in accuracy.problem


def test_truncated_object_is_unread() -> None:
    accuracy, ethics = read('{"accuracy": {"score": 4, "checks": []}, "ethics": {"score": ')
    assert accuracy.is_unread
    assert ethics.is_unread


def test_number_is_accuracy_with_ethics_beside_it() -> None:
    found = PROTOCOL.summarise(ITEM, read(FULL))
    assert (found.name, found.value, found.parts) == ("Accuracy", 5.0, {"ethics": 4.0})
    only_ethics = PROTOCOL.summarise(ITEM, read('{"ethics": 2}'))
    assert (only_ethics.value, only_ethics.left_out) == (None, 1)
    assert only_ethics.parts == {"ethics": 2.0}


@pytest.mark.parametrize("key", ["accuracy", "ethics"])
def test_every_level_has_its_bundle(key: str) -> None:
    criterion = PROTOCOL.criterion(key)
    assert {check.level for check in criterion.checklist} == set(criterion.scale.values)
    assert all(f"`{check.key}`" in PROTOCOL.prompt.template for check in criterion.checklist)
