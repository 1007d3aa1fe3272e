"""The keys of Rerun: none that somebody may still hold on the way there asks a judge."""

from streamlit.testing.v1 import AppTest

PAGE = """
from components.judging.rerun_steps import offer_ask, show_failure
from faithfulness.model.errors import JudgeFailed
from types import SimpleNamespace

offer_ask(may_ask=True)
show_failure(SimpleNamespace(samples=[], wanted=2), JudgeFailed("No answer came."))
"""
# Of a card or the room: b leads here, Enter presses the link; the rest is what fingers lie on.
HELD = {"b", "enter", "space", *"jkasnzmoqwertyuidlgpxfv", *"123456789"}


def test_no_key_that_is_held_on_the_way_to_rerun_asks():
    test = AppTest.from_string(PAGE, default_timeout=30).run()
    assert not test.exception
    keys = {each.key: each.proto.shortcut for each in test.button}
    assert keys["ask"]
    assert not HELD & set(keys.values())


def test_a_failure_is_not_answered_by_the_key_that_asked():
    test = AppTest.from_string(PAGE, default_timeout=30).run()
    keys = {each.key: each.proto.shortcut for each in test.button}
    assert not keys["ask_missing"]
