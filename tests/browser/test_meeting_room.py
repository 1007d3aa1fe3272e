"""The meeting room in a browser: an agenda decided by keyboard only, and no press is lost."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.meetings.agendas import agenda_from
from data.meetings.save_meetings import begin_meeting
from data.samples.first_start import fill
from data.store.store import open_store
from faithfulness.model.selection import Selection
from tests.browser.accessibility import grave_faults
from tests.browser.conftest import Server, served_with_judge
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

FEW = 12  # points of a meeting in which keys are pressed in a burst, in every run
ADJUDICATED = "/agreement?reference=adjudicated&judge=judge%3Ajudge-harbor-mini"
S, C = "supported", "contradictory"
NAMES = re.compile("judge-harbor-mini|judge-north-2|Nora|Ilse|Tom")
PEOPLE = {"host": "Eve", "present": ["Ana", "Ben"]}


def meeting_id(operation: str) -> str:
    return hashlib.sha256(f"meeting\x00{operation}".encode()).hexdigest()[:16]


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    fill(store)
    worst = agenda_from(store, Selection(protocol="sentence_grounding"), first=12)
    for name, agenda in (
        ("story", worst[:5]),
        ("talk", worst[5:9]),
        ("width", worst[9:]),
        ("draft", worst[9:]),
    ):
        begin_meeting(store, agenda=agenda, operation_id=name, title=f"The {name}", **PEOPLE)
    # Beside other runs the sample only counts where it is asked for.
    runs = sorted({each.run_id for each in worst[:5]})
    (path.parent / "asked.txt").write_text("".join(f"&run={each}" for each in runs))
    values = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, S)}
    drafts = [sentence_draft(number, values, system="burst") for number in range(FEW + 104)]
    save_drafts(store, drafts, "burst")
    save_drafts(store, [sentence_draft(500, values, system="beside")], "beside")
    points = agenda_from(store, Selection(systems=("burst",)), first=len(drafts))
    parts = {"burst": points[:FEW], "hundred": points[FEW : FEW + 100], "short": points[-2:]}
    for name, agenda in parts.items():
        begin_meeting(store, agenda=agenda, operation_id=name, **PEOPLE)
    store.close()


@pytest.fixture(scope="module")
def server(judge, browser, tmp_path_factory) -> Iterator[Server]:
    yield from served_with_judge(judge, tmp_path_factory, fill_store)


def opened(visit, rest, name: str):
    page = visit(f"/meeting?meeting={meeting_id(name)}")
    expect(page.locator("article")).to_be_visible()
    rest(page)
    return page


def place(page):
    return page.locator(".place")


def says(page):
    return page.locator(".decision .says")


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def decide(page, label: str, why: str, *more: str) -> None:
    press(page, label, *more, "n")
    page.keyboard.type(why)
    press(page, "Control+Enter")
    expect(says(page)).to_contain_text("in the journal")


FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return (at?.getAttribute("aria-label") || at?.innerText || "").trim();
}"""


def tab_to(page, words: str) -> None:
    for _ in range(120):
        press(page, "Tab")
        if page.evaluate(FOCUSED).startswith(words):
            return
    raise AssertionError(f"the Tab key never reaches {words!r}")


def ask_loopback(page, rest, judge) -> None:
    """On the rerun page, by keyboard only."""
    tab_to(page, "Lexical baseline")
    press(page, "ArrowRight", " ")
    expect(page.get_by_label("Address", exact=True)).to_be_visible()
    rest(page)
    # The page's own keys, h and m, are letters in a field.
    for label, words in (("Address", judge.base_url), ("Model", "amber")):
        tab_to(page, label)
        press(page, "Control+a")
        page.keyboard.type(words)
        press(page, "Enter")
        expect(page.get_by_label(label, exact=True)).to_have_value(words)
        rest(page)
    ask = page.get_by_role("button", name="Ask Shortcut H", exact=True)
    expect(ask).to_be_enabled()
    ask.press("Enter")
    expect(page.get_by_role("table", name="New answers beside stored ones")).to_be_visible()
    rest(page)
    expect(page.locator("body")).not_to_contain_text(NAMES)
    press(page, "Control+s")
    expect(page.get_by_text("Kept.")).to_be_visible()
    rest(page)
    press(page, "m")


