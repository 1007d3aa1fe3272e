"""Free text finds the passages that bear on it, in all sources, quickly."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.model.vocabulary import Field
from faithfulness.text.candidates import find_candidates

PAGE = Field(
    name="detail_page",
    kind="detail_page",
    text="Capacity: 1.7 litres.\nThe lid opens with one hand. Boils a litre in three minutes.",
)
REVIEWS = Field(name="reviews", kind="reviews", text="It boils fast! The lid broke after a week.")


def test_the_nearest_passage_comes_first_with_its_span():
    found = find_candidates("A litre boils in 3 minutes", [PAGE, REVIEWS])
    assert found[0].text == "Boils a litre in three minutes."
    assert PAGE.text[found[0].span.start : found[0].span.end] == found[0].text
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_passages_of_several_sources_are_found():
    assert {each.span.field for each in find_candidates("the lid", [PAGE, REVIEWS])} == {
        "detail_page",
        "reviews",
    }


def test_nothing_near_gives_nothing():
    assert (
        find_candidates("zebra", [PAGE])
        == find_candidates("", [PAGE])
        == find_candidates("lid", [])
        == ()
    )


def test_at_most_as_many_as_asked_for():
    many = Field(name="context", kind="context", text="The lid is red. " * 50)
    assert len(find_candidates("red lid", [many], most=3)) == 3


def test_a_script_without_blanks_is_searched():
    text = "色は赤です。この製品の容量は二リットルです。"
    (first, *_) = find_candidates("容量", [Field(name="context", kind="context", text=text)])
    assert first.text == "この製品の容量は二リットルです。"


def test_a_long_line_is_cut_between_words():
    text = "word " * 2_000 + "needle " + "word " * 2_000
    (found, *_) = find_candidates("needle", [Field(name="context", kind="context", text=text)])
    assert "needle" in found.text.split()
    assert len(found.text) < 400


def test_hostile_sources_end_soon():
    start = time.process_time()
    for piece in ("a", ".", "。", '"', "\n", " "):
        find_candidates("a b", [Field(name="context", kind="context", text=piece * 200_000)])
    assert time.process_time() - start < 20


@given(st.text(max_size=60), st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_spans_that_show_it(text, source):
    for each in find_candidates(text, [Field(name="context", kind="context", text=source)]):
        assert source[each.span.start : each.span.end] == each.text
        assert 0 < each.score <= 1
