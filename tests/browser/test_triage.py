"""The triage page in a browser: decided by key, nothing lost, conflicts and undo are told."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.runs import queries
from data.samples.first_start import fill
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from tests.browser.accessibility import grave_faults
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

MANY = 104  # disagreements of the run in which keys are pressed in a burst
PAIR = 30  # of the run on which two people work at once: more than a page
S, C = "supported", "contradictory"


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    fill(store)
    for protocol, run_id in queries.runs(store)[["protocol", "run_id"]].itertuples(index=False):
        SAMPLE_RUNS.setdefault(protocol, []).append(run_id)
    values = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, S)}
    drafts = [sentence_draft(number, values, system="burst") for number in range(MANY)]
    save_drafts(store, drafts, "burst")
    few = [sentence_draft(number, values, system="few") for number in range(MANY, MANY + 3)]
    save_drafts(store, few, "few")
    for nth, name in enumerate(("stands", "again", "enter", "held")):
        at = MANY + 3 + 2 * nth
        two = [sentence_draft(number, values, system=name) for number in (at, at + 1)]
        save_drafts(store, two, name)
    pair = range(MANY + 11, MANY + 11 + PAIR)
    shared = [sentence_draft(number, values, system="pair") for number in pair]
    save_drafts(store, shared, "pair")
    store.close()


FILLED_BY = fill_store
# Filled with the store: with other runs beside it, the sample is shown only where it is chosen.
SAMPLE_RUNS: dict[str, list[str]] = {}
REASONS = (".badge", ".why")


def of_sample(protocol: str) -> str:
    """The query of an address that chooses a protocol's runs of the sample."""
    return f"?protocol={protocol}" + "".join(f"&run={run}" for run in SAMPLE_RUNS[protocol])


def rows(page):
    return page.locator(".row")


def says(page):
    return page.locator(".decision .says")


def state(page, name: str) -> int:
    tab = page.get_by_role("group", name="Decided or not").get_by_role(
        "button", name=re.compile(f"^{name}")
    )
    return int(tab.locator(".count").inner_text().replace(",", ""))


def sign(page, name="Eve"):
    page.get_by_label("Decided by", exact=True).fill(name)
    page.keyboard.press("Escape")


def opened(visit, rest, address):
    page = visit(f"/disagreements{address}")
    expect(page.locator("article")).to_be_visible()
    rest(page)
    return page


def test_the_worst_stands_first_with_why_both_sides_evidence_and_reasons(visit, rest):
    page = opened(visit, rest, of_sample("sentence_grounding"))
    first = rows(page).first
    expect(first).to_have_attribute("aria-current", "true")
    expect(first).to_contain_text("supported against contradictory")
    card = page.locator("article")
    for words in ("Sentence, in the response", "Evidence in the sources", "Reasons"):
        expect(card.get_by_role("heading", name=words)).to_be_visible()
    expect(card.locator(".side")).to_have_count(2)
    expect(card.locator(".unit .said")).to_be_visible()
    expect(card.locator("mark").first).to_be_visible()
    assert card.locator(".reasons dt").count() == 5


@pytest.mark.soak
def test_a_reason_is_taken_over_only_where_one_was_given(visit, rest):
    page = opened(visit, rest, of_sample("sentence_grounding") + "&words=rebate+was+granted")
    reasons = page.locator("article .reasons")
    said = list(zip(*(reasons.locator(each).all_inner_texts() for each in REASONS), strict=True))
    given = set()
    for label in page.locator(".labels .label").all():
        label.click()
        title = label.locator("span").first.inner_text().split("\n")[-1].strip("✓?≠– ")
        is_given = any(title in badge and "No reason" not in why for badge, why in said)
        given.add(is_given)
        expect(page.locator(".adopt")).to_be_enabled(enabled=is_given)
    assert given == {True, False}
    assert any("No reason" in why for _, why in said)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("protocol", "labels"),
    [
        ("sentence_grounding", 4),
        ("claim_overlap", 2),
        ("comparative_summary", 5),
        ("response_consistency", None),
        ("expert_rubric", 5),
    ],
)
def test_every_protocol_has_its_queue_and_its_labels(visit, rest, protocol, labels):
    page = opened(visit, rest, of_sample(protocol))
    assert rows(page).count() > 1
    shown = page.locator(".labels .label").count()
    assert shown == labels if labels else shown in (4, 6)
    page.keyboard.press("2")
    expect(page.locator('.label[aria-pressed="true"]')).to_have_count(1)
    second = page.locator("article").get_attribute("aria-label")
    page.keyboard.press("j")
    expect(rows(page).nth(1)).to_have_attribute("aria-current", "true")
    page.keyboard.press("k")
    expect(page.locator("article")).to_have_attribute("aria-label", second)
    expect(page.locator('.label[aria-pressed="true"]')).to_have_count(1)  # still chosen


