"""Store the metadata of a decision: guidance and prompt versions, meeting and method."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.guideline_notes import compute_guidance_fingerprint

DECIDED, LIKE, UNANIMOUS = "decided", "like", "unanimous"

_PROTOCOL = """
select protocol
from runs
where run_id = $run_id
"""

_MEETING = """
select 1
from meetings
where meeting_id = $meeting_id
"""

_ADD = """
insert into decision_facts (
    annotation_no, item_no, meeting_id, how, follows, guidance, prompt, seconds
)
values ($annotation_no, $item_no, $meeting_id, $how, $follows, $guidance, $prompt, $seconds)
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Circumstances:
    """How a decision came about.

    Attributes:
        meeting_id: the meeting it was made in, if any.
        how: decided, like or unanimous.
        follows: for a like one, the operation that made the decision it repeats.
        seconds: time spent on the point.
        section: of the guidance, for `wording`.
        wording: proposed for the guidance, if any.
        warns: any decision that stands is a Conflict until confirmed, seen or not.
    """

    meeting_id: str = ""
    how: str = DECIDED
    follows: str = ""
    seconds: float = 0.0
    section: str = ""
    wording: str = ""
    warns: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def get_words_in_force(protocol_key: str) -> dict[str, str]:
    """Fingerprints of what raters and judges are told under a protocol now."""
    protocol = PROTOCOLS[protocol_key]
    return {
        "guidance": compute_guidance_fingerprint(protocol),
        "prompt": protocol.prompt.fingerprint,
    }


def load_run_words(store: Store, run_id: str) -> dict[str, str]:
    """The words in force for a run; empty when it is not there, which the writing then refuses."""
    with store.read() as cursor:
        found = cursor.execute(_PROTOCOL, {"run_id": run_id}).fetchall()
    return get_words_in_force(found[0][0]) if found else {}


def append_facts(
    cursor: Cursor, annotation_no: int, item_no: int, payload: Mapping[str, Any]
) -> None:
    """Append what a signed decision says about itself; older journals say less."""
    told = Circumstances(**payload.get("circumstances", {}))
    check_meeting(cursor, told.meeting_id)
    words = payload.get("words", {})
    facts = {
        "annotation_no": annotation_no,
        "item_no": item_no,
        "meeting_id": told.meeting_id,
        "how": told.how,
        "follows": told.follows,
        "guidance": words.get("guidance", ""),
        "prompt": words.get("prompt", ""),
        "seconds": told.seconds,
    }
    cursor.execute(_ADD, facts)


def check_meeting(cursor: Cursor, meeting_id: str) -> None:
    """Refuse a meeting that was never begun.

    Raises:
        ReviewError: there is no such meeting.
    """
    if meeting_id and not cursor.execute(_MEETING, {"meeting_id": meeting_id}).fetchall():
        raise ReviewError(
            f"There is no meeting {meeting_id}; nothing was stored. Open the list of meetings."
        )
