"""One screen of cards: disagreements and answers that cannot all be right, in their order."""

from collections.abc import Collection, Sequence
from typing import Any

from components.triage.audit_card import Unit, audit_data
from components.triage.card import card_data
from faithfulness.policies.inconsistency_case import Screen
from faithfulness.protocols import PROTOCOLS


def triage_cards(
    order: Sequence[bool], screen: Screen, marked: Collection[Unit]
) -> list[dict[str, Any]]:
    """The cards of a screen.

    Args:
        order: for each card whether it is of answers that cannot all be right.
        screen: what they show, each sort in its order; what is gone meanwhile is left out.
        marked: units that are marked for a meeting.
    """
    plain = (
        card_data(each, told, PROTOCOLS[each.case.protocol])
        | {"marked": (each.case.protocol, each.case.item.id, each.case.unit.id) in marked}
        for each, told in screen.disagreements
    )
    audits = (audit_data(each, screen.earlier, marked) for each in screen.audits)
    drawn = (next(audits if is_audit else plain, None) for is_audit in order)
    return [card for card in drawn if card is not None]
