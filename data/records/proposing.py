"""Proposing: wording for a protocol's guidance, kept with the unit it came up on."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from data.beside import now
from data.engine import Cursor
from data.records.decision_facts import check_meeting
from data.records.points import number_points
from data.replay import register_redo
from data.store import Store
from faithfulness.errors import AlreadyDone, ReviewError
from faithfulness.guideline_notes import GENERAL, LONGEST_WORDING
from faithfulness.meeting import Point
from faithfulness.protocols import PROTOCOLS

KIND = "guideline proposal"

_log = logging.getLogger(__name__)

_ADD = """
insert into guideline_proposals (
    proposal_no, operation_id, meeting_id, protocol, section, wording,
    run_no, item_no, unit_no, criterion, proposed_by, proposed_at
)
select
    coalesce(max(proposal_no), 0) + 1, $operation_id, $meeting_id, $protocol, $section, $wording,
    $run_no, $item_no, $unit_no, $criterion, $proposed_by, $proposed_at
from guideline_proposals
"""


def propose(
    store: Store,
    *,
    protocol: str,
    wording: str,
    by: str,
    operation_id: str,
    section: str = GENERAL,
    meeting_id: str = "",
    point: Point | None = None,
) -> None:
    """Keep wording that somebody proposes; the journal has it before the store.

    Raises:
        ReviewError: no wording, too long a one, or no such protocol, meeting or point.
        NotSaved: nothing was stored.
    """
    payload = {
        "protocol": protocol,
        "section": section,
        "wording": wording,
        "by": by,
        "meeting_id": meeting_id,
        "point": None if point is None else list(point),
        "proposed_at": now().isoformat(),
    }
    try:
        store.write_journaled(
            operation_id, KIND, payload, lambda cursor: append(cursor, operation_id, payload)
        )
    except AlreadyDone:
        return
    _log.info("guideline wording proposed: %s", protocol)


def redo(store: Store, payload: Mapping[str, Any]) -> None:
    """Propose again what the journal has and the store lost."""
    operation_id = str(payload["operation_id"])
    store.write(operation_id, KIND, lambda cursor: append(cursor, operation_id, payload))


def append(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> None:
    """Append a proposal inside a transaction."""
    wording = payload["wording"].strip()
    if not wording or len(wording) > LONGEST_WORDING:
        raise ReviewError(
            f"A proposed wording has 1 to {LONGEST_WORDING:,} characters, this one "
            f"{len(wording):,}; nothing was stored. Write what the guidance should say."
        )
    if payload["protocol"] not in PROTOCOLS:
        raise ReviewError(f"There is no protocol {payload['protocol']!r}; nothing was stored.")
    check_meeting(cursor, payload["meeting_id"])
    place: dict[str, Any] = dict.fromkeys(("run_no", "item_no", "unit_no"))
    place["criterion"] = ""
    if payload["point"] is not None:
        (found,) = number_points(cursor, [Point(*payload["point"])])
        place = {name: getattr(found, name) for name in ("run_no", "item_no", "unit_no")}
        place["criterion"] = found.point.criterion
    facts = {
        "operation_id": operation_id,
        "meeting_id": payload["meeting_id"],
        "protocol": payload["protocol"],
        "section": payload["section"].strip() or GENERAL,
        "wording": wording,
        "proposed_by": payload["by"],
        "proposed_at": datetime.fromisoformat(payload["proposed_at"]),
    }
    cursor.execute(_ADD, facts | place)


register_redo(KIND, redo)
