"""Presses that a component reports: stored once, in order, and sent again when they were not."""

from streamlit.testing.v1 import AppTest

PAGE = """
import streamlit as st

from components.ui.actions.action_log import store_presses
from faithfulness.model.errors import NotAllowed, NotSaved, ReviewError

problems = {"full": NotSaved("The disk is full"), "no": NotAllowed("Not you"),
            "nonsense": ReviewError("No such unit")}


def keep(said, press):
    if said["id"] in st.session_state["refused"]:
        raise problems[st.session_state["refused"][said["id"]]]
    st.session_state["kept"].append(press)


st.session_state.setdefault("kept", [])
st.text(store_presses("reader", "marks", keep))
"""


def reported(refused: dict[str, str], *presses: str) -> AppTest:
    test = AppTest.from_string(PAGE)
    test.session_state["refused"] = refused
    test.session_state["reader"] = {"marks": [{"id": each} for each in presses]}
    return test.run()


def test_what_could_not_be_stored_for_now_is_sent_again_in_order():
    test = reported({"b": "full"}, "a", "b", "c")
    assert test.session_state["kept"] == ["a"]
    assert test.text[0].value == "a"  # the browser keeps what lies behind it
    assert test.error[0].value == "The disk is full"
    test.session_state["refused"] = {}
    test.run()
    assert test.session_state["kept"] == ["a", "b", "c"]
    assert test.text[0].value == "c"
    assert not test.error
    test.run()
    assert test.session_state["kept"] == ["a", "b", "c"]  # none twice


def test_what_is_never_stored_is_told_once_and_holds_nothing_up():
    test = reported({"a": "no", "b": "nonsense"}, "a", "b", "c")
    assert test.session_state["kept"] == ["c"]
    assert [each.value for each in test.error] == ["Not you", "No such unit"]
    assert not test.run().error


ACTIONS = """
import streamlit as st

from components.ui.actions.action_log import take_new
from components.ui.session import operation_id


def act(said, own, operation):
    st.session_state["done"].append(said["value"])
    return {"state": "saved"}


st.session_state.setdefault("done", [])
desk = operation_id("triage desk")
for each in st.session_state["triage"]["log"]:
    if each["desk"] == "this":
        each["desk"] = desk
take_new(act, key="triage")
"""


def test_actions_of_another_session_are_left_to_the_component_to_send_anew():
    # After a restart the browser sends the last list by itself, whatever was told about it.
    said = [("another", "told as not saved"), ("this", "sent anew")]
    test = AppTest.from_string(ACTIONS)
    test.session_state["triage"] = {
        "log": [
            {"seq": seq, "kind": "decide", "key": "a", "desk": desk, "value": value}
            for seq, (desk, value) in enumerate(said, start=1)
        ]
    }
    test.run()
    assert test.session_state["done"] == ["sent anew"]
