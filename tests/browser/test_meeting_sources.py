"""What a team can read in the room: the sources nobody quotes, and the reader once it may."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data import records
from data.queries_agendas import agenda_from
from data.store import open_store
from faithfulness.selection import Selection
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

U, C = "unsupported", "contradictory"  # what is supported would be quoted


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    values = {ADA: (C, C, C), BEN: (C, C, C), NORTH: (U, C, C)}
    save_drafts(store, [sentence_draft(1, values)])
    people = {"host": "Eve", "present": ["Ana"]}
    agenda = agenda_from(store, Selection(), first=1)
    meeting = records.begin_meeting(store, agenda=agenda, operation_id="b", **people)
    (path.parent / "meeting.txt").write_text(meeting)
    store.close()


FILLED_BY = fill_store


def read_and_fold_source(page) -> None:
    """A short source stands open."""
    source = page.locator("article details.source")
    expect(source.locator(".source-text")).to_contain_text("This kettle holds 1.7 litres")
    source.locator("summary").press("Enter")
    expect(source.locator(".source-text")).to_be_hidden()


@pytest.mark.soak
def test_where_nobody_quotes_the_source_is_read_on_the_card_of_the_queue(visit, rest):
    page = visit("/disagreements")
    expect(page.locator("article")).to_contain_text("Nobody quotes any words for it.")
    rest(page)
    read_and_fold_source(page)


@pytest.mark.soak
def test_the_room_reads_the_source_and_opens_the_reader_once_names_are_shown(visit, rest, server):
    meeting = (server.store.parent / "meeting.txt").read_text()
    page = visit(f"/meeting?meeting={meeting}")
    expect(page.locator("article")).to_be_visible()
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
