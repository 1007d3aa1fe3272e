"""A list of runs names its runs once, and tells the baseline apart from models."""

from components.offers import named_after
from components.run_list import judge_title
from faithfulness.selection import Selection
from faithfulness.selection_sides import BASELINE


def test_a_count_of_runs_is_followed_by_names_and_not_by_of_run():
    words = Selection(runs=("a",), unread=True).in_words()
    assert named_after("1 run", words) == "named a with an unread answer"
    assert named_after("No run", words) == "named a with an unread answer"
    assert named_after("3 items", words) == words
    assert named_after("2 runs", Selection(words="x").in_words()) == "with the words “x”"


def test_the_baseline_is_no_model_among_the_judges():
    assert judge_title(BASELINE.name) == "baseline, not a model"
    assert judge_title("judge-north-2") == "judge-north-2"
