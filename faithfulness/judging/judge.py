"""Interface of all judges: the question, the reply, and the answers parsed from the reply."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol as Shape

from faithfulness.judging.message import mark_for, write_message
from faithfulness.judging.traps import Trap, add_traps, make_unread_notes, remove_traps, set_traps
from faithfulness.model.prompt import Carrier, Prompt, ReplyForm
from faithfulness.model.protocol import Protocol, ReplyReading
from faithfulness.model.vocabulary import Author, Item, Reply, UnitKind

# How a reply ended, as judges state it in Reply.finish_reason; endpoints may say other words too.
STOP, LENGTH, REFUSAL, FILTERED, TOOL = "stop", "length", "refusal", "content_filter", "tool_calls"

_CUT_OFF = "the reply was cut off at its length limit; allow the judge more tokens and ask again"
_LENGTH = frozenset({LENGTH, "max_tokens", "model_length"})
_NOT_ANSWERED = {
    REFUSAL: "the judge refused to answer; its words are kept with the reply",
    FILTERED: "the endpoint's content filter withheld the reply",
    TOOL: "the judge called a tool and sent no text",
    "safety": "the endpoint's content filter withheld the reply",
    "function_call": "the judge called a tool and sent no text",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeQuestion:
    """One item put to a judge: what it is told, and the mark that its reply must carry."""

    protocol: Protocol
    item: Item
    prompt: Prompt
    mark: str
    system: str
    message: str  # asks for a reply as text
    traps: tuple[Trap, ...] = ()  # units of ours among the item's; their answers are never kept

    @property
    def seen(self) -> Item:
        """The item as the judge sees it."""
        return add_traps(self.item, self.traps)

    @property
    def schema_message(self) -> str:
        """The same message for an endpoint that holds the reply to a schema."""
        return write_message(self.prompt, self.protocol, self.seen, self.mark, ReplyForm.SCHEMA)


class Judge(Shape):
    """Whoever answers questions; `ask` blocks, may be called from many threads, asks once."""

    @property
    def author(self) -> Author:
        """Who signs the answers: the same name supersedes its earlier ones."""
        ...

    @property
    def settings(self) -> Mapping[str, str]:
        """What is stored beside the replies, so that they can be asked for again; never a key."""
        ...

    def ask(self, question: JudgeQuestion, *, sample: int = 0) -> Reply:
        """The reply as it came; raises JudgeFailed when there is none."""
        ...


def question(protocol: Protocol, item: Item, prompt: Prompt | None = None) -> JudgeQuestion:
    """The question about one item, with a mark of its own; the protocol's prompt is the default."""
    prompt = prompt or protocol.prompt
    mark = mark_for(prompt, item)
    traps = set_traps(protocol, item) if prompt.carrier is Carrier.TRAPS else ()
    return JudgeQuestion(
        protocol=protocol,
        item=item,
        prompt=prompt,
        mark=mark,
        system=prompt.system,
        message=write_message(prompt, protocol, add_traps(item, traps), mark),
        traps=traps,
    )


def read_reply(question: JudgeQuestion, reply: Reply) -> ReplyReading:
    """What a reply says, with regard to how it ended; never raises.

    A refused or withheld reply is Unread on every unit. Of a reply that was cut off, whole objects
    about sentences or claims count and the rest is Unread; an answer about the whole response is
    Unread, because what is missing might have changed it.
    """
    protocol = question.protocol
    ended = reply.finish_reason.casefold()
    if problem := _NOT_ANSWERED.get(ended):
        return _mark_all_unread(question, problem)
    if not reply.text.strip():
        sent_none = _CUT_OFF if ended in _LENGTH else "the judge sent no text"
        return _mark_all_unread(question, sent_none)
    reading = protocol.parse(reply.text, question.seen, question.mark, question.prompt)
    reading = remove_traps(reading, question.item, question.traps, cut_off=ended in _LENGTH)
    if ended not in _LENGTH:
        return reading
    if protocol.unit is UnitKind.RESPONSE:
        cut = _mark_all_unread(question, _CUT_OFF)
        return ReplyReading(cut.answers, (*reading.notes, *cut.notes))
    answers = tuple(
        dataclasses.replace(answer, problem=f"{answer.problem}: {_CUT_OFF}")
        if answer.is_unread
        else answer
        for answer in reading.answers
    )
    return ReplyReading(answers, (*reading.notes, _CUT_OFF))


def _mark_all_unread(question: JudgeQuestion, problem: str) -> ReplyReading:
    """Unread on every unit that the protocol reads; the parser knows best which those are."""
    nothing = question.protocol.parse("", question.item, question.mark)
    answers = tuple(dataclasses.replace(each, problem=problem) for each in nothing.answers)
    return ReplyReading(answers, (problem, *make_unread_notes(question.traps)))
