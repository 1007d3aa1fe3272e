"""Raters with names that models may have are asked about; the choice holds for later imports."""

import json
from contextlib import closing

import pytest

from data.importing.annotator_kinds import load_annotator_kinds
from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.preview.questions import OpenQuestions
from data.importing.save import save_import
from data.store.store import open_store
from faithfulness.model.vocabulary import AuthorKind
from tests.data.importing.samples import csv_of, json_lines, parquet, put, yaml_of
from tests.made_stores import new_store
from tests.run_commands import run_command

pytestmark = pytest.mark.usefixtures("reading_here")

JUDGE, RATER = AuthorKind.JUDGE, AuthorKind.RATER
TEXTS = {"query": "Wipe it?", "context": "Wipe the kettle.", "response": "Wipe it."}
ABOUT = {
    "sentence_grounding": {"sentence": "Wipe it."},
    "claim_overlap": {"claim": "It is wiped.", "sentence": "Wipe it."},
}
ANSWERS = {
    "sentence_grounding": ("label", "unsupported"),
    "claim_overlap": ("judgment", "true"),
    "comparative_summary": ("score", "4"),
    "response_consistency": ("answer", "yes_evidence"),
    "expert_rubric": ("accuracy", "4"),
}


def long_table(protocol, *raters, column="rater", number=1):
    """A table with a row for each rater, which names them in a column."""
    answer, value = ANSWERS[protocol]
    row = {"id": f"q{number}", **TEXTS, **ABOUT.get(protocol, {}), answer: value}
    return csv_of([row | {column: name} for name in raters])


def wide_table(protocol, *raters):
    """A table with a column for each rater."""
    answer, value = ANSWERS[protocol]
    row = {"id": "q1", **TEXTS, **ABOUT.get(protocol, {})}
    return csv_of([row | {f"{answer}_{name}": value for name in raters}])


def read(folder, raw, name="ratings.csv", **options):
    path = put(folder, name, raw)
    into = folder / "into"
    into.mkdir(exist_ok=True)
    return prepare([(name, path)], options=Options(**options), into=into)


def authors(folder, raw, name="ratings.csv", **options):
    return {*read(folder, raw, name, **options).runs[0].by_author}


def asked(folder, raw, name="ratings.csv", **options):
    """The names that are asked about."""
    with pytest.raises(OpenQuestions) as refused:
        read(folder, raw, name, **options)
    assert not [*(folder / "into").iterdir()]
    return [question.annotator for question in refused.value.questions]


@pytest.mark.parametrize("protocol", ANSWERS)
def test_model_in_a_column_of_raters_is_asked_about_under_every_protocol(protocol, tmp_path):
    raw = long_table(protocol, "ana", "gpt-4o", "Claude")
    assert asked(tmp_path, raw, protocol=protocol) == ["gpt-4o", "Claude"]
    kinds = {"gpt-4o": JUDGE, "Claude": RATER}
    found = authors(tmp_path, raw, protocol=protocol, kinds=kinds)
    assert found == {"rater ana", "judge gpt-4o", "rater Claude"}


@pytest.mark.parametrize("protocol", ANSWERS)
def test_column_of_a_model_is_asked_about_under_every_protocol(protocol, tmp_path):
    raw = wide_table(protocol, "ana", "gpt-4o", "claude", "judge_big")
    assert asked(tmp_path, raw, protocol=protocol) == ["claude", "gpt_4o"]
    kinds = {"gpt_4o": JUDGE, "claude": RATER}
    found = authors(tmp_path, raw, protocol=protocol, kinds=kinds)
    assert found == {"rater ana", "judge gpt_4o", "rater claude", "judge judge_big"}


