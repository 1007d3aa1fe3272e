"""Answers that cannot all be right, on the triage page in a browser: seen, settled, marked."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.store.store import open_store
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.vocabulary import Author, UnitKind
from tests.browser.test_triage import check_it_fits, opened, rows, says, sign, state
from tests.data.stored import ADA, BEN, save_drafts, sentence_draft

S, U, C, N = "supported", "unsupported", "contradictory", "no_rad"
MANY = 23  # cases of the run in which keys are pressed in a burst: more than a page
BESIDE = "kind=audit&kind=raters"


def scored(number: int, system: str, accuracy: str, by: Author, **labels: tuple[str, ...]):
    """An item with sentence labels, and an accuracy that they may rule out."""
    values = {author: labels[author.name] for author in (ADA, BEN) if author.name in labels}
    said = DraftAnswer(
        author=by,
        criterion="accuracy",
        value=accuracy,
        unit=UnitKind.RESPONSE,
        rationale="all of it reads well",
    )
    whole = sentence_draft(number, system=system)._replace(protocol="expert_rubric", said=[said])
    return [sentence_draft(number, values, system=system), whole]


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    against = {"ada": (S, C, N), "ben": (S, S, N)}
    drafts: list[Draft] = [
        *scored(1, "looks", "5", BEN, **against),
        *scored(2, "ends", "5", BEN, **against),
        *scored(3, "ends", "3", BEN, **against),
        *scored(4, "half", "5", ADA, ada=(S, U, N)),
        *scored(5, "marks", "5", BEN, **against),
    ]
    for number in range(MANY):
        drafts += scored(100 + number, "burst", "5", BEN, **against)
    save_drafts(store, drafts, "audits")
    store.close()


FILLED_BY = fill_store


def settles(page):
    return page.locator('.settle[aria-pressed="true"]')


def give(page, label: str, reason: str) -> None:
    for key in (label, "n"):
        page.keyboard.press(key)
    page.keyboard.type(reason)
    page.keyboard.press("Control+Enter")


@pytest.mark.soak
def test_the_chip_lists_them_with_both_sides_and_the_rule_and_the_address_keeps_it(visit, rest):
    page = opened(visit, rest, "?system=looks")
    chip = page.get_by_role("group", name="Who differs").get_by_role(
        "button", name=re.compile("^Cannot all be right")
    )
    expect(chip.locator(".count")).to_have_text("1")
    chip.click()
    expect(page).to_have_url(re.compile("kind=audit"))
    for _ in ("as chosen", "as the address says"):
        card = page.locator("article.audit")
        expect(card.locator(".side")).to_have_count(2)
        expect(card.locator(".side").first).to_contain_text("Rater ben")
        expect(card.locator(".side").first).to_contain_text("Accuracy 5")
        expect(card.locator(".side").last).to_contain_text("Rater ada")
        expect(card.locator(".side").last).to_contain_text("Contradictory")
        expect(card.locator(".rule")).to_contain_text("yet a sentence is contradicted")
        expect(card.locator(".rule")).to_contain_text("ER-misrepresents")
        expect(card.locator(".unit .said")).to_have_text("It costs $49.90.")
        expect(rows(page)).to_have_count(1)
        expect(rows(page)).to_contain_text("ben against ada")
        page.reload()
        expect(page.locator("article")).to_be_visible()
        rest(page)


def test_all_texts_of_the_item_are_searched_by_key(visit, rest):
    page = opened(visit, rest, "?kind=audit&system=looks")
    page.keyboard.type("/switches itself off")
    texts = page.locator("article.audit details.texts")
    expect(texts.get_by_role("status")).to_have_text("1 of 1")
    expect(texts.locator(".source-text", has_text="switches itself off")).to_be_visible()


@pytest.mark.soak
def test_a_key_switches_the_side_that_is_settled_and_its_labels(visit, rest):
    page = opened(visit, rest, "?kind=audit&system=looks")
    side = page.locator('.side[data-settles="true"]')
    expect(settles(page)).to_have_text("Accuracy of the whole response")
    expect(side).to_contain_text("Accuracy 5")
    expect(page.locator(".labels .label")).to_have_count(5)
    page.keyboard.press("4")
    page.keyboard.press("s")
    expect(settles(page)).to_have_text("Sentence 2 (sentence grounding)")
    expect(side).to_contain_text("Contradictory")
    expect(page.locator(".labels .label")).to_have_count(4)
    expect(page.locator('.label[aria-pressed="true"]')).to_have_count(0)
    page.keyboard.press("s")
    expect(page.locator('.label[aria-pressed="true"]')).to_have_attribute("data-value", "4")
    page.keyboard.press("s")
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(r"/item\?.*unit=s2.*shown=rater(%3A|:)ada"))
    expect(page.get_by_role("option", selected=True)).to_contain_text("It costs $49.90.")


@pytest.mark.soak
def test_a_decision_that_fits_ends_the_case_and_can_be_taken_back(visit, rest):
    page = opened(visit, rest, "?kind=audit&system=ends")
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_contain_text("accuracy 5 where the rule leaves 2")
    sign(page)
    give(page, "2", "the price is wrong")
    expect(rows(page)).to_have_count(1)
    expect(says(page)).to_have_text(re.compile("Saved: in the journal.*It ended this case"))
    expect(rows(page)).to_contain_text("accuracy 3 where the rule leaves 2")
    expect(rows(page)).to_have_attribute("aria-current", "true")
    rest(page)
    assert state(page, "Open") == 1
    page.keyboard.press("z")
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_have_attribute("aria-current", "true")
    expect(says(page)).to_contain_text("Taken back")
    expect(page.locator("article .decided")).to_contain_text("the price is wrong")
    give(page, "2", "once more")
    for key in ("2", "n"):  # at once: what is typed while that is stored is for the next
        page.keyboard.press(key)
    page.keyboard.type("not so, jokes apart")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_label("Reason", exact=True)).to_have_value("not so, jokes apart")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("No case is left here")).to_be_visible()
    expect(page.get_by_text("1 decision saved")).to_have_count(0)
    expect(page.get_by_text("2 decisions saved")).to_be_visible()


@pytest.mark.soak
def test_a_decision_that_ends_nothing_says_what_is_left_and_leads_to_it(visit, rest):
    page = opened(visit, rest, f"?{BESIDE}&system=half")
    expect(page.locator("article .side").last).to_contain_text("The same author")
    sign(page)
    for key in ("s", "2", "a", "Enter"):
        page.keyboard.press(key)
    left = page.locator("article .left")
    expect(left).to_contain_text("Sentence 2 is unsupported (Eve)")
    expect(left).to_contain_text("Left: Rater ada says accuracy 5, adjudicator Eve calls")
    expect(rows(page)).to_contain_text("one side is decided")
    expect(settles(page)).to_have_text("Accuracy of the whole response")
    expect(says(page)).to_contain_text("The card says what is left")
    # Somebody who comes later sees the same.
    other = opened(visit, rest, "?kind=audit&system=half")
    expect(rows(other)).to_contain_text("one side is decided")
    expect(other.locator("article .left")).to_contain_text("Sentence 2 is unsupported (Eve)")
    page.bring_to_front()
    give(page, "3", "compatible, but added")
    expect(page.get_by_text("2 decisions saved")).to_be_visible()


@pytest.mark.soak
def test_each_side_is_marked_and_becomes_a_point(visit, rest):
    page = opened(visit, rest, "?kind=audit&system=marks")
    page.keyboard.press("m")
    expect(rows(page).locator(".flag")).to_be_visible()
    expect(page.locator(".mark")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("s")
    expect(page.locator(".mark")).to_have_attribute("aria-pressed", "false")
    rest(page)
    page.reload()
    expect(rows(page).locator(".flag")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Meet about these").click()
    expect(page).to_have_url(re.compile("/meetings.*kind=audit"))
    agenda = page.get_by_role("table", name="Agenda")
    expect(agenda.get_by_role("row")).to_have_count(3)  # with the heading
    expect(agenda).to_contain_text("Accuracy 3 to 5, yet a sentence is contradicted")
    expect(page.get_by_text("Only: Cannot all be right")).to_be_visible()
    rest(page)
    page.get_by_role("radio", name="What was marked (1)").click()
    expect(agenda.get_by_role("row")).to_have_count(2)
    expect(agenda).to_contain_text("response")


@pytest.mark.soak
def test_a_burst_of_presses_ends_every_case_over_all_pages(visit, rest):
    page = opened(visit, rest, "?kind=audit&system=burst")
    assert state(page, "Open") == MANY
    sign(page)
    for key in ["s", "1", "a", "Enter"] * MANY:
        page.keyboard.press(key)
    expect(page.get_by_text(f"{MANY} decisions saved")).to_be_visible(timeout=180_000)
    fresh = visit("/disagreements?kind=audit&system=burst")
    expect(fresh.get_by_text("No answers rule each other out here")).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 1024])
def test_it_fits_both_widths_and_breaks_no_grave_rule(visit, rest, scheme, width):
    check_it_fits(visit("/disagreements?kind=audit&system=looks"), rest, scheme, width)


RING = """(field) => {
  const style = getComputedStyle(field);
  const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
  return field.getBoundingClientRect().bottom + ring;
}"""


@pytest.mark.soak
def test_the_ring_around_who_decides_is_whole(visit, rest):
    page = visit("/disagreements")
    field = page.get_by_label("Decided by", exact=True)
    expect(field).to_be_visible()
    rest(page)
    field.focus()
    page.keyboard.press("Shift")  # the ring is for whoever uses keys
    foot = page.locator(".decision .foot").bounding_box()
    assert field.evaluate(RING) <= foot["y"]
