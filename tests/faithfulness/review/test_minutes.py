"""Minutes tell everything that happened, and nothing in them can run or load."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import pytest

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.review.decided_before import EarlierDecision
from faithfulness.review.document import (
    DocumentQuote,
    DocumentText,
    Points,
    Table,
    escape_markdown,
    render_markdown,
)
from faithfulness.review.guideline_notes import (
    Proposal,
    compute_guidance_fingerprint,
    list_sections,
)
from faithfulness.review.minutes import (
    Minutes,
    MinutesDecision,
    MinutesPoint,
    describe_undone_decisions,
    render_html_minutes,
    render_markdown_minutes,
)
from faithfulness.review.minutes_voices import FoundAgainst, Voice
from tests.hostile_payloads import OWN

BEGAN = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "strong", "ul"),
    *("li", "blockquote", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "dir", "scope"}


def minutes(text="The kettle costs $49.", **more):
    voice = Voice(
        author=Author(kind=AuthorKind.JUDGE, name=text),
        value="Supported",
        rationale=text,
        comment=text,
        quotes=((text, "absent"),),
        links=(text,),
    )
    matter = MinutesPoint(
        item_id="0123456789abcdef",
        external_id=text,
        unit_id="s1",
        run=text,
        protocol="Sentence grounding",
        question="Is it so?",
        text=text,
        voices=(voice,),
        baseline=voice,
        before=(EarlierDecision(value=text, reason=text, by=text, decided_at=BEGAN),),
        seconds=75.0,
    )
    ruling = MinutesDecision(
        matter=matter,
        number=7,
        value="Contradictory",
        reason=text,
        error_class="judge_wrong",
        by=text,
        decided_at=BEGAN,
    )
    proposal = Proposal(
        protocol="Sentence grounding", section=text, wording=text, by=text, proposed_at=BEGAN
    )
    made = {
        "meeting_id": "m1",
        "title": text,
        "host": text,
        "present": (text, "ben"),
        "began_at": BEGAN,
        "finished_at": BEGAN + timedelta(hours=1, minutes=5),
        "seconds": 150.0,
        "rulings": (ruling,),
        "deferred": ((matter, text),),
        "untouched": (matter,),
        "proposals": (proposal,),
        "recheck": ((text, text),),
    }
    return Minutes(**{**made, **more})


class Page(HTMLParser):
    """What a browser would see: tags, attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("hostile", OWN, ids=range(len(OWN)))
def test_hostile_text_becomes_no_markup_in_html(hostile):
    text = render_html_minutes(minutes(hostile))
    page = Page(text)
    assert page.tags <= TAGS
    assert page.attributes <= ATTRIBUTES
    assert "default-src 'none'" in text
    own = render_html_minutes(minutes("plain"))
    assert text.count("<") == own.count("<")


