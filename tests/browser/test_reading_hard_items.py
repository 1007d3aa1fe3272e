"""The reader on items that are hard to draw: long, overlapping, not found, or numbers alone."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.importing.prepare import prepare
from data.importing.save import save_import
from data.runs import queries
from data.store.store import open_store

pytestmark = pytest.mark.soak
MANY = 2000
LINES = [f"Line {number} of the terms speaks of part {number * 7}." for number in range(400)]
QUOTED = (LINES[20], LINES[380])


def item(protocol: str, name: str, texts: dict[str, str], **more: object) -> dict[str, object]:
    fields = [{"name": key, "kind": key, "text": text} for key, text in texts.items()]
    return {"protocol": protocol, "system": "hard", "id": name, "fields": fields, **more}


def said(text: str, value: str, **more: object) -> dict[str, object]:
    return {"author": "ana", "author_kind": "rater", "text": text, "value": value, **more}


def long_item() -> dict[str, object]:
    sentences = [f"Sentence {number} says the {number}th thing." for number in range(1, MANY + 1)]
    answers = [said(each, "supported", excerpts=[QUOTED[0]]) for each in sentences[:3]]
    answers += [said(each, "unsupported") for each in sentences[3:]]
    texts = {"query": "How long?", "context": "\n".join(LINES), "response": " ".join(sentences)}
    return item("sentence_grounding", "long", texts, cut=sentences, answers=answers)


BOOK = [f"Sentence {number} of the book tells {'more and ' * 9}more." for number in range(1, 1501)]


def book_item() -> dict[str, object]:
    """One paragraph of 150,000 characters."""
    texts = {"query": "And then?", "context": LINES[0], "response": " ".join(BOOK)}
    answers = [said(BOOK[700], "unsupported")]
    return item("sentence_grounding", "book", texts, cut=BOOK, answers=answers)


def relying_item() -> dict[str, object]:
    texts = {"query": "Which?", "context": "\n".join(LINES), "response": "One. Two. Three. Four."}
    answers = [said("One.", "supported", excerpts=[QUOTED[0]])]
    answers += [said(each, "supported", excerpts=[QUOTED[1]]) for each in ("Two.", "Four.")]
    return item(
        "sentence_grounding",
        "relying",
        texts,
        cut=["One.", "Two.", "Three.", "Four."],
        answers=[*answers, said("Three.", "unsupported")],
    )


def overlapping_item() -> dict[str, object]:
    whole = "The bridge opened in 1931. It was painted green."
    texts = {"topic": "Bridge", "response": whole, "reference": "The bridge opened in 1930."}
    claims = {
        "The bridge is from 1931 and green.": whole,
        "The bridge opened in 1931.": "The bridge opened in 1931.",
        "It was green.": "It was painted green.",
        "Ducks like it.": "",
        "Nobody crossed it.": "A sentence that is nowhere.",
    }
    answers = [said(text, "false", sentence=sentence) for text, sentence in claims.items()]
    return item("claim_overlap", "overlapping", texts, answers=answers)


def numbered_item() -> dict[str, object]:
    texts = {"query": "What?", "response": "A summary of it."}
    numbers = [
        {"author": "metric", "author_kind": "judge", "name": "Overlap", "value": 0.25},
        {"author": "ben", "author_kind": "rater", "name": "Fluency", "value": None},
    ]
    return item("comparative_summary", "numbered", texts, numbers=numbers)


TURNS = [f"Turn {number}: {'and then some more was said, ' * 4}" for number in range(1, 6)]
PARTED = "The lamp is green:\n\nits shade at least."


def dialogue_item() -> dict[str, object]:
    texts = {"query": "\n".join(TURNS), "context": LINES[0], "response": f"Well. {PARTED}"}
    answers = [said(PARTED, "unsupported")]
    return item("sentence_grounding", "dialogue", texts, cut=["Well.", PARTED], answers=answers)


def fill_hard(path: Path) -> None:
    path.parent.mkdir(parents=True)
    file = path.parent / "hard.jsonl"
    makers = (long_item, relying_item, overlapping_item, numbered_item, dialogue_item, book_item)
    items = [make() for make in makers]
    file.write_text("\n".join(json.dumps(each) for each in items))
    into = path.parent / "into"
    into.mkdir()
    prepare([("hard.jsonl", file)], into=into)
    store = open_store(path, create=True)
    save_import(store, into, operation_id="hard")
    places = {
        str(each.external_id): f"/item?run={run}&item={each.item_id}"
        for run in queries.runs(store)["run_id"]
        for each in queries.run_items(store, str(run)).itertuples()
    }
    store.close()
    (path.parent / "places.json").write_text(json.dumps(places))


FILLED_BY = fill_hard


@pytest.fixture
def read(visit, rest, server):
    places = json.loads((server.store.parent / "places.json").read_text())

    def open_item(name: str, more: str = ""):
        page = visit(places[name] + more)
        expect(page.locator(".detail header").first).to_be_visible()
        rest(page)
        return page

    return open_item


def chosen(page, title: str) -> None:
    expect(page.get_by_role("heading", name=re.compile(f"^{title}$"))).to_be_visible()


PRESS = """(keys) => keys.map((key) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  const hosts = [...document.querySelectorAll("*")].filter((each) => each.shadowRoot);
  return hosts.map((each) => each.shadowRoot.querySelector(".detail h2")).find(Boolean).textContent;
})"""


def test_two_thousand_sentences_are_read_by_key_without_asking_the_server(read, rest):
    page = read("long")
    expect(page.locator(".first .unit")).to_have_count(MANY)
    # Within one turn of the browser's loop, so that no answer of a server can have come in.
    told = page.evaluate(PRESS, ["j", "j", "k", "ArrowDown"])
    assert told == [f"Sentence {number} of {MANY:,}" for number in (2, 3, 2, 3)]
    page.locator(f'[data-unit="s{MANY}"]').click()
    chosen(page, f"Sentence {MANY:,} of {MANY:,}")
    expect(page.locator(f'[data-unit="s{MANY}"]')).to_be_in_viewport()
    expect(page).to_have_url(re.compile(f"unit=s{MANY}"))
    rest(page)
    page.get_by_role("button", name=re.compile("^Supported")).click()
    page.keyboard.press("k")
    chosen(page, f"Sentence 3 of {MANY:,}")
    rest(page)


def test_a_mark_beside_the_sources_lights_every_sentence_that_relies_on_it(read, rest):
    page = read("relying")
    ticks = page.locator(".tick")
    expect(ticks).to_have_count(2)
    ticks.last.click()
    expect(page.locator(".unit.relies")).to_have_text(["Two.", "Four."])
    mark = page.locator("mark", has_text=QUOTED[1])
    expect(mark).to_be_in_viewport()
    chosen(page, "Sentence 2 of 4")
    expect(page.get_by_text("2 places rely on the passage")).to_be_visible()
    page.locator(".relying").get_by_role("button", name="4").click()
    chosen(page, "Sentence 4 of 4")
    page.keyboard.press("Escape")
    expect(page.locator(".unit.relies")).to_have_count(0)
    rest(page)


def test_a_dialogue_shows_its_last_turn_and_unfolds_the_others(read, rest):
    page = read("dialogue")
    query = page.locator(".query")
    expect(query.get_by_text(TURNS[-1])).to_be_in_viewport()
    expect(query.get_by_text(TURNS[2])).to_be_hidden()
    query.get_by_text("4 lines before").click()
    expect(query.get_by_text(TURNS[2])).to_be_visible()
    rest(page)


def test_a_blank_line_inside_a_sentence_is_not_coloured(read, rest):
    page = read("dialogue")
    parts = page.locator('.first .text [data-unit="s2"]')
    expect(parts).to_have_text(["The lamp is green:", "its shade at least."])
    assert PARTED in page.locator(".first .text").evaluate("each => each.textContent")
    parts.last.click()
    expect(page.get_by_role("heading", name="Sentence 2 of 2")).to_be_visible()
    assert parts.evaluate_all("all => all.every((each) => each.classList.contains('chosen'))")
    rest(page)


def test_the_flash_is_still_for_who_wants_less_motion(read, rest):
    page = read("relying")
    moving = "each => getComputedStyle(each).animationName"
    for wish, name in (("reduce", "none"), ("no-preference", "flash")):
        page.emulate_media(reduced_motion=wish)
        page.keyboard.press("j" if wish == "reduce" else "k")
        assert page.locator("mark.flash").first.evaluate(moving) == name
    rest(page)


def test_a_copied_link_opens_exactly_this_view(read, visit, rest, context, server):
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    page = read("relying")
    page.get_by_role("button", name=re.compile("^Supported")).click()
    page.keyboard.press("j")
    chosen(page, "Sentence 2 of 4")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    rest(page)
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(server.url)
    other = visit(link.removeprefix(server.url))
    chosen(other, "Sentence 2 of 4")
    expect(other.locator(".text .unit:not(.dim)")).to_have_count(3)
    rest(other)


def test_claims_from_overlapping_sentences_and_from_none_are_all_there(read, rest):
    page = read("overlapping")
    rows = page.locator(".first .unit.row")
    expect(rows).to_have_count(5)
    whole = page.locator(".first .origin").evaluate_all(
        "all => all.map(each => each.textContent.trim()).join(' ')"
    )
    assert " ".join(whole.split()) == "The bridge opened in 1931. It was painted green."
    expect(page.get_by_text("Not found in the text")).to_be_visible()
    for number, name in enumerate(rows.all_inner_texts()):
        rows.nth(number).click()
        expect(rows.nth(number)).to_have_attribute("aria-selected", "true")
        chosen(page, r"Claim \d of 5")
        assert name.strip()
    # A sentence that two claims come from goes from one to the next at each click.
    origin = page.locator(".first .origin").last
    origin.click()
    first = page.locator('.unit.row[aria-selected="true"]').inner_text()
    origin.click()
    expect(page.locator('.unit.row[aria-selected="true"]')).not_to_have_text(first)
    rest(page)


def test_numbers_that_a_file_gives_without_answers_are_shown_with_their_author(read):
    page = read("numbered")
    given = page.locator(".author.given")
    expect(given).to_have_count(2)
    expect(given.filter(has_text="metric")).to_contain_text("Overlap")
    expect(given.filter(has_text="metric")).to_contain_text("0.25")
    expect(given.filter(has_text="ben")).to_contain_text("—")
    expect(page.get_by_text("gives numbers for this item and no answers")).to_be_visible()
    expect(page.get_by_text("No source text came with this item")).to_be_visible()


@pytest.mark.parametrize("name", ["relying", "overlapping"])
def test_a_link_to_a_unit_that_never_was_says_so(read, name):
    page = read(name, "&unit=nothing")
    expect(page.get_by_text("This item has no unit nothing")).to_be_visible()


def test_of_a_response_as_long_as_a_book_only_what_is_in_sight_is_laid_out(read):
    page = read("book", "&unit=s701")
    drawn = """node => node.checkVisibility({ contentVisibilityAuto: true })"""
    chosen = page.get_by_role("option", selected=True)
    expect(chosen).to_have_text(BOOK[700])
    expect(chosen).to_be_in_viewport()
    assert chosen.evaluate(drawn)
    assert not page.locator('[data-unit="s1400"]').evaluate(drawn)
    text = page.locator('.pane[aria-label="Response"] .text')
    assert text.evaluate("node => node.textContent") == " ".join(BOOK)
    page.keyboard.press("j")
    expect(page.get_by_role("option", selected=True)).to_have_text(BOOK[701])
    assert page.locator(".text.long .block").count() > 10
