"""What holds for every importer: it knows its files, reads them whole, refuses broken copies."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.importing import import_tables
from data.importing.formats import IMPORTERS
from data.importing.gathering import gather_drafts
from data.importing.importer import Options, Source
from data.importing.limits import COMMAND, PAGE
from data.importing.prepare import prepare
from data.importing.preparing import Request, choose_importer, prepare_here, rank_importers
from faithfulness.model.drafts import Draft
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.protocols import PROTOCOLS
from tests.data.importing.samples import (
    CONSISTENCY,
    NATIVE,
    PUBLIC,
    SAMPLES,
    TABLE_MAPPING,
    csv_of,
    item,
    json_lines,
    put,
)
from tests.shared_data import SHARED, needs_shared

TABLE = Options(protocol="comparative_summary", mapping=TABLE_MAPPING)
each_sample = pytest.mark.parametrize(
    ("key", "name", "content"), SAMPLES, ids=[name for _, name, _ in SAMPLES]
)


def options_for(key: str) -> Options:
    return TABLE if key == "table" else Options()


def read(key: str, path: Path) -> list[Draft]:
    source = Source(path.name, path, PAGE)
    return list(IMPORTERS[key].read([source], options_for(key)))


def test_every_importer_has_a_sample():
    assert set(IMPORTERS) == {key for key, _, _ in SAMPLES} | set(PUBLIC)


@pytest.mark.parametrize("importer", IMPORTERS.values(), ids=lambda each: each.key)
def test_importer_says_what_it_reads(importer):
    assert importer.title
    assert importer.about.endswith(".")
    assert importer.extensions
    assert set(importer.protocols) <= set(PROTOCOLS)
    assert IMPORTERS[importer.key] is importer


@each_sample
def test_sample_is_recognised_by_its_importer_first(key, name, content, tmp_path):
    source = Source(name, put(tmp_path, name, content), PAGE)
    assert rank_importers([source])[0][1].key == key


@each_sample
def test_sample_becomes_two_items_with_answers(key, name, content, tmp_path):
    drafts = read(key, put(tmp_path, name, content))
    assert len(gather_drafts(drafts).groups) == 2
    for draft in drafts:
        assert draft.protocol in IMPORTERS[key].protocols
        assert draft.file == name
        assert draft.line > 0
        assert draft.said or draft.replies
        assert {each.name for each in draft.fields} >= {"response"}
        assert not any(each.problem for each in draft.said)


@each_sample
def test_sample_is_prepared_with_every_answer_counted(key, name, content, tmp_path):
    path = put(tmp_path, name, content)
    into = tmp_path / "into"
    into.mkdir()
    source = Source(name, path, PAGE)
    manifest = prepare_here(Request([source], key, options_for(key), into))
    assert [(run.items, run.unread) for run in manifest.runs] == [(2, 0)]
    expected = {"plumbline": 6, "sentence_labels": 6, "expert_scores": 8, "table": 2}
    assert manifest.runs[0].answers == expected.get(key, 4)
    ids = import_tables.read_table(into, "items")["item_id"]
    assert import_tables.read_table(into, "checked_items")["item_id"] == ids


@each_sample
def test_copy_broken_in_its_last_line_is_refused_by_line(key, name, content, tmp_path):
    if name.endswith(".parquet"):
        broken, where = content[:-9], name
    elif name.endswith(".yaml"):
        broken, where = content + b'  last: "open\n', f"{name} line "
    else:
        broken = content.rstrip(b"\n}") + b', "\n'
        lines = broken.count(b"\n")
        where = f"{name} line {lines}: "
    with pytest.raises(ImportRefused, match=where):
        read(key, put(tmp_path, name, broken))


@each_sample
def test_sample_twice_is_refused_for_its_ids(key, name, content, tmp_path):
    path = put(tmp_path, name, content)
    sources = [Source(name, path, PAGE), Source(f"again-{name}", path, PAGE)]
    options = Options(
        author="zoe", protocol=options_for(key).protocol, mapping=options_for(key).mapping
    )
    with pytest.raises(ImportRefused, match=f"again-{name} line .*first in {name} line"):
        gather_drafts(IMPORTERS[key].read(sources, options))


@needs_shared
@pytest.mark.parametrize("key", PUBLIC)
def test_public_set_is_recognised_by_its_importer(key):
    folder, pattern = PUBLIC[key]
    sources = [Source(path.name, path) for path in sorted((SHARED / folder).glob(pattern))]
    assert choose_importer(sources, None, Options()).key == key


def test_empty_label_cell_is_unread_and_a_missing_optional_one_is_nothing(tmp_path):
    rows = [CONSISTENCY[0] | {"answer": "", "query_type": ""}]
    (draft,) = read("consistency_answers", put(tmp_path, "a.csv", csv_of(rows)))
    assert [(each.criterion, each.value, each.problem) for each in draft.said] == [
        ("consistency", None, "no value in the file")
    ]


@pytest.mark.parametrize("value", ["0", "6", "2.5", "true", "four", "５", "4 5", "1e0", "-1"])
def test_score_off_the_scale_is_unread_and_named(value, tmp_path):
    path = put(tmp_path, "s.csv", f"id,response,score\na,r,{value}\n".encode())
    (draft,) = read("comparative_scores", path)
    (said,) = draft.said
    assert said.value is None
    assert value in said.problem


@pytest.mark.parametrize("value", [True, 4.5, [4], {"a": 1}, None, "SUPPORTED", 0])
def test_json_value_of_another_kind_is_never_a_score(value, tmp_path):
    row = {"id": "a", "response": "r", "score": value}
    (draft,) = read("comparative_scores", put(tmp_path, "s.jsonl", json_lines(row)))
    assert draft.said[0].value is None
    assert draft.said[0].problem


def score_file(format_name, value, folder):
    """One score in a file of each format, as a program would write the value there."""
    row = {"id": "a", "response": "r", "score": value}
    if format_name == "csv":
        return put(folder, "s.csv", f"id,response,score\na,r,{value}\n".encode())
    if format_name == "jsonl":
        return put(folder, "s.jsonl", json_lines(row))
    if format_name == "yaml":
        text = f"- id: a\n  response: r\n  score: {json.dumps(value)}\n"
        return put(folder, "s.yaml", text.encode())
    path = folder / "s.parquet"
    pq.write_table(pa.table({name: [each] for name, each in row.items()}), path)
    return path


each_format = pytest.mark.parametrize("format_name", ["csv", "jsonl", "yaml", "parquet"])


@each_format
@pytest.mark.parametrize("value", [4, 4.0, "4", "4.0", "4 ", "\u00a04.0\u00a0"])
def test_whole_score_is_that_score_in_every_format(format_name, value, tmp_path):
    (draft,) = read("comparative_scores", score_file(format_name, value, tmp_path))
    assert (draft.said[0].value, draft.said[0].problem) == ("4", "")


@each_format
@pytest.mark.parametrize("value", [2.5, "2.5", 0, 6, 0.0, 6.0, True, False, "true"])
def test_other_score_is_unread_in_every_format(format_name, value, tmp_path):
    (draft,) = read("comparative_scores", score_file(format_name, value, tmp_path))
    assert draft.said[0].value is None
    assert draft.said[0].problem


@pytest.mark.parametrize("label", ["SUPPORTED", "Supported", "supported"])
def test_label_counts_in_any_letter_case_as_in_a_reply(label, tmp_path):
    row = item(1, sentences=[{"sentence": "It draws 40 watts.", "label": label}])
    (draft,) = read("sentence_labels", put(tmp_path, "s.jsonl", json_lines(row)))
    assert (draft.said[0].value, draft.said[0].problem) == ("supported", "")


@pytest.mark.parametrize("label", ["Supported ", " supported", "SUPPORTED\u00a0", "supported\t"])
def test_blanks_around_a_label_do_not_matter_and_texts_keep_theirs(label, tmp_path):
    told = {"sentence": "It draws 40 watts. ", "label": label, "excerpt": " draws 14 watts "}
    answer = {"author": "ana", "value": label, "text": told["sentence"]}
    rows = csv_of([item(1, rater="ana", **told)])
    drafts = [
        *read("sentence_labels", put(tmp_path, "s.jsonl", json_lines(item(1, sentences=[told])))),
        *read("plumbline", put(tmp_path, "p.jsonl", json_lines(NATIVE[0] | {"answers": [answer]}))),
        *IMPORTERS["table"].read([Source("t.csv", put(tmp_path, "t.csv", rows))], Options()),
    ]
    assert [[(s.value, s.problem) for s in each.said] for each in drafts] == [
        [("supported", "")]
    ] * 3
    assert {each.said[0].text for each in drafts} == {told["sentence"]}
    assert [each.said[0].excerpts for each in drafts] == [
        (" draws 14 watts ",),
        (),
        (" draws 14 watts ",),
    ]


def test_answer_of_blanks_is_no_answer(tmp_path):
    content = b"id,response,accuracy,ethics,rater\n1,r,4, ,ana\n2,r,\xc2\xa0,3,ana\n"
    first, second = read("expert_scores", put(tmp_path, "blank.csv", content))
    assert [(each.value, each.problem) for each in (*first.said, *second.said)] == [
        ("4", ""), (None, "no value in the file"), (None, "no value in the file"), ("3", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("label", ["suported", "ѕupported", "no rad", "support"])
def test_label_spelled_otherwise_is_unread(label, tmp_path):
    row = item(1, sentences=[{"sentence": "It draws 40 watts.", "label": label}])
    (draft,) = read("sentence_labels", put(tmp_path, "s.jsonl", json_lines(row)))
    assert draft.said[0].value is None
    assert label in draft.said[0].problem


def test_authors_in_column_names_are_told_from_other_scores(tmp_path):
    content = b"id,response,score_ana,judge_north,bleu_score,model\n1,r,4,5,0.31,alpha\n"
    (draft,) = read("comparative_scores", put(tmp_path, "wide.csv", content))
    assert {(each.author.kind, each.author.name, each.value) for each in draft.said} == {
        (AuthorKind.RATER, "ana", "4"),
        (AuthorKind.JUDGE, "judge_north", "5"),
    }
    assert draft.attributes == {"bleu_score": "0.31"}
    assert draft.system == "alpha"


def test_table_nobody_knows_asks_for_a_mapping(tmp_path):
    path = put(tmp_path, "x.csv", b"col_a,col_b\n1,2\n")
    source = Source("x.csv", path, PAGE)
    importer = choose_importer([source], None, Options())
    with pytest.raises(ImportRefused, match=r"map the columns .*Sentence grounding, "):
        list(importer.read([source], Options()))
    with pytest.raises(ImportRefused, match=r"sentence_grounding, .*map the columns "):
        list(importer.read([Source("x.csv", path, COMMAND)], Options()))


def test_response_missing_from_sentence_rows_is_rebuilt_and_says_so(tmp_path):
    rows = [
        {"id": "a", "sentence": "One lamp.", "label": "supported"},
        {"id": "a", "sentence": "Two lamps.", "label": "unsupported"},
    ]
    (draft,) = read("sentence_labels", put(tmp_path, "s.jsonl", json_lines(*rows)))
    assert draft.fields[0].text == "One lamp. Two lamps."
    assert draft.attributes["response"] == "rebuilt from its sentences"
    assert draft.cut == ["One lamp.", "Two lamps."]


def test_two_raters_meet_on_one_item_and_a_copy_is_reported(tmp_path):
    sentences = [
        {"sentence": f"Lamp number {at} is bright.", "label": "unsupported", "rationale": f"r{at}"}
        for at in range(25)
    ]
    response = " ".join(each["sentence"] for each in sentences)
    files = [
        (f"{name}.jsonl", put(tmp_path, name, json_lines(record)))
        for name in ("ana", "ben")
        for record in [item(1, response=response, sentences=sentences, rater=name)]
    ]
    into = tmp_path / "into"
    into.mkdir()
    manifest = prepare(files, into=into)
    assert [run.items for run in manifest.runs] == [1]
    assert manifest.runs[0].by_author == {"rater ana": 25, "rater ben": 25}
    assert len(manifest.warnings) == 1
    assert "25 units" in manifest.warnings[0]
    assert sorted(path.name for path in into.iterdir()) == [
        "annotations.arrow", "checked_items.arrow", "fields.arrow", "items.arrow",
        "manifest.json", "run_items.arrow", "runs.arrow", "summaries.arrow", "units.arrow",
    ]  # fmt: skip


def test_same_texts_under_two_ids_stay_two_items(tmp_path):
    content = b"id,response,score,rater\n1,Same.,4,ana\n2,Same.,5,ana\n"
    drafts = read("comparative_scores", put(tmp_path, "twins.csv", content))
    groups = gather_drafts(drafts).groups
    assert [each[0].external_id for each in groups.values()] == ["1", "2"]
    assert [each[0].attributes for each in groups.values()] == [{}, {"same_texts_as": "1"}]
