"""A real server, a real Chromium, and a page that fails the test on any error in its console."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from data.samples.first_start import fill_first  # noqa: E402
from tests.browser.chromium import chromium  # noqa: E402
from tests.loopback_judge import LoopbackJudge  # noqa: E402
from tests.made_stores import new_store  # noqa: E402
from tests.server_log import faults  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# A page below the root asks for these two beside itself first; Streamlit's own probing.
PROBES = re.compile(r"//[^/]+/[^/]+/_stcore/(health|host-config)$")
NO_CHROMIUM = (
    "NO CHROMIUM: set PLUMBLINE_CHROMIUM, install chromium, or run `playwright install chromium`"
)


# The same steps again with other parameters: every run tries the first, `make soak` the others.
FIRST_IS_ENOUGH = {
    "test_a_link_to_what_is_gone_says_so_and_leads_on",
    "test_an_item_of_each_protocol_is_chosen_linked_left_and_found_again",
    "test_two_raters_rate_the_same_item_and_neither_sees_the_other",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen = set()
    for item in items:
        if Path(item.fspath).is_relative_to(ROOT / "tests" / "browser"):
            item.add_marker(pytest.mark.browser)
            name = getattr(item, "originalname", item.name)
            if name in FIRST_IS_ENOUGH and name in seen:
                item.add_marker(pytest.mark.soak)
            seen.add(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if any("NO CHROMIUM" in str(report.longrepr) for report in skipped):
        terminalreporter.write_sep("!", "the browser tests were SKIPPED", red=True, bold=True)
        terminalreporter.write_line(NO_CHROMIUM)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    with playwright_api.sync_playwright() as playwright:
        running = chromium(playwright)
        if running is None:
            pytest.skip(NO_CHROMIUM)
        yield running
        running.close()


class Server:
    """Plumbline as a person starts it, from another working directory, on a store of its own."""

    def __init__(
        self,
        folder: Path,
        fill: Callable[[Path], None] | None = None,
        secrets: Callable[[str], str] | None = None,
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.options = (f"--server.port={port}", "--server.headless=true")
        self.folder = folder
        self.log = folder / "server.log"
        self.store = folder / "store" / "plumbline.duckdb"
        if fill is not None:
            fill(self.store)
        if secrets is not None:
            (folder / ".streamlit").mkdir()
            (folder / ".streamlit" / "secrets.toml").write_text(secrets(self.url))
        self.start()

    def start(self) -> None:
        """Serve; also again, at the same address and on the same store, after a stop."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), *self.options],
                cwd=self.folder,
                env=os.environ | {"PLUMBLINE_STORE": str(self.store)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 180  # a machine may be busy
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.stop()
        pytest.fail(f"the server did not start:\n{self.log.read_text()}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="session")
def shared_server(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from served(tmp_path_factory)


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """One server for all files.

    A file that says OWN_SERVER empties its store, and gets its own; one that says FILLED_BY makes
    the store itself before the server opens it.
    """
    fill = getattr(request.module, "FILLED_BY", None)
    if fill or getattr(request.module, "OWN_SERVER", False):
        request.getfixturevalue("browser")
        yield from served(request.getfixturevalue("tmp_path_factory"), fill or with_sample)
    else:
        yield request.getfixturevalue("shared_server")


def with_sample(path: Path) -> None:
    """As a first start leaves the store; the shared server makes its own, which takes longer."""
    path.parent.mkdir()
    new_store(path, fill_first).close()


def served(
    tmp_path_factory: pytest.TempPathFactory,
    fill: Callable[[Path], None] | None = None,
    secrets: Callable[[str], str] | None = None,
) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("served"), fill, secrets)
    yield running
    running.stop()
    said = running.log.read_text()
    assert not faults(said), said
    assert "will be removed after" not in said, said


def served_with_judge(
    judge: LoopbackJudge,
    tmp_path_factory: pytest.TempPathFactory,
    fill: Callable[[Path], None] | None = None,
    **settings: str,
) -> Iterator[Server]:
    """A server of its own that may ask the loopback judge, and has no key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLUMBLINE_JUDGE_ALLOW", f"127.0.0.1:{judge.port}")
        for name, value in settings.items():
            patch.setenv(name, value)
        for name in ("OPENAI_API_KEY", "PLUMBLINE_JUDGE_KEY"):
            patch.delenv(name, raising=False)
        yield from served(tmp_path_factory, fill or with_sample)


@pytest.fixture(scope="module")
def judge() -> Iterator[LoopbackJudge]:
    with LoopbackJudge() as running:
        yield running


@pytest.fixture(scope="session")
def context(browser: object) -> Iterator[object]:
    """One context for all: the front end stays in its cache, every page is a session of its own."""
    opened = browser.new_context(  # type: ignore[attr-defined]
        viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
    )
    opened.set_default_timeout(20_000)
    playwright_api.expect.set_options(timeout=20_000)
    yield opened
    opened.close()


@pytest.fixture
def visit(context: object, server: Server) -> Iterator[Callable[..., object]]:
    """Open an address in a new page; errors in its console and foreign requests fail the test."""
    problems: list[str] = []
    pages = []

    def open_page(path: str = "/") -> object:
        page = context.new_page()
        watch(page, server.url, problems)
        pages.append(page)
        page.goto(server.url + path)
        ready(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert problems == []


def watch(page: object, home: str, problems: list[str]) -> None:
    def on_response(response: object) -> None:
        if response.status >= 400 and not PROBES.search(response.url):
            problems.append(f"{response.status} {response.url}")

    def on_console(message: object) -> None:
        # A failed request has no address in its message; on_response judges those.
        if message.type == "error" and "Failed to load resource" not in message.text:
            problems.append(message.text)

    def on_request(request: object) -> None:
        if not request.url.startswith((home, "data:", "blob:")):
            problems.append(f"a request left: {request.url}")

    page.on("response", on_response)
    page.on("console", on_console)
    page.on("request", on_request)
    page.on("pageerror", lambda error: problems.append(str(error)))


def ready(page: object) -> None:
    """Wait until Streamlit is at rest, before a key or a click is sent."""
    app = page.get_by_test_id("stApp")
    playwright_api.expect(app).to_have_attribute("data-test-script-state", "notRunning")
    playwright_api.expect(page.locator('[data-stale="true"]')).to_have_count(0)


@pytest.fixture
def rest() -> Callable[[object], None]:
    return ready
