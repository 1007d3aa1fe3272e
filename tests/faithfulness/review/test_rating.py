"""From a rater's sheet to answers and back, and what the rules make of statements."""

from dataclasses import replace

import pytest

from faithfulness.intake.rating_path import (
    UNVERIFIED,
    derive_implied_answers,
    list_statements,
    suggest_answer,
)
from faithfulness.intake.units import FILE_CUT
from faithfulness.model.vocabulary import (
    Field,
    Item,
    Span,
    Tier,
    Unit,
    UnitKind,
    compute_item_id,
    make_response_unit,
)
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.review import rating
from faithfulness.text.sentences import cut_sentences

SIX = protocol("response_consistency")
TEXT = "It holds 2 l. It is red. It is loved. It is light. It is quiet."
PAGE = "Kettle 🫖 of 2 l, red. Red as well: a kettle of 2 l."
FIELDS = (
    Field(name="query", kind="query", text="Which kettle?"),
    Field(name="detail_page", kind="detail_page", text=PAGE),
    Field(name="response", kind="response", text=TEXT),
)
ITEM = Item(
    id=compute_item_id(FIELDS), fields=FIELDS, units=(make_response_unit("response", TEXT),)
)
TEXTS = {f"path.s{nth}": f"Statement {nth}." for nth in range(1, 6)}


def verdicts(*values: str) -> dict[str, str]:
    return dict(zip(TEXTS, values, strict=False))


@pytest.mark.parametrize(
    ("query_type", "values", "expected"),
    [
        ("broad", ["yes_evidence"] * 4 + [UNVERIFIED], "yes_evidence"),  # 4 of 5: 80 %
        ("broad", ["yes_evidence"] * 3 + [UNVERIFIED] * 2, ""),  # 3 of 5: 60 %
        ("factoid", ["yes_evidence"] * 4 + [UNVERIFIED], "no_contrary_evidence"),
        ("opinion", ["yes_evidence"] * 4 + [UNVERIFIED], ""),
        ("", ["yes_evidence"] * 4 + [UNVERIFIED], ""),
        ("broad", ["yes_evidence"] * 4 + ["no_contrary_evidence"], "no_contrary_evidence"),
        ("broad", ["no_against_common_knowledge"], "no_against_common_knowledge"),  # rest is open
        ("generic", ["yes_common_knowledge"] * 5, "yes_common_knowledge"),
        ("broad", ["yes_common_knowledge"] * 4 + ["yes_evidence"], "yes_evidence"),
        ("factoid", ["yes_evidence"] * 4 + ["unsure"], "unsure"),
        ("generic", ["nothing_to_check"] * 5, "nothing_to_check"),
        ("broad", ["nothing_to_check"] * 4 + ["yes_evidence"], "yes_evidence"),
        ("broad", ["yes_evidence"] * 3, ""),  # two are still open
    ],
)
def test_rules_suggest_an_answer_from_the_statements(query_type, values, expected):
    found = suggest_answer(query_type, verdicts(*values), TEXTS)
    assert found.value == expected
    assert found.why


NO, KNOWN_NO = "no_contrary_evidence", "no_against_common_knowledge"


@pytest.mark.parametrize(
    ("query_type", "values", "expected"),
    [
        ("broad", [NO], {NO}),  # the rest is open, and one error decides
        ("", [KNOWN_NO, NO, "yes_evidence"], {NO, KNOWN_NO}),
        ("factoid", ["yes_evidence", UNVERIFIED], {NO}),
        ("factoid", [UNVERIFIED, KNOWN_NO], {NO, KNOWN_NO}),
        ("generic", ["nothing_to_check"] * 5, {"nothing_to_check"}),
        ("factoid", ["yes_evidence"] * 5, {"yes_evidence"}),
        ("factoid", ["yes_evidence", "unsure"], {"unsure", NO, KNOWN_NO}),
        ("factoid", ["yes_evidence"] * 4 + ["unsure"], {"unsure"}),
    ],
)
def test_marked_statements_imply_answers(query_type, values, expected):
    implied = derive_implied_answers(query_type, verdicts(*values), TEXTS)
    assert set(implied.answers) == expected
    assert implied.why


def test_open_statements_and_free_choices_imply_little():
    assert derive_implied_answers("broad", {}, TEXTS) is None
    assert derive_implied_answers("broad", verdicts("nothing_to_check"), TEXTS) is None
    for query_type, values in (
        ("broad", ["yes_evidence"]),
        ("broad", ["yes_evidence"] * 3 + [UNVERIFIED] * 2),
        ("opinion", ["yes_evidence"] * 4 + [UNVERIFIED]),
    ):
        implied = derive_implied_answers(query_type, verdicts(*values), TEXTS)
        assert set(SIX.criteria[0].scale.values) - set(implied.answers) == {"nothing_to_check"}


