"""A prepared import is stored whole and in order, or undone, whatever its rows name."""

import re
from pathlib import Path

import pyarrow as pa
import pytest

from data.importing import import_tables
from data.importing.save import save_import
from data.items.loading import load_annotations, load_item
from faithfulness.intake.intake import take_in
from faithfulness.model.errors import ImportRefused, ReviewError
from tests.data.stored import ADA, BEN, prepare_drafts, sentence_draft

GOOD = ("supported", "contradictory", "no_rad")
MIXED = ("supported", None, "no_rad")
COUNTED = ("items", "fields", "units", "run_items", "authors", "annotations", "excerpts")


def ask(store, question):
    with store.read() as cursor:
        return cursor.execute(question).fetchall()


def counts(store):
    return {name: ask(store, f"select count(*) from {name}")[0][0] for name in COUNTED}


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("fields", "item_id"),
        ("units", "item_id"),
        ("run_items", "item_id"),
        ("run_items", "run_key"),
        ("annotations", "item_id"),
        ("annotations", "unit_id"),
        ("annotations", "run_key"),
        ("summaries", "item_id"),
        ("summaries", "run_key"),
        ("replies", "item_id"),
    ],
)
def test_row_that_names_something_unknown_undoes_the_import(store, tmp_path, table, column):
    draft = sentence_draft(values={ADA: GOOD}, reply="[]")
    folder = prepare_drafts(tmp_path / "p", [draft], "first")
    rows = import_tables.read_table(folder, table).to_pylist()
    rows[-1][column] = "nobody knows this"
    changed = pa.Table.from_pylist(rows, schema=import_tables.SCHEMAS[table])
    import_tables.write_table(folder, table, changed)
    with pytest.raises(ReviewError):
        save_import(store, folder, operation_id="first")
    assert set(counts(store).values()) == {0}


def test_rows_in_any_order_are_stored_as_if_they_came_in_order(store, tmp_path):
    drafts = [sentence_draft(n, {BEN: GOOD, ADA: MIXED}) for n in (1, 2, 3)]
    folder = prepare_drafts(tmp_path / "p", drafts, "first")
    for table in import_tables.SCHEMAS:
        rows = import_tables.read_table(folder, table)
        if table not in ("runs", "items") and rows.num_rows:
            import_tables.write_table(folder, table, rows.take(list(range(rows.num_rows))[::-1]))
    save_import(store, folder, operation_id="first")
    rows = ask(store, "select annotation_no, item_no, unit_no, author_no from annotations")
    assert [row[0] for row in rows] == list(range(1, 19))
    assert [row[1:] for row in rows] == sorted(row[1:] for row in rows)
    for draft in drafts:
        item = take_in(draft).item
        assert load_item(store, item.id) == item
        for each in load_annotations(store, item.id):
            if each.answer.value == "supported":
                assert each.answer.excerpts
                assert each.answer.excerpts[0].text == "holds 1.7 litres"


def test_item_named_twice_in_one_import_is_stored_once(store, tmp_path):
    folder = prepare_drafts(tmp_path / "p", [sentence_draft(values={ADA: GOOD})], "first")
    for table in ("items", "fields", "units"):
        rows = import_tables.read_table(folder, table).to_pylist() * 2
        doubled = pa.Table.from_pylist(rows, schema=import_tables.SCHEMAS[table])
        import_tables.write_table(folder, table, doubled)
    save_import(store, folder, operation_id="first")
    item = take_in(sentence_draft()).item
    assert load_item(store, item.id) == item
    assert ask(store, "select count(*), count(distinct unit_id) from units")[0] == (
        len(item.units),
        len(item.units),
    )


def test_item_cut_in_two_ways_within_one_import_is_refused(store, tmp_path):
    folder = prepare_drafts(tmp_path / "p", [sentence_draft(values={ADA: GOOD})], "first")
    rows = import_tables.read_table(folder, "units").to_pylist()
    other = [{**row, "span_end": row["span_end"] - 1} for row in rows if row["unit_id"] == "s1"]
    table = pa.Table.from_pylist(rows + other, schema=import_tables.SCHEMAS["units"])
    import_tables.write_table(folder, "units", table)
    with pytest.raises(ImportRefused, match="in two ways"):
        save_import(store, folder, operation_id="first")


def test_prepared_texts_leave_memory_once_stored_and_can_be_read_again(tmp_path):
    texts = [f"{number} " * 4_000 for number in range(2_000)]
    rows = [("i", 0, "context", "context", text) for text in texts]
    columns = zip(*rows, strict=True)
    import_tables.write_table(
        tmp_path, "fields", pa.table([*columns], import_tables.SCHEMAS["fields"])
    )
    prepared = import_tables.Prepared(tmp_path)
    read = [prepared.tables["fields"]["text"].to_pylist() == texts]
    held = _mapped_megabytes()
    prepared.let_go()
    assert _mapped_megabytes() < held - 30
    read.append(prepared.tables["fields"]["text"].to_pylist() == texts)
    assert read == [True, True]


def _mapped_megabytes():
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"RssFile:\s+(\d+)", status)[0]) / 1024
