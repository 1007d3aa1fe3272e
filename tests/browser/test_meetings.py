"""Before and after a meeting in a browser: agendas, marks, minutes, notes, decisions to recheck."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.meetings import decisions
from data.meetings.agendas import agenda_from
from data.meetings.decide import decide
from data.meetings.decision_facts import Circumstances
from data.meetings.save_meetings import begin_meeting
from data.samples.first_start import fill
from data.store.store import open_store
from faithfulness.model.selection import Selection
from tests.browser.accessibility import grave_faults
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft

S, C = "supported", "contradictory"
MANY = 60
HOSTILE = "<img src=x onerror=alert(1)> **Eve** ![x](http://evil.example/x.png) :red[x]"


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    fill(store)
    values = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, S)}
    drafts = [sentence_draft(number, values, system="burst") for number in range(MANY)]
    save_drafts(store, drafts, "burst")
    met = [sentence_draft(number, values, system="met") for number in range(MANY, MANY + 4)]
    save_drafts(store, met, "met")
    points = agenda_from(store, Selection(systems=("met",)), first=4)
    asked = {"host": HOSTILE, "present": ["ada"], "title": HOSTILE, "operation_id": "b1"}
    meeting_id = begin_meeting(store, agenda=points, **asked)
    told = {"meeting_id": meeting_id, "section": "Prices", "wording": HOSTILE}
    settle(store, points[0], "d1", Circumstances(seconds=60.0, **told))
    kept = decisions.PROTOCOLS["sentence_grounding"]
    older = replace(kept, guidance=f"{kept.guidance}\nOlder words.")
    decisions.PROTOCOLS[kept.key] = older
    try:
        settle(store, points[1], "d2", Circumstances())
        settle(store, points[2], "d3", Circumstances())
    finally:
        decisions.PROTOCOLS[kept.key] = kept
    store.close()


FILLED_BY = fill_store


def settle(store, point, operation, circumstances):
    decide(
        store,
        **point._asdict(),
        value=C,
        author=EVE,
        reason=f"because {HOSTILE}",
        error_class="guideline_gap",
        seen=10**6,
        operation_id=operation,
        circumstances=circumstances,
    )


def opened(visit, rest, address, heading="Meetings"):
    page = visit(address)
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    rest(page)
    return page


def say_name(page, button, name="Eve"):
    field = page.get_by_label("Your name")
    if field.count():
        field.fill(name)
        page.get_by_role("button", name=button).click()
        expect(field).to_have_count(0)


def keeps_the_rules(page, rest):
    for width, scheme in ((1440, "light"), (1024, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        rest(page)
        assert grave_faults(page) == []
        over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(over) <= 1
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light")


def mark_two(page, visit, rest):
    """The first case, and the second after three presses; both are there for everybody."""
    for key in ("m", "j", "m", "m", "m"):
        page.keyboard.press(key)
    expect(page.locator(".flag")).to_have_count(2)
    other = visit("/disagreements?system=burst")
    for _ in range(20):  # a press is drawn before it is stored
        expect(other.locator("article")).to_be_visible()
        if other.locator(".flag").count() == 2:
            break
        other.reload()
    expect(other.locator(".flag")).to_have_count(2)
    rest(page)


def choose(page, rest, name, rows, many):
    page.get_by_role("radio", name=name).click()
    expect(rows).to_have_count(many)
    rest(page)


@pytest.mark.soak
def test_a_meeting_is_made_from_what_is_narrowed_and_from_what_is_marked(visit, rest):
    page = opened(visit, rest, "/disagreements?system=burst", "Disagreements")
    expect(page.locator("article")).to_be_visible()
    mark_two(page, visit, rest)
    page.get_by_role("button", name="Meet about these").click()
    expect(page).to_have_url(re.compile(r"/meetings\?.*view=new"))
    rows = page.get_by_role("table", name="Agenda").locator("tbody tr")
    expect(rows).to_have_count(10)
    expect(page.get_by_text("Disagreements of system burst")).to_be_visible()
    rest(page)
    say_name(page, "I host")
    begin = page.get_by_role("button", name=re.compile("^Begin with"))
    expect(begin).to_be_enabled()
    rest(page)
    choose(page, rest, f"All of them ({MANY})", rows, 50)
    rows.first.get_by_role("button", name="Take off").click()
    expect(begin).to_have_text(re.compile(f"{MANY - 1} points"))
    keeps_the_rules(page, rest)
    choose(page, rest, "What was marked (2)", rows, 2)
    expect(begin).to_have_text(re.compile("2 points"))
    page.get_by_label("Title").fill("Marked ones")
    page.get_by_label("Title").press("Enter")
    rest(page)
    begin.click()
    expect(page).to_have_url(re.compile(r"/meeting\?meeting=\w{16}"))
    other = opened(visit, rest, "/meetings")
    row = other.get_by_role("row", name=re.compile("Marked ones"))
    expect(row).to_contain_text("hosted by Eve")
    other = opened(visit, rest, "/meetings?view=new&from=marked")
    expect(other.get_by_text("Nothing is marked yet")).to_be_visible()


def taken(page, name, path, called="minutes-[a-z0-9-]+"):
    """The text of a file that a button gives."""
    with page.expect_download() as asked:
        page.get_by_role("button", name=name).last.click()
    assert re.fullmatch(rf"{called}\{path.suffix}", asked.value.suggested_filename)
    asked.value.save_as(path)
    return path.read_text("utf-8-sig")


@pytest.mark.soak
def test_minutes_are_read_as_text_and_taken_along(visit, rest, tmp_path):
    page = opened(visit, rest, "/meetings")
    row = page.get_by_role("row").filter(has_text="onerror")
    expect(row).to_contain_text("with ada")
    keeps_the_rules(page, rest)
    row.get_by_role("link", name="Minutes").click()
    expect(page).to_have_url(re.compile("meeting="))
    minutes = page.get_by_role("article", name="Minutes")
    expect(minutes).to_contain_text(f"Host: {HOSTILE}")
    expect(minutes).to_contain_text(f"because {HOSTILE}")
    expect(minutes.locator("img, script, a")).to_have_count(0)
    rest(page)
    keeps_the_rules(page, rest)
    assert "## Proposed for the guid" in taken(page, "Minutes, Markdown", tmp_path / "m.md")
    printed = taken(page, "Minutes, HTML to print", tmp_path / "m.html")
    assert "<img" not in printed
    assert "&lt;img src=x" in printed
    page.get_by_role("button", name="Points as rows").click()
    assert taken(page, "CSV", tmp_path / "m.csv").count("not reached") == 3
    page.keyboard.press("Escape")
    page.get_by_role("button", name="All meetings").click()
    expect(page.get_by_role("table", name="Meetings")).to_be_visible()
    rest(page)
    answers_of_one_author_are_taken_along(page, rest, tmp_path / "a.csv")


def answers_of_one_author_are_taken_along(page, rest, path):
    page.get_by_role("button", name="Download").click()
    page.get_by_label("Of", exact=True).click()
    page.get_by_role("option", name="rater ada", exact=True).click()
    expect(page.get_by_text("Narrowed: by rater ada")).to_be_visible()
    rest(page)
    taken(page, "CSV", path, "answers")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["author"] for row in rows} == {"ada"}
    assert all(row["plumbline_item"] for row in rows)


@pytest.mark.soak
def test_notes_lead_to_the_reader_and_decisions_are_confirmed_or_marked(visit, rest):
    page = opened(visit, rest, "/meetings?view=recheck")
    rows = page.get_by_role("table", name="Decisions to check again").locator("tr:has(td)")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(re.compile(r"Guidance \w{8} → \w{8}"))
    say_name(page, "That is me")
    rest(page)
    keeps_the_rules(page, rest)
    rows.nth(1).get_by_role("button", name="Mark").click()
    expect(rows.nth(1)).to_contain_text("Marked")
    rest(page)
    rows.first.get_by_role("button", name="Confirm").click()
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Marked")
    rest(page)
    page.get_by_role("radio", name="Guideline notes").click()
    expect(page.get_by_role("article", name="Wording for Prices")).to_contain_text(HOSTILE)
    expect(page.get_by_role("table", name="Solved as, confused with")).to_be_visible()
    rest(page)
    keeps_the_rules(page, rest)
    page.get_by_role("table", name=re.compile("^Decisions behind")).get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/item\?.*unit=s\d"))
    expect(page.get_by_role("option", selected=True)).to_be_visible()
    rest(page)
    page.keyboard.press("m")
    flag = page.get_by_role("button", name="⚑ Marked for the meeting")
    expect(flag).to_be_visible()
    rest(page)
    page.reload()
    expect(flag).to_be_visible()
    rest(page)


@pytest.mark.soak
def test_the_reader_shows_why_a_decision_was_made(visit, rest):
    page = opened(visit, rest, "/disagreements?state=decided", "Disagreements")
    page.get_by_role("link", name="Open in the reader").click()
    said = page.locator(".detail .opinion").filter(has_text="adjudicator")
    expect(said).to_contain_text(f"because {HOSTILE}")
    expect(said.locator(".tag")).to_have_text("Guideline gap")
    assert page.locator(".detail img").count() == 0


@pytest.mark.soak
def test_what_was_entered_for_a_meeting_outlives_a_reload(visit, rest):
    page = opened(visit, rest, "/meetings?view=new")
    say_name(page, "I host")
    page.get_by_label("People present").fill("Zoe, Yan")
    page.get_by_label("Title").fill("Prices")
    page.get_by_role("button", name="ben", exact=True).click()
    expect(page).to_have_url(re.compile("known=ben"))
    rest(page)
    page.reload()
    rest(page)
    expect(page.get_by_label("People present")).to_have_value("Zoe, Yan")
    expect(page.get_by_label("Title")).to_have_value("Prices")
    # Written and begun at once: the press is sent with the address of before.
    page.get_by_label("Title").fill("Prices, again")
    page.get_by_role("button", name=re.compile("^Begin with")).click()
    expect(page).to_have_url(re.compile(r"/meeting\?meeting=\w{16}"))
    other = opened(visit, rest, "/meetings")
    row = other.get_by_role("row", name=re.compile("Prices, again"))
    expect(row).to_contain_text("Zoe")
    expect(row).to_contain_text("ben")
