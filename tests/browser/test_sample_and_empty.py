"""The sample goes with one click and a confirmation; an empty store tells people how to begin."""

import pytest
from playwright.sync_api import expect

OWN_SERVER = True


@pytest.mark.soak
def test_the_sample_goes_comes_back_and_the_empty_store_helps(visit, rest):
    page = visit("/")
    expect(page.get_by_text("Sample data.")).to_be_visible()
    runs = page.get_by_role("table", name="Runs")
    expect(runs).to_contain_text("Sentence grounding")
    expect(runs.locator(".badge").first).to_have_text("Sample")
    page.get_by_role("button", name="Remove the sample").click()
    page.get_by_role("button", name="Yes, remove it").click()
    expect(page.get_by_text("Nothing is stored yet")).to_be_visible()
    expect(runs).to_have_count(0)
    rest(page)

    # It stays away when the page is opened again, and other pages cope with nothing.
    other = visit("/protocols?view=judges")
    expect(other.get_by_text("No run under Sentence grounding is stored")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Nothing is stored yet")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Import a file").click()
    expect(page.get_by_role("heading", name="Import")).to_be_visible()
    page.go_back()
    rest(page)
    page.get_by_role("button", name="Load the sample").click()
    expect(page.get_by_text("Sample data.")).to_be_visible()
    expect(runs).to_contain_text("Claim overlap")
