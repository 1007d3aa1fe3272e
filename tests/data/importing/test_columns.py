"""The columns of a table are read in a child, with first values, or refused in plain words."""

import pytest

from data.importing.columns import MOST, SHOWN, read_columns
from data.importing.limits import PAGE
from faithfulness.model.errors import ImportRefused


def file(tmp_path, name, text):
    path = tmp_path / "upload-0"
    path.write_text(text, encoding="utf-8")
    return [(name, path)]


def test_columns_come_with_their_first_values(tmp_path):
    files = file(tmp_path, "a.csv", 'id,my score,text\n1,4,"said ""so"""\n2,5,x\n')
    assert read_columns(files) == {"id": "1", "my score": "4", "text": 'said "so"'}


def test_json_lines_name_every_column_that_appears(tmp_path):
    files = file(tmp_path, "a.jsonl", '{"a": 1}\n{"a": 2, "b": ["x"]}\n')
    assert list(read_columns(files)) == ["a", "b"]


def test_a_long_first_value_is_cut(tmp_path):
    files = file(tmp_path, "a.csv", f"id,text\n1,{'w' * 5000}\n")
    assert len(read_columns(files)["text"]) == SHOWN + 1


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("wide.csv", ",".join(f"c{n}" for n in range(MOST + 1)) + "\n", "wide.csv"),
        ("odd.jsonl", '{"a": NaN}\n', "odd.jsonl line 1"),
        ("none.csv", "", "none.csv"),
    ],
)
def test_what_cannot_be_mapped_is_refused_by_name(tmp_path, name, text, told):
    with pytest.raises(ImportRefused, match=told):
        read_columns(file(tmp_path, name, text), PAGE)
