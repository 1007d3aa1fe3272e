"""Claim overlap: judgments by unit id, and precision, recall and F1 with claims left out."""

import json

import pytest

from faithfulness.judging.reply_states import ReplyState, classify_problem
from faithfulness.model.vocabulary import Answer, Item
from faithfulness.protocols.claim_overlap import PROTOCOL
from tests.example_items import claims_item

ITEM = claims_item(
    ["The fire began at 18:20.", "No one died.", "No one died."],
    ["The fire began in the evening.", "A firefighter was hurt."],
)
P1, P2, P3, R1, R2 = (unit.id for unit in ITEM.units)


def reply_of(**judgments: object) -> str:
    return "\n".join(
        json.dumps({"id": unit_id, "judgment": value, "rationale": "r"})
        for unit_id, value in judgments.items()
    )


def values(reply: str, item: Item = ITEM) -> list[tuple[str | None, bool]]:
    return [(answer.value, answer.is_unread) for answer in PROTOCOL.parse(reply, item, "").answers]


def test_lines_of_judgments_are_read_and_twin_claims_stay_apart() -> None:
    reply = reply_of(**{P1: True, P2: True, P3: False, R1: False, R2: None})
    assert [value for value, _ in values(reply)] == ["true", "true", "false", "false", None]
    assert not any(is_unread for _, is_unread in values(reply))


def test_fenced_array_with_reasons_is_read_and_excerpts_are_kept() -> None:
    rows = [
        {"id": P1, "judgment": True, "rationale": "Same time.", "excerpt": "in the evening"},
        {"id": R2, "judgment": False, "rationale": "Not mentioned.", "excerpt": None},
    ]
    reply = f"My judgments:\n```json\n{json.dumps(rows, indent=2)}\n```"
    answers = PROTOCOL.parse(reply, ITEM, "").answers
    assert [answer.value for answer in answers] == ["true", None, None, None, "false"]
    assert answers[0].excerpts[0].text == "in the evening"
    assert [answer.problem for answer in answers[1:4]] == [
        "the reply says nothing about this claim"
    ] * 3


def test_reply_in_the_file_format_names_claims_by_their_words() -> None:
    rows = [
        {"claim": "The fire  began at 18:20.", "judgment": True},
        {"claim": "No one died.", "judgment": True},
        {"claim": "It rained.", "judgment": False},
    ]
    reading = PROTOCOL.parse(json.dumps({"claims": rows}), ITEM, "")
    assert [answer.value for answer in reading.answers] == ["true", None, None, None, None]
    assert sum("not among the units" in note for note in reading.notes) == 2


@pytest.mark.parametrize("mark", ["", "m"])
def test_an_id_with_the_words_of_another_claim_is_unread(mark: str) -> None:
    texts = {unit.id: unit.text for unit in ITEM.units}
    told = [{"id": each, "claim": text, "judgment": True} for each, text in texts.items()]
    for other in (texts[P2], texts[R1]):  # twins too
        swapped = [{**told[0], "claim": other}, *told[1:]]
        reply = json.dumps([each | {"mark": mark} for each in swapped])
        first, *others = PROTOCOL.parse(reply, ITEM, mark).answers
        assert first.problem == f"the reply gives the id {P1} to another claim"
        assert classify_problem(first.problem) is ReplyState.ALTERED
        assert [answer.value for answer in others] == ["true"] * 4
    bare = json.dumps([{**told[0], "claim": texts[R1]}, *told[1:]])
    assert not any(answer.value for answer in PROTOCOL.parse(bare, ITEM, "m").answers)


def test_an_id_that_the_judge_made_up_leaves_the_claim_to_its_words() -> None:
    reply = json.dumps({"id": "1", "claim": "The fire began at 18:20.", "judgment": True})
    assert values(reply)[0] == ("true", False)
    without_words = PROTOCOL.parse(json.dumps({"id": "1", "judgment": True}), ITEM, "")
    assert "not among the units: '1'" in without_words.notes[0]


@pytest.mark.parametrize("said", ["maybe", 1, 0, [], "supported", {"value": True}])
def test_judgment_that_is_not_true_false_or_null_is_unread(said: object) -> None:
    answer = PROTOCOL.parse(reply_of(**{P1: said}), ITEM, "").answers[0]
    assert answer.is_unread


def test_two_judgments_of_one_claim_are_unread_even_if_one_is_null() -> None:
    assert values(reply_of(**{P1: True}) + reply_of(**{P1: False}))[0] == (None, True)
    assert values(reply_of(**{P1: True}) + reply_of(**{P1: None}))[0] == (None, True)
    assert values(reply_of(**{P1: True}) + reply_of(**{P1: True}))[0] == ("true", False)


def numbers(**judged: str | None) -> dict[str, float | None]:
    answers = [
        Answer(unit_id=unit_id, criterion="supported", value=value)
        for unit_id, value in judged.items()
    ]
    found = PROTOCOL.summarise(ITEM, answers)
    return {"f1": found.value, "counted": found.counted, "out": found.left_out, **found.parts}


def test_f1_is_the_harmonic_mean_of_both_directions() -> None:
    # precision 2/3, recall 1/2: F1 = 2 * (2/3) * (1/2) / (7/6) = 4/7
    found = numbers(**{P1: "true", P2: "true", P3: "false", R1: "true", R2: "false"})
    assert found["f1"] == pytest.approx(4 / 7)
    assert found["coverage_prediction"] == 1.0
    assert (found["counted"], found["out"]) == (5, 0)


def test_claim_that_nobody_judged_is_neither_true_nor_false() -> None:
    # one of two judged predictions is true; the third claim is in neither count
    found = numbers(**{P1: "true", P2: "false", P3: None, R1: "true", R2: "true"})
    assert found["precision"] == 0.5
    assert found["coverage_prediction"] == pytest.approx(2 / 3)
    assert found["f1"] == pytest.approx(2 / 3)
    assert (found["counted"], found["out"]) == (4, 1)


def test_side_that_nobody_judged_has_no_number_and_no_f1() -> None:
    found = numbers(**{P1: "true", P2: "true", P3: "true", R1: None, R2: None})
    assert found["recall"] is None
    assert found["f1"] is None
    assert found["coverage_reference"] == 0.0


def test_side_without_claims_has_no_coverage_either() -> None:
    item = claims_item(["Only here."], [])
    answer = Answer(unit_id=item.units[0].id, criterion="supported", value="true")
    found = PROTOCOL.summarise(item, [answer])
    assert found.value is None
    assert found.parts["precision"] == 1.0
    assert found.parts["recall"] is None
    assert found.parts["coverage_reference"] is None


def test_nothing_in_common_is_zero() -> None:
    found = numbers(**{P1: "false", P2: "false", P3: "false", R1: "false", R2: "false"})
    assert found["f1"] == 0.0


def test_not_judged_is_a_proper_answer_here() -> None:
    assert PROTOCOL.complaints(ITEM, [Answer(unit_id=P1, criterion="supported", value=None)]) == ()
