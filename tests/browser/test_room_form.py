"""What the room's form says: the key that saves from where one writes, and why a point waits."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_meeting_sources import fill_store

FILLED_BY = fill_store


@pytest.fixture
def page(visit, rest, server):
    opened = visit(f"/meeting?meeting={(server.store.parent / 'meeting.txt').read_text()}")
    expect(opened.locator("article")).to_be_visible()
    rest(opened)
    return opened


@pytest.mark.soak
def test_the_button_names_the_key_that_saves_from_the_field(page):
    key = page.locator(".decision .save kbd")
    expect(key).to_have_text("Enter")
    page.keyboard.press("n")
    expect(key).to_have_text("Ctrl+Enter")  # Enter begins a line here
    page.keyboard.press("Enter")
    expect(page.get_by_label("Reason", exact=True)).to_have_value("\n")
    page.keyboard.press("Escape")
    expect(key).to_have_text("Enter")


@pytest.mark.soak
def test_a_reason_that_was_begun_goes_along_and_has_one_full_stop(page):
    page.keyboard.press("n")
    page.keyboard.type("Ask the maker")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+F")
    expect(page.get_by_role("dialog")).to_contain_text("has something entered that is not saved")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    why = page.get_by_label("Why it is deferred")
    expect(why).to_have_value("Ask the maker")
    why.press("End")
    page.keyboard.type(" what counts.")
    page.keyboard.press("Enter")
    said = page.locator(".decision .says")
    expect(said).to_contain_text("This is the last point")
    page.keyboard.press("Shift+F")
    expect(page.get_by_role("dialog")).not_to_contain_text("not saved")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(said).to_have_text("Deferred: Ask the maker what counts.")
