"""Control characters that no text needs: one of them spoils no file, and each is told."""

import json

import pyarrow.parquet as pq
import pytest

from data import exporting
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.items.loading import load_annotations, load_item
from faithfulness.model.errors import ImportRefused
from faithfulness.model.selection import Selection
from tests.data.importing.samples import csv_of, json_lines, parquet, put
from tests.shared_data import SHARED, needs_shared

CLEAN = "Ada moved to Oslo.\tShe likes\r\nOslo."
TEXT = "Ada\x00 moved to Oslo.\tShe likes\r\nOslo.\x07"
READ = TEXT.replace("\x00", "\ufffd").replace("\x07", "\ufffd")
START = TEXT.rindex("Oslo")
ROW = {"id": "a", "response": TEXT, "rater": "ana", "sentence": "Oslo", "label": "unsupported"}
ROW |= {"start": START, "end": START + 4}
PLAIN = {**ROW, "id": "b", "response": CLEAN, "start": 13, "end": 17}
ESCAPED = json_lines(PLAIN, ROW)
RAW = ESCAPED.replace(b"\\u0000", b"\x00").replace(b"\\u0007", b"\x07")
YAML = "".join(f"- {json.dumps(row)}\n" for row in (PLAIN, ROW))
FILES = {
    "escaped.jsonl": (ESCAPED, 2, "character 4 of response"),
    "raw.jsonl": (RAW, 2, "character 4 of response"),
    "escaped.json": (json.dumps([PLAIN, ROW]).encode(), 1, "character 4 of [2].response"),
    "raw.csv": (csv_of([PLAIN, ROW]), 4, "character 4 of response"),
    "escaped.yaml": (YAML.encode(), 2, "character 4 of response"),
    "raw.yaml": (
        YAML.replace("\\u0000", "\x00").replace("\\u0007", "\x07").encode(),
        2,
        "character 31 of the line",
    ),
    "table.parquet": (parquet([PLAIN, ROW]), 2, "character 4 of response"),
}


def warned(manifest):
    return [each for each in manifest.warnings if "control character" in each]


@pytest.mark.parametrize("name", FILES)
def test_one_such_character_is_replaced_and_told_with_count_and_place(tmp_path, store, name):
    content, line, place = FILES[name]
    manifest = prepare([(name, put(tmp_path, name, content))], into=tmp_path)
    told = "2 control characters, which no text needs, were replaced by “\ufffd” (U+FFFD)"
    assert warned(manifest) == [f"{told}: {name} line {line}. The first is {place}."]
    save_import(store, tmp_path, operation_id="one")
    with store.read() as cursor:
        rows = cursor.execute("select text from fields where name = 'response'").fetchall()
    assert {row[0] for row in rows} == {CLEAN, READ}
    assert len(READ) == len(TEXT)


def test_offsets_stay_right(tmp_path, store):
    prepare([("a.jsonl", put(tmp_path, "a.jsonl", RAW))], into=tmp_path)
    save_import(store, tmp_path, operation_id="one")
    with store.read() as cursor:
        item_ids = [row[0] for row in cursor.execute("select item_id from items").fetchall()]
    pieces = {
        load_item(store, item_id).text_of("response"): piece.span.start
        for item_id in item_ids
        for each in load_annotations(store, item_id)
        for piece in each.answer.pieces
    }
    assert pieces == {CLEAN: 13, READ: START}


@pytest.mark.parametrize("code", [0, 1, 8, 11, 12, 14, 27, 31])
def test_every_control_but_tab_and_line_breaks_is_replaced(tmp_path, code):
    row = {**ROW, "response": f"Oslo.{chr(code)}"} | {"start": 0, "end": 4}
    manifest = prepare([("a.jsonl", put(tmp_path, "a.jsonl", json_lines(row)))], into=tmp_path)
    assert len(warned(manifest)) == 1
    assert manifest.first_items[0].fields["response"] == "Oslo.\ufffd"


def test_backslashes_that_only_look_like_an_escape_are_kept(tmp_path):
    text = "Oslo \\u0000 \\begin \\frac \x7f \ufffd."
    row = {**ROW, "response": text} | {"start": 0, "end": 4}
    manifest = prepare([("a.jsonl", put(tmp_path, "a.jsonl", json_lines(row)))], into=tmp_path)
    assert warned(manifest) == []
    assert manifest.first_items[0].fields["response"] == text


