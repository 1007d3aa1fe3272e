"""A selection survives the address bar, and a crafted address narrows nothing by accident."""

from urllib.parse import parse_qs, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from components.ui.address import build_parameters, link, parse_author_key, parse_selection
from faithfulness.model.selection import AGREEMENTS, CLASHES, PLACEMENTS, Selection
from faithfulness.model.vocabulary import Author, AuthorKind

WORDS = st.text(
    alphabet=st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=40
)
AUTHORS = st.builds(Author, kind=st.sampled_from(AuthorKind), name=WORDS.filter(bool))
SELECTIONS = st.builds(
    Selection,
    protocol=WORDS,
    runs=st.lists(WORDS.filter(bool), max_size=3).map(tuple),
    authors=st.lists(AUTHORS, max_size=3).map(tuple),
    systems=st.lists(WORDS.filter(bool), max_size=3).map(tuple),
    criterion=WORDS,
    labels=st.lists(WORDS.filter(bool), max_size=3).map(tuple),
    by=st.sampled_from(["", *AuthorKind]).map(str),
    placements=st.lists(st.sampled_from(sorted(PLACEMENTS)), max_size=3).map(tuple),
    clashes=st.lists(st.sampled_from(sorted(CLASHES)), max_size=3).map(tuple),
    agreements=st.lists(st.sampled_from(sorted(AGREEMENTS)), max_size=3).map(tuple),
    slices=st.lists(st.tuples(WORDS, WORDS), max_size=3).map(tuple),
    unread=st.booleans(),
    words=WORDS,
    item=WORDS,
    unit=WORDS,
    listed=WORDS,
    sort=WORDS,
    group=WORDS,
    at=WORDS,
)


@given(SELECTIONS)
def test_a_selection_comes_back_from_its_address(selection):
    assert parse_selection(build_parameters(selection)) == selection
    query = urlsplit(link("item", selection)).query
    assert parse_selection(parse_qs(query, keep_blank_values=True)) == selection


def test_an_empty_selection_has_a_bare_address():
    assert link("item", Selection()) == "/item"
    assert build_parameters(Selection()) == {}


def test_an_author_of_no_known_kind_is_nobody():
    assert parse_author_key("robot:x") is None
    assert parse_author_key("judge:") is None
    assert parse_author_key("judge:a:b") == Author(kind=AuthorKind.JUDGE, name="a:b")


def test_a_crafted_address_stays_small():
    found = parse_selection({"run": ["x" * 10_000] * 10_000, "words": ["'; drop table runs; --"]})
    assert len(found.runs) == 50
    assert {len(run) for run in found.runs} == {500}
    assert found.words == "'; drop table runs; --"


def test_a_slice_whose_key_holds_a_colon_comes_back():
    said = Selection(slices=(("time: of day%3A", "9:30"),))
    assert parse_selection(build_parameters(said)) == said
    assert parse_selection({"slice": ["no colon"]}) == Selection()


def test_leaving_out_texts_that_speak_to_their_judge_stands_in_the_address():
    calm = Selection(protocol="expert_rubric", addressed="out")
    assert build_parameters(calm) == {"protocol": ["expert_rubric"], "addressed": ["out"]}
    assert parse_selection(build_parameters(calm)) == calm
    assert parse_selection({"addressed": ["in"]}) == Selection()
    assert calm.in_words().endswith("without texts that speak to their judge")
    wary = Selection(trapped="out")
    assert parse_selection(build_parameters(wary)) == wary
    assert parse_selection({"trapped": ["in"]}) == Selection()
    assert wary.in_words() == "without items on which a judge fell into a trap"
