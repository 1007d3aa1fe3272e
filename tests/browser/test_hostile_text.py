"""Text that attacks the screen is shown literally on every page, with the policy and without it.

The content security policy is the second wall. Every page is opened behind it and, in a browser
told to ignore it, without: 0 scripts, 0 dialogs, 0 requests, 0 navigations. That every text reads
as it came is tried where nothing protects it, without the policy.
"""

import json
import re
import socketserver
import threading
import time
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import expect

from components.ui.item_heading import format_item_title
from components.ui.plain import visible
from faithfulness.model.names import fold_name
from tests.browser.hostile_items import (
    DISPUTED,
    MANY,
    MEETING,
    PAYLOADS,
    PROTOCOLS,
    READER,
    SOURCES,
    TEXT,
    fill_hostile,
    names,
    places_in,
)
from tests.hostile_payloads import BEACON, LISTS, OWN, PORT, shared_payloads
from tests.shared_data import NO_DATA

FILLED_BY = fill_hostile
# Blanks and marks of names are folded where they enter; every other text stays as it came.
AUTHORS = {fold_name(each) for each in PAYLOADS}


class Listener(socketserver.ThreadingTCPServer):
    """Counts whoever comes; nobody should."""

    allow_reuse_address = True
    daemon_threads = True
    seen = 0