def test_a_decision_needs_label_reason_and_name_and_is_told_when_stored(visit, rest):
    page = opened(visit, rest, of_sample("claim_overlap"))
    before = state(page, "Decided")
    page.keyboard.press("Enter")
    expect(says(page)).to_contain_text("label first")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(says(page)).to_contain_text("Say why")
    page.keyboard.press("n")
    page.keyboard.type("j stands in the reference")  # keys are letters while somebody types
    page.keyboard.press("Control+Enter")
    expect(says(page)).to_contain_text("who decides")
    page.reload()
    rest(page)
    expect(page.get_by_label("Reason", exact=True)).to_have_value("j stands in the reference")
    expect(page.locator(".labels [aria-pressed=true]")).to_have_count(1)
    sign(page)
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="Guideline gap")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("Enter")
    expect(rows(page).first).to_have_attribute("data-state", "saved")
    expect(rows(page).nth(1)).to_have_attribute("aria-current", "true")
    rest(page)
    assert state(page, "Decided") == before + 1
    page.keyboard.press("k")
    decided = page.locator("article .decided")
    expect(decided).to_contain_text("j stands in the reference")
    expect(decided).to_contain_text("Guideline gap")
    expect(says(page)).to_contain_text("in the journal")
    again = opened(visit, rest, of_sample("claim_overlap") + "&state=decided")
    expect(again.locator("article .decided")).to_contain_text("Eve")


@pytest.mark.soak
def test_a_save_leaves_counts_that_agree_and_a_filter_that_lasts(visit, rest):
    page = opened(visit, rest, "?system=few")
    sign(page)
    page.keyboard.press("3")
    guessed = page.locator(".class.suggested")
    expect(guessed).to_contain_text("Judge wrong")
    expect(page.locator(".suggestion")).to_contain_text("suggested by the label")
    page.keyboard.press("q")  # confirms it
    expect(guessed).to_have_count(0)
    expect(page.get_by_role("button", name="Judge wrong")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Reason", exact=True).fill("so it says, at length " * 40)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".queue .pager")).to_contain_text("1–3 of 3 (1 decided since)")
    rest(page)
    assert state(page, "Open") == 2
    chips = page.get_by_role("group", name="Who differs")
    expect(chips.locator('button:has-text("against") .count').filter(has_text="2")).to_have_count(1)
    # The reason of the case before stands on the next one, cut.
    expect(page.locator(".example .fold .cut")).to_be_visible()
    assert page.locator(".example").inner_text().count("at length") < 15
    page.locator(".example .more").click()
    assert page.locator(".example").inner_text().count("at length") == 40
    the_filter_lasts(page, rest)


def the_filter_lasts(page, rest) -> None:
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    rest(page)
    page.get_by_role("link", name="Disagreements", exact=True).click()
    expect(page).to_have_url(re.compile(r"/disagreements\?.*system=few"))
    expect(rows(page)).to_have_count(3)
    rest(page)
    page.get_by_role("button", name="Show all").click()
    expect(page).to_have_url(re.compile(r"/disagreements$"))
    expect(rows(page)).not_to_have_count(3)
    rest(page)


def stands(page):
    return page.get_by_role("region", name="What was decided")


def decide(page, label: str, reason: str) -> None:
    for key in (label, "n"):
        page.keyboard.press(key)
    page.keyboard.type(reason)
    page.keyboard.press("Control+Enter")


@pytest.mark.soak
def test_what_is_decided_stands_in_the_forms_place(visit, rest):
    page = opened(visit, rest, "?system=stands&state=all")
    sign(page)
    for reason in ("the page says so", "so says the other"):  # the last one has no next
        expect(stands(page)).to_have_count(0)
        decide(page, "3", reason)
    for words in ("Contradictory", "Eve", "UTC", "so says the other"):
        expect(stands(page)).to_contain_text(words)
    expect(page.get_by_label("Reason", exact=True)).to_have_count(0)
    expect(says(page)).to_contain_text("Saved")
    page = opened(visit, rest, "?system=stands&state=decided")
    expect(stands(page)).to_contain_text("the page says so")
    page.get_by_role("button", name="Decide again").click()
    expect(page.get_by_label("Reason", exact=True)).to_be_visible()
    page.get_by_role("button", name="Leave it so").click()
    expect(stands(page)).to_be_visible()


@pytest.mark.soak
def test_keys_open_the_form_of_a_decided_case_and_an_empty_one_closes_again(visit, rest):
    page = opened(visit, rest, "?system=again")
    sign(page)
    decide(page, "3", "the page says so")
    expect(rows(page).first).to_have_attribute("data-state", "saved")
    rest(page)
    page.keyboard.press("k")
    expect(stands(page)).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator('.label[aria-pressed="true"]')).to_contain_text("Supported")
    page.get_by_role("button", name="Leave it so").click()
    for key in ("n", "k", "Backspace", "Escape", "j", "k"):
        page.keyboard.press(key)
    expect(stands(page)).to_be_visible()
    page.get_by_role("button", name="Decide again").press("Enter")
    decide(page, "1", "it does not")  # who asked for it is not warned of it
    expect(rows(page).nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator('.row[data-state="pending"]')).to_have_count(0)
    rest(page)
    page.keyboard.press("k")
    expect(stands(page)).to_contain_text("it does not")
    expect(page.locator("article .decided li")).to_have_count(2)


