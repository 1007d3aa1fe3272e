"""Store proposed guidance wording with the unit it refers to."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from data.meetings.decision_facts import check_meeting
from data.store.engine import Cursor
from data.store.replay import register_work
from data.triage.points import find_point_columns
from faithfulness.model.errors import ReviewError
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.guideline_notes import GENERAL, LONGEST_WORDING

PROPOSAL_KIND = "guideline proposal"  # of its own in older journals; today it comes with a decision

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


def append_proposal(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> None:
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
    place = find_point_columns(cursor, payload["point"])
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


register_work(PROPOSAL_KIND, append_proposal)
