"""Who is present at a new meeting: known people keep their names, and addresses stay short."""

from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest

from components.meetings.agenda import LONGEST_KEPT, match_known_names, parse_people

LONG = f"{'x' * 40} {'y' * 60}"
KNOWN = ["Ana", "Ben", LONG, "Old  Name", *(f"Rater {nth}" for nth in range(20))]
PAGE = f"""
import streamlit as st
from components.meetings.agenda import ask_details
from faithfulness.review.meeting import Point

begun = ask_details([Point("r", "i", "u", "c")], (None, 0), {KNOWN!r}, "Eve")
if begun:
    st.json(list(begun.present))
"""


def drawn(**address) -> AppTest:
    test = AppTest.from_string(PAGE, default_timeout=60)
    for name, said in address.items():
        test.query_params[name] = said
    test.run()
    assert not test.exception
    return test


def reloaded(test) -> AppTest:
    return drawn(**dict(test.query_params))


def pills(test):
    return test.button_group(key="meeting_known")


def entered_bytes(test) -> int:
    said = {name: test.query_params.get(name, []) for name in ("title", "present", "known")}
    return len(urlencode(said, doseq=True))


@pytest.mark.parametrize("name", [LONG, "Old  Name", "Rater 3"])
def test_a_known_person_keeps_the_name_over_a_reload_and_comes_once(name):
    test = drawn()
    pills(test).set_value([name]).run()
    again = reloaded(test)
    assert pills(again).value == [name]
    assert len(pills(again).options) == len(pills(test).options)
    begin = next(each for each in again.button if each.label.startswith("Begin"))
    assert begin.click().run().json[0].value == f'["{name}"]'


def test_what_an_address_says_of_a_known_person_is_read_as_typed_names_are():
    test = drawn(known=["ana", "Ana\u200b", "old name", "zoe"], present="ANA, Zoe")
    assert pills(test).value == ["Ana", "Old  Name", "zoe"]
    begin = next(each for each in test.button if each.label.startswith("Begin"))
    assert begin.click().run().json[0].value == '["Ana", "zoe", "Old  Name"]'
    assert match_known_names(["Ben", "ben", " ", LONG], ["Ben", "ben", LONG]) == (
        "Ben",
        "ben",
        LONG,
    )
    assert parse_people("old name", KNOWN) == ("Old  Name",)


def test_names_too_long_for_an_address_are_not_kept_in_half_and_stay_entered():
    test = drawn(known="Rater 19", title="Я" * 120)
    test.text_input("meeting_people").set_value("Яна, " * 399).run()
    test.run()
    assert set(dict(test.query_params)) == {"title"}
    assert entered_bytes(test) <= LONGEST_KEPT
    assert [each.value for each in test.caption if "a reload loses them" in each.value]
    assert pills(test).value == ["Rater 19"]
    test.text_input("meeting_people").set_value("Яна").run()
    kept = dict(test.query_params)
    assert (kept["present"], kept["known"]) == ("Яна", "Rater 19")
    assert not [each.value for each in test.caption if "a reload loses them" in each.value]