@pytest.mark.soak
def test_a_second_decision_warns_keeps_both_and_can_be_taken_back(visit, rest):
    page = opened(visit, rest, of_sample("comparative_summary"))
    sign(page)
    for key in ("2", "n"):
        page.keyboard.press(key)
    page.keyboard.type("the first reason")
    page.keyboard.press("Control+Enter")
    expect(rows(page).first).to_have_attribute("data-state", "saved")
    page.keyboard.press("k")
    expect(page.locator("article .decided")).to_contain_text("the first reason")
    for key in ("3", "n"):
        page.keyboard.press(key)
    page.keyboard.press("Control+a")
    page.keyboard.type("the second reason")
    page.keyboard.press("Control+Enter")
    expect(says(page)).to_contain_text("decided already")
    page.keyboard.press("Enter")
    expect(page.locator(".row").nth(1)).to_have_attribute("aria-current", "true")
    rest(page)
    page.keyboard.press("k")
    decided = page.locator("article .decided li")
    expect(decided).to_have_count(2)
    expect(decided.first).to_contain_text("superseded")
    page.keyboard.press("z")
    expect(decided).to_have_count(3)
    expect(decided.last).to_contain_text("the second reason")  # names what is taken back
    expect(decided.last.locator(".badge")).to_contain_text("2")  # what counted before
    page.keyboard.press("z")
    expect(decided).to_have_count(4)
    expect(decided.last).to_contain_text("Taken back")
    expect(rows(page).first).not_to_have_attribute("data-state", "saved")
    # Nothing stands any more that could be left so.
    expect(page.locator(".decision .stood")).to_have_count(0)


