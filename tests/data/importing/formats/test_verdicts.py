"""A column that is named verdict, judgement or alike holds the labels when its values say so."""

import pytest

from data.importing.formats.table import IMPORTER
from data.importing.importer import Options, Source
from data.importing.prepare import prepare
from data.importing.tables.roles import suggest_for_values
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import CONTEXT, RESPONSE, SENTENCES, csv_of, json_lines, put

NAMES = ["verdict", "Judgement", "judgment", "annotation", "rating_label"]


def rows(name, *more):
    about = {"id": "a", "context": CONTEXT, "response": RESPONSE, "annotator": "ana"}
    said = [(each["sentence"], each["label"].title()) for each in SENTENCES]
    return [about | {"sentence": text, name: label} for text, label in [*said, *more]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("write", [csv_of, lambda those: json_lines(*those)])
def test_labels_are_recognised_by_their_values(tmp_path, name, write):
    path = put(tmp_path, "v", write(rows(name)))
    manifest = prepare([("v.csv" if write is csv_of else "v.jsonl", path)], into=tmp_path)
    (run,) = manifest.runs
    assert (run.protocol, run.answers, run.unread) == ("sentence_grounding", 3, 0)
    assert (run.by_author, list(manifest.warnings)) == ({"rater ana": 3}, [])


def test_one_value_off_the_scale_and_nothing_is_guessed(tmp_path):
    path = put(tmp_path, "v.csv", csv_of(rows("verdict", (RESPONSE[:27], "so-so"))))
    source = Source("v.csv", path)
    assert IMPORTER.recognise([source]) == 1
    with pytest.raises(ImportRefused, match="map the columns"):
        list(IMPORTER.read([source], Options()))


def test_scores_fit_two_protocols_and_are_not_guessed(tmp_path):
    path = put(tmp_path, "v.csv", b"id,response,verdict\n1,r,4\n")
    assert IMPORTER.recognise([Source("v.csv", path)]) == 1


def test_column_beside_the_labels_stays_an_attribute():
    first = {"sentence": "It is red.", "label": "supported", "verdict": "unsupported"}
    assert suggest_for_values(first, "sentence_grounding")["verdict"] == "attribute"


@pytest.mark.parametrize("name", NAMES)
def test_mapping_form_begins_with_what_the_first_value_says(name):
    first = {"sentence": "It is red.", name: "Supported "}
    assert suggest_for_values(first, "sentence_grounding")[name] == "value:label"
    assert suggest_for_values(first, "comparative_summary")[name] == "attribute"
