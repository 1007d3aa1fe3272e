"""A judge's own sentences come to the canonical sentences they mean."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.text.alignment import align_sentences
from faithfulness.text.sentences import cut_sentences
from tests.shared_data import SHARED, needs_shared

TEXT = (
    "The Lume tent sleeps two people. It weighs 2.4 kilograms, which is light, and it folds into "
    "a small bag. The **flysheet** is green [1]. It won a design prize in 2021. Enjoy your trip!"
)
SPANS = cut_sentences(TEXT)
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


def meant(said: str) -> str | None:
    match = align_sentences([said], TEXT, SPANS)[0]
    return None if match is None else TEXT[match.start : match.end]


@pytest.mark.parametrize(
    ("said", "method", "wanted"),
    [
        ("The Lume tent sleeps two people.", "equal", (0, 0)),
        ("the lume tent sleeps two people", "equal", (0, 0)),
        ("- The flysheet is green.", "equal", (2, 2)),
        ("It weighs 2.4 kilograms, which is light", "inside", (1, 1)),
        ("and it folds into a small bag", "inside", (1, 1)),
        ("The flysheet is green. It won a design prize in 2021.", "similar", (2, 3)),
        ("It won a design prize in 2021. Enjoy your trip!", "inside", (3, 4)),
        ("In 2021 it won a prize for its design.", "similar", (3, 3)),
        ("The Lume tent can sleep two persons.", "similar", (0, 0)),
        ("It won a design prize in 2020.", "similar", (3, 3)),
    ],
)
def test_sentence_finds_what_it_means(said, method, wanted):
    match = align_sentences([said], TEXT, SPANS)[0]
    assert match is not None
    assert (match.first, match.last) == wanted
    assert match.method == method
    assert match.score >= 62


@pytest.mark.parametrize(
    "said",
    ["It floats.", "Bananas are rich in potassium and cheap.", "", "…", "No", "prize", "—!?"],
)
def test_invented_or_empty_sentence_finds_nothing(said):
    assert align_sentences([said], TEXT, SPANS) == [None]


def test_split_sentence_keeps_the_characters_of_its_part():
    assert meant("and it folds into a small bag.") == "and it folds into a small bag."
    assert meant("It weighs 2.4 kilograms") == "It weighs 2.4 kilograms,"


@pytest.mark.parametrize(
    ("said", "text", "wanted"),
    [
        ("No.", "Answer: No. Wipe it.", "No."),
        ("No", "No, it leaks.", "No,"),
        ("No", "The answer is no, so: No", "No"),
        ("Yes.", "She said, “Yes. Wipe it.”", "Yes."),
        ("Dry it.", "Do this now: Dry\nit. Then wait.", "Dry\nit."),
    ],
)
def test_short_sentence_is_found_inside_a_longer_one(said, text, wanted):
    match = align_sentences([said], text, [(0, len(text))])[0]
    assert match is not None
    assert (text[match.start : match.end], match.method) == (wanted, "inside")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("No.", "Say no. Always."),
        ("It", "It works."),
        ("A.", "Plan BA. Then go."),
        ("No.", "Not so."),
    ],
)
def test_short_words_that_stand_there_by_chance_are_not_found(said, text):
    assert align_sentences([said], text, [(0, len(text))]) == [None]


def test_short_sentence_is_looked_for_from_where_its_author_was():
    text = "On the first one: No. On the second one: No. Done."
    spans = [(0, 22), (22, len(text))]
    assert [match and match.first for match in align_sentences(["No."], text, spans)] == [0]
    found = align_sentences(["On the second one", "No."], text, spans)
    assert [match and match.first for match in found] == [1, 1]


def test_order_of_the_judge_does_not_matter():
    said = [TEXT[start:end] for start, end in reversed(SPANS)]
    assert [match and match.first for match in align_sentences(said, TEXT, SPANS)] == [
        4,
        3,
        2,
        1,
        0,
    ]


def test_repeated_sentence_is_taken_in_order():
    text = "Yes. It works. Yes. It is cheap. Yes."
    spans = cut_sentences(text)
    found = align_sentences(["Yes.", "It works.", "Yes", "It is cheap.", "yes!"], text, spans)
    assert [match and match.first for match in found] == [0, 1, 2, 3, 4]


def test_text_without_sentences_matches_nothing():
    assert align_sentences(["a", "b"], "", []) == [None, None]


def test_long_text_is_searched_by_shared_words():
    rng = random.Random(3)
    words = [f"{a}{b}" for a in ("bar", "lin", "mo", "ket") for b in ("der", "ta", "sol", "vik")]
    own = [" ".join(rng.choices(words, k=9)).capitalize() + "." for _ in range(200)]
    text = " ".join(own)
    said = [" ".join([*each.rstrip(".").split()[:-1], "indeed"]) for each in own]
    found = align_sentences(said, text, cut_sentences(text))
    right = sum(match is not None and match.first == n for n, match in enumerate(found))
    assert right >= 190


@settings(max_examples=300, deadline=None)
@given(st.lists(ANY, max_size=4), ANY)
def test_any_text_gives_spans_inside_it(said, text):
    spans = cut_sentences(text)
    for match in align_sentences(said, text, spans):
        if match is not None:
            assert 0 <= match.first <= match.last < len(spans)
            assert spans[match.first][0] <= match.start < match.end <= spans[match.last][1]
            assert 62 <= match.score <= 100


@settings(max_examples=200, deadline=None)
@given(ANY.filter(lambda text: any(each.isalnum() for each in text)))
def test_a_texts_own_sentences_all_match_whole(text):
    spans = cut_sentences(text)
    said = [text[start:end] for start, end in spans]
    matches = align_sentences(said, text, spans)
    for each, match in zip(said, matches, strict=True):
        if any(letter.isalnum() for letter in each):
            assert match is not None


@needs_shared
def test_138_of_151_real_sentences_are_verbatim_and_nearly_all_align():
    path = SHARED / "factcheck_gpt" / "factcheck-GPT-benchmark.jsonl"
    verbatim = aligned = total = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        said = [each["text"] for each in row["sentences"].values()]
        matches = align_sentences(said, row["response"], cut_sentences(row["response"]))
        total += len(said)
        verbatim += sum(each in row["response"] for each in said)
        aligned += sum(match is not None for match in matches)
    assert (total, verbatim) == (151, 138)
    assert aligned >= 149


@needs_shared
def test_sentences_of_other_real_answers_are_hardly_ever_matched():
    path = SHARED / "factcheck_gpt" / "factcheck-GPT-benchmark.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    answers = [row["response"] for row in rows]
    false = total = 0
    for number, text in enumerate(answers):
        other = answers[(number + 7) % len(answers)]
        foreign = [other[a:b] for a, b in cut_sentences(other) if b - a > 25]
        false += sum(
            match is not None for match in align_sentences(foreign, text, cut_sentences(text))
        )
        total += len(foreign)
    assert total > 100
    assert false / total <= 0.02


def test_of_lines_that_differ_in_their_number_alone_the_one_with_that_number_is_meant():
    text = "5. Boil the water twice.\n6. Add the tea leaves.\n7. Boil the water twice."
    spans = cut_sentences(text)
    said = ["7. Boil the water twice.", "Boil the water twice."]
    seventh, unnumbered = align_sentences(said, text, spans)
    assert seventh is not None
    assert unnumbered is not None
    assert (seventh.first, unnumbered.first) == (2, 0)
