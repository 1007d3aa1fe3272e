"""Traps in words: n is only the replies whose traps were answered, the others are named."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from faithfulness.judging import rerun
from faithfulness.judging.judge import LENGTH, question
from faithfulness.model.prompt import add_trap_version
from faithfulness.model.vocabulary import Reply
from faithfulness.protocols import protocol
from tests.example_items import item_of

GROUNDING = protocol("sentence_grounding")
ITEM = item_of(
    "The Orla holds 1.2 litres. It comes in black.",
    context="The Orla kettle holds 1.2 litres. It is sold in white since 2019.",
)
REFUSED = Reply(text="No.", finish_reason="refusal")
WITHHELD = Reply(text="", finish_reason="content_filter")
UNREADABLE = Reply(text="I cannot say.", finish_reason="stop")


@pytest.fixture
def asked():
    return question(GROUNDING, ITEM, add_trap_version(GROUNDING.prompt))


def said(asked, *replies):
    """What the screen says about these replies."""

    def page(samples):
        from components.judging.trap_notice import say_traps

        say_traps(samples)

    samples = [rerun.read(asked, each) for each in replies]
    test = AppTest.from_function(page, args=(samples,)).run(timeout=20)
    assert not test.exception
    return "\n".join(str(each.value) for kind in ("warning", "caption") for each in test.get(kind))


def answer(asked, label, *, ended="stop", traps=True):
    """A reply that labels traps as `label` says, and all else supported."""
    made = {each.unit.text: each for each in asked.traps}
    told = [
        {"mark": asked.mark, "id": each.id, "label": label(made[each.text])}
        if each.text in made
        else {"mark": asked.mark, "id": each.id, "label": "supported"}
        for each in asked.seen.units_of(GROUNDING.unit)
        if traps or each.text not in made
    ]
    return Reply(text="\n".join(map(json.dumps, told)), finish_reason=ended)


def test_a_reply_of_which_nothing_was_read_is_not_taken_for_right(asked):
    for reply in (REFUSED, WITHHELD, UNREADABLE):
        words = said(asked, reply)
        assert "rightly" not in words
        assert words == "Traps: not answered in 1 of 1 reply, which shows nothing about the judge."


def test_n_is_the_replies_whose_traps_were_answered(asked):
    right = answer(asked, lambda trap: trap.right[0])
    assert said(asked, right, right) == "Traps: answered rightly in 2 of 2 replies."
    cut = answer(asked, None, ended=LENGTH, traps=False)
    words = said(asked, right, REFUSED, cut)
    assert "answered rightly in 1 of 1 reply." in words
    assert "not answered in 2 of 3 replies" in words
    wrong = answer(asked, lambda trap: "supported")
    words = said(asked, right, wrong, REFUSED)
    assert "**1 of 2 replies** answered a trap wrongly." in words
    assert "not answered in 1 of 3 replies" in words
