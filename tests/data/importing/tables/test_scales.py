"""Scores that may be on another scale than 1 to 5 are asked about, and nothing is stored."""

import json

import pytest

from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.preview.questions import OpenQuestions
from data.importing.tables.mappings import Remembered, load_mapping, save_mapping
from data.runs import queries
from data.store.store import open_store
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import json_lines, put
from tests.made_stores import new_store
from tests.run_commands import run_command
from tests.shared_data import SHARED, needs_shared

pytestmark = pytest.mark.usefixtures("reading_here")

METRIC = (
    "user_input,retrieved_contexts,response,faithfulness\n"
    "Hot?,It is red.,It is red.,1.0\n"
    "Cold?,It is red.,It is blue.,0.0\n"
    "Wet?,It is red.,It is red and dry.,0.5\n"
)


def prepared(folder, text, name="scores.csv", **options):
    path = put(folder, name, text if isinstance(text, bytes) else text.encode())
    into = folder / "into"
    into.mkdir(exist_ok=True)
    return prepare([(name, path)], options=Options(**options), into=into)


def questions(folder, text, name="scores.csv", **options):
    with pytest.raises(OpenQuestions) as refused:
        prepared(folder, text, name, **options)
    assert not [*(folder / "into").iterdir()]
    return refused.value.questions


def scores(*values, column="score"):
    rows = (f"q{number},Text {number}.,{value}\n" for number, value in enumerate(values))
    return f"id,response,{column}\n" + "".join(rows)


def test_metric_from_0_to_1_is_asked_about_and_not_stored(tmp_path):
    (question,) = questions(tmp_path, METRIC)
    assert (question.column, question.protocol) == ("faithfulness", "comparative_summary")
    assert [choice.value for choice in question.choices] == [
        "value:faithfulness:1-5",
        "number",
        "attribute",
    ]
    assert "'0.0', '0.5' beside scores from 1 to 5" in question.text


@needs_shared
@pytest.mark.parametrize("name", ["result.csv", "result.jsonl", "result.parquet"])
def test_file_of_a_metric_tool_is_asked_about(name, tmp_path):
    raw = (SHARED / "formats" / "ragas" / name).read_bytes()
    (question,) = questions(tmp_path, raw, name)
    assert [choice.value for choice in question.choices] == ["number", "attribute"]


@pytest.mark.parametrize(
    "values",
    [
        ["1", "1.0"],
        ["1", "0"],
        ["5", "0", "3"],
        ["4", "0.8"],
        ["80", "95", "4"],
        ["80%", "4%"],
        ["A", "B+"],
        ["4", "B"],
        ["true", "false"],
        ["4", "yes"],
        ["pass", "fail"],
        ["2", "4", "7", "10"],
        ["2", "2.5"],
        ['"0,5"', "1"],
        ["4/5"],
        ["4", "4 of 5"],
        ["4", "80 percent"],
        ["4", "½"],
        ["4", "y"],
        ["4", "incorrect"],
        ["good"],
    ],
)
@pytest.mark.parametrize(
    ("column", "protocol"),
    [("score", "comparative_summary"), ("accuracy", "expert_rubric"), ("ethics", "expert_rubric")],
)
def test_values_that_may_be_of_another_scale_are_asked_about(column, protocol, values, tmp_path):
    (question,) = questions(tmp_path, scores(*values, column=column))
    assert (question.column, question.protocol) == (column, protocol)


@pytest.mark.parametrize("value", [0.5, 0.0, True, "80%", "B"])
@pytest.mark.parametrize(
    ("protocol", "criterion"),
    [("comparative_summary", "faithfulness"), ("expert_rubric", "ethics")],
)
def test_native_answer_on_another_scale_is_refused_by_line(protocol, criterion, value, tmp_path):
    answer = {"author": "ana", "author_kind": "rater", "criterion": criterion}
    fields = [{"name": "response", "kind": "response", "text": "It is red."}]
    record = {"protocol": protocol, "fields": fields}
    raw = json_lines(
        record | {"id": "a", "answers": [answer | {"value": 1.0}]},
        record | {"id": "b", "answers": [answer | {"value": value}]},
    )
    with pytest.raises(ImportRefused, match=r"native\.jsonl line 2: .* write it under numbers"):
        prepared(tmp_path, raw, "native.jsonl")


