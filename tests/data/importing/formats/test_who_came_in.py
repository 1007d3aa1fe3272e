"""Who came in as a rater and who as a judge follows from names, and the command says it."""

import json

import pytest

from data.importing.tables.roles import suggest_mapping
from tests.run_commands import run_command

TABLE = "id,context,response,sentence,label_anna,label_gpt_judge\n" + "".join(
    f"{at},It is red.,It is red.,It is red.,supported,{'unsupported' if at else ''}\n"
    for at in range(3)
)


@pytest.mark.parametrize(
    "name", ["gpt_judge", "llm-2", "big.model", "my llm", "judge_a", "modelx", "llms"]
)
def test_name_with_a_word_for_a_model_is_a_judges(name):
    (role,) = suggest_mapping([f"label_{name}"], "sentence_grounding").values()
    assert role.startswith("value:label@judge:")


@pytest.mark.parametrize("name", ["anna", "remodeler", "llama", "thejudge"])
def test_any_other_name_is_a_raters(name):
    (role,) = suggest_mapping([f"label_{name}"], "sentence_grounding").values()
    assert role == f"value:label@{name}"


def test_command_names_raters_and_judges_with_their_answers(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    words = ("import", path, "--store", tmp_path / "s.duckdb", "--create", "--preview")
    told = run_command(*words).splitlines()
    assert "  Raters: anna (3 answers)" in told
    assert "  Judges: gpt_judge (2 answers)" in told
    (run,) = json.loads(run_command(*words, "--json"))["runs"]
    assert run["authors"] == {"rater anna": 3, "judge gpt_judge": 2}
    assert sum(run["authors"].values()) == run["answers"]


NAMED_AFTER_AUTHORS = "id,context,response,sentence,rater_anna,judge_gpt\n"


def test_columns_named_after_authors_are_theirs_though_nobody_names_a_protocol(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"{NAMED_AFTER_AUTHORS}1,It is red.,It is red.,It is red.,supported,no_rad\n")
    words = ("import", path, "--store", tmp_path / "s.duckdb", "--create", "--preview", "--json")
    (run,) = json.loads(run_command(*words))["runs"]
    assert run["protocol"] == "sentence_grounding"
    assert run["authors"] == {"judge judge_gpt": 1, "rater rater_anna": 1}


def test_columns_named_after_authors_that_hold_no_labels_are_not_guessed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"{NAMED_AFTER_AUTHORS}1,It is red.,It is red.,It is red.,good,bad\n")
    words = ("import", path, "--store", tmp_path / "s.duckdb", "--create", "--preview")
    assert "no column holds" in run_command(*words, code=1)
