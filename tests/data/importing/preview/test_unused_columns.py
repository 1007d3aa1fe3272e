"""Columns that were not understood are named before storing, with the ways to use them."""

import pytest

from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.tables.roles import name_rater_column, rater_roles, suggest_mapping
from faithfulness.protocols import PROTOCOLS

TABLE = "id,source,summary,ana,ben,judge_big\n1,web,A quiet kettle.,5,4,3\n2,,A lamp.,2,,1\n"
BY_HAND = {
    "id": "id",
    "summary": "field:response",
    "source": "attribute",
    "ana": "value:faithfulness@ana",
    "ben": "value:faithfulness@ben",
    "judge_big": "value:faithfulness@judge:judge_big",
}


def prepared(tmp_path, text, **options):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    path.write_text(text, encoding="utf-8")
    into.mkdir()
    return prepare([("scores.csv", path)], options=Options(**options), into=into)


def test_columns_without_a_role_are_named_with_the_names_that_would_be_read(tmp_path):
    manifest = prepared(tmp_path, TABLE)
    assert manifest.runs[0].by_author == {"judge judge_big": 2}
    (warning,) = manifest.warnings
    assert "not used as answers or texts: source, ana, ben." in warning
    assert warning.endswith("rename ana, ben to score_ana, score_ben.")


def test_the_names_of_the_warning_make_raters_and_leave_only_the_rest(tmp_path):
    renamed = TABLE.replace("ana,ben", "score_ana,score_ben")
    manifest = prepared(tmp_path, renamed)
    assert set(manifest.runs[0].by_author) == {"rater ana", "rater ben", "judge judge_big"}
    (warning,) = manifest.warnings
    assert "texts: source. " in warning
    assert "rename" not in warning


def test_a_column_kept_on_purpose_is_no_warning(tmp_path):
    manifest = prepared(tmp_path, TABLE, protocol="comparative_summary", mapping=BY_HAND)
    assert set(manifest.runs[0].by_author) == {"rater ana", "rater ben", "judge judge_big"}
    assert not manifest.warnings


def test_a_column_left_out_of_the_mapping_is_named(tmp_path):
    mapping = {column: role for column, role in BY_HAND.items() if column != "ben"}
    (warning,) = prepared(tmp_path, TABLE, protocol="comparative_summary", mapping=mapping).warnings
    assert "texts: ben. " in warning


@pytest.mark.parametrize("key", PROTOCOLS)
def test_the_name_for_a_raters_column_is_understood(key):
    column = name_rater_column("ana", key)
    criterion = PROTOCOLS[key].criteria[0].key
    assert suggest_mapping([column], key) == {column: f"value:{criterion}@ana"}


def test_only_a_value_on_the_scale_makes_a_column_an_authors():
    as_answers = ("value:faithfulness@ana", "value:faithfulness@judge:ana")
    assert rater_roles("ana", "4", "comparative_summary") == as_answers
    assert rater_roles("ana", "", "comparative_summary") == as_answers
    assert rater_roles("ana", "web", "comparative_summary") == ()
    assert rater_roles(" ", "4", "comparative_summary") == ()
