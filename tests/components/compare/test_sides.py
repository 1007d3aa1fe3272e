"""What both sides of a comparison are held against: a choice stays, also that of nobody."""

import pytest
from streamlit.testing.v1 import AppTest

SCRIPT = """
import pandas as pd
import streamlit as st
from components.compare.sides import choose_reference

offered = pd.DataFrame(
    {
        "side_text": ["raters", "rater:Ada"],
        "title": ["majority", "rater Ada"],
        "kind": ["several", "rater"],
    }
)
st.button("Anything else")
found = choose_reference(offered, [])
st.text(found.as_text if found else "nobody")
"""


def opened(**address):
    test = AppTest.from_string(SCRIPT, default_timeout=30)
    test.query_params.update(address)
    return test.run()


def shown(test):
    assert not test.exception
    return test.text[0].value


def test_no_reference_stays_whatever_is_pressed_next():
    test = opened()
    assert shown(test) == "raters"
    assert shown(test.selectbox[0].select("none").run()) == "nobody"
    assert test.query_params["reference"] == "none"
    assert shown(test.button[0].click().run()) == "nobody"
    assert shown(test.selectbox[0].select("raters").run()) == "raters"
    assert shown(test.button[0].click().run()) == "raters"


@pytest.mark.parametrize(
    ("address", "means"),
    [
        ({}, "raters"),
        ({"reference": "none"}, "nobody"),
        ({"reference": "rater:Ada"}, "rater:Ada"),
        ({"reference": "rater:Gone"}, "raters"),
        ({"reference": ""}, "nobody"),
    ],
)
def test_an_address_means_what_it_meant(address, means):
    assert shown(opened(**address)) == means
