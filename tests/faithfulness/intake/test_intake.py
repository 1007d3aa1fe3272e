"""A draft is taken in whole: units, answers, placements, summaries, complaints with lines."""

import json
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.intake.intake import take_in
from faithfulness.intake.units import FILE_CUT
from faithfulness.model.drafts import Draft, DraftAnswer, Number, RawReply
from faithfulness.model.vocabulary import Author, AuthorKind, Field, Tier, UnitKind
from faithfulness.text.sentences import CUTTER
from tests.shared_data import SHARED, needs_shared

ANN = Author(kind=AuthorKind.RATER, name="Ann")
BEN = Author(kind=AuthorKind.RATER, name="Ben")
JUDGE = Author(kind=AuthorKind.JUDGE, name="a judge")
CONTEXT = Field(
    name="context",
    kind="context",
    text="The Lume tent sleeps two people and weighs 1.9 kilograms. The flysheet is green.",
)
RESPONSE = Field(
    name="response",
    kind="response",
    text="The Lume tent sleeps two. It weighs 2.4 kilograms. It won a design prize.",
)
REFERENCE = Field(
    name="reference", kind="reference", text="The tent is green. It was made in Oslo in 2021."
)


def grounding(*said, **more):
    return Draft("sentence_grounding", "sys", "1", (CONTEXT, RESPONSE), said, **more)


def sentence(author, value, text, **more):
    return DraftAnswer(author, "label", value, UnitKind.SENTENCE, text=text, **more)


def claim(author, value, text, **more):
    return DraftAnswer(author, "supported", value, UnitKind.CLAIM, text=text, **more)


def overlap(*said, **more):
    return Draft("claim_overlap", "sys", "t", (RESPONSE, REFERENCE), said, **more)


def values(taken, author):
    return {
        each.answer.unit_id: each.answer.value for each in taken.signed if each.author == author
    }


def test_every_item_gets_its_sentences_and_the_whole_response():
    taken = take_in(grounding())
    assert [unit.id for unit in taken.item.units] == ["s1", "s2", "s3", "response"]
    assert taken.item.cutter == CUTTER
    assert taken.item.units[1].text == "It weighs 2.4 kilograms."
    assert taken.item.units[-1].span.end == len(RESPONSE.text)


def test_item_without_a_response_has_no_such_unit_unless_somebody_names_it():
    topic = (Field(name="topic", kind="topic", text="Tents"),)
    silent = take_in(Draft("claim_overlap", "sys", "t", topic, (claim(ANN, "true", "It is red"),)))
    assert [unit.kind for unit in silent.item.units] == [UnitKind.CLAIM]
    score = DraftAnswer(ANN, "accuracy", "3", UnitKind.RESPONSE)
    named = take_in(Draft("expert_rubric", "sys", "t", topic, (score,)))
    assert [unit.id for unit in named.item.units] == ["response"]
    reply = RawReply(JUDGE, "no verdict at all")
    judged = take_in(Draft("expert_rubric", "sys", "t", topic, (), replies=(reply,)))
    assert [unit.id for unit in judged.item.units] == ["response"]
    assert {each.answer.unit_id for each in judged.signed} == {"response"}


def test_raters_sentences_meet_on_the_same_units():
    taken = take_in(
        grounding(
            sentence(ANN, "no_rad", "The Lume tent sleeps two.", line=3),
            sentence(BEN, "unsupported", "the lume tent sleeps two", line=4),
        )
    )
    assert values(taken, ANN) == {"s1": "no_rad"}
    assert values(taken, BEN) == {"s1": "unsupported"}
    assert [each.line for each in taken.signed] == [3, 4]
    assert all(each.reply_no is None for each in taken.signed)


def test_excerpts_are_placed_in_the_sources():
    taken = take_in(
        grounding(
            sentence(ANN, "supported", "The Lume tent sleeps two.", excerpts=["sleeps two people"]),
            sentence(
                ANN,
                "contradictory",
                "It weighs 2.4 kilograms.",
                excerpts=["weighs about two kilograms", "It won a design prize"],
            ),
        )
    )
    tiers = [[excerpt.placement.tier for excerpt in each.answer.excerpts] for each in taken.signed]
    assert tiers == [[Tier.VERBATIM], [Tier.SIMILAR, Tier.ABSENT]]