def downloaded(page, key: str) -> str:
    expect(page.get_by_role("button", name=re.compile("^Minutes, HTML to print"))).to_be_enabled()
    # Shift and the letter do nothing, so that no capital is shown.
    expect(page.get_by_label("Shortcut H")).to_have_css("text-transform", "lowercase")
    with page.expect_download() as coming:
        press(page, key)
    return Path(coming.value.path()).read_text("utf-8")


def decide_the_first_two(page) -> None:
    """Names are hidden before and shown after; the second proposes wording."""
    expect(place(page)).to_have_text("Point 1 of 5")
    expect(page.locator(".room")).not_to_contain_text(NAMES)
    press(page, "3", "q", "n")
    page.keyboard.type("the source denies it")
    # The second click must not press "Next point", which takes the place of Save.
    page.locator(".decision .save").dblclick()
    expect(says(page)).to_contain_text("in the journal")
    expect(place(page)).to_have_text("Point 1 of 5")
    expect(page.locator(".verdict")).to_contain_text("the source denies it")
    expect(page.locator(".reasons")).to_contain_text(NAMES)
    expect(page.locator(".reasons")).to_contain_text("was Rater 1")
    press(page, "Enter")
    expect(place(page)).to_have_text("Point 2 of 5")
    press(page, "g")
    page.keyboard.type("A warranty on a part does not cover the rest.")
    press(page, "Escape")
    decide(page, "2", "it covers only a part", "r")


def decide_with_another_judge(page, rest, judge) -> None:
    """What was entered and who is hidden survive the way to a judge and back."""
    expect(place(page)).to_have_text("Point 3 of 5")
    press(page, "1", "n")
    page.keyboard.type("kept while somebody asks")
    press(page, "Escape", "b")
    expect(page).to_have_url(re.compile(r"/rerun\?.*meeting="))
    rest(page)
    ask_loopback(page, rest, judge)
    expect(place(page)).to_have_text("Point 3 of 5")
    expect(page.locator(".reasons")).to_contain_text("Written by the loopback server.")
    expect(page.locator(".reasons")).to_contain_text("Judge 3")
    expect(page.get_by_label("Reason", exact=True)).to_have_value("kept while somebody asks")
    press(page, "Enter")
    expect(says(page)).to_contain_text("in the journal")


def defer_and_finish(page) -> None:
    press(page, "j", "D")  # a letter counts whatever its case
    page.keyboard.type("ask the maker")
    press(page, "Enter")
    expect(place(page)).to_have_text("Point 5 of 5")
    press(page, "p")
    page.keyboard.type("Dana")
    press(page, "Enter", "Enter")
    expect(page.get_by_role("button", name="4 present")).to_be_visible()
    decide(page, "1", "all of it is there", "i")
    expect(page.locator(".strip [data-state=deferred]")).to_have_count(1)
    press(page, "Shift+F")
    expect(page.get_by_role("dialog")).to_contain_text("4 decided, 1 deferred, 0 not reached")
    press(page, "Enter")
    expect(page.get_by_text("4 of 5 points decided, 1 deferred")).to_be_visible()


def test_five_points_are_decided_by_keyboard_with_a_rerun_and_minutes(visit, rest, judge, server):
    address = ADJUDICATED + (server.store.parent / "asked.txt").read_text()
    before = visit(address)
    expect(before.get_by_role("heading", level=5)).to_contain_text("judge-harbor-mini")
    expect(before.locator("body")).not_to_contain_text("the adjudicated answers")
    page = opened(visit, rest, "story")
    decide_the_first_two(page)
    press(page, "j")
    decide_with_another_judge(page, rest, judge)
    defer_and_finish(page)
    rest(page)
    minutes = downloaded(page, "d")
    assert "**Present:** Eve, Ana, Ben, Dana" in minutes
    assert "4 decisions, 1 deferred, 0 not reached" in minutes
    told = re.findall(r"(?m)^\*\*(?:Decision|Reason):\*\* (.+)$", minutes)
    assert told == [
        "Contradictory; Judge wrong",
        "the source denies it",
        "Unsupported; Guideline gap",
        "it covers only a part",
        "Supported; Rater wrong",
        "kept while somebody asks",
        "Supported; Other",
        "all of it is there",
    ]
    assert "**Why:** ask the maker" in minutes
    assert re.search(r"(?m)^\*\*Signed:\*\* Eve, .+ UTC \(.*\d s\)", minutes)  # time on the point
    assert "A warranty on a part does not cover the rest." in minutes
    assert "Written by the loopback server." in minutes
    assert "kept while somebody asks" in downloaded(page, "h")
    after = visit(address)
    expect(after.get_by_role("heading", level=5)).to_contain_text("the adjudicated answers")
    expect(after.locator("body")).to_contain_text("4 units")
    rest(after)


