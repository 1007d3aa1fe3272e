"""On a disk that can only be read every form is off or says so, and nothing is saved."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.samples.first_start import fill
from tests.browser.conftest import served
from tests.browser.test_triage import opened, says, sign
from tests.browser.test_uploading import item, lines, upload
from tests.faults.socket_person import SocketPerson
from tests.made_stores import new_store
from tests.unwritable import unwritable

TRIAGE = "plumbline_triage"
BANNER = "The store is open for reading only"


@pytest.fixture(scope="module")
def server(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("locked")
    made = folder / "plumbline.duckdb"
    with unwritable(folder, lambda: new_store(made, fill).close()):

        def lead_there(path: Path) -> None:
            path.parent.symlink_to(folder)

        yield from served(tmp_path_factory, lead_there)


def content(server) -> dict[str, bytes]:
    folder = server.store.parent.resolve()
    return {str(each): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.mark.soak
def test_forms_are_off_say_why_and_save_nothing(visit, rest, server):
    before = content(server)
    page = visit("/rate")
    expect(page.get_by_text(BANNER)).to_be_visible()
    expect(page.get_by_text("Rating is off while the store can only be read")).to_be_visible()
    page = opened(visit, rest, "?protocol=claim_overlap")
    sign(page)
    for key in ("1", "n"):
        page.keyboard.press(key)
    page.keyboard.type("because it is so")
    page.keyboard.press("Control+Enter")
    expect(says(page)).to_contain_text("the store can only be read")
    expect(page.locator(".decision .save")).to_be_disabled()
    page = visit("/import_runs")
    upload(page, rest, "kettles.jsonl", lines(item(1)))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Read as Plumbline")).to_be_visible()
    rest(page)
    expect(page.get_by_role("button", name="Store", exact=True)).to_have_count(0)
    page = visit("/rerun")
    table = page.get_by_role("table", name="Items answered about lately")
    table.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("item="))
    rest(page)
    expect(page.get_by_role("button", name="Ask Shortcut H", exact=True)).to_be_disabled()
    assert content(server) == before


@pytest.mark.soak
def test_a_decision_sent_past_the_form_is_refused_in_words(server):
    before = content(server)
    with SocketPerson(server.url, "disagreements", "protocol=claim_overlap") as person:
        person.send()
        person.wait()
        (card, *_) = person.components[TRIAGE]["given"]["cards"]
        label = card["labels"][0]["value"]
        action = {"seq": 1, "kind": "decide", "key": card["key"], "value": label}
        action |= {"reason": "so it is", "seen": 10**6, "who": "Eve", "id": f"{1:032x}"}
        person.change(TRIAGE, {"log": [action]})
        person.wait()
        results = person.components[TRIAGE]["given"]["results"]
    assert "can only be read here" in json.dumps(results), results
    assert content(server) == before
