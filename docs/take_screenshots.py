"""Takes the pictures in docs/screenshots of every page, in light and dark, from the sample."""

import os
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

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright  # noqa: E402

from data.meetings.agendas import agenda_from  # noqa: E402
from data.meetings.save_meetings import begin_meeting  # noqa: E402
from data.runs import queries  # noqa: E402
from data.samples.first_start import fill  # noqa: E402
from data.store.store import Store, open_store  # noqa: E402
from faithfulness.model.selection import Selection  # noqa: E402
from tests.browser.chromium import chromium  # noqa: E402
from tests.oidc_provider import OidcProvider, secrets_for  # noqa: E402

INTO = ROOT / "docs" / "screenshots"
TABLE = (
    "id,query,context,response,accuracy_ana,accuracy_ben,ethics_ana\n"
    'q1,"How long is the trail?","The trail is 12 km long.","It is 12 km long.",5,4,5\n'
    'q2,"Is it steep?","It climbs 900 m.","It climbs 300 m in all.",2,2,5\n'
    'q3,"May dogs come?","Dogs must be on a lead.","Dogs are welcome, on a lead.",5,5,4\n'
)


# The item whose picture teaches most under each protocol: run's system, item's name.
READ = {
    "item": ("sentence_grounding", "shop-assistant-a", "kettle"),
    "item-claims": ("claim_overlap", "paper-reader-1", "lantern-bridge"),
    "item-summary": ("comparative_summary", "shop-assistant-b", "office-chair"),
    "item-consistency": ("response_consistency", "shop-assistant-a", "kettle"),
    "item-rubric": ("expert_rubric", "paper-reader-1", "bees"),
}
WIDTHS = {"": (1440, 900), "-1024": (1024, 768)}


def addresses_of_items(path: Path) -> dict[str, str]:
    """Where the items to show are, in a store with the sample that is made for the pictures."""
    store = open_store(path, create=True)
    fill(store)
    runs = queries.runs(store)
    found = {}
    for name, (protocol, system, item) in READ.items():
        of_run = runs[(runs["protocol"] == protocol) & (runs["system"] == system)]
        run = str(of_run["run_id"].iloc[0])
        items = queries.run_items(store, run).set_index("external_id")
        found[name] = f"/item?run={run}&item={items.loc[item, 'item_id']}"
    found["meeting"] = f"/meeting?meeting={meeting_about_the_worst(store)}"
    store.close()
    return found


def meeting_about_the_worst(store: Store) -> str:
    agenda = agenda_from(store, Selection(protocol="sentence_grounding"), first=5)
    told = {"title": "Week 47", "present": ["Nora", "Felix"]}
    return begin_meeting(store, host="Ines", agenda=agenda, operation_id="pictures", **told)


@contextmanager
def served(folder: Path, provider: OidcProvider | None = None) -> Iterator[str]:
    """The app on the folder's store; with a provider people have to sign in."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    if provider:
        (folder / ".streamlit").mkdir()
        (folder / ".streamlit" / "secrets.toml").write_text(secrets_for(provider, url))
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    process = subprocess.Popen(
        [*command, f"--server.port={port}", "--server.headless=true"],
        env=os.environ | {"PLUMBLINE_STORE": str(folder / "plumbline.duckdb")},
        cwd=folder,  # where the operator's secrets are looked for
        stdout=subprocess.DEVNULL,
    )
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


def shown_at(items: dict[str, str], theme: str, width: str) -> dict[str, str]:
    """The pages to show; a narrow window shows what is read, dark leaves out other protocols."""
    read = {
        "item": items["item"],
        "contradictions": "/contradictions",
        "contradictions-checks": "/contradictions?list=found_by_check&protocol=comparative_summary",
    }
    if width:
        return read
    others = {"home": "/", "protocols": "/protocols", "import": "/import_runs"} | {
        name: f"/{name}?protocol=sentence_grounding"
        for name in ("agreement", "distributions", "compare", "disagreements")
    }
    others |= {
        "rerun": items["item"].replace("/item", "/rerun", 1),
        "rate": "/rate?protocol=sentence_grounding",
        "judge_run": "/judge_run",
        "meetings": "/meetings?view=new&protocol=sentence_grounding",
        "meeting": items["meeting"],
        "audit": "/audit",
        "statistics": "/statistics",
        "try_prompt": "/try_prompt?protocol=sentence_grounding",
    }
    return read | others if theme == "dark" else items | read | others


def say_who_rates(page: Page) -> None:
    page.get_by_placeholder("Your name").fill("Ines")
    page.get_by_role("button", name="Start rating").click()
    expect(page.get_by_text("1 of", exact=False).first).to_be_visible(timeout=30_000)


def window(browser: Browser, theme: str, width: str) -> BrowserContext:
    across, down = WIDTHS[width]
    return browser.new_context(
        viewport={"width": across, "height": down},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )


def shoot(browser: Browser, url: str, items: dict[str, str], theme: str, width: str) -> None:
    context = window(browser, theme, width)
    page = context.new_page()
    for name, path in shown_at(items, theme, width).items():
        page.goto(url + path)
        at_rest(page)
        if name == "import":
            preview(page)
            at_rest(page)
        if name == "rate":
            say_who_rates(page)
            at_rest(page)
        if name == "item":
            page.locator(".unit[data-color=red]").first.click()
            page.wait_for_timeout(1_500)  # the passage has flashed
        if name.startswith("contradictions"):
            expect(page.locator("article").first).to_be_visible(timeout=30_000)
        page.screenshot(path=INTO / f"{name}-{theme}{width}.png")
    context.close()


def shoot_the_door(browser: Browser, folder: Path) -> None:
    """What visitors see before they have signed in."""
    provider = OidcProvider({"ada": {"email": "ada@desk.example", "email_verified": True}})
    with served(folder, provider) as url:
        for theme in ("light", "dark"):
            context = window(browser, theme, "")
            page = context.new_page()
            page.goto(url)
            expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=30_000)
            at_rest(page)
            page.screenshot(path=INTO / f"sign_in-{theme}.png")
            context.close()
    provider.close()


def main() -> int:
    INTO.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        items = addresses_of_items(Path(folder) / "plumbline.duckdb")
        browser = chromium(playwright)
        assert browser, "no Chromium: `make browser` gets one"
        with served(Path(folder)) as url:
            for theme in ("light", "dark"):
                for width in WIDTHS:
                    shoot(browser, url, items, theme, width)
        shoot_the_door(browser, Path(folder))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
