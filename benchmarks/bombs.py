"""Files made to choke a reader, uploaded while other people read: how long each of them waits.

Usage: python -m benchmarks.bombs

A person uploads one bomb after another in a browser and asks for the preview; three others look at
pages over the WebSocket all the while. What is told is how long until the bomb is refused, and the
slowest page of the others between the upload and the refusal.
"""

import re
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.claims import claim
from benchmarks.reviewers import Person, make
from tests.attacks.test_import_memory import BOMBS
from tests.browser.chromium import chromium
from tests.browser.conftest import Server, ready

LABELS, OTHERS, REFUSED, MEANWHILE = 20_000, 3, 10.0, 2.0  # labels, people, seconds, seconds
UPLOADED = ("dictionary.parquet", "plain.parquet", "aliases.yaml", "deep.jsonl", "keys.jsonl")


def read_on(person: Person, is_over: threading.Event) -> None:
    while not is_over.is_set():
        person.act(saves=False)
        time.sleep(0.3)


def refused(page: Page, url: str, name: str, raw: bytes) -> float:
    """Seconds from asking for the preview of a file to the words that refuse it."""
    page.goto(f"{url}/import_runs")
    ready(page)
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": raw}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([file])
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(re.compile("upload="))
    preview = page.get_by_role("button", name="Preview")
    alert = page.get_by_role("alert").filter(has_text=name)
    expect(preview.or_(alert).first).to_be_visible()
    ready(page)
    began = time.perf_counter()
    if preview.is_enabled():
        preview.click()
    expect(alert.first).to_be_visible()
    return time.perf_counter() - began


def main() -> None:
    with ExitStack() as until_the_end:
        folder = Path(until_the_end.enter_context(tempfile.TemporaryDirectory()))
        place = make(folder / "store" / "plumbline.duckdb", LABELS, None)
        server = Server(folder)
        until_the_end.callback(server.stop)
        browser = chromium(until_the_end.enter_context(sync_playwright()))
        assert browser, "no Chromium: `make browser` gets one"
        until_the_end.callback(browser.close)
        expect.set_options(timeout=60_000)
        page = browser.new_page()
        page.set_default_timeout(60_000)
        others = [Person(server.url, nth, place) for nth in range(OTHERS)]
        for each in others:
            each.open_home()
            each.took = []
        is_over, took = threading.Event(), {}
        reading = [threading.Thread(target=read_on, args=(each, is_over)) for each in others]
        for each in reading:
            each.start()
        try:
            for name in UPLOADED:
                took[name] = refused(page, server.url, name, BOMBS[name]())
                print(f"{name}: refused in {took[name]:.1f} s", flush=True)
        finally:
            is_over.set()
            for each in reading:
                each.join()
        seconds = [each.seconds for person in others for each in person.took]
        problems = [each for person in others for each in person.problems()]
        print(f"others: n {len(seconds)}, slowest {max(seconds):.2f} s, {len(problems)} errors")
        print(*problems[:5], sep="\n  ")
        claim(f"{len(took)} bombs: slowest to be refused", max(took.values()), "s", at_most=REFUSED)
        claim("Bombs: slowest page of others meanwhile", max(seconds), "s", at_most=MEANWHILE)
        claim("Bombs: errors of others", len(problems), f"of {len(seconds)}", at_most=0)


if __name__ == "__main__":
    main()