LABELLED = [
    {"id": f"q{number}", **TEXTS, "sentence": "Wipe it.", "label": "unsupported", "rater": name}
    for number, name in enumerate(("ana", "qwen2.5-7b", "qwen2.5-7b "))
]
NATIVE = [
    {
        "protocol": "sentence_grounding",
        "id": row["id"],
        "fields": [{"name": each, "kind": each, "text": text} for each, text in TEXTS.items()],
        "answers": [{"value": "unsupported", "text": "Wipe it.", "author": row["rater"]}],
    }
    for row in LABELLED
]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("labels.csv", csv_of(LABELLED)),
        ("labels.jsonl", json_lines(*LABELLED)),
        ("labels.json", json.dumps(LABELLED).encode()),
        ("labels.parquet", parquet(LABELLED)),
        ("labels.yaml", yaml_of(LABELLED)),
        ("native.jsonl", json_lines(*NATIVE)),
    ],
)
def test_model_among_raters_is_asked_about_in_every_format(name, raw, tmp_path):
    assert asked(tmp_path, raw, name) == ["qwen2.5-7b"]
    found = authors(tmp_path, raw, name, kinds={"qwen2.5-7b": JUDGE})
    assert found == {"rater ana", "judge qwen2.5-7b"}


def test_what_the_file_says_of_an_annotator_is_not_asked(tmp_path):
    answer = {"criterion": "label", "value": "unsupported", "text": "Wipe it.", "author": "Claude"}
    fields = [{"name": "response", "kind": "response", "text": "Wipe it."}]
    record = {"protocol": "sentence_grounding", "id": "q1", "fields": fields}
    native = json_lines(record | {"answers": [answer | {"author_kind": "rater"}]})
    assert authors(tmp_path, native, "native.jsonl") == {"rater Claude"}
    labels = {"id": "q1", "response": "Wipe it.", "sentence": "Wipe it.", "label": "no_rad"}
    labels |= {"rater": "Claude", "author_kind": "rater"}
    assert authors(tmp_path, json_lines(labels), "labels.jsonl") == {"rater Claude"}
    raw = b"id,response,score,rater,kind\nq1,Wipe it.,4,Claude,human\nq2,Wipe it!,4,gpt-4o,model\n"
    assert authors(tmp_path, raw) == {"rater Claude", "judge gpt-4o"}
    raw = b"id,response,score,rater,kind\nq1,Wipe it.,4,Claude,\nq2,Wipe it!,4,gpt-4o,model\n"
    assert asked(tmp_path, raw) == ["Claude"]


def test_column_of_judges_is_taken_at_its_word(tmp_path):
    raw = long_table("comparative_summary", "anna", "gpt-4o", column="judge")
    assert authors(tmp_path, raw) == {"judge anna", "judge gpt-4o"}


def test_whoever_signs_a_file_is_asked_about_unless_their_kind_is_chosen(tmp_path):
    raw = b"id,response,score\nq1,Wipe it.,4\n"
    assert asked(tmp_path, raw, "ragas.csv") == ["ragas"]
    assert asked(tmp_path, raw, author="gpt-4o") == ["gpt-4o"]
    assert authors(tmp_path, raw, author="gpt-4o", author_kind=JUDGE) == {"judge gpt-4o"}
    assert authors(tmp_path, raw, author="Claude", author_kind=RATER) == {"rater Claude"}
    claims = json.dumps(
        {"Kettle": {"prediction": "Wipe it.", "claims": [{"claim": "Wipe.", "judgment": True}]}}
    ).encode()
    assert asked(tmp_path, claims, "claims.json", author="gpt-4o") == ["gpt-4o"]
    assert authors(tmp_path, claims, "claims.json", author="zoe") == {"rater zoe"}


def test_scores_of_a_model_among_raters_are_asked_about_with_its_name(tmp_path):
    raw = b"id,response,score,rater\nq1,Wipe it.,4,ana\nq1,Wipe it.,1,gpt-4o\n"
    with pytest.raises(OpenQuestions) as refused:
        read(tmp_path, raw)
    first, second = refused.value.questions
    assert (first.column, second.annotator) == ("score", "gpt-4o")
    assert "only 1 from 'gpt-4o'" in first.text
    chosen = {"protocol": "comparative_summary", "mapping": {"score": "value:faithfulness:1-5"}}
    found = authors(tmp_path, raw, kinds={"gpt-4o": JUDGE}, **chosen)
    assert found == {"rater ana", "judge gpt-4o"}


