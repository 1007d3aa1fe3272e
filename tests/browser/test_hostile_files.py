"""Files that attack the screen while they are brought in: names, columns, previews, refusals."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.hostile_items import PAYLOADS, lines, small_item
from tests.browser.test_hostile_text import (  # noqa: F401  fixtures: both walls, and the alarm
    as_label,
    context,
    listener,
    nothing_happens,
    texts,
    visit,
)

OWN_SERVER = True
pytestmark = pytest.mark.soak
# A browser sends a file's name without folders and control characters, and its quotes in code.
NAMES = [each for each in PAYLOADS if len(each) < 120 and not re.search(r"[/\\\"\x00-\x1f]", each)]


def upload(page, rest, files: dict[str, bytes]) -> None:
    rest(page)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        [
            {"name": name, "mimeType": "application/octet-stream", "buffer": raw}
            for name, raw in files.items()
        ]
    )
    go_on = page.get_by_role("button", name="Continue")
    expect(go_on).to_be_enabled()
    go_on.click()
    expect(page.get_by_role("button", name="Preview")).to_be_visible()
    rest(page)


def choose(page, rest, label: str, option: str) -> None:
    box = page.get_by_role("combobox", name=re.compile(rf"(^|\. ){label}$"))
    box.click()
    box.fill(option)
    page.get_by_role("option", name=option).first.click()
    rest(page)


def test_a_preview_reads_as_the_file_does(visit, rest):  # noqa: F811
    items = [small_item(each, number, each) for number, each in enumerate(PAYLOADS)]
    for each in items:  # a sentence that is nowhere is a complaint
        each["answers"].append({**each["answers"][0], "text": "Quinces again and again."})
    page = visit("/import_runs")
    name = NAMES[1] + ".jsonl"
    upload(page, rest, {name: lines(items)})
    expect(page.get_by_test_id("stMain")).to_contain_text(as_label(name))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("table", name="The first items of the import")).to_be_visible()
    rest(page)
    assert texts(page, "[aria-label='Runs in this import'] td:first-child .text") == [*PAYLOADS]
    first = texts(page, "[aria-label='The first items of the import'] td:first-child .text")
    assert first == list(PAYLOADS[: len(first)])
    fields = texts(page, "[aria-label='The first items of the import'] td:nth-child(2) .small")
    assert set(PAYLOADS[: len(first)]) <= set(fields)
    assert set(texts(page, "[aria-label='Complaints by line'] td:first-child")) == {name}
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


@pytest.mark.parametrize("third", [PAYLOADS[at::3] for at in range(3)], ids=["a", "b", "c"])
def test_columns_and_their_first_values_read_as_the_table_does(visit, rest, third):  # noqa: F811
    page = visit("/import_runs")
    row = {each: each for each in third}
    upload(page, rest, {"columns.json": json.dumps([row]).encode()})
    choose(page, rest, "Format", "Table with a column mapping")
    choose(page, rest, "Protocol", "Comparative summary")
    expect(page.get_by_role("heading", name="What each column is for")).to_be_visible()
    expect(page.get_by_test_id("stSelectbox")).to_have_count(len(third) + 3)
    rest(page)
    labels = page.get_by_test_id("stSelectbox").get_by_test_id("stWidgetLabel").all_text_contents()
    wanted = {as_label(each) for each in third}
    assert wanted <= {as_label(each) for each in labels}
    first = page.get_by_test_id("stCaptionContainer").all_text_contents()
    # A first value is a reminder, so a very long one is cut.
    assert {each for each in wanted if len(each) < 100} <= {as_label(each) for each in first}


def test_names_of_files_and_refusals_read_as_they_came(visit, rest):  # noqa: F811
    page = visit("/import_runs")
    some = NAMES[:20]
    broken = {
        f"{each}.jsonl": json.dumps({"protocol": each, "fields": []}).encode() for each in some
    }
    upload(page, rest, broken)
    shown = as_label(page.get_by_test_id("stMain").text_content())
    assert [each for each in broken if as_label(each) not in shown] == []
    page.get_by_role("button", name="Preview").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("line 1")
    refused = as_label(alert.text_content())
    assert any(as_label(each) in refused for each in broken)
    rest(page)


@pytest.mark.parametrize("fits", [True, False], ids=["fits", "refused"])
def test_a_prompt_file_reads_as_it_came(visit, rest, fits):  # noqa: F811
    page = visit("/protocols?protocol=sentence_grounding&view=check")
    slots = "{{user_request}} {{context_document}} {{response}}" if fits else "{{secret}}"
    safe = [
        each
        for each in PAYLOADS
        if "{{" not in each and not re.search(r"[\x00-\x1f\x7f\x85]", each)
    ]
    template = "\n".join([*safe, slots])
    name = NAMES[1] + ".txt"
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": template.encode()}]
    )
    expect(page.get_by_test_id("stAlert").first).to_contain_text(as_label(name))
    rest(page)
    if fits:
        code = page.get_by_test_id("stCode").locator("code")
        expect(code.first).to_be_visible()
        assert template in code.all_text_contents()
