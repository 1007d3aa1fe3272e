"""A column that says who is a person and who a model decides which authors are judges."""

import json

import pytest

from data.importing.formats.known_tables import suggest_file_mapping
from data.importing.importer import Options, Source
from data.importing.prepare import prepare
from data.importing.tables.roles import suggest_for_values
from faithfulness.model.errors import ImportRefused

HEADER = "id,context,response,sentence,label,rater,{kind}\n"
ROW = "q17,Wipe the kettle.,Wipe it.,Wipe it.,unsupported,{rater},{kind}\n"
BY_HAND = {
    "id": "id",
    "context": "field:context",
    "response": "field:response",
    "sentence": "sentence",
    "label": "value:label",
    "rater": "rater",
    "who": "author_kind",
}


def authors(tmp_path, signed, name="kind", **options):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    rows = [ROW.format(rater=rater, kind=kind) for rater, kind in signed]
    path.write_text(HEADER.format(kind=name) + "".join(rows), encoding="utf-8")
    into.mkdir()
    manifest = prepare([("long.csv", path)], options=Options(**options), into=into)
    return set(manifest.runs[0].by_author), manifest.warnings


@pytest.mark.parametrize("name", ["kind", "Author kind", "rater_type", "annotator_type"])
def test_a_column_of_kinds_is_recognised_by_name_and_values(tmp_path, name):
    found, warnings = authors(tmp_path, [("ana", "Human"), ("big", "judge")], name)
    assert found == {"rater ana", "judge big"}
    assert not warnings


def test_an_empty_cell_leaves_the_kind_to_the_column_of_names(tmp_path):
    assert authors(tmp_path, [("ana", ""), ("big", "llm")])[0] == {"rater ana", "judge big"}


@pytest.mark.parametrize("typed", [" ana", "ana ", "\u00a0ana\t"])
def test_blanks_around_a_name_make_no_other_author(tmp_path, typed):
    assert authors(tmp_path, [("ana", ""), (typed, ""), ("big", "llm")])[0] == {
        "rater ana",
        "judge big",
    }


def test_a_name_has_one_spelling(tmp_path):
    typed = [("Jose\u0301  Luis", "human"), ("Jos\u00e9 Luis", "human")]
    assert authors(tmp_path, typed)[0] == {"rater Jos\u00e9 Luis"}


def test_the_name_given_for_a_file_is_folded_too(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    path.write_text("id,context,response,sentence,label\nq,Wipe it.,Wipe it.,Wipe it.,no_rad\n")
    into.mkdir()
    manifest = prepare([("own.csv", path)], options=Options(author=" Eve  B "), into=into)
    assert set(manifest.runs[0].by_author) == {"rater Eve B"}


def test_one_other_word_keeps_the_column_beside_the_item(tmp_path):
    found, (warning,) = authors(tmp_path, [("ana", "human"), ("big", "draft")])
    assert found == {"rater ana", "rater big"}
    assert "texts: kind. " in warning


def test_a_column_of_any_name_can_be_mapped(tmp_path):
    chosen = {"protocol": "sentence_grounding", "mapping": BY_HAND}
    found, _ = authors(tmp_path, [("ana", "annotator"), ("big", "AI")], "who", **chosen)
    assert found == {"rater ana", "judge big"}


def test_a_word_that_is_no_kind_is_refused_with_its_line(tmp_path):
    chosen = {"protocol": "sentence_grounding", "mapping": BY_HAND}
    with pytest.raises(ImportRefused, match=r"long\.csv line 3: the kind of author is 'crowd'; "):
        authors(tmp_path, [("ana", "human"), ("big", "crowd")], "who", **chosen)


def test_first_values_alone_say_the_kind_only_beside_a_name():
    key = "comparative_summary"
    assert suggest_for_values({"rater": "ana", "kind": "human"}, key)["kind"] == "author_kind"
    assert suggest_for_values({"rater": "ana", "kind": "kettle"}, key)["kind"] == "attribute"
    assert suggest_for_values({"kind": "human"}, key)["kind"] == "attribute"


def test_a_kind_that_is_a_list_is_no_kind_of_author(tmp_path):
    path = tmp_path / "long.jsonl"
    row = {"id": "q", "context": "It is red.", "response": "It is red.", "sentence": "It is red."}
    row |= {"label": "supported", "rater": "ana", "kind": ["human", "judge"]}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    source = Source(name=path.name, path=path)
    assert suggest_file_mapping(source, "sentence_grounding")["kind"] == "attribute"
