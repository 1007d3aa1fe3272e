"""A column of reasons belongs to an author who answers, or people are told that it is nobody's."""

import json

import pyarrow as pa
import pytest

from data.importing.formats.known_tables import suggest_file_mapping
from data.importing.import_tables import build_stream_path
from data.importing.importer import Options, Source
from data.importing.prepare import prepare
from data.importing.tables.reasons import reason_roles
from data.importing.tables.roles import suggest_for_values
from tests.run_commands import run_command

TABLE = (
    "id,context,response,sentence,anna,ben,gpt_judge,gpt_reason\n"
    "1,It is red.,It is red. It is hot.,It is red.,supported,supported,supported,Said there.\n"
    "1,It is red.,It is red. It is hot.,It is hot.,unsupported,no_rad,unsupported,Not said.\n"
)
MAPPING = {
    "id": "id",
    "context": "field:context",
    "response": "field:response",
    "sentence": "sentence",
    "anna": "value:label@anna",
    "ben": "value:label@ben",
    "gpt_judge": "value:label@judge:gpt_judge",
}


def prepared(tmp_path, text=TABLE, **options):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    path.write_text(text, encoding="utf-8")
    into.mkdir()
    manifest = prepare([("t.csv", path)], options=Options(**options), into=into)
    rows = pa.ipc.open_stream(build_stream_path(into, "annotations")).read_all().to_pylist()
    return manifest, [(each["author"], each["rationale"]) for each in rows]


def by_hand(tmp_path, role, text=TABLE):
    mapping = {**MAPPING, "gpt_reason": role}
    return prepared(tmp_path, text, protocol="sentence_grounding", mapping=mapping)


def test_reason_of_an_author_who_answers_is_stored_without_a_warning(tmp_path):
    manifest, rows = by_hand(tmp_path, "rationale@judge:gpt_judge")
    assert ("gpt_judge", "Said there.") in rows
    assert not manifest.warnings


@pytest.mark.parametrize(
    ("role", "why"),
    [
        ("rationale@gpt", "gpt answers no label here"),
        ("rationale", "it is not said whose they are"),
        ("comment@gpt", "gpt answers no label here"),
        ("excerpt", "it is not said whose they are"),
    ],
)
def test_reasons_that_are_nobodys_are_told_with_their_number_and_the_way_out(tmp_path, role, why):
    (warning,) = by_hand(tmp_path, role)[0].warnings
    kind = role.partition("@")[0]
    assert warning.startswith(f"gpt_reason: 2 cells are not stored as {kind}, because {why}.")
    assert f"--map gpt_reason={kind}@anna" in warning
    assert "anna, ben, gpt_judge" in warning


def test_empty_cells_are_not_counted(tmp_path):
    text = TABLE.replace("Said there.", " ")
    assert "gpt_reason: 1 cell is not stored" in by_hand(tmp_path, "rationale", text)[0].warnings[0]


def test_second_column_of_the_same_reasons_is_told(tmp_path):
    text = TABLE.replace(",gpt_reason", ",gpt_reason,more").replace("said.", "said.,Why")
    mapping = {**MAPPING, "gpt_reason": "rationale@gpt_judge", "more": "rationale@gpt_judge"}
    mapped = {"protocol": "sentence_grounding", "mapping": mapping}
    (warning,) = prepared(tmp_path, text.replace("there.", "there.,W"), **mapped)[0].warnings
    assert "gpt_reason: 2 cells are not stored as rationale, because more holds" in warning


def test_command_tells_it_too(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    words = [
        f"--map={each}={role}" for each, role in {**MAPPING, "gpt_reason": "rationale"}.items()
    ]
    told = run_command(
        "import", path, "--store", tmp_path / "s.duckdb", "--create", "--protocol",
        "sentence_grounding", "--preview", *words,
    )  # fmt: skip
    assert "Note: gpt_reason: 2 cells are not stored as rationale" in told


def suggested(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    first = dict(zip(*(line.split(",") for line in text.splitlines()[:2]), strict=True))
    read = suggest_file_mapping(Source("t.csv", path), "sentence_grounding")
    return suggest_for_values(first, "sentence_grounding"), read


@pytest.mark.parametrize(
    ("authors", "column", "role"),
    [
        (("label_ana", "label_judge_gpt"), "gpt_reason", "rationale@judge:judge_gpt"),
        (("label_ana", "label_gpt_x", "label_gpt_y"), "gpt_reason", "attribute"),
        (("label_ana", "label_ben"), "gpt_reason", "attribute"),
        (("label_ana", "label_ben"), "ben_comment", "comment@ben"),
        (("label_ana", "label_ben"), "rationale", "attribute"),
        (("label_ana",), "rationale", "rationale@ana"),
        (("label",), "rationale", "rationale"),
        (("label",), "gpt_reason", "attribute"),
    ],
)
def test_proposal_is_for_an_author_who_answers(tmp_path, authors, column, role):
    header = ",".join(("response", "sentence", *authors, column))
    text = f"{header}\nA.,A.,{'supported,' * len(authors)}Why.\n"
    by_page, by_command = suggested(text, tmp_path)
    assert (by_page[column], by_command[column]) == (role, role)


def test_named_author_goes_before_one_that_is_only_meant(tmp_path):
    text = "response,sentence,label_judge_gpt,gpt_reason,judge_gpt_reason\nA.,A.,supported,W.,V.\n"
    by_page, _ = suggested(text, tmp_path)
    assert by_page["gpt_reason"] == "attribute"
    assert by_page["judge_gpt_reason"] == "rationale@judge:judge_gpt"


def test_single_author_in_a_column_name_gets_the_plain_reasons(tmp_path):
    text = "id,response,score_ana,rationale\n1,A.,4,Good.\n"
    manifest, rows = prepared(tmp_path, text)
    assert rows == [("ana", "Good.")]
    assert json.dumps(list(manifest.warnings)) == "[]"


def test_reason_roles_are_offered_for_every_author_who_answers():
    offered = reason_roles(MAPPING)
    assert {"rationale@anna", "comment@ben", "excerpt@judge:gpt_judge"} <= {*offered}
    assert reason_roles({"label": "value:label", "rater": "rater"}) == ()