@pytest.mark.parametrize("value", [True, 0.75, [4], {"score": 0.5}])
def test_json_values_of_another_scale_are_asked_about(value, tmp_path):
    raw = json_lines(
        {"id": "a", "response": "r", "score": 1}, {"id": "b", "response": "s"} | {"score": value}
    )
    (question,) = questions(tmp_path, raw, "scores.jsonl")
    assert question.column == "score"


@pytest.mark.parametrize(
    ("values", "unread"),
    [(["1", "2"], 0), (["4.0", "1.0", "5"], 0), (["5", "5"], 0), (["3", "n/a", "?"], 2)],
)
def test_scores_from_1_to_5_are_read_without_asking(values, unread, tmp_path):
    (run,) = prepared(tmp_path, scores(*values)).runs
    assert (run.answers, run.unread) == (len(values) - unread, unread)


def test_each_column_that_mixes_scales_is_asked_about(tmp_path):
    text = (
        "id,response,score_ana,score_ben,score_judge_big,rationale_ana\n"
        "1,Red.,4,1,0.9,So it is.\n2,Blue.,2,1,1.0,No.\n"
    )
    ben, big = questions(tmp_path, text)
    assert (ben.column, big.column) == ("score_ben", "score_judge_big")
    assert [choice.value for choice in ben.choices][:2] == [
        "value:faithfulness:1-5@ben",
        "number:faithfulness@ben",
    ]
    assert big.choices[1].value == "number:faithfulness@judge:judge_big"
    answers = {"score_ben": ben.choices[0].value, "score_judge_big": big.choices[1].value}
    (run,) = prepared(tmp_path, text, protocol=ben.protocol, mapping=answers).runs
    assert (run.by_author, run.numbers) == ({"rater ana": 2, "rater ben": 2}, 2)


# By protocol: a wide table but for its columns of answers, their word, and one of its answers.
WIDE = {
    "sentence_grounding": ("context,sentence", "It is red.,It is red.", "label", "supported"),
    "claim_overlap": ("claim,side", "It is red.,response", "judgment", "true"),
    "comparative_summary": ("context", "It is red.", "score", "5"),
    "response_consistency": ("query", "Is it?", "answer", "yes_evidence"),
    "expert_rubric": ("query", "Is it?", "accuracy", "4"),
}


def wide(protocol, own, values):
    """Rows of ana, whose answers are on the scale, beside a column of these values."""
    head, cells, word, value = WIDE[protocol]
    rows = (f"{at},It is red.,{cells},{value},{each}\n" for at, each in enumerate(values))
    return f"id,response,{head},{word}_ana,{own.format(word)}\n" + "".join(rows)


@pytest.mark.parametrize(
    "values", [["0.23", "0.87"], ["80%", "95%"], ["A", "F"], ["good", "bad"], ["7", "", "9"]]
)
@pytest.mark.parametrize("protocol", WIDE)
def test_raters_column_off_the_scale_is_asked_about_beside_one_on_it(protocol, values, tmp_path):
    text = wide(protocol, "{}_ben", values)
    (question,) = questions(tmp_path, text)
    assert (question.column, question.protocol) == (f"{WIDE[protocol][2]}_ben", protocol)
    assert f"holds '{values[0]}', '{values[-1]}': no" in question.text
    kept = {question.column: question.choices[-1].value}
    manifest = prepared(tmp_path, text, protocol=protocol, mapping=kept)
    assert manifest.runs[0].by_author == {"rater ana": len(values)}


