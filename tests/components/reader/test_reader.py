"""What the reader sends to the browser: whole texts, cut at the borders of their marks."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.evidence.segments import TextMark, segments
from components.reader.annotation_view import Opinions, build_opinions, may_follow, title
from components.reader.item_view import find_nearest_unit
from components.reader.reader import (
    build_reader_data,
    build_reviewed_texts,
    build_source_texts,
    list_evidence_places,
)
from components.reader.views import build_author_views, choose_default_author
from data.samples.sample import iter_drafts
from faithfulness.intake.intake import place_excerpts, take_in
from faithfulness.intake.units import select_sources
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Field,
    Item,
    Piece,
    Placement,
    Span,
    Tier,
    Unit,
    UnitKind,
)
from faithfulness.protocols import PROTOCOLS

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
OPINIONS = Opinions(annotations=ANNOTATIONS)


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70))))
def test_segments_put_together_are_the_text(text, ranges):
    marks = [TextMark(start, end, str(number)) for number, (start, end) in enumerate(ranges)]
    found = segments(text, marks)
    assert "".join(words for words, _ in found) == text
    for mark in marks:
        covered = "".join(words for words, names in found if mark.name in names)
        assert covered == text[max(0, mark.start) : max(0, mark.end)]


def view_of(author: Author, annotations=ANNOTATIONS):
    opinions = Opinions(annotations=annotations)
    views = build_author_views(ITEM, PROTOCOL, opinions, build_opinions(ITEM, PROTOCOL, opinions))
    return next(each for each in views if each["author"] == author.name)


def test_every_author_has_a_view_with_their_labels_and_their_number():
    judge = view_of(JUDGE)
    assert judge["looks"] == {"s1": "supported", "s2": "unread"}
    assert judge["numbers"] == [("Supported share", "1.00", "1 of 2")]
    assert view_of(ANA)["looks"] == {"s1": "unsupported"}


def test_a_decision_is_shown_with_its_reason_and_what_went_wrong():
    eve = Author(kind=AuthorKind.ADJUDICATOR, name="Eve")
    decided = (*ANNOTATIONS, signed(7, eve, "s1", "supported"))
    reasons = ((7, "supported", "90 g is light", "rater_wrong"),)
    told = build_reader_data(ITEM, PROTOCOL.key, decided, reasons)["said"]["s1"]
    assert (told[0]["reason"], told[0]["error_class"]) == ("90 g is light", "Rater wrong")
    assert not [each for each in told[1:] if "reason" in each or "error_class" in each]


def test_a_decision_that_takes_another_back_says_which_and_no_number_of_the_store():
    eve = Author(kind=AuthorKind.ADJUDICATOR, name="Eve")
    reasons = ((7, "unsupported", "too quick", ""), (8, "supported", "Takes decision 7 back", ""))
    said = Opinions(annotations=(signed(8, eve, "s1", "supported"),), reasons=reasons)
    ((told,),) = build_opinions(ITEM, PROTOCOL, said).values()
    assert told.reason == "Takes back Unsupported, for which the reason was: too quick"
    ((told,),) = build_opinions(ITEM, PROTOCOL, replace(said, reasons=reasons[1:])).values()
    assert told.reason == "Takes back what was decided after it"


def test_raters_who_differ_are_counted_in_the_colour_of_their_label():
    ben, cem = (Author(kind=AuthorKind.RATER, name=name) for name in ("Ben", "Cem"))
    more = (signed(4, ben, "s1", "unsupported"), signed(5, cem, "s1", "supported"))
    assert view_of(JUDGE, (*ANNOTATIONS, *more))["differ"] == {
        "s1": [2, 3, "raters", "unsupported"]
    }


def test_a_decision_is_no_rater_who_differs():
    eve = Author(kind=AuthorKind.ADJUDICATOR, name="Eve")
    decided = (*ANNOTATIONS, signed(4, eve, "s1", "unsupported"))
    assert view_of(JUDGE, decided)["differ"] == {"s1": [1, 1, "raters", "unsupported"]}


def test_an_adjudicator_has_a_number_once_every_unit_is_decided():
    eve = Author(kind=AuthorKind.ADJUDICATOR, name="Eve")
    part = (*ANNOTATIONS, signed(4, eve, "s1", "unsupported"))
    assert view_of(eve, part)["numbers"] == [("Supported share", "—", "1 of 2 decided")]
    assert view_of(eve, part)["about"] == "Supported share, 1 of 2 decided"
    whole = (*part, signed(5, eve, "s2", "supported"))
    assert view_of(eve, whole)["numbers"] == [("Supported share", "0.50", "2 of 2")]
    assert view_of(eve, whole)["about"] == "Supported share, 2 of 2 counted"


def test_a_column_counts_raters_and_judges_and_tells_the_decision_apart():
    eve = Author(kind=AuthorKind.ADJUDICATOR, name="Eve")

    def told(*decisions):
        return build_reader_data(ITEM, PROTOCOL.key, (*ANNOTATIONS, *decisions))["voices"]

    undecided = {"supported": "1 of 2 authors", "unsupported": "1 of 2 authors"}
    assert told()["s1"] == {"all": "2 answers", "of": undecided}
    assert told()["s2"] == {"all": "1 answer", "of": {}}  # one alone needs no count
    sided = told(signed(4, eve, "s1", "supported"))["s1"]
    assert sided["all"] == "2 answers, 1 decision"
    assert sided["of"] == undecided | {"supported": "1 of 2 authors and the decision"}
    alone = told(signed(4, eve, "s1", "contradictory"), signed(5, eve, "s2", "supported"))
    assert alone["s1"]["of"]["contradictory"] == "the decision, none of 2 authors"
    assert alone["s2"]["of"]["Unread"] == "1 of 1 author"


def test_nothing_differs_from_an_unread_answer():
    more = (signed(4, ANA, "s2", "supported"),)
    assert "s2" not in view_of(JUDGE, (*ANNOTATIONS, *more))["differ"]
    assert "s2" not in view_of(ANA, (*ANNOTATIONS, *more))["differ"]


def test_where_no_rater_spoke_other_judges_are_compared():
    other = Author(kind=AuthorKind.JUDGE, name="large")
    only = (signed(1, JUDGE, "s1", "supported"), signed(2, other, "s1", "contradictory"))
    assert view_of(JUDGE, only)["differ"] == {"s1": [1, 1, "judges", "contradictory"]}


def test_a_judges_own_cut_covers_what_it_joined():
    whole = Span(field="response", start=0, end=len(RESPONSE))
    piece = Piece(text=RESPONSE, span=whole, value="contradictory", score=100.0)
    joined = tuple(
        signed(number, JUDGE, unit, "contradictory", pieces=(piece,))
        for number, unit in enumerate(("s1", "s2"), start=1)
    )
    (cut,) = view_of(JUDGE, joined)["cuts"]
    assert cut["units"] == ["s1", "s2"]
    assert cut["look"]["title"] == "Contradictory"
    (text,) = build_reviewed_texts(ITEM, PROTOCOL, Opinions(annotations=joined))
    covered = "".join(words for words, names in text["segments"] if cut["id"] in names)
    assert covered == RESPONSE


def test_a_departing_answer_says_so_beside_its_reason():
    unit = Unit(id="response", kind=UnitKind.RESPONSE, field="response", text=RESPONSE, span=None)
    item = replace(ITEM, units=(*ITEM.units, unit))
    first = Piece(
        text=RESPONSE[:14],
        span=ITEM.units[0].span,
        value="no_contrary_evidence",
        score=100.0,
    )
    second = replace(first, text=RESPONSE[15:], span=ITEM.units[1].span, value=None)
    answers = [
        ("yes_evidence", ANA, {"rationale": "A misprint."}),
        ("no_contrary_evidence", JUDGE, {}),
    ]
    annotations = []
    for number, (value, author, more) in enumerate(answers):
        given = signed(number, author, "response", value, pieces=(first, second), **more)
        answer = replace(given.answer, criterion="consistency", links=("https://a.example",))
        annotations.append(replace(given, answer=answer))
    protocol = PROTOCOLS["response_consistency"]
    ana, judge = build_opinions(item, protocol, Opinions(annotations=annotations))["response"]
    assert "which imply “No: contrary evidence”" in ana.departs
    assert [how for _, how in ana.pieces] == ["Clashes with a source", "Found nowhere"]
    assert "departs" in ana.as_data()
    assert "departs" not in judge.as_data()


def test_the_inner_of_two_units_owns_the_words_and_a_lost_unit_is_kept():
    inner = Unit(
        id="s3",
        kind=UnitKind.SENTENCE,
        field="response",
        text="light",
        span=Span(field="response", start=8, end=13),
    )
    lost = Unit(id="s4", kind=UnitKind.SENTENCE, field="response", text="gone", span=None)
    item = replace(ITEM, units=(*ITEM.units, inner, lost))
    (text,) = build_reviewed_texts(item, PROTOCOL, OPINIONS)
    owners = {names[0]: words for words, names in text["segments"] if len(names) > 1}
    assert owners == {"s3": RESPONSE[8:13]}
    assert [unit["id"] for unit in text["units"] if not unit["placed"]] == ["s4"]
    assert "".join(words for words, _ in text["segments"]) == RESPONSE


def test_people_come_before_judges_and_nothing_is_left_out():
    said = build_opinions(ITEM, PROTOCOL, OPINIONS)
    assert [each.author for each in said["s1"]] == ["Ana", "small"]
    assert said["s2"][0].problem == "the reply stops here"


def test_an_excerpt_says_how_it_was_found_and_its_place_is_marked():
    said = build_opinions(ITEM, PROTOCOL, OPINIONS)
    (quote,) = said["s1"][1].quotes
    assert (quote.found, quote.where, quote.missing) == ("word for word", "Context", False)
    (source,) = build_source_texts(ITEM, PROTOCOL, list_evidence_places(said, ()))
    assert [words for words, names in source["segments"] if quote.id in names] == ["90 g"]


@pytest.mark.parametrize("key", PROTOCOLS)
def test_every_excerpt_that_was_found_is_marked_in_the_text_it_stands_in(key):
    """Also where a text is both reviewed and quoted from, as each article of a claim check is."""
    protocol = PROTOCOLS[key]
    checked = set()
    for item in (take_in(each).item for each in iter_drafts() if each.protocol == key):
        for unit in item.units_of(protocol.unit):
            for source in select_sources(item, protocol.checked_against[unit.field], unit.field):
                words = source.text[5:40].strip()
                answer = Answer(
                    unit_id=unit.id,
                    criterion=protocol.criteria[0].key,
                    value=protocol.criteria[0].scale.values[0],
                    excerpts=(Excerpt(text=words),),
                )
                (placed,) = place_excerpts([answer], item, protocol)
                said = replace(signed(1, JUDGE, unit.id, None), answer=placed)
                data = build_reader_data(item, key, (said,))
                texts = [*data["reviewed"], *data["sources"]]
                (span,) = placed.excerpts[0].placement.spans
                (text,) = (each for each in texts if each["name"] == span.field)
                marked = "".join(part for part, names in text["segments"] if "1.0" in names)
                assert marked == item.text_of(span.field)[span.start : span.end]
                checked.add((unit.field, source.kind))
    assert checked


def test_an_absent_excerpt_about_a_claim_is_compared_with_the_other_article_alone():
    texts = {"response": "The bridge opened in 1932.", "reference": "The bridge opened in 1923."}
    item = Item(
        id="i2",
        fields=tuple(Field(name=name, kind=name, text=text) for name, text in texts.items()),
        units=(
            Unit(id="c1", kind=UnitKind.CLAIM, field="reference", text="It opened.", span=None),
        ),
    )
    answer = Answer(unit_id="c1", criterion="supported", value="true", excerpts=(ABSENT,))
    said = replace(signed(1, JUDGE, "c1", None), item_id="i2", answer=answer)
    overlap = PROTOCOLS["claim_overlap"]
    (told,) = build_opinions(item, overlap, Opinions(annotations=(said,)))["c1"]
    assert {span.field for span in told.quotes[0].spans} <= {"response"}
    alone = replace(item, fields=item.fields[1:])
    quoted = replace(answer, excerpts=(Excerpt(text="opened in 1923"),))
    (placed,) = place_excerpts([quoted], alone, overlap)
    assert placed.excerpts[0].placement.tier is Tier.ABSENT


def test_an_absent_excerpt_comes_with_the_nearest_passage_and_its_distance():
    (invented,) = build_opinions(ITEM, PROTOCOL, OPINIONS)["s1"][0].quotes
    assert invented.missing
    assert invented.found == "in no source"
    passage, distance = invented.near
    assert passage in CONTEXT
    assert "90 g" in passage
    assert distance.endswith("of the letters differ")


def test_a_near_excerpt_shows_which_words_differ():
    near = Excerpt(
        text="weighs 80 g",
        placement=Placement(
            tier=Tier.NEAR, spans=(Span(field="context", start=0, end=13),), coverage=0.8
        ),
    )
    opinions = Opinions(annotations=(signed(1, JUDGE, "s1", "supported", excerpts=(near,)),))
    ((opinion,),) = build_opinions(ITEM, PROTOCOL, opinions).values()
    (quote,) = opinion.quotes
    assert "".join(said for _, said, _ in quote.parts) == "weighs 80 g"
    assert "".join(stands for _, _, stands in quote.parts) == CONTEXT[:13]
    # Another number is no small difference.
    assert quote.found.startswith("with another number or a “not”: 80 g against ")
    assert quote.tier == "altered"


def test_a_near_excerpt_with_another_word_says_how_many_differ():
    near = Excerpt(
        text=CONTEXT[:13].replace("Weighs", "Weigh"),
        placement=Placement(
            tier=Tier.NEAR, spans=(Span(field="context", start=0, end=13),), coverage=0.8
        ),
    )
    opinions = Opinions(annotations=(signed(1, JUDGE, "s1", "supported", excerpts=(near,)),))
    ((opinion,),) = build_opinions(ITEM, PROTOCOL, opinions).values()
    (quote,) = opinion.quotes
    assert "differ" in quote.found
    assert quote.tier == "near"


def test_a_clash_is_marked_in_the_unit_and_in_the_source():
    text = "It weighs 80 g."
    item = Item(
        id="i2",
        fields=(
            Field(name="response", kind="response", text=text),
            Field(name="context", kind="context", text="It weighs 90 g."),
        ),
        units=(
            Unit(
                id="s1",
                kind=UnitKind.SENTENCE,
                field="response",
                text=text,
                span=Span(field="response", start=0, end=len(text)),
            ),
        ),
    )
    found = Excerpt(
        text="It weighs 90 g.",
        placement=Placement(
            tier=Tier.VERBATIM, spans=(Span(field="context", start=0, end=15),), coverage=1.0
        ),
    )
    said = (signed(1, JUDGE, "s1", "supported", excerpts=(found,)),)
    ((opinion,),) = build_opinions(item, PROTOCOL, Opinions(annotations=said)).values()
    (quote,) = opinion.quotes
    assert [words for words, kinds in quote.unit if kinds] == ["80 g"]
    assert [words for words, kinds in quote.source if kinds] == ["90 g"]
    assert quote.clashes


def test_the_same_item_is_not_worked_out_twice():
    first = build_reader_data(ITEM, PROTOCOL.key, ANNOTATIONS)
    assert build_reader_data(replace(ITEM), PROTOCOL.key, tuple(ANNOTATIONS)) is first


@pytest.mark.parametrize("key", PROTOCOLS)
def test_what_the_browser_is_told_of_the_sample_holds_every_text(key):
    seen = 0
    for draft in iter_drafts():
        if draft.protocol != key:
            continue
        taken = take_in(draft)
        said = tuple(
            Annotation(
                number=number,
                run_id="r",
                item_id=taken.item.id,
                answer=each.answer,
                author=each.author,
                signed_at=datetime(2026, 1, 1, tzinfo=UTC),
            )
            for number, each in enumerate(taken.signed)
        )
        data = json.loads(json.dumps(build_reader_data(taken.item, key, said)))
        shown = {
            each["name"]: "".join(words for words, _ in each["segments"])
            for each in (*data["reviewed"], *data["sources"])
        }
        assert shown == {
            each.name: each.text
            for each in taken.item.fields
            if each.kind not in ("query", "topic")
        }
        seen += 1
    assert seen > 4


@pytest.mark.parametrize(
    ("asked", "given"),
    [("s2", "s2"), ("s99", "s2"), ("s0", "s1"), ("claim", ""), ("", ""), ("s" + "9" * 400, "")],
)
def test_a_unit_that_is_gone_gives_way_to_the_nearest(asked, given):
    assert find_nearest_unit(ITEM, asked) == given


def test_a_judge_colours_the_text_unless_somebody_else_is_asked_for():
    both = [signed(1, ANA, "s1", "supported"), signed(2, JUDGE, "s1", "supported")]
    assert choose_default_author(both, ()) == JUDGE
    assert choose_default_author(both, (ANA,)) == ANA
    assert choose_default_author([], (ANA,)) is None


def test_the_judge_who_answered_most_units_comes_first_and_the_baseline_last():
    zoe = Author(kind=AuthorKind.JUDGE, name="zoe")
    whole = [signed(at, JUDGE, f"s{at}", "supported") for at in (1, 2)]
    unread = [signed(3, zoe, "s1", "supported"), signed(4, zoe, "s2", None, problem="cut")]
    offline = [signed(5 + at, BASELINE, f"s{at}", "supported") for at in (1, 2, 3)]
    assert choose_default_author([*unread, *whole, *offline], ()) == JUDGE
    assert choose_default_author([*offline, signed(9, ANA, "s1", "supported")], ()) == ANA
    assert choose_default_author(offline, ()) == BASELINE
    assert choose_default_author([*whole, *offline], (BASELINE,)) == BASELINE


def test_one_sentence_settled_does_not_hide_what_raters_said_of_all():
    eve = Author(kind=AuthorKind.ADJUDICATOR, name="Eve")
    rated = [signed(at, ANA, f"s{at}", "supported") for at in (1, 2)]
    settled = [signed(2 + at, eve, f"s{at}", "unsupported") for at in (1, 2)]
    assert choose_default_author([*rated, settled[0]], ()) == ANA
    assert choose_default_author([*rated, *settled], ()) == eve


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


def test_a_file_that_labels_only_claims_is_read_by_its_claims():
    claim = Unit(
        id="c1",
        kind=UnitKind.CLAIM,
        field="response",
        text="It weighs little.",
        span=ITEM.units[0].span,
    )
    item = replace(ITEM, units=(*ITEM.units, claim))
    data = build_reader_data(item, PROTOCOL.key, (signed(1, ANA, "c1", "supported"),))
    (text,) = data["reviewed"]
    assert (text["kind"], [each["id"] for each in text["units"]]) == ("claim", ["c1"])
    assert data["views"][0]["looks"] == {"c1": "supported"}
    both = build_reader_data(item, PROTOCOL.key, ANNOTATIONS)["reviewed"][0]
    assert [each["id"] for each in both["units"]] == ["s1", "s2"]
