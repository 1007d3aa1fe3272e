"""What the rating form is told, and which item comes next."""

import pandas as pd

from components.rating.plan import build_item_plan, pieces
from components.rating.profile import clean_name
from components.rating.queue_bar import find_next_item, format_progress, waiting
from components.rating.turn import RatingRequest
from data.samples.sample import iter_drafts
from faithfulness.intake.intake import take_in
from faithfulness.review.rating import GUIDED

TEXT = "  A kettle 🫖 of 2 l.\n\nIt is red. Really?  "
NONE = pd.DataFrame({"seconds": []})


def queue(**columns: list[bool]) -> pd.DataFrame:
    names = ("is_rated", "is_begun", "is_full", "is_assigned", "is_calibration")
    blank = {name: [False] * 4 for name in names}
    return pd.DataFrame({"item_id": list("abcd"), **blank, **columns})


def test_pieces_are_the_whole_text_and_know_where_they_begin():
    found = pieces(TEXT)
    assert "".join(words for _, words, _ in found) == TEXT
    assert all(TEXT[start : start + len(words)] == words for start, words, _ in found)
    assert [words for _, words, is_sentence in found if is_sentence][1] == "It is red."


def test_items_begun_come_first_and_full_ones_go_unless_begun():
    found = queue(
        is_rated=[True, False, False, False],
        is_begun=[False, False, False, True],
        is_full=[False, True, False, True],
    )
    assert waiting(found, "open") == ["d", "c"]
    assert waiting(found, "rated") == ["a"]
    assert waiting(found, "assigned") == []


def test_a_corrected_item_waits_again_until_it_is_signed():
    found = queue(is_rated=[True] * 4, is_begun=[False, True, False, False])
    assert waiting(found, "open") == ["b"]


def test_the_next_item_is_a_neighbour_or_none():
    assert find_next_item(["a", "b"], "a", RatingRequest(signed=True)) == "b"
    assert find_next_item(["a", "b"], "b", RatingRequest(signed=True)) == ""
    assert find_next_item(["a", "b"], "b", RatingRequest(go=-1)) == "a"
    assert find_next_item(["a", "b"], "x", RatingRequest(go=1)) == ""


def test_progress_counts_only_the_own_work():
    found = queue(is_rated=[True, False, False, False], is_assigned=[True, True, False, False])
    assert format_progress(found, NONE) == "1 of 4 items rated by you · assigned 1 of 2"


def test_a_name_is_one_printable_line():
    assert clean_name("  Ana\n\u202e Lu  ") == "Ana Lu"
    assert clean_name(None) == ""
    assert clean_name(f"{'a' * 79} b") == "a" * 79  # cut, and no blank is left at its end
    assert clean_name("Jose\u0301  Luis ") == "Jos\u00e9 Luis"


def test_every_step_of_a_form_has_the_hints_of_its_own_words():
    drafted = [each for each in iter_drafts() if each.protocol in ("sentence_grounding", GUIDED)]
    told = {GUIDED: 0, "sentence_grounding": 0}
    for draft in drafted:
        plan = build_item_plan(take_in(draft).item, draft.protocol)
        texts = {unit["id"]: unit["text"] for unit in plan["units"]}
        for unit, found in plan["hints"].items():
            told[draft.protocol] += len(found)
            assert all(not each["words"] or each["words"] in texts[unit] for each in found)
    assert min(told.values()) > 10