@pytest.mark.parametrize(
    ("protocol", "kinds"),
    [
        ("sentence_grounding", ["attribute"]),  # of several sentences an item could keep one
        ("claim_overlap", ["attribute"]),
        ("comparative_summary", ["number", "attribute"]),
        ("response_consistency", ["number", "attribute"]),
        ("expert_rubric", ["number", "attribute"]),
    ],
)
def test_each_answer_that_is_offered_for_a_raters_column_can_be_stored(protocol, kinds, tmp_path):
    text = wide(protocol, "{}_ben", ["0.23", "0.87"])
    (question,) = questions(tmp_path, text)
    assert [each.value.partition(":")[0] for each in question.choices] == kinds
    for choice in question.choices:
        mapping = {question.column: choice.value}
        (run,) = prepared(tmp_path, text, protocol=protocol, mapping=mapping).runs
        assert (run.answers, run.unread) == (2, 0)
        assert run.numbers == 2 * choice.value.startswith("number")


@pytest.mark.parametrize("protocol", WIDE)
@pytest.mark.parametrize("column", ["bleu_{}", "ana_{}_mean", "{}_confidence", "{}_notes"])
def test_column_that_need_not_be_a_raters_stays_beside_the_item(protocol, column, tmp_path):
    manifest = prepared(tmp_path, wide(protocol, column, ["0.23", "0.87"]))
    assert manifest.runs[0].by_author == {"rater ana": 2}
    assert any(column.format(WIDE[protocol][2]) in each for each in manifest.warnings)


def test_numbered_raters_and_second_criteria_are_asked_about_as_well(tmp_path):
    text = "id,response,rater_1,judge_2,rater_age\n1,Red.,4,0.5,61\n2,Blue.,5,0.9,32\n"
    (question,) = questions(tmp_path, text, protocol="comparative_summary")
    assert question.column == "judge_2"
    text = (
        "id,response,accuracy_ana,ethics_ana,accuracy_ben,ethics_ben\n"
        "1,Red.,4,5,80%,A\n2,Blue.,4,3,95%,B\n"
    )
    accuracy, ethics = questions(tmp_path, text)
    assert (accuracy.column, ethics.column) == ("accuracy_ben", "ethics_ben")


def test_rater_whose_answers_begin_late_is_read(tmp_path):
    text = "id,response,score_ana,score_ben\n" + "".join(
        f"{at},Text {at}.,4,{5 if at > 60 else ''}\n" for at in range(70)
    )
    (run,) = prepared(tmp_path, text).runs
    assert run.by_author == {"rater ana": 70, "rater ben": 9}


def test_command_asks_about_a_raters_column_and_stores_nothing(tmp_path):
    path = put(
        tmp_path, "wide.csv", wide("comparative_summary", "{}_ben", ["0.23", "0.87"]).encode()
    )
    words = ("import", path, "--store", tmp_path / "s.duckdb", "--create")
    told = run_command(*words, code=1)
    assert "--map score_ben=number:faithfulness@ben" in told
    assert "Nothing was stored" in told
    assert not json.loads(run_command("runs", "--store", tmp_path / "s.duckdb", "--json"))["runs"]
    told = run_command(
        *(*words, "--protocol", "comparative_summary"),
        *("--map", "score_ben=number:faithfulness@ben"),
    )
    assert "2 answers, 0 unread, 2 given numbers" in told


def test_judge_with_a_scale_of_its_own_in_a_column_of_several_authors_is_asked_about(tmp_path):
    rows = [("ana", "", "4"), ("", "big", "1.0")] * 2
    text = "id,response,rater,judge,score\n" + "".join(
        f"{number // 2},Text {number // 2}.,{rater},{judge},{score}\n"
        for number, (rater, judge, score) in enumerate(rows)
    )
    (question,) = questions(tmp_path, text)
    assert "only 1 from 'big'" in question.text