def test_answer_whose_excerpts_are_placed_keeps_everything_else():
    said = DraftAnswer(
        ANN, "consistency", "yes_evidence", UnitKind.RESPONSE, rationale="because",
        excerpts=("The flysheet is green",), links=("https://example.org",), checks=("a",),
        comment="see there", confidence=0.5, parts=((0, 3, "true"),),
    )  # fmt: skip
    draft = Draft("response_consistency", "sys", "1", (CONTEXT, RESPONSE), (said,))
    answer = take_in(draft).signed[0].answer
    assert answer.excerpts[0].placement.tier is Tier.VERBATIM
    empty = [each.name for each in fields(answer) if not getattr(answer, each.name)]
    assert empty == ["problem"]


def test_reference_claim_quotes_the_response_and_the_other_way_round():
    taken = take_in(
        overlap(
            claim(ANN, "true", "It sleeps two", excerpts=["The tent is green"]),
            claim(ANN, "true", "Green", field="reference", excerpts=["It won a design prize"]),
        )
    )
    spans = [each.answer.excerpts[0].placement.spans[0].field for each in taken.signed]
    assert spans == ["reference", "response"]


def test_reply_is_read_by_the_protocol_and_keeps_its_number():
    reply = "\n".join(
        json.dumps({"sentence": text, "label": label, "rationale": "r", "excerpt": excerpt})
        for text, label, excerpt in [
            ("The Lume tent sleeps two.", "supported", "sleeps two people"),
            ("It weighs 2.4 kilograms.", "contradictory", "weighs 1.9 kilograms"),
            ("It floats.", "supported", "sleeps two people"),
        ]
    )
    taken = take_in(
        grounding(replies=(RawReply(JUDGE, "", line=1), RawReply(JUDGE, reply, line=2)))
    )
    last = [each for each in taken.signed if each.reply_no == 1]
    assert [each.answer.value for each in last] == ["supported", "contradictory", None]
    assert last[2].answer.is_unread
    assert [each.answer.excerpts[0].placement.tier for each in last[:2]] == [Tier.VERBATIM] * 2
    assert taken.notes[0][0] == 0
    assert taken.notes[1][0] == 1
    assert any("It floats." in note for note in taken.notes[1][1])
    # The later reply of the same judge counts, the empty one before it does not.
    ((author, summary, given_number),) = taken.summaries
    assert (author, summary.value, given_number) == (JUDGE, 0.5, False)


def test_the_same_claim_twice_is_two_units_and_raters_meet_on_them():
    given_by = ((ANN, "true"), (ANN, "false"), (BEN, "false"), (BEN, None))
    said = [
        claim(who, value, "It is light.", sentence="It weighs 2.4 kilograms.")
        for who, value in given_by
    ]
    taken = take_in(overlap(*said))
    claims = taken.item.units_of(UnitKind.CLAIM)
    assert len(claims) == 2
    assert list(values(taken, ANN).values()) == ["true", "false"]
    assert list(values(taken, BEN).values()) == ["false", None]
    assert list(values(taken, ANN)) == list(values(taken, BEN)) == [unit.id for unit in claims]
    assert not any(each.answer.is_unread for each in taken.signed)


def test_claim_has_the_span_of_its_sentence_where_it_is_known():
    taken = take_in(
        overlap(
            claim(ANN, "true", "a", sentence="It weighs 2.4 kilograms."),
            claim(ANN, "true", "b", sentence="it won a prize for design"),
            claim(ANN, "true", "c", sentence="Bananas are rich in potassium."),
            claim(ANN, "true", "d"),
            claim(ANN, "true", "e", field="reference", sentence="The tent is green."),
        )
    )
    texts = [
        taken.item.text_of(unit.span.field)[unit.span.start : unit.span.end] if unit.span else None
        for unit in taken.item.units_of(UnitKind.CLAIM)
    ]
    assert texts == ["It weighs 2.4 kilograms.", "It won a design prize.", None, None,
                     "The tent is green."]  # fmt: skip


