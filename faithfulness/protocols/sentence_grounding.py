"""Sentence grounding: sentences are supported, unsupported, contradictory or need no source."""

from collections import Counter
from collections.abc import Mapping, Sequence

from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import (
    Criterion,
    EvidenceKind,
    EvidenceRule,
    Protocol,
    ReplyReading,
)
from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.summary import Summary, select_with_value, share
from faithfulness.model.vocabulary import Answer, Item, UnitKind
from faithfulness.protocols.texts import load_text
from faithfulness.replies.matching import NOTHING_SAID, SentenceSaid, has_same_words, map_to_units
from faithfulness.replies.reading import (
    ReplyObject,
    describe_off_scale,
    extract_objects,
    get_confidence,
    get_text,
    get_texts,
    limit_notes,
    match_scale_value,
)
from faithfulness.text.canonical import strip_marks
from faithfulness.text.normalise import fold_blanks, reduce_text

LABEL = Criterion(
    key="label",
    question="How does this sentence stand to the sources?",
    scale=Scale(
        labels=(
            Label(
                value="supported",
                title="Supported",
                tone=Tone.GOOD,
                meaning="The quoted words of the sources prove the whole sentence.",
            ),
            Label(
                value="unsupported",
                title="Unsupported",
                tone=Tone.DOUBT,
                meaning="The sources neither prove nor disprove it beyond dispute.",
            ),
            Label(
                value="contradictory",
                title="Contradictory",
                tone=Tone.BAD,
                meaning="The quoted words of the sources show that the sentence is false.",
                contradicts=True,
            ),
            Label(
                value="no_rad",
                title="No attribution needed",
                tone=Tone.NEUTRAL,
                meaning="It states no fact to look up: a greeting, question, opinion, disclaimer.",
            ),
        )
    ),
)


def parse(reply: str, item: Item, mark: str, prompt: Prompt | None = None) -> ReplyReading:
    names = {unit.id: fold_blanks(unit.text) for unit in item.units_of(UnitKind.SENTENCE)}
    template = (prompt or PROTOCOL.prompt).template

    def is_complete(objects: Sequence[ReplyObject]) -> bool:
        return _is_one_for_each([_parse_sentence(told, names) for told in objects], names)

    heard = extract_objects(reply, item, mark, ("label", "sentence"), template, is_complete)
    said = [_parse_sentence(told, names) for told in heard.objects]
    nothing_said = heard.why_missing(NOTHING_SAID, "the reply has no JSON object with a label")
    reading = map_to_units(item, LABEL, said, complete=True, nothing_said=nothing_said)
    return ReplyReading(answers=reading.answers, notes=limit_notes((*heard.notes, *reading.notes)))


def summarise(item: Item, answers: Sequence[Answer]) -> Summary:
    counts = dict.fromkeys(LABEL.scale.values, 0)
    for answer in select_with_value(answers, LABEL.key):
        counts[answer.value or ""] = counts.get(answer.value or "", 0) + 1
    unread = sum(answer.criterion == LABEL.key and answer.value is None for answer in answers)
    attributable = counts["supported"] + counts["unsupported"] + counts["contradictory"]
    accurate: float | None = None
    if counts["unsupported"] or counts["contradictory"]:
        accurate = 0.0
    elif not unread and any(counts.values()):
        accurate = 1.0
    return Summary(
        name="Supported share",
        value=share(counts["supported"], attributable),
        counted=attributable,
        left_out=unread,
        parts={"accurate": accurate, **{value: float(n) for value, n in counts.items()}},
    )


def _is_one_for_each(said: Sequence[SentenceSaid], names: Mapping[str, str]) -> bool:
    """Whether each sentence has exactly one label that can be read, under its own words."""
    if any(each.problem for each in said):
        return False
    if any(each.unit_id for each in said):
        ids = sorted(each.unit_id for each in said)
        return ids == sorted(names) and all(
            has_same_words(each.text, names[each.unit_id]) for each in said
        )
    given = Counter(strip_marks(reduce_text(each.text)) for each in said)
    return given == Counter(strip_marks(reduce_text(text)) for text in names.values())


def _parse_sentence(told: ReplyObject, names: dict[str, str]) -> SentenceSaid:
    sentence, unit_id = get_text(told, "sentence"), get_text(told, "id")
    known = unit_id if unit_id in names else ""
    value = match_scale_value(told.get("label"), LABEL.scale)
    problem = "" if value is not None else describe_off_scale(told, "label", LABEL.scale)
    if told.twice:
        problem = f"one object of the reply has {', '.join(told.twice)} more than once"
    elif (
        known
        and sentence
        and fold_blanks(sentence) != names[known]
        and fold_blanks(sentence) in names.values()
    ):
        problem = f"the reply gives the id {known} to another sentence"
    return SentenceSaid(
        text=sentence,
        value=None if problem else value,
        rationale=get_text(told, "rationale"),
        excerpts=get_texts(told, "excerpt", "excerpts"),
        unit_id=known,
        confidence=get_confidence(told),
        problem=problem,
    )


PROTOCOL = Protocol(
    key="sentence_grounding",
    title="Sentence grounding",
    purpose="Every sentence of a response is checked against the texts it was written from.",
    unit=UnitKind.SENTENCE,
    checked_against={
        "response": (
            "context",
            "detail_page",
            "reviews",
            "external",
            "fragment",
            "product",
            "reference",
        )
    },
    criteria=(LABEL,),
    evidence=EvidenceRule(
        kind=EvidenceKind.EXCERPT, required_for=frozenset({"supported", "contradictory"})
    ),
    guidance=load_text("sentence_grounding_guidance"),
    prompt=Prompt(
        version="sentence_grounding 2",
        system=load_text("system"),
        template=load_text("sentence_grounding_prompt"),
        slots=("user_request", "context_document", "response"),
    ),
    parse=parse,
    summarise=summarise,
    aliases={
        "query": ("user_request", "question", "prompt"),
        "context": ("context_document", "document", "source"),
        "response": ("answer", "output", "completion"),
    },
)
