"""The import form says of its protocol what holds for the chosen format."""

import pytest
from streamlit.testing.v1 import AppTest

NEEDS = "A column mapping needs one"


def form() -> None:
    import streamlit as st

    from components.import_form import Choice, choose_options
    from components.import_view import Format
    from data.importers import IMPORTERS
    from faithfulness.protocols import PROTOCOLS

    formats = [Format(each.key, each.title, "about", ()) for each in IMPORTERS.values()]
    choice = choose_options(formats, PROTOCOLS, Choice(), "t")
    st.text(choice.protocol)


def test_the_protocol_is_called_needed_where_a_mapping_needs_it():
    page = AppTest.from_function(form).run()
    protocol = page.selectbox(key="protocol_t")
    assert protocol.options[0] == "As the file says"
    assert not [each for each in page.caption if NEEDS in each.value]
    page.selectbox(key="format_t").select("Table with a column mapping").run()
    assert not page.exception
    assert page.selectbox(key="protocol_t").options[0] == "Choose one"
    assert [each for each in page.caption if NEEDS in each.value]
    page.selectbox(key="protocol_t").select("Claim overlap").run()
    assert page.text[0].value == "claim_overlap"


def stored_page(runs: int) -> None:
    from components.import_steps import show_stored

    show_stored({f"r{at}": f"run {at}" for at in range(runs)}, {"open": 2, "decided": 0})


@pytest.mark.parametrize(("runs", "whose"), [(1, "its"), (2, "their")])
def test_way_to_disagreements_speaks_of_one_run_or_of_several(runs, whose):
    page = AppTest.from_function(stored_page, args=(runs,)).run()
    assert not page.exception
    assert page.button[0].label == f"See {whose} disagreements"
