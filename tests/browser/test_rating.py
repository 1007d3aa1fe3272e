"""Two people rate the same items in two browsers, by keyboard, and neither sees the other."""

import re
import time
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data import queries, records
from data.samples.first_start import fill
from data.store import open_store
from tests.browser.conftest import ready, watch

KNOWN: dict[str, object] = {}
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
RULES = """
() => axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], resultTypes: ["violations"],
}).then((found) => found.violations.flatMap((rule) => rule.nodes
  .filter((node) => node.target.some((each) => Array.isArray(each)))  // inside our shadow roots
  .map((node) => rule.id + " " + node.html.slice(0, 160))))
"""
RATERS = ("Quillfeather", "Marblethorpe")
REASON = {name: f"{name.lower()} has a reason of their own" for name in RATERS}


def FILLED_BY(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    fill(store)
    runs = queries.runs(store).drop_duplicates("protocol")
    KNOWN["runs"] = dict(zip(runs["protocol"], runs["run_id"], strict=True))
    KNOWN["items"] = {
        key: str(queries.run_items(store, run)["item_id"].iloc[0])
        for key, run in KNOWN["runs"].items()  # type: ignore[attr-defined]
    }
    KNOWN["said"] = {
        key: {
            words
            for each in records.load_annotations(store, item)
            for words in (each.author.name, each.answer.rationale, each.answer.comment)
            if words.isascii() and len(words) > 6
        }
        for key, item in KNOWN["items"].items()  # type: ignore[attr-defined]
    }
    store.close()


@pytest.fixture
def desk(browser, server):
    """A browser of one's own, whose frames from the server are kept."""
    opened, problems = [], []
    expect.set_options(timeout=30_000)

    def open_for(name: str, scheme: str = "light"):
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, reduced_motion="reduce", color_scheme=scheme
        )
        context.set_default_timeout(20_000)
        context.add_init_script(f"localStorage.setItem('plumbline-rater', {name!r})")
        page = context.new_page()
        watch(page, server.url, problems)
        page.frames_seen = []
        page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda each: page.frames_seen.append(each)),
        )
        opened.append(context)
        return page

    yield open_for
    for each in opened:
        each.close()
    assert problems == []


def go(page, server, key: str, item: bool = True) -> None:
    run = KNOWN["runs"][key]
    page.goto(f"{server.url}/rate?run={run}" + (f"&item={KNOWN['items'][key]}" if item else ""))
    ready(page)
    expect(page.locator(".rating .card h2")).to_be_visible()
    ready(page)


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def write(page, key: str, words: str) -> None:
    press(page, key)
    page.keyboard.insert_text(words)
    press(page, "Escape")


def units(page) -> int:
    return int(re.search(r"of (\d+) answered", page.get_by_role("status").first.inner_text())[1])


def rate(page, key: str, name: str) -> None:
    """Answer everything by keyboard, then sign."""
    if key == "sentence_grounding":
        for _ in range(units(page)):
            press(page, "1", "e", "ArrowDown", "Enter", "Escape", "j")
        write(page, "w", REASON[name])
    elif key == "claim_overlap":
        for nth in range(units(page)):
            press(page, ("1", "2", "0")[nth % 3], "j")
        write(page, "w", REASON[name])
    elif key == "expert_rubric":
        press(page, "2", "ArrowRight", "5")
        write(page, "w", REASON[name])
    elif key == "comparative_summary":
        press(page, "4")
        write(page, "w", REASON[name])
    else:
        press(page, "1", "j")
        for _ in range(units(page) - 2):
            press(page, "1", "j")
        expect(page.locator(".suggestion .badge")).to_be_visible()
        press(page, "t")
        write(page, "l", "https://example.org/page")
        write(page, "w", REASON[name])
    expect(page.get_by_role("status").first).to_contain_text("Draft saved")
    press(page, "Control+Enter")
    expect(page.get_by_text("Signed and stored.")).to_be_visible()
    ready(page)


def leaks(page, secrets: set[str]) -> list[str]:
    told = b"\n".join(
        each if isinstance(each, bytes) else each.encode() for each in page.frames_seen
    )
    shown = page.locator("body").inner_text() + page.url
    return [word for word in secrets if word.encode() in told or word in shown]


@pytest.mark.parametrize(
    "key",
    [
        "sentence_grounding",
        "claim_overlap",
        "comparative_summary",
        "expert_rubric",
        "response_consistency",
    ],
)
def test_two_raters_rate_the_same_item_and_neither_sees_the_other(desk, server, key):
    first, second = (desk(name) for name in RATERS)
    for page, name, other in ((first, *RATERS), (second, *RATERS[::-1])):
        go(page, server, key)
        rate(page, key, name)
        hidden = {*KNOWN["said"][key], other, REASON[other]}
        assert leaks(page, hidden) == []
    first.goto(f"{server.url}/item?run={KNOWN['runs'][key]}&item={KNOWN['items'][key]}")
    ready(first)
    for name in RATERS:
        expect(first.get_by_text(name).first).to_be_visible()


