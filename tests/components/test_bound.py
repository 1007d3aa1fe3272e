"""A page number follows the address, is said in it, and gives Streamlit nothing to complain of."""

import logging

import pytest
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from components.bound import bound_page

if st.button("first"):
    st.query_params.pop("page", None)
st.text(f"shown {bound_page('page', 9)}")
"""


@pytest.fixture
def complaints(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)  # it is told once
    monkeypatch.setattr(policies.runtime, "exists", lambda: True)
    monkeypatch.setattr(logging.getLogger("streamlit"), "propagate", True)
    return lambda: [each.message for each in caplog.records if "default value" in each.message]


def shown(test: AppTest) -> str:
    assert not test.exception
    return test.text[0].value


def test_a_page_number_comes_from_the_address_and_goes_back_with_it(complaints):
    test = AppTest.from_string(SCRIPT, default_timeout=30)
    test.query_params["page"] = "4"
    assert shown(test.run()) == "shown 4"
    assert shown(test.run()) == "shown 4"
    assert shown(test.button[0].click().run()) == "shown 1"
    test.query_params["page"] = "99"
    assert shown(test.run()) == "shown 9"
    test.query_params["page"] = "no number"
    assert shown(test.run()) == "shown 1"
    assert complaints() == []
