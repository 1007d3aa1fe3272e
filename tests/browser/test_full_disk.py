"""A store on a full disk in a browser: every page reads, every save is refused in one sentence."""

import re

import pytest
from playwright.sync_api import expect

from data.samples.first_start import fill_first
from data.store.sidecar_files import get_log_path
from faithfulness.model.full_disk import NOT_SAVED
from tests.browser.conftest import ROOT, Server
from tests.browser.test_uploading import item, lines, upload
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft
from tests.full_disk import fill_up, make_room, small_disk
from tests.made_stores import new_store
from tests.run_commands import run_command
from tests.server_log import faults

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def fill(store):
    """The sample, and a run of people and a judge who differ."""
    fill_first(store)
    values = {ADA: ("supported",) * 3, BEN: ("unsupported",) * 3, NORTH: ("supported",) * 3}
    save_drafts(store, [sentence_draft(number, values) for number in range(3)])


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "store") as mounted:
        new_store(mounted / "plumbline.duckdb", fill).close()
        yield mounted


@pytest.fixture
def server(browser, disk, tmp_path):
    running = Server(tmp_path)
    yield running
    running.stop()
    assert not faults(running.log.read_text())


def save_view(visit, rest):
    page = visit("/runs")
    rest(page)
    page.get_by_role("button", name="Views").click()
    page.get_by_label("Save what is shown as").fill("Lost")
    page.get_by_role("button", name="Save this view").click()
    return page


def answer(visit, rest):
    page = visit("/rate")
    page.get_by_label("Your name").fill("Ina")
    page.keyboard.press("Enter")
    expect(page.locator(".rating .card h2")).to_be_visible()
    rest(page)
    page.keyboard.press("1")
    return page


def decide(visit, rest):
    page = visit("/disagreements")
    rest(page)
    page.get_by_label("Decided by", exact=True).fill("Eve")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.get_by_label("Reason", exact=True).fill("It stands in the reference.")
    page.keyboard.press("Control+Enter")
    return page


def mark(visit, rest):
    page = visit("/disagreements")
    rest(page)
    page.get_by_role("link", name="Open in the reader").click()
    expect(page).to_have_url(re.compile(r"/item\?.*unit"))
    expect(page.get_by_role("option", selected=True)).to_be_visible()
    rest(page)
    page.keyboard.press("m")
    return page


def bring_in(visit, rest, system="late"):
    page = visit("/import_runs")
    upload(page, rest, f"{system}.jsonl", lines(item(1, system=system), item(2, system=system)))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Read as Plumbline")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Store").click()
    return page


def refused(page):
    expect(page.get_by_text(NOT_SAVED).first).to_be_visible()


def read_every_page(visit, rest):
    for name in PAGES:
        page = visit(f"/{name}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        rest(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        page.close()


def save_what_was_refused(rest, rating, decision, marked, import_):
    rating.keyboard.press("2")
    expect(rating.get_by_role("status").first).to_contain_text("Draft saved")
    decision.get_by_role("button", name="Go back to it").click()
    decision.keyboard.press("Control+Enter")
    expect(decision.locator(".row").first).to_have_attribute("data-state", "saved")
    marked.get_by_role("button", name="Marked for the meeting").click()  # and stored in this order
    rest(marked)
    import_.get_by_role("button", name="Store").click()
    expect(import_.get_by_role("table", name="New runs")).to_be_visible()


def test_every_page_reads_and_every_save_is_refused_until_there_is_room(visit, rest, server, disk):
    kept = bring_in(visit, rest, "kept")
    expect(kept.get_by_role("table", name="New runs")).to_be_visible()
    assert not get_log_path(server.store).exists()  # whose last block would take a small save
    fill_up(disk)  # while the app runs
    lost = save_view(visit, rest)
    refused(lost)
    expect(lost.get_by_label("Save what is shown as")).to_have_value("Lost")
    expect(lost.get_by_role("table", name="Runs")).to_be_visible()
    for page in (kept, lost):
        page.close()
    server.stop()
    server.start()  # on the full disk
    read_every_page(visit, rest)
    tried = [act(visit, rest) for act in (answer, decide, mark, bring_in)]
    for page in tried:
        refused(page)
    make_room(disk)
    save_what_was_refused(rest, *tried)
    listed = run_command("runs", "--store", server.store)  # through the app, whose note is there
    assert "kept" in listed
    assert "late" in listed
