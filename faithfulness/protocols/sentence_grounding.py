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
from faithfulness.model.summary import Summary, share, with_value
from faithfulness.model.vocabulary import Answer, Item, UnitKind
from faithfulness.protocols.texts import text
from faithfulness.replies.matching import NOTHING_SAID, SentenceSaid, bring_to_units, has_same_words
from faithfulness.replies.reading import (
    ReplyObject,
    confidence,
    first_few,
    objects_in,
    off_scale,
    on_scale,
    several,
    words,
)
from faithfulness.text.canonical import core
from faithfulness.text.normalise import fold_blanks, reduced

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
        return _is_one_for_each([_said(told, names) for told in objects], names)

    heard = objects_in(reply, item, mark, ("label", "sentence"), template, is_complete)
    said = [_said(told, names) for told in heard.objects]
    nothing_said = heard.why_missing(NOTHING_SAID, "the reply has no JSON object with a label")
    reading = bring_to_units(item, LABEL, said, complete=True, nothing_said=nothing_said)
    return ReplyReading(answers=reading.answers, notes=first_few((*heard.notes, *reading.notes)))


def summarise(item: Item, answers: Sequence[Answer]) -> Summary:
    counts = dict.fromkeys(LABEL.scale.values, 0)
    for answer in with_value(answers, LABEL.key):
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
    given = Counter(core(reduced(each.text)) for each in said)
    return given == Counter(core(reduced(text)) for text in names.values())


def _said(told: ReplyObject, names: dict[str, str]) -> SentenceSaid:
    sentence, unit_id = words(told, "sentence"), words(told, "id")
    known = unit_id if unit_id in names else ""
    value = on_scale(told.get("label"), LABEL.scale)
    problem = "" if value is not None else off_scale(told, "label", LABEL.scale)
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
        rationale=words(told, "rationale"),
        excerpts=several(told, "excerpt", "excerpts"),
        unit_id=known,
        confidence=confidence(told),
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
    guidance=text("sentence_grounding_guidance"),
    prompt=Prompt(
        version="sentence_grounding 2",
        system=text("system"),
        template=text("sentence_grounding_prompt"),
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
