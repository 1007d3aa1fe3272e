"""Two versions of a text as one: everything counts, and both can be read out of it."""

import pytest

from components.evidence.word_diff.word_diff import parts

PAIRS = [
    ("Be strict.", "Be STRICT."),
    ("one two  three", "one two three"),
    ("a “quoted” word", 'a "quoted" word'),
    ("line\nline", "line\r\nline\n"),
    ("", "all new"),
    ("all gone", ""),
    ("<b>x</b> {{document}}", "<i>x</i> {{document}}"),
]


@pytest.mark.parametrize(("older", "newer"), PAIRS)
def test_both_versions_stand_in_the_parts_letter_by_letter(older, newer):
    found = parts(older, newer)
    assert "".join(text for kind, text in found if kind != "new") == older
    assert "".join(text for kind, text in found if kind != "gone") == newer
    assert {"gone", "new"} & {kind for kind, _ in found}


def test_the_same_text_has_no_change_and_only_changed_words_are_marked():
    assert parts("as it was", "as it was") == [("same", "as it was")]
    assert parts("", "") == []
    assert parts("keep the old word here", "keep the new word here") == [
        ("same", "keep the "),
        ("gone", "old"),
        ("new", "new"),
        ("same", " word here"),
    ]
