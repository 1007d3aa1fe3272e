"""Two people rate the same items in two browsers, by keyboard, and neither sees the other."""

import re
import time
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.items.loading import load_annotations
from data.runs import queries
from data.samples.first_start import fill
from data.store.store import open_store
from faithfulness.protocols import protocol
from tests.browser.accessibility import faults_of_ours
from tests.browser.conftest import ready, watch
from tests.run_commands import run_command

KNOWN: dict[str, object] = {}
RATERS = ("Quillfeather", "Marblethorpe")
REASON = {name: f"{name.lower()} has a reason of their own" for name in RATERS}
MANY_UNITS = ("sentence_grounding", "claim_overlap")  # one item of these holds several answers
# The labels each of the two chooses, unit after unit and over again.
CHOICES = {
    "sentence_grounding": ("1", "21"),
    "claim_overlap": ("12", "21"),
    "comparative_summary": ("4", "2"),
    "expert_rubric": ("2", "3"),
    "response_consistency": ("1", "2"),
}
# What every visit makes anew: ids, times, and what the frames count.
ANEW = re.compile(rb"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}|[0-9a-f]{16,}")


def FILLED_BY(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    fill(store)
    runs = queries.runs(store).drop_duplicates("protocol")
    KNOWN["runs"] = dict(zip(runs["protocol"], runs["run_id"], strict=True))
    KNOWN["items"] = {
        key: queries.run_items(store, run)["item_id"][: 1 if key in MANY_UNITS else 2].tolist()
        for key, run in KNOWN["runs"].items()  # type: ignore[attr-defined]
    }
    KNOWN["said"] = {
        key: {
            words
            for item in items
            for each in load_annotations(store, item)
            for words in (each.author.name, each.answer.rationale, each.answer.comment)
            if words.isascii() and len(words) > 6
        }
        for key, items in KNOWN["items"].items()  # type: ignore[attr-defined]
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
        page.frames_seen, page.replies_seen = [], []
        page.on("response", lambda each: page.replies_seen.append(each))
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


def go(page, server, key: str, item: bool = True, nth: int = 0, more: str = "") -> None:
    chosen_item = f"&item={KNOWN['items'][key][nth]}" if item else ""
    page.goto(f"{server.url}/rate?run={KNOWN['runs'][key]}{chosen_item}{more}")
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


def follow_path(page, digit: str) -> list[str]:
    """The guided path: every statement alike, then what the rules suggest."""
    press(page, "1", "j")
    for _ in range(units(page) - 2):
        press(page, digit, "j")
    suggestion = page.locator(".suggestion .badge")
    expect(suggestion).to_be_visible()
    press(page, "t")
    write(page, "l", "https://example.org/page")
    return [suggestion.inner_text().split(maxsplit=1)[1]]  # behind its sign


def answer_each(page, key: str, name: str) -> list[str]:
    """Each unit with the next of this rater's choices; an excerpt where the protocol wants one."""
    labels, who = protocol(key).criteria[0].scale.labels, RATERS.index(name)
    digits = [CHOICES[key][who][nth % len(CHOICES[key][who])] for nth in range(units(page))]
    for digit in digits:
        press(page, digit)
        if key == "sentence_grounding" and digit == "1":
            press(page, "e", *["ArrowDown"] * (1 + who), "Enter", "Escape")
        press(page, *(["ArrowRight", "5"] if key == "expert_rubric" else []), "j")
    return [labels[int(digit) - 1].title for digit in digits]


def rate(page, key: str, name: str) -> list[str]:
    """Answer everything by keyboard and sign; gives the titles of what was chosen, in order."""
    if key == "response_consistency":
        chose = follow_path(page, CHOICES[key][RATERS.index(name)])
    else:
        chose = answer_each(page, key, name)
    write(page, "w", REASON[name])
    expect(page.get_by_role("status").first).to_contain_text("Draft saved")
    press(page, "Control+Enter")
    expect(page.get_by_text("Signed and stored.")).to_be_visible()
    ready(page)
    return chose


def received(page) -> bytes:
    """Everything the server sent since the last time this was asked: frames and replies."""
    kinds = {"document", "fetch", "xhr"}
    bodies = [each.body() for each in page.replies_seen if each.request.resource_type in kinds]
    frames = [each if isinstance(each, bytes) else each.encode() for each in page.frames_seen]
    page.replies_seen.clear()
    page.frames_seen.clear()
    return b"\n".join(bodies + frames)


def words_in(told: bytes) -> set[bytes]:
    """The words of a payload without what every visit makes anew."""
    return set(re.findall(rb"[A-Za-z ]{5,}", ANEW.sub(b"", told)))


def leaks(page, told: bytes, secrets: set[str]) -> list[str]:
    shown = page.locator("body").inner_text() + page.url
    assert len(told) > 1000  # else nothing was heard at all
    return [word for word in secrets if word.encode() in told or word in shown]


def look_at_all(page, server, key: str) -> list[set[bytes]]:
    """Open every shared item, and give the words that the server sent for each."""
    heard = []
    for nth in range(len(KNOWN["items"][key])):
        go(page, server, key, nth=nth)
        heard.append(words_in(received(page)))
    return heard


def without_a_name(page, server, key: str) -> set[bytes]:
    """What is sent before a name is known; a slow browser tells its own a moment late."""
    page.goto(f"{server.url}/rate?run={KNOWN['runs'][key]}&item={KNOWN['items'][key][0]}")
    expect(page.get_by_text("Say who you are")).to_be_visible()
    ready(page)
    return words_in(received(page))


@pytest.mark.parametrize("key", list(CHOICES))
def test_two_raters_rate_the_same_item_and_neither_sees_the_other(desk, server, key):
    first, second = (desk(name) for name in RATERS)
    before, nobody = look_at_all(second, server, key), without_a_name(desk(""), server, key)
    chose = {}
    for page, name, other in ((first, *RATERS), (second, *RATERS[::-1])):
        if page is second:  # what the first signed changes nothing of what the second is sent
            now = look_at_all(page, server, key)
            new = [here - was - nobody for here, was in zip(now, before, strict=True)]
            assert new == [set()] * len(now)
        told, chose[name] = b"", []
        for nth in range(len(before)):
            go(page, server, key, nth=nth)
            chose[name] += rate(page, key, name)
            told += received(page)
        assert leaks(page, told, {*KNOWN["said"][key], other, REASON[other]}) == []
    go(first, server, key, more="&list=rated")
    assert leaks(first, received(first), {RATERS[1], REASON[RATERS[1]]}) == []
    assert shown_by_agreement(first, server, key) == Counter(zip(*chose.values(), strict=True))


def shown_by_agreement(page, server, key: str) -> Counter:
    """The table of labels with one rater as the reference and the other beside it."""
    who = "&".join(
        f"{side}=rater:{name}" for side, name in zip(("reference", "judge"), RATERS, strict=True)
    )
    question = f"protocol={key}&run={KNOWN['runs'][key]}"
    page.goto(f"{server.url}/agreement?{question}&{who}&view=table")
    ready(page)
    cells = page.get_by_role("button", name=re.compile("^Reference .*, judge .*: "))
    expect(cells.first).to_be_visible()
    for name in RATERS:
        expect(page.get_by_text(name).first).to_be_visible()
    found = Counter()
    for label in (each.get_attribute("aria-label") for each in cells.all()):
        row, column, units_there = re.match(r"Reference (.*), judge (.*): (\d+) ", label).groups()
        found[row, column] = int(units_there)
    return +found


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


@pytest.mark.soak
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


@pytest.mark.soak
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
    assert leaks(other, received(other), {"half a thought", "Typist"}) == []


def test_an_answer_against_a_marked_statement_is_signed_with_a_reason_alone(desk, server):
    page = desk("Departer")
    go(page, server, "response_consistency")
    press(page, "1", "j", "2", *["j"] * (units(page) - 2), "1")
    because = page.locator(".card .departure")
    expect(because).to_contain_text("which imply “No: contrary evidence”")
    write(page, "l", "https://example.org/page")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("Give the reason")
    write(page, "w", "The clash is a misprint of the page.")
    press(page, "Control+Enter")
    expect(page.get_by_text("Signed and stored.")).to_be_visible()


def test_a_double_press_of_sign_is_one_signature_and_a_correction_is_kept(desk, server):
    page = desk("Twice")
    go(page, server, "comparative_summary")
    press(page, "3", "Control+Enter", "Control+Enter", "Control+Enter")
    expect(page.get_by_text("1 of 6 items rated by you")).to_be_visible()
    ready(page)
    run, item = KNOWN["runs"]["comparative_summary"], KNOWN["items"]["comparative_summary"][0]
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


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_form_keeps_the_rules_of_accessibility(desk, server, scheme):
    page = desk("Axel", scheme)
    for key in KNOWN["runs"]:
        go(page, server, key)
        press(page, "2")
        found = faults_of_ours(page)
        assert not found, f"{key}: {found}"


@pytest.mark.soak
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


@pytest.mark.soak
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
    assert leaks(other, received(other), {"Helper Two"}) == []


@pytest.mark.soak
def test_a_run_that_is_removed_meanwhile_is_told_and_what_was_entered_stays(desk, server):
    page = desk("Yarrowfield")
    go(page, server, "expert_rubric")
    press(page, "2")
    expect(page.get_by_text("Draft saved")).to_be_visible()
    run_command("remove", KNOWN["runs"]["expert_rubric"], "--yes", "--store", server.store)
    write(page, "w", "words that nobody else has")
    told = page.locator(".status")
    expect(told).to_contain_text("was removed")
    expect(told).to_contain_text("What you wrote stays on this page")
    # Also when the whole page is drawn again, and when it is to be signed.
    page.get_by_role("button", name="Guidance").click()
    expect(page.get_by_text("This run was removed while you rated it")).to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    press(page, "Control+Enter")
    ready(page)
    expect(told).to_contain_text("was removed")
    expect(page.locator(".card textarea").first).to_have_value("words that nobody else has")
    page.get_by_role("button", name="Leave it").click()
    expect(page.get_by_text("The newest run is shown instead")).to_be_visible()
    expect(page.get_by_text("This run was removed")).to_have_count(0)


# A key whose step never reaches the server: it is away for just that moment.
PRESS_UNHEARD = """
() => {
  for (const each of globalThis.plumblineRatings.values()) each.send = () => {};
  const pressed = { key: "3", bubbles: true, composed: true };
  document.body.dispatchEvent(new KeyboardEvent("keydown", pressed));
}
"""
FOLLOW = "to => { history.pushState({}, '', to); dispatchEvent(new PopStateEvent('popstate')); }"


@pytest.mark.soak
def test_what_was_not_stored_is_taken_up_after_a_look_at_another_sheet(desk, server):
    page = desk("Wrenfield")
    go(page, server, "comparative_summary")
    status, said = page.get_by_role("status").first, page.locator(".rating").inner_text()
    page.evaluate(PRESS_UNHEARD)
    expect(status).to_contain_text("Saving…")
    run, items = KNOWN["runs"]["comparative_summary"], KNOWN["items"]["comparative_summary"]
    page.evaluate(FOLLOW, f"?run={run}&item={items[1]}")
    expect(page.locator(".rating")).not_to_have_text(said, use_inner_text=True)
    ready(page)
    expect(status).to_contain_text("0 of")
    page.evaluate(FOLLOW, f"?run={run}&item={items[0]}")
    expect(status).to_contain_text("What you entered before is taken up")
    expect(status).to_contain_text("Draft saved")
