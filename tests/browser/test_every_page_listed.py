"""Every page that the router lists opens from the menu, under its own heading and by its rules."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import grave_faults
from tests.few import few

READ = (
    ("rain-jacket", "sentence_grounding", "shop-assistant-a"),
    ("lantern-bridge", "claim_overlap", "paper-reader-1"),
    ("office-chair", "comparative_summary", "shop-assistant-b"),
    ("kettle", "response_consistency", "shop-assistant-a"),
    ("bees", "expert_rubric", "paper-reader-1"),
)


def listed(page):
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    return page.get_by_test_id("stSidebarNavLink")


@pytest.mark.soak  # every run opens every page in test_hostile_text.py
def test_every_listed_page_opens_from_the_menu_under_its_heading(visit, rest):
    page = visit("/")
    for number in range(listed(page).count()):
        entry = listed(page).nth(number)
        # The icon of an entry is a word of its font.
        name = entry.inner_text().strip().splitlines()[-1]
        entry.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        rest(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        rest(page)


def links(page, table: str) -> dict[str, str]:
    found = page.get_by_role("table", name=table).get_by_role("link")
    expect(found.first).to_be_visible()
    return dict(
        found.evaluate_all("all => all.map(each => [each.textContent, each.getAttribute('href')])")
    )


@pytest.mark.soak
@pytest.mark.parametrize(("name", "protocol", "system"), READ, ids=lambda each: each)
def test_an_item_of_each_protocol_is_chosen_linked_left_and_found_again(
    visit, rest, name, protocol, system
):
    page = visit(f"/?protocol={protocol}")
    page.goto(page.url.partition("?")[0].rstrip("/") + links(page, "Runs")[system])
    page.get_by_role("table", name="Items of the run").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    chosen = page.locator(".detail h2").first
    expect(chosen).to_be_visible()
    rest(page)
    if page.get_by_role("option").count() > 1:
        page.keyboard.press("j")
        expect(chosen).to_have_text(re.compile(r"^\w+ 2 of \d+$"))
        expect(page).to_have_url(re.compile("unit="))
    rest(page)
    said = chosen.inner_text()
    other = visit("/" + page.url.split("/", 3)[3])
    expect(other.locator(".detail h2").first).to_have_text(said)
    rest(other)
    page.get_by_role("button", name="All items").click()
    expect(page.get_by_role("table", name="Items of the run")).to_be_visible()
    rest(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    rest(page)


@pytest.mark.soak
@pytest.mark.parametrize("scheme", few(("light", "dark"), 1))
def test_no_page_of_review_breaks_a_grave_rule_of_accessibility(visit, rest, scheme):
    page = visit("/")
    page.emulate_media(color_scheme=scheme)
    rest(page)
    run = links(page, "Runs")["shop-assistant-a"]
    home = page.url.partition("?")[0].rstrip("/")
    page.goto(home + run)
    item = links(page, "Items of the run")["kettle"]
    found = {}
    for path in ("/", run, item, "/contradictions", "/import_runs", "/protocols"):
        page.goto(home + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        rest(page)
        found[path.partition("?")[0]] = grave_faults(page)
    assert {path: broken for path, broken in found.items() if broken} == {}
