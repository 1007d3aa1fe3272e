"""Comparative summary: one faithfulness score from 1 to 5 for a three-product comparison."""

from collections.abc import Sequence
from typing import NamedTuple

from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import Criterion, EvidenceRule, Protocol, ReplyReading
from faithfulness.model.scale import make_score_scale
from faithfulness.model.summary import Summary, mean, select_with_value
from faithfulness.model.vocabulary import Answer, Item, UnitKind, make_unread_answer
from faithfulness.protocols.texts import load_text
from faithfulness.replies.reading import match_scale_value
from faithfulness.replies.verdict_line import parse_verdict_line

SCORE = Criterion(
    key="faithfulness",
    question="How faithful is the summary to the query and the product information?",
    scale=make_score_scale(
        ("Very poor", "Poor", "OK", "Good", "Excellent"),
        (
            "Most of it is wrong or cannot be checked; several key facts are made up; "
            "the comparison has nothing to do with the products given.",
            "Several statements are wrong or cannot be checked; important facts are distorted "
            "or missing; the comparison follows the products only loosely.",
            "Partly right: the main facts hold, but more than one statement cannot be checked, "
            "or some are wrong or too sweeping; the comparison visibly departs from the products.",
            "Nearly everything holds; a single small statement cannot be checked; the comparison "
            "stays close to the products with slight slips.",
            "Everything can be checked and is right; nothing is invented or too sweeping; the "
            "comparison matches the products and the query exactly.",
        ),
    ),
)
_HEADS = ("Title: ", "Base price: ", "Final price: ", "Opinion summary: ")
_PARTS = ("title", "base_price", "final_price", "opinion_summary")


class ProductParts(NamedTuple):
    """What is known about one product, as published prompts have slots for it."""

    title: str
    base_price: str
    final_price: str
    opinion_summary: str


def format_product(title: str, base: str, final: str, opinion: str) -> str:
    """The text of a product field; `split_product` takes it apart again."""
    values = (title, base, final, opinion)
    return "\n".join(head + value for head, value in zip(_HEADS, values, strict=True))


def split_product(product: str) -> ProductParts:
    """The four parts of a product field; a text of another shape is all opinion summary."""
    parts: list[str] = []
    rest = "\n" + product
    for head in _HEADS:
        before, found, rest = rest.partition("\n" + head)
        if not found or (before and not parts):
            return ProductParts("", "", "", product)
        parts.append(before)
    _, title, base, final = parts
    return ProductParts(title, base, final, rest)


def parse(reply: str, item: Item, mark: str, prompt: Prompt | None = None) -> ReplyReading:
    said = parse_verdict_line(reply, item, mark, (prompt or PROTOCOL.prompt).template)
    value = match_scale_value(said.value, SCORE.scale)
    problem = said.problem
    if not problem and value is None:
        problem = f"the reply's score {said.value!r} is not one of 1, 2, 3, 4, 5"
    if problem:
        answer = make_unread_answer("response", SCORE.key, problem, rationale=said.reasons)
    else:
        answer = Answer(
            unit_id="response", criterion=SCORE.key, value=value, rationale=said.reasons
        )
    return ReplyReading(answers=(answer,), notes=said.notes)


def summarise(item: Item, answers: Sequence[Answer]) -> Summary:
    scores = [float(answer.value or 0) for answer in select_with_value(answers, SCORE.key)]
    return Summary(
        name="Faithfulness",
        value=mean(scores),
        counted=len(scores),
        left_out=sum(answer.criterion == SCORE.key for answer in answers) - len(scores),
    )


PROTOCOL = Protocol(
    key="comparative_summary",
    title="Comparative summary",
    purpose="One score from 1 to 5 for how faithful a comparison of three products is.",
    unit=UnitKind.RESPONSE,
    checked_against={
        "response": ("product", "reviews", "context", "detail_page", "external", "fragment")
    },
    criteria=(SCORE,),
    evidence=EvidenceRule(),
    guidance=load_text("comparative_summary_guidance"),
    prompt=Prompt(
        version="comparative_summary 1",
        system=load_text("system"),
        template=load_text("comparative_summary_prompt"),
        slots=(
            "query",
            *(f"product_{number}_{part}" for number in (1, 2, 3) for part in _PARTS),
            "summary",
        ),
    ),
    parse=parse,
    summarise=summarise,
    aliases={
        "query": ("user_query", "question"),
        "response": ("summary", "comparative_summary", "output"),
    },
)