@pytest.mark.soak
def test_a_second_decision_warns_keeps_both_and_what_is_entered_survives(visit, rest):
    one, two = opened(visit, rest, "talk"), opened(visit, rest, "talk")
    # Entering asks the server for nothing: the first tab cannot know what the second one decides.
    press(one, "1", "n")
    one.keyboard.type("no, it was said")
    two.bring_to_front()
    decide(two, "2", "nobody said so")
    conflict_is_told(one)
    press(one, "j")
    decide(one, "3", "mine was first")
    two.bring_to_front()
    press(two, "j", "1", "n")
    two.keyboard.type("j and k are letters here")
    press(two, "Escape")
    two.reload()
    expect(two.get_by_label("Reason", exact=True)).to_have_value("j and k are letters here")
    rest(two)
    # The first decision is known since the page was loaded anew: it warns before anything is sent.
    press(two, "Enter")
    expect(says(two)).to_contain_text("decided already")
    two.close()
    drafts_outlive_their_tab(visit, rest)


def conflict_is_told(one) -> None:
    """The other tab decided the first point; this one does not know, and is told by the store."""
    one.bring_to_front()
    press(one, "Control+Enter")
    expect(says(one)).to_contain_text("Eve settled")
    expect(one.locator(".strip [data-state=conflict]")).to_have_count(1)
    press(one, "j")
    expect(one.get_by_role("alert")).to_contain_text("Point 1 is not saved")
    press(one, "x")
    expect(one.get_by_label("Reason", exact=True)).to_have_value("no, it was said")
    press(one, "Enter")
    decided = one.locator("article .decided li")
    expect(decided).to_have_count(2)
    expect(one.locator(".verdict")).to_contain_text("no, it was said")
    press(one, "z")
    expect(decided).to_have_count(3)
    back = "Takes back Supported, for which the reason was: no, it was said"
    expect(one.locator(".verdict")).to_contain_text(back)
    press(one, "?")
    expect(one.get_by_role("dialog", name="Keys")).to_contain_text("what went wrong")
    press(one, "Escape")


KEPT_DRAFTS = """() => Object.entries(localStorage)
  .filter(([name]) => name.endsWith(" drafts")).map(([, words]) => words).join()"""


def drafts_outlive_their_tab(visit, rest) -> None:
    """A new tab has what a closed one had entered; once it is stored, nothing is left behind."""
    page = opened(visit, rest, "talk")
    reason = page.get_by_label("Reason", exact=True)
    expect(place(page)).to_have_text("Point 3 of 4")
    press(page, "k")
    expect(reason).to_have_value("j and k are letters here")
    expect(page.locator(".label[aria-pressed=true]")).to_contain_text("✓ Supported")
    press(page, "Enter", "Enter")
    expect(says(page)).to_contain_text("in the journal")
    rest(page)
    assert "letters here" not in page.evaluate(KEPT_DRAFTS)


@pytest.mark.soak
def test_a_decision_is_applied_to_like_cases_that_were_shown(visit, rest):
    page = opened(visit, rest, "short")
    press(page, "3", "a", "Enter", "l")
    sheet = page.get_by_role("dialog")
    boxes, ticked = sheet.get_by_role("checkbox"), sheet.get_by_role("checkbox", checked=True)
    expect(boxes.first).to_be_focused()
    a_like_case_is_looked_at(page, sheet.locator(".likely").first)
    press(page, "Enter")
    expect(sheet).to_contain_text("None is chosen")  # nobody decides many by a mere Enter
    # What another run has comes last, with its name, and is not among all.
    expect(sheet.locator(".of-run")).to_have_text("beside run ")
    press(page, "+")
    expect(ticked).to_have_count(boxes.count() - 1)
    expect(boxes.last).not_to_be_checked()
    press(page, "-", "a", " ", "ArrowDown", " ")  # a takes a reason over, here nothing
    expect(sheet).to_contain_text(f"2 of {boxes.count()} chosen")
    press(page, "Enter")
    expect(says(page)).to_contain_text("Applied to 2 like cases")
    press(page, "z")
    expect(says(page)).to_contain_text("taken back")
    expect(page.locator(".verdict")).to_be_visible()  # the decision itself stands
    rest(page)


