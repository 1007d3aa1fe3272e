"""The reader in a browser: choosing a unit shows what was said and where the words stand."""

import re
from importlib.resources import files

import pytest
from playwright.sync_api import expect


def open_first_item(visit, rest):
    page = visit("/?protocol=sentence_grounding")
    page.get_by_role("table", name="Runs").get_by_text("Read first item").last.click()
    expect(page.get_by_role("listbox", name="Response, sentence by sentence")).to_be_visible()
    rest(page)
    return page


def test_a_sentence_is_chosen_by_click_and_by_key_and_stands_in_the_address(visit, rest):
    page = open_first_item(visit, rest)
    units = page.get_by_role("listbox").get_by_role("option")
    expect(units.first).to_have_attribute("aria-selected", "true")
    units.nth(1).click()
    expect(units.nth(1)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("heading", name=re.compile("^Sentence 2 of"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"unit=s2"))
    rest(page)
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name=re.compile("^Sentence 3 of"))).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(units.first).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile(r"unit=s1"))
    rest(page)

    other = visit("/" + page.url.split("/", 3)[3])
    expect(other.get_by_role("heading", name=re.compile("^Sentence 1 of"))).to_be_visible()


def test_every_cue_of_a_label_is_there(visit, rest):
    page = open_first_item(visit, rest)
    unit = page.get_by_role("option", name=re.compile("^Supported: ")).first
    expect(unit.locator(".glyph")).to_have_text("✓")
    style = unit.evaluate("each => getComputedStyle(each).textDecorationLine")
    assert style == "underline"


def test_next_opens_the_next_item_and_keeps_whose_labels_are_shown(visit, rest):
    page = open_first_item(visit, rest)
    before = page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(before)
    expect(page).to_have_url(re.compile("author=judge"))
    rest(page)
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(before)


def test_words_narrow_the_list_of_items(visit, rest):
    page = visit("/?protocol=sentence_grounding")
    page.get_by_role("table", name="Runs").get_by_role("link").first.click()
    table = page.get_by_role("table", name="Items of the run")
    expect(table).to_be_visible()
    rest(page)
    page.get_by_role("textbox", name="Words in a text").fill("zzz nothing like this")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No item fits")).to_be_visible()


AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
RULES = """
() => axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], resultTypes: ["violations"],
}).then((found) => found.violations.flatMap((rule) => rule.nodes
  .filter((node) => node.target.some((each) => Array.isArray(each)))  // inside our shadow roots
  .map((node) => rule.id + " " + node.html)))
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_our_components_break_no_rule_of_accessibility(visit, rest, scheme):
    page = open_first_item(visit, rest)
    page.emulate_media(color_scheme=scheme)
    page.reload()
    expect(page.get_by_role("region", name="Sources")).to_be_visible()
    for path in ("", "/", "/protocols"):
        if path:
            page.goto(re.sub(r"(://[^/]+).*", rf"\1{path}", page.url))
            expect(page.get_by_role("table").first).to_be_visible()
        rest(page)
        page.evaluate(AXE)
        assert page.evaluate(RULES) == []
