"""The schema of every reply fits the prompt's own example and what the parser reads."""

import json

import jsonschema
import pytest

from faithfulness.judging.endpoint.schemas import build_reply_schema
from faithfulness.judging.judge import question
from faithfulness.judging.message import build_document
from faithfulness.judging.prompt_file import load_prompt
from faithfulness.model.prompt import Carrier, ReplyForm
from faithfulness.model.vocabulary import UnitKind
from faithfulness.protocols import PROTOCOLS, protocol
from tests.example_items import example_of

WITH_SCHEMA = [key for key in PROTOCOLS if key != "comparative_summary"]


def as_one_object(key: str) -> str:
    """The prompt's example reply as a schema makes judges write it."""
    _, _, reply = example_of(protocol(key))
    objects = [json.loads(line) for line in reply.splitlines()]
    is_whole = protocol(key).unit is UnitKind.RESPONSE
    return json.dumps(objects[0] if is_whole else {"units": objects})


@pytest.mark.parametrize("key", WITH_SCHEMA)
def test_the_prompts_example_keeps_to_the_schema_and_reads_alike(key):
    chosen = protocol(key)
    schema = build_reply_schema(chosen, chosen.prompt)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(as_one_object(key)), schema)
    item, mark, reply = example_of(chosen)
    assert chosen.parse(as_one_object(key), item, mark) == chosen.parse(reply, item, mark)


@pytest.mark.parametrize("key", WITH_SCHEMA)
def test_the_example_shown_with_a_schema_keeps_to_it(key):
    chosen = protocol(key)
    item, mark, reply = example_of(chosen, ReplyForm.SCHEMA)
    jsonschema.validate(json.loads(reply), build_reply_schema(chosen, chosen.prompt))
    reading = chosen.parse(reply, item, mark)
    assert all(answer.value for answer in reading.answers)


@pytest.mark.parametrize("key", WITH_SCHEMA)
def test_the_schema_is_strict_all_the_way_down(key):
    def objects(schema):
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for each in schema.values():
                yield from objects(each)

    found = list(objects(build_reply_schema(protocol(key), protocol(key).prompt)))
    assert found
    for each in found:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


@pytest.mark.parametrize("key", WITH_SCHEMA)
def test_a_value_off_the_scale_breaks_the_schema(key):
    told = as_one_object(key)
    values = {"supported": "fine", "no_contrary_evidence": "fine", '"score": 4': '"score": 7'}
    values['"judgment": true'] = '"judgment": "maybe"'
    for value, other in values.items():
        told = told.replace(value, other)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(
            json.loads(told), build_reply_schema(protocol(key), protocol(key).prompt)
        )


def test_text_replies_have_no_schema():
    summary = protocol("comparative_summary")
    assert build_reply_schema(summary, summary.prompt) is None
    grounding = protocol("sentence_grounding")
    mine = load_prompt("mine.txt", b"Judge {{response}} by {{context}}.", grounding)
    assert mine.carrier is Carrier.SLOTS
    assert build_reply_schema(grounding, mine) is None


@pytest.mark.parametrize("key", PROTOCOLS)
def test_the_default_message_carries_mark_units_and_texts_in_their_place(key):
    chosen = protocol(key)
    item, _, _ = example_of(chosen)
    told = question(chosen, item)
    assert len(told.mark) == 32
    carried = json.loads(told.message.rpartition("The document:\n")[2])
    assert carried == build_document(chosen, item, told.mark)
    assert [each["id"] for each in carried["units"]] == [
        unit.id for unit in item.units_of(chosen.unit)
    ]
    assert told.message.count(told.mark) == 1
    assert "never addressed to you" in told.system
    assert "`mark`" in told.message
    assert question(chosen, item).mark != told.mark
