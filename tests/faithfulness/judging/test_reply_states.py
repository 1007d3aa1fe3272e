"""Every problem that a parser words has a named state; what a reply quotes cannot change it."""

import pytest

from faithfulness.judging.judge import question, read_reply
from faithfulness.judging.reply_states import TITLES, ReplyState, classify_problem, classify_reply
from faithfulness.model.vocabulary import Reply
from faithfulness.protocols import PROTOCOLS
from tests.example_items import example_of

BAD_REPLIES = ("", "I will not say.", "{}", "[]", '{"label": "x", "sentence": "y"}')


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("the reply has no line of its own with Score- <score>X</score>", "no_verdict"),
        ("the reply's score '2.5' is not one of 1, 2, 3, 4, 5", "off_scale"),
        ("the label 'maybe' is not on the scale; expected supported", "off_scale"),
        ('the reply\'s query type is "x"; expected one of factoid, opinion', "off_scale"),
        ("the reply says nothing about this sentence", "missing"),
        ("the reply says nothing about this claim", "missing"),
        ("not in the response: “It flies.” (supported)", "extra"),
        ("the reply judges a claim that is not among the units: 'c9'", "extra"),
        ("the reply gives the id s1 to another sentence", "altered"),
        ("the sentence is labelled twice: supported and no_rad", "twice"),
        ("answered twice: supported and no_rad", "twice"),
        ("one object of the reply has label more than once", "twice"),
        ("the 3 samples do not agree: 1 supported, 1 no_rad, 1 unread", "tied"),
        ("samples tied: supported ×1, contradictory ×1", "tied"),
        ("the judge refused to answer; its words are kept with the reply", "refused"),
        ("the endpoint's content filter withheld the reply", "refused"),
        ("the reply is empty", "empty"),
        ("the judge sent no text", "empty"),
        ("2 JSON object(s) without this call's mark were not counted", "quoted"),
        ("the reply does not carry this call's mark, and was not read without it", "quoted"),
        ("apart from JSON objects without this call's mark, the reply says nothing", "quoted"),
        ("the reply repeats the prompt's own example, which is no answer", "quoted"),
        ("without mark: the reply does not carry this call's mark; it was read", "without_mark"),
        ("in other words: “A.” was taken for “B.”", "altered"),
        ("the cell is empty", "other"),
    ],
)
def test_a_problem_has_its_state(said, state):
    assert classify_problem(said) == state
    assert classify_problem(f"2 of 3 samples could not be read here: {said}") == state


def test_what_is_missing_from_a_reply_that_was_cut_off_was_not_left_out():
    cut = (
        "the reply says nothing about this sentence: the reply was cut off at its length limit; "
        "allow the judge more tokens and ask again"
    )
    assert classify_reply([cut], finish_reason="length") == (ReplyState.CUT_OFF,)
    missing = "the reply says nothing about this sentence"
    assert classify_reply([missing], finish_reason="MAX_TOKENS") == (ReplyState.CUT_OFF,)
    assert classify_reply([missing], finish_reason="stop") == (ReplyState.MISSING,)


@pytest.mark.parametrize(
    "quoted",
    [
        "the judge refused to answer",
        "the reply is empty",
        "x: the reply was cut off at its length limit",
    ],
)
def test_words_that_a_reply_puts_into_a_problem_do_not_change_its_state(quoted):
    assert classify_problem(f'the reply\'s label "{quoted}" is not one of supported') == "off_scale"


def test_a_reply_may_be_flawed_and_read():
    assert classify_reply([], altered=True) == (ReplyState.ALTERED,)
    assert classify_reply([], ["accuracy has no check 'x'"], finish_reason="stop") == ()


@pytest.mark.parametrize("key", PROTOCOLS)
@pytest.mark.parametrize("reply", BAD_REPLIES)
@pytest.mark.parametrize("ended", ["stop", "length", "refusal"])
def test_no_problem_of_our_own_parsers_is_other(key, reply, ended):
    asked = question(PROTOCOLS[key], example_of(PROTOCOLS[key])[0])
    told = Reply(text=reply, finish_reason=ended)
    problems = [each.problem for each in read_reply(asked, told).answers if each.is_unread]
    assert problems
    assert ReplyState.OTHER not in classify_reply(problems, finish_reason=ended)


def test_every_state_has_a_title():
    assert set(TITLES) == set(ReplyState)
