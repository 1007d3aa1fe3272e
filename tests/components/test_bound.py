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


VIEWS = """
import streamlit as st
from components.bound import bound_segments

if st.button("back"):
    st.query_params.pop("view", None)
st.text(f"shown: {bound_segments('view', 'View', {'': 'List', 'new': 'New', 'old': 'Old'})}")
"""


def told(test: AppTest) -> list[int]:
    """What a browser that joins now would show as chosen."""
    (group,) = test.get("button_group")
    return list(group.proto.default)


def test_every_run_tells_the_browser_which_view_is_chosen(complaints):
    """Told in the first run alone it may be overtaken by the second, and no view looks chosen."""
    test = AppTest.from_string(VIEWS, default_timeout=30)
    test.query_params["view"] = "new"
    for _ in range(3):
        assert shown(test.run()) == "shown: new"
        assert told(test) == [1]
    assert shown(test.button[0].click().run()) == "shown:"
    assert told(test) == [0]
    test.query_params["view"] = "old"
    assert shown(test.run()) == "shown: old"
    assert told(test) == [2]
    assert complaints() == []