def test_name_of_a_file_is_asked_about_once_its_columns_are_known(tmp_path):
    raw = b"id,response,score\nq1,Wipe it.,4\nq2,Wipe it all.,0.5\n"
    assert asked(tmp_path, raw, "ragas.csv") == [""]  # the column alone
    chosen = {"protocol": "comparative_summary", "mapping": {"score": "value:faithfulness:1-5"}}
    assert asked(tmp_path, raw, "ragas.csv", **chosen) == ["ragas"]


def test_given_numbers_of_a_model_are_its_own_once_it_is_chosen(tmp_path):
    raw = b"id,response,score,rater\nq1,Wipe it.,0.4,gpt-4o\n"
    chosen = {"protocol": "comparative_summary", "mapping": {"score": "number"}}
    assert asked(tmp_path, raw, **chosen) == ["gpt-4o"]
    (run,) = read(tmp_path, raw, kinds={"gpt-4o": JUDGE}, **chosen).runs
    assert run.numbers == 1


def test_choice_is_remembered_with_a_stored_import_and_can_be_changed(tmp_path):
    with closing(new_store(tmp_path / "s.duckdb")) as store:
        assert load_annotator_kinds(store) == {}
        read(tmp_path, long_table("comparative_summary", "Claude"), kinds={"Claude": RATER})
        save_import(store, tmp_path / "into", operation_id="one")
        assert load_annotator_kinds(store) == {"Claude": RATER}
        raw = long_table("comparative_summary", "Claude", number=2)
        manifest = read(tmp_path, raw, remembered_kinds=load_annotator_kinds(store))
        assert manifest.annotator_kinds == {"Claude": "rater"}
        assert {*manifest.runs[0].by_author} == {"rater Claude"}
        again = read(
            tmp_path,
            raw,
            remembered_kinds=load_annotator_kinds(store),
            kinds={"Claude": JUDGE},
        )
        assert {*again.runs[0].by_author} == {"judge Claude"}
        save_import(store, tmp_path / "into", operation_id="two")
        assert load_annotator_kinds(store) == {"Claude": JUDGE}


def test_command_names_the_annotators_and_the_options_that_answer(tmp_path):
    new_store(tmp_path / "s.duckdb").close()
    at = ("--store", tmp_path / "s.duckdb")
    raw = long_table("comparative_summary", "ana", "gpt-4o", "Claude")
    path = put(tmp_path, "ratings.csv", raw)
    told = run_command("import", path, *at, code=1)
    assert told == (
        "ratings.csv: The raters 'gpt-4o' and 'Claude' may be models. Nothing was stored; say "
        "what is meant with --judge NAME (a model) or --rater NAME (a person) for each.\n"
    )
    assert "'Claude' may be a model" in run_command(
        "import", path, *at, "--judge", "gpt-4o", code=1
    )
    assert "one of them" in run_command(
        "import", path, *at, "--judge", "gpt-4o", "--rater", "gpt-4o", code=2
    )
    answers = ("--judge", " gpt-4o ", "--rater", "Claude", "--rater", "nobody")
    told = run_command("import", path, *at, *answers, "--preview")
    assert "change nothing for 'nobody'" in told
    with closing(open_store(tmp_path / "s.duckdb")) as store:
        assert load_annotator_kinds(store) == {}  # a preview stores nothing
    told = run_command("import", path, *at, *answers)
    assert "Judges: gpt-4o (1 answer)" in told
    again = put(tmp_path, "b.csv", long_table("comparative_summary", "ana", "gpt-4o", number=2))
    told = run_command("import", again, *at)
    assert "Judges: gpt-4o (1 answer)" in told
    assert "As chosen for an earlier import, 'gpt-4o' is a model." in told