def test_files_own_cut_becomes_the_units():
    cut = ["The Lume tent sleeps two. It weighs 2.4", "kilograms.", "It won a  design prize!",
           "Not in the text at all, really."]  # fmt: skip
    taken = take_in(grounding(sentence(ANN, "no_rad", cut[3]), cut=cut))
    units = taken.item.units_of(UnitKind.SENTENCE)
    assert taken.item.cutter == FILE_CUT
    assert [unit.text for unit in units] == cut
    assert [unit.span and RESPONSE.text[unit.span.start : unit.span.end] for unit in units] == [
        cut[0], cut[1], "It won a design prize.", None,
    ]  # fmt: skip
    assert values(taken, ANN) == {"s4": "no_rad"}


def test_repeated_sentences_of_a_files_cut_take_their_places_in_order():
    text = Field(name="response", kind="response", text="Yes. It works. Yes.")
    draft = Draft("sentence_grounding", "s", "1", (text,), cut=["Yes.", "It works.", "Yes."])
    spans = [unit.span.start for unit in take_in(draft).item.units_of(UnitKind.SENTENCE)]
    assert spans == [0, 5, 15]


def test_known_item_keeps_its_units_and_gains_new_claims():
    known = take_in(grounding(cut=[RESPONSE.text])).item
    taken = take_in(grounding(sentence(ANN, "unsupported", "It won a design prize.")), known)
    assert taken.item == known
    assert values(taken, ANN) == {"s1": "unsupported"}
    assert taken.signed[0].answer.pieces[0].text == "It won a design prize."
    first = take_in(overlap(claim(ANN, "true", "a"))).item
    second = take_in(overlap(claim(BEN, "true", "a"), claim(BEN, "true", "b")), first).item
    assert second.units[: len(first.units)] == first.units
    assert len(second.units) == len(first.units) + 1


def test_marked_parts_become_pieces():
    said = DraftAnswer(
        ANN,
        "label",
        "unsupported",
        UnitKind.SENTENCE,
        text="It won a design prize.",
        parts=[(51, 57, "contradictory"), (60, 999, "x")],
        line=8,
    )
    taken = take_in(grounding(said))
    (piece,) = taken.signed[0].answer.pieces
    assert (piece.text, piece.value) == ("It won", "contradictory")
    assert any(line == 8 and "60 to 999" in text for _, line, text in taken.complaints)


def test_given_numbers_are_kept_as_given():
    numbers = (Number(JUDGE, "F1", 0.25), Number(JUDGE, "recall", None))
    taken = take_in(overlap(numbers=numbers))
    found = [(s.name, s.value, s.counted, is_given) for _, s, is_given in taken.summaries]
    assert found == [("F1", 0.25, 1, True), ("recall", None, 0, True)]


def test_summaries_are_one_for_each_author():
    taken = take_in(
        grounding(
            sentence(ANN, "supported", "The Lume tent sleeps two.", excerpts=["sleeps two"]),
            sentence(ANN, "unsupported", "It won a design prize."),
            sentence(BEN, "unsupported", "It won a design prize."),
        )
    )
    assert [(author, summary.value) for author, summary, _ in taken.summaries] == [
        (ANN, 0.5),
        (BEN, 0.0),
    ]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (sentence(ANN, "mostly", "It won a design prize.", line=7), "mostly"),
        (sentence(ANN, "no_rad", "It floats.", line=7), "It floats."),
        (sentence(ANN, "supported", "It won a design prize.", line=7), "excerpt"),
        (sentence(ANN, "no_rad", "", line=7), "without text"),
        (
            DraftAnswer(ANN, "tone", "x", UnitKind.SENTENCE, text="It floats.", line=7),
            "no criterion",
        ),
    ],
)
def test_what_does_not_fit_is_complained_about_with_its_line(said, words):
    complaints = take_in(grounding(said)).complaints
    assert any(line == 7 and words in text for _, line, text in complaints)


