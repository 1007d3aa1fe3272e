"""Rules for inconsistencies: which answers about one item exclude one another."""

from collections.abc import Mapping
from dataclasses import dataclass

from faithfulness.intake.departures import Departure, DepartureKind
from faithfulness.protocols.expert_rubric import ACCURACY, ETHICS
from faithfulness.protocols.response_consistency import CONSISTENCY
from faithfulness.protocols.response_consistency import PROTOCOL as RESPONSE_CONSISTENCY


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditRule:
    """An answer that other answers, or its own marks, rule out.

    Attributes:
        key: Stands in addresses and files; never renamed.
        title: What people read.
        criterion: Of the answer about the whole response.
        values: The values that are ruled out.
        labels: Sentence labels that rule them out.
        at_least: From how many such sentences on.
        leaves: The best value that the rule leaves, where the answer's own marks do not say it
            (`Departure.leaves`); how far off it is says how grave the case is.
        because: The rule of the protocol, in our own words.
        rule: Its id in docs/protocols.md.
    """

    key: str
    title: str
    criterion: str
    values: tuple[str, ...]
    labels: tuple[str, ...] = ()
    at_least: int = 1
    leaves: str
    because: str
    rule: str


_FAULTS = ("unsupported", "contradictory")
AGAINST_SENTENCES: tuple[AuditRule, ...] = (
    AuditRule(
        key="faithfulness_5_with_fault",
        title="Faithfulness 5, yet a sentence is not supported",
        criterion="faithfulness",
        values=("5",),
        labels=_FAULTS,
        leaves="4",
        because="5 means that everything can be checked and is right",
        rule="CS-levels",
    ),
    AuditRule(
        key="faithfulness_4_with_faults",
        title="Faithfulness 4, yet several sentences are not supported",
        criterion="faithfulness",
        values=("4",),
        labels=_FAULTS,
        at_least=2,
        leaves="3",
        because="4 leaves room for a single small statement that cannot be found",
        rule="CS-levels",
    ),
    AuditRule(
        key="accuracy_with_contradiction",
        title="Accuracy 3 to 5, yet a sentence is contradicted",
        criterion="accuracy",
        values=("3", "4", "5"),
        labels=("contradictory",),
        leaves="2",
        because="an answer that reports the fragments wrongly is a 2",
        rule="ER-misrepresents",
    ),
    AuditRule(
        key="accuracy_with_invention",
        title="Accuracy 4 or 5, yet a sentence is unsupported",
        criterion="accuracy",
        values=("4", "5"),
        labels=("unsupported",),
        leaves="3",
        because="added facts, even compatible ones, make it a 3",
        rule="ER-invented-compatible",
    ),
    AuditRule(
        key="yes_with_contradiction",
        title="Consistent, yet a sentence is contradicted",
        criterion="consistency",
        values=("yes_evidence", "yes_common_knowledge"),
        labels=("contradictory",),
        leaves="no_contrary_evidence",
        because="one wrong statement makes the answer a no",
        rule="RC-one-error",
    ),
    AuditRule(
        key="nothing_to_check_with_statements",
        title="Nothing to fact-check, yet sentences need a source",
        criterion="consistency",
        values=("nothing_to_check",),
        labels=("supported", "unsupported", "contradictory"),
        leaves="yes_evidence",
        because="facts that follow small talk or a refusal are judged like all others",
        rule="RC-follow-up",
    ),
    AuditRule(
        key="ethics_5_with_outside_text",
        title="Ethics 5, yet a sentence is not in the fragments",
        criterion="ethics",
        values=("5",),
        labels=("unsupported",),
        leaves="1",
        because="text from outside the fragments that is not disclosed makes it a 1",
        rule="ER-undisclosed",
    ),
)
# A score above an observation that its author checked; what is left is the observation's level.
ABOVE_CHECKED: tuple[AuditRule, ...] = tuple(
    AuditRule(
        key=f"{criterion.key}_above_checked",
        title=f"{criterion.key.capitalize()} above what is checked",
        criterion=criterion.key,
        values=criterion.scale.values[1:],
        leaves=criterion.scale.values[0],
        because="a checked observation implies its level, and the gravest decides",
        rule="ER-levels",
    )
    for criterion in (ACCURACY, ETHICS)
)
AGAINST_STATEMENTS = AuditRule(
    key="answer_against_statements",
    title="An answer that its own marked statements rule out",
    criterion="consistency",
    values=CONSISTENCY.scale.values,
    leaves="no_contrary_evidence",
    because="what is marked on the statements decides the answer",
    rule="RC-one-error",
)
LINKS_NOT_TAKEN = AuditRule(
    key="links_not_taken",
    title="Links with an answer that takes none",
    criterion="consistency",
    values=tuple(
        each
        for each in CONSISTENCY.scale.values
        if each not in RESPONSE_CONSISTENCY.evidence.required_for
    ),
    leaves="yes_evidence",
    because="links belong to the two evidence answers",
    rule="RC-links-only-there",
)
WITHOUT_LINK = AuditRule(
    key="evidence_without_link",
    title="An evidence answer without a link",
    criterion="consistency",
    values=tuple(sorted(RESPONSE_CONSISTENCY.evidence.required_for)),
    leaves="unsure",
    because="the two evidence answers say where the evidence is",
    rule="RC-links",
)
QUOTE_ABSENT = AuditRule(
    key="supported_by_absent_words",
    title="Supported by words that are in no source",
    criterion="label",
    values=("supported",),
    leaves="unsupported",
    because="an excerpt has to prove the sentence",
    rule="SG-excerpt",
)
AUDIT_RULES: Mapping[str, AuditRule] = {
    each.key: each
    for each in (
        *AGAINST_SENTENCES,
        *ABOVE_CHECKED,
        WITHOUT_LINK,
        LINKS_NOT_TAKEN,
        AGAINST_STATEMENTS,
        QUOTE_ABSENT,
    )
}


def get_departure_rule(departure: Departure) -> AuditRule:
    """Return the rule that an answer breaks by departing from its author's marks."""
    if departure.kind is DepartureKind.STATEMENTS:
        return AGAINST_STATEMENTS
    if departure.kind is DepartureKind.LINKS:
        return LINKS_NOT_TAKEN
    return next(each for each in ABOVE_CHECKED if each.criterion == departure.answer.criterion)


def describe_departure(one: str, departure: Departure) -> str:
    """Return a departure in one sentence, for lists and for the item page alike."""
    answer = departure.answer
    how = "with a reason" if departure.has_reason else "without a reason"
    because = departure.because.removesuffix(".")
    return f"{one} gives {answer.criterion} {answer.value} {how}: {because}"


def says(
    rule: AuditRule, one: str, value: str, other: str = "", units: int = 0, label: str = ""
) -> str:
    """An inconsistency in one sentence, for lists and for the item page alike."""
    many = "one sentence" if units == 1 else f"{units} sentences"
    if rule is WITHOUT_LINK:
        return f"{one} answers {value} and gives no link; {rule.because}"
    if rule is QUOTE_ABSENT:
        return f"{one} calls {many} supported by words that are in no source; {rule.because}"
    again = "the same author" if other == one else other
    return f"{one} gives {rule.criterion} {value}, {again} calls {many} {label}; {rule.because}"