@pytest.mark.parametrize("hostile", OWN, ids=range(len(OWN)))
def test_hostile_text_becomes_no_markup_in_markdown(hostile):
    text = render_markdown_minutes(minutes(hostile))
    # Escapes and code show what they hold; outside them nothing is left that opens markup.
    bare = re.sub(r"\\[!-/:-@\[-`{-~]|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "\N{MIDDLE DOT}", text)
    assert not re.search(r"[<>\[\]`_~$!&{}]", re.sub(r"(?m)^> ?", "", bare))
    assert not re.search(r"(?i)https?://|www\.|\w@\w", bare)
    headings = [line for line in text.splitlines() if re.match(r"\s{0,3}#", line)]
    assert len(headings) == 9  # title, six sections, a decision, a deferred point


def test_an_address_stays_words_and_invisible_signs_are_spelt_out():
    assert escape_markdown("see http://x.example/a|b and me@x.org") == (
        "see `http://x.example/a|b` and `me@x.org`"
    )
    assert escape_markdown("a\u202eb\x00") == "a⟦U+202E⟧b⟦U+0000⟧"
    assert escape_markdown("1. one") == "1\\. one"
    assert escape_markdown("- one\n# two") == "\\- one \\# two"
    assert escape_markdown("http://x/`` y") == "```http://x/`` ``` y".replace("```http", "``` http")


def test_a_bar_never_ends_a_cell():
    table = Table(header=("a", "b"), rows=[("x|y", "http://x/a|b")])
    last = render_markdown([table]).splitlines()[-1]
    assert len(re.findall(r"(?<!\\)\|", last)) == 3


def test_quote_with_another_number_is_marked_where_it_is_printed():
    voice = Voice(
        author=Author(kind=AuthorKind.RATER, name="ana"),
        value="Supported",
        quotes=(("It weighs 52 kg.", "near"), ("It boils.", "near")),
        altered=(("It weighs 52 kg.", "52 kg against 25 kg"),),
    )
    made = minutes()
    (ruling,) = made.rulings
    matter = replace(ruling.matter, voices=(voice,))
    text = render_markdown_minutes(replace(made, rulings=(replace(ruling, matter=matter),)))
    assert "“It weighs 52 kg.” (with another number or a “not”: 52 kg against 25 kg)" in text
    assert "“It boils.” (with small differences)" in text


def test_blocks_stand_apart_and_quotes_keep_their_lines():
    text = render_markdown(
        [
            DocumentText(lead="Why:", text="so"),
            DocumentQuote(text="one\n\ntwo"),
            Points(texts=("a",)),
        ]
    )
    assert text == "**Why:** so\n\n> one  \n>  \n> two\n\n- a\n"


def test_minutes_tell_people_times_counts_and_what_is_open():
    text = render_markdown_minutes(minutes("Kettle"))
    assert "**When:** 2026-11-16 09:00 to 2026-11-16 10:05 UTC (1 h 05 min)" in text
    assert "1 decision, 1 deferred, 1 not reached; 2 min 30 s on the points" in text
    assert "**Decision:** Contradictory; Judge wrong" in text
    assert "| Judge wrong | 1 |" in text
    assert "“Kettle” (in no source)" in text
    assert "## Not reached" in text
    unfinished = render_markdown_minutes(minutes("Kettle", finished_at=None))
    assert "2026-11-16 09:00 UTC, not finished" in unfinished


def test_a_decision_that_lost_its_place_is_told_and_not_counted():
    first = minutes("Kettle").rulings[0]
    lost = replace(first, stands=False)
    text = render_markdown_minutes(minutes("Kettle", rulings=(lost, first)))
    assert "**Outcome:** 1 decision that stands, 1 replaced or taken back, 1 deferred" in text
    assert "later replaced or taken back" in text
    assert "| Judge wrong | 1 |" in text


def test_numbers_of_decisions_are_those_that_the_outcome_counts():
    first = minutes("Kettle").rulings[0]
    lost = replace(first, stands=False)
    back = replace(first, number=8, value=None, reason="Takes decision 7 back")
    last = replace(first, number=9)
    text = render_markdown_minutes(
        minutes("Kettle", rulings=describe_undone_decisions((lost, back, last)))
    )
    assert re.findall(r"(?m)^### (\d+)\\?\. ", text) == ["1", "2"]
    assert "1 decision that stands, 1 replaced or taken back" in text
    assert len(re.findall(r"(?m)^### .*: taken back$", text)) == 1
    assert "Takes back decision 1 here" in text
    alone = render_markdown_minutes(minutes("Kettle", rulings=(lost,)))
    assert text.count("| Who |") == alone.count("| Who |") + 1  # what takes back repeats none


def test_an_empty_meeting_has_minutes_too():
    nothing = dict.fromkeys(("rulings", "deferred", "untouched", "proposals", "recheck"), ())
    text = render_markdown_minutes(minutes("Kettle", **nothing))
    assert "Nothing was decided." in text
    assert "Nothing was deferred." in text
    assert "Not reached" not in text


def test_fingerprint_of_guidance_follows_every_word_raters_are_given():
    kept = protocol("expert_rubric")
    first = kept.criteria[0]
    label = replace(first.scale.labels[0], meaning="other words")
    scale = replace(first.scale, labels=(label, *first.scale.labels[1:]))
    changed = {
        compute_guidance_fingerprint(kept),
        compute_guidance_fingerprint(replace(kept, guidance=kept.guidance + " ")),
        compute_guidance_fingerprint(replace(kept, criteria=(replace(first, question="Why?"),))),
        compute_guidance_fingerprint(replace(kept, criteria=(replace(first, scale=scale),))),
        compute_guidance_fingerprint(replace(kept, criteria=(replace(first, checklist=()),))),
    }
    assert len(changed) == 5
    assert compute_guidance_fingerprint(
        replace(kept, title="Other")
    ) == compute_guidance_fingerprint(kept)
    assert len({compute_guidance_fingerprint(each) for each in PROTOCOLS.values()}) == len(
        PROTOCOLS
    )


def test_sections_are_the_headings_of_the_guidance():
    assert list_sections(protocol("expert_rubric")) == ("Accuracy", "Ethics", "General")
    assert list_sections(protocol("sentence_grounding")) == ("General",)


def test_what_takes_a_decision_back_names_it_without_a_number_of_the_store():
    (first,) = minutes("kettle 7").rulings
    back = replace(first, number=2419, value=None, reason="Takes decision 7 back")
    elsewhere = replace(back, number=2420, reason="Takes decision 5 back")
    kept, gone, other = describe_undone_decisions((first, back, elsewhere))
    assert kept == first
    assert gone.reason == (
        "Takes back decision 1 here, Contradictory on kettle 7 · Sentence 1, for which the reason "
        "was: kettle 7"
    )
    assert (
        other.reason == "Takes back what was decided on kettle 7 · Sentence 1 outside this meeting"
    )


def test_what_waits_for_the_guidance_stands_apart_from_what_to_look_at_again():
    told = render_markdown_minutes(minutes(gaps=("case 7 · s1",), recheck=()))
    waits, again = told.split("## Waits for the guidance")[1].split("## To look at again")
    assert "case 7 · s1" in waits
    assert "No decision under the protocols of this meeting" in again


def told_without_quotes(**more):
    """The decision alone, for which no quote or link was given."""
    made = minutes("Kettle")
    voice = Voice(author=Author(kind=AuthorKind.RATER, name="ana"), value="Supported")
    (ruling,) = made.rulings
    known = {"voices": (voice,), "baseline": None, "found": ()}
    matter = replace(ruling.matter, **(known | more))
    alone = replace(made, rulings=(replace(ruling, matter=matter),), deferred=(), untouched=())
    return render_markdown_minutes(alone)


def test_where_no_evidence_was_given_minutes_say_so_and_invent_no_passage():
    text = told_without_quotes()
    assert "**Source:** no quote or link was given as evidence\n" in text
    assert "quotes:" not in text
    assert "Found by" not in text
    rubric = told_without_quotes(asks_quotes=False)
    assert "was given as evidence; this protocol asks for none\n" in rubric
    assert "**Source:**" not in render_markdown_minutes(minutes("Kettle"))
    linked = Voice(author=Author(kind=AuthorKind.RATER, name="ana"), value="Yes", links=("[1]",))
    assert "**Source:**" not in told_without_quotes(voices=(linked,))
    assert "**Source:**" not in told_without_quotes(voices=())


def test_what_a_program_found_names_its_origin_where_nobody_quoted():
    baseline = Voice(
        author=Author(kind=AuthorKind.JUDGE, name="offline-baseline"),
        value="Supported",
        quotes=(("Boils in 3 minutes.", "verbatim"),),
    )
    price = FoundAgainst(
        check="Product figures", says="5 against 4", words="It costs 4.", field="page"
    )
    bare = replace(price, words="", field="")
    text = told_without_quotes(baseline=baseline, found=(price, bare))
    passage = "**Passage that only the offline baseline quotes:** “Boils in 3 minutes.” (word for"
    assert passage in text
    found = "**Found by the check Product figures (as the store has it now):** 5 against 4"
    assert f"{found}. The source, page: “It costs 4.”\n" in text
    assert f"{found}\n" in text
    many = told_without_quotes(found=(replace(price, words="x" * 900),) * 5)
    assert (
        "**Found by checks (as the store has it now):** 2 more findings; the item shows them"
        in many
    )
    assert many.count("x" * 300 + "…") == 3
    assert "x" * 301 not in many
    quoted = minutes("Kettle").rulings[0].matter.voices
    assert "Found by" not in told_without_quotes(voices=quoted, found=(price,))
