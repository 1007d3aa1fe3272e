"""Text for an inconsistency: both sides in scale labels, the rule and its source."""

from collections.abc import Sequence
from typing import NamedTuple

from components.ui.label_colors import look
from components.ui.numbers import format_count
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.wording import capitalize_first
from faithfulness.policies.inconsistencies import Inconsistency, format_author
from faithfulness.policies.inconsistency_rules import (
    ABOVE_CHECKED,
    AGAINST_STATEMENTS,
    LINKS_NOT_TAKEN,
    QUOTE_ABSENT,
    WITHOUT_LINK,
    AuditRule,
)
from faithfulness.protocols import PROTOCOLS

# What an answer that breaks a rule by itself lacks or has too much.
OWN_FAULT = {
    WITHOUT_LINK.key: "No link given",
    LINKS_NOT_TAKEN.key: "Links given",
    AGAINST_STATEMENTS.key: "The marked statements imply another answer",
    **{each.key: "A checked observation implies a lower score" for each in ABOVE_CHECKED},
    QUOTE_ABSENT.key: "Quoted words in no source",
}
_ASKED: dict[str, tuple[Protocol, Criterion]] = {
    criterion.key: (protocol, criterion)
    for protocol in PROTOCOLS.values()
    for criterion in protocol.criteria
}
_ACROSS = "label"  # the criterion whose labels rule others out


class SideText(NamedTuple):
    """One side in words, with the look of its label where it has one."""

    text: str
    glyph: str = ""
    color: str = ""


def describe_answer(criterion: str, value: str) -> SideText:
    """The answer that is ruled out: a score with what it is a score of, else the label."""
    _, asked = _ASKED[criterion]
    if asked.scale.ordinal or value not in asked.scale:
        return SideText(f"{criterion.capitalize()} {value}")
    shown = look(asked.scale.label(value), asked.scale)
    return SideText(shown.title, shown.glyph, shown.color)


def describe_other_side(rule: str, values: Sequence[str]) -> SideText:
    """What rules the answer out: labels of sentences, or what the answer itself lacks."""
    if rule in OWN_FAULT:
        return SideText(OWN_FAULT[rule])
    _, asked = _ASKED[_ACROSS]
    labels = [each for each in asked.scale.labels if each.value in values]
    # The one that weighs most gives the symbol; on this scale contradictions come behind.
    first = max(labels, key=lambda each: each.contradicts)
    shown = look(first, asked.scale)
    named = " or ".join(each.title.lower() for each in labels)
    return SideText(capitalize_first(named), shown.glyph, shown.color)


def format_rule_source(rule: AuditRule) -> str:
    """Where a rule stands: the protocol, and its id in docs/protocols.md."""
    protocol, _ = _ASKED[rule.criterion]
    return f"{protocol.title}, rule {rule.rule}"


def format_rule_reason(rule: AuditRule) -> str:
    """The rule in plain words, with its source."""
    return f"{capitalize_first(rule.because)} ({format_rule_source(rule)})."


def format_unit_name(unit_id: str) -> str:
    """What people call a unit; the sentences of an item are counted from 1."""
    number = unit_id.removeprefix("s")
    return f"Sentence {number}" if number.isdecimal() else "The whole response"


def format_units(units: Sequence[str]) -> str:
    """Which sentences, as long as they are few; else how many."""
    if len(units) == 1:
        return format_unit_name(units[0]).lower()
    if len(units) > 3:
        return format_count(len(units), "sentence")
    numbers = [each.removeprefix("s") for each in units]
    return f"sentences {', '.join(numbers[:-1])} and {numbers[-1]}"


def format_inconsistency(found: Inconsistency) -> str:
    """Both sides, each with its author, as raters and judges know their labels."""
    one = found.one
    side = describe_answer(one.criterion, one.values[0])
    said = f"“{side.text}”" if side.glyph else side.text.lower()
    who = format_author(one.author)
    who = capitalize_first(who)
    if found.other is None:
        fault = OWN_FAULT[found.rule.key].lower()
        return f"{who} says {said} of {format_units(one.units)}; {fault}"
    calls = describe_other_side(found.rule.key, found.other.values).text.lower()
    again = " and" if found.is_by_one_author else f", {format_author(found.other.author)}"
    return f"{who} says {said}{again} calls {format_units(found.other.units)} {calls}"