def test_names_and_labels_are_cleaned_and_two_that_become_one_are_refused(tmp_path):
    named = {**PLAIN, "no\x01te": "x", "rater": "a\x02na", "label": "supp\x00orted"}
    manifest = prepare([("a.jsonl", put(tmp_path, "a.jsonl", json_lines(named)))], into=tmp_path)
    assert warned(manifest)[0].startswith("3 control characters")
    assert list(manifest.runs[0].by_author) == ["rater a\ufffdna"]
    assert manifest.runs[0].unread == 1
    twice = json_lines({**PLAIN, "no\x01te": "x", "no\x02te": "y"})
    with pytest.raises(ImportRefused, match=r"line 1: the key .* is given twice"):
        prepare([("b.jsonl", put(tmp_path, "b.jsonl", twice))], into=tmp_path)


def test_file_of_mostly_nul_is_still_no_text(tmp_path):
    content = ESCAPED.decode().encode("utf-16-le")
    with pytest.raises(ImportRefused, match="UTF-16 or binary"):
        prepare([("a.jsonl", put(tmp_path, "a.jsonl", content))], into=tmp_path)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
@pytest.mark.parametrize("damaged", ["Ada mo\x00ed to Oslo. ", "Ada mo\x00ved to Oslo. "])
@pytest.mark.parametrize("is_first", [True, False])
def test_text_that_one_of_its_rows_has_damaged_is_one_text(
    name, damaged, is_first, tmp_path, store
):
    row = {"id": "a", "response": "Ada moved to Oslo. She likes it.", "label": "unsupported"}
    rows = [
        row | {"sentence": "She likes it.", "rater": "ana"},
        row | {"sentence": "She likes it.", "rater": "ben"},
    ]
    rows[not is_first]["response"] = damaged + "She likes it."
    writers = {"a.csv": csv_of, "a.jsonl": lambda table: json_lines(*table), "a.parquet": parquet}
    manifest = prepare([(name, put(tmp_path, name, writers[name](rows)))], into=tmp_path)
    (run,) = manifest.runs
    assert (run.items, run.answers, run.left_out) == (1, 2, 0)
    assert len(warned(manifest)) == 1
    save_import(store, tmp_path, operation_id="one")
    with store.read() as cursor:
        texts = cursor.execute("select text from fields where name = 'response'").fetchall()
    assert texts == [(row["response"],)]


def test_other_texts_of_one_id_are_refused_though_characters_were_replaced(tmp_path):
    row = {"id": "a", "response": "Ada moved.\x00", "sentence": "Ada moved.", "label": "no_rad"}
    raw = json_lines(row | {"rater": "ana"}, row | {"rater": "ben", "response": "Ada left."})
    with pytest.raises(ImportRefused, match="another response"):
        prepare([("a.jsonl", put(tmp_path, "a.jsonl", raw))], into=tmp_path)


@needs_shared
def test_published_summaries_with_one_nul_are_read(tmp_path):
    path = SHARED / "xsum_hallucination" / "hallucination_annotations_xsum_summaries.csv"
    header, *lines = path.read_bytes().splitlines(keepends=True)[:400]
    clean = header + b"".join(lines)
    before = prepare([(path.name, put(tmp_path, path.name, clean))], into=tmp_path).runs
    lines[200] = lines[200].replace(b" the ", b" th\x00e ", 1)
    raw = header + b"".join(lines)
    assert raw.count(b"\x00") == 1
    manifest = prepare([(path.name, put(tmp_path, path.name, raw))], into=tmp_path)
    assert [run.answers for run in manifest.runs] == [run.answers for run in before]
    assert len(warned(manifest)) == 1


@needs_shared
def test_published_file_with_one_nul_is_stored_and_exported(tmp_path, store):
    path = SHARED / "hostile" / "import" / "nul.jsonl"
    manifest = prepare([(path.name, path)], into=tmp_path)
    assert warned(manifest)[0].startswith("1 control character, which no text needs, was")
    save_import(store, tmp_path, operation_id="one")
    for kind in ("csv", "jsonl", "xlsx", "parquet"):
        assert exporting.write_export(store, Selection(), kind, tmp_path / f"a.{kind}")
    rows = pq.read_table(tmp_path / "a.parquet").to_pylist()
    assert not any("\x00" in str(value) for row in rows for value in row.values())
