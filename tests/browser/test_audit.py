"""Answers that cannot all be right in a browser: a rule filters, a finding leads to the words."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import grave_faults

LIST = "Answers that cannot all be right"


def links(page):
    return page.get_by_role("table", name=LIST).get_by_role("link")


def chip(page, group: str, name: str):
    return page.get_by_role("group", name=group).get_by_role("button", name=re.compile(f"^{name}"))


def count_of(button) -> int:
    return int(button.locator(".count").inner_text().replace(",", ""))


@pytest.mark.soak
def test_from_a_finding_to_the_words_in_one_click_and_back(visit, rest):
    page = visit("/audit")
    expect(links(page).first).to_be_visible()
    whole = count_of(chip(page, "One author or several", "All"))
    quoted = chip(page, "Rule", "Quote nowhere")
    expected = count_of(quoted)
    assert 0 < expected < whole
    quoted.click()
    expect(page).to_have_url(re.compile("rule=supported_by_absent_words"))
    expect(chip(page, "One author or several", "All").locator(".count")).to_have_text(str(expected))
    expect(links(page)).to_have_count(expected)

    # The address alone gives the same list, and its file.
    other = visit("/audit?rule=supported_by_absent_words&whose=one_author")
    expect(links(other)).to_have_count(expected)
    expect(chip(other, "Rule", "Quote nowhere")).to_have_attribute("aria-pressed", "true")
    other.get_by_role("button", name="Download").click()
    with other.expect_download() as begun:
        other.get_by_role("button", name="JSON lines").click()
    lines = begun.value.path().read_text(encoding="utf-8").splitlines()
    assert {json.loads(each)["rule"] for each in lines} == {"supported_by_absent_words"}
    assert len(lines) == expected

    words = links(page).first.inner_text()
    links(page).first.click()
    expect(page).to_have_url(re.compile(r"/item\?.*unit=s\d+"))
    chosen = page.get_by_role("option", selected=True)
    expect(chosen).to_contain_text(words.split()[0])
    expect(page.locator(".detail blockquote.lost").first).to_be_visible()
    rest(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cannot all be right")
    expect(links(page)).to_have_count(expected)
    expect(page).to_have_url(re.compile("rule=supported_by_absent_words"))


@pytest.mark.soak
def test_the_item_says_what_cannot_all_be_right_and_leads_there(visit, rest):
    page = visit("/audit?rule=faithfulness_5_with_fault&whose=one_author")
    href = links(page).first.get_attribute("href")
    item = visit(re.sub(r"&unit=\w+", "", href))
    expect(item.locator(".detail h2").first).to_have_text("Sentence 1 of 5")
    rest(item)
    said = "Rater Priya says faithfulness 5 and calls sentence 5 unsupported"
    item.get_by_role("button", name=re.compile(said)).click()
    expect(item).to_have_url(re.compile("unit=s5"))
    expect(item.locator(".detail h2").first).to_have_text("Sentence 5 of 5")
    rest(item)

    item.get_by_role("button", name=re.compile(r"and \d+ more")).click()
    several = links(item).filter(has_not_text="Heads for the").first
    words = several.inner_text()
    several.click()
    expect(item).not_to_have_url(re.compile("unit=s5"))
    expect(item.get_by_role("option", selected=True)).to_contain_text(words.split()[0])
    rest(item)
    item.get_by_role("button", name=re.compile(r"and \d+ more")).click()
    everything = item.get_by_role("button", name=re.compile(r"All \d+ in the list"))
    expected = int(re.search(r"\d+", everything.inner_text())[0])
    everything.click()
    expect(item.get_by_text("Only of item toothbrush")).to_be_visible()
    expect(links(item)).to_have_count(expected)
    rest(item)
    item.get_by_role("button", name="Of all items").click()
    expect(item.get_by_text("Only of item")).to_have_count(0)
    expect(links(item)).to_have_count(20)


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_breaks_a_grave_rule_of_accessibility(visit, rest, scheme):
    page = visit("/audit")
    page.emulate_media(color_scheme=scheme)
    expect(links(page).first).to_be_visible()
    for width in (1440, 1024):
        page.set_viewport_size({"width": width, "height": 900})
        rest(page)
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= width
    assert grave_faults(page) == []
    page.goto(page.url.partition("/audit")[0] + links(page).first.get_attribute("href"))
    expect(page.get_by_role("button", name=re.compile("^.*Cannot all be right"))).to_be_visible()
    rest(page)
    assert grave_faults(page, ".st-key-audit_notice") == []
