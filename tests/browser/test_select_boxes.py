"""Select boxes beside a form with keys: a key after a choice answers, it does not filter."""

import re

import pytest
from playwright.sync_api import expect

GROUNDED = "/disagreements?protocol=sentence_grounding"


def opened(visit, rest, path):
    page = visit(path)
    expect(page.locator("article")).to_be_visible()
    rest(page)
    return page


def box(page, name):
    return page.get_by_role("combobox", name=name, exact=True)


@pytest.mark.soak
def test_after_a_choice_by_pointer_the_number_answers(visit, rest):
    page = opened(visit, rest, GROUNDED)
    box(page, "Order").click()
    page.get_by_role("option", name="Furthest apart").click()
    expect(box(page, "Order")).not_to_be_focused()
    expect(page).to_have_url(re.compile("sort=far"))
    # Another case stands first then, and what is pressed before belongs to the one before.
    expect(page.get_by_text(re.compile(", furthest apart$"))).to_be_visible()
    rest(page)
    page.keyboard.press("2")
    expect(page.locator(".labels [aria-pressed=true]")).to_contain_text("2")
    expect(box(page, "Order")).to_have_value("Furthest apart")


@pytest.mark.soak
def test_after_enter_the_number_answers_and_tab_goes_on_from_the_box(visit, rest):
    page = opened(visit, rest, GROUNDED)
    box(page, "Protocol").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", name="Claim overlap")).to_be_visible()
    page.keyboard.press("Enter")
    expect(box(page, "Protocol")).to_have_value("Claim overlap")
    expect(page).to_have_url(re.compile("claim_overlap"))
    rest(page)
    page.keyboard.press("1")
    expect(page.locator(".labels [aria-pressed=true]")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="More filters")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(box(page, "Protocol")).to_be_focused()


@pytest.mark.soak
def test_whoever_types_in_a_box_filters_and_esc_leaves_it(visit, rest):
    page = opened(visit, rest, GROUNDED)
    box(page, "Order").click()
    page.keyboard.type("furth")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    expect(box(page, "Order")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box(page, "Order")).not_to_be_focused()
    page.keyboard.press("1")
    expect(page.locator(".labels [aria-pressed=true]")).to_be_visible()


@pytest.mark.soak
def test_another_run_is_chosen_and_the_number_answers(visit, rest):
    page = visit("/rate")
    page.evaluate("localStorage.setItem('plumbline-rater', 'Boxwood')")
    page.reload()
    box(page, "Run").click()
    page.get_by_role("option", name=re.compile("Sentence grounding")).first.click()
    page.evaluate("localStorage.removeItem('plumbline-rater')")
    expect(box(page, "Run")).not_to_be_focused()
    page.locator(".rating .card h2").wait_for()
    rest(page)
    page.keyboard.press("1")
    expect(page.locator(".rating [aria-checked=true]").first).to_be_visible()
