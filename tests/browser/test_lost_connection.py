"""A server that goes away and comes back: what was entered meanwhile is stored, and once."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.meetings.agendas import agenda_from
from data.meetings.save_meetings import begin_meeting
from data.samples.first_start import fill
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from faithfulness.model.selection import Selection
from tests.browser.conftest import ready
from tests.browser.test_meeting_room import meeting_id
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

S, C = "supported", "contradictory"
RUNS: dict[str, str] = {}


def FILLED_BY(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    fill(store)
    values = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, S)}
    for nth, name in enumerate(("triage", "room", "rate", "reload")):
        drafts = [sentence_draft(10 * nth + each, values, system=name) for each in range(3)]
        (RUNS[name],) = save_drafts(store, drafts, name)
    points = agenda_from(store, Selection(systems=("room",)), first=3)
    begin_meeting(store, agenda=points, operation_id="lost", host="Eve", present=["Ana"])
    store.close()


@pytest.fixture
def page(browser, server):
    """A tab whose console may complain: there is nobody to answer for a while."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(30_000)
    expect.set_options(timeout=30_000)
    context.add_init_script("localStorage.setItem('plumbline-rater', 'Eve')")
    yield context.new_page()
    context.close()


def go(page, server, path: str, drawn: str) -> None:
    page.goto(server.url + path)
    expect(page.locator(drawn)).to_be_visible()
    ready(page)


def lose(page, server) -> None:
    server.stop()
    told = page.get_by_role("dialog", name="Connection error")
    expect(told).to_be_visible()
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)


def decide(page, why: str) -> None:
    for key in ("1", "n"):
        page.keyboard.press(key)
    page.keyboard.type(why)
    page.keyboard.press("Control+Enter")


def decisions(server) -> list[str]:
    """Reasons of all decisions ever signed, also of one that a second one like it superseded."""
    return re.findall(r"because \w+", get_sidecar_path(server.store, "journal").read_text("utf-8"))


@pytest.mark.soak  # stops and starts a server, as the others: a minute each
def test_a_decision_made_meanwhile_is_stored_once_the_server_is_back(page, server):
    go(page, server, f"/disagreements?run={RUNS['triage']}", "article")
    states = page.locator(".row .state")
    lose(page, server)
    page.keyboard.press("m")
    decide(page, "because one")
    expect(states.first).to_have_text("Saving…")
    server.start()
    expect(states.first).to_have_text("Saved")
    page.keyboard.press("k")
    expect(page.locator(".decision .mark")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("j")
    # The same where the tab is loaded anew before the connection is back by itself.
    lose(page, server)
    page.keyboard.press("m")
    decide(page, "because two")
    expect(states.nth(1)).to_have_text("Saving…")
    server.start()
    page.reload()
    expect(page.locator(".row").nth(1)).to_be_visible()
    ready(page)
    page.goto(f"{server.url}/disagreements?run={RUNS['triage']}&state=decided")
    expect(page.locator(".row")).to_have_count(2)
    assert decisions(server) == ["because one", "because two"]
    assert (
        get_sidecar_path(server.store, "journal").read_text("utf-8").count('"kind":"meeting mark"')
        == 2
    )
    page.keyboard.press("z")  # by another tab's measure: nothing of this one is to take back
    expect(page.locator(".says")).to_contain_text("nothing to take back")


@pytest.mark.soak
def test_what_is_decided_in_the_room_meanwhile_is_stored(page, server):
    go(page, server, f"/meeting?meeting={meeting_id('lost')}", "article")
    lose(page, server)
    decide(page, "because room")
    expect(page.locator(".says")).to_have_text("Saving…")
    server.start()
    expect(page.locator(".says")).to_contain_text("in the journal and in the store")
    assert decisions(server).count("because room") == 1


@pytest.mark.soak
def test_what_is_rated_and_signed_meanwhile_is_stored(page, server):
    go(page, server, f"/rate?run={RUNS['rate']}", ".rating .card h2")
    page.keyboard.press("4")
    expect(page.get_by_text("Draft saved")).to_be_visible()
    lose(page, server)
    for key in ("j", "4", "j", "4", "w"):
        page.keyboard.press(key)
    page.keyboard.type("said while nobody heard")
    page.keyboard.press("Escape")
    expect(page.locator(".status")).to_contain_text("Saving…")
    server.start()
    expect(page.locator(".status")).to_contain_text("3 of 3 answered · Draft saved")
    expect(page.locator(".card textarea")).to_have_value("said while nobody heard")
    lose(page, server)
    page.keyboard.press("Control+Enter")
    server.start()
    expect(page.get_by_text("1 of 3 items rated by you")).to_be_visible()


def steps_of(server, rater: str) -> list[str]:
    store = open_store(server.store)
    with store.read() as cursor:
        asked = "select state from drafts where rater = $rater and kind = 'set' order by draft_no"
        found = [state for (state,) in cursor.execute(asked, {"rater": rater}).fetchall()]
    store.close()
    return found


@pytest.mark.soak
def test_what_is_rated_meanwhile_outlives_a_reload_for_its_rater_alone(page, server):
    context = page.context
    context.add_init_script("localStorage.setItem('plumbline-rater', 'Ida')")
    go(page, server, f"/rate?run={RUNS['reload']}", ".rating .card h2")
    item = (
        "&item=" + page.evaluate("plumblineRatings.values().next().value.data.sheet").split("/")[1]
    )
    lose(page, server)
    for key in ("4", "w"):
        page.keyboard.press(key)
    page.keyboard.type("said before the reload")  # and not settled into a step yet
    page.goto("about:blank")
    server.start()
    status, address = page.locator(".status"), f"/rate?run={RUNS['reload']}{item}"
    context.add_init_script("localStorage.setItem('plumbline-rater', 'Ola')")
    go(page, server, address, ".rating .card h2")
    expect(status).to_contain_text("0 of 3 answered")
    expect(page.get_by_text("said before the reload")).to_have_count(0)
    context.add_init_script("localStorage.setItem('plumbline-rater', 'Ida')")
    go(page, server, address, ".rating .card h2")
    expect(status).to_contain_text("Draft saved · What you entered before is taken up")
    expect(page.locator(".card textarea")).to_have_value("said before the reload")
    go(page, server, address, ".rating .card h2")
    expect(status).to_have_text("1 of 3 answered · Draft saved")
    server.stop()
    assert steps_of(server, "Ola") == []
    assert len(steps_of(server, "Ida")) == 1  # all of it, once
    server.start()