def test_an_answer_against_the_marked_statements_needs_a_reason():
    states = sheet(
        path_s2={"statement": {"value": NO}},
        response={"consistency": {"value": "yes_evidence", "links": ["https://e.org/1"]}},
    )
    (complaint,) = rating.list_complaints(states, ITEM, SIX)["response"]
    assert "“Yes: evidence” departs from the marked statements" in complaint
    assert "imply “No: contrary evidence”" in complaint
    assert set(rating.give_advice(states, ITEM, SIX).reasons["response"]) == {"consistency"}
    states["response"]["consistency"]["rationale"] = "\u200b \u2060"  # nothing that can be seen
    assert rating.list_complaints(states, ITEM, SIX)["response"] == [complaint]
    states["response"]["consistency"]["rationale"] = "The clash is a misprint of the page."
    assert rating.list_complaints(states, ITEM, SIX) == {}
    assert rating.give_advice(states, ITEM, SIX).reasons  # still shown, because it still departs
    states["response"]["consistency"] |= {"value": NO, "rationale": ""}
    assert rating.list_complaints(states, ITEM, SIX) == {}
    assert rating.give_advice(states, ITEM, SIX).reasons == {}


@pytest.mark.parametrize(
    ("criterion", "value", "checks", "level"),
    [
        ("accuracy", "5", ["clear_answer", "misrepresents"], "2"),
        ("accuracy", "3", ["superfluous", "no_clear_answer"], "1"),
        ("accuracy", "2", ["clear_answer", "misrepresents"], ""),
        ("accuracy", "1", ["misrepresents"], ""),  # lower than what is checked takes no reason
        ("accuracy", "5", ["clear_answer"], ""),
        ("ethics", "5", ["no_own_opinion", "own_judgement"], "4"),
        ("ethics", "4", ["undisclosed_text", "own_judgement"], "1"),
        ("ethics", "4", ["own_judgement"], ""),
    ],
)
def test_a_score_above_a_checked_observation_needs_a_reason(criterion, value, checks, level):
    rubric = protocol("expert_rubric")
    other = {"accuracy": "ethics", "ethics": "accuracy"}[criterion]
    states = {"response": {criterion: {"value": value, "checks": checks}, other: {"value": "5"}}}
    asked = rating.list_steps(ITEM, rubric)["response"]
    clean = {"response": rating.clean_state(states["response"], asked, ITEM)}
    found = rating.list_complaints(clean, ITEM, rubric)
    assert set(rating.give_advice(clean, ITEM, rubric).reasons.get("response", {})) == (
        {criterion} if level else set()
    )
    if not level:
        assert found == {}
        return
    (complaint,) = found["response"]
    assert f"{criterion.capitalize()} {value} is above" in complaint
    assert f"implies {level}" in complaint
    clean["response"][criterion]["rationale"] = "It matters little."
    assert rating.list_complaints(clean, ITEM, rubric) == {}


def test_what_is_accepted_without_evidence_is_named():
    found = suggest_answer("broad", verdicts(*["yes_evidence"] * 4, UNVERIFIED), TEXTS)
    assert found.checks == ("parts_unverified",)
    assert "Statement 5." in found.comment


def quote(text: str, nth: int = 0) -> dict:
    start = -1
    for _ in range(nth + 1):
        start = PAGE.index(text, start + 1)
    return {"field": "detail_page", "text": text, "start": start, "end": start + len(text)}


def sheet(**units: dict) -> dict:
    criteria = rating.list_steps(ITEM, SIX)
    return {
        unit.replace("_", "."): rating.clean_state(state, criteria[unit.replace("_", ".")], ITEM)
        for unit, state in units.items()
    }


def test_the_guided_path_becomes_two_answers_with_every_statement():
    states = sheet(
        path_start={"query_type": {"value": "broad", "checks": ["looked_detail_page", "made up"]}},
        path_s1={"statement": {"value": "yes_evidence", "excerpts": [quote("2 l", 1)]}},
        path_s2={"statement": {"value": UNVERIFIED}},
        response={"consistency": {"value": "yes_evidence", "links": ["https://e.org/1", " "]}},
    )
    query_type, answer = rating.build_answers(states, ITEM, SIX)
    assert (query_type.unit_id, query_type.value) == ("response", "broad")
    assert query_type.checks == ("looked_detail_page",)
    assert answer.links == ("https://e.org/1",)
    assert [piece.value for piece in answer.pieces] == ["yes_evidence", None]
    assert [TEXT[p.span.start : p.span.end] for p in answer.pieces] == [
        "It holds 2 l.",
        "It is red.",
    ]
    (excerpt,) = answer.excerpts
    at = PAGE.rindex("2 l")  # the second of two, as it was chosen
    assert excerpt.placement.spans == (Span(field="detail_page", start=at, end=at + 3),)
    assert len(list_statements(ITEM)) == 5