@pytest.mark.soak
def test_what_is_typed_is_kept_whatever_is_pressed_then(visit, rest):
    page = opened(visit, rest, "draft")
    reason, dialog = page.get_by_label("Reason", exact=True), page.get_by_role("dialog")
    adopt, labels = page.locator(".adopt"), page.locator(".decision .label")
    for key in range(1, labels.count() + 1):
        press(page, str(key))
        if adopt.is_enabled():
            break
    press(page, "a")
    taken = reason.input_value()
    assert taken
    reason.fill("typed before")
    press(page, "Escape", "a", "a")
    expect(reason).to_have_value(f"typed before\n{taken}")
    press(page, "j", "Shift+F")
    expect(dialog).to_contain_text("Point 1 has something entered that is not saved")
    press(page, "x")
    expect(dialog).to_have_count(0)
    expect(place(page)).to_have_text("Point 1 of 3")
    press(page, "Shift+F", "Escape", "p")
    page.keyboard.type("Zoe, Yan")
    press(page, "Tab")
    expect(dialog.locator(".person[aria-pressed=true]")).to_have_count(5)
    dialog.get_by_role("button", name="Note it").click()
    expect(page.get_by_role("button", name="5 present")).to_be_visible()
    rest(page)


def a_like_case_is_looked_at(page, case) -> None:
    """Who said what is there at once, without names; the words around it are unfolded by key."""
    said = ["Judge 1 ✓ Supported", "Rater 1 ≠ Contradictory", "Rater 2 ≠ Contradictory"]
    expect(case.locator(".says-what")).to_have_text([*said, "Quotes: 1 word for word"])
    reasons = case.locator(".reasons")
    expect(reasons).to_be_hidden()
    press(page, "ArrowRight")
    expect(reasons).to_contain_text("on sentence 1")
    expect(case.locator("blockquote")).to_contain_text("cited by Judge 1")
    press(page, "ArrowLeft")
    expect(reasons).to_be_hidden()


def on_the_card(page) -> dict[str, str]:
    """What each author is called, and their label."""
    names = page.locator("article .reasons dt").all_inner_texts()
    labels = page.locator("article .reasons .badge").all_inner_texts()
    return {name: label.split()[-1] for name, label in zip(names, labels, strict=True)}


def in_the_row_come_from(page) -> dict[str, str]:
    """The same of the rerun's table, in the row of the unit that somebody comes from."""
    table = page.get_by_role("table", name="New answers beside stored ones")
    here = table.locator("tr.here")
    expect(here).to_be_visible()
    names = table.locator("thead th").all_inner_texts()
    said = dict(zip(names, here.locator("th, td").all_inner_texts(), strict=True))
    return {name: text for name, text in said.items() if re.fullmatch(r"(Judge|Rater) \d", name)}


def warned_and_thrown_away(page, rest) -> None:
    press(page, "m")
    expect(page.get_by_role("alert").first).to_contain_text("are not kept")
    rest(page)
    press(page, "Delete")
    expect(page.get_by_role("button", name="Throw away")).to_have_count(0)
    rest(page)


