"""A list of runs names its runs once, and the baseline as every other page does."""

from types import SimpleNamespace

from components.judging.judge_form import KINDS
from components.reader.item_list import describe_removal
from components.runs.run_list import build_judges_cell
from components.ui.filter_options import format_narrowing
from faithfulness.judging.offline.offline_judge import NAME
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE


def test_a_count_of_runs_is_followed_by_names_and_not_by_of_run():
    words = Selection(runs=("a",), unread=True).in_words()
    assert format_narrowing("1 run", words) == "named a with an unread answer"
    assert format_narrowing("No run", words) == "named a with an unread answer"
    assert format_narrowing("3 items", words) == words
    assert format_narrowing("2 runs", Selection(words="x").in_words()) == "with the words “x”"


def test_the_baseline_has_one_name_wherever_judges_are_named():
    line = SimpleNamespace(
        author=BASELINE.name, value=0.5, counted=3, left_out=0, low=None, high=None
    )
    (said,) = build_judges_cell([line], judges=1).lines
    assert said[1].startswith(f"{BASELINE.name} · ")
    assert BASELINE.name == NAME == KINDS["offline"].casefold()


def test_before_a_run_goes_its_minutes_are_named_as_they_are():
    run = {"items": 2, "answers": 6, "decisions": 1, "meetings": ["Monday"]}
    kept = "The minutes of “Monday” keep its points and say that it was removed."
    assert describe_removal(run).endswith(kept)


def test_number_that_came_with_the_file_says_so():
    line = SimpleNamespace(
        author="metric", value=0.5, counted=3, left_out=0, low=None, high=None, given=True
    )
    ((_, note),) = build_judges_cell([line], judges=1).lines
    assert note.replace("\u00a0", " ") == "metric · given in the file · n 3"
