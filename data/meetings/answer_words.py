"""Format answers and unit names for display on pages."""

from datetime import datetime

from faithfulness.model.wording import format_day, format_unit
from faithfulness.protocols import protocol


def format_verdict(
    protocol_key: str, unit_id: str, criterion: str, value: str | None, signed_at: datetime
) -> str:
    """Which unit as what and when: “Sentence 3 as Supported on 17 Nov 2026, 05:10 UTC”."""
    known = protocol(protocol_key)
    scale = known.criterion(criterion).scale
    said = scale.label(value).title if value is not None and value in scale else value
    name = criterion.replace("_", " ").capitalize()
    asked = f" ({name})" if len(known.criteria) > 1 else ""
    return f"{format_named_unit(unit_id)}{asked} as {said or 'no value'} on {format_day(signed_at)}"


def format_named_unit(unit_id: str) -> str:
    """A unit inside a sentence; a claim is known by its words, not by its name in the store."""
    if unit_id == "response":
        return "the whole response"
    said = format_unit(unit_id)
    return "the claim" if said == unit_id else said
