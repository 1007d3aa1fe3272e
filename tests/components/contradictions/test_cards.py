"""A card holds the unit in its text, the source's words, and where the two clash."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from components.contradictions.cards import count_speakers
from components.contradictions.evidence import LONGEST, collect_evidence, neighbours
from components.ui.contradiction_lists import (
    AGREEMENT,
    CLASH,
    LISTS,
    PLACEMENT,
    about,
    build_chip_groups,
    describe_list,
)
from components.ui.filter_options import build_filter_choices
from data.contradictions.contradictions import BITS
from data.contradictions.contradictions import LISTS as STORED_LISTS
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Field,
    Item,
    Placement,
    Span,
    Tier,
    Unit,
    UnitKind,
)
from faithfulness.protocols import PROTOCOLS

RESPONSE = "Hello 😀. The kettle holds 2.5 litres. Good day."
CONTEXT = "It is blue. The kettle holds 1.7 litres. It is sold."
QUOTE = "The kettle holds 1.7 litres."


def unit_at(text: str, words: str, kind: UnitKind = UnitKind.SENTENCE) -> Unit:
    start = text.index(words)
    span = Span(field="response", start=start, end=start + len(words))
    return Unit(id="s2", kind=kind, field="response", text=words, span=span)


def item_with(unit: Unit, response: str = RESPONSE) -> Item:
    return Item(
        id="i",
        fields=(
            Field(name="context", kind="context", text=CONTEXT),
            Field(name="response", kind="response", text=response),
        ),
        units=(unit,),
    )


def said(name: str, *excerpts: Excerpt, links: tuple[str, ...] = ()) -> Annotation:
    answer = Answer(
        unit_id="s2", criterion="label", value="contradictory", excerpts=excerpts, links=links
    )
    return Annotation(
        number=1,
        run_id="r",
        item_id="i",
        answer=answer,
        author=Author(kind=AuthorKind.RATER, name=name),
        signed_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def placed(words: str = QUOTE) -> Excerpt:
    start = CONTEXT.index(words)
    span = Span(field="context", start=start, end=start + len(words))
    return Excerpt(text=words, placement=Placement(tier=Tier.VERBATIM, spans=(span,), coverage=1.0))


def test_the_clash_is_cut_out_in_both_texts_and_the_texts_stay_whole():
    unit = unit_at(RESPONSE, "The kettle holds 2.5 litres.")
    found = collect_evidence(item_with(unit), unit, [said("ada", placed()), said("ben", placed())])
    (quote,) = found.quotes
    assert quote.by == ("ada", "ben")
    assert quote.where == "Context"
    assert quote.found == "Word for word"
    assert any("2.5" in words and names for words, names in found.unit.segments)
    assert any("1.7" in words and names for words, names in quote.passage.segments)
    whole = "".join(words for words, _ in found.unit.segments)
    assert found.unit.before + whole + found.unit.behind == RESPONSE
    source = "".join(words for words, _ in quote.passage.segments)
    assert quote.passage.before + source + quote.passage.behind == CONTEXT


def test_an_absent_quote_keeps_its_own_words_and_is_told():
    unit = unit_at(RESPONSE, "The kettle holds 2.5 litres.")
    gone = Excerpt(text="purple walruses", placement=Placement(tier=Tier.ABSENT))
    (quote,) = collect_evidence(item_with(unit), unit, [said("ada", gone)]).quotes
    assert quote.missing
    assert quote.found == "In no source"
    assert quote.passage.segments == [("purple walruses", [])]


def near(text: str) -> Excerpt:
    placement = placed().placement
    assert placement is not None
    return Excerpt(text=text, placement=replace(placement, tier=Tier.NEAR, coverage=0.9))


def test_words_that_a_quote_alters_are_marked_as_the_reader_marks_them():
    unit = unit_at(RESPONSE, "The kettle holds 2.5 litres.")
    altered = near("The kettle holds about 1.9 litres.")
    quotes = collect_evidence(item_with(unit), unit, [said("ada", altered, placed())]).quotes
    assert [quote.passage.before for quote in quotes] == ["It is blue. "] * 2
    first, second = quotes
    assert "".join(part for _, part, _ in first.parts) == altered.text
    assert ("changed", "about 1.9", "1.7") in first.parts
    assert first.found == "With another number or a “not”: 1.9 litres against 1.7 litres"
    assert second.parts == ()


def test_of_a_long_quote_the_words_beside_what_differs_are_kept():
    unit = unit_at(RESPONSE, "The kettle holds 2.5 litres.")
    long = f"{'a b ' * 300}{CONTEXT}{' c d' * 300}"
    whole = Excerpt(
        text=long.replace("1.7", "1.9"),
        placement=Placement(
            tier=Tier.NEAR, spans=(Span(field="context", start=0, end=len(long)),), coverage=0.9
        ),
    )
    item = replace(item_with(unit), fields=(Field(name="context", kind="context", text=long),))
    (quote,) = collect_evidence(item, unit, [said("ada", whole)]).quotes
    assert ("changed", "1.9", "1.7") in quote.parts
    shown = "".join(part for _, part, _ in quote.parts)
    assert shown.startswith("…")
    assert "It is blue. The kettle holds 1.9 litres. It is sold." in shown
    assert shown.endswith("…")
    assert len(shown) < 200


def test_more_quotes_than_fit_are_counted_and_links_are_kept_once():
    unit = unit_at(RESPONSE, "The kettle holds 2.5 litres.")
    many = [Excerpt(text=f"words {n}", placement=Placement(tier=Tier.ABSENT)) for n in range(5)]
    found = collect_evidence(item_with(unit), unit, [said("ada", *many, links=("x", "x", "y"))])
    assert len(found.quotes) == 3
    assert found.left == 2
    assert found.links == ("x", "y")


def test_a_long_unit_is_cut_around_its_first_clash():
    words = "word " * 400 + "The kettle holds 2.5 litres. " + "word " * 400
    unit = unit_at(words, words, UnitKind.RESPONSE)
    found = collect_evidence(item_with(unit, words), unit, [said("ada", placed())])
    shown = "".join(text for text, _ in found.unit.segments)
    assert len(shown) <= LONGEST + 2
    assert shown.strip("…") in words


def test_a_claim_shows_the_sentence_it_came_from():
    span = Span(field="response", start=0, end=len("Hello 😀."))
    unit = Unit(
        id="c", kind=UnitKind.CLAIM, field="response", text="Somebody says hello.", span=span
    )
    found = collect_evidence(item_with(unit), unit, [])
    assert found.unit.origin == "Hello 😀."


def test_neighbours_are_cut_at_blanks_and_say_so():
    text = "a" * 50 + " " + "b " * 200 + "MIDDLE" + " c" * 200
    at = text.index("MIDDLE")
    before, behind = neighbours(text, at, at + 6)
    assert before.startswith("…b")
    assert behind.endswith("c…")
    assert neighbours("one two", 0, 7) == ("", "")


@pytest.mark.parametrize(
    ("part", "titles"), [("agreement", AGREEMENT), ("clash", CLASH), ("placement", PLACEMENT)]
)
def test_every_word_that_the_store_counts_has_a_title(part, titles):
    assert list(titles) == list(BITS[part])
    assert tuple(LISTS) == STORED_LISTS


def test_nothing_found_is_told_apart_from_nobody_looked():
    counts = {part: dict.fromkeys(words, 0) for part, words in BITS.items()}
    counts["placement"]["verbatim"] = 3
    groups = {
        each.name: each
        for each in build_chip_groups("contradicted", dict.fromkeys(LISTS, 3), counts, Selection())
    }
    assert groups["clash"].note == "Not looked for"
    counts["clash"]["none"] = 3
    groups = {
        each.name: each
        for each in build_chip_groups("contradicted", dict.fromkeys(LISTS, 3), counts, Selection())
    }
    assert groups["clash"].note == ""


def test_what_is_shown_is_said_in_one_sentence():
    chosen = Selection(runs=("r",), labels=("supported",), by="rater")
    words = describe_list("contradicted", {UnitKind.SENTENCE: 12}, chosen, {"r": "A"})
    assert words == "contradicted sentences of run A that raters call supported"
    assert describe_list("contradicted", {UnitKind.SENTENCE: 1}, Selection(), {}) == (
        "contradicted sentence"
    )
    mixed = {UnitKind.SENTENCE: 1, UnitKind.RESPONSE: 1}
    assert describe_list("unfounded", mixed, Selection(), {}).startswith(
        "units called contradicted"
    )


def test_what_narrows_a_list_stands_beside_its_noun():
    of_run, called = Selection(runs=("r",)), {"r": "helpdesk-bot"}
    assert describe_list("clashing", {}, of_run, called) == (
        "units of run helpdesk-bot, called supported although a clash is found"
    )
    assert describe_list("clashing", {UnitKind.SENTENCE: 2}, Selection(), {}) == (
        "sentences called supported although a clash is found"
    )
    assert describe_list("not_supported", {}, of_run, called) == (
        "claims of run helpdesk-bot, called not supported"
    )


def test_every_list_says_what_it_counts_also_where_nothing_is_on_it():
    assert LISTS["not_supported"] == "Claims not supported"
    assert all(about(which, 0) for which in LISTS)
    for total in (0, 3):
        assert "unsupported contradict nothing" in about("not_supported", total)
        assert "quotes" in about("clashing", total)


def test_twin_titles_of_labels_say_their_protocol():
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame(
        [("protocol", key, key) for key in PROTOCOLS], columns=["part", "value", "title"]
    )
    (labels,) = build_filter_choices(rows, PROTOCOLS, ("label",))
    assert labels.titles["supported"] == "Supported"
    assert labels.titles["true"] == "Supported (claim overlap)"
    assert len(set(labels.titles.values())) == len(labels.titles)


def test_a_decision_stands_apart_from_the_voices_that_are_counted():
    ann, ben = said("ann"), said("ben")
    eve = replace(said("eve"), author=Author(kind=AuthorKind.ADJUDICATOR, name="eve"))
    assert count_speakers([ann, ben], [ann]) == "1 of 2 authors"
    assert count_speakers([eve, ann, ben], [eve, ann]) == "1 of 2 authors and the decision"
    assert count_speakers([ann, ben, eve], [ann]) == "1 of 2 authors, decided otherwise"
    assert count_speakers([eve], [eve]) == "decided"
