"""The compare page in a browser: cells filter, changes open the right item, addresses restore."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import faults_of_ours


def matrix(page):
    return page.get_by_role("table", name=re.compile("^Units by label"))


def cell(page, first: str, second: str):
    return matrix(page).get_by_role("button", name=re.compile(f"^A {first}, B {second}:"))


def changes(page):
    return page.get_by_role("table", name="What changed").locator("tbody tr")


def listed(page) -> int:
    return int(page.get_by_text(re.compile(r"^[\d,]+ (units?|items?)$")).inner_text().split()[0])


def count_of(button) -> int:
    return int(button.locator(".count").inner_text().replace(",", ""))


@pytest.mark.soak
def test_a_cell_filters_the_list_and_goes_again(visit, rest):
    page = visit("/compare")
    expect(changes(page).first).to_be_visible()
    before = listed(page)
    chosen = cell(page, "Supported", "Contradictory")
    expected = count_of(chosen)
    assert 0 < expected < before
    chosen.click()
    expect(page).to_have_url(re.compile("cell=supported%3Acontradictory"))
    rest(page)
    assert listed(page) == expected == changes(page).count()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    chosen.click()
    expect(page).not_to_have_url(re.compile("cell="))
    rest(page)
    assert listed(page) == before
    # On a narrow screen the names stand whole, each side on a line of its own.
    page.set_viewport_size({"width": 480, "height": 900})
    for side in page.locator(".st-key-sides .stSelectbox").all():
        assert side.bounding_box()["width"] > 400


@pytest.mark.soak
def test_a_changed_unit_opens_the_reader_at_that_unit_and_back_returns(visit, rest):
    page = visit("/compare?cell=supported%3Aunsupported")
    row = changes(page).first
    words = row.get_by_role("link").first.inner_text()
    number = re.search(r"Sentence (\d+)", row.inner_text())
    assert number
    row.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(rf"/item\?.*unit=s{number[1]}\b"))
    chosen = page.get_by_role("option", selected=True)
    expect(chosen).to_contain_text(words[:30])
    rest(page)
    page.go_back()
    expect(page).to_have_url(re.compile(r"/compare\?.*cell=supported"))
    expect(changes(page).first).to_contain_text(words[:30])


@pytest.mark.soak
def test_two_systems_are_paired_by_item_and_each_number_opens_its_own_response(visit, rest):
    page = visit("/compare")
    page.get_by_role("combobox", name=re.compile("Side B")).click()
    page.get_by_role("option", name="shop-assistant-b · judge judge-harbor-mini").click()
    expect(page.get_by_text("items are paired by the same question and sources")).to_be_visible()
    rest(page)
    expect(page).to_have_url(re.compile("b=.*judge-harbor-mini"))
    links = changes(page).first.get_by_role("link")
    addresses = [links.nth(at).get_attribute("href") for at in (0, 1, 2)]
    words, *items = [re.search(r"item=(\w+)", each)[1] for each in addresses]
    assert items[0] != items[1]
    assert words == items[0]  # the words are those of A
    links.nth(1).click()
    expect(page).to_have_url(re.compile(f"item={items[0]}"))


@pytest.mark.soak
def test_an_address_restores_sides_direction_and_filter(visit, rest):
    page = visit("/compare?protocol=response_consistency&apart=worse")
    page.get_by_role("combobox", name=re.compile("Side B")).click()
    page.get_by_role("option", name="shop-assistant-b · judge judge-harbor-mini").click()
    expect(page).to_have_url(re.compile("b="))
    rest(page)
    many = listed(page)
    other = visit(page.url.removeprefix(re.match(r"https?://[^/]+", page.url)[0]))
    expect(changes(other).first).to_be_visible()
    assert listed(other) == many
    expect(other.get_by_role("button", name=re.compile("worse in B"))).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.soak
def test_the_sides_can_be_swapped(visit, rest):
    page = visit("/compare")
    expect(changes(page).first).to_be_visible()
    forth = count_of(cell(page, "Supported", "Contradictory"))
    page.get_by_role("button", name=re.compile("Swap")).click()
    expect(page).to_have_url(re.compile("a=.*b="))
    rest(page)
    assert count_of(cell(page, "Contradictory", "Supported")) == forth


@pytest.mark.soak
def test_one_click_leaves_the_common_items_only(visit, rest):
    page = visit("/compare")
    page.get_by_role("combobox", name=re.compile("Side B")).click()
    page.get_by_role("option", name="shop-assistant-b · judge judge-harbor-mini").click()
    expect(page.get_by_text("on all its items")).to_be_visible()
    page.get_by_text("The 13 common items only").click()
    expect(page.get_by_text("on the common items:")).to_be_visible()
    expect(page).to_have_url(re.compile("common=true"))


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
@pytest.mark.parametrize("width", [1440, 1024])
def test_the_page_keeps_the_accessibility_rules(visit, rest, scheme, width):
    page = visit("/compare")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.reload()
    expect(changes(page).first).to_be_visible()
    rest(page)
    assert faults_of_ours(page) == []