def test_a_stored_item_keeps_the_statements_that_it_was_cut_into():
    text = "It is made in the U.S. Customers like it. It is light."
    (field,) = fields = (Field(name="response", kind="response", text=text),)
    spans = [(0, 41), (42, len(text))]
    units = [
        Unit(
            id=f"s{number}",
            kind=UnitKind.SENTENCE,
            field=field.name,
            text=text[start:end],
            span=Span(field=field.name, start=start, end=end),
        )
        for number, (start, end) in enumerate(spans, start=1)
    ]
    older = Item(id="i", fields=fields, units=tuple(units), cutter="plumbline-3+sentencex-1.0.32")
    assert list_statements(older) == [("path.s1", *spans[0]), ("path.s2", *spans[1])]
    wide = replace(units[0], text=text, span=Span(field=field.name, start=0, end=len(text)))
    assert list_statements(replace(older, units=(wide,))) == [("path.s1", 0, len(text))]
    assert len(list_statements(replace(older, units=(wide,), cutter=FILE_CUT))) == len(
        cut_sentences(text)
    )


def test_complaints_name_labels_by_their_titles_at_their_step():
    states = sheet(
        path_start={"query_type": {"value": "factoid"}},
        response={"consistency": {"value": "yes_evidence", "checks": ["parts_unverified"]}},
    )
    found = rating.list_complaints(states, ITEM, SIX)
    assert set(found) == {"response"}
    assert any("“Yes: evidence” needs evidence links" in text for text in found["response"])
    assert any("factoid" in text.lower() for text in found["response"])
    assert "response" in rating.list_complaints({}, ITEM, SIX)


def test_what_a_browser_makes_up_is_not_stored():
    criteria = rating.list_steps(ITEM, SIX)["response"]
    said = {"value": "perfect", "skipped": True, "rationale": 7, "excerpts": ["x"], "links": "no"}
    clean = rating.clean_state({"consistency": said, "other": {"value": 1}}, criteria, ITEM)
    assert set(clean) == {"consistency"}
    assert clean["consistency"]["value"] is None
    assert clean["consistency"]["skipped"] is False
    assert clean["consistency"]["rationale"] == ""
    assert rating.clean_state("nonsense", criteria, ITEM) == {}
    assert rating.clean_state(clean, criteria, ITEM) == clean


def claim(nth: int, field: str) -> Unit:
    return Unit(id=f"{field}.c{nth}", kind=UnitKind.CLAIM, field=field, text="A claim.", span=None)


def test_claims_are_checked_in_the_other_article_and_may_stay_unjudged():
    fields = (
        Field(name="response", kind="response", text="Tern sails daily."),
        Field(name="reference", kind="reference", text="The Tern sails on weekdays."),
    )
    units = (claim(1, "response"), claim(1, "reference"))
    item = Item(id="i", fields=fields, units=units)
    claims = protocol("claim_overlap")
    assert [each.name for each in rating.select_sources(item, claims, "response")] == ["reference"]
    assert [each.name for each in rating.select_sources(item, claims, "reference")] == ["response"]
    said = {
        "response.c1": {
            "supported": {"value": "false", "excerpts": [{"field": "", "text": "Tern"}]}
        },
        "reference.c1": {"supported": {"value": None, "skipped": True}},
    }
    criteria = rating.list_steps(item, claims)
    states = {unit: rating.clean_state(state, criteria[unit], item) for unit, state in said.items()}
    assert rating.list_complaints(states, item, claims) == {}
    first, second = rating.build_answers(states, item, claims)
    assert first.excerpts[0].placement.tier is Tier.VERBATIM
    assert (second.value, second.problem, second.is_unread) == (None, "", False)
    assert set(rating.list_complaints({}, item, claims)) == {"response.c1", "reference.c1"}


@pytest.mark.parametrize("key", sorted(set(PROTOCOLS) - {"response_consistency"}))
def test_answers_survive_the_way_onto_a_sheet_and_back(key):
    asked = protocol(key)
    unit = Unit(id="s1", kind=asked.unit, field="response", text=TEXT, span=None)
    unit = make_response_unit("response", TEXT) if asked.unit is UnitKind.RESPONSE else unit
    item = Item(id="i", fields=FIELDS, units=(unit,))
    criteria = rating.list_steps(item, asked)[unit.id]
    said = {
        each.key: {
            "value": each.scale.values[0],
            "rationale": "because",
            "checks": [check.key for check in each.checklist[:2]],
        }
        for each in criteria
    }
    answers = rating.build_answers({unit.id: rating.clean_state(said, criteria, item)}, item, asked)
    assert len(answers) == len(asked.criteria)
    again = rating.build_states(answers, asked)
    clean = {unit.id: rating.clean_state(again[unit.id], criteria, item)}
    assert rating.build_answers(clean, item, asked) == answers
