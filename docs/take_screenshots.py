"""Takes the pictures in docs/screenshots of every page, in light and dark, from the sample."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from data import queries  # noqa: E402
from data.samples.first_start import fill  # noqa: E402
from data.store import open_store  # noqa: E402
from faithfulness.selection import Selection  # noqa: E402

INTO = ROOT / "docs" / "screenshots"
TABLE = (
    "id,query,context,response,accuracy_ana,accuracy_ben,ethics_ana\n"
    'q1,"How long is the trail?","The trail is 12 km long.","It is 12 km long.",5,4,5\n'
    'q2,"Is it steep?","It climbs 900 m.","It climbs 300 m in all.",2,2,5\n'
    'q3,"May dogs come?","Dogs must be on a lead.","Dogs are welcome, on a lead.",5,5,4\n'
)


def address_of_an_item(path: Path) -> str:
    """An item with contradictions, in a store with the sample that is made for the pictures."""
    store = open_store(path, create=True)
    fill(store)
    runs = queries.runs(store)
    run = str(runs[runs["protocol"] == "sentence_grounding"]["run_id"].iloc[-1])
    items = queries.run_items(store, run, Selection(labels=("contradictory",)))
    store.close()
    best = items.sort_values("answers", ascending=False, kind="stable").iloc[0]
    return f"/item?run={run}&item={best['item_id']}"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    process = subprocess.Popen(
        [*command, f"--server.port={port}", "--server.headless=true"],
        env=os.environ | {"PLUMBLINE_STORE": str(folder / "plumbline.duckdb")},
        stdout=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{url}/_stcore/health")
        yield url
    finally:
        process.terminate()
        process.wait(20)


def wait_for(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except (URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(url)


def at_rest(page: Page) -> None:
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)
    expect(page.locator('[data-stale="true"]')).to_have_count(0)
    page.wait_for_timeout(600)  # fonts, and the last frame of a fade


def preview(page: Page) -> None:
    """Bring a small table as far as its preview."""
    file = {"name": "trail-answers.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([file])
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("button", name="Store")).to_be_visible(timeout=60_000)


def shoot(browser: Browser, url: str, item: str, theme: str) -> None:
    context = browser.new_context(
        viewport={"width": 1440, "height": 900},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    for name, path in (
        ("home", "/"),
        ("item", item),
        ("protocols", "/protocols"),
        ("import", "/import_runs"),
    ):
        page.goto(url + path)
        at_rest(page)
        if name == "import":
            preview(page)
            at_rest(page)
        if name == "item":
            page.locator(".unit[data-color=red]").first.click()
            at_rest(page)
        page.screenshot(path=INTO / f"{name}-{theme}.png")
    context.close()


def main() -> int:
    INTO.mkdir(parents=True, exist_ok=True)
    path = os.environ.get("PLUMBLINE_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        item = address_of_an_item(Path(folder) / "plumbline.duckdb")
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        with served(Path(folder)) as url:
            for theme in ("light", "dark"):
                shoot(browser, url, item, theme)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
