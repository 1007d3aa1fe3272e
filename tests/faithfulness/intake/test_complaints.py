"""Complaints that differ only in their unit are told once, with their places."""

from data.importing.preview.preview import Complaint
from faithfulness.intake.complaints import group_complaints

NEEDS = "supported needs an excerpt, and there is none"


def complaint(line, text, file="long.csv"):
    return Complaint(file=file, line=line, text=text)


def test_one_sentence_over_and_over_is_told_once_with_its_first_lines():
    (found,) = group_complaints(
        [complaint(line, f"s{line % 4}, label: {NEEDS}") for line in range(2, 61)]
    )
    assert found.in_words == f"59 × label: {NEEDS}"
    assert found.first_lines == "2, 3, 4 and 56 more"
    assert found.place == "long.csv lines 2, 3, 4 and 56 more"


def test_a_single_complaint_keeps_its_unit():
    (found,) = group_complaints([complaint(1200, f"s1, label: {NEEDS}")])
    assert found.in_words == f"s1, label: {NEEDS}"
    assert found.place == "long.csv line 1,200"


def test_other_labels_criteria_and_files_stay_apart():
    told = [
        complaint(2, f"s1, label: {NEEDS}"),
        complaint(3, f"s1, label: {NEEDS.replace('supported', 'contradictory')}"),
        complaint(4, f"s1, other: {NEEDS}"),
        complaint(5, f"s1, label: {NEEDS}", "second.csv"),
    ]
    assert [each.lines for each in group_complaints(told)] == [[2], [3], [4], [5]]


def test_a_place_without_a_line_names_the_file_only():
    assert group_complaints([complaint(0, "odd"), complaint(0, "odd")])[0].place == "long.csv"
