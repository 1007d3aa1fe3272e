"""A selection says in words what is being looked at."""

from faithfulness.selection import Selection
from faithfulness.vocabulary import Author, AuthorKind

NORTH = Author(kind=AuthorKind.JUDGE, name="north")


def test_empty_selection_is_the_whole_store():
    assert Selection().is_everything
    assert Selection().in_words() == "in the whole store"


def test_every_part_stands_in_the_sentence():
    chosen = Selection(runs=("a", "b"), authors=(NORTH,), labels=("no_rad",), words="kettle")
    assert (
        chosen.in_words() == "in run a or b by judge north labelled no rad with the words “kettle”"
    )
    assert not chosen.is_everything
    rest = Selection(
        protocol="claim_overlap", criterion="supported", unread=True, item="i", unit="u"
    )
    assert rest.in_words() == (
        "under claim overlap on supported with an unread answer in item i at unit u"
    )


def test_long_lists_are_cut():
    assert Selection(runs=tuple("abcde")).in_words() == "in run a, b, c and 2 more"
