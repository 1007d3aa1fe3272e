"""The mechanical checks on their own cases, half of which were written before the code."""

import time
from collections.abc import Sequence

import pytest

from faithfulness.checks import CHECKS, run_all
from faithfulness.checks.check import CannotCheck, FindingRange, get_marked_words
from faithfulness.model.vocabulary import Certainty, Field, Item, make_response_unit
from faithfulness.protocols.comparative_summary import format_product
from tests.faithfulness.checks.case_files import Case, cases, score

ALL: Sequence[Case] = list(cases())
# Figures of products are allowed more: people name products in more ways than a program knows.
BARS = dict.fromkeys(CHECKS, 0.95) | {"product_figure": 0.92}


@pytest.mark.parametrize("key", CHECKS)
def test_check_has_forty_cases_half_of_them_from_before(key):
    own = [case for case in ALL if case.check == key]
    before = [case for case in own if case.written == "before"]
    assert len(own) >= 40
    assert len(before) >= 20


@pytest.mark.parametrize("written", ["before", "after", "later"])
@pytest.mark.parametrize("key", CHECKS)
def test_check_is_precise_on_its_cases(key, written):
    got = score(case for case in ALL if (case.check, case.written) == (key, written))
    print(f"{key} {written}: precision {got.precision:.3f} of {got.made}, recall {got.recall:.3f}")
    assert got.made >= 3
    assert got.precision >= BARS[key], got.wrong
    assert got.recall >= 0.6, got.wrong


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("named_source", "short facts"),
        ("named_source", "short credits"),
        ("product_figure", "page figures"),
    ],
)
def test_short_statements_are_marked_and_others_like_them_are_not(key, written):
    own = [case for case in ALL if (case.check, case.written) == (key, written)]
    got = score(iter(own))
    assert sum(not case.expect for case in own) == got.wanted == 40
    assert got.precision >= 0.95, got.wrong
    assert got.recall >= 0.95, got.wrong


@pytest.mark.parametrize(
    ("response", "says"),
    [
        ("The cord is 4 ft long.", "4 ft, but the detail page gives 2.5 ft"),
        ("The kettle is noisy.", "stands only in a review and is told without naming customers"),
        (
            "According to the seller, the kettle is noisy.",
            "told as what the detail page says, but it stands only in a review",
        ),
    ],
)
def test_a_short_statement_is_marked_as_found_with_what_stands_against_it(response, says):
    fields = (
        Field(name="response", kind="response", text=response),
        Field(name="detail_page", kind="detail_page", text="Orla kettle. Cord length: 2.5 ft."),
        Field(name="reviews", kind="reviews", text="It is noisy.\n\nBoils fast."),
    )
    (found,) = run_all(Item(id="short", fields=fields, units=())).found
    assert (found.says, found.certainty) == (says, Certainty.FOUND)


@pytest.mark.parametrize(
    ("response", "marks"),
    [
        ("The set has a hundred pieces.", ["hundred"]),
        ("It comes with three wagons.", ["three"]),
        ("It has 80 pieces and two wagons.", []),
        ("The box holds 20 track pieces.", []),
        ("The bag has five pockets.", []),
    ],
)
def test_a_list_of_the_page_counts_each_thing_apart(response, marks):
    page = "Train set, 80 pieces, beech wood. Two wagons, one engine. Bag in a case, 3 pockets."
    fields = (
        Field(name="response", kind="response", text=response),
        Field(name="detail_page", kind="detail_page", text=page),
    )
    item = Item(id="list", fields=fields, units=())
    spans = [get_marked_words(each, item) for each in run_all(item).found]
    assert [response[each.start : each.end] for each in spans if each is not None] == marks


@pytest.mark.parametrize("written", ["before", "after"])
def test_what_is_said_of_one_product_is_certain(written):
    own = [case for case in ALL if (case.check, case.written) == ("product_figure", written)]
    got = score(iter(own), only_sure=True)
    assert got.made >= 5
    assert got.precision >= 0.92, got.wrong


@pytest.mark.parametrize(
    "case",
    [each for each in ALL if each.expect is None],
    ids=lambda each: f"{each.check} {each.name}",
)
def test_what_cannot_be_read_is_said_and_never_marked(case):
    result = CHECKS[case.check].run(case.item)
    assert isinstance(result, CannotCheck)
    assert result.why


