"""Repeated: a row that is there twice is counted, a sentence that is said twice is not."""

from data.importers.prepare import prepare
from tests.data.importers.samples import csv_of, put

ABOUT = {"id": "a", "context": "It is red.", "rater": "ana", "label": "supported"}


def warnings(tmp_path, *rows):
    path = put(tmp_path, "t.csv", csv_of([ABOUT | row for row in rows]))
    manifest = prepare([("t.csv", path)], into=tmp_path)
    return manifest.runs[0].answers, list(manifest.warnings)


def test_rows_that_are_there_again_are_counted_with_their_lines(tmp_path):
    row = {"response": "It is red. It is hot.", "sentence": "It is red.", "excerpt": "It is red."}
    told = "2 rows repeat an earlier one word for word, kept as one answer: t.csv lines 3, 4."
    assert warnings(tmp_path, row, row, row) == (1, [told])
    told = "1 row repeats an earlier one word for word, kept as one answer: t.csv line 3."
    assert warnings(tmp_path, row, row, row | {"sentence": "It is hot."}) == (2, [told])


def test_another_excerpt_or_a_sentence_said_twice_is_no_repetition(tmp_path):
    row = {"response": "Yes. It is red. Yes.", "sentence": "Yes.", "excerpt": "It is"}
    assert warnings(tmp_path, row, row) == (2, [])
    row = {"response": "It is red.", "sentence": "It is red.", "excerpt": "It is"}
    assert warnings(tmp_path, row, row | {"excerpt": "red"}) == (1, [])
