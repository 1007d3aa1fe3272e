"""Keys while Streamlit draws a component anew: none is lost, none gets where it was not meant."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.meetings.agendas import agenda_from
from data.meetings.save_meetings import begin_meeting
from data.runs import queries
from data.store.store import open_store
from faithfulness.model.selection import Selection
from tests.browser.test_meeting_room import PEOPLE, meeting_id
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

MANY = 24  # more than a page of the queue
S, C = "supported", "contradictory"
# Keeps how Streamlit called a component of ours last, so that a test can do what Streamlit does
# only when two answers arrive at once, or when a component moves to another place of the page.
WATCH = """
(() => {
  globalThis.called = (own, given) => {
    const end = own(given);
    globalThis.last = { own, given, end };
    return end;
  };
  const begins = "export default function (";
  globalThis.Blob = class extends Blob {
    constructor(parts, options) {
      const seen = `export default (given) => globalThis.called(own, given);\\nfunction own(`;
      const ours = options?.type === "text/javascript" && parts[0].includes("function takePlace(");
      super(ours ? [parts[0].replace(begins, seen)] : parts, options);
    }
  };
})();
"""
# Newer data came before the call for older data had answered: that one is ended afterwards.
OVERTAKE = """
() => {
  const { own, given } = globalThis.last, overtaken = own(given);
  own(given);
  overtaken();
}
"""
# The component is taken out of the page, as Streamlit leaves it until it is called in a new place.
LEAVE = """
globalThis.leave = () => {
  const { given, end } = globalThis.last, old = given.parentElement.querySelector(".root");
  old.replaceWith(old.cloneNode(true));
  end();
};
globalThis.comeBack = () => { globalThis.called(globalThis.last.own, globalThis.last.given); };
globalThis.press = (...keys) => {
  for (const key of keys) document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
};
"""
KNOWN: dict[str, str] = {}


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    values = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, S)}
    save_drafts(
        store, [sentence_draft(number, values, system="moved") for number in range(MANY)], "moved"
    )
    points = agenda_from(store, Selection(systems=("moved",)), first=4)
    begin_meeting(store, agenda=points, operation_id="moved", **PEOPLE)
    run = queries.runs(store)["run_id"].iloc[0]
    item = queries.run_items(store, run)["item_id"].iloc[0]
    KNOWN["triage"] = "/disagreements?system=moved"
    KNOWN["room"] = f"/meeting?meeting={meeting_id('moved')}"
    KNOWN["reader"] = f"/item?run={run}&item={item}"
    KNOWN["form"] = f"/rate?run={run}&item={item}"
    store.close()


FILLED_BY = fill_store
# What shows where a person is, one step on by "j".
SHOWN = {
    "triage": '.row[aria-current="true"]',
    "room": ".place",
    "reader": '[role="option"][aria-selected="true"]',
    "form": ".reviewed .chosen",
}


@pytest.fixture
def watched(visit, rest):
    def open_page(name: str):
        page = visit(KNOWN[name])
        page.add_init_script(WATCH)
        page.evaluate("localStorage.setItem('plumbline-rater', 'Eve')")
        page.reload()
        expect(page.locator(SHOWN[name]).first).to_be_visible()
        rest(page)
        page.evaluate(LEAVE)
        return page

    return open_page


def rows(page):
    return page.locator(".row")


def is_current(page, nth: int) -> None:
    expect(rows(page).nth(nth)).to_have_attribute("aria-current", "true")


def chosen_labels(page):
    return page.locator('.labels [aria-pressed="true"]')


@pytest.mark.soak
@pytest.mark.parametrize("name", SHOWN)
def test_a_call_that_newer_data_overtook_takes_no_keys_away(watched, name):
    page = watched(name)
    shown = page.locator(SHOWN[name]).first
    before = shown.text_content()
    page.evaluate(OVERTAKE)
    page.keyboard.press("j")
    expect(shown).not_to_have_text(before)
    after = shown.text_content()
    page.keyboard.press("k")  # nor is any key taken twice
    expect(shown).to_have_text(before)
    page.keyboard.press("j")
    expect(shown).to_have_text(after)


@pytest.mark.soak
def test_keys_between_two_places_are_pressed_once_in_the_next(watched):
    page = watched("triage")
    page.keyboard.press("3")
    page.evaluate("leave()")
    for key in ("j", "1", "n", "j", "!", "Backspace"):  # what follows an n is written
        page.keyboard.press(key)
    page.evaluate("comeBack()")
    is_current(page, 1)
    expect(page.get_by_label("Reason", exact=True)).to_have_value("j")
    expect(chosen_labels(page)).to_contain_text("Supported")
    page.keyboard.press("Escape")
    page.evaluate("comeBack()")  # drawn again in the same place: nothing is pressed again
    page.keyboard.press("k")
    is_current(page, 0)
    expect(chosen_labels(page)).to_contain_text("Contradictory")


@pytest.mark.soak
def test_keys_that_wait_for_a_page_outlive_a_move(watched, rest):
    page = watched("triage")
    rows(page).last.click()
    # All at once, before the server can turn the page.
    page.evaluate("press('j', 'j'); leave(); press('j', '3'); comeBack(); press('m')")
    expect(page.locator(".queue .pager")).to_contain_text("21–24 of 24")
    is_current(page, 2)
    expect(chosen_labels(page)).to_contain_text("Contradictory")
    expect(rows(page).nth(2).locator(".flag")).to_be_visible()
    rest(page)


@pytest.mark.soak
def test_keys_for_a_field_or_a_dialog_and_late_ones_are_not_kept(watched):
    page = watched("triage")
    words = page.get_by_role("textbox", name="Words in the unit")
    page.evaluate("leave()")
    words.focus()
    page.keyboard.type("j3")
    expect(words).to_have_value("j3")
    words.fill("")
    page.keyboard.press("Control+j")
    words.blur()
    page.evaluate("comeBack()")
    is_current(page, 0)
    page.evaluate(
        "leave(); const open = document.createElement('dialog'); document.body.append(open);"
        "open.showModal(); press('j'); open.remove(); comeBack()"
    )
    is_current(page, 0)
    page.evaluate("leave()")
    page.wait_for_timeout(2100)
    page.keyboard.press("j")
    page.evaluate("comeBack()")
    is_current(page, 0)
    page.keyboard.press("n")  # whoever types when it moves goes on to type, and gives no orders
    page.keyboard.type("so it")
    page.evaluate("leave()")
    page.keyboard.type("j3")
    page.evaluate("comeBack()")
    is_current(page, 0)
    expect(page.get_by_label("Reason", exact=True)).to_have_value("so it")
    expect(chosen_labels(page)).to_have_count(0)


# It comes back with a list that a filter narrowed meanwhile; what it would send is only noted.
COME_BACK_WITHOUT_THE_FIRST = """
() => {
  const { own, given } = globalThis.last, { cards, total } = given.data;
  const data = { ...given.data, cards: cards.slice(1), total: total - 1 };
  globalThis.sent = [];
  const note = (name, value) => { if (name === "log") globalThis.sent.push(...value); };
  globalThis.called(own, { ...given, data, setStateValue: note });
}
"""


@pytest.mark.soak
def test_keys_meant_for_a_case_do_not_decide_the_one_that_comes_instead(watched):
    page = watched("triage")
    page.evaluate("leave()")
    for key in ("3", "n", "b", "a", "d", "Control+Enter"):
        page.keyboard.press(key)
    page.evaluate(COME_BACK_WITHOUT_THE_FIRST)
    expect(page.locator(".says, [role=status]").filter(has_text="The case changed")).to_be_visible()
    assert page.evaluate("globalThis.sent") == []


@pytest.mark.soak
def test_keys_on_another_page_are_not_for_the_one_before(visit, rest):
    page = visit(KNOWN["triage"])
    expect(page.locator("article")).to_be_visible()
    rest(page)
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.locator("article")).to_have_count(0)
    for key in ("j", "3"):
        page.keyboard.press(key)
    page.get_by_role("link", name="Disagreements", exact=True).click()
    expect(page).to_have_url(re.compile("/disagreements"))
    expect(page.locator("article")).to_be_visible()
    is_current(page, 0)
    expect(chosen_labels(page)).to_have_count(0)
    rest(page)
