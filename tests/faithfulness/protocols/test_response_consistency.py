"""Response consistency: six answers, links where evidence was used, and the broad-query rule."""

import json
from dataclasses import replace

import pytest

from faithfulness.intake.departures import list_missing_reasons
from faithfulness.model.vocabulary import Answer
from faithfulness.protocols.response_consistency import PROTOCOL
from tests.example_items import item_of

ITEM = item_of(
    "Customers say that the Veld backpack keeps things dry.",
    query="Is it waterproof?",
    detail_page="Q: Rain? Seller: The fabric repels water.",
    reviews="Kept my laptop dry.\nDry after an hour of rain.",
)
OPINION = json.dumps(
    {
        "query_type": "opinion",
        "answer": "yes_evidence",
        "rationale": "Both reviews say so.",
        "evidence_links": ["reviews", "https://shop.example/veld#reviews"],
        "excerpts": ["Kept my laptop dry."],
        "parts_unverified": False,
        "comment": "",
    },
    indent=2,
)
PUBLISHED_WORDS = """I looked at the detail page.
{"query_type": "Factoid", "answer": "No-Contrary Evidence", "rationale": "Only reviews say so.", \
"evidence_links": "detail_page", "comment": null}"""
REFUSAL = """<think>The assistant refuses. {"answer": "unsure"}</think>
```json
{"result": {"answer": "Nothing to fact-check", "rationale": "A refusal.", "evidence_links": []}}
```"""


def read(reply: str) -> list[Answer]:
    return list(PROTOCOL.parse(reply, ITEM, "").answers)


def test_reply_with_typed_links_and_excerpts_is_read() -> None:
    consistency, query_type = read(OPINION)
    assert consistency.value == "yes_evidence"
    assert consistency.links == ("reviews", "https://shop.example/veld#reviews")
    assert consistency.excerpts[0].text == "Kept my laptop dry."
    assert query_type.value == "opinion"
    assert PROTOCOL.complaints(ITEM, read(OPINION)) == ()


def test_published_wording_of_the_answers_is_understood() -> None:
    consistency, query_type = read(PUBLISHED_WORDS)
    assert consistency.value == "no_contrary_evidence"
    assert consistency.links == ("detail_page",)
    assert query_type.value == "factoid"


def test_answer_in_a_wrapper_is_read_and_the_query_type_may_be_missing() -> None:
    (consistency,) = read(REFUSAL)
    assert consistency.value == "nothing_to_check"
    assert PROTOCOL.complaints(ITEM, [consistency]) == ()


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Yes- Evidence", "yes_evidence"),
        ("No-[Against common knowledge]", "no_against_common_knowledge"),
        ("Nothing to fact check", "nothing_to_check"),
        ("UNSURE", "unsure"),
    ],
)
def test_every_published_spelling_is_understood(said: str, value: str) -> None:
    assert read(json.dumps({"answer": said}))[0].value == value


@pytest.mark.parametrize("said", ["yes", "no", "Yes", True, 5, None, ["unsure"], "yes_evidence!"])
def test_answer_off_the_scale_is_unread(said: object) -> None:
    (answer,) = read(json.dumps({"answer": said}))
    assert answer.is_unread


def test_two_different_answers_are_unread() -> None:
    (answer,) = read('{"answer": "unsure"} {"answer": "yes_evidence"}')
    assert "two different answers" in answer.problem


def test_unknown_query_type_is_unread_and_the_answer_stays() -> None:
    consistency, query_type = read('{"answer": "unsure", "query_type": "vague"}')
    assert consistency.value == "unsure"
    assert query_type.is_unread


def complaints(value: str, kind: str | None, **said: object) -> tuple[str, ...]:
    answer = Answer(unit_id="response", criterion="consistency", value=value)
    answers = [replace(answer, **said)]  # type: ignore[arg-type]
    if kind:
        answers.append(Answer(unit_id="response", criterion="query_type", value=kind))
    return PROTOCOL.complaints(ITEM, answers)


@pytest.mark.parametrize("value", ["yes_evidence", "no_contrary_evidence"])
def test_evidence_answers_need_links(value: str) -> None:
    assert "needs evidence links" in complaints(value, "factoid")[0]
    assert complaints(value, "factoid", links=("detail_page",)) == ()


@pytest.mark.parametrize(
    "value",
    ["yes_common_knowledge", "no_against_common_knowledge", "unsure", "nothing_to_check"],
)
def test_other_answers_take_no_links(value: str) -> None:
    answer = Answer(unit_id="response", criterion="consistency", value=value, links=("reviews",))
    (missing,) = list_missing_reasons(ITEM, [answer])
    assert "takes no evidence links" in missing
    assert list_missing_reasons(ITEM, [replace(answer, rationale="They show it.")]) == []
    assert list_missing_reasons(ITEM, [replace(answer, links=())]) == []


@pytest.mark.parametrize("kind", ["broad", None])
def test_broad_response_accepted_with_unverified_parts_needs_a_comment(kind: str | None) -> None:
    said = {"links": ("external",), "checks": ("parts_unverified",)}
    assert "in the comment" in complaints("yes_evidence", kind, **said)[0]
    assert "in the comment" in complaints("yes_evidence", kind, comment=" ", **said)[0]
    assert complaints("yes_evidence", kind, comment="The third benefit.", **said) == ()
    assert complaints("yes_evidence", kind, links=("external",)) == ()


def test_factoid_response_cannot_be_accepted_with_unverified_parts() -> None:
    said = {"links": ("detail_page",), "checks": ("parts_unverified",), "comment": "The weight."}
    assert "factoid" in complaints("yes_evidence", "factoid", **said)[0]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("yes_evidence", 1.0),
        ("yes_common_knowledge", 1.0),
        ("no_contrary_evidence", 0.0),
        ("no_against_common_knowledge", 0.0),
        ("unsure", None),
        ("nothing_to_check", None),
    ],
)
def test_only_yes_and_no_have_a_number(value: str, number: float | None) -> None:
    found = PROTOCOL.summarise(
        ITEM, [Answer(unit_id="response", criterion="consistency", value=value)]
    )
    assert found.value == number
    assert (found.counted, found.left_out) == ((1, 0) if number is not None else (0, 1))


def test_both_no_answers_claim_a_contradiction() -> None:
    labels = PROTOCOL.criteria[0].scale.labels
    assert [label.value for label in labels if label.contradicts] == [
        "no_contrary_evidence",
        "no_against_common_knowledge",
    ]
