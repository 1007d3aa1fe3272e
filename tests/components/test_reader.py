"""What the reader sends to the browser: whole texts, cut at the borders of their marks."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.reader.said import Opinions, may_follow, said_about, title
from components.reader.segments import Mark, segments
from components.reader.texts import reviewed_texts, source_texts
from faithfulness.protocols import PROTOCOLS
from faithfulness.vocabulary import (
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

PROTOCOL = PROTOCOLS["sentence_grounding"]
RESPONSE = "It is 🔋 light. It floats."
CONTEXT = "Weighs 🪶 90 g. Sinks."
ANA = Author(kind=AuthorKind.RATER, name="Ana")
JUDGE = Author(kind=AuthorKind.JUDGE, name="small")
ITEM = Item(
    id="i1",
    fields=(
        Field(name="query", kind="query", text="Is it light?"),
        Field(name="response", kind="response", text=RESPONSE),
        Field(name="context", kind="context", text=CONTEXT),
    ),
    units=(
        Unit(
            id="s1",
            kind=UnitKind.SENTENCE,
            field="response",
            text=RESPONSE[:14],
            span=Span(field="response", start=0, end=14),
        ),
        Unit(
            id="s2",
            kind=UnitKind.SENTENCE,
            field="response",
            text=RESPONSE[15:],
            span=Span(field="response", start=15, end=len(RESPONSE)),
        ),
    ),
)


def signed(number: int, author: Author, unit: str, value: str | None, **more) -> Annotation:
    return Annotation(
        number=number,
        run_id="r1",
        item_id="i1",
        answer=Answer(unit_id=unit, criterion="label", value=value, **more),
        author=author,
        signed_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


FOUND = Excerpt(
    text="90 g",
    placement=Placement(
        tier=Tier.VERBATIM, spans=(Span(field="context", start=9, end=13),), coverage=1.0
    ),
)
ABSENT = Excerpt(text="100 g", placement=Placement(tier=Tier.ABSENT))
ANNOTATIONS = (
    signed(1, JUDGE, "s1", "supported", excerpts=(FOUND,)),
    signed(2, ANA, "s1", "unsupported", excerpts=(ABSENT,)),
    signed(3, JUDGE, "s2", None, problem="the reply stops here"),
)
OPINIONS = Opinions(annotations=ANNOTATIONS, shown=JUDGE)


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70))))
def test_segments_put_together_are_the_text(text, ranges):
    marks = [Mark(start, end, str(number)) for number, (start, end) in enumerate(ranges)]
    found = segments(text, marks)
    assert "".join(words for words, _ in found) == text
    for mark in marks:
        covered = "".join(words for words, names in found if mark.name in names)
        assert covered == text[max(0, mark.start) : max(0, mark.end)]


def test_units_carry_the_labels_of_the_shown_author():
    said = said_about(ITEM, PROTOCOL, OPINIONS)
    (text,) = reviewed_texts(ITEM, PROTOCOL, OPINIONS, said)
    assert [unit["look"]["title"] for unit in text["units"]] == ["Supported", "Unread"]
    assert [unit["differ"] for unit in text["units"]] == [True, False]
    assert "".join(words for words, _ in text["segments"]) == RESPONSE


def test_people_come_before_judges_and_nothing_is_left_out():
    said = said_about(ITEM, PROTOCOL, OPINIONS)
    assert [each.author for each in said["s1"]] == ["Ana", "small"]
    assert said["s2"][0].problem == "the reply stops here"


def test_an_excerpt_says_how_it_was_found_and_its_place_is_marked():
    said = said_about(ITEM, PROTOCOL, OPINIONS)
    (quote,) = said["s1"][1].quotes
    assert (quote.found, quote.where, quote.missing) == ("Word for word", "Context", False)
    (invented,) = said["s1"][0].quotes
    assert invented.missing
    assert invented.found == "Not in any source"
    (source,) = source_texts(ITEM, PROTOCOL, said)
    assert [words for words, names in source["segments"] if quote.id in names] == ["90 g"]


def test_fields_with_a_number_are_named_with_it():
    assert title("product_2", "product") == "Product 2"
    assert title("context", "context") == "Context"


@pytest.mark.parametrize("address", ["http://a.b/c?d#e", "https://a.b", "https://a.b/%20x"])
def test_web_addresses_may_be_followed(address):
    assert may_follow(address)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        r"\\server\share",
        "//a.b/c",
        "http:alert(1)",
        "http://",
        "https://a.b/ x",
        "http://a.b\\@c.d",
        "http://[::1",
        "review 12, line 3",
        "",
    ],
)
def test_everything_else_stays_text(address):
    assert not may_follow(address)
