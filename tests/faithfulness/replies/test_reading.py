"""Reading replies: objects in any wrapping, thinking left out, nothing taken from quotations."""

import json

import pytest

from faithfulness.model.scale import make_score_scale
from faithfulness.replies.reading import (
    extract_objects,
    get_confidence,
    get_texts,
    limit_notes,
    match_scale_value,
    parse_json_objects,
)
from tests.example_items import item_of

ITEM = item_of("A plain sentence.", context="A plain source.")
ONE, TWO = {"label": "a", "n": 1}, {"label": "b", "n": 2}
FIRST, SECOND = json.dumps(ONE), json.dumps(TWO)


def found(reply: str) -> list[dict[str, object]]:
    return [dict(told) for told in extract_objects(reply, ITEM, "", ("label",)).objects]


@pytest.mark.parametrize(
    "reply",
    [
        f"{FIRST}\n{SECOND}",
        f"{FIRST}{SECOND}",
        f"[{FIRST}, {SECOND}]",
        f"```json\n[{FIRST},\n{SECOND}]\n```",
        f"Sure! 1. {FIRST}, 2. {SECOND}. Done {{really}}.",
        json.dumps({"answers": {"list": [ONE, TWO]}}, indent=3),
        f'{{"answers": [{FIRST}, {SECOND}, {{"label": "c',
        f"\ufeff{FIRST}\r\n\r\n{SECOND}\r\n",
        f"{{ not json {FIRST} }} {{'label': 'x'}} {SECOND}",
    ],
)
def test_objects_are_found_in_any_wrapping(reply: str) -> None:
    assert found(reply) == [ONE, TWO]


def test_half_letters_become_a_sign_that_can_be_stored() -> None:
    reply = r'{"label": "a\ud83d", "list": [["\udc00"]], "in\ud800": {"x": "\ud83d\ude00"}}'
    assert found(reply) == [
        {"label": "a\ufffd", "list": [["\ufffd"]], "in\ufffd": {"x": "\U0001f600"}}
    ]


def test_raw_line_breaks_inside_a_string_are_read() -> None:
    assert found('{"label": "two\nlines"}') == [{"label": "two\nlines"}]


def test_object_quoted_inside_a_string_is_no_object() -> None:
    outer = {"label": "a", "rationale": f"it says {SECOND}"}
    assert found(json.dumps(outer)) == [outer]
    assert found(json.dumps(outer)[:-5]) == []


@pytest.mark.parametrize(
    "reply",
    [
        f"<think>{SECOND}</think>{FIRST}",
        f"<THINKING>\n{SECOND}\n</THINKING>\n{FIRST}",
        f"{SECOND} so I think\n</think>\n{FIRST}",
        f"<think>a</think>{FIRST}<think>{SECOND}",
        f"<think>it says </think> {SECOND} really</think>{FIRST}",
    ],
)
def test_thinking_is_left_out(reply: str) -> None:
    assert found(reply) == [ONE]


def test_thinking_tags_inside_an_object_are_a_quotation() -> None:
    tricky = {"label": "a", "sentence": "He wrote <think> and </think> there."}
    assert found(f"{SECOND}\n{json.dumps(tricky)}\n{FIRST}") == [TWO, tricky, ONE]


def test_unfinished_thinking_is_noted() -> None:
    heard = parse_json_objects(f"<think>{FIRST}")
    assert heard.objects == ()
    assert heard.notes == ("the reply ends inside its thinking",)


def test_only_marked_objects_count_where_there_is_a_mark() -> None:
    marked = {"mark": "m", "label": "c"}
    reply = f"{FIRST}\n{json.dumps(marked)}\n{json.dumps({'mark': 'M', 'label': 'd'})}"
    heard = extract_objects(reply, ITEM, "m", ("label",))
    assert [dict(told) for told in heard.objects] == [marked]
    assert heard.notes == ("2 JSON object(s) without this call's mark were not counted",)
    assert len(found(reply)) == 3


def test_keys_that_stand_twice_are_named() -> None:
    (told,) = extract_objects('{"label": 1, "x": 0, "label": 2}', ITEM, "", ("label",)).objects
    assert told.twice == ("label",)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_odd_numbers_raise_nothing(value: str) -> None:
    assert len(found(f'{{"label": "a", "confidence": {value}}}')) == 1
    (told,) = extract_objects(
        f'{{"label": "a", "confidence": {value}}}', ITEM, "", ("label",)
    ).objects
    assert get_confidence(told) is None


def test_later_objects_are_found_behind_deep_nesting() -> None:
    assert found('{"a":' + "[" * 5000 + "]" * 5000 + "}" + FIRST) == [ONE]
    assert found('{"a":' * 300 + FIRST) == [ONE]


def test_search_that_is_given_up_is_noted() -> None:
    assert any("too tangled" in note for note in parse_json_objects('{"a":' * 50_000 + FIRST).notes)


def test_reply_with_endless_objects_is_not_read_at_all() -> None:
    heard = extract_objects(FIRST * 20_000, ITEM, "", ("label",))
    assert heard.objects == ()
    assert any("too many" in note for note in heard.notes)


@pytest.mark.parametrize(("said", "value"), [(" 4 ", "4"), (4, "4"), (4.0, "4"), ("4", "4")])
def test_same_value_in_another_spelling_is_on_the_scale(said: object, value: str) -> None:
    assert match_scale_value(said, make_score_scale("abcde")) == value


@pytest.mark.parametrize("said", [True, None, 4.2, "4.0", "iv", [4], float("nan"), float("inf")])
def test_anything_else_is_off_the_scale(said: object) -> None:
    assert match_scale_value(said, make_score_scale("abcde")) is None


def test_one_text_is_one_and_a_list_is_several() -> None:
    assert get_texts({"excerpt": "a. b."}, "excerpt") == ("a. b.",)
    assert get_texts({"excerpt": None, "excerpts": ["a", "", 3, "b"]}, "excerpt", "excerpts") == (
        "a",
        "b",
    )


def test_notes_stay_few() -> None:
    assert limit_notes(["n"] * 50) == ("n",) * 50
    assert limit_notes(["n"] * 1050)[-1] == "and 1,000 more of this kind"
