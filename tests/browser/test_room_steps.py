"""What the room's buttons do on the point that is shown: take it back, go on, or finish."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.meetings.agendas import agenda_from
from data.meetings.save_meetings import begin_meeting
from data.store.store import open_store
from faithfulness.model.selection import Selection
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

U, C = "unsupported", "contradictory"


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    values = {ADA: (C, C, C), BEN: (C, C, C), NORTH: (U, U, U)}
    save_drafts(store, [sentence_draft(number, values) for number in (1, 2)])
    points = agenda_from(store, Selection(), first=6)
    for name, agenda in (("back", points[:3]), ("end", points[3:])):
        people = {"host": "Eve", "present": ["Ana"]}
        meeting = begin_meeting(store, agenda=agenda, operation_id=name, **people)
        (path.parent / f"{name}.txt").write_text(meeting)
    store.close()


FILLED_BY = fill_store


@pytest.fixture
def enter(visit, rest, server):
    def opened(name: str):
        page = visit(f"/meeting?meeting={(server.store.parent / f'{name}.txt').read_text()}")
        expect(page.locator("article")).to_be_visible()
        rest(page)
        return page

    return opened


def decide(page, why: str) -> None:
    for key in ("3", "n"):
        page.keyboard.press(key)
    page.keyboard.type(why)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".decision .says")).to_contain_text("in the journal")


@pytest.mark.soak
def test_the_point_that_is_shown_is_taken_back_and_another_one_is_named_first(enter):
    page = enter("back")
    place, undo = page.locator(".place"), page.locator(".decision .undo span")
    decide(page, "the first")
    page.keyboard.press("Enter")
    decide(page, "the second")
    page.locator(".strip button").first.click()
    expect(place).to_have_text("Point 1 of 3")
    expect(undo).to_have_text("Take back")
    page.keyboard.press("z")
    expect(page.locator(".decision .says")).to_contain_text("Taken back")
    expect(place).to_have_text("Point 1 of 3")
    expect(page.locator(".strip [data-state=decided]")).to_have_attribute(
        "aria-label", "Point 2, decided"
    )
    expect(page.get_by_label("Reason", exact=True)).to_have_value("the first")
    # Nothing of this tab stands on the third point: what else would go is said before.
    for _ in range(2):
        page.keyboard.press("j")
    expect(undo).to_have_text("Take back the last: point 2")
    page.keyboard.press("z")
    expect(place).to_have_text("Point 2 of 3")
    expect(page.locator(".strip [data-state=decided]")).to_have_count(0)


@pytest.mark.soak
def test_after_the_last_point_the_button_finishes(enter):
    page = enter("end")
    save, sheet = page.locator(".decision .save"), page.get_by_role("dialog")
    decide(page, "the first of three")
    expect(save).to_contain_text("Next point")
    for _ in range(2):
        page.keyboard.press("j")
    page.keyboard.press("3")
    page.locator("textarea.reason").fill("the last")
    save.dblclick()  # the second click must not finish
    expect(save.locator("span")).to_have_text("Finish")
    expect(page.locator(".decision .says")).to_contain_text("in the journal")
    expect(sheet).to_have_count(0)
    page.locator(".case").click()
    page.keyboard.press("Enter")  # nor does the key that goes on
    expect(page.locator(".decision .says")).to_contain_text("Press Shift+F")
    expect(sheet).to_have_count(0)
    expect(save).not_to_contain_class("settles")
    save.click()
    expect(sheet).to_contain_text("2 decided, 0 deferred, 1 not reached")
