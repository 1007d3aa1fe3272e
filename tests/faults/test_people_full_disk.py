"""A full disk while people work: told, nothing lost, and it goes on when there is room again."""

import random
import shutil
import time

import pytest

from data.meetings.decide import decide
from data.rating import rating_desk
from data.store.journal import read_journal
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from faithfulness.model.errors import Conflict, NotSaved
from tests.faults import people
from tests.full_disk import fill_up, make_room, small_disk

BLOCK = 4096
RECOVERS_IN = 5.0  # seconds


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk") as mounted:
        yield mounted


def save_until_refused(team: people.People, times: int) -> set[str]:
    """Save one kind after the other, as long as it fits; every refusal says why."""
    saved, refusals = set(), []
    while len(refusals) < times:
        kind = list(people.LEAVES)[len(refusals) % len(people.LEAVES)]
        try:
            saved.add(team.save(kind))
        except NotSaved as told:
            refusals.append(str(told))
    assert all("disk is full" in each for each in refusals)
    return saved


OTHERS = [pytest.param(room, marks=pytest.mark.soak) for room in (0, 3000, 200_000)]


@pytest.mark.parametrize("room", [20_000, *OTHERS])
def test_a_full_disk_is_told_and_nothing_acknowledged_is_lost(disk, room):
    path = disk / "s.duckdb"
    people.prepare(path)
    store = open_store(path)
    team = people.People(store, random.Random(room))
    saved = {team.save(kind) for kind in people.LEAVES}
    draft = team.new_sheet()
    saved.add(team.fill(draft))
    fill_up(disk, but=room)
    saved |= save_until_refused(team, times=20)
    assert people.complaints(store, saved) == []  # reading goes on
    assert rating_desk.read_sheet(store, draft, people.GROUNDING).states  # and the draft is there
    make_room(disk)
    began = time.monotonic()
    saved.add(team.sign(draft))
    assert time.monotonic() - began < RECOVERS_IN
    saved |= {team.save(kind) for kind in people.LEAVES}
    kept = people.stored(store)
    store.close()
    again = open_store(path)
    assert people.complaints(again, saved) == []
    assert people.stored(again) == kept  # what was refused does not come back by itself
    again.close()


def test_a_refused_decision_stays_refused_when_the_disk_has_no_room_to_say_so(disk, tmp_path):
    """The journal has the decision before the store refuses it; it must not come back as signed."""
    path = disk / "s.duckdb"
    people.prepare(path)
    store = open_store(path)
    team = people.People(store, random.Random("refused"))
    point = team.point()
    told = {**point._asdict(), "value": "supported", "author": people.EVE}
    decide(store, **told, reason="first", seen=team.last(), operation_id="first")
    journal = get_sidecar_path(path, "journal")

    def refuse(operation_id: str, reason: str) -> None:
        with pytest.raises(Conflict):
            decide(store, **told, reason=reason, seen=0, operation_id=operation_id)

    room = 0
    while room < 1:  # in the journal's last block: for the decision, and not for its end
        refuse(f"with room {journal.stat().st_size}", "x")
        signed, cancelled = read_journal(journal).entries[-2:]
        line = cancelled.start.size - signed.start.size
        room = -journal.stat().st_size % BLOCK - line - 100
    fill_up(disk, but=0)
    refuse("without room", "x" * room)
    make_room(disk)
    killed = tmp_path / "killed"  # the files as they would lie there if the app were killed now
    shutil.copytree(disk, killed)
    store.close()
    again = open_store(killed / path.name)
    assert "without room" not in people.stored(again)
    assert again.recovery == ()
    again.close()