def chosen(page):
    return page.locator('.card [role="radio"][aria-checked="true"]')


def steps_stored(page) -> int:
    return page.evaluate("[...globalThis.plumblineRatings.values()][0].undo.length")


@pytest.mark.soak
def test_a_burst_of_a_hundred_keys_loses_none_and_survives_a_closed_tab(desk, server):
    page = desk("Burst")
    go(page, server, "sentence_grounding", item=False)
    for nth in range(100):
        press(page, "12"[nth % 2])
    expect(page.locator(".rating")).to_have_attribute("aria-busy", "false")
    assert steps_stored(page) == 100
    page.context.close()
    again = desk("Burst")
    go(again, server, "sentence_grounding", item=False)
    assert steps_stored(again) == 100
    press(again, "k")  # it opens at the first unit without an answer
    expect(chosen(again)).to_contain_text("Unsupported")
    press(again, "z")
    expect(chosen(again)).to_contain_text("Supported")


def test_words_selected_in_a_source_become_an_excerpt_with_its_place(desk, server):
    page = desk("Picker")
    go(page, server, "sentence_grounding", item=False)
    press(page, "1", "Control+Enter")
    expect(page.get_by_role("alert").first).to_contain_text("Supported")
    sentence = page.locator(".sources .sentence").nth(1)
    words = sentence.inner_text().strip()
    sentence.click(click_count=3)
    expect(page.locator(".offer")).to_be_visible()
    press(page, "q")
    expect(page.locator(".card blockquote .words")).to_contain_text(words)
    expect(page.get_by_role("alert")).to_have_count(0)
    press(page, "z")
    expect(page.locator(".card blockquote")).to_have_count(0)


def test_what_is_typed_is_kept_when_the_tab_closes_and_nobody_else_gets_it(desk, server):
    page = desk("Typist")
    go(page, server, "comparative_summary")
    write(page, "w", "half a thought")
    expect(page.get_by_role("status").first).to_contain_text("Draft saved")
    page.context.close()
    again, other = desk("Typist"), desk("Stranger")
    for each in (again, other):
        go(each, server, "comparative_summary")
    expect(again.get_by_role("textbox", name="Reason")).to_have_value("half a thought")
    expect(other.get_by_role("textbox", name="Reason")).to_have_value("")
    assert leaks(other, {"half a thought", "Typist"}) == []


def test_a_double_press_of_sign_is_one_signature_and_a_correction_is_kept(desk, server):
    page = desk("Twice")
    go(page, server, "comparative_summary")
    press(page, "3", "Control+Enter", "Control+Enter", "Control+Enter")
    expect(page.get_by_text("1 of 6 items rated by you")).to_be_visible()
    ready(page)
    run, item = KNOWN["runs"]["comparative_summary"], KNOWN["items"]["comparative_summary"]
    page.goto(f"{server.url}/rate?run={run}&item={item}&list=rated")
    ready(page)
    expect(page.get_by_role("radio", name=re.compile("OK"))).to_be_checked()
    press(page, "2")
    expect(page.get_by_role("status").first).to_contain_text("Draft saved")
    press(page, "Control+Enter")
    expect(page.get_by_text("Signed and stored.")).to_be_visible()
    time.sleep(0.5)
    page.goto(f"{server.url}/rate?run={run}&item={item}&list=rated")
    ready(page)
    expect(page.get_by_role("radio", name=re.compile("Poor")).first).to_be_checked()
    expect(page.get_by_text("1 of 6 items rated by you")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_form_keeps_the_rules_of_accessibility(desk, server, scheme):
    page = desk("Axel", scheme)
    for key in KNOWN["runs"]:
        go(page, server, key)
        press(page, "2")
        page.evaluate(AXE)
        found = page.evaluate(RULES)
        assert not found, f"{key}: {found}"


def test_guidance_and_keys_open_by_key_and_leave_the_sheet_alone(desk, server):
    page = desk("Reader")
    go(page, server, "expert_rubric")
    press(page, "4", "g")
    expect(page.get_by_role("dialog")).to_contain_text("bundle of observations")
    press(page, "1")  # behind a dialog no key counts
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(chosen(page)).to_contain_text("Small slips")
    press(page, "?")
    expect(page.locator("dialog.help")).to_be_visible()


def test_items_that_are_handed_out_wait_for_the_rater(desk, server):
    page = desk("Leader")
    go(page, server, "expert_rubric")
    page.get_by_role("button", name="Hand out").first.click()
    page.get_by_label("Names, one a line").fill("Helper One\nHelper Two")
    page.get_by_label("Items to draw (0: all)").fill("4")
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(page.get_by_text("Handed out 4 ratings")).to_be_visible()
    other = desk("Helper One")
    other.goto(f"{server.url}/rate?run={KNOWN['runs']['expert_rubric']}&list=assigned")
    ready(other)
    expect(other.get_by_text("assigned 0 of 2")).to_be_visible()
    expect(other.locator(".rating .card h2")).to_be_visible()
    assert leaks(other, {"Helper Two"}) == []
