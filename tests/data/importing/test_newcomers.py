"""A table that names its columns in its own way: what is proposed, and what a refusal teaches."""

import pytest

from data.importing.columns import inspect_columns
from data.importing.formats import IMPORTERS
from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.tables.roles import suggest_for_values, suggest_mapping
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import json_lines, put

TABLE = (
    "answer_id,question,context,response,sentence,anna,ben,gpt_judge,gpt_reason\n"
    "7,Hot?,It is red.,It is red. It is hot.,It is red.,supported,Supported,supported,Said.\n"
    "7,Hot?,It is red.,It is red. It is hot.,It is hot.,?,no_rad,unsupported,\n"
    "8,Hot?,It is red.,It is red.,It is red.,supported,,supported,\n"
)


def proposed(tmp_path, text, protocol="sentence_grounding"):
    looked = inspect_columns([("t.csv", put(tmp_path, "t.csv", text.encode()))])
    return suggest_for_values(looked.first, protocol, *looked.told(protocol))


def test_columns_of_labels_are_proposed_as_their_authors_with_the_reasons(tmp_path):
    assert proposed(tmp_path, TABLE) == {
        "answer_id": "id",
        "question": "field:query",
        "context": "field:context",
        "response": "field:response",
        "sentence": "sentence",
        "anna": "value:label@anna",
        "ben": "value:label@ben",
        "gpt_judge": "value:label@judge:gpt_judge",
        "gpt_reason": "rationale@judge:gpt_judge",
    }


def test_a_reply_is_the_text_where_others_answer_and_no_other_text_is_there(tmp_path):
    reply = "question,context,{}\nHot?,It is red.,{}\n"
    asked = reply.format("reply,sentence,anna", "It is red.,It is red.,supported")
    assert proposed(tmp_path, asked)["reply"] == "field:response"
    raw = reply.format("response,reply,anna", "It is red.,[],supported")
    assert proposed(tmp_path, raw)["reply"] == "reply"
    unanswered = reply.format("reply", "It is red.")
    assert proposed(tmp_path, unanswered)["reply"] == "reply"


def test_beside_a_column_of_raters_one_column_of_labels_is_the_answer(tmp_path):
    text = "response,sentence,urteil,rater\nA.,A.,supported,ana\n"
    assert proposed(tmp_path, text)["urteil"] == "value:label"


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("kind", "rater", "judge"), ("kind", "human", "human"), ("woher", "Human", "model")],
)
def test_who_is_a_model_is_proposed_before_a_column_of_names_is_known(
    tmp_path, name, first, second
):
    text = f"response,sentence,urteil,wer,{name}\nA.,A.,supported,ana,{first}\n"
    found = proposed(tmp_path, f"{text}A.,A.,no_rad,big,{second}\n")
    assert (found["wer"], found[name]) == ("attribute", "author_kind")
    assert found["urteil"] == "value:label"


@pytest.mark.parametrize(
    "text",
    [
        "urteil,woher\nsupported,human\nno_rad,human\n",  # may say who wrote the text
        "urteil,woher\nsupported,human\nno_rad,model\nno_rad,draft\n",
        "anna,ben,woher\nsupported,no_rad,human\nno_rad,no_rad,model\n",
        "label_anna,woher\nsupported,human\nno_rad,model\n",
        # Beside a known author it says who wrote the text
        "response,sentence,urteil,rater,woher\nA.,A.,supported,Ana,human\nA.,A.,no_rad,Ana,llm\n",
        "response,sentence,label,judge,woher\nA.,A.,supported,big,human\nA.,A.,no_rad,big,ai\n",
        # Each text, or each of its sentences, has one of them
        "id,response,sentence,label,woher\n1,A.,A.,supported,human\n2,B.,B.,no_rad,ai\n",
        "id,response,sentence,label,woher\n1,A.,A.,supported,human\n1,B.,B.,no_rad,ai\n",
        "response,sentence,urteil,woher\nA. B.,A.,supported,human\nA. B.,B.,no_rad,model\n",
        "urteil,wer,woher\nsupported,ana,human\nno_rad,big,model\n",  # about nothing known
    ],
)
def test_who_is_a_model_is_not_proposed_where_values_or_authors_say_otherwise(tmp_path, text):
    assert proposed(tmp_path, text)["woher"] == "attribute"


@pytest.mark.parametrize(
    ("text", "protocol"),
    [
        ("response,sentence,x\nA.,A.,supported\nB.,B.,so\nC.,C.,so\n", "sentence_grounding"),
        ("response,sentence,label,x\nA.,A.,supported,supported\n", "sentence_grounding"),
        ("response,x\nA.,4\n", "comparative_summary"),  # a number may count anything
        ("response,claim,x\nA.,A.,true\n", "claim_overlap"),
    ],
)
def test_what_may_be_something_else_is_not_proposed(tmp_path, text, protocol):
    assert proposed(tmp_path, text, protocol)["x"] == "attribute"


def test_row_that_cannot_be_read_leaves_the_columns_before_it(tmp_path):
    looked = inspect_columns([("t.csv", put(tmp_path, "t.csv", b"anna,x\nsupported,1\nno_rad\n"))])
    assert looked.first == {"anna": "supported", "x": "1"}
    assert looked.answers["sentence_grounding"] == ["anna"]


def test_refusal_says_how_columns_are_recognised_and_where_to_read_more(tmp_path):
    with pytest.raises(ImportRefused) as refused:
        prepare([("t.csv", put(tmp_path, "t.csv", TABLE.encode()))], into=tmp_path)
    for word in ("sentence", "label_NAME", "context or source", " id", "docs/importing.md"):
        assert word in str(refused.value).partition("map the columns")[2]


@pytest.mark.parametrize("name", ["answer_id", "response_id", "item_id", "example_id"])
def test_ids_of_answers_are_ids_of_items(tmp_path, name):
    row = {name: "x7", "response": "A.", "sentence": "A.", "label": "supported", "rater": "ana"}
    table = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
    for file, raw in (("t.csv", table.encode()), ("t.jsonl", json_lines(row))):
        into = tmp_path / file.replace(".", "_")
        into.mkdir()
        manifest = prepare([(file, put(tmp_path, file, raw))], options=Options(), into=into)
        assert manifest.first_items[0].external_id == "x7"
        assert not manifest.warnings


def test_an_id_of_the_usual_name_goes_before_that_of_an_answer():
    found = suggest_mapping(["answer_id", "id", "response", "answer"], "response_consistency")
    assert (found["id"], found["answer_id"]) == ("id", "attribute")


def test_formats_say_that_sentence_labels_come_as_csv(tmp_path):
    raw = b"id,response,sentence,label\n1,A.,A.,supported\n"
    manifest = prepare([("t.csv", put(tmp_path, "t.csv", raw))], into=tmp_path)
    assert (manifest.importer, manifest.runs[0].answers) == ("table", 1)
    assert "CSV" in IMPORTERS["sentence_labels"].about
    assert "sentence and label columns" in IMPORTERS["table"].about
