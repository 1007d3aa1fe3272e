"""Canonical sentences against hand-marked texts of eleven kinds."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from faithfulness.text.sentences import CUTTER, cut_sentences
from tests.faithfulness.text.gold_sentences import ENDING, ENDING_HELD_OUT, GOLD, HELD_OUT

CASES = [(kind, marked) for kind, cases in GOLD.items() for marked in cases]
HARD = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(" \n\t.!?…。।؟:;-—–*_#>|()[]\"'“”’「」1230aBcC\u00a0\u2003\u2028\r"),
    ),
    max_size=120,
)


def pieces(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in cut_sentences(text, language)]


def boundaries(marked: str) -> tuple[str, set[int]]:
    parts = marked.split("‖")
    return "".join(parts), {len("".join(parts[:n])) for n in range(1, len(parts))}


def f1(cases: list[str]) -> float:
    hit = missed = extra = 0
    for marked in cases:
        text, wanted = boundaries(marked)
        found = {start for start, _ in cut_sentences(text)[1:]}
        hit, missed, extra = (
            hit + len(found & wanted),
            missed + len(wanted - found),
            extra + len(found - wanted),
        )
    return 2 * hit / (2 * hit + missed + extra)


@pytest.mark.parametrize(("kind", "marked"), CASES, ids=[f"{k}-{m[:30]}" for k, m in CASES])
def test_hand_marked_text_is_cut_where_marked(kind, marked):
    text, wanted = boundaries(marked)
    assert {start for start, _ in cut_sentences(text)[1:]} == wanted


def test_gold_holds_sixty_cases_of_every_kind():
    assert len(CASES) >= 60
    assert {kind for kind, _ in CASES} >= {
        "abbreviations", "numbers", "markdown", "quotes", "addresses", "russian", "hindi",
        "chinese", "japanese", "arabic",
    }  # fmt: skip


def test_texts_never_used_for_tuning_are_cut_with_f1_above_95():
    assert f1(list(HELD_OUT)) > 0.95


@pytest.mark.parametrize("marked", ENDING)
def test_an_abbreviation_ends_its_sentence_where_marked(marked):
    text, wanted = boundaries(marked)
    assert {start for start, _ in cut_sentences(text)[1:]} == wanted


def test_abbreviations_never_used_for_tuning_end_their_sentences_with_f1_above_95():
    assert f1(list(ENDING_HELD_OUT)) > 0.95


def test_english_words_end_no_sentence_of_another_language():
    assert pieces("Er wohnt Baker St. The Corner.", "de") == ["Er wohnt Baker St. The Corner."]


def test_cutter_names_the_library_version():
    assert "sentencex-" in CUTTER


def test_capital_letter_wide_space_and_stop_do_not_panic():
    assert pieces("Plan C\u00a0. Next") == ["Plan C\u00a0.", "Next"]


def test_no_answer_by_itself_stays_a_sentence():
    assert pieces("Is it safe? No. It leaks.") == ["Is it safe?", "No.", "It leaks."]


def test_table_rule_goes_with_its_heading_row():
    assert pieces("| a | b |\n|---|---|\n| 1 | 2 |") == ["| a | b |\n|---|---|", "| 1 | 2 |"]


def test_text_without_words_is_one_piece_or_none():
    assert pieces("--- ***") == ["--- ***"]
    assert pieces(" \n ") == []
    assert pieces("") == []


@settings(max_examples=600, deadline=None)
@given(HARD)
@example("Plan C\u00a0. Next")
@example("1.\u2028a")
@example("A.\r\nB.\rC")
def test_spans_are_ordered_apart_and_cover_all_ink(text):
    spans = cut_sentences(text)
    end_before = 0
    covered = set()
    for start, end in spans:
        assert end_before <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        covered.update(range(start, end))
        end_before = end
    assert all(place in covered for place, each in enumerate(text) if not each.isspace())


@settings(max_examples=100, deadline=None)
@given(HARD, st.sampled_from(["de", "ru", "hi", "zh", "ja", "ar", "xx", ""]))
def test_any_language_name_is_accepted(text, language):
    assert all(start < end for start, end in cut_sentences(text, language))


@pytest.mark.parametrize("words", ["Mr. X ", "vs. The ", '"etc. The ', "A. "])
def test_many_abbreviations_take_no_long_time(words):
    began = time.process_time()
    cut_sentences(words * 30_000)
    assert time.process_time() - began < 3
