"""Response consistency: one of six answers on whether a reply to a shopper is true."""

from collections.abc import Sequence

from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import (
    ChecklistItem,
    Criterion,
    EvidenceKind,
    EvidenceRule,
    Protocol,
    ReplyReading,
)
from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.summary import Summary, mean, select_with_value
from faithfulness.model.vocabulary import Answer, Excerpt, Item, UnitKind, make_unread_answer
from faithfulness.protocols.texts import load_text
from faithfulness.replies.reading import (
    ParsedReply,
    ReplyObject,
    describe_off_scale,
    extract_objects,
    get_confidence,
    get_text,
    get_texts,
    match_scale_value,
)

PARTS_UNVERIFIED = "parts_unverified"
CONSISTENCY = Criterion(
    key="consistency",
    question="Is the response consistent with its sources or with common knowledge?",
    checklist=(
        ChecklistItem(
            key=PARTS_UNVERIFIED,
            text="For some statements I found no evidence; the comment names them.",
            level="yes_evidence",
        ),
    ),
    scale=Scale(
        labels=(
            Label(
                value="yes_evidence",
                title="Yes: evidence",
                tone=Tone.GOOD,
                meaning="The sources bear out every statement (most of them for a broad query).",
            ),
            Label(
                value="no_contrary_evidence",
                title="No: contrary evidence",
                tone=Tone.BAD,
                meaning="At least one statement clashes with a source, or breaks a source rule.",
                contradicts=True,
            ),
            Label(
                value="yes_common_knowledge",
                title="Yes: common knowledge",
                tone=Tone.GOOD,
                meaning="What it says is generally known, and true.",
            ),
            Label(
                value="no_against_common_knowledge",
                title="No: against common knowledge",
                tone=Tone.BAD,
                meaning="At least one statement goes against something generally known.",
                contradicts=True,
            ),
            Label(
                value="unsure",
                title="Unsure",
                tone=Tone.DOUBT,
                meaning="The sources contradict themselves on what the response says.",
            ),
            Label(
                value="nothing_to_check",
                title="Nothing to fact-check",
                tone=Tone.NEUTRAL,
                meaning="Only a question back, small talk, or a refusal; no statement of fact.",
            ),
        )
    ),
)
QUERY_TYPE = Criterion(
    key="query_type",
    question="What kind of query is it?",
    required=False,
    checklist=(
        ChecklistItem(
            key="looked_detail_page", text="I looked in the detail page", level="factoid"
        ),
        ChecklistItem(key="looked_reviews", text="I looked in the reviews", level="opinion"),
        ChecklistItem(key="looked_external", text="I looked at external sites", level="broad"),
        ChecklistItem(key="asked_nothing", text="Common knowledge was enough", level="generic"),
    ),
    scale=Scale(
        labels=(
            Label(
                value="factoid",
                title="Factoid",
                tone=Tone.NEUTRAL,
                meaning="A fact about one given product; look in its detail page.",
            ),
            Label(
                value="opinion",
                title="Opinion",
                tone=Tone.NEUTRAL,
                meaning="What customers think; look in the reviews.",
            ),
            Label(
                value="broad",
                title="Broad",
                tone=Tone.NEUTRAL,
                meaning="A subject wider than one product page; look in external sites.",
            ),
            Label(
                value="generic",
                title="Generic",
                tone=Tone.NEUTRAL,
                meaning="Everyday matters; common knowledge decides.",
            ),
        )
    ),
)
# The answers in every spelling of the published question, for judges that use its wording.
PUBLISHED = {
    "yes-evidence": "yes_evidence",
    "yes- evidence": "yes_evidence",
    "no-contrary evidence": "no_contrary_evidence",
    "no- contrary evidence": "no_contrary_evidence",
    "yes-common knowledge": "yes_common_knowledge",
    "yes- common knowledge": "yes_common_knowledge",
    "yes-[common knowledge]": "yes_common_knowledge",
    "no-against common knowledge": "no_against_common_knowledge",
    "no- against common knowledge": "no_against_common_knowledge",
    "no-[against common knowledge]": "no_against_common_knowledge",
    "no-common knowledge": "no_against_common_knowledge",
    "nothing to fact-check": "nothing_to_check",
    "nothing to fact check": "nothing_to_check",
}
_COUNTS_AS = {
    "yes_evidence": 1.0,
    "yes_common_knowledge": 1.0,
    "no_contrary_evidence": 0.0,
    "no_against_common_knowledge": 0.0,
}


def parse(reply: str, item: Item, mark: str, prompt: Prompt | None = None) -> ReplyReading:
    template = (prompt or PROTOCOL.prompt).template
    heard = extract_objects(reply, item, mark, ("answer",), template, _is_one_answer)
    found = [_parse_answer(told) for told in heard.objects]
    answers = [_settle_answer(found, heard)]
    types = {_get_spelling(told.get("query_type")) for told in heard.objects} - {""}
    if types:
        answers.append(_parse_query_type(types))
    return ReplyReading(answers=tuple(answers), notes=heard.notes)


