"""The import form says of its protocol what holds for the chosen format."""

import pytest
from streamlit.testing.v1 import AppTest

NEEDS = "A column mapping needs one"


def form() -> None:
    import streamlit as st

    from components.importing.form import ImportChoice, choose_options
    from components.importing.view import Format
    from data.importing.formats import IMPORTERS
    from faithfulness.protocols import PROTOCOLS

    formats = [Format(each.key, each.title, "about", ()) for each in IMPORTERS.values()]
    choice = choose_options(formats, PROTOCOLS, ImportChoice(), "t")
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
    from components.importing.steps import show_stored

    show_stored({f"r{at}": f"run {at}" for at in range(runs)}, {"open": 2, "decided": 0})


@pytest.mark.parametrize(("runs", "whose"), [(1, "its"), (2, "their")])
def test_way_to_disagreements_speaks_of_one_run_or_of_several(runs, whose):
    page = AppTest.from_function(stored_page, args=(runs,)).run()
    assert not page.exception
    assert page.button[0].label == f"See {whose} disagreements"


def known_page(stored: int, runs: int) -> None:
    import streamlit as st

    from components.importing.steps import show_known

    show_known(st.container(), (), (3, stored), runs=runs)


@pytest.mark.parametrize(
    ("stored", "runs", "words"),
    [
        (1, 1, ("The run below is new", "1 of 3 items is in", "about it before")),
        (2, 2, ("The 2 runs below are new", "2 of 3 items are in", "about them before")),
    ],
)
def test_items_met_again_are_said_to_keep_their_answers_in_earlier_runs(stored, runs, words):
    page = AppTest.from_function(known_page, args=(stored, runs)).run()
    assert not page.exception
    (told,) = (each.value for each in page.info)
    for each in (
        *words,
        "no earlier run is changed",
        "by the same texts",
        "stays with the earlier runs",
        "decisions count in the new one too",
        "of one author the later one",
    ):
        assert each in told


def test_nothing_is_said_of_stored_items_where_all_are_new():
    assert not AppTest.from_function(known_page, args=(0, 1)).run().info
