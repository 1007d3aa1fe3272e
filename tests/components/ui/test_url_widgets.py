"""A page number follows the address, is said in it, and gives Streamlit nothing to complain of."""

import logging

import pytest
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from components.ui.url_widgets import bound_page

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
from components.ui.url_widgets import bound_segments

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


ALL = """
import streamlit as st
from components.ui import url_widgets

TITLES = {"": "Any", "a": "One", "b": "Two"}
if st.button("back"):
    for name in ("pill", "several", "choice", "words", "switch"):
        st.query_params.pop(name, None)
said = (
    url_widgets.bound_pills("pill", "Pill", {"a": "One", "b": "Two"}),
    url_widgets.bound_several("several", "Several", {"a": "One", "b": "Two"}),
    url_widgets.bound_choice("choice", "Choice", TITLES),
    url_widgets.bound_search("words", "Words"),
    url_widgets.bound_toggle("switch", "Switch"),
)
st.text(str(said))
"""
IN_ALL = {"pill": "b", "several": ["b", "a"], "choice": "b", "words": "near", "switch": "true"}


def told_of_all(test: AppTest) -> list[object]:
    kinds = ("button_group", "multiselect", "selectbox", "text_input", "toggle")
    protos = [test.get(each)[0].proto for each in kinds]
    lists = [list(protos[0].default), list(protos[1].default)]
    return [*lists, *(each.default for each in protos[2:])]


def test_every_run_tells_the_browser_what_each_filter_holds(complaints):
    test = AppTest.from_string(ALL, default_timeout=30)
    for name, said in IN_ALL.items():
        test.query_params[name] = said
    for _ in range(3):
        assert shown(test.run()) == "('b', ['b', 'a'], 'b', 'near', True)"
        assert told_of_all(test) == [[1], [1, 0], 2, "near", True]
    assert shown(test.button[0].click().run()) == "('', [], '', '', False)"
    assert told_of_all(test) == [[], [], 0, "", False]
    assert complaints() == []


def test_what_is_pressed_is_said_in_the_address_and_told_from_then_on(complaints):
    test = AppTest.from_string(ALL, default_timeout=30).run()
    test.selectbox[0].select("a").run()
    test.text_input[0].input("far").run()
    test.toggle[0].set_value(True).run()
    test.multiselect[0].select("b").run()
    for _ in range(2):
        assert shown(test.run()) == "('', ['b'], 'a', 'far', True)"
        assert told_of_all(test) == [[], [1], 1, "far", True]
    said = {"choice": "a", "words": "far", "switch": "true", "several": "b"}
    assert dict(test.query_params) == said
    assert complaints() == []
