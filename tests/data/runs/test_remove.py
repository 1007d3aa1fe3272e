"""What a run holds is counted for what it is, and told before the run is removed."""

import json
import re

import pytest

from components.runs.run_list import _list_answer_counts
from data.exporting.minutes import write_minutes
from data.importing.existing_items import count_existing_items
from data.meetings.agendas import agenda_from
from data.meetings.decisions import load_confusions
from data.meetings.meetings import load_meeting, load_meetings, minutes_of
from data.meetings.save_meetings import note_event
from data.runs import queries
from data.runs.remove import remove_runs
from data.store.sidecar_files import now
from faithfulness.model.selection import Selection
from faithfulness.review.minutes import render_markdown_minutes
from tests.data.meetings.test_meetings import VALUES, begin, settle
from tests.data.stored import prepare_drafts, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.run_commands import run_command


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [sentence_draft(nth, VALUES) for nth in (1, 2)])
    yield opened
    opened.close()


def test_decisions_are_no_answers_of_a_run_or_an_item(store):
    point = agenda_from(store, Selection(), first=1)[0]
    settle(store, begin(store), point)
    (run,) = queries.runs(store).itertuples()
    # Two items of three sentences by three raters and a judge.
    assert (run.answers, run.decisions, list(run.meetings)) == (24, 1, ["Monday"])
    assert [each.replace("\u00a0", " ") for each in _list_answer_counts(run)] == [
        "24 answers",
        "1 decision",
    ]
    assert queries.run_items(store, run.run_id)["answers"].tolist() == [12, 12]


def test_removing_names_decisions_and_meetings_first(store):
    settle(store, begin(store), agenda_from(store, Selection(), first=1)[0])
    (run,) = queries.runs(store)["run_id"]
    store.close()
    assert "24 answers  1 decision  0 unread" in run_command("runs", "--store", store.path)
    told = run_command("remove", run, "--store", store.path, code=2)
    assert told.splitlines() == [
        f"{run}  alpha run  2 items  24 answers  1 decision",
        "  the minutes of “Monday” keep its points and say that it was removed",
        "Nothing was removed; add --yes to remove this.",
    ]
    assert "Removed 1 run." in run_command("remove", run, "--yes", "--store", store.path)


def test_a_run_nobody_decided_on_is_told_as_before(store):
    (run,) = queries.runs(store).itertuples()
    assert (run.decisions, list(run.meetings), _list_answer_counts(run)) == (
        0,
        [],
        ["24\u00a0answers"],
    )


def remove(store, *run_ids):
    names = run_ids or queries.runs(store)["run_id"].tolist()
    remove_runs(store, run_ids=names, removed_by="ada", operation_id="gone")


def held_meeting(store):
    """A finished meeting of four points: two decided, one deferred, one not reached."""
    meeting_id = begin(store, first=4)
    first, second, third, _ = agenda_from(store, Selection(), first=4)
    settle(store, meeting_id, first)
    settle(store, meeting_id, second, operation="d2")
    event = {"by": "eve", "meeting_id": meeting_id}
    note_event(store, kind="deferred", text="ask legal", point=third, operation_id="t", **event)
    note_event(store, kind="finished", operation_id="end", **event)
    return meeting_id


def test_minutes_keep_what_was_signed_about_a_run_removed_since(store, tmp_path):
    meeting_id = held_meeting(store)
    before = minutes_of(store, meeting_id)
    remove(store)
    after = minutes_of(store, meeting_id)
    told = render_markdown_minutes(after)
    today = f"{now():%Y-%m-%d}"
    assert f"alpha run (removed on {today}): 2 decisions and 2 points left open kept here" in told
    assert "**Outcome:** 2 decisions, 1 deferred, 1 not reached" in told
    assert f"alpha run (removed on {today}). " in told
    assert [each.stands for each in after.rulings] == [True, True]
    unmarked = re.sub(rf" \(removed on {today}\)|\*\*Run removed since:.*\n\n", "", told)
    assert unmarked == render_markdown_minutes(before)
    write_minutes(store, meeting_id, "jsonl", tmp_path / "rows.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [each["outcome"] for each in rows] == ["decided", "decided", "deferred", "not reached"]
    assert all(each["run_removed_at"].startswith(today) for each in rows)


def test_list_of_meetings_keeps_what_was_held_and_counts_what_is_removed(store):
    held_meeting(store)
    remove(store)
    (found,) = load_meetings(store).to_dict("records")
    names = ("points", "decided", "deferred", "open", "removed")
    assert [found[name] for name in names] == [4, 2, 1, 0, 4]


def test_decisions_on_a_removed_run_count_in_no_other_list(store):
    meeting_id = held_meeting(store)
    remove(store)
    assert load_meeting(store, meeting_id).agenda == ()
    assert load_confusions(store).empty
    assert minutes_of(store, meeting_id).gaps == ()


def test_items_of_a_removed_run_are_not_met_again(store, tmp_path):
    again = prepare_drafts(tmp_path / "p", [sentence_draft(nth, VALUES) for nth in (1, 3)], "again")
    assert count_existing_items(store, again) == (2, 1)
    (run,) = queries.runs(store)["run_id"]
    remove_runs(store, run_ids=[run], removed_by="eve", operation_id="r")
    assert count_existing_items(store, again) == (2, 0)
