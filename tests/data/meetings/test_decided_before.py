"""Minutes name what was decided before on a point, and the offline baseline apart from votes."""

import re

import pytest

from data.items.sign import sign
from data.meetings.agendas import agenda_from
from data.meetings.decide import decide
from data.meetings.meetings import minutes_of
from data.meetings.save_meetings import begin_meeting
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import Answer
from faithfulness.review.minutes import render_markdown_minutes
from tests.data.meetings.test_meetings import VALUES, C, S, U, settle
from tests.data.stored import EVE, save_drafts, sentence_draft
from tests.made_stores import new_store


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [sentence_draft(nth, VALUES) for nth in (1, 2, 3)])
    yield opened
    opened.close()


def keep_baseline(store, point, value):
    answer = Answer(unit_id=point.unit_id, criterion="label", value=value, rationale="6 of 8 words")
    sign(
        store,
        run_id=point.run_id,
        item_id=point.item_id,
        answers=[answer],
        author=BASELINE,
        operation_id=f"baseline {point.unit_id}",
    )


def test_minutes_name_the_baseline_apart_and_what_was_overruled(store):
    first, second, third = agenda_from(store, Selection(), first=3)
    settle(store, "", first, S, "d1")
    gone = settle(store, "", second, S, "d2")
    settle(store, "", third, U, "d3", error_class="")
    decide(
        store, **second._asdict(), value="", author=EVE, reason="", seen=gone, operation_id="back",
        undoes=gone,
    )  # fmt: skip
    meeting_id = begin_meeting(
        store, host="eve", present=["ada"], agenda=[first, second, third], operation_id="m"
    )
    keep_baseline(store, first, U)
    number = settle(store, meeting_id, first, C, "d4", confirmed=True)
    settle(store, meeting_id, second, U, "d5")
    found = minutes_of(store, meeting_id)
    told, again = (each.matter for each in found.rulings)
    assert told.baseline is not None
    assert told.baseline.value == "Unsupported"
    assert BASELINE not in [each.author for each in told.voices]
    assert [(each.value, each.counted) for each in told.before] == [("Supported", True)]
    assert [(each.value, each.counted) for each in again.before] == [("Supported", False)]
    text = render_markdown_minutes(found)
    assert "**Offline baseline, which takes no side:** Unsupported: 6 of 8 words" in text
    assert re.search(r"\*\*Overrules:\*\* Supported; Judge wrong \\?\(eve, 20.*45\.00", text)
    assert re.search(r"\*\*Decided before:\*\* Supported.*replaced or taken back by then", text)
    assert re.search(r"stands decided: Unsupported \\?\(eve, ", text)  # of the one not reached
    settle(store, meeting_id, first, C, "d6", confirmed=True)
    *_, last = minutes_of(store, meeting_id).rulings
    assert [each.counted for each in last.matter.before] == [False, True]
    assert "**Confirms:** Contradictory" in render_markdown_minutes(minutes_of(store, meeting_id))
    assert number < last.number
