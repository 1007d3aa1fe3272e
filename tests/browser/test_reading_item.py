"""The reader in a browser: from a sentence to its evidence and back, by mouse and by key."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import faults_of_ours

RUNS = "Runs"


ADDRESSES: dict[tuple[str, str], dict[str, str]] = {}


def links(page, table: str) -> dict[str, str]:
    found = page.get_by_role("table", name=table).get_by_role("link")
    expect(found.first).to_be_visible()
    return dict(
        found.evaluate_all("all => all.map(each => [each.textContent, each.getAttribute('href')])")
    )


def open_item(visit, rest, name: str, protocol: str, system: str = "shop-assistant-a"):
    """Open one item of the sample; its address is read from the lists, once for each run."""
    if (protocol, system) not in ADDRESSES:
        run = links(visit(f"/?protocol={protocol}"), RUNS)[system]
        ADDRESSES[protocol, system] = links(visit(run), "Items of the run")
    page = visit(ADDRESSES[protocol, system][name])
    expect(page.locator(".detail header").first).to_be_visible()
    rest(page)
    return page


def unit(page, number: int):
    return page.locator(f'[data-unit="s{number}"]').first


def chosen(page, title: str) -> None:
    expect(page.get_by_role("heading", name=re.compile(f"^{title}"))).to_be_visible()


def test_a_sentence_is_chosen_by_click_and_by_key_and_stands_in_the_address(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    expect(unit(page, 1)).to_have_attribute("aria-selected", "true")
    unit(page, 2).click()
    expect(unit(page, 2)).to_have_attribute("aria-selected", "true")
    chosen(page, "Sentence 2 of 9")
    expect(page).to_have_url(re.compile(r"unit=s2"))
    rest(page)
    page.keyboard.press("ArrowDown")
    chosen(page, "Sentence 3 of 9")
    page.keyboard.press("k")
    page.keyboard.press("ArrowUp")
    chosen(page, "Sentence 1 of 9")
    expect(page).to_have_url(re.compile(r"unit=s1"))
    rest(page)

    other = visit("/" + page.url.split("/", 3)[3])
    chosen(other, "Sentence 1 of 9")


@pytest.mark.soak
def test_every_cue_of_a_label_is_there_and_copying_takes_the_text_alone(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    supported = page.get_by_role("option", name=re.compile("^Supported")).first
    expect(supported.locator(".lead")).to_have_attribute("data-glyph", "✓")
    style = supported.evaluate("each => getComputedStyle(each).textDecorationLine")
    assert style == "underline"
    assert supported.evaluate("each => each.textContent").startswith("Yes, the Brisa switches off")


@pytest.mark.soak
def test_the_legend_counts_filters_and_keys_then_jump_between_matches(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    page.get_by_role("radio", name=re.compile("judge-north-2")).click()
    page.get_by_role("button", name="Contradictory 2").click()
    expect(page.locator(".text .unit:not(.dim)")).to_have_count(2)
    expect(page).to_have_url(re.compile("show=contradictory"))
    page.keyboard.press("j")
    chosen(page, "Sentence 3 of 9")
    page.keyboard.press("j")
    chosen(page, "Sentence 5 of 9")
    expect(page).to_have_url(re.compile("unit=s5"))
    rest(page)

    other = visit("/" + page.url.split("/", 3)[3])
    chosen(other, "Sentence 5 of 9")
    expect(other.locator(".text .unit:not(.dim)")).to_have_count(2)
    other.keyboard.press("Escape")
    expect(other.locator(".text .unit.dim")).to_have_count(0)


@pytest.mark.soak
def test_another_authors_labels_colour_the_text_without_a_new_item(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    expect(unit(page, 3)).to_have_attribute("data-color", "blue")
    expect(unit(page, 3).locator(".tail")).to_have_attribute("data-pill", "≠ raters 3/3")
    page.get_by_role("radio", name=re.compile("judge-north-2")).click()
    expect(unit(page, 3)).to_have_attribute("data-color", "red")
    expect(page).to_have_url(re.compile("shown=judge"))


def test_from_a_sentence_to_its_excerpt_to_every_sentence_that_relies_on_it(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    unit(page, 3).click()
    mark = page.locator("mark.on").first
    expect(mark).to_contain_text("a full kettle in about 6")
    expect(mark).to_be_in_viewport()
    unit(page, 1).click()
    expect(mark).not_to_contain_text("a full kettle")
    page.locator("mark", has_text="a full kettle").first.click()
    expect(page.locator(".unit.relies")).not_to_have_count(0)
    expect(page.get_by_text("on the passage")).to_be_visible()
    chosen(page, "Sentence 3 of 9")
    page.keyboard.press("e")
    expect(page.locator("mark:focus")).to_have_count(1)


@pytest.mark.soak
def test_an_absent_excerpt_is_struck_through_beside_the_nearest_passage(visit, rest):
    page = open_item(visit, rest, "rain-jacket", "sentence_grounding")
    for _ in range(7):
        if page.locator(".struck").count():
            break
        page.keyboard.press("j")
    expect(page.locator(".struck").first).to_be_visible()
    expect(page.get_by_text("In no source").first).to_be_visible()
    expect(page.get_by_text("Nearest passage").first).to_be_visible()
    expect(page.get_by_text("of the letters differ").first).to_be_visible()


@pytest.mark.soak
def test_a_clash_is_marked_in_both_texts(visit, rest):
    page = open_item(visit, rest, "tent", "sentence_grounding")
    unit(page, 1).click()
    expect(page.locator(".clash", has_text="1.95 lb").first).to_be_visible()
    expect(page.locator(".clash", has_text="1.95 kg").first).to_be_visible()
    painted = "CSS.highlights.get('plumbline-clash')"
    words = page.evaluate(f"[...{painted}].map((range) => range.toString())")
    assert {"1.95 lb", "1.95 kg"} <= set(words)


@pytest.mark.soak
def test_a_judges_own_cut_is_bracketed_with_its_label(visit, rest):
    page = open_item(visit, rest, "rain-jacket", "sentence_grounding", "shop-assistant-b")
    page.get_by_role("radio", name=re.compile("judge-north-2")).click()
    last = page.locator(".cut-last").first
    expect(last).to_have_attribute("data-cut", re.compile("2 in one"))
    expect(page.get_by_text("Labelled as one piece").first).to_be_visible()
    page.get_by_role("radio", name=re.compile("Nora")).click()
    expect(page.locator(".cut")).to_have_count(0)


@pytest.mark.soak
def test_an_unread_unit_says_why(visit, rest):
    page = open_item(visit, rest, "pannier", "sentence_grounding", "shop-assistant-b")
    page.get_by_role("radio", name=re.compile("judge-north-2")).click()
    page.get_by_role("button", name=re.compile("^Unread")).click()
    page.keyboard.press("j")
    page.keyboard.press("k")
    unread = page.get_by_role("option", name=re.compile("^Unread")).first
    unread.click()
    expect(page.locator(".problem").first).to_be_visible()


@pytest.mark.soak
def test_words_are_found_within_the_sources(visit, rest):
    page = open_item(visit, rest, "terms-camera", "sentence_grounding", "paper-reader-1")
    page.get_by_role("searchbox", name="Search within the sources").fill("deductible")
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^1 of \d+"))).to_be_visible()
    page.keyboard.press("j")  # typed, not a key of the reader
    expect(page.get_by_role("status").filter(has_text="none")).to_be_visible()
    chosen(page, "Sentence 1 of")


@pytest.mark.soak
def test_selected_words_are_looked_for_in_the_sources(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    box = unit(page, 6).bounding_box()
    middle = box["y"] + box["height"] / 2
    # A word, then as far as a click with Shift: the shell now and then forgets where a drag began.
    page.mouse.dblclick(box["x"] + 40, middle)
    page.keyboard.down("Shift")
    page.mouse.click(box["x"] + box["width"] - 8, middle)
    page.keyboard.up("Shift")
    page.get_by_role("button", name="Find this in the sources").click()
    chosen(page, "Nearest passages in the sources")
    expect(page.locator(".detail blockquote").first).to_contain_text("inner wall are steel")
    page.locator(".detail").get_by_role("button", name="Show in source").first.click()
    here = page.evaluate("[...CSS.highlights.get('plumbline-here')].map((each) => each.toString())")
    assert "inner wall are steel" in here[0]


@pytest.mark.soak
def test_marks_for_the_meeting_are_there_when_one_comes_back(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    unit(page, 2).click()
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Marked for the meeting")).to_be_visible()
    rest(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("kettle")
    rest(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", level=1)).to_have_text("kettle")
    rest(page)
    unit(page, 2).click()
    expect(page.get_by_role("button", name="Marked for the meeting")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


# A choice, and a key pressed while its report is on the way: on a busy machine "at once" is later.
BUSY = """
() => {
  const wait = window.setTimeout.bind(window);
  window.setTimeout = (does, time, ...rest) => wait(does, time || 300, ...rest);
  const hosts = [...document.querySelectorAll("*")].map((each) => each.shadowRoot).filter(Boolean);
  hosts.map((each) => each.querySelector('[data-unit="s3"]')).find(Boolean).click();
  const key = { key: "ArrowRight", code: "ArrowRight", keyCode: 39, which: 39, bubbles: true };
  const press = (kind) => document.body.dispatchEvent(new KeyboardEvent(kind, key));
  wait(() => { press("keydown"); press("keyup"); }, 300);
}
"""


@pytest.mark.soak
def test_a_key_pressed_while_a_choice_is_reported_is_not_lost(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    page.evaluate(BUSY)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("kettle")
    rest(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("kettle")


@pytest.mark.soak
def test_the_first_line_leads_to_rating_and_is_whole_on_a_narrow_screen(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    page.set_viewport_size({"width": 1024, "height": 900})
    facts = page.locator(".st-key-heading .stMarkdownBadge")
    assert facts.evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth).length") == 0
    expect(page.get_by_text(re.compile(r"^1 of \d+$"))).to_be_visible()
    over = "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
    assert page.evaluate(over) <= 0
    item = re.search(r"item=(\w+)", page.url)
    page.get_by_role("button", name="Rate", exact=True).click()
    expect(page).to_have_url(re.compile(f"/rate.*item={item[1]}"))
    rest(page)


@pytest.mark.soak
def test_back_returns_to_the_item_before(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("kettle")
    rest(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("kettle")


@pytest.mark.soak
def test_claims_stand_under_their_sentence_and_the_sides_swap(visit, rest):
    page = open_item(visit, rest, "lantern-bridge", "claim_overlap", "paper-reader-1")
    panes = page.locator(".side > .pane")
    expect(panes.first).to_have_attribute("aria-label", "Response")
    expect(panes.last).to_have_attribute("aria-label", "Reference article")
    page.get_by_role("option", name=re.compile("Eleven people died")).click()
    expect(page.locator(".origin.chosen")).to_contain_text("eleven people died")
    page.get_by_role("button", name="Swap sides").click()
    expect(panes.first).to_have_attribute("aria-label", "Reference article")


@pytest.mark.soak
def test_unjudged_claims_are_counted_as_coverage(visit, rest):
    page = open_item(visit, rest, "salt-festival", "claim_overlap", "paper-reader-1")
    page.get_by_role("radio", name="Nora").click()
    expect(page.get_by_text("0 of 8 claims judged")).to_be_visible()
    expect(page.get_by_role("radio", name="Nora")).to_contain_text("—")


@pytest.mark.soak
def test_every_figure_of_a_summary_is_linked_to_its_product_or_marked(visit, rest):
    page = open_item(visit, rest, "office-chair", "comparative_summary", "shop-assistant-b")
    expect(page.locator(".group.product .source")).to_have_count(3)
    figure = page.locator(".part.figure.found").first
    words = figure.inner_text()
    figure.click()
    expect(
        page.locator("mark.figure").filter(has_text=words.strip("0").rstrip(".")).first
    ).to_be_visible()


@pytest.mark.soak
def test_consistency_answers_show_links_type_and_comment(visit, rest):
    page = open_item(visit, rest, "kettle", "response_consistency")
    expect(page.locator(".tag", has_text="Factoid").first).to_be_visible()
    expect(page.get_by_text("Comment").first).to_be_visible()
    page.get_by_role("button", name="detail_page#about").first.click()


@pytest.mark.soak
def test_scores_stand_on_a_track_with_a_dot_for_each_author(visit, rest):
    page = open_item(visit, rest, "bees", "expert_rubric", "paper-reader-1")
    tracks = page.locator(".track")
    expect(tracks).to_have_count(2)
    expect(tracks.first.locator(".dot")).to_have_count(5)
    expect(page.get_by_role("img", name="not ticked").first).to_be_visible()
    expect(page.get_by_role("img", name="ticked", exact=True).first).to_be_visible()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/item?item=nothing", "The store has no item nothing"),
        ("/item?run=nothing", "The store has no run nothing"),
        ("/item", "Choose a run first"),
    ],
)
def test_a_link_to_what_is_gone_says_so_and_leads_on(visit, path, says):
    page = visit(path)
    expect(page.get_by_test_id("stAlert")).to_contain_text(says)
    page.get_by_role("button", name="All runs").click()
    expect(page.get_by_role("heading", name=RUNS)).to_be_visible()


@pytest.mark.soak
def test_a_link_to_a_unit_that_is_gone_shows_the_nearest(visit, rest):
    page = open_item(visit, rest, "kettle", "sentence_grounding")
    other = visit("/" + re.sub(r"&unit=\w*", "", page.url.split("/", 3)[3]) + "&unit=s77")
    expect(other.get_by_test_id("stAlert")).to_contain_text("no unit s77")
    chosen(other, "Sentence 9 of 9")


@pytest.mark.soak
def test_words_narrow_the_list_of_items(visit, rest):
    page = visit("/?protocol=sentence_grounding")
    page.get_by_role("table", name=RUNS).get_by_role("link").first.click()
    table = page.get_by_role("table", name="Items of the run")
    expect(table).to_be_visible()
    rest(page)
    page.get_by_role("textbox", name="Words in a text").fill("zzz nothing like this")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No item fits")).to_be_visible()


READ = (
    ("rain-jacket", "sentence_grounding", "shop-assistant-a"),
    ("lantern-bridge", "claim_overlap", "paper-reader-1"),
    ("office-chair", "comparative_summary", "shop-assistant-b"),
    ("kettle", "response_consistency", "shop-assistant-a"),
    ("bees", "expert_rubric", "paper-reader-1"),
)


@pytest.mark.soak
@pytest.mark.parametrize("item", READ, ids=lambda each: each[1])
def test_the_reader_breaks_no_rule_of_accessibility(visit, rest, item):
    page = open_item(visit, rest, *item)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(100)
        if page.locator(".chip").count():
            page.locator(".chip").first.click()  # the dimmed rest has to be read as well
        rest(page)
        assert faults_of_ours(page) == []


@pytest.mark.soak
def test_the_lists_break_no_rule_of_accessibility(visit, rest):
    page = visit("/")
    for path in ("/", "/protocols"):
        page.goto(re.sub(r"(://[^/]+).*", rf"\1{path}", page.url))
        expect(page.get_by_role("table").first).to_be_visible()
        rest(page)
        assert faults_of_ours(page) == []
