"""Claim overlap: claims of a prediction and its reference, checked against the other text."""

from collections.abc import Collection, Iterable, Mapping, Sequence

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
from faithfulness.model.vocabulary import Answer, Excerpt, Item, Unit, UnitKind, make_unread_answer
from faithfulness.protocols.texts import load_text
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
from faithfulness.text.normalise import fold_blanks

SUPPORTED = Criterion(
    key="supported",
    question="Does the other article leave no doubt that this claim is true?",
    may_skip=True,
    scale=Scale(
        labels=(
            Label(
                value="true",
                title="Supported",
                tone=Tone.GOOD,
                meaning="Sentences of the other article confirm every part of the claim.",
            ),
            Label(
                value="false",
                title="Not supported",
                tone=Tone.DOUBT,
                meaning="The other article denies, omits, blurs or only half confirms the claim.",
            ),
        )
    ),
)
PREDICTION, REFERENCE = "response", "reference"


def parse(reply: str, item: Item, mark: str, prompt: Prompt | None = None) -> ReplyReading:
    claims = item.units_of(UnitKind.CLAIM)
    by_words = _map_unique_claims(claims)
    template = (prompt or PROTOCOL.prompt).template

    texts = {unit.id: fold_blanks(unit.text) for unit in claims}

    def read(told: ReplyObject) -> Answer:
        return _parse_answer(told, _find_meant_unit(told, by_words, texts), texts)

    def is_complete(objects: Sequence[ReplyObject]) -> bool:
        """Whether there is exactly one well-formed judgment of each claim."""
        answers = [read(told) for told in objects]
        readable = not any(answer.problem for answer in answers)
        return readable and sorted(answer.unit_id for answer in answers) == sorted(texts)

    heard = extract_objects(reply, item, mark, ("judgment",), template, is_complete)
    said: dict[str, list[Answer]] = {unit.id: [] for unit in claims}
    notes = list(heard.notes)
    for answer in map(read, heard.objects):
        if answer.unit_id in said:
            said[answer.unit_id].append(answer)
        else:
            notes.append(
                f"the reply judges a claim that is not among the units: {answer.unit_id[:80]!r}"
            )
    nothing = heard.why_missing(
        "the reply says nothing about this claim", "the reply has no JSON object with a judgment"
    )
    answers = tuple(_settle_answer(unit_id, found, nothing) for unit_id, found in said.items())
    return ReplyReading(answers=answers, notes=limit_notes(notes))


def summarise(item: Item, answers: Sequence[Answer]) -> Summary:
    values = {answer.unit_id: answer.value for answer in select_with_value(answers, SUPPORTED.key)}
    claims = item.units_of(UnitKind.CLAIM)
    parts: dict[str, float | None] = {}
    judged_in_all = 0
    for field, measure, side in (
        (PREDICTION, "precision", "prediction"),
        (REFERENCE, "recall", "reference"),
    ):
        mine = [unit.id for unit in claims if unit.field == field]
        judged = [values[unit_id] for unit_id in mine if unit_id in values]
        judged_in_all += len(judged)
        parts[measure] = share(judged.count("true"), len(judged))
        parts[f"coverage_{side}"] = share(len(judged), len(mine))
        parts[f"n_{side}"] = float(len(mine))
        parts[f"judged_{side}"] = float(len(judged))
    return Summary(
        name="F1",
        value=_compute_f1(parts["precision"], parts["recall"]),
        counted=judged_in_all,
        left_out=len(claims) - judged_in_all,
        parts=parts,
    )


def _compute_f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def _map_unique_claims(claims: Iterable[Unit]) -> dict[str, str]:
    """Claims whose words name one unit only: twins can be told apart by id alone."""
    ids: dict[str, list[str]] = {}
    for unit in claims:
        ids.setdefault(fold_blanks(unit.text), []).append(unit.id)
    return {claim: found[0] for claim, found in ids.items() if len(found) == 1}


def _find_meant_unit(told: ReplyObject, by_words: Mapping[str, str], known: Collection[str]) -> str:
    """The unit's id, else the claim's own words; ids that the judge made up name nothing."""
    unit_id, claim = get_text(told, "id"), fold_blanks(get_text(told, "claim"))
    if unit_id in known:
        return unit_id
    return by_words.get(claim, unit_id or claim)


def _parse_answer(told: ReplyObject, unit_id: str, texts: Mapping[str, str]) -> Answer:
    said, claim = told["judgment"], fold_blanks(get_text(told, "claim"))
    value = (
        str(said).lower() if isinstance(said, bool) else match_scale_value(said, SUPPORTED.scale)
    )
    problem = ""
    if told.twice:
        problem = f"one object of the reply has {', '.join(told.twice)} more than once"
    elif claim != texts.get(unit_id, claim) and claim in texts.values():
        problem = f"the reply gives the id {unit_id} to another claim"
    elif value is None and said is not None:
        problem = describe_off_scale(told, "judgment", SUPPORTED.scale)
    return Answer(
        unit_id=unit_id,
        criterion=SUPPORTED.key,
        value=None if problem else value,
        rationale=get_text(told, "rationale"),
        excerpts=tuple(Excerpt(text=each) for each in get_texts(told, "excerpt", "excerpts")),
        confidence=get_confidence(told),
        problem=problem,
    )


def _settle_answer(unit_id: str, found: Sequence[Answer], nothing: str) -> Answer:
    if not found:
        return make_unread_answer(unit_id, SUPPORTED.key, nothing)
    if len({(answer.value, answer.problem) for answer in found}) > 1:
        return make_unread_answer(
            unit_id, SUPPORTED.key, "the reply judges this claim in two different ways"
        )
    return found[0]


PROTOCOL = Protocol(
    key="claim_overlap",
    title="Claim overlap",
    purpose="How much a predicted article and its reference say the same, claim by claim.",
    unit=UnitKind.CLAIM,
    checked_against={PREDICTION: ("reference",), REFERENCE: ("response",)},
    criteria=(SUPPORTED,),
    evidence=EvidenceRule(kind=EvidenceKind.EXCERPT),
    guidance=load_text("claim_overlap_guidance"),
    prompt=Prompt(
        version="claim_overlap 2",
        system=load_text("system"),
        template=load_text("claim_overlap_prompt"),
        slots=("prediction", "reference", "claims"),
    ),
    parse=parse,
    summarise=summarise,
    aliases={"response": ("prediction",), "reference": ("gold",), "topic": ("title",)},
)