def test_somebody_elses_decision_is_a_conflict_and_yours_is_still_there(visit, rest):
    one = opened(visit, rest, of_sample("response_consistency"))
    other = opened(visit, rest, of_sample("response_consistency"))
    sign(one, "Eve")
    sign(other, "Ola")
    for page, why in ((one, "mine first"), (other, "no, mine")):
        page.bring_to_front()
        for key in ("1", "n"):
            page.keyboard.press(key)
        page.keyboard.type(why)
        page.keyboard.press("Control+Enter")
        expect(rows(page).first).not_to_have_attribute("data-state", "pending")
        expect(rows(page).first).to_have_attribute("data-state", re.compile("saved|conflict"))
    expect(rows(one).first).to_have_attribute("data-state", "saved")
    expect(rows(other).first).to_have_attribute("data-state", "conflict")
    # Whoever pressed is at the next case: there it is told, and where their own words are.
    alert = other.locator(".decision").get_by_role("alert")
    expect(alert).to_be_in_viewport()
    expect(alert).to_contain_text("Eve settled")
    expect(alert).to_contain_text("what you entered is kept there")
    alert.get_by_role("button", name="Go back to it").click()
    expect(rows(other).first).to_have_attribute("aria-current", "true")
    expect(alert).to_be_empty()
    expect(says(other)).to_contain_text("Eve settled")
    expect(other.locator("article .decided")).to_contain_text("mine first")
    expect(other.get_by_label("Reason", exact=True)).to_have_value("no, mine")
    other.keyboard.press("Enter")  # warns, because it is decided
    other.keyboard.press("Enter")
    expect(rows(other).first).to_have_attribute("data-state", "saved")
    expect(alert).to_be_empty()
    rest(other)
    other.keyboard.press("k")
    expect(other.locator("article .decided li")).to_have_count(2)


@pytest.mark.soak
def test_saving_goes_on_to_what_nobody_has_decided_meanwhile(visit, rest):
    one, other = (opened(visit, rest, "?system=pair") for _ in range(2))
    sign(other, "Ola")
    sign(one)
    for at in (1, 4):
        other.bring_to_front()
        rows(other).nth(at).click()
        decide(other, "3", "so it says")
        expect(rows(other).nth(at)).to_have_attribute("data-state", "saved")
    rest(other)
    one.bring_to_front()
    # That the next one is decided is only known from the answer to the save.
    decide(one, "3", "the first")
    expect(rows(one).nth(2)).to_have_attribute("aria-current", "true")
    expect(says(one)).to_contain_text(re.compile(r"Sentence 1 was decided meanwhile by Ola\."))
    rest(one)
    one.keyboard.press("j")
    decide(one, "3", "the fourth")
    expect(rows(one).nth(5)).to_have_attribute("aria-current", "true")  # the fifth is known of
    expect(rows(one).nth(3)).to_have_attribute("data-state", "saved")


@pytest.mark.soak
def test_saving_the_last_open_case_of_a_page_turns_to_an_open_one(visit, rest):
    one, other = (opened(visit, rest, "?system=pair") for _ in range(2))
    sign(other, "Ola")
    sign(one)
    other.bring_to_front()
    other.get_by_role("button", name="Next page").click()
    expect(other.locator(".queue .pager")).to_contain_text("21–")
    decide(other, "3", "the first of the last page")
    expect(rows(other).first).to_have_attribute("data-state", "saved")
    one.bring_to_front()
    rows(one).last.click()
    decide(one, "3", "the last of the page")
    expect(one.locator(".queue .pager")).to_contain_text("21–")
    expect(rows(one).nth(1)).to_have_attribute("aria-current", "true")
    rest(one)
    rows(one).last.click()
    decide(one, "3", "the very last")
    expect(says(one)).to_contain_text("No open case follows")


@pytest.mark.soak
def test_a_burst_of_presses_during_reruns_loses_none(visit, rest):
    page = opened(visit, rest, "?system=burst")
    assert state(page, "Open") == MANY
    sign(page)
    keys = ["3", "a", "Enter"] * 100
    for key in keys:
        page.keyboard.press(key)
    # Five pages are stored and turned meanwhile; the keys wait for each.
    expect(page.locator(".queue .pager")).to_contain_text("101", timeout=180_000)
    expect(page.locator('.row[data-state="pending"]')).to_have_count(0, timeout=60_000)
    rest(page)
    fresh = opened(visit, rest, "?system=burst&state=decided")
    assert (state(fresh, "Decided"), state(fresh, "Open")) == (100, MANY - 100)
    expect(fresh.locator("article .decided")).to_contain_text("Eve")
    expect(fresh.locator("article .decided li")).to_have_count(1)
    # Other tests may have decided cases of this pattern before.
    expect(fresh.locator("article")).to_contain_text(re.compile(r"(?<!\d)(99|1\d\d) decided"))


