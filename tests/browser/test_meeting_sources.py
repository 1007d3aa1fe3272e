"""What a team can read on a card: every text of the item, and the reader once it may."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.meetings.agendas import agenda_from
from data.meetings.save_meetings import begin_meeting
from data.store.store import open_store
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Field, UnitKind
from faithfulness.review.meeting import Point
from tests.browser.accessibility import grave_faults
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

U, C = "unsupported", "contradictory"  # what is supported would be quoted
QUIET = "Customers generally agree that the Brisa kettle is quiet."
PAGE = "Brisa kettle, 1.7 litres\nSteel, 2,200 W."
LOUD = "It is not quiet at all, it roars like a train."
REVIEWS = "\n".join([*(f"Review {n}: boils fast, no complaints." for n in range(400)), LOUD])
NAMES = re.compile("ada|ben|north")


def titled_draft() -> Draft:
    """The judge quotes the title; what the decision is about stands in the reviews."""
    values = {NORTH: "supported", ADA: C, BEN: C}
    said = [
        DraftAnswer(
            author=author,
            criterion="label",
            value=value,
            unit=UnitKind.SENTENCE,
            text=QUIET,
            rationale="as it is told",
            excerpts=("Brisa kettle, 1.7 litres",) if author == NORTH else (),
        )
        for author, value in values.items()
    ]
    return Draft(
        protocol="sentence_grounding",
        system="beta",
        external_id="quiet",
        fields=(
            Field(name="query", kind="query", text="Is it quiet?"),
            Field(name="detail_page", kind="detail_page", text=PAGE),
            Field(name="reviews", kind="reviews", text=REVIEWS),
            Field(name="response", kind="response", text=QUIET),
        ),
        said=said,
    )


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    values = {ADA: (C, C, C), BEN: (C, C, C), NORTH: (U, C, C)}
    save_drafts(store, [sentence_draft(1, values)])
    save_drafts(store, [titled_draft()], "titled")
    people = {"host": "Eve", "present": ["Ana"]}
    for system in ("alpha", "beta"):
        agenda: list[Point] = agenda_from(store, Selection(systems=(system,)), first=1)
        meeting = begin_meeting(store, agenda=agenda, operation_id=system, **people)
        (path.parent / f"{system}.txt").write_text(meeting)
    store.close()


FILLED_BY = fill_store


def room(visit, server, system: str):
    meeting = (server.store.parent / f"{system}.txt").read_text()
    page = visit(f"/meeting?meeting={meeting}")
    expect(page.locator("article")).to_be_visible()
    return page


def read_and_fold_source(page) -> None:
    """Where nobody quotes any words, a short source stands open."""
    source = page.locator("article details.source").first
    expect(source.locator(".source-text")).to_contain_text("This kettle holds 1.7 litres")
    source.locator("summary").press("Enter")
    expect(source.locator(".source-text")).to_be_hidden()


def search_by_key(page, rest) -> None:
    """Open all texts and find words in the reviews, without a mouse; nothing is saved by it."""
    texts = page.locator("details.texts")
    expect(texts.locator("> summary")).to_contain_text("4 texts")
    expect(texts.locator(".source")).to_have_count(0)  # they come once they are opened
    page.keyboard.type("/roars")  # before they are there
    search = texts.get_by_role("searchbox", name="Search within the sources")
    expect(search).to_have_value("roars")
    expect(texts.get_by_role("status")).to_have_text("1 of 1")
    expect(texts.locator("mark.checked", has_text=LOUD)).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator(".decision .says")).to_have_text("")
    page.keyboard.press("Escape")
    expect(search).not_to_be_focused()
    rest(page)
    for title in ("Detail page", "Reviews", "Response", "Query"):
        expect(texts.locator("summary", has_text=title).first).to_be_visible()


def test_the_room_offers_every_source_and_the_findings_and_names_nobody(visit, rest, server):
    page = room(visit, server, "beta")
    rest(page)
    search_by_key(page, rest)
    found = page.get_by_role("region", name="What a program noticed")
    expect(found.locator(".finding")).not_to_have_count(0)
    expect(found).to_contain_text("customers")
    expect(page.locator(".texts mark.quoted")).to_have_text("Brisa kettle, 1.7 litres")
    expect(page.locator(".room")).not_to_contain_text(NAMES)
    assert grave_faults(page) == []
    # What was opened stays open while the label is chosen and when one comes back to the point.
    page.keyboard.press("2")
    expect(page.locator(".texts-list")).to_be_visible()


def test_a_finding_leads_to_its_place_in_a_folded_source(visit, rest, server):
    page = room(visit, server, "beta")
    rest(page)
    page.locator("details.texts > summary").press("Enter")
    reviews = page.locator("details.source", has_text="Reviews").first
    expect(reviews).not_to_have_attribute("open", "")
    page.get_by_role("button", name="Show in source").first.press("Enter")
    expect(reviews).to_have_attribute("open", "")
    expect(page.locator("mark.flash")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_card_of_the_queue_offers_every_source_too(visit, rest, scheme):
    page = visit("/disagreements?system=beta")
    page.emulate_media(color_scheme=scheme)
    expect(page.locator("article")).to_be_visible()
    rest(page)
    search_by_key(page, rest)
    expect(page.get_by_role("region", name="What a program noticed")).to_contain_text("customers")
    assert grave_faults(page) == []
    for width in (1024, 480):
        page.set_viewport_size({"width": width, "height": 800})
        across = "each => each.scrollWidth <= each.clientWidth + 1"
        assert page.locator("details.texts").evaluate(across)


def test_where_nobody_quotes_the_source_is_read_on_the_card_of_the_queue(visit, rest):
    page = visit("/disagreements?system=alpha")
    expect(page.locator("article")).to_contain_text("Nobody quotes any words for it.")
    rest(page)
    read_and_fold_source(page)


@pytest.mark.soak
def test_the_room_reads_the_source_and_opens_the_reader_once_names_are_shown(visit, rest, server):
    page = room(visit, server, "alpha")
    rest(page)
    read_and_fold_source(page)
    expect(page.locator("article .shut")).to_contain_text("The reader names everybody")
    expect(page.locator("article a.open")).to_have_count(0)
    says = page.locator(".decision .says")
    page.keyboard.press("o")
    expect(says).to_contain_text("The reader names everybody")
    for key in ("1", "n", "s", "o", "Control+Enter"):
        page.keyboard.press(key)
    expect(says).to_contain_text("in the journal")
    expect(page.locator("article a.open")).to_have_attribute("rel", "noopener")
    rest(page)
    with page.expect_popup() as other:
        page.keyboard.press("o")
    expect(other.value).to_have_url(re.compile(r"/item\?.*unit=s1"))
    expect(page.locator("article")).to_be_visible()
