"""The page that judges a run starts what was shown, never another run."""

from data.judging import batches
from data.runs import queries
from data.runs.remove import remove_runs
from data.samples.first_start import fill
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages


def start(test):
    (button,) = [each for each in test.button if each.label == "Start"]
    return button


def test_a_run_that_is_removed_meanwhile_starts_no_other_in_its_place(tmp_path):
    path = tmp_path / "plumbline.duckdb"
    new_store(path, fill).close()
    with store_of_pages(path) as store:
        runs = queries.runs(store)
        run_id = str(runs[runs["protocol"] == "sentence_grounding"]["run_id"].iloc[-1])
        test = opened_page("judge_run", {"run": run_id})
        button = start(test)
        remove_runs(store, run_ids=[run_id], removed_by="ada", operation_id="gone")
        button.click().run()
        assert not test.exception
        assert "it was removed; choose one" in test.warning[0].value
        assert batches.load_batches(store) == []
        assert not start(test).disabled
