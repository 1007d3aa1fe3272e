"""Guided rating for response consistency: derive an answer from labeled statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithfulness.intake.units import FILE_CUT
from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.vocabulary import Item, UnitKind
from faithfulness.protocols.response_consistency import CONSISTENCY, PARTS_UNVERIFIED
from faithfulness.text.sentences import cut_sentences

START = "path.start"
STATEMENT = "statement"
UNVERIFIED = "unverified"
ENOUGH = 0.8
SOURCES_CLASH = "The sources contradict themselves on a statement."
NO_ANSWERS = ("no_contrary_evidence", "no_against_common_knowledge")

# What can be said of one statement: the six answers in smaller words, and "found nowhere".
STATEMENTS = Scale(
    labels=(
        Label(
            value="yes_evidence",
            title="A source says so",
            tone=Tone.GOOD,
            meaning="The right source bears it out, in the same or in other words.",
        ),
        Label(
            value="no_contrary_evidence",
            title="Clashes with a source",
            tone=Tone.BAD,
            meaning="A source says otherwise, or a source rule is broken: the wrong source is "
            "credited, customers are not named, a quotation differs, several reviews are one, a "
            "share is wrong.",
            contradicts=True,
        ),
        Label(
            value="yes_common_knowledge",
            title="Generally known",
            tone=Tone.GOOD,
            meaning="Generally known, and true.",
        ),
        Label(
            value="no_against_common_knowledge",
            title="Against what is known",
            tone=Tone.BAD,
            meaning="Goes against something generally known.",
            contradicts=True,
        ),
        Label(
            value="unsure",
            title="Sources disagree",
            tone=Tone.DOUBT,
            meaning="The sources contradict themselves on it.",
        ),
        Label(
            value="nothing_to_check",
            title="States no fact",
            tone=Tone.NEUTRAL,
            meaning="A question back, small talk or a refusal.",
        ),
        Label(
            value=UNVERIFIED,
            title="Found nowhere",
            tone=Tone.DOUBT,
            meaning="You looked where the query type sends you and found no evidence.",
        ),
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """What the rules make of the statements; `value` is empty where they leave it to the rater."""

    value: str
    why: str
    checks: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ImpliedAnswers:
    """The answers that agree with the marked statements, the best first, and why."""

    answers: tuple[str, ...]
    why: str


def list_statements(item: Item) -> list[tuple[str, int, int]]:
    """The response's sentences as statements to go through: id, start, end.

    They are those that the item was cut into when it was stored: a rater's open sheet names them by
    number. A file's own sentences may leave text out, so such an item is cut here.
    """
    stored = [each.span for each in item.units_of(UnitKind.SENTENCE) if each.span is not None]
    spans = [(each.start, each.end) for each in stored if each.field == "response"]
    if item.cutter == FILE_CUT or not spans:
        spans = cut_sentences(item.text_of("response"))
    return [(f"path.s{number}", start, end) for number, (start, end) in enumerate(spans, start=1)]


def suggest_answer(
    query_type: str, verdicts: Mapping[str, str], texts: Mapping[str, str]
) -> Suggestion:
    """Apply the rules to what was said of the statements.

    Args:
        query_type: factoid, opinion, broad, generic, or empty.
        verdicts: by statement, what was said; statements without an entry are still open.
        texts: by statement, its words, for all of them.
    """
    left = [name for name in texts if not verdicts.get(name)]
    told = [verdicts[name] for name in texts if verdicts.get(name)]
    wrong = _suggest_wrong(query_type, told)
    if wrong is not None:  # one error decides, whatever is still open
        return wrong
    if left:
        return Suggestion(value="", why=f"{len(left)} of {len(texts)} statements are still open.")
    return _suggest_right(
        query_type, [each for each in told if each != "nothing_to_check"], verdicts, texts
    )


def _suggest_wrong(query_type: str, told: Sequence[str]) -> Suggestion | None:
    for value, why in (
        ("no_contrary_evidence", "One statement that clashes with a source decides."),
        ("no_against_common_knowledge", "One statement against common knowledge decides."),
    ):
        if value in told:
            return Suggestion(value=value, why=why)
    if UNVERIFIED in told and query_type == "factoid":
        return Suggestion(
            value="no_contrary_evidence",
            why="Under a factoid query a statement that is found nowhere counts as made up.",
        )
    return None


def _suggest_right(
    query_type: str, facts: Sequence[str], verdicts: Mapping[str, str], texts: Mapping[str, str]
) -> Suggestion:
    if not facts:
        return Suggestion(value="nothing_to_check", why="No statement of fact is left to check.")
    if "unsure" in facts:
        return Suggestion(value="unsure", why=SOURCES_CLASH)
    missing = facts.count(UNVERIFIED)
    if not missing:
        known = all(each == "yes_common_knowledge" for each in facts)
        value = "yes_common_knowledge" if known else "yes_evidence"
        why = "is generally known." if known else "is borne out or generally known."
        return Suggestion(value=value, why=f"Every statement {why}")
    share = 1 - missing / len(facts)
    counted = (
        f"{len(facts) - missing} of {len(facts)} statements ({share * 100:.0f} %) are borne out"
    )
    if not query_type:
        return Suggestion(value="", why=f"{counted}. Say first what kind of query it is.")
    if query_type != "broad":
        return Suggestion(
            value="",
            why=f"{counted}. The 80 % rule is for broad queries only; look further, or decide.",
        )
    if share < ENOUGH:
        return Suggestion(value="", why=f"{counted}, less than 80 %. The rules leave it to you.")
    named = [texts[name] for name in texts if verdicts[name] == UNVERIFIED]
    return Suggestion(
        value="yes_evidence",
        why=f"{counted}, and 80 % are enough for a broad query. Name the others in the comment.",
        checks=(PARTS_UNVERIFIED,),
        comment="No evidence found for: " + " / ".join(named),
    )


def derive_implied_answers(
    query_type: str, verdicts: Mapping[str, str], texts: Mapping[str, str]
) -> ImpliedAnswers | None:
    """Return the answers that agree with the marked statements; None where all of them do.

    One wrong statement leaves the No answers that fit what is wrong. Otherwise the suggestion
    counts once all statements are marked. Until then, and where the rules leave the answer to the
    rater, only what no further mark could make right is ruled out.

    Args:
        query_type: factoid, opinion, broad, generic, or empty.
        verdicts: by statement, its mark; statements without an entry are not marked.
        texts: by statement, its words, for all of them.
    """
    marked = [verdicts[name] for name in texts if verdicts.get(name)]
    suggested = suggest_answer(query_type, verdicts, texts)
    if suggested.value in NO_ANSWERS:
        made_up = query_type == "factoid" and UNVERIFIED in marked
        wrong = {*marked, *(NO_ANSWERS[:1] if made_up else ())}
        return ImpliedAnswers(
            answers=tuple(each for each in NO_ANSWERS if each in wrong), why=suggested.why
        )
    if suggested.value:
        return ImpliedAnswers(answers=(suggested.value,), why=suggested.why)
    if "unsure" in marked:
        return ImpliedAnswers(answers=("unsure", *NO_ANSWERS), why=SOURCES_CLASH)
    if any(each != "nothing_to_check" for each in marked):
        answers = tuple(each for each in CONSISTENCY.scale.values if each != "nothing_to_check")
        return ImpliedAnswers(answers=answers, why="A statement of fact is marked.")
    return None


assert set(CONSISTENCY.scale.values) < set(STATEMENTS.values), "statements use the six answers"