def test_two_different_scores_of_one_rater_are_unread():
    fields = (RESPONSE, Field(name="product_1", kind="product", text="A tent."))
    said = [
        DraftAnswer(ANN, "faithfulness", value, UnitKind.RESPONSE, line=line)
        for value, line in (("4", 1), ("2", 2))
    ]
    taken = take_in(Draft("comparative_summary", "s", "1", fields, said, file="a.csv"))
    assert taken.signed[0].answer.is_unread
    told = "response, faithfulness: answered twice: 4 (a.csv line 1) and 2 (a.csv line 2)"
    assert any(line == 2 and told in text for _, line, text in taken.complaints)


@pytest.mark.parametrize("order", [1, -1])
def test_a_double_is_told_with_both_places_also_where_one_cannot_be_read(order):
    good = sentence(ANN, "no_rad", "It won a design prize.", line=7)
    bad = good._replace(value=None, problem="the file says 'maybe'; expected one of …", line=8)
    words = ["no_rad (a.csv line 7)", "the file says 'maybe' (a.csv line 8)"][::order]
    taken = take_in(grounding(*[good, bad][::order])._replace(file="a.csv"))
    (answer,) = (each.answer for each in taken.signed)
    assert answer.is_unread
    assert answer.problem.startswith("answered twice: ")
    (told,) = (text for _, _, text in taken.complaints if "twice" in text)
    assert f"answered twice: {' and '.join(words)}; neither counts" in told


def test_rows_that_say_the_same_are_one_answer_with_the_excerpts_of_both():
    one = sentence(ANN, "supported", "It won a design prize.", line=7)
    rows = [one._replace(excerpts=(text,)) for text in ("light", "tent")]
    (signed,) = take_in(grounding(*rows)).signed
    assert signed.answer.value == "supported"
    assert [each.text for each in signed.answer.excerpts] == ["light", "tent"]


def test_items_meet_by_content_whatever_the_file_calls_them():
    one = take_in(grounding()).item
    other = take_in(grounding()._replace(external_id="another", system="x")).item
    assert one.id == other.id


ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


@settings(max_examples=150, deadline=None)
@given(ANY, ANY, st.lists(ANY, max_size=4), st.one_of(st.none(), st.lists(ANY, max_size=4)), ANY)
def test_any_text_is_taken_in(context, response, texts, own_cut, excerpt):
    fields = (
        Field(name="context", kind="context", text=context),
        Field(name="response", kind="response", text=response),
    )
    said = [sentence(ANN, "supported", text, excerpts=[excerpt]) for text in texts]
    said += [claim(ANN, "true", text, sentence=text)._replace(criterion="label") for text in texts]
    draft = Draft("sentence_grounding", "s", "1", fields, said, cut=own_cut)
    taken = take_in(draft._replace(replies=(RawReply(JUDGE, excerpt),)))
    sentences = taken.item.units_of(UnitKind.SENTENCE)
    ends = 0
    for unit in sorted((u for u in sentences if u.span), key=lambda u: u.span):
        assert ends <= unit.span.start < unit.span.end <= len(response)
        ends = unit.span.end
    known = {unit.id for unit in taken.item.units}
    assert {each.answer.unit_id for each in taken.signed} <= known


@needs_shared
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("clean", ["supported", "contradictory", "unsupported", "no_rad"]),
        ("order", ["supported", "contradictory", "unsupported", "no_rad"]),
        ("extra", ["supported", "contradictory", "unsupported", "no_rad"]),
        ("missing", ["supported", None, "unsupported", "no_rad"]),
        ("conflict", ["supported", None, "unsupported", "no_rad"]),
        ("unknown_label", [None, "contradictory", "unsupported", "no_rad"]),
        ("empty", [None] * 4),
        ("refusal", [None] * 4),
    ],
)
def test_hostile_reply_ends_as_it_must(name, wanted):
    folder = SHARED / "hostile" / "replies"
    item = json.loads((folder / "item.json").read_text(encoding="utf-8"))
    fields = (
        Field(name="context", kind="context", text=item["context_document"]),
        Field(name="response", kind="response", text=item["response"]),
    )
    reply = (folder / f"{name}.txt").read_text(encoding="utf-8")
    taken = take_in(
        Draft("sentence_grounding", "s", "1", fields, replies=(RawReply(JUDGE, reply),))
    )
    assert [unit.text for unit in taken.item.units_of(UnitKind.SENTENCE)] == item["units"]
    assert [each.answer.value for each in taken.signed] == wanted
