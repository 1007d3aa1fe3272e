"""People at once: doubles are one record, conflicts are told, and nobody's save is lost."""

import contextlib
import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from data.items.loading import load_annotations, load_item
from data.meetings.decide import decide
from data.rating import rating_desk
from data.store.store import open_store
from faithfulness.model.errors import Conflict
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.model.wording import format_unit
from tests.data.found_case import case
from tests.faults import people

EVERY_RUN, LONG_RUN = 10, 50
OLA = Author(kind=AuthorKind.ADJUDICATOR, name="ola")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    path = tmp_path_factory.mktemp("people") / "s.duckdb"
    people.prepare(path)
    return path


@pytest.fixture(params=[EVERY_RUN, pytest.param(LONG_RUN, marks=pytest.mark.soak)])
def rounds(request):
    return request.param


@pytest.fixture
def team(prepared):
    store = open_store(prepared)
    yield people.People(store, random.Random("people at once"))
    assert people.complaints(store, set()) == []
    store.close()


def at_once(*deeds):
    """Do all of these at the same moment, and give what each answered or raised."""
    gate = Barrier(len(deeds))

    def one(deed):
        gate.wait()
        try:
            return deed()
        except Conflict as conflict:
            return conflict

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(one, deeds))


def test_a_double_press_is_one_record(team, rounds):
    names = []
    for nth in range(rounds // 2):
        sheet = team.new_sheet()
        team.fill(sheet)
        signed = at_once(*[lambda each=sheet: team.sign(each)] * 2)
        point, seen = team.point(), team.last()
        told = {
            "author": people.EVE,
            "reason": "so",
            "seen": seen,
            "operation_id": f"twice-{rounds}-{nth}",
        }
        told |= {"value": "supported", "circumstances": people.TOLD, **point._asdict()}
        decided = at_once(*[lambda each=told: decide(team.store, **each)] * 2)
        assert signed[0] == signed[1]
        assert decided[0] == decided[1]
        names += [signed[0], f"twice-{rounds}-{nth}"]
    assert len(set(names)) == rounds
    assert people.complaints(team.store, set(names)) == []  # and each stored once


def test_of_two_who_decide_one_is_warned_and_both_are_kept_when_confirmed(team, rounds):
    for nth in range(rounds):
        point, seen = team.point(), team.last()

        def settle(author, confirmed=False, nth=nth, point=point, seen=seen):
            return decide(
                team.store,
                **point._asdict(),
                value="supported" if author is OLA else "unsupported",
                author=author,
                reason=f"round {nth}",
                seen=seen,
                operation_id=f"{author.name}-{rounds}-{nth}-{confirmed}",
                confirmed=confirmed,
                circumstances=people.TOLD,
            )

        answers = at_once(lambda: settle(people.EVE), lambda: settle(OLA))
        conflicts = [each for each in answers if isinstance(each, Conflict)]
        assert len(conflicts) == 1
        late, first = (people.EVE, OLA) if answers[0] is conflicts[0] else (OLA, people.EVE)
        assert f"{first.name} settled {format_unit(point.unit_id)} as" in str(conflicts[0])
        assert "after you opened it" in str(conflicts[0])
        number = settle(late, confirmed=True)
        both = [
            each
            for each in load_annotations(team.store, point.item_id, current=False)
            if each.author in (people.EVE, OLA) and each.answer.unit_id == point.unit_id
        ][-2:]
        assert [each.author for each in both] == [first, late]
        assert (both[1].number, both[1].supersedes) == (number, both[0].number)
    shown = case(team.store, *point[1:]).decisions
    assert [each.by for each in shown if each.is_current] == [late.name]


def test_four_people_saving_at_once_lose_none(team, rounds):
    saved = at_once(*[lambda: [save(team) for _ in range(rounds)]] * 4)
    names = {name for each in saved for name in each}
    assert len(names) == 4 * rounds
    assert people.complaints(team.store, names) == []


def save(team):
    """As a person does who is told that somebody was faster: look again, then decide."""
    while True:
        with contextlib.suppress(Conflict):
            return team.save()


def test_one_sheet_in_two_windows_is_told_and_nothing_is_overwritten(team):
    sheet = team.new_sheet()
    team.fill(sheet)
    item = load_item(team.store, sheet.item_id)
    stale = ("", "another window")  # opened before anything stood on the sheet
    with pytest.raises(Conflict, match="another window"):
        rating_desk.sign(team.store, sheet, item, people.GROUNDING, seen=stale, times={})
    assert rating_desk.read_sheet(team.store, sheet, people.GROUNDING).states
    assert team.sign(sheet) in people.stored(team.store)