class Door(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.server.seen += 1


def when_free(seconds: float = 600.0) -> Listener:
    """The texts name one port, and another worker may be at such texts too: one after the other."""
    end = time.monotonic() + seconds
    while True:
        try:
            return Listener(("127.0.0.1", PORT), Door)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


@pytest.fixture(scope="module")
def listener():
    with when_free() as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()


# Chromium obeys our headers, or is told not to.
# The harder of the two, without the headers, belongs to every run.
TWICE = pytest.mark.parametrize(
    "context",
    [pytest.param(False, id="policy", marks=pytest.mark.soak), pytest.param(True, id="no_policy")],
    indirect=True,
)


@pytest.fixture(scope="module", params=[True], ids=["no_policy"])
def context(browser, request):
    opened = browser.new_context(
        viewport={"width": 1440, "height": 900}, reduced_motion="reduce", bypass_csp=request.param
    )
    opened.without_policy = request.param
    # Pages with a hundred of everything: patience for a machine that is busy.
    opened.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    yield opened
    expect.set_options(timeout=20_000)
    opened.close()


@pytest.fixture(autouse=True)
def nothing_happens(context, listener, server):
    """Whatever a test does: no dialog, no new tab, no frame, no way out, no script that ran."""
    seen: list[str] = []

    def on_page(page) -> None:
        page.on(
            "dialog", lambda dialog: (seen.append(f"dialog {dialog.message}"), dialog.dismiss())
        )
        page.on("frameattached", lambda frame: seen.append(f"frame {frame.url}"))
        page.on("popup", lambda other: seen.append(f"tab {other.url}"))
        page.on("framenavigated", lambda frame: went(frame.url))

    def went(url: str) -> None:
        if not url.startswith((server.url, "about:blank")):
            seen.append(f"navigated to {url}")

    context.on("page", on_page)
    listener.seen = 0
    yield
    context.remove_listener("page", on_page)
    assert seen == []
    assert listener.seen == 0


@pytest.fixture
def visit(visit):
    """Pages that are opened are asked at the end whether a script ran in them."""
    pages = []

    def open_page(path: str = "/"):
        pages.append(visit(path))
        return pages[-1]

    yield open_page
    for page in pages:
        assert page.evaluate("typeof hit") == "undefined"
        assert len(page.frames) == 1


@pytest.fixture
def places(server):
    return places_in(server.store)


def texts(page, selector: str) -> list[str]:
    return page.locator(selector).evaluate_all("all => all.map(each => each.textContent)")


def folded(text: str) -> str:
    """What layout leaves of a text: blanks in a row are one."""
    return " ".join(text.split())


def as_label(text: str) -> str:
    """A text as Streamlit's own elements show it: one line, with nothing hidden."""
    return folded(visible(text))


def open_item(visit, rest, place):
    page = visit(f"/item?run={place.run}&item={place.item}")
    expect(page.locator(".detail header").first).to_be_visible()
    rest(page)
    return page


def test_the_lists_are_what_they_should_be():
    assert len(set(OWN)) == len(OWN) >= 50
    if not LISTS.is_file():
        pytest.skip(NO_DATA)
    assert len(shared_payloads()) >= 12
    assert not set(OWN) & set(shared_payloads())


@TWICE
def test_without_the_policy_a_script_and_a_request_would_get_through(server, context, listener):
    """The alarm itself is tried: what this file watches for is seen when it happens."""
    run = "() => { const made = document.createElement('script'); made.text = 'ran = 1'; "
    run += "document.head.append(made); return typeof ran; }"
    ask = f"() => fetch('{BEACON}/tried', {{ mode: 'no-cors' }}).then(() => 1, () => 0)"
    other = context.new_page()  # not watched by `visit`
    other.goto(f"{server.url}/_stcore/health")
    assert other.evaluate(run) == ("number" if context.without_policy else "undefined")
    other.evaluate(ask)
    assert (listener.seen > 0) == context.without_policy
    listener.seen = 0
    other.close()


@pytest.mark.soak
@TWICE
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_field_of_an_item_reads_as_it_came(visit, rest, places, protocol):
    page = open_item(visit, rest, places[protocol])
    expect(page.get_by_role("heading", level=1)).to_have_text(as_label(names()[protocol]))
    assert "\n".join(texts(page, ".query .before > div, .query > .last")) == TEXT
    if protocol == "claim_overlap":
        assert sorted(texts(page, ".first .unit.row .tail")) == sorted(PAYLOADS)
        assert texts(page, ".first .origin") == list(PAYLOADS)
        assert texts(page, ".second .origin") == list(PAYLOADS)
    else:
        assert texts(page, ".first .text") == [TEXT]
        assert set(texts(page, ".source .text")) >= {TEXT}
    if protocol in ("sentence_grounding", "expert_rubric"):
        assert texts(page, ".group.fragment .text") == list(PAYLOADS)
    if protocol == "comparative_summary":
        assert texts(page, ".group.product .text") == [TEXT] * 3
    for kind in SOURCES:
        shown = texts(page, f".group.{kind} .text")
        assert shown == [TEXT] * len(shown)
    assert set(texts(page, ".authors [role=radio] .name")) >= AUTHORS
    given = "".join(texts(page, ".authors"))
    numbers = PAYLOADS if protocol == "sentence_grounding" else OWN[34:36]
    assert [each for each in numbers if each not in given] == []
    expect(page.locator(".hidden-character:visible").first).to_be_visible()
    if protocol in ("comparative_summary", "response_consistency", "expert_rubric"):
        read_opinions(page)


def read_opinions(page) -> None:
    """Everything that everybody said of a whole text stands below it."""
    every = set(PAYLOADS)
    assert set(texts(page, ".opinion header b")) == AUTHORS | {"replier"}
    said = set(texts(page, ".opinion > p:not(.problem, :has(> span.quiet))"))
    assert every <= said <= every | {TEXT}  # a reply that cannot be read is shown whole
    comments = texts(page, ".opinion > p:has(> span.quiet)")
    assert {each.removeprefix("Comment ") for each in comments} == every
    struck = set(texts(page, ".struck"))
    assert every <= set(texts(page, "blockquote > .words:not(.struck)"))
    assert struck <= {f"nobody wrote quinces beside {each}" for each in every}
    assert len(struck) > 20
    shown = {each.removesuffix("  not a web address") for each in texts(page, ".source-link")}
    assert shown == every
    assert page.locator("a.source-link").count() == 0


@pytest.mark.soak
def test_everything_said_of_a_sentence_reads_as_it_came(visit, rest, places):
    page = open_item(visit, rest, places["sentence_grounding"])
    for each in PAYLOADS:
        detail = page.locator(".detail").evaluate(
            """(box) => Object.fromEntries(["b", ".opinion > p:not(.problem)", ".problem",
            "blockquote > .words", ".source-link"].map((name) => [name,
            [...box.querySelectorAll(name)].map((one) => one.textContent)]))"""
        )
        assert {fold_name(each), READER} <= set(detail["b"])
        assert detail[".opinion > p:not(.problem)"] == [each, f"Comment {each}"]
        assert each in detail[".problem"]
        assert each in detail["blockquote > .words"]
        assert detail[".source-link"] == [f"{each}  not a web address"]
        page.keyboard.press("j")
    # A blank line parts a sentence into two pieces on the screen; it stays one sentence.
    units = page.locator(".text .unit").evaluate_all("(all) => all.map((one) => one.dataset.unit)")
    assert len(set(units)) == len(PAYLOADS)
    rest(page)


@pytest.mark.soak
def test_the_pointer_on_a_text_wakes_nothing(visit, rest, places):
    page = open_item(visit, rest, places["sentence_grounding"])
    for unit in page.locator(".first .unit").all()[:30]:
        unit.hover()
    page.locator(".first .unit").nth(3).click()
    expect(page.locator(".first .unit").nth(3)).to_have_attribute("aria-selected", "true")
    page.get_by_role("searchbox").fill(PAYLOADS[0])
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^1 of \d+"))).to_be_visible()
    rest(page)


@pytest.mark.soak
def test_the_list_of_runs_reads_as_it_came(visit, rest):
    page = visit("/")
    found: list[str] = []
    for number in (1, 2):
        page.goto(page.url.partition("?")[0] + f"?page={number}")
        expect(page.get_by_role("table", name="Runs")).to_be_visible()
        rest(page)
        found += texts(page, "td:first-child a")
    assert set(found) == {*PAYLOADS, *names().values(), MANY, DISPUTED}


@pytest.mark.soak
def test_the_list_of_items_reads_as_it_came(visit, rest, places):
    page = visit(f"/item?run={places[MANY].run}")
    found: list[tuple[str, ...]] = []
    while True:
        expect(page.get_by_role("table", name="Items of the run")).to_be_visible()
        rest(page)
        columns = ("td:nth-child(1) a", "td:nth-child(2) .text", "td:nth-child(2) .note")
        found += zip(*(texts(page, each) for each in columns), strict=True)
        after = page.get_by_role("button", name="Next page")
        if not after.count():
            break
        after.click()
        expect(page).to_have_url(re.compile("after="))
        rest(page)
    cut = [each if len(each) < 200 else each[:200] + "…" for each in PAYLOADS]
    assert found == list(zip(PAYLOADS, cut, cut, strict=True))
    page.goto(page.url.partition("?")[0] + f"?run={places['claim_overlap'].run}")
    expect(page.get_by_role("heading", level=1)).to_have_text(as_label(names()["claim_overlap"]))


@pytest.mark.soak
def test_the_contradictions_read_as_they_came(visit, rest, places):
    page = visit(f"/contradictions?run={places[MANY].run}")
    parts = {
        "sentence": "article .side:first-child .said",
        "excerpt": "article blockquote span.said",
        "absent": "article blockquote s",
        "reason": "article dd",
        "voice": "article .name",
        "where": "article footer > .quiet",
    }
    found: dict[str, set[str]] = {name: set() for name in parts}
    for number in range(1, -(-len(PAYLOADS) // 20) + 1):
        page.goto(re.sub(r"&page=\d+|$", f"&page={number}", page.url, count=1))
        expect(page.get_by_text(f"Page {number} of").first).to_be_visible()
        rest(page)
        for name, selector in parts.items():
            found[name] |= set(texts(page, selector))
    every = set(PAYLOADS)
    assert found["sentence"] == found["reason"] == every
    assert found["voice"] == AUTHORS
    assert found["excerpt"] >= every
    assert found["absent"] <= {f"nobody wrote quinces beside {each}" for each in PAYLOADS}
    assert len(found["absent"]) > 20
    assert found["where"] == {
        f"{format_item_title(each)} · {MANY} · Sentence grounding" for each in PAYLOADS
    }
    page.goto(page.url.partition("?")[0] + "?group=system&words=quinces")
    expect(page.locator("h2.grouped").first).to_be_visible()
    rest(page)
    sizes = texts(page, "h2.grouped .size")
    titles = zip(texts(page, "h2.grouped"), sizes, strict=True)
    shown = {title.removesuffix(size) for title, size in titles}
    assert shown <= {*PAYLOADS, *names().values(), MANY, DISPUTED}


def every_page(place, large) -> dict[str, tuple[str, ...]]:
    """An address for each page and view, with texts that must be read there."""
    rater, judge = OWN[0], OWN[34]
    sides = urlencode({"a": f"{place.run}||rater:{rater}", "b": f"{place.run}||judge:{judge}"})
    agreement = f"/agreement?run={place.run}&reference={quote(f'rater:{rater}', safe='')}&view="
    return {
        "/": (),
        f"/item?run={large.run}": (),
        "/contradictions": (),
        f"{agreement}overview": (),
        f"{agreement}table&cell=supported%3Acontradictory": (judge, PAYLOADS[1]),
        f"{agreement}slices": OWN[:5],
        f"{agreement}raters": (),
        f"{agreement}stand_in": (),
        f"{agreement}rate": (),
        f"/distributions?run={place.run}": (rater, judge),
        "/distributions": (),
        f"/compare?{sides}": (rater, judge, *PAYLOADS[:3]),
        f"/rerun?run={large.run}&item={large.item}": (),
        "/rerun": (),
        f"/judge_run?run={large.run}": (),
        f"/disagreements?run={place.run}": (rater, judge),
        f"/meeting?meeting={MEETING}": (rater, judge, OWN[4]),
        f"/rate?run={place.run}": (),
        "/protocols": (),
        "/import_runs": (),
    }


def words_on(page) -> str:
    """Every word on the page, also inside our own components."""
    return page.get_by_test_id("stMain").evaluate(
        """(main) => { const found = []; const read = (at) => {
        if (at.shadowRoot) read(at.shadowRoot);
        if (at.localName === "input") found.push(at.value);
        for (const each of at.childNodes)
          each.nodeType === 3 ? found.push(each.data) : read(each); };
        read(main); return found.join(""); }"""
    )


def lacks(page, wanted) -> list[str]:
    """Which texts are not on the page, once our components had the time to draw."""
    for _ in range(20):
        words = folded(words_on(page))
        if not (left := [each for each in wanted if folded(visible(each)) not in words]):
            break
        page.wait_for_timeout(250)
    return left


@TWICE
def test_every_page_shows_texts_and_obeys_none(visit, rest, server, places):
    page = visit("/")
    for path, wanted in every_page(places[DISPUTED], places["sentence_grounding"]).items():
        page.goto(server.url + path)
        rest(page)
        assert lacks(page, wanted) == [], path
        assert page.evaluate("typeof hit") == "undefined", path
        assert len(page.frames) == 1, path
        expect(page.get_by_role("alert").filter(has_text="Traceback")).to_have_count(0)


@pytest.mark.soak
def test_filters_offer_texts_as_they_came(visit, rest, places):
    page = visit("/contradictions")
    expect(page.get_by_role("article").first).to_be_visible()
    author = page.get_by_role("combobox", name=re.compile("Author")).first
    author.click()
    author.fill(OWN[0])
    expect(page.get_by_role("option").filter(has_text=OWN[0]).first).to_be_visible()
    page.get_by_role("option").filter(has_text=OWN[0]).first.click()
    expect(page).to_have_url(re.compile("author="))
    page.keyboard.press("Escape")  # an open list hides the page from roles
    expect(page.get_by_role("status")).to_contain_text(folded(OWN[0]))
    rest(page)
    page.get_by_role("button", name="More filters").click()
    sliced = page.get_by_test_id("stPopoverBody").get_by_role("combobox").last
    sliced.click()
    sliced.fill(OWN[34])
    expect(page.get_by_role("option").filter(has_text=OWN[34]).first).to_be_visible()
    for option in page.get_by_role("option").all()[:5]:
        option.hover()


@pytest.mark.soak
def test_names_of_views_read_as_they_came(visit, rest):
    page = visit("/contradictions")
    page.get_by_role("button", name="Views").click()
    buttons = page.get_by_test_id("stPopoverBody").get_by_role("button")
    expect(buttons.nth(len(PAYLOADS))).to_be_attached()
    shown = {as_label(each) for each in buttons.all_text_contents()}
    assert {as_label(folded(each)[:80]) for each in PAYLOADS} <= shown


@pytest.mark.soak
def test_what_a_judge_would_be_sent_is_shown_letter_by_letter(visit, rest):
    page = visit("/protocols?view=judges")
    for title in ("Claim overlap", "Response consistency", "Sentence grounding"):
        page.get_by_role("radio", name=title).click()
        rest(page)
        expect(page.get_by_text(f"Version {title.lower().replace(' ', '_')} ")).to_be_visible()
        said = page.get_by_test_id("stCode").last.locator("code").text_content()
        start = said.rindex("{", 0, said.rindex('"mark": "'))
        sent, _ = json.JSONDecoder().raw_decode(said[start:])
        texts_sent = {each["text"] for each in (*sent["sources"], *sent["reviewed"])}
        assert texts_sent & {TEXT, *PAYLOADS}


@pytest.mark.soak
@pytest.mark.parametrize("half", [PAYLOADS[::2], PAYLOADS[1::2]], ids=["even", "odd"])
def test_hostile_words_in_an_address_do_nothing(visit, rest, half):
    """Every parameter brings every text, on every page that reads an address."""
    words = ("words", "protocol", "unread", "page", "view", "upload", "list", "sort", "group")
    said = urlencode({name: half[number] for number, name in enumerate(words)})
    page = visit(f"/?{said}")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    home = page.url.partition("?")[0].rstrip("/")
    rest(page)
    for name, title in (("protocols", "Protocols"), ("import_runs", "Import")):
        page.goto(f"{home}/{name}?{said}")
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        rest(page)
    several = ("label", "clash", "agreement", "placement", "slice", "system")
    said = urlencode({"run": half, **dict.fromkeys(several, half[:5]), "by": half[6]}, True)
    page.goto(f"{home}/contradictions?{said}")
    told = page.get_by_text("The address names the run")
    expect(told).to_have_count(5)
    shown = [as_label(each) for each in told.all_text_contents()]
    for each, line in zip(half[:5], shown, strict=True):
        assert as_label(each.rpartition(":")[2][:80]) in line
    expect(page.get_by_text("more that the store does not have")).to_be_visible()
    rest(page)
    page.goto(f"{home}/item?item={quote(half[-1], safe='')}&{said}&unit=x&shown=x&after=9e99")
    gone = f"The store has no item {as_label(half[-1][:500])}"
    expect(page.get_by_role("alert").first).to_contain_text(gone)
    rest(page)
