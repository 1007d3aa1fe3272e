"""A card of what checks found holds each statement beside the words of a source against it."""

from components.contradictions.cards import MOST_FINDINGS, build_finding_rows
from components.contradictions.evidence import AROUND, LONGEST, UnitEvidence
from faithfulness.model.contradiction import Contradiction, UnitCase
from faithfulness.model.vocabulary import Field, Item, Span, Unit, UnitKind

FIRST, SECOND = "Oakline costs $80.00.", "Brisk costs $120.00."
RESPONSE = f"Hello 😀. {FIRST} {SECOND} Good day."
PRODUCT = "Title: Oakline\nFinal price: $120.00"


def place(text, words, field="response"):
    start = text.index(words)
    return Span(field=field, start=start, end=start + len(words))


def price(statement, words, *, response=RESPONSE, source=None):
    return Contradiction(
        check="Figures of the products",
        kind="price differs",
        clash="number",
        says=f"{words}, but it is another",
        statement=place(response, statement),
        words=place(response, words),
        source=source or place(PRODUCT, "$120.00", "product_1"),
    )


def case(*found, unit=None, response=RESPONSE, product=PRODUCT):
    fields = (
        Field(name="product_1", kind="product", text=product),
        Field(name="response", kind="response", text=response),
    )
    whole = Span(field="response", start=0, end=len(response))
    unit = unit or Unit(
        id="response", kind=UnitKind.RESPONSE, field="response", text=response, span=whole
    )
    item = Item(id="i", fields=fields, units=(unit,))
    return UnitCase(
        run_id="r",
        run_name="r",
        system="s",
        protocol="comparative_summary",
        external_id="x",
        item=item,
        unit=unit,
        number=1,
        of=1,
        annotations=(),
        contradictions=found,
    )


def marked(passage):
    return [words for words, names in passage.segments if names]


def whole(passage):
    return passage.before + "".join(words for words, _ in passage.segments) + passage.behind


def test_a_whole_response_has_a_row_for_each_statement_with_what_is_against_it():
    found = (price(FIRST, "$80.00"), price(FIRST, "Oakline"), price(SECOND, "$120.00"))
    rows = build_finding_rows(case(*found))
    assert [marked(row.unit) for row in rows] == [["Oakline", "$80.00"], ["$120.00"]]
    assert [whole(row.unit) for row in rows] == [RESPONSE] * 2
    assert [len(row.quotes) for row in rows] == [2, 1]
    quote = rows[0].quotes[0]
    assert (marked(quote.passage), whole(quote.passage)) == (["$120.00"], PRODUCT)
    assert (quote.where, quote.found) == ("Product 1", "Figures of the products")
    assert quote.clashes == ("$80.00, but it is another",)


def test_a_sentence_has_one_row_and_a_claim_keeps_its_own_words():
    sentence = Unit(
        id="s2",
        kind=UnitKind.SENTENCE,
        field="response",
        text=FIRST,
        span=place(RESPONSE, FIRST),
    )
    (row,) = build_finding_rows(
        case(price(FIRST, "$80.00"), price(FIRST, "Oakline"), unit=sentence)
    )
    assert marked(row.unit) == ["Oakline", "$80.00"]
    assert len(row.quotes) == 2
    claim = Unit(
        id="c",
        kind=UnitKind.CLAIM,
        field="response",
        text="Eighty dollars is its price.",
        span=place(RESPONSE, FIRST),
    )
    (row,) = build_finding_rows(case(price(FIRST, "$80.00"), unit=claim))
    assert row.unit.segments == [("Eighty dollars is its price.", [])]
    assert row.unit.origin == FIRST


def test_long_texts_are_cut_around_the_words_and_their_ends_are_told():
    long_statement = f"{'word ' * 400}{FIRST}{' word' * 400}"
    product = f"{'fact ' * 400}$120.00{' fact' * 400}"
    found = price(
        long_statement,
        "$80.00",
        response=long_statement,
        source=place(product, "$120.00", "product_1"),
    )
    (row,) = build_finding_rows(case(found, response=long_statement, product=product))
    assert marked(row.unit) == ["$80.00"]
    assert len(whole(row.unit)) <= LONGEST + 2
    (quote,) = row.quotes
    assert marked(quote.passage) == ["$120.00"]
    assert len(whole(quote.passage)) <= 2 * AROUND + 20
    review = place(product, product, "product_1")
    (row,) = build_finding_rows(
        case(price(long_statement, "$80.00", response=long_statement, source=review),
             response=long_statement, product=product)
    )  # fmt: skip
    assert marked(row.quotes[0].passage) == []
    assert len(whole(row.quotes[0].passage)) <= LONGEST + 2


def test_what_has_no_places_is_told_at_the_unit():
    found = Contradiction(check="Quoted reviews", kind="x", clash="quote", says="review differs")
    (row,) = build_finding_rows(case(found))
    assert isinstance(row, UnitEvidence)
    assert whole(row.unit) == RESPONSE
    assert list(row.quotes[0].passage.segments) == []
    assert row.quotes[0].clashes == ("Review differs",)


def test_only_the_first_findings_of_a_response_with_many_are_on_its_card():
    rows = build_finding_rows(case(*[price(FIRST, "$80.00")] * (MOST_FINDINGS + 2)))
    assert sum(len(row.quotes) for row in rows) == MOST_FINDINGS
