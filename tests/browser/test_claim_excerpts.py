"""Claim overlap in a browser: excerpts in both articles, and each claim with its sentence."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from data.runs import queries
from data.store.store import open_store
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.vocabulary import Author, Field, UnitKind
from tests.browser.accessibility import faults_of_ours, grave_faults
from tests.data.stored import ADA, BEN, NORTH, save_drafts

OPENED = "The harbor bridge opened in May 1932 and carries four lanes."
PREDICTION = f"Coldwater has two bridges. {OPENED} It replaced a ferry."
REFERENCE = "Coldwater is a port. Its harbor bridge was opened in May 1932. A toll is paid there."
TOLL = "It costs nothing to cross it."


def claim(author: Author, text: str, value: str, *quotes: str, of: str = "response") -> DraftAnswer:
    sentences = {"response": OPENED, "reference": "A toll is paid there."}
    return DraftAnswer(
        author=author,
        criterion="supported",
        value=value,
        unit=UnitKind.CLAIM,
        text=text,
        field=of,
        sentence=sentences[of],
        rationale=f"{author.name} on {text}",
        excerpts=quotes,
    )


def article(name: str, *said: DraftAnswer) -> Draft:
    return Draft(
        protocol="claim_overlap",
        system="alpha",
        external_id=name,
        fields=(
            Field(name="topic", kind="topic", text=f"The bridge of {name}"),
            Field(name="response", kind="response", text=PREDICTION),
            Field(name="reference", kind="reference", text=REFERENCE),
        ),
        said=said,
    )


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    opened, lanes, toll = "The bridge opened in 1932.", "It has four lanes.", "A toll is due."
    both = article(
        "Coldwater",
        claim(NORTH, opened, "true", "harbor bridge was opened in May 1932"),
        claim(NORTH, lanes, "false", "Coldwater is a port. Its harbor bridge"),
        claim(NORTH, toll, "true", "It replaced a ferry.", of="reference"),
        claim(ADA, opened, "false"),
        claim(BEN, opened, "false"),
    )
    one_side = article("Lantern", claim(NORTH, opened, "true", "opened in May 1932"))
    (run,) = save_drafts(store, [both, one_side])
    items = queries.run_items(store, run).set_index("external_id")["item_id"]
    places = {name: f"run={run}&item={items[name]}" for name in items.index}
    (path.parent / "places.json").write_text(json.dumps(places))
    store.close()


FILLED_BY = fill_store


def place(server, name: str) -> str:
    return json.loads((server.store.parent / "places.json").read_text())[name]


def open_item(visit, rest, server, name: str):
    page = visit(f"/item?{place(server, name)}")
    expect(page.locator(".detail header").first).to_be_visible()
    rest(page)
    return page


def row(page, words: str):
    return page.get_by_role("option", name=re.compile(words))


def lit(page, side: str) -> str:
    return "".join(page.locator(f"{side} mark.on").all_text_contents())


def test_an_excerpt_is_lit_in_the_other_article_from_either_side(visit, rest, server):
    page = open_item(visit, rest, server, "Coldwater")
    row(page, "opened in 1932").click()
    expect(page.locator(".detail")).to_contain_text("Word for word")
    assert lit(page, ".second") == "harbor bridge was opened in May 1932"
    assert lit(page, ".first") == ""
    page.get_by_role("button", name="Show in source").click()
    expect(page.locator(".second mark.flash")).not_to_have_count(0)
    row(page, "A toll is due").click()
    expect(page.locator(".first mark.on")).to_have_text(["It replaced a ferry."])
    row(page, "four lanes").click()  # an excerpt may begin in one sentence and end in the next
    expect(row(page, "four lanes")).to_have_attribute("aria-selected", "true")
    assert lit(page, ".second") == "Coldwater is a port. Its harbor bridge"
    assert faults_of_ours(page) == []


def test_a_click_on_a_lit_passage_leads_to_the_claim_that_relies_on_it(visit, rest, server):
    page = open_item(visit, rest, server, "Coldwater")
    page.locator("mark", has_text="It replaced a ferry.").click()
    expect(row(page, "A toll is due")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".detail")).to_contain_text("One place relies on the passage")


def test_an_article_without_claims_of_its_own_shows_what_is_quoted_from_it(visit, rest, server):
    page = open_item(visit, rest, server, "Lantern")
    row(page, "opened in 1932").click()
    expect(page.locator(".second mark.on")).to_have_text(["opened in May 1932"])


def test_the_rating_form_shows_a_claim_in_its_sentence_among_the_others(visit, rest, server):
    page = visit(f"/rate?{place(server, 'Coldwater')}")
    page.get_by_placeholder("Your name").fill("Ines")
    page.get_by_role("button", name="Start rating").click()
    claim = page.locator(".card .claim")
    expect(claim).to_contain_text("The bridge opened in 1932.")
    expect(claim.locator(".origin-sentence")).to_have_text(OPENED)
    expect(claim.locator(".origin")).to_contain_text("Coldwater has two bridges.")
    expect(claim.locator(".origin")).to_contain_text("It replaced a ferry.")
    rest(page)
    for _ in range(2):
        page.keyboard.press("j")
    expect(claim).to_contain_text("A toll is due.")
    expect(claim.locator(".origin-sentence")).to_have_text("A toll is paid there.")
    assert faults_of_ours(page) == []


def test_a_card_and_a_rerun_show_a_claim_in_its_sentence(visit, rest, server):
    page = visit("/disagreements")
    origin = page.locator("article .origin")
    expect(origin.locator(".origin-sentence")).to_have_text(OPENED)
    expect(origin).to_contain_text("It replaced a ferry.")
    rest(page)
    assert grave_faults(page) == []
    page.keyboard.press("b")
    expect(page.get_by_text("You come from:")).to_be_visible()
    expect(page.locator("strong", has_text=OPENED)).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Ask Shortcut H", exact=True).click()
    table = page.get_by_role("table", name="New answers beside stored ones")
    expect(table.locator("tr.group", has_text=OPENED)).to_have_count(1)
    expect(table.locator("tr.group", has_text="A toll is paid there.")).to_have_count(1)