@pytest.mark.soak
def test_the_case_opens_in_the_reader_and_kinds_narrow(visit, rest):
    page = opened(visit, rest, of_sample("sentence_grounding"))
    chip = page.get_by_role("group", name="Who differs").get_by_role(
        "button", name=re.compile("^Judge against judge")
    )
    expected = int(chip.locator(".count").inner_text())
    chip.click()
    expect(page).to_have_url(re.compile("kind=judges"))
    expect(page.locator(".queue .pager")).to_contain_text(f"of {expected}")
    rest(page)
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(r"/item\?.*unit=s\d"))
    expect(page.get_by_role("option", selected=True)).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
@pytest.mark.parametrize("width", [1440, 1024])
def test_it_fits_both_widths_and_breaks_no_grave_rule(visit, rest, scheme, width):
    check_it_fits(visit("/disagreements"), rest, scheme, width)


def check_it_fits(page, rest, scheme: str, width: int) -> None:
    """Queue, case and decision are on the screen, nothing is cut off, no grave rule is broken."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    expect(page.locator("article")).to_be_visible()
    rest(page)
    for part in (".queue", ".case", ".decision"):
        expect(page.locator(part)).to_be_in_viewport()
        over = page.locator(part).evaluate("each => each.scrollWidth - each.clientWidth")
        assert over <= 1, part
    assert grave_faults(page) == []


@pytest.mark.soak
def test_on_a_phone_the_filters_fold_into_one_line(visit, rest):
    page = opened(visit, rest, "?system=burst")
    run, box = page.get_by_role("combobox", name="Run"), page.get_by_label("Filters (1)")
    expect(run).to_be_visible()
    expect(box).to_be_hidden()
    page.set_viewport_size({"width": 480, "height": 900})
    expect(run).to_be_hidden()
    assert page.locator(".queue").bounding_box()["y"] < 400
    page.get_by_role("textbox", name="Words in the unit").focus()
    page.keyboard.press("Tab")
    expect(box).to_be_focused()
    page.keyboard.press("Space")
    expect(run).to_be_visible()
    rest(page)
    assert grave_faults(page) == []
    page.keyboard.press("Space")
    expect(run).to_be_hidden()
    rest(page)
    assert grave_faults(page) == []


@pytest.mark.soak
def test_enter_in_the_name_saves_and_the_button_names_the_key_of_the_field(visit, rest):
    page = opened(visit, rest, "?system=enter")
    hint = page.locator(".decision .save kbd")
    page.keyboard.press("1")
    expect(hint).to_have_text("Enter")
    page.keyboard.press("n")
    expect(hint).to_have_text("Ctrl+Enter")
    page.keyboard.type("the first line")
    page.keyboard.press("Enter")
    expect(page.locator("textarea")).to_have_value("the first line\n")
    page.get_by_label("Decided by", exact=True).fill("Eve")
    expect(hint).to_have_text("Enter")
    page.keyboard.press("Enter")
    expect(rows(page).first.locator(".state")).to_have_text("Saved")


@pytest.mark.soak
def test_a_key_that_is_held_decides_once_and_takes_back_once(visit, rest, server):
    page = opened(visit, rest, "?system=held")
    states = rows(page).locator(".state")
    for case in (0, 1):  # behind the last one there is no next case to go to
        page.keyboard.press("1")
        page.keyboard.press("n")
        page.keyboard.type(f"because {case}")
        page.get_by_label("Decided by", exact=True).fill("Eve")
        for _ in range(20):
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        expect(states.nth(case)).to_have_text("Saved")
        rest(page)
    assert journal_of(server).count(b"because 0") == journal_of(server).count(b"because 1") == 1
    for _ in range(20):
        page.keyboard.down("z")
    page.keyboard.up("z")
    expect(states.nth(1)).not_to_have_text("Saved")
    rest(page)
    expect(states.first).to_have_text("Saved")


def journal_of(server) -> bytes:
    return get_sidecar_path(server.store, "journal").read_bytes()
