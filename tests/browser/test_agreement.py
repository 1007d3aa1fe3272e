"""The agreement page in a browser: cells, bars and slices lead to their units and to the reader."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import grave_faults

VIEWS = ("overview", "table", "slices", "raters", "stand_in", "rate", "policies")


def button(page, name: str):
    return page.get_by_role("button", name=re.compile(name))


def rows(page, heading: str):
    return page.get_by_role("table", name=heading).get_by_role("row")


def test_a_cell_lists_its_units_says_so_in_the_address_and_opens_the_reader(visit, rest):
    page = visit("/agreement?view=table")
    cell = button(page, r"^Reference Contradictory, judge Unsupported: ")
    expect(cell).to_be_visible()
    expected = int(re.search(r": (\d+) units", cell.get_attribute("aria-label"))[1])
    assert expected > 0
    cell.click()
    expect(page).to_have_url(re.compile("cell=contradictory%3Aunsupported"))
    heading = "Majority of raters: Contradictory. judge-harbor-mini: Unsupported"
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(rows(page, heading)).to_have_count(expected + 1)
    expect(cell).to_have_attribute("aria-pressed", "true")
    rest(page)
    again = visit("/" + page.url.split("/", 3)[3])
    expect(rows(again, heading)).to_have_count(expected + 1)
    unit = rows(page, heading).nth(1).get_by_role("link")
    words = unit.inner_text()
    unit.click()
    expect(page).to_have_url(re.compile(r"/item\?.*unit=s\d+"))
    expect(page.get_by_role("option", selected=True)).to_contain_text(words)
    rest(page)


@pytest.mark.soak
def test_a_second_click_takes_the_cell_back(visit, rest):
    page = visit("/agreement?view=table&cell=contradictory%3Aunsupported")
    cell = button(page, r"^Reference Contradictory, judge Unsupported: ")
    expect(cell).to_have_attribute("aria-pressed", "true")
    rest(page)
    cell.click()
    expect(page).not_to_have_url(re.compile("cell="))
    expect(page.get_by_role("heading", name="Label by label")).to_be_visible()
    rest(page)


@pytest.mark.soak
def test_the_way_back_from_the_reader_restores_the_cell(visit, rest):
    page = visit("/agreement?view=table&cell=contradictory%3Aunsupported")
    heading = "Majority of raters: Contradictory. judge-harbor-mini: Unsupported"
    rows(page, heading).nth(1).get_by_role("link").click()
    expect(page.get_by_role("option", selected=True)).to_be_visible()
    rest(page)
    for _ in range(3):  # the reader adds to its own address what it shows
        if "/item" in page.url:
            page.go_back()
            rest(page)
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    rest(page)


@pytest.mark.soak
def test_a_bar_lists_the_units_that_lie_so_far_apart(visit, rest):
    page = visit("/agreement?protocol=comparative_summary&view=table")
    bar = button(page, r"^Judge 1 higher: ")
    expected = int(re.search(r": (\d+) unit", bar.get_attribute("aria-label"))[1])
    bar.click()
    expect(page).to_have_url(re.compile(r"steps=1\b"))
    expect(rows(page, "judge-harbor-mini scores 1 step higher")).to_have_count(expected + 1)
    rest(page)


@pytest.mark.soak
def test_a_slice_lists_the_units_with_different_labels(visit, rest):
    page = visit("/agreement?view=slices&split=system")
    page.get_by_role("button", name="paper-reader-1").click()
    expect(page).to_have_url(re.compile("part=paper-reader-1"))
    heading = "Units with different labels where system is paper-reader-1"
    listed = rows(page, heading)
    expect(listed.nth(1)).to_contain_text("paper-reader-1")
    for row in listed.all()[1:]:
        reference, judge = row.get_by_role("cell").all_inner_texts()[1:]
        assert reference != judge
    rest(page)


@pytest.mark.soak
def test_pages_of_units_turn_and_the_address_follows(visit, rest):
    page = visit("/agreement?view=table&cell=contradictory%3Asupported")
    heading = "Majority of raters: Contradictory. judge-harbor-mini: Supported"
    expect(rows(page, heading)).to_have_count(21)
    first = rows(page, heading).nth(1).inner_text()
    rest(page)
    page.get_by_role("button", name="Next page").click()
    expect(page).to_have_url(re.compile(r"page=2\b"))
    expect(rows(page, heading).nth(1)).not_to_have_text(first)
    rest(page)


@pytest.mark.soak
def test_another_judge_is_chosen_in_the_table_of_judges(visit, rest):
    page = visit("/agreement")
    judges = page.get_by_role("table", name="Judges against the same reference")
    judges.get_by_role("button", name="judge-north-2").click()
    expect(page).to_have_url(re.compile("judge=judge%3Ajudge-north-2"))
    expect(page.get_by_role("heading", level=5)).to_contain_text("judge-north-2")
    rest(page)


@pytest.mark.soak
def test_the_meaning_of_a_number_opens_by_keyboard(visit, rest):
    page = visit("/agreement")
    name = page.locator("summary", has_text="Gwet's AC1")
    expect(name).to_be_visible()
    rest(page)
    name.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("a chance that stays small when labels are skewed")).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_breaks_a_grave_rule_of_accessibility(visit, rest, scheme):
    page = visit("/agreement")
    page.emulate_media(color_scheme=scheme)
    home = page.url.partition("?")[0]
    more = ("view=table&cell=contradictory:unsupported", "view=table&protocol=comparative_summary")
    found = {}
    for query in (*(f"view={view}" for view in VIEWS), *more):
        page.goto(f"{home}?{query}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Agreement")
        rest(page)
        found[query] = grave_faults(page)
    assert {query: broken for query, broken in found.items() if broken} == {}


@pytest.mark.soak
def test_a_chart_leads_to_its_paragraph(visit, rest):
    page = visit("/agreement?view=table")
    read = page.get_by_role("link", name=re.compile("^How to read this: Units by label"))
    expect(read).to_be_visible()
    with page.expect_popup() as opened:
        read.click()
    beside = opened.value
    expect(beside.get_by_role("heading", name="The table")).to_be_in_viewport()
    rest(beside)
    page.goto(page.url.partition("?")[0])
    name = page.locator("summary", has_text="Gwet's AC1")
    name.click()
    more = page.get_by_role("link", name="More on this number").locator("visible=true")
    assert more.get_attribute("href") == "/statistics#ac1"
    beside.goto(page.url.partition("/agreement")[0] + "/statistics#ac1")
    expect(beside.get_by_role("heading", name="Gwet's AC1")).to_be_in_viewport()
    rest(beside)
    beside.close()
    rest(page)
