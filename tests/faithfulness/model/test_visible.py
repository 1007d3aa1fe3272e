"""Foreign text in a line of its own: spelt out, folded, and no longer than a line should be."""

from hypothesis import given
from hypothesis import strategies as st

from faithfulness.model.visible import HIDDEN, LONGEST, escape_brief, escape_line


def test_a_text_cannot_begin_a_line_or_write_over_one():
    assert escape_line("a\r\nStored 9 runs.\tb\x1b[2J") == "a Stored 9 runs. b␛[2J"


def test_indents_of_our_own_stay():
    assert escape_line("  a  b") == "  a  b"


def test_a_long_text_is_cut_and_says_so():
    assert escape_brief("x" * LONGEST) == "x" * LONGEST
    assert escape_brief("x" * 10_000) == "x" * (LONGEST - 1) + "…"
    assert escape_brief("\x1b\x1b\x1b", 2) == "␛…"


@given(st.text(max_size=300))
def test_whatever_it_is_one_line_comes_out_that_can_be_sent(text):
    for line in (escape_line(text), escape_brief(text)):
        assert len(line.splitlines()) <= 1
        assert not HIDDEN.search(line)
        line.encode("utf-8")
