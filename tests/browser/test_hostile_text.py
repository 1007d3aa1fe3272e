"""Text that attacks the screen is shown literally on every page, and nothing is fetched."""

import json
import socketserver
import threading
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

PORT = 47027
BEACON = f"http://127.0.0.1:{PORT}"
PAYLOADS = (
    f"<img src={BEACON}/img onerror=document.title='hit'>",
    f"<script>fetch('{BEACON}/script')</script>",
    f"<svg onload=fetch('{BEACON}/svg')>",
    "<iframe srcdoc=\"<script>top.document.title='hit'</script>\"></iframe>",
    f"<meta http-equiv=refresh content='0;url={BEACON}/meta'>",
    f"<link rel=stylesheet href={BEACON}/css>",
    f"<style>@import url({BEACON}/import)</style>",
    f"<video poster={BEACON}/poster>",
    f"<object data={BEACON}/object>",
    f"<embed src={BEACON}/embed>",
    f"<form action={BEACON}/form><button>go</button></form>",
    f"<base href={BEACON}/>",
    f"<a href='javascript:fetch(\"{BEACON}/a\")'>x</a>",
    f"![x]({BEACON}/md.png)",
    f"![x][y]\n\n[y]: {BEACON}/ref.png",
    f"[click](javascript:fetch('{BEACON}/link'))",
    f"{BEACON}/bare and www.example.com and me@example.com",
    "$\\href{javascript:alert(1)}{x}$ and $$y$$ and $5 or $6",
    ":red[hot] :smile: :material/home: :blue-badge[x] :small[y]",
    "# heading\n- list\n1. one\n> quote\n```\ncode\n```\n| a | b |\n|---|---|",
    "**bold** _it_ ~~no~~ `code` [^1] a -> b <- c -- d >= e",
    "&lt;b&gt; &amp; &#60; \\* \\< {{response}} {} %s %(x)s ${x}",
    "</span></div></template><plaintext>",
    "\u202egnidliub\u202c \u200bzero\u200b \ufeffmark \u2066iso\u2069",
    "\x01\x1b[31m red \x7f",
    "'; drop table runs; -- \" or 1=1",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034fa\u0334\u0319\u0324\u031e\u0349lgo",
    '=HYPERLINK("http://x") @SUM(1) +1 -1',
    "w" * 3000,
)
LINKS = ("javascript:alert(1)", "data:text/html,<script>1</script>", r"\\server\share")


class Listener(socketserver.ThreadingTCPServer):
    """Counts whoever comes; nobody should."""

    allow_reuse_address = True
    daemon_threads = True
    seen = 0


class Door(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.server.seen += 1


@pytest.fixture(scope="module")
def listener():
    with Listener(("127.0.0.1", PORT), Door) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()


TEXT = "\n".join(PAYLOADS)
NAME = PAYLOADS[0] + PAYLOADS[13]


def hostile_item() -> dict[str, object]:
    answer = {
        "author": NAME,
        "author_kind": "judge",
        "criterion": "consistency",
        "value": "no_contrary_evidence",
        "unit": "response",
        "rationale": TEXT,
        "comment": TEXT,
        "excerpts": [PAYLOADS[0], "seventeen purple walruses voted"],
        "links": [*LINKS, "https://example.com/evidence"],
    }
    return {
        "protocol": "response_consistency",
        "system": NAME,
        "id": NAME,
        "fields": [
            {"name": "query", "kind": "query", "text": TEXT},
            {"name": "response", "kind": "response", "text": TEXT},
            {"name": "detail_page", "kind": "detail_page", "text": TEXT},
        ],
        "attributes": {NAME: TEXT},
        "answers": [answer],
    }


def texts(page, selector: str) -> list[str]:
    return page.locator(selector).evaluate_all("all => all.map(each => each.textContent)")


def check(page, listener) -> None:
    assert page.title() != "hit"
    assert listener.seen == 0


def test_hostile_text_is_shown_as_it_was_imported(visit, rest, listener):
    page = visit("/import_runs")
    raw = json.dumps(hostile_item()).encode()
    name = "<img src=x onerror=alert(1)>![x](http:)#.jsonl"
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": raw}]
    )
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_test_id("stMain")).to_contain_text(name)
    rest(page)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("table", name="The first items of the import")).to_be_visible()
    assert NAME in texts(page, "[aria-label='Runs in this import'] .note")[0]
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_role("table", name="New runs")).to_be_visible()
    check(page, listener)


def test_hostile_text_reads_the_same_on_the_item_page(visit, listener):
    page = visit("/")
    runs = page.get_by_role("table", name="Runs")
    expect(runs.get_by_role("link", name=NAME, exact=True).first).to_be_visible()
    check(page, listener)
    row = runs.get_by_role("row").filter(has=page.get_by_role("link", name=NAME, exact=True))
    row.get_by_text("Read first item").click()

    expect(page.get_by_role("region", name="Sources")).to_be_visible()
    assert texts(page, ".query > span:last-child") == [TEXT]
    assert texts(page, ".first .text") == [TEXT]
    assert texts(page, ".source .text") == [TEXT]
    assert TEXT in texts(page, ".opinion p")
    expect(page.get_by_text("Not in the source").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
    follow = page.locator("a.source-link").evaluate_all("all => all.map(each => each.href)")
    assert follow == ["https://example.com/evidence"]
    expect(page.locator(".hidden-character").first).to_be_visible()
    check(page, listener)


def test_hostile_text_reads_the_same_among_the_contradictions(visit, rest, listener):
    page = visit("/contradictions?words=seventeen%20purple%20walruses")
    card = page.get_by_role("article").filter(has_text="seventeen purple walruses")
    expect(card).to_have_count(1)
    # A long text is cut, never changed: what is shown stands in it word for word.
    (shown,) = texts(page, "article .side:first-child .said")
    assert shown.strip("…") in TEXT
    assert len(shown) > 600
    assert PAYLOADS[0] in texts(page, "article blockquote .said")
    assert "seventeen purple walruses voted" in texts(page, "article blockquote s")
    card.get_by_text("Reasons").click()
    assert texts(page, "article dd") == [TEXT]
    assert texts(page, "article .name") == [NAME]
    assert page.locator("article a").count() == 1
    page.get_by_role("button", name="More filters").click()
    for box in page.get_by_role("combobox").all()[:3]:
        box.click()
        rest(page)
        page.keyboard.press("Escape")
    check(page, listener)


@pytest.mark.parametrize("payload", PAYLOADS[12:22:3])
def test_hostile_words_in_the_address_do_nothing(visit, listener, payload):
    said = quote(payload, safe="")
    page = visit(f"/?words={said}&protocol={said}&unread={said}&page={said}")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_value(" ".join(payload.split("\n")))
    page.goto(page.url.partition("?")[0] + f"item?run={said}&item={said}&author={said}&after=9e99")
    expect(page.get_by_role("alert")).to_contain_text("The store has no item")
    check(page, listener)


@pytest.mark.parametrize("payload", PAYLOADS[0:16:5])
def test_hostile_filters_in_the_address_do_nothing(visit, listener, payload):
    said = quote(payload, safe="")
    names = ("run", "author", "label", "by", "clash", "agreement", "placement", "slice", "list")
    page = visit("/contradictions?" + "&".join(f"{name}={said}" for name in names))
    expect(page.get_by_role("article").first).to_be_visible()
    expect(page.get_by_text("The address names the run").first).to_be_visible()
    check(page, listener)
