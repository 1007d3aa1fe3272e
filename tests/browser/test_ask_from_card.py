"""From a card to a judge and back: seen without scrolling, and by keys that mean one thing."""

import re

import pytest
from playwright.sync_api import expect

OWN_SERVER = True


@pytest.mark.soak
def test_a_judge_is_asked_from_the_card_and_no_key_means_something_else_there(visit, rest):
    page = visit("/disagreements?protocol=sentence_grounding")
    expect(page.get_by_role("link", name="Ask a judge again")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Open in the reader")).to_be_in_viewport()
    rest(page)
    page.keyboard.press("b")
    expect(page).to_have_url(re.compile("/rerun"))
    expect(page.get_by_role("button", name="Ask Shortcut H", exact=True)).to_be_enabled()
    rest(page)
    page.keyboard.press("a")  # takes a reason over where there is one to take
    for _ in range(3):  # held since the card: asking costs
        page.keyboard.down("b")
    page.keyboard.up("b")
    rest(page)
    expect(page.get_by_role("button", name="Ask Shortcut H", exact=True)).to_be_enabled()
    page.keyboard.press("h")
    away = page.get_by_role("button", name="Throw away")
    expect(away).to_be_visible()
    rest(page)
    for key in ("k", "t"):  # the case before, and what the rules suggest
        page.keyboard.press(key)
    rest(page)
    expect(away).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.get_by_text(re.compile("^Kept\\."))).to_be_visible()
