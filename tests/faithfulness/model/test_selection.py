"""A selection says in words what is being looked at."""

from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind

NORTH = Author(kind=AuthorKind.JUDGE, name="north")


def test_empty_selection_is_the_whole_store():
    assert Selection().is_everything
    assert Selection().in_words() == "in the whole store"


def test_every_part_stands_in_the_sentence():
    chosen = Selection(runs=("a", "b"), authors=(NORTH,), labels=("no_rad",), words="kettle")
    assert (
        chosen.in_words() == "of run a or b by judge north labelled no rad with the words “kettle”"
    )
    assert not chosen.is_everything
    rest = Selection(
        protocol="claim_overlap", criterion="supported", unread=True, item="i", unit="u"
    )
    assert rest.in_words() == (
        "under claim overlap on supported with an unread answer in item i at unit u"
    )


def test_long_lists_are_cut():
    assert Selection(runs=tuple("abcde")).in_words() == "of run a, b, c and 2 more"


def test_names_stand_for_keys_and_kinds_of_author_are_said():
    names = {"r1": "Run A", "true": "Supported", "sentence_grounding": "Sentence grounding"}
    chosen = Selection(runs=("r1",), labels=("true",), by="rater", protocol="sentence_grounding")
    assert chosen.in_words(names) == (
        "of run Run A under sentence grounding that raters call supported"
    )


def test_clash_placement_agreement_and_slice_are_said_in_plain_words():
    chosen = Selection(
        systems=("alpha",),
        placements=("absent",),
        clashes=("number", "negation"),
        agreements=("judge_alone",),
        slices=(("market", "de"),),
    )
    assert chosen.in_words() == (
        "of system alpha with a quote that is in no source with numbers that clash or with a "
        "negation against it where judges say so alone where market is de"
    )
