"""The distributions page in a browser: a bar is a filter, and names from files stay text."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.samples.first_start import fill
from data.store.store import open_store
from faithfulness.model.vocabulary import Author, AuthorKind
from tests.browser.accessibility import faults_of_ours
from tests.data.stored import save_drafts, sentence_draft

HOSTILE = "<a href='javascript:alert(1)'>x</a><img src=x onerror=alert(1)> **b** %{x} \u202eevil"
COUNT = re.compile(r"([\d,]+) of")


def fill_store(path: Path) -> None:
    """The sample, and a judge whose name, system and run try everything."""
    path.parent.mkdir(parents=True)
    store = open_store(path, create=True)
    fill(store)
    judge = Author(kind=AuthorKind.JUDGE, name=HOSTILE)
    hostile = sentence_draft(1, {judge: ("supported", "no_rad", None)}, system=HOSTILE)
    # As a part of the sample, which would be left out beside other runs.
    save_drafts(store, [hostile], is_sample=True)
    store.close()


FILLED_BY = fill_store


def bar(page, name: str):
    return page.get_by_role("button", name=re.compile(f"^{name}"))


def found(page):
    return page.get_by_role("table", name="Behind the bar")


def heading(page):
    return page.locator(".st-key-behind h3")


def count_of(mark) -> int:
    said = COUNT.search(mark.get_attribute("aria-label"))
    assert said
    return int(said[1].replace(",", ""))


@pytest.mark.soak
def test_a_segment_lists_what_it_counts_and_a_row_opens_the_reader(visit, rest):
    page = visit("/distributions")
    segment = bar(page, "judge-harbor-mini: Contradictory")
    expect(segment).to_be_visible()
    many = count_of(segment)
    segment.click()
    expect(page).to_have_url(re.compile(r"line=judge%3Ajudge-harbor-mini&value=contradictory"))
    expect(heading(page)).to_have_text(f"Contradictory by judge judge-harbor-mini: {many} labels")
    expect(segment).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("95 % interval")).to_be_visible()
    rest(page)
    rows = found(page).get_by_role("row")
    assert rows.count() == min(many, 25) + 1
    first = found(page).get_by_role("row").nth(1)
    sentence = first.get_by_role("cell").nth(1).inner_text().split("\n")[0]
    first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/item\?.*label=contradictory.*unit=s\d+"))
    expect(page.get_by_role("option", selected=True)).to_contain_text(sentence)
    rest(page)
    for _ in range(3):  # the reader adds to its own address what it shows
        if "/item" in page.url:
            page.go_back()
            rest(page)
    expect(heading(page)).to_contain_text(f"{many} labels")


@pytest.mark.soak
def test_a_second_click_and_the_button_close_the_list(visit, rest):
    page = visit("/distributions?protocol=expert_rubric&line=rater%3ANora&value=2")
    expect(heading(page)).to_contain_text("Score 2 (Misrepresents) by rater Nora")
    rest(page)
    bar(page, "Nora: 2, Misrepresents").click()
    expect(page).not_to_have_url(re.compile("line="))
    expect(heading(page)).to_have_count(0)
    rest(page)
    bar(page, "Nora: 5, Accurate").click()
    expect(heading(page)).to_contain_text("Score 5")
    rest(page)
    page.get_by_role("button", name="Close the list").click()
    expect(heading(page)).to_have_count(0)
    assert "value=" not in page.url


@pytest.mark.soak
def test_a_bar_of_shares_lists_items_with_their_number(visit, rest):
    page = visit("/distributions?measure=number")
    mark = bar(page, "judge-north-2: 100 %")
    many = count_of(mark)
    mark.click()
    expect(heading(page)).to_have_text(f"100 % by judge judge-north-2: {many} items")
    rest(page)
    rows = found(page).get_by_role("row")
    expect(rows).to_have_count(many + 1)
    numbers = [row.get_by_role("cell").nth(2).inner_text() for row in rows.all()[1:]]
    assert numbers == ["1.00"] * many


@pytest.mark.soak
def test_unread_answers_stand_apart_and_can_be_listed(visit, rest):
    page = visit("/distributions")
    apart = bar(page, "judge-north-2: 12 unread")
    apart.click()
    expect(heading(page)).to_have_text("Unread by judge judge-north-2: 12 answers")
    expect(
        found(page).get_by_text("the reply says nothing about this sentence").first
    ).to_be_visible()


@pytest.mark.soak
def test_a_mean_in_the_order_of_import_leads_to_its_run(visit, rest):
    page = visit("/distributions")
    bar(page, r"Mean 0\.\d\d.* by judge judge-north-2 in shop-assistant-a").click()
    expect(page).to_have_url(re.compile("rows=run"))
    expect(heading(page)).to_contain_text("Everything by judge judge-north-2 in shop-assistant-a")


@pytest.mark.soak
def test_the_address_holds_the_page_of_the_list(visit, rest):
    first = visit("/distributions?line=rater%3AFelix&value=supported")
    expect(found(first)).to_be_visible()
    second = visit("/distributions?line=rater%3AFelix&value=supported&page=2")
    expect(found(second)).to_be_visible()
    assert found(second).inner_text() != found(first).inner_text()


@pytest.mark.soak
def test_pages_of_the_list_turn_by_click_and_the_address_follows(visit, rest):
    page = visit("/distributions?line=rater%3AFelix&value=supported")
    expect(found(page).get_by_role("row")).to_have_count(26)
    first = found(page).get_by_role("row").nth(1).inner_text()
    rest(page)
    page.get_by_role("button", name="Next page").click()
    expect(page).to_have_url(re.compile(r"page=2\b"))
    expect(found(page).get_by_role("row").nth(1)).not_to_have_text(first)
    rest(page)
    page.get_by_role("button", name="Previous page").click()
    expect(page).not_to_have_url(re.compile("page="))
    expect(found(page).get_by_role("row").nth(1)).to_have_text(first, use_inner_text=True)
    rest(page)


@pytest.mark.soak
def test_the_table_says_each_share_with_its_interval(visit, rest):
    page = visit("/distributions?table=true")
    table = page.get_by_role("table", name="Labels as a table")
    row = table.get_by_role("row", name=re.compile("Contradictory")).first
    expect(row).to_contain_text(re.compile(r"[\d.]+ %.*[\d.]+ to [\d.]+ %.*\d+ of \d+", re.S))
    page.get_by_role("button", name="What this means").first.click()
    expect(page.get_by_text("Half of the items have a number below it")).to_be_visible()


@pytest.mark.soak
def test_names_from_a_file_stay_text(visit, rest):
    page = visit("/distributions?rows=run")
    mark = page.locator(".who", has_text="onerror").first
    expect(mark).to_contain_text("<img src=x onerror=alert(1)>")
    page.get_by_role("button", name=re.compile(r"onerror.*Supported, 1 of 2")).click()
    expect(heading(page)).to_contain_text("<a href='javascript:alert(1)'>")
    rest(page)
    assert page.locator("a[href^='javascript']").count() == 0
    assert page.locator("img[src='x']").count() == 0


@pytest.mark.soak
def test_home_tells_how_replies_were_read_and_shows_their_words(visit, rest):
    page = visit("/?view=replies")
    table = page.get_by_role("table", name="Replies of judges")
    row = table.get_by_role("row", name=re.compile("50 %"))
    row.get_by_role("button", name="Show the replies").click()
    expect(page).to_have_url(re.compile("replies="))
    chip = page.get_by_role("button", name=re.compile("^Label off the scale"))
    chip.click()
    expect(page).to_have_url(re.compile("state=off_scale"))
    rest(page)
    told = page.locator("[class*='st-key-told_']")
    assert told.count() == 2
    told.first.locator("summary").click()
    expect(told.first.get_by_text("<score>")).to_be_visible()  # as it came, not as a tag
    told.first.get_by_role("button", name="Open the item").click()
    expect(page).to_have_url(re.compile("/item"))


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "path",
    [
        "/distributions?line=rater%3ANora&value=supported",
        "/distributions?measure=number&rows=run",
        "/distributions?protocol=expert_rubric",
        "/distributions?protocol=response_consistency&table=true",
        "/?view=replies",
    ],
)
def test_charts_break_no_rule_of_accessibility(visit, rest, path, scheme):
    page = visit(path)
    page.emulate_media(color_scheme=scheme)
    expect(page.get_by_role("listitem").or_(page.get_by_role("table")).first).to_be_visible()
    rest(page)
    assert faults_of_ours(page) == []


@pytest.mark.soak
@pytest.mark.parametrize("width", [480, 1024, 1440])
def test_nothing_runs_over_the_side(visit, rest, width):
    page = visit("/distributions")
    page.set_viewport_size({"width": width, "height": 900})
    rest(page)
    over = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((each) => each.shadowRoot)
        .flatMap((each) => [...each.shadowRoot.querySelectorAll("button, .panel, .line")])
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1).length"""
    )
    assert over == 0
    page.set_viewport_size({"width": 1440, "height": 900})
