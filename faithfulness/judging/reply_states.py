"""Classify the problems of a judge's reply into a few named states."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from faithfulness.judging.traps import FAILED


class ReplyState(StrEnum):
    """Why a reply, or a part of it, gave no label, or gave it to other words than asked."""

    NO_VERDICT = "no_verdict"
    OFF_SCALE = "off_scale"
    MISSING = "missing"
    EXTRA = "extra"
    ALTERED = "altered"
    TWICE = "twice"
    TIED = "tied"
    CUT_OFF = "cut_off"
    REFUSED = "refused"
    EMPTY = "empty"
    QUOTED = "quoted"
    LENIENT = "lenient"
    WITHOUT_MARK = "without_mark"
    TRAP = "trap"
    OTHER = "other"


TITLES: Mapping[str, str] = {
    ReplyState.NO_VERDICT: "No verdict found",
    ReplyState.OFF_SCALE: "Label off the scale",
    ReplyState.MISSING: "Sentence or claim left out",
    ReplyState.EXTRA: "Sentence or claim not in the text",
    ReplyState.ALTERED: "Sentence in other words",
    ReplyState.TWICE: "Two answers at once",
    ReplyState.TIED: "Samples tied",
    ReplyState.CUT_OFF: "Cut off",
    ReplyState.REFUSED: "Refused or withheld",
    ReplyState.EMPTY: "Empty reply",
    ReplyState.QUOTED: "May be a quotation",
    ReplyState.LENIENT: "Read leniently",
    ReplyState.WITHOUT_MARK: "Without mark",
    ReplyState.TRAP: "Trap answered wrongly",
    ReplyState.OTHER: "Other",
}

_CUT_OFF = "the reply was cut off at its length limit; allow the judge more tokens and ask again"
_SAMPLES = re.compile(r"\d+ of \d+ samples could not be read here: ")
# Matched from the start: the words behind may quote a reply that says anything.
_KINDS = (
    (ReplyState.EMPTY, r"the reply is empty|the judge sent no text"),
    (
        ReplyState.REFUSED,
        r"the judge refused|the endpoint's content filter|the judge called a tool",
    ),
    (
        ReplyState.MISSING,
        r"the reply says nothing about this (sentence|claim)",
    ),
    (
        ReplyState.OFF_SCALE,
        r"the reply's [\w ]+ .*(is not one of|expected one of)"
        r"|the label .* is not on the scale|'.*' is not on the scale|\".*\" is not on the scale",
    ),
    (
        ReplyState.TWICE,
        r"the reply has verdict lines that differ|the reply gives two different"
        r"|the reply judges this claim in two|the sentence is labelled twice"
        r"|one object of the reply has .* more than once|the reply has .* more than once"
        r"|answered more than once|answered twice",
    ),
    (ReplyState.TIED, r"samples tied|the \d+ samples do not agree"),
    (
        ReplyState.ALTERED,
        r"the reply gives the id \S+ to another (sentence|claim)|in other words\b",
    ),
    (ReplyState.WITHOUT_MARK, r"without mark: "),
    (
        ReplyState.NO_VERDICT,
        r"the reply has no (line of its own|JSON object)|the reply gives no |the sentence has no"
        r"|there is no value|the reply ends inside its thinking|the reply is too tangled"
        r"|the reply holds over [\d,]+ JSON objects|apart from JSON that cannot be read, ",
    ),
    (
        ReplyState.QUOTED,
        r"the item's own text holds a score tag|\d+ JSON object\(s\) (without this call's mark"
        r"|copied from the item|of the prompt's own example)"
        r"|verdict lines without this call's mark|the reply does not carry this call's mark"
        r"|the reply repeats the prompt's own example|the verdict line is below another mark"
        r"|apart from (JSON objects without this call's mark|copies of the item's own text), ",
    ),
    (ReplyState.LENIENT, r"the verdict line was read leniently"),
    (ReplyState.TRAP, re.escape(FAILED)),
    (
        ReplyState.EXTRA,
        r"(?:not )?in the response\b.*: “|a sentence without text"
        r"|the reply judges a claim that is not among",
    ),
)
_PATTERNS = tuple((state, re.compile(pattern, re.DOTALL)) for state, pattern in _KINDS)
_ENDED = {
    "length": ReplyState.CUT_OFF,
    "max_tokens": ReplyState.CUT_OFF,
    "model_length": ReplyState.CUT_OFF,
    "refusal": ReplyState.REFUSED,
    "content_filter": ReplyState.REFUSED,
    "safety": ReplyState.REFUSED,
    "tool_calls": ReplyState.REFUSED,
    "function_call": ReplyState.REFUSED,
}


def classify_problem(said: str) -> ReplyState:
    """The state that a stored problem or note tells of; OTHER where it is in nobody's words."""
    problem = _SAMPLES.sub("", said, count=1)
    # A part that is missing because the reply was cut off was not left out by the judge.
    if problem.endswith(_CUT_OFF):
        return ReplyState.CUT_OFF
    return next((state for state, pattern in _PATTERNS if pattern.match(problem)), ReplyState.OTHER)


def classify_reply(
    problems: Iterable[str],
    notes: Iterable[str] = (),
    *,
    finish_reason: str = "",
    altered: bool = False,
) -> tuple[ReplyState, ...]:
    """Every state of one reply, in the order of the states; empty when nothing was wrong.

    Args:
        problems: why answers are unread.
        notes: what in the reply found no place; a note in nobody's words says nothing was wrong.
        finish_reason: how the reply ended, in the endpoint's word.
        altered: an answer was given about words that are not the unit's own.
    """
    found = {classify_problem(each) for each in problems}
    found |= {state for each in notes if (state := classify_problem(each)) is not ReplyState.OTHER}
    if ended := _ENDED.get(finish_reason.casefold()):
        found.add(ended)
    if ReplyState.CUT_OFF in found:  # what is missing then was not left out by the judge
        found.discard(ReplyState.MISSING)
    if altered:
        found.add(ReplyState.ALTERED)
    return tuple(state for state in ReplyState if state in found)
