"""What an author says about sentences of their own cut reaches the right units."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.model.protocol import Criterion
from faithfulness.model.scale import Label, Scale, Tone, make_score_scale
from faithfulness.model.vocabulary import Field, Item, Span, Unit, UnitKind
from faithfulness.replies.matching import SentenceSaid, map_to_units
from faithfulness.text.sentences import cut_sentences

LABEL = Criterion(
    key="label",
    question="How does the sentence stand to the source?",
    scale=Scale(
        labels=(
            Label(value="supported", title="Supported", tone=Tone.GOOD),
            Label(value="unsupported", title="Unsupported", tone=Tone.DOUBT),
            Label(value="contradictory", title="Contradictory", tone=Tone.BAD, contradicts=True),
            Label(value="no_rad", title="Nothing to check", tone=Tone.NEUTRAL),
        )
    ),
)
TEXT = (
    "The Lume tent sleeps two. It weighs 2.4 kilograms, which is light, and it folds into a small "
    "bag. It won a design prize. Enjoy your trip!"
)


def item_of(text: str) -> Item:
    units = tuple(
        Unit(
            id=f"s{n}",
            kind=UnitKind.SENTENCE,
            field="response",
            text=text[start:end],
            span=Span(field="response", start=start, end=end),
        )
        for n, (start, end) in enumerate(cut_sentences(text), start=1)
    )
    field = Field(name="response", kind="response", text=text)
    return Item(id="i", fields=(field,), units=units)


def read(said, *, complete=True, text=TEXT, criterion=LABEL):
    reading = map_to_units(item_of(text), criterion, said, complete=complete)
    return {answer.unit_id: answer for answer in reading.answers}, reading.notes


def own(text=TEXT):
    return [unit.text for unit in item_of(text).units]


def test_same_sentences_need_no_pieces():
    labels = ["supported", "contradictory", "unsupported", "no_rad"]
    said = [SentenceSaid(text, label) for text, label in zip(own(), labels, strict=True)]
    answers, notes = read(said)
    assert [answers[f"s{n}"].value for n in range(1, 5)] == labels
    assert all(answer.pieces == () for answer in answers.values())
    assert notes == ()


def test_blanks_and_order_do_not_matter():
    said = [SentenceSaid("\n ".join(text.split()), "supported") for text in reversed(own())]
    answers, notes = read(said)
    assert {answer.value for answer in answers.values()} == {"supported"}
    assert notes == ()


def test_unit_id_wins_over_text():
    answers, _ = read([SentenceSaid(own()[0], "supported", unit_id="s3")], complete=False)
    assert list(answers) == ["s3"]


def test_unknown_unit_id_falls_back_to_the_text():
    answers, _ = read([SentenceSaid(own()[0], "supported", unit_id="s99")], complete=False)
    assert list(answers) == ["s1"]


def test_merged_sentences_answer_on_every_unit_with_the_piece():
    joined = f"{own()[2]} {own()[3]}"
    answers, _ = read([SentenceSaid(joined, "unsupported")], complete=False)
    assert {key: answer.value for key, answer in answers.items()} == {
        "s3": "unsupported",
        "s4": "unsupported",
    }
    assert all(answer.pieces[0].text == joined for answer in answers.values())


def test_split_sentence_takes_the_most_severe_value_and_keeps_all_pieces():
    said = [
        SentenceSaid("It weighs 2.4 kilograms", "contradictory", "says 1.9", ("1.9 kilograms",)),
        SentenceSaid("which is light", "no_rad", "an opinion"),
        SentenceSaid("and it folds into a small bag.", "supported", "stated", ("small bag",)),
    ]
    answers, notes = read(said, complete=False)
    answer = answers["s2"]
    assert answer.value == "contradictory"
    assert [piece.value for piece in answer.pieces] == ["contradictory", "no_rad", "supported"]
    assert [piece.span is not None for piece in answer.pieces] == [True] * 3
    assert answer.rationale == "says 1.9\nan opinion\nstated"
    assert [excerpt.text for excerpt in answer.excerpts] == ["1.9 kilograms", "small bag"]
    assert all(excerpt.placement is None for excerpt in answer.excerpts)
    assert notes == ()


@pytest.mark.parametrize(
    ("one", "other", "worst"),
    [
        ("supported", "unsupported", "unsupported"),
        ("no_rad", "supported", "supported"),
        ("contradictory", "unsupported", "contradictory"),
    ],
)
def test_severity_goes_bad_doubt_good_neutral(one, other, worst):
    said = [
        SentenceSaid("It weighs 2.4 kilograms", one),
        SentenceSaid("and it folds into a small bag.", other),
    ]
    assert read(said, complete=False)[0]["s2"].value == worst


def test_worse_of_two_bad_scores_is_the_lower_one():
    score = Criterion(key="score", question="How good?", scale=make_score_scale("abcde"))
    said = [
        SentenceSaid("It weighs 2.4 kilograms", "2"),
        SentenceSaid("and it folds into a small bag.", "1"),
    ]
    assert read(said, complete=False, criterion=score)[0]["s2"].value == "1"


def test_one_sentence_with_two_values_is_unread():
    said = [SentenceSaid(own()[1], "contradictory"), SentenceSaid(own()[1], "supported")]
    answer = read(said, complete=False)[0]["s2"]
    assert answer.is_unread
    assert "contradictory and supported" in answer.problem


def test_one_sentence_said_twice_with_one_value_counts_once():
    said = [SentenceSaid(own()[1], "supported"), SentenceSaid(own()[1], "supported")]
    answers, _ = read(said, complete=False)
    assert answers["s2"].value == "supported"
    assert len(answers) == 1


def test_sentence_standing_twice_takes_both_values_in_order():
    text = "Yes. It works. Yes. It is cheap."
    said = [SentenceSaid("Yes.", "supported"), SentenceSaid("**Yes.**", "unsupported")]
    answers, _ = read(said, complete=False, text=text)
    assert {key: answer.value for key, answer in answers.items()} == {
        "s1": "supported",
        "s3": "unsupported",
    }


def test_unmentioned_sentence_is_unread_in_a_reply_and_unanswered_in_a_file():
    said = [SentenceSaid(own()[0], "supported")]
    assert set(read(said, complete=False)[0]) == {"s1"}
    answers, _ = read(said, complete=True)
    assert answers["s4"].problem == "the reply says nothing about this sentence"


def test_sentence_found_nowhere_becomes_a_note():
    answers, notes = read([SentenceSaid("It floats.", "supported")], complete=False)
    assert answers == {}
    assert len(notes) == 1
    assert "It floats." in notes[0]


@pytest.mark.parametrize("value", ["mostly", "Supported", "", "1"])
def test_value_off_the_scale_is_unread(value):
    answer = read([SentenceSaid(own()[0], value)], complete=False)[0]["s1"]
    assert answer.is_unread
    assert "supported, unsupported, contradictory, no_rad" in answer.problem


def test_missing_value_is_unread_with_the_authors_problem_first():
    answers, _ = read(
        [SentenceSaid(own()[0], None), SentenceSaid(own()[1], None, problem="illegible")],
        complete=False,
    )
    assert answers["s1"].problem == "the sentence has no label"
    assert answers["s2"].problem == "illegible"


def test_one_unreadable_part_leaves_the_whole_sentence_unread():
    said = [
        SentenceSaid("It weighs 2.4 kilograms", "mostly"),
        SentenceSaid("and it folds into a small bag.", "supported"),
    ]
    answer = read(said, complete=False)[0]["s2"]
    assert answer.is_unread
    assert len(answer.pieces) == 2


def test_unit_that_lies_nowhere_in_the_text_is_still_met_by_its_words():
    item = item_of(TEXT)
    adrift = Unit(
        id="s9", kind=UnitKind.SENTENCE, field="response", text="Quite another one.", span=None
    )
    item = Item(id="i", fields=item.fields, units=(*item.units, adrift))
    said = [SentenceSaid("Quite  another one.", "no_rad")]
    reading = map_to_units(item, LABEL, said, complete=False)
    assert [answer.unit_id for answer in reading.answers] == ["s9"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(st.tuples(TEXTS, st.sampled_from([*LABEL.scale.values, "x", None]))))
def test_any_reply_gives_one_answer_for_every_unit(text, pairs):
    item = item_of(text)
    said = [SentenceSaid(each, value) for each, value in pairs]
    reading = map_to_units(item, LABEL, said, complete=True)
    assert [answer.unit_id for answer in reading.answers] == [unit.id for unit in item.units]
    assert all((answer.value is None) == bool(answer.problem) for answer in reading.answers)


@pytest.mark.parametrize("word", ["Lume", "two", "2.4 kilograms", "bag", "It"])
def test_short_words_that_stand_in_the_response_are_never_said_to_be_absent(word):
    answers, notes = read([SentenceSaid(word, "unsupported")], complete=False)
    assert notes == ()
    (answer,) = answers.values()
    (piece,) = answer.pieces
    placed = TEXT[piece.span.start : piece.span.end]
    assert (piece.text, placed.rstrip(".,")) == (word, word)
    assert piece.value == "unsupported"


def test_words_inside_a_longer_word_are_left_out_and_the_note_says_where_they_stand():
    answers, notes = read([SentenceSaid("kilo", "unsupported")], complete=False)
    assert answers == {}
    assert notes == ("in the response only inside a longer word: “kilo” (unsupported)",)


@pytest.mark.parametrize(("start", "unit"), [(0, "s1"), (21, "s2"), (32, "s4")])
def test_repeated_words_are_placed_at_their_offsets(start, unit):
    text = "Oslo is cold. I like Oslo. Yes. Oslo it is."
    said = [SentenceSaid("Oslo", "unsupported", start=start, end=start + 4)]
    answers, _ = read(said, complete=False, text=text)
    assert list(answers) == [unit]
    assert [(each.span.start, each.span.end) for each in answers[unit].pieces] == [
        (start, start + 4)
    ]


def test_part_of_a_word_is_placed_at_its_offsets():
    at = TEXT.index("kilo")
    said = [SentenceSaid("kilo", "unsupported", start=at, end=at + 4)]
    assert list(read(said, complete=False)[0]) == ["s2"]


def test_offsets_go_before_the_order_of_equal_sentences():
    text = "Yes. It works. Yes."
    answers, _ = read([SentenceSaid("Yes.", "no_rad", start=15, end=19)], complete=False, text=text)
    assert list(answers) == ["s3"]
    assert answers["s3"].pieces == ()
