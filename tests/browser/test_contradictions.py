"""The contradictions page in a browser: counts filter, cards open, views come back."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import faults_of_ours

NUMBER = re.compile(r"^([\d,]+) ")


def cards(page):
    return page.get_by_role("article")


def total(page) -> int:
    found = NUMBER.match(page.get_by_role("status").inner_text())
    assert found
    return int(found[1].replace(",", ""))


def chip(page, group: str, name: str):
    return page.get_by_role("group", name=group).get_by_role("button", name=re.compile(f"^{name}"))


def count_of(button) -> int:
    return int(button.locator(".count").inner_text().replace(",", ""))


@pytest.mark.soak
def test_a_chip_leaves_as_many_cards_as_it_counts_and_goes_again(visit, rest):
    page = visit("/contradictions")
    expect(cards(page).first).to_be_visible()
    before = total(page)
    numbers = chip(page, "Clash", "Numbers")
    expected = count_of(numbers)
    assert 0 < expected < before
    numbers.click()
    expect(page).to_have_url(re.compile("clash=number"))
    expect(page.get_by_role("status")).to_contain_text("numbers that clash")
    rest(page)
    assert total(page) == expected == cards(page).count()
    expect(cards(page).first.locator("mark").first).to_be_visible()
    expect(chip(page, "Clash", "Numbers")).to_have_attribute("aria-pressed", "true")
    chip(page, "Clash", "Numbers").click()
    expect(page).not_to_have_url(re.compile("clash="))
    rest(page)
    assert total(page) == before


def test_one_click_opens_the_reader_at_the_unit_and_back_returns(visit, rest):
    page = visit("/contradictions?clash=number")
    card = cards(page).first
    number = re.match(r"Sentence (\d+) of", card.get_attribute("aria-label"))
    assert number
    card.get_by_role("link", name="Open in the reader").click()
    expect(page).to_have_url(re.compile(rf"/item\?.*unit=s{number[1]}\b"))
    chosen = page.get_by_role("option", selected=True)
    expect(chosen).to_be_visible()
    rest(page)
    for _ in range(3):  # the reader adds to its own address what it shows
        if "/item" in page.url:
            page.go_back()
            rest(page)
    expect(page).to_have_url(re.compile(r"/contradictions\?clash=number"))
    expect(cards(page).first).to_be_visible()


@pytest.mark.soak
def test_the_same_link_opens_in_a_new_tab(visit, rest):
    page = visit("/contradictions")
    href = cards(page).first.get_by_role("link").get_attribute("href")
    other = visit(href)
    expect(other.get_by_role("option", selected=True)).to_be_visible()


@pytest.mark.soak
def test_lists_stand_apart_and_pages_turn(visit, rest):
    page = visit("/contradictions")
    first = cards(page).first.inner_text()
    page.get_by_role("navigation", name="Pages", exact=True).get_by_role(
        "button", name="Next"
    ).click()
    expect(page).to_have_url(re.compile("page=2"))
    rest(page)
    expect(page.get_by_role("navigation", name="Pages", exact=True)).to_contain_text("Page 2 of")
    assert cards(page).first.inner_text() != first
    tab = chip(page, "Lists", "Claims not supported")
    expected = count_of(tab)
    tab.click()
    expect(page).to_have_url(re.compile(r"contradictions\?list=not_supported"))
    expect(page.get_by_text("only leaves it out")).to_be_visible()
    rest(page)
    assert total(page) == expected
    expect(cards(page).first).to_contain_text("Not supported")
    chip(page, "Lists", "Supported, yet").click()
    expect(page.get_by_role("status")).to_contain_text("although a clash is found")


@pytest.mark.soak
def test_filters_are_in_the_address_both_ways(visit, rest):
    page = visit("/contradictions")
    before = total(page)
    page.get_by_role("textbox", name="Words in unit or quote").fill("plots")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("words=plots"))
    rest(page)
    assert total(page) < before
    other = visit("/contradictions?label=supported&by=rater&sort=sure&group=run&agreement=nonsense")
    expect(other.get_by_role("status")).to_contain_text("that raters call supported")
    expect(other.get_by_role("heading", level=2).first).to_be_visible()
    other.get_by_role("button", name="Clear filters").click()
    expect(other).to_have_url(re.compile(r"\?sort=sure&group=run$"))
    rest(other)
    assert total(other) == before


@pytest.mark.soak
def test_an_address_that_names_something_gone_says_so_and_offers_the_nearest(visit, rest):
    page = visit("/contradictions?run=gone&author=judge:judge-north&page=9999")
    expect(page.get_by_text("The address names the run gone")).to_be_visible()
    expect(cards(page).first).to_be_visible()
    page.get_by_role("button", name="Show judge judge-north-2").click()
    expect(page).to_have_url(re.compile("author=judge(:|%3A)judge-north-2"))
    expect(page.get_by_role("status")).to_contain_text("by judge judge-north-2")


def test_units_on_which_a_check_found_a_contradiction_have_a_tab(visit, rest):
    page = visit("/contradictions?protocol=comparative_summary")
    tab = chip(page, "Lists", "Found by a check")
    expected = count_of(tab)
    tab.click()
    expect(page).to_have_url(re.compile("list=found_by_check"))
    expect(page.get_by_role("status")).to_contain_text("with a finding that contradicts a source")
    rest(page)
    assert total(page) == cards(page).count() == expected > 2
    summary = cards(page).filter(has_text="Comparative summary").first
    expect(summary).to_contain_text("A check found")
    expect(summary.locator(".side").first.locator("mark").first).to_be_visible()
    expect(summary.locator("blockquote mark").first).to_be_visible()
    numbers = chip(page, "Clash", "Numbers")
    fewer = count_of(numbers)
    numbers.click()
    expect(page).to_have_url(re.compile("clash=number"))
    rest(page)
    assert total(page) == cards(page).count() == fewer < expected
    assert count_of(chip(page, "Lists", "Found by a check")) == fewer
    cards(page).first.get_by_role("link", name="Open in the reader").click()
    expect(page).to_have_url(re.compile(r"/item\?.*list=found_by_check"))
    expect(page.get_by_text(f"Going through {fewer} items: found by a check")).to_be_visible()


@pytest.mark.soak
def test_a_view_is_saved_opened_and_removed(visit, rest):
    page = visit("/contradictions?clash=number&sort=sure")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("textbox", name="Save what is shown as").fill("Numbers <b>first</b> :red[x]")
    page.get_by_role("button", name="Save this view").click()
    rest(page)
    other = visit("/contradictions")
    other.get_by_role("button", name="Views").click()
    other.get_by_role("button", name="Numbers <b>first</b> :red[x]", exact=True).click()
    expect(other).to_have_url(re.compile(r"clash=number.*sort=sure|sort=sure.*clash=number"))
    expect(chip(other, "Clash", "Numbers")).to_have_attribute("aria-pressed", "true")
    rest(other)
    remove = other.get_by_role("button", name="Remove").first
    if not remove.is_visible():  # the list of views may have stayed open
        other.get_by_role("button", name="Views").click()
    remove.click()
    rest(other)
    last = visit("/contradictions")
    last.get_by_role("button", name="Views").click()
    expect(last.get_by_text("No view is saved yet")).to_be_visible()


@pytest.mark.soak
def test_a_card_says_who_says_so_and_why(visit):
    page = visit("/contradictions")
    card = cards(page).first
    voices = card.get_by_role("list", name="Who said what").get_by_role("listitem")
    said = re.search(r"(\d+) of (\d+) authors", card.inner_text())
    assert said
    assert voices.count() >= int(said[2])
    card.get_by_text("Reasons").click()
    expect(card.locator("dd").first).to_be_visible()


@pytest.mark.soak
def test_words_that_a_quote_alters_are_struck_out_below_the_source(visit):
    page = visit("/contradictions?list=clashing&placement=near")
    quote = page.locator("blockquote", has=page.locator(".own-words")).first
    expect(quote).to_contain_text("With another number or a “not”")
    expect(quote.locator(".own-words del").first).not_to_be_empty()
    expect(quote.locator(".own-words ins").first).not_to_be_empty()
    expect(quote.locator(".passage")).to_contain_text(quote.locator("ins").first.inner_text())


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cards_and_chips_break_no_rule_of_accessibility(visit, rest, scheme):
    page = visit("/contradictions?clash=number&group=run")
    page.emulate_media(color_scheme=scheme)
    lists = ("clashing", "not_supported", "found_by_check")
    for path in ("", *(f"/contradictions?list={each}" for each in lists)):
        if path:
            page.goto(re.sub(r"(://[^/]+).*", rf"\1{path}", page.url))
        expect(cards(page).first).to_be_visible()
        rest(page)
        assert faults_of_ours(page) == []


@pytest.mark.soak
@pytest.mark.parametrize("which", ["", "found_by_check"])
@pytest.mark.parametrize("width", [480, 1024, 1440])
def test_nothing_runs_over_the_side(visit, rest, width, which):
    page = visit(f"/contradictions?group=system&list={which}")
    page.set_viewport_size({"width": width, "height": 900})
    rest(page)
    over = page.evaluate(
        "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
    )
    assert over <= 0
    edge = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((each) => each.shadowRoot)
        .flatMap((each) => [...each.shadowRoot.querySelectorAll("article, button")])
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1).length"""
    )
    assert edge == 0
    page.set_viewport_size({"width": 1440, "height": 900})