def summarise(item: Item, answers: Sequence[Answer]) -> Summary:
    mine = [answer for answer in answers if answer.criterion == CONSISTENCY.key]
    counted = [
        _COUNTS_AS[answer.value or ""]
        for answer in select_with_value(mine, CONSISTENCY.key)
        if answer.value in _COUNTS_AS
    ]
    return Summary(
        name="Consistent",
        value=mean(counted),
        counted=len(counted),
        left_out=len(mine) - len(counted),
    )


def list_more_complaints(item: Item, answers: Sequence[Answer]) -> Sequence[str]:
    """A response accepted with parts unverified must be broad, and the comment names the parts."""
    kinds = {answer.unit_id: answer.value for answer in select_with_value(answers, QUERY_TYPE.key)}
    found = []
    for answer in select_with_value(answers, CONSISTENCY.key):
        if answer.value != "yes_evidence" or PARTS_UNVERIFIED not in answer.checks:
            continue
        where = f"{answer.unit_id}, {CONSISTENCY.key}"
        kind = kinds.get(answer.unit_id)
        if kind == "factoid":
            found.append(
                f"{where}: under a factoid query a statement that is found nowhere is contrary "
                "evidence; choose no_contrary_evidence or untick the unverified parts"
            )
        elif kind in ("broad", None) and not answer.comment.strip():
            found.append(f"{where}: name the unverified statements in the comment")
    return found


def _get_spelling(said: object) -> str:
    return said.strip() if isinstance(said, str) else "" if said is None else str(said)


def _parse_answer(told: ReplyObject) -> Answer:
    value = match_scale_value(told["answer"], CONSISTENCY.scale, PUBLISHED)
    problem = "" if value is not None else describe_off_scale(told, "answer", CONSISTENCY.scale)
    if told.twice:
        problem = f"one object of the reply has {', '.join(told.twice)} more than once"
    return Answer(
        unit_id="response",
        criterion=CONSISTENCY.key,
        value=None if problem else value,
        rationale=get_text(told, "rationale"),
        excerpts=tuple(Excerpt(text=each) for each in get_texts(told, "excerpts", "excerpt")),
        links=get_texts(told, "evidence_links", "links"),
        checks=(PARTS_UNVERIFIED,) if told.get(PARTS_UNVERIFIED) is True else (),
        comment=get_text(told, "comment"),
        confidence=get_confidence(told),
        problem=problem,
    )


def _is_one_answer(objects: Sequence[ReplyObject]) -> bool:
    return len(objects) == 1 and not _parse_answer(objects[0]).problem


def _settle_answer(found: Sequence[Answer], heard: ParsedReply) -> Answer:
    if not found:
        nothing = "the reply has no JSON object with an answer"
        problem = heard.why_missing(nothing) if heard.text else "the reply is empty"
        return make_unread_answer("response", CONSISTENCY.key, problem)
    if len({(answer.value, answer.problem) for answer in found}) > 1:
        return make_unread_answer(
            "response", CONSISTENCY.key, "the reply gives two different answers"
        )
    return found[0]


def _parse_query_type(types: set[str]) -> Answer:
    values = {match_scale_value(each, QUERY_TYPE.scale) for each in types}
    if len(values) == 1 and None not in values:
        return Answer(unit_id="response", criterion=QUERY_TYPE.key, value=values.pop())
    said = ", ".join(sorted(each[:40] for each in types))
    expected = ", ".join(QUERY_TYPE.scale.values)
    problem = f"the reply's query type is {said}; expected one of {expected}"
    return make_unread_answer("response", QUERY_TYPE.key, problem)


PROTOCOL = Protocol(
    key="response_consistency",
    title="Response consistency",
    purpose="Whether a shopping assistant's reply agrees with its sources or common knowledge.",
    unit=UnitKind.RESPONSE,
    checked_against={"response": ("detail_page", "reviews", "external", "context")},
    criteria=(CONSISTENCY, QUERY_TYPE),
    evidence=EvidenceRule(
        kind=EvidenceKind.LINKS,
        required_for=frozenset({"yes_evidence", "no_contrary_evidence"}),
        only_there=True,
    ),
    guidance=load_text("response_consistency_guidance"),
    prompt=Prompt(
        version="response_consistency 1",
        system=load_text("system"),
        template=load_text("response_consistency_prompt"),
        slots=("query", "detail_page", "reviews", "external", "response"),
    ),
    parse=parse,
    summarise=summarise,
    more_complaints=list_more_complaints,
    aliases={
        "query": ("question", "user_query"),
        "response": ("answer_text", "output"),
        "detail_page": ("dp", "product_page"),
        "reviews": ("customer_reviews",),
        "external": ("external_site", "external_sites"),
    },
)
