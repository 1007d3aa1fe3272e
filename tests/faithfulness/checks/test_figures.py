"""Figures of a text are found again in the sources, or marked as found nowhere."""

from faithfulness.checks.figures import match_figures
from faithfulness.model.vocabulary import Field

PRODUCTS = (
    Field(name="product_1", kind="product", text="Title: A\nFinal price: $149.00\nRated 4.5 stars"),
    Field(name="product_2", kind="product", text="Final price: $99.00\n12 % found it loud"),
)


def found(text: str) -> list[tuple[str, str, list[str]]]:
    texts = {each.name: each.text for each in PRODUCTS}
    return [
        (
            each.kind,
            text[each.start : each.end],
            [texts[span.field][span.start : span.end] for span in each.found],
        )
        for each in match_figures(text, PRODUCTS)
    ]


def test_a_price_is_linked_to_the_product_that_has_it():
    assert found("It costs $149.") == [("price", "$149", ["$149.00"])]


def test_a_figure_that_no_product_gives_is_found_nowhere():
    assert found("It costs $150.00.") == [("price", "$150.00", [])]


def test_percentages_and_ratings_are_figures_and_counts_are_not():
    text = "Rated 4.5 stars; 12% call it loud, 3 like it."
    assert [(kind, len(places)) for kind, _, places in found(text)] == [
        ("rating", 1),
        ("percentage", 1),
    ]


def test_a_share_in_words_is_found_where_its_rounding_stands():
    source = Field(name="context", kind="context", text="33 % found it loud, 80 % heavy.")
    (figure,) = match_figures("A third of the buyers found it loud.", [source])
    assert [source.text[span.start : span.end] for span in figure.found] == ["33 %"]