@pytest.mark.parametrize("case", ALL, ids=lambda each: f"{each.check} {each.name}")
def test_marks_of_all_checks_lie_inside_their_texts(case):
    texts = {each.name: each.text for each in case.item.fields}
    units = {each.id: each.text for each in case.item.units}
    for each in run_all(case.item).found:
        assert each.check in CHECKS
        assert each.says
        if each.within is not None:
            start, end = each.within
            assert 0 <= start < end <= len(units[each.unit_id])
        for span in (each.source, *each.candidates):
            assert span is None or 0 <= span.start < span.end <= len(texts[span.field])


@pytest.mark.parametrize("case", ALL, ids=lambda each: f"{each.check} {each.name}")
def test_items_without_sentence_units_get_the_same_marks_on_the_response(case):
    item = case.item
    whole = make_response_unit("response", item.text_of("response"))
    bare = Item(id=item.id, fields=item.fields, units=(whole,))
    cut, uncut = CHECKS[case.check].run(item), CHECKS[case.check].run(bare)
    if isinstance(cut, CannotCheck):
        assert cut == uncut
        return
    assert [get_marked_words(each, item) for each in cut] == [
        get_marked_words(each, bare) for each in uncut
    ]
    assert all(each.unit_id == "response" for each in uncut)


def test_synonyms_and_counts_never_claim_to_have_found_something():
    for case in ALL:
        for each in run_all(case.item).found:
            if each.check == "synonym" or (each.check, each.kind) == ("review_count", "many"):
                assert each.certainty is Certainty.PLEASE_CHECK


def test_words_of_a_finding_are_those_of_the_response():
    case = next(each for each in ALL if each.name == "wrong price")
    (found,) = CHECKS["product_figure"].run(case.item)
    start, end = get_marked_words(found, case.item) or FindingRange(0, 0)
    assert case.item.text_of("response")[start:end] == "$24.50"
    assert case.item.text_of("product_2")[found.source.start : found.source.end] == "$29.50"


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "“" * 400, '"' * 999, "$" * 500, "1," * 400, "★" * 300, "a" * 5000,
             "customers " * 300, "ignore " * 300, "??" * 300, "يدوم 8 ساعات", "玄米 24時間"]
)  # fmt: skip
def test_no_text_makes_a_check_fail(text):
    fields = tuple(
        Field(name=name, kind=kind, text=text)
        for name, kind in (("query", "query"), ("response", "response"), ("reviews", "reviews"),
                           ("detail_page", "detail_page"), ("product_1", "product"),
                           ("product_2", "product"))
    )  # fmt: skip
    run_all(Item(id="hostile", fields=fields, units=()))


@pytest.mark.parametrize(
    "piece", ["A", "AB ", "customers who ", 'says "A B C D E F" ', "ignore all the ", "\n ", "   ",
              "save ", "under $5 ", "rate this response ", "one of the ", "not sorry ", "? "]
)  # fmt: skip
def test_texts_made_to_be_slow_end_soon(piece):
    text = piece * (10_000 // len(piece))
    names = ("query", "response", "reviews", "detail_page")
    fields = [Field(name=name, kind=name, text=text) for name in names]
    for number in (1, 2):
        told = format_product(f"Foo{number} Bar", "$5", "$4", text)
        fields.append(Field(name=f"product_{number}", kind="product", text=told))
    start = time.process_time()
    run_all(Item(id="slow", fields=tuple(fields), units=()))
    assert time.process_time() - start < 10


@pytest.mark.parametrize("piece", ["$5 ", "The lid is 6 cm wide. ", "6 cm and ", "is noisy and "])
def test_a_page_of_figures_is_read_soon(piece):
    text = piece * (20_000 // len(piece))
    fields = tuple(
        Field(name=name, kind=name, text=text.replace("6", digit))
        for name, digit in (("response", "6"), ("detail_page", "7"), ("reviews", "8"))
    )
    start = time.process_time()
    run_all(Item(id="slow", fields=fields, units=()))
    assert time.process_time() - start < 10


def test_source_of_a_fact_is_found_at_the_end_of_many_reviews_with_nearly_its_words():
    common = "The folding lamp keeps a steady light on the {} desk all evening."
    reviews = [common.format(f"{first}{last}ish") for first in "bdfgklmnpr" for last in "aeiou" * 4]
    reviews.append(common.format("walnut writing").replace("evening", "winter"))
    said = "The folding lamp keeps a steady light on the walnut writing desk all winter."
    texts = {"response": said, "reviews": "\n\n".join(reviews), "detail_page": "A red kettle."}
    fields = tuple(Field(name=name, kind=name, text=text) for name, text in texts.items())
    (found,) = CHECKS["named_source"].run(Item(id="many", fields=fields, units=()))
    assert found.source.end == len(texts["reviews"])
