"""A whole run is judged in the browser: offline at once, and by an endpoint with pause and stop."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from faithfulness.judging.pace import Pace
from tests.browser.conftest import Server, ready, served_with_judge

SHORT = "paper-reader-2 · Sentence grounding"  # all in English, which the baseline can judge
AT_ONCE = Pace().at_once
BASELINE = "lexical baseline (offline, no model)"


@pytest.fixture(scope="module")
def server(judge, browser, tmp_path_factory) -> Iterator[Server]:
    yield from served_with_judge(judge, tmp_path_factory)


def choose_run(page, name: str) -> None:
    page.get_by_test_id("stSelectbox").filter(has_text="Run").first.click()
    page.get_by_role("option", name=re.compile(name)).first.click()
    ready(page)


def choose_endpoint(page, judge, model: str) -> None:
    page.get_by_text("Model behind an endpoint").click()
    ready(page)
    for label, said in (("Address", judge.base_url), ("Model", model)):
        page.get_by_label(label, exact=True).fill(said)
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        ready(page)


@pytest.mark.soak
def test_the_baseline_judges_a_run_with_no_key_and_no_network(visit):
    page = visit("/judge_run")
    choose_run(page, SHORT)
    expect(page.get_by_text("0 asked about before")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Every item is answered and stored.")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="All batches").click()
    expect(page.get_by_role("table", name="Batches")).to_contain_text(BASELINE)
    again = visit("/judge_run")
    choose_run(again, SHORT)
    expect(again.get_by_text("Nothing is left to ask")).to_be_visible()
    expect(again.get_by_role("button", name="Start")).to_be_disabled()


@pytest.mark.soak
def test_a_batch_is_paused_left_stopped_and_resumed(visit, judge):
    page = visit("/judge_run")
    choose_run(page, "Claim overlap")
    choose_endpoint(page, judge, "good")
    expect(page.get_by_text("cost unknown")).to_be_visible()
    judge.held = True
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused; questions under way")).to_be_visible()
    address = page.url.removeprefix(page.url.split("/judge_run")[0])
    page.get_by_role("link", name="Contradictions").click()
    expect(page.get_by_role("heading", name="Contradictions")).to_be_visible()
    judge.held = False
    back = visit(address)
    expect(back.get_by_role("button", name="Go on")).to_be_visible()
    assert len(judge.asked) <= AT_ONCE  # only what was under way when it was paused
    back.get_by_role("button", name="Stop").click()
    expect(back.get_by_text("Stopped by a person")).to_be_visible(timeout=60_000)
    back.get_by_role("button", name=re.compile("Ask about the other")).click()
    expect(back.get_by_text("Every item is answered and stored.")).to_be_visible(timeout=60_000)
    texts = [each.body["messages"][-1]["content"].rpartition("sources")[2] for each in judge.asked]
    kept = len(set(texts))
    assert kept <= len(texts) <= kept + AT_ONCE  # at most those under way at the stop, once more
    leads_on(back, "Agreement", re.compile(r"/agreement\?.*judge=judge%3Agood"))
    leads_on(visit(address), "Disagreements", re.compile(r"/disagreements\?.*author=judge%3Agood"))


def leads_on(page, name: str, to: re.Pattern[str]) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    expect(page).to_have_url(to)
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    expect(page.get_by_text("Claim overlap").first).to_be_visible()


@pytest.mark.soak
def test_a_batch_with_traps_says_who_fell_and_where_there_can_be_none(visit, judge):
    page = visit("/judge_run")
    choose_run(page, "Comparative summary")
    choose_endpoint(page, judge, "obedient:true")
    expect(page.get_by_text("No traps can be set here.")).to_be_visible()
    choose_run(page, "Claim overlap")
    page.get_by_text("Set traps for judges that obey texts").click()
    ready(page)
    page.get_by_role("button", name="Start").click()
    fell = page.get_by_role("table", name="Items that fell into a trap")
    expect(fell).to_contain_text(
        "a claim that stands in no source, was labelled true", timeout=60_000
    )
    told = page.get_by_text("answered a trap wrongly").inner_text()
    fallen, replies = re.findall(r"\d+", told)[:2]
    assert fallen == replies == str(len(judge.asked_of("obedient:true")))


@pytest.mark.soak
def test_a_wrong_key_ends_the_batch_and_says_why(visit, judge):
    page = visit("/judge_run")
    choose_run(page, "Claim overlap")
    choose_endpoint(page, judge, "bad_key")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("does not accept the key").first).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Failed: 1 key not accepted")).to_be_visible()
    assert len(judge.asked_of("bad_key")) == 1


@pytest.mark.soak
def test_unread_replies_are_listed_with_their_words(visit, judge):
    page = visit("/judge_run")
    choose_run(page, "Claim overlap")
    choose_endpoint(page, judge, "refusal")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Every item has a reply")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("table", name="Unread items")).to_contain_text("the judge refused")
    page.get_by_role("button", name=re.compile("Reply on")).click()
    expect(page.get_by_text("I cannot help with that.")).to_be_visible()
