"""The shell in a browser: links straight to a page, security headers, nothing fetched outside."""

import http.client
import http.server
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

OWN_SERVER = True
ROOT = Path(__file__).resolve().parents[2]
WANTED = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
}
ROUTES = (
    "/",
    "/protocols",
    "/item?run=x",
    "/no-such-page",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/_stcore/no-such-route",
    "/static/no-such-file.js",
    "/media/no-such-file.png",
    "/component/none/x.js",
    "/..%2f..%2fetc/passwd",
    "//evil.example/x",
    "/app/static/x",
)


def test_a_link_straight_to_a_page_is_the_first_request_of_all(visit):
    page = visit("/protocols?protocol=expert_rubric&view=judges")
    expect(page.get_by_role("heading", name="Protocols")).to_be_visible()
    expect(page.get_by_text("Version expert_rubric 1")).to_be_visible()
    expect(page.get_by_test_id("stSidebarNavLink").filter(has_text="Runs")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_pages_stand_in_their_sections_and_the_item_page_is_not_listed(visit):
    page = visit("/")
    links = page.get_by_test_id("stSidebarNavLink")
    expect(links.first).to_contain_text("Runs")
    names = links.all_inner_texts()
    assert any("Import" in name for name in names)
    assert not any(name.strip().endswith("Item") for name in names)
    expect(page.get_by_test_id("stNavSectionHeader").first).to_contain_text("Review")


def test_an_item_page_without_an_item_says_where_to_go(visit):
    page = visit("/item")
    expect(page.get_by_text("Choose a run first")).to_be_visible()
    page = visit("/item?run=nothing&item=nothing")
    expect(page.get_by_text("The store has no item nothing")).to_be_visible()


def test_a_choice_is_in_the_address_and_survives_a_reload(visit, rest):
    page = visit("/protocols")
    page.get_by_role("radio", name="Claim overlap").click()
    expect(page).to_have_url(re.compile(r"protocol=claim_overlap"))
    rest(page)
    page.reload()
    rest(page)
    expect(page.get_by_text("Does the other article leave no doubt")).to_be_visible()


def answer(url: str, **headers: str) -> http.client.HTTPMessage:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.headers
    except urllib.error.HTTPError as refused:
        return refused.headers


@pytest.mark.parametrize("route", ROUTES)
def test_security_headers_stand_on_every_response(server, route):
    headers = answer(server.url + route)
    assert {name: headers[name] for name in WANTED} == WANTED
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert re.search(r"script-src [^;]*'unsafe-inline'", policy) is None
    assert headers.get_all("content-security-policy") == [policy]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/x/_stcore/metrics"])
def test_nobody_is_told_the_numbers_of_the_server(server, path):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(server.url + path)
    assert refused.value.code == 404


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def test_a_foreign_host_and_a_foreign_origin_are_refused(server):
    port = int(server.url.rpartition(":")[2])
    other_ports = (
        "http://localhost:3000",
        "http://127.0.0.1:3000",
        "http://localhost",
        "http://[::1]",
    )
    origins = ("http://evil.example", "null", f"https://localhost:{port + 1}", *other_ports)
    own = server.url.removeprefix("http://")
    odd_headers = (
        {"Host": "evil.example"},
        {"Origin": f"file://{own}"},
        {"Origin": server.url, "X-Forwarded-Proto": "https"},  # the proxy's own is https://
        *({"Origin": origin} for origin in origins),
    )
    for odd in odd_headers:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/_stcore/stream", headers=UPGRADE | odd)
        assert connection.getresponse().status == 403
        connection.close()


def test_the_apps_own_origin_and_programs_may_open_a_websocket(server):
    port = int(server.url.rpartition(":")[2])
    own = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    six = {"Host": f"[::1]:{port}", "Origin": f"http://[::1]:{port}"}
    behind = {"Host": "localhost", "Origin": "https://localhost", "X-Forwarded-Proto": "https"}
    for headers in ({"Origin": server.url}, own, six, behind, {}):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/_stcore/stream", headers=UPGRADE | headers)
        assert connection.getresponse().status == 101
        connection.close()


def test_a_page_on_another_local_port_cannot_control_the_app(browser, server):
    """A real page of a real server on another port, in a real browser."""

    class Page(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>elsewhere</title>")

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    stranger = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=stranger.serve_forever, daemon=True).start()
    try:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{stranger.server_port}/")
        outcome = page.evaluate(
            """address => new Promise(resolve => {
                const socket = new WebSocket(address, ["streamlit"]);
                socket.onopen = () => resolve("opened");
                socket.onerror = () => resolve("refused");
            })""",
            server.url.replace("http://", "ws://") + "/_stcore/stream",
        )
        page.close()
    finally:
        stranger.shutdown()
        stranger.server_close()
    assert outcome == "refused"


def test_a_write_from_a_foreign_page_is_refused(server):
    request = urllib.request.Request(
        f"{server.url}/_stcore/upload_file/x/y",
        method="PUT",
        data=b"{}",
        headers={"Origin": "http://localhost:3000"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    assert refused.value.code == 403
    assert refused.value.read() == b"Forbidden"


def test_an_upload_without_its_token_is_refused(server):
    request = urllib.request.Request(
        f"{server.url}/_stcore/upload_file/x/y", method="PUT", data=b"{}"
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    assert refused.value.code == 403


def test_the_scripts_door_is_shut_to_whoever_has_no_token(server):
    request = urllib.request.Request(f"{server.url}/plumbline/door/runs", method="POST", data=b"")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    assert refused.value.code == 403
    assert refused.value.headers["x-content-type-options"] == "nosniff"


def test_scripts_come_in_while_the_app_has_the_store_open(server):
    command = [sys.executable, "cli.py", "runs", "--json"]
    environment = os.environ | {"PLUMBLINE_STORE": str(server.store)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert "shop-assistant-a" in done.stdout.decode()


def test_dark_mode_follows_the_person(browser, server):
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{server.url}/protocols")
    expect(page.get_by_role("heading", name="Protocols")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(18, 22, 28)")
    context.close()


@pytest.mark.parametrize("path", ["runs", "home"])
def test_the_main_page_is_found_by_its_name_with_what_was_asked(visit, path):
    page = visit(f"/{path}?protocol=expert_rubric")
    expect(page.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(re.compile(r":\d+/\?protocol=expert_rubric$"))


def test_an_address_that_leads_to_no_page_says_so_and_leads_on(visit, rest):
    page = visit("/disagrements?state=decided")
    expect(page.get_by_role("heading", name="No such page", level=1)).to_be_visible()
    expect(page.get_by_text("Plumbline has no page “disagrements”")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="See all runs").click()
    expect(page.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    rest(page)
    hostile = visit("/%3Cimg%20src=x%3E%20**bold**%20:red%5Bx%5D")
    expect(hostile.get_by_text("no page “<img src=x> **bold** :red[x]”")).to_be_visible()
