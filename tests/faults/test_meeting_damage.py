"""A process killed in a meeting, and a damaged log: every acknowledged decision comes back."""

import subprocess
import sys
from pathlib import Path

import pytest

from data.meetings.meetings import load_meeting, load_meetings, minutes_of
from data.store.sidecar_files import get_log_path
from data.store.store import open_store
from faithfulness.review.meeting import PointState

ROOT = Path(__file__).resolve().parents[2]
# The sample with its backup, then a meeting that is only in the log, and no closing.
MEET = """
import os, sys
from pathlib import Path
from data.meetings.save_meetings import begin_meeting
from data.meetings.decide_many import decide_like
from data.meetings.save_meetings import note_event
from data.store.backups import after_import
from data.meetings.agendas import agenda_from
from tests.data.found_case import case
from data.meetings.decision_facts import Circumstances
from data.meetings.decide_many import Settled
from data.meetings.decide import decide
from data.samples.first_start import fill
from data.store.store import open_store
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind

store = open_store(Path(sys.argv[1]), create=True)
fill(store)
after_import(store)
store.checkpoint()
store.note_state()
eve = Author(kind=AuthorKind.ADJUDICATOR, name="eve")
agenda = agenda_from(store, Selection(protocol="sentence_grounding"), first=4)
meeting = begin_meeting(
    store, host="eve", present=["ada"], agenda=agenda, operation_id="begin"
)
seen = [case(store, *each[1:]).seen for each in agenda]
told = Circumstances(meeting_id=meeting, seconds=9.0, wording="Say so.", warns=True)
decide(
    store, **agenda[0]._asdict(), value="unsupported", author=eve, reason="so", seen=seen[0],
    operation_id="one", circumstances=told,
)
decide_like(
    store, [Settled(agenda[at], "unsupported", seen[at]) for at in (1, 2)], follows="one",
    author=eve, reason="as there", operation_id="like", meeting_id=meeting,
)
note_event(
    store, meeting, "deferred", by="eve", point=agenda[3], text="later", operation_id="defer"
)
os._exit(0)
"""


@pytest.mark.parametrize(
    "damage",
    ["cut", *(pytest.param(each, marks=pytest.mark.soak) for each in ("none", "removed", "file"))],
)
def test_a_killed_meeting_is_whole_again(tmp_path, damage):
    path = tmp_path / "s.duckdb"
    subprocess.run([sys.executable, "-c", MEET, str(path)], cwd=ROOT, check=True, timeout=120)
    log = get_log_path(path)
    if damage == "cut":
        whole = log.read_bytes()
        log.write_bytes(whole[: len(whole) // 2])
    elif damage == "removed":
        log.unlink()
    elif damage == "file":
        path.unlink()
    store = open_store(path)
    try:
        (meeting_id,) = load_meetings(store).meeting_id
        found = minutes_of(store, meeting_id)
        assert [each.how for each in found.rulings] == ["decided", "like", "like"]
        assert [each.wording for each in found.proposals] == ["Say so."]
        assert [why for _, why in found.deferred] == ["later"]
        states = [each.state for each in load_meeting(store, meeting_id).agenda]
        assert states == [PointState.DECIDED] * 3 + [PointState.DEFERRED]
        if damage != "none":
            assert any("journal" in line for line in store.recovery), store.recovery
    finally:
        store.close()
