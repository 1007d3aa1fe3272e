"""Fields for many words: what finds no room is refused and said, and nothing of it is cut."""

import pytest
from playwright.sync_api import expect

from data.store.sidecar_files import get_sidecar_path
from tests.browser.test_meeting_sources import fill_store

FILLED_BY = fill_store


@pytest.fixture
def disagreement(visit, rest):
    page = visit("/disagreements")
    expect(page.locator("article")).to_be_visible()
    rest(page)
    return page


@pytest.fixture
def room(visit, rest, server):
    page = visit(f"/meeting?meeting={(server.store.parent / 'meeting.txt').read_text()}")
    expect(page.locator("article")).to_be_visible()
    rest(page)
    return page


def left(page):
    return page.locator(".room-left:visible")


def is_refused_and_counted(page, field, longest: int) -> None:
    """Puts in more than there is room for, then almost all, then all of it."""
    field.focus()
    page.keyboard.insert_text("a" * (longest + 500))
    expect(left(page)).to_contain_text(f"it has {longest + 500:,} characters")
    expect(left(page)).to_contain_text(f"room for {longest:,}")
    expect(field).to_have_value("")
    page.keyboard.insert_text("a" * 100)
    expect(left(page)).to_have_count(0)
    page.keyboard.insert_text("o" * (longest - 110))
    expect(left(page)).to_have_text(f"{longest - 10:,} of {longest:,} characters")
    page.keyboard.insert_text("u" * 11)
    expect(left(page)).to_contain_text("there is room for 10")
    assert len(field.input_value()) == longest - 10
    page.keyboard.insert_text("u" * 10)
    expect(left(page)).to_contain_text(f"All {longest:,} characters are used")


@pytest.mark.soak
def test_what_is_typed_while_a_case_is_on_its_way_is_not_sent_too_long(disagreement):
    page = disagreement
    page.keyboard.press("1")
    page.get_by_label("Reason", exact=True).evaluate(
        """(field) => { field.removeAttribute("maxlength"); field.value = "x".repeat(4100);
           field.setAttribute("maxlength", "4000"); field.dispatchEvent(new Event("input")); }"""
    )
    expect(left(page)).to_have_text("100 characters more than the 4,000 that are kept")
    page.keyboard.press("Enter")
    expect(page.locator(".says")).to_contain_text("Not saved: a reason and a wording have at most")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("keys", "label"),
    [
        ("g", "Proposed wording"),
        pytest.param("n", "Reason", marks=pytest.mark.soak),
        pytest.param("d", "Why it is deferred", marks=pytest.mark.soak),
    ],
)
def test_the_room_tells_too(room, rest, keys, label):
    room.keyboard.press(keys)
    field = room.get_by_label(label, exact=True)
    is_refused_and_counted(room, field, 4_000)
    field.fill("")  # what is typed in a room is there again in the next tab
    expect(left(room)).to_have_count(0)
    rest(room)


@pytest.mark.soak
def test_a_rater_is_told_too(visit, rest):
    page = visit("/rate")
    page.evaluate("localStorage.setItem('plumbline-rater', 'Longfellow')")
    page.reload()
    page.locator(".rating .card h2").wait_for()
    rest(page)
    page.keyboard.press("w")
    is_refused_and_counted(page, page.locator("[data-key=w]").first, 9_000)
    page.evaluate("localStorage.removeItem('plumbline-rater')")


@pytest.mark.soak
def test_a_reason_is_refused_or_stored_whole(disagreement, server):
    page, reason = disagreement, disagreement.get_by_label("Reason", exact=True)
    is_refused_and_counted(page, reason, 4_000)
    page.keyboard.press("Escape")
    if not page.get_by_label("Decided by").input_value():
        page.get_by_label("Decided by").fill("Eve")
        page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator(".says")).to_contain_text("Saved: in the journal and in the store")
    whole = "a" * 100 + "o" * 3_890 + "u" * 10
    assert whole in get_sidecar_path(server.store, "journal").read_text("utf-8")