def test_answers_lead_to_scores_to_given_numbers_or_to_attributes(tmp_path):
    text = scores("1", "1.0", column="faithfulness")
    options = {"protocol": "comparative_summary"}
    on_scale = prepared(
        tmp_path, text, mapping={"faithfulness": "value:faithfulness:1-5"}, **options
    )
    assert on_scale.runs[0].by_label["faithfulness"] == {"1": 2}
    number = prepared(tmp_path, text, mapping={"faithfulness": "number"}, **options)
    assert (number.runs[0].answers, number.runs[0].unread, number.runs[0].numbers) == (0, 0, 2)
    with pytest.raises(ImportRefused, match="no column holds the answers"):
        prepared(tmp_path, text, mapping={"faithfulness": "attribute"}, **options)


def test_mapping_by_hand_is_asked_about_as_well(tmp_path):
    roles = {"user_input": "field:query", "response": "field:response"}
    roles |= {"retrieved_contexts": "field:context", "faithfulness": "value:faithfulness"}
    (question,) = questions(tmp_path, METRIC, protocol="comparative_summary", mapping=roles)
    assert question.column == "faithfulness"


def test_scale_that_no_value_fits_is_asked_about_again(tmp_path):
    mapping = {"score": "value:faithfulness:1-5"}
    (question,) = questions(
        tmp_path, scores("0.5"), protocol="comparative_summary", mapping=mapping
    )
    assert "no scores from 1 to 5" in question.text


@pytest.mark.parametrize("role", ["value:faithfulness:0-1", "value:label:1-5"])
def test_scale_that_does_not_exist_is_refused(role, tmp_path):
    with pytest.raises(ImportRefused, match=r"has no (scale|criterion)"):
        prepared(tmp_path, scores("4"), protocol="comparative_summary", mapping={"score": role})


def test_number_that_is_none_or_comes_twice_is_refused_by_line(tmp_path):
    options = {"protocol": "comparative_summary", "mapping": {"score": "number"}}
    with pytest.raises(ImportRefused, match=r"line 3: score is 'B'; expected a number"):
        prepared(tmp_path, scores("0.5", "B"), **options)
    twice = "id,response,score\nq,Red.,0.5\nq,Red.,0.6\n"
    with pytest.raises(ImportRefused, match=r"line 3: score gives score of the item 'q' again"):
        prepared(tmp_path, twice, **options)


def test_command_stores_nothing_until_the_map_option_answers(tmp_path):
    path = put(tmp_path, "ragas.csv", METRIC.encode())
    words = ("import", path, "--store", tmp_path / "s.duckdb", "--create")
    refused = run_command(*words, code=1)
    assert "--protocol comparative_summary and --map faithfulness=value:faithfulness:1-5" in refused
    assert "Nothing was stored" in refused
    assert not json.loads(run_command("runs", "--store", tmp_path / "s.duckdb", "--json"))["runs"]
    told = run_command(*words, "--protocol", "comparative_summary", "--map", "faithfulness=number")
    assert "0 answers, 0 unread, 3 given numbers" in told
    told = run_command("runs", "--store", tmp_path / "s.duckdb", "--json")
    assert len(json.loads(told)["runs"]) == 1


def test_given_metric_is_a_judge_of_its_name_and_no_score_of_1_to_5(tmp_path):
    store_path = tmp_path / "s.duckdb"
    path = put(tmp_path, "ragas.csv", METRIC.encode())
    run_command(
        *("import", path, "--store", store_path, "--create", "--protocol", "comparative_summary"),
        *("--map", "faithfulness=number"),
    )
    store = open_store(store_path)
    try:
        (number,) = queries.load_headlines(store).to_dict("records")
    finally:
        store.close()
    assert (number["author_kind"], number["author"]) == ("judge", "faithfulness")
    assert (number["name"], number["given"], number["value"]) == ("faithfulness", True, 0.5)


def test_confirmed_scale_holds_for_one_file(tmp_path):
    store = new_store(tmp_path / "s.duckdb")
    roles = {"text": "field:response", "score": "value:faithfulness:1-5@judge:big"}
    save_mapping(store, roles, Remembered("comparative_summary", roles), operation_id="m")
    remembered = load_mapping(store, roles)
    store.close()
    assert remembered is not None
    assert remembered.roles["score"] == "value:faithfulness@judge:big"
