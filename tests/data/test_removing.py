"""What a run holds is counted for what it is, and told before the run is removed."""

import pytest

from components.run_list import _answered
from data import queries
from data.queries_agendas import agenda_from
from faithfulness.selection import Selection
from tests.data.stored import save_drafts, sentence_draft
from tests.data.test_meetings import VALUES, begin, settle
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
    assert [each.replace("\u00a0", " ") for each in _answered(run)] == ["24 answers", "1 decision"]
    assert queries.run_items(store, run.run_id)["answers"].tolist() == [12, 12]


def test_removing_names_decisions_and_meetings_first(store):
    settle(store, begin(store), agenda_from(store, Selection(), first=1)[0])
    (run,) = queries.runs(store)["run_id"]
    store.close()
    assert "24 answers  1 decision  0 unread" in run_command("runs", "--store", store.path)
    told = run_command("remove", run, "--store", store.path, code=2)
    assert told.splitlines() == [
        f"{run}  alpha run  2 items  24 answers  1 decision",
        "  and its points in the meeting “Monday”",
        "Nothing was removed; add --yes to remove this.",
    ]
    assert "Removed 1 run." in run_command("remove", run, "--yes", "--store", store.path)


def test_a_run_nobody_decided_on_is_told_as_before(store):
    (run,) = queries.runs(store).itertuples()
    assert (run.decisions, list(run.meetings), _answered(run)) == (0, [], ["24\u00a0answers"])