@pytest.mark.soak
def test_a_rerun_by_key_calls_authors_as_the_card_does_and_sends_no_name(visit, rest):
    page = opened(visit, rest, "width")
    called = on_the_card(page)
    press(page, "b")
    expect(page).to_have_url(re.compile(r"/rerun\?.*names=hidden"))
    rest(page)
    heard = []
    page.on("websocket", lambda to: to.on("framereceived", lambda said: heard.append(said)))
    page.reload()  # from here on all that the server says is heard
    expect(page.get_by_role("button", name="Ask Shortcut H")).to_be_visible()
    rest(page)
    press(page, "h")
    expect(page.get_by_role("button", name="Throw away")).to_be_visible()
    rest(page)
    shown = in_the_row_come_from(page)
    assert len(shown) >= 3
    assert all(called[name] in text for name, text in shown.items())
    expect(page.get_by_role("button", name="Open the item")).to_have_count(0)
    warned_and_thrown_away(page, rest)
    sent = b"".join(heard).decode("utf-8", "replace") + page.url
    assert "Judge 1" in sent
    assert not NAMES.search(sent)
    press(page, "m")
    expect(page.locator("article")).to_be_visible()
    # Streamlit fades what a slow save will draw anew; nothing may shine through the room.
    faded = "each => { each.style.opacity = 0.3; return getComputedStyle(each).opacity; }"
    assert page.locator("[class*=st-key-room_]").evaluate(faded) == "1"
    rest(page)


# A minute passes at once, while the tab is hidden or looked at.
A_MINUTE = """(hidden) => {
  const now = performance.now.bind(performance);
  const look = (get) => Object.defineProperty(document, "hidden", { get, configurable: true });
  const tell = () => document.dispatchEvent(new Event("visibilitychange"));
  look(() => hidden); tell();
  performance.now = () => now() + 60_000; look(() => false); tell();
}"""


@pytest.mark.soak
def test_the_clock_stops_while_nobody_looks_and_once_it_is_decided(visit, rest):
    page = opened(visit, rest, "width")
    clock = page.get_by_role("timer")
    expect(clock).to_have_attribute("data-runs", "true")
    page.evaluate(A_MINUTE, True)
    expect(clock).to_have_text(re.compile(r"^0:\d\d$"))
    page.evaluate(A_MINUTE, False)
    expect(clock).to_have_text(re.compile(r"^1:\d\d$"))
    page.reload()
    expect(clock).to_have_text(re.compile(r"^1:\d\d$"))  # what was counted is not lost with it
    decide(page, "1", "for the clock")
    expect(clock).to_have_attribute("data-runs", "false")
    expect(clock).to_have_text(re.compile(r"^1:\d\d$"))  # as the store has it
    press(page, "z")
    expect(clock).to_have_attribute("data-runs", "true")
    rest(page)


def burst(visit, rest, name: str, many: int) -> None:
    page = opened(visit, rest, name)
    for _ in range(many):
        press(page, "3", "a", "Enter", "j")
    expect(page.locator(".counts")).to_contain_text(f"{many} decided", timeout=240_000)
    rest(page)
    fresh = opened(visit, rest, name)
    expect(fresh.locator(".counts")).to_have_text(f"{many} decided")
    press(fresh, "Shift+F")
    expect(fresh.get_by_role("dialog")).to_contain_text(f"{many} decided")
    press(fresh, "Enter")
    expect(fresh.get_by_text(f"{many} of {many} points decided")).to_be_visible()
    rest(fresh)
    minutes = downloaded(fresh, "d")
    placed = re.findall(r"(?m)^### \d+\\?\. (\S+ · Sentence \d+): Contradictory$", minutes)
    assert (len(placed), len(set(placed))) == (many, many)


@pytest.mark.soak
def test_a_burst_of_presses_loses_none(visit, rest):
    burst(visit, rest, "burst", FEW)


@pytest.mark.soak
def test_a_hundred_decisions_in_a_burst_are_all_stored(visit, rest):
    burst(visit, rest, "hundred", 100)


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
@pytest.mark.parametrize("width", [1440, pytest.param(1024, marks=pytest.mark.soak)])
def test_it_fills_the_screen_and_breaks_no_grave_rule(visit, rest, scheme, width):
    page = opened(visit, rest, "width")
    page.set_viewport_size({"width": width, "height": 768})
    page.emulate_media(color_scheme=scheme)
    rest(page)
    for part in (".head", ".case", ".decision"):
        expect(page.locator(part)).to_be_in_viewport()
        assert page.locator(part).evaluate("each => each.scrollWidth - each.clientWidth") <= 1, part
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    assert page.locator(".unit .said").evaluate(size) >= 20  # read across a room
    assert grave_faults(page) == []
    for key in ("p", "d", "?"):
        press(page, key)
        expect(page.get_by_role("dialog")).to_be_visible()
        assert grave_faults(page) == []
        press(page, "Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
