"""A judge asked again about one item in a browser: baseline, endpoint, failures, and the key."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, served_with_judge
from tests.loopback_judge import LoopbackJudge

CANARY = "sk-canary-8Rt2Lw9Qx4Zn7Vb1Kp6Ym3"
PRICES = "as_of: '2026-01-01'\nsource: a test\nmodels:\n  good: {in: 10, out: 100}\n"
DIFF = "New answers beside stored ones"
# The page as it stands with every shadow root, every field, the whole history and all storage.
KEPT_BY_THE_BROWSER = """() => {
  const told = [];
  let roots = 0;
  const walk = (root) => {
    roots += 1;
    told.push(root.innerHTML ?? document.documentElement.outerHTML);
    for (const each of root.querySelectorAll("*")) {
      if ("value" in each) told.push(String(each.value));
      if (each.shadowRoot) walk(each.shadowRoot);
    }
  };
  walk(document);
  const visited = navigation.entries().map((each) => [each.url, each.getState()]);
  const stored = [{ ...localStorage }, { ...sessionStorage }, document.cookie, window.name];
  return [roots, told.join("\\n"), JSON.stringify([location.href, history.state, visited, stored])];
}"""


@pytest.fixture(scope="module")
def server(judge, browser, tmp_path_factory) -> Iterator[Server]:
    """A server that also knows a price for one model."""
    prices = tmp_path_factory.mktemp("prices") / "prices.yaml"
    prices.write_text(PRICES)
    yield from served_with_judge(judge, tmp_path_factory, PLUMBLINE_PRICES=str(prices))


@pytest.fixture
def opened(visit, rest):
    """A sentence item on the rerun page, reached as a person does."""
    page = visit("/rerun")
    table = page.get_by_role("table", name="Items answered about lately")
    row = table.get_by_role("row").filter(has_text="Sentence grounding").first
    row.get_by_role("link").click()
    expect(page).to_have_url(re.compile("item="))
    rest(page)
    return page


def fill(page, rest, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")
    page.wait_for_timeout(150)
    rest(page)


def choose_endpoint(page, rest, judge: LoopbackJudge, model: str, **more: str) -> None:
    page.get_by_text("Model behind an endpoint").click()
    rest(page)
    fill(page, rest, "Address", judge.base_url)
    fill(page, rest, "Model", model)
    for label, text in more.items():
        fill(page, rest, label, text)


def keep_it(page, rest) -> None:
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("Kept.")).to_be_visible()
    rest(page)


def press_ask(page) -> None:
    page.get_by_role("button", name="Ask Shortcut H", exact=True).click()


def test_the_baseline_is_asked_compared_kept_and_shown_on_the_item(opened, rest):
    page = opened
    page.get_by_role("button", name="How good is it?").click()
    expect(page.get_by_text("It understands no meaning")).to_be_visible()
    page.keyboard.press("Escape")
    press_ask(page)
    table = page.get_by_role("table", name=DIFF)
    expect(table).to_contain_text("New answer")
    rest(page)
    expect(page.get_by_text("The new answer gives the same label as")).to_be_visible()
    table.get_by_role("button").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("New answer")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    keep_it(page, rest)
    page.get_by_role("button", name="Show on the item").click()
    expect(page).to_have_url(re.compile(r"/item\?.*shown=judge"))
    expect(page.get_by_text("lexical baseline (offline, no model)").first).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Ask again").click()
    expect(page).to_have_url(re.compile("/rerun"))
    expect(page.get_by_role("table", name="Reruns kept before")).to_contain_text("1 sample")


def test_a_reply_without_its_mark_is_read_and_says_so_before_and_after_it_is_kept(
    opened, rest, judge
):
    page = opened
    choose_endpoint(page, rest, judge, "no_mark")
    press_ask(page)
    expect(page.get_by_role("table", name=DIFF)).to_contain_text("New answer")
    rest(page)
    note = page.get_by_text("without mark: the reply does not carry this call's mark")
    expect(note.first).to_be_visible()
    keep_it(page, rest)
    page.get_by_role("button", name="Show on the item").click()
    expect(page).to_have_url(re.compile(r"/item\?"))
    expect(note.first).to_be_visible()


@pytest.mark.soak
def test_a_judge_that_obeys_falls_into_a_trap_and_the_item_says_so(opened, rest, judge):
    page = opened
    choose_endpoint(page, rest, judge, "obedient:supported", Samples="2")
    page.get_by_text("Set traps for judges that obey texts").click()
    rest(page)
    press_ask(page)
    expect(page.get_by_text("2 of 2 replies")).to_be_visible()
    expect(
        page.get_by_text("that stands in no source, was labelled supported").first
    ).to_be_visible()
    expect(page.get_by_role("table", name=DIFF)).to_contain_text("New, 2 samples")
    asked = [each.body["messages"][-1]["content"] for each in judge.asked_of("obedient:supported")]
    assert asked[0] == asked[1]
    rest(page)
    keep_it(page, rest)
    page.get_by_role("button", name="Show on the item").click()
    expect(page.get_by_text("trap failed:").first).to_be_visible()


def edit_template(page, rest, added: str) -> None:
    page.get_by_text("Edit it").click()
    template = page.get_by_label("Template", exact=True)
    expect(template).to_have_value(re.compile("document"))
    words = template.input_value()
    template.fill("No slot for the texts.")
    template.press("Control+Enter")
    expect(page.get_by_text("exactly once and no other slot")).to_be_visible()
    expect(page.get_by_role("button", name="Ask Shortcut H", exact=True)).to_be_disabled()
    template.fill(f"{added}\n{words}")
    template.press("Control+Enter")
    expect(page.get_by_text(f"+{added}")).to_be_visible()
    rest(page)


@pytest.mark.soak
def test_five_samples_of_an_edited_prompt_settle_with_their_cost(opened, rest, judge):
    page = opened
    choose_endpoint(page, rest, judge, "good", Seed="3", Samples="5")
    takes = re.compile(r"Will take about .* for 5 samples: about \$")
    expect(page.get_by_text(takes)).to_be_visible()
    edit_template(page, rest, "Be strict.")
    press_ask(page)
    table = page.get_by_role("table", name=DIFF)
    expect(table).to_contain_text("New, 5 samples")
    expect(table).to_contain_text("5 samples: ")
    expect(page.get_by_text("500 tokens read, 100 written")).to_be_visible()
    expect(page.get_by_text("$0.0150")).to_be_visible()
    asked = judge.asked_of("good")
    assert [each.body["seed"] for each in asked] == [3, 4, 5, 6, 7]
    assert all("Be strict." in each.body["messages"][-1]["content"] for each in asked)
    rest(page)
    keep_it(page, rest)
    page.get_by_role("button", name="Ask again").click()
    kept = page.get_by_role("table", name="Reruns kept before")
    expect(kept).to_contain_text("5 samples")
    expect(kept).to_contain_text("edit-")
    # The settings are still there, and nothing was asked again.
    expect(page.get_by_label("Model", exact=True)).to_have_value("good")
    assert len(judge.asked_of("good")) == 5


@pytest.mark.soak
def test_what_is_thrown_away_is_not_stored(opened, rest, judge):
    page = opened
    choose_endpoint(page, rest, judge, "unpriced")
    press_ask(page)
    expect(page.get_by_text("cost unknown: no price for unpriced")).to_be_visible()
    rest(page)
    page.get_by_role("button", name="Throw away").click()
    expect(page.get_by_role("button", name="Ask Shortcut H", exact=True)).to_be_visible()
    rest(page)
    kept = page.get_by_role("table", name="Reruns kept before")
    if kept.count():
        expect(kept).not_to_contain_text("unpriced")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("quota", "has no money or quota left"),
        ("rate_limit:7", "It asks to wait 7 seconds"),
        ("html", "answered with a web page instead of a reply"),
        ("no_model", "knows no model"),
    ],
)
def test_a_failure_is_told_in_plain_words_and_nothing_stands_in(opened, rest, judge, model, words):
    page = opened
    choose_endpoint(page, rest, judge, model)
    press_ask(page)
    expect(page.get_by_role("alert")).to_contain_text(words)
    rest(page)
    expect(page.get_by_role("table", name=DIFF)).to_have_count(0)
    expect(page.get_by_role("button", name="Keep")).to_have_count(0)
    page.get_by_role("button", name="Choose another judge").click()
    expect(page.get_by_label("Model", exact=True)).to_have_value(model)
    assert len(judge.asked_of(model)) == 1


@pytest.mark.soak
def test_asking_can_be_stopped_and_what_came_is_not_asked_for_again(
    opened, rest, judge, visit, monkeypatch
):
    page = opened
    monkeypatch.setattr(judge, "delay", 3.0)
    choose_endpoint(page, rest, judge, "slow", Samples="20")
    press_ask(page)
    later = page.get_by_text(re.compile(r"Asking for sample ([2-9]|1\d) of 20"))
    expect(later).to_be_visible(timeout=60_000)  # the first call loads the client
    visit("/")  # other people are not kept waiting for the judge
    expect(later).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"\d of 20 samples came before that"))).to_be_visible()
    rest(page)
    have = int(page.get_by_text("came before that").inner_text().split()[0])
    monkeypatch.setattr(judge, "delay", 0.0)
    page.get_by_role("button", name=f"Ask for the missing {20 - have}").click()
    expect(page.get_by_text("2,000 tokens read, 400 written")).to_be_visible()
    assert len(judge.asked_of("slow")) <= 21  # the call that was ended, and one for each sample


def kept_by_the_browser(page, *, least_roots: int = 1) -> str:
    roots, drawn, visited = page.evaluate(KEPT_BY_THE_BROWSER)
    assert roots >= least_roots  # the page, and one for each component that draws for itself
    assert "/rerun" in visited
    return drawn + visited + str(page.context.cookies())


def ask_with_key(page, rest, judge: LoopbackJudge, model: str) -> None:
    """Ask this model, which does with the key what its name says; keep what comes."""
    fill(page, rest, "Model", model)
    press_ask(page)
    back = page.get_by_role("button", name="Choose another judge")
    keep = page.get_by_role("button", name="Keep")
    expect(back.or_(keep)).to_be_visible()
    rest(page)
    assert CANARY not in kept_by_the_browser(page)
    (sent,) = judge.asked_of(model)
    assert sent.headers["authorization"] == f"Bearer {CANARY}"
    if keep.count():
        keep_it(page, rest)
        back = page.get_by_role("button", name="Ask again")
    back.click()
    expect(page.get_by_label("Model", exact=True)).to_have_value(model)
    rest(page)


@pytest.mark.soak
def test_a_canary_key_is_sent_to_its_host_and_is_nowhere_else(opened, rest, judge, server):
    page = opened
    choose_endpoint(page, rest, judge, "bad_key")
    fill(page, rest, "Key", CANARY)
    expect(page.get_by_text("A key for 127.0.0.1 is held.")).to_be_visible()
    for model in ("bad_key", "masked_key", "key_in_page", "key_in_reply", "hidden"):
        ask_with_key(page, rest, judge, model)
    # Another address does not get it, and the first has to be given it again.
    for address in (f"http://localhost:{judge.port}/v1", judge.base_url):
        fill(page, rest, "Address", address)
        expect(page.get_by_text("No key is held")).to_be_visible()
    page.get_by_role("link", name="Runs").first.click()
    expect(page.get_by_role("table").first).to_be_visible()
    rest(page)
    assert CANARY not in kept_by_the_browser(page, least_roots=2)
    page.go_back()
    rest(page)
    assert page.evaluate("navigation.entries().length") >= 3
    assert CANARY not in kept_by_the_browser(page)
    files = [each for each in server.log.parent.rglob("*") if each.is_file()]
    assert any(each.suffix == ".duckdb" for each in files)
    assert not [each.name for each in files if CANARY.encode() in each.read_bytes()]


@pytest.mark.soak
def test_a_reload_forgets_the_key(opened, rest, judge):
    page = opened
    choose_endpoint(page, rest, judge, "good")
    fill(page, rest, "Key", CANARY)
    expect(page.get_by_text("is held.")).to_be_visible()
    page.reload()
    rest(page)
    page.get_by_text("Model behind an endpoint").click()
    fill(page, rest, "Address", judge.base_url)
    expect(page.get_by_text("No key is held")).to_be_visible()


@pytest.mark.soak
def test_an_address_inside_the_network_is_refused_before_anything_is_sent(opened, rest, judge):
    page = opened
    choose_endpoint(page, rest, judge, "good")
    fill(page, rest, "Address", "http://169.254.169.254/v1")
    before = len(judge.asked)
    if page.get_by_role("button", name="Ask Shortcut H", exact=True).is_enabled():
        press_ask(page)
    expect(page.get_by_role("alert").first).to_be_visible()
    assert len(judge.asked) == before


@pytest.mark.soak
def test_a_score_is_shown_as_a_spread_and_the_baseline_says_it_cannot_judge(visit, rest, judge):
    page = visit("/?protocol=comparative_summary")
    page.get_by_role("table").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("run="))
    rest(page)
    page.get_by_role("table", name="Items of the run").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("item="))
    rest(page)
    page.get_by_role("button", name="Ask again").click()
    expect(page).to_have_url(re.compile("/rerun"))
    rest(page)
    press_ask(page)
    expect(page.get_by_role("alert")).to_contain_text("Cannot judge this offline")
    expect(page.get_by_role("table", name=DIFF)).to_have_count(0)
    rest(page)
    page.get_by_role("button", name="Choose another judge").click()
    rest(page)
    choose_endpoint(page, rest, judge, "scores", Seed="1", Samples="5")
    press_ask(page)
    spread = page.get_by_role("table", name=re.compile("Scores for"))
    expect(spread).to_contain_text("New samples")
    expect(spread).to_contain_text("5 answers")
    expect(spread).to_contain_text("Raters")
