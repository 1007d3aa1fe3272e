"""Prompt versions and a trial on disputed items in a browser, with a loopback endpoint."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, served_with_judge
from tests.browser.test_rerun import CANARY, choose_endpoint, fill

WORDS = "Weigh <b>every</b> number twice."


@pytest.fixture(scope="module")
def server(judge, browser, tmp_path_factory) -> Iterator[Server]:
    yield from served_with_judge(judge, tmp_path_factory)


def edit_the_prompt(page, rest) -> None:
    page.get_by_text("Edit it").click()
    template = page.get_by_label("Template", exact=True)
    expect(template).to_have_value(re.compile("document"))
    template.fill(f"{WORDS}\n{template.input_value()}")
    template.press("Control+Enter")
    expect(page.get_by_text(f"+{WORDS}")).to_be_visible()
    rest(page)
    fill(page, rest, "Why this change", "numbers were missed")
    fill(page, rest, "Edited by", "Ada")


@pytest.fixture
def tried(visit, rest, judge):
    """A trial of an edited prompt beside the one that comes with the protocol, ended."""
    page = visit("/protocols?view=prompts")
    table = page.get_by_role("table", name="Prompt versions")
    expect(table).to_contain_text("comes with Plumbline")
    expect(table).to_contain_text("not used yet")
    expect(page.get_by_text("Agreement with raters: —")).to_be_visible()
    page.get_by_role("button", name="Try a prompt on the most disputed items").click()
    expect(page).to_have_url(re.compile("try_prompt"))
    rest(page)
    choose_endpoint(page, rest, judge, "good")
    edit_the_prompt(page, rest)
    against = page.get_by_role("combobox", name="Compare with")
    expect(against).to_have_value(re.compile("asked now with .* as well"))
    expect(page.get_by_text("Will take 40 calls")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("Same label as most raters:")).to_be_visible(timeout=90_000)
    rest(page)
    return page


@pytest.mark.soak
def test_an_edited_prompt_is_tried_compared_kept_and_listed(tried, rest, judge):
    page = tried
    numbers = page.get_by_role("table", name="Before and after")
    expect(numbers).to_contain_text("Same label")
    expect(page.get_by_text("No label changed.")).to_be_visible()  # this server reads no prompt
    told = [each.body["messages"][-1]["content"] for each in judge.asked_of("good")]
    assert [sum(WORDS in each for each in told), len(told)] == [20, 40]
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("Kept on 20 items")).to_be_visible(timeout=60_000)
    rest(page)
    page.get_by_role("button", name="All versions").click()
    table = page.get_by_role("table", name="Prompt versions")
    expect(table).to_contain_text("by Ada · “numbers were missed”")
    rest(page)
    by_version = page.get_by_role("table", name="Agreement by version")
    expect(by_version).to_contain_text(re.compile(r"good.*units on 20 items", re.DOTALL))
    diff = page.get_by_role("region", name="What changed between two versions")
    expect(diff.locator("ins")).to_contain_text(WORDS)  # as text: no bold word of its own
    expect(diff.locator("b")).to_have_count(0)


@pytest.mark.soak
def test_a_key_that_was_just_typed_is_used_by_the_click_that_follows(visit, rest, judge):
    page = visit("/rerun")
    rest(page)
    row = page.get_by_role("row").filter(has_text="Sentence grounding").first
    row.get_by_role("link").click()
    expect(page).to_have_url(re.compile("item="))
    rest(page)
    choose_endpoint(page, rest, judge, "typed")
    page.get_by_label("Key", exact=True).click()
    page.keyboard.type(CANARY)
    page.get_by_role("button", name="Ask Shortcut H", exact=True).click()
    expect(page.get_by_role("button", name="Keep")).to_be_visible(timeout=60_000)
    (sent,) = judge.asked_of("typed")
    assert sent.headers["authorization"] == f"Bearer {CANARY}"
    assert CANARY not in page.content()


@pytest.mark.soak
def test_the_unit_a_person_comes_from_is_marked_and_in_view(visit, rest):
    page = visit("/rerun")
    rest(page)
    # Tests before this one change what was asked about last; the baseline reads English alone.
    rows = page.get_by_role("row").filter(has_text="Sentence grounding")
    row = rows.filter(has_not_text="japanese").first
    address = row.get_by_role("link").get_attribute("href")
    page = visit(f"{address}&unit=s2")
    expect(page.get_by_text("You come from:")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Ask Shortcut H", exact=True).click()
    here = page.locator("tr[aria-current=true]")
    expect(here).to_have_count(1)
    expect(here).to_be_in_viewport()
