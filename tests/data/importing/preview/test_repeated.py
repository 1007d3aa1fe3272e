"""Repeated: an answer that is there twice is counted, a sentence that is said twice is not."""

from data.importing.prepare import prepare
from tests.data.importing.samples import csv_of, put

ABOUT = {"id": "a", "context": "It is red.", "rater": "ana", "label": "supported"}


def warnings(tmp_path, *rows, about=ABOUT):
    path = put(tmp_path, "t.csv", csv_of([about | row for row in rows]))
    manifest = prepare([("t.csv", path)], into=tmp_path)
    return manifest.runs[0].answers, list(manifest.warnings)


def test_rows_that_are_there_again_are_counted_with_their_lines(tmp_path):
    row = {"response": "It is red. It is hot.", "sentence": "It is red.", "excerpt": "It is red."}
    told = "2 answers repeat an earlier one word for word, none kept twice: t.csv lines 3, 4."
    assert warnings(tmp_path, row, row, row) == (1, [told])
    told = "1 answer repeats an earlier one word for word, none kept twice: t.csv line 3."
    assert warnings(tmp_path, row, row, row | {"sentence": "It is hot."}) == (2, [told])


def test_another_excerpt_or_a_sentence_said_twice_is_no_repetition(tmp_path):
    row = {"response": "Yes. It is red. Yes.", "sentence": "Yes.", "excerpt": "It is"}
    assert warnings(tmp_path, row, row) == (2, [])
    row = {"response": "It is red.", "sentence": "It is red.", "excerpt": "It is"}
    assert warnings(tmp_path, row, row | {"excerpt": "red"}) == (1, [])


def test_answers_of_several_raters_in_one_row_are_counted_each(tmp_path):
    about = {"id": "a", "context": "It is red.", "response": "It is red.", "sentence": "It is red."}
    row = {"label_ana": "unsupported", "label_ben": "no_rad"}
    told = "2 answers repeat an earlier one word for word, none kept twice: t.csv line 3."
    assert warnings(tmp_path, row, row, about=about) == (2, [told])
    told = "1 answer repeats an earlier one word for word, none kept twice: t.csv line 3."
    again = row | {"label_ben": "unsupported"}
    assert warnings(tmp_path, row, again, about=about)[1] == [told]


def test_what_is_left_out_twice_is_not_said_to_be_kept(tmp_path):
    row = {"response": "It is red.", "sentence": "It is red.", "excerpt": "It is red."}
    gone = row | {"sentence": "Chairs stack high in any warehouse."}
    told = "2 answers could not be placed in the response and are left out: t.csv lines 3, 4."
    assert warnings(tmp_path, row, gone, gone) == (1, [told])
