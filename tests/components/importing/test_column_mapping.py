"""The column mapping offers every column of answers as one rater's or one judge's."""

import pytest
from streamlit.testing.v1 import AppTest

from components.importing.column_mapping import _list_roles
from components.ui.plain import plain
from faithfulness.protocols import protocol


def mapping_page(key: str) -> None:
    import streamlit as st

    from components.importing.column_mapping import KnownTables, ask_mapping
    from data.importing.tables import roles
    from data.importing.tables.missing import what_is_missing
    from data.importing.tables.reasons import reason_roles
    from faithfulness.protocols import protocol

    columns = {"id": "x7", "summary": "A kettle.", "ana": "4", "ben": "5", "judge_big": "3"}
    tables = KnownTables(
        columns=lambda: columns,
        remembered=lambda header: None,
        suggest=roles.suggest_for_values,
        missing=what_is_missing,
        by_author=roles.rater_roles,
        reasons=reason_roles,
    )
    mapping, missing = ask_mapping(tables, protocol(key), "t")
    st.json(mapping)
    st.text(missing)


def opened(key):
    page = AppTest.from_function(mapping_page, args=(key,)).run()
    assert not page.exception
    return page


def box(page, column):
    return next(each for each in page.selectbox if each.label == plain(column))


def test_two_columns_of_scores_can_be_two_raters():
    page = opened("comparative_summary")
    box(page, "ana").select("Answer by rater ana")
    box(page, "ben").select("Answer by rater ben")
    page.run()
    chosen = page.json[0].value
    assert '"ana":"value:faithfulness@ana"' in chosen.replace(" ", "")
    assert '"ben":"value:faithfulness@ben"' in chosen.replace(" ", "")
    assert page.text[0].value == ""


def test_a_judge_is_offered_and_a_text_column_is_no_author():
    page = opened("comparative_summary")
    assert "Answer by judge ana" in box(page, "ana").options
    assert "Answer by judge judge_big" in box(page, "judge_big").options
    assert "Answer by rater summary" not in box(page, "summary").options


@pytest.mark.parametrize("who", ["rater", "judge"])
def test_with_two_criteria_the_question_is_named(who):
    offered = [
        each
        for each in box(opened("expert_rubric"), "ana").options
        if each.startswith(f"Answer by {who} ana: ")
    ]
    assert len(offered) == 2


@pytest.mark.parametrize(
    ("typed", "role"),
    [
        ("label", "value:label"), ("verdict", "value:label"), ("score", "value:label"),
        ("quote", "excerpt"), ("evidence", "excerpt"), ("excerpt", "excerpt"),
        ("rater", "rater"), ("annotator", "rater"), ("model", "judge"), ("reason", "rationale"),
        ("explanation", "rationale"), ("sentence", "sentence"),
    ],
)  # fmt: skip
def test_role_is_found_by_the_word_that_people_type(typed, role):
    grounding = protocol("sentence_grounding")
    offered = _list_roles(grounding, ())
    assert typed in offered[role].lower()
    if typed == "label":
        assert [each for each, name in offered.items() if "label" in name.lower()] == [role]


def test_reasons_are_offered_for_the_authors_that_were_mapped_and_no_others():
    page = opened("comparative_summary")
    assert not [each for each in box(page, "summary").options if "judge ana" in each]
    box(page, "ana").select("Answer by judge ana").run()
    assert "Rationale: the reason or explanation (judge ana)" in box(page, "summary").options
    box(page, "summary").select("Rationale: the reason or explanation (judge ana)").run()
    assert '"summary":"rationale@judge:ana"' in page.json[0].value.replace(" ", "")
    box(page, "ana").select("Leave out").run()
    assert not [each for each in box(page, "summary").options if "judge ana" in each]
    assert '"rationale@judge:ana"' not in page.json[0].value
