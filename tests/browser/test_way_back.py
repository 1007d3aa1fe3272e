"""The browser's Back and Forward: each returns to a page and address that one was at."""

import re

import pytest
from playwright.sync_api import expect


def at(page, path: str, heading: str) -> None:
    """The very address, and the page that belongs to it."""
    expect(page).to_have_url(re.compile(re.escape(path) + "$"))
    expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()


@pytest.mark.soak
def test_back_from_a_button_returns_to_the_address_one_came_from(visit, rest):
    here = "/disagreements?protocol=sentence_grounding"
    page = visit(here)
    expect(page.locator("article")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Meet about these").click()
    there = "/meetings?protocol=sentence_grounding&view=new"
    at(page, there, "Meetings")
    rest(page)
    page.go_back()
    at(page, here, "Disagreements")
    expect(page.locator("article")).to_be_visible()
    rest(page)
    page.go_forward()
    at(page, there, "Meetings")


@pytest.mark.soak
def test_back_from_a_case_in_the_reader_returns_to_the_queue(visit, rest):
    page = visit("/disagreements?protocol=claim_overlap")
    expect(page.locator("article")).to_be_visible()
    rest(page)
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(r"/item\?"))
    expect(page.get_by_role("option", selected=True)).to_be_visible()
    rest(page)
    page.go_back()
    at(page, "/disagreements?protocol=claim_overlap", "Disagreements")


@pytest.mark.soak
def test_a_choice_on_a_page_is_a_step_of_its_own(visit, rest):
    page = visit("/disagreements?protocol=sentence_grounding")
    expect(page.locator("article")).to_be_visible()
    rest(page)
    steps = page.evaluate("history.length")
    chip = page.get_by_role("group", name="Who differs").get_by_role("button").first
    chip.click()
    expect(page).to_have_url(re.compile("kind="))
    page.wait_for_function("steps => history.length === steps + 1", arg=steps)
    narrowed = page.url.partition("/disagreements")[2]
    rest(page)
    page.get_by_role("button", name="Meet about these").click()
    expect(page).to_have_url(re.compile(r"/meetings\?"))
    rest(page)
    page.go_back()
    at(page, f"/disagreements{narrowed}", "Disagreements")
    rest(page)
    page.go_back()
    at(page, "/disagreements?protocol=sentence_grounding", "Disagreements")
