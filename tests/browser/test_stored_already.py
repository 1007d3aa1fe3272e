"""What is in the store already, in a browser: items that meet again, decided ones, unknown ones."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.meetings.agendas import agenda_from
from data.meetings.decide import decide
from data.store.store import open_store
from faithfulness.model.selection import Selection
from faithfulness.review.document import Table
from faithfulness.review.document import render_html_page as written
from tests.browser.test_uploading import upload
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, CONTEXT, EVE, RESPONSE, save_drafts, sentence_draft

S, C = "supported", "contradictory"


def fill_store(path: Path) -> None:
    """One item on which two raters differ twice, and both decided."""
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    save_drafts(store, [sentence_draft(1, {ADA: (C, S, S), BEN: (S, C, S)})], "first")
    for nth, point in enumerate(agenda_from(store, Selection(), first=9)):
        seen = case(store, *point[1:]).seen
        told = {"author": EVE, "reason": "as it says", "seen": seen, "operation_id": f"d{nth}"}
        decide(store, **point._asdict(), value=C, **told)
    store.close()


FILLED_BY = fill_store


def rows(*numbers: int) -> bytes:
    """A judge's labels on the stored item and on others like it."""
    text = io.StringIO()
    names = ("id", "query", "context", "response", "sentence", "label", "judge")
    table = csv.writer(text)
    table.writerow(names)
    for number in numbers:
        query = f"Question {number}: how much does it hold?"
        texts = (f"q{number}", query, CONTEXT, RESPONSE)
        for sentence in ("The kettle holds 1.7 litres.", "It costs $49.90."):
            table.writerow((*texts, sentence, C, "south"))
    return text.getvalue().encode()


@pytest.mark.soak
def test_items_that_meet_again_and_decided_disagreements_are_told(visit, rest):
    page = visit("/import_runs")
    upload(page, rest, "south.csv", rows(1, 2))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("1 of 2 items is in the store already")).to_be_visible()
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_text("2 disagreements, both decided already")).to_be_visible()
    page.get_by_role("button", name="See its disagreements").click()
    expect(page).to_have_url(re.compile("state=decided"))
    expect(page.locator("article")).to_be_visible()
    rest(page)
    page = visit("/disagreements?item=n_o*n&state=open")
    expect(page.get_by_text("The store has no item “n_o*n”")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="All disagreements").click()
    expect(page).not_to_have_url(re.compile("item="))


def test_cells_of_a_document_break_between_words(browser):
    page = browser.new_page(viewport={"width": 800, "height": 600})
    said = [("rater ana", "Unsupported", "", f"“{'lentils, carrots ' * 20}” (word for word)")]
    page.set_content(
        written("Minutes", [Table(header=("Who", "Said", "Why", "Evidence"), rows=said)])
    )
    one_line = page.get_by_role("cell", name="rater ana").bounding_box()["height"]
    assert one_line > 40  # the row is as high as its evidence
    for word in ("Unsupported", "Why"):
        assert lines_of(page, word) == 1
    long = Table(header=("Who", "Said"), rows=[("x" * 600, "Unsupported")])
    page.set_content(written("Minutes", [long]))
    assert lines_of(page, "Unsupported") == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 800
    page.close()


def lines_of(page, word: str) -> int:
    return page.evaluate(
        """word => {
            const cell = [...document.querySelectorAll("td, th")].find(e => e.innerText === word);
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getClientRects().length;
        }""",
        word,
    )
