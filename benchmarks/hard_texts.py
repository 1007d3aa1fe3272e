"""Seconds until texts that are hard to draw can be read on the page of their item.

Usage: python -m benchmarks.hard_texts

A word of 150,000 letters, letters under hundreds of marks, text that changes its direction, text
full of letters without a width, and a response of 2,000 sentences, each in a browser at the running
app, from the address to the reader at rest.
"""

import json
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.claims import claim
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.runs import queries
from data.store.store import open_store
from tests.browser.chromium import chromium
from tests.browser.conftest import Server, ready

SECONDS, SECONDS_OF_MANY, MANY, TRIES = 3.0, 5.0, 2000, 3
CONTEXT = "The tent holds two persons. It weighs 1.9 kilograms."
TEXTS = {
    "a word of 150,000 letters": "Short. " + "a" * 150_000,
    "600 marks on each of 100 letters": "Short. " + ("a" + "\u0301" * 600) * 100,
    "text that changes direction": "It \u202eweighs\u202c 2 kg. \u2067abc\u2069 " * 400,
    "20,000 letters without a width": "It" + "\u200b" * 20_000 + " weighs 2 kg.",
    f"{MANY:,} sentences": " ".join(f"Sentence {n} says the {n}th thing." for n in range(MANY)),
}


def item(name: str, response: str) -> dict[str, object]:
    texts = {"query": "How heavy?", "context": CONTEXT, "response": response}
    fields = [{"name": key, "kind": key, "text": text} for key, text in texts.items()]
    return {"protocol": "sentence_grounding", "system": "hard", "id": name, "fields": fields}


def make(path: Path) -> dict[str, str]:
    """A store of these items, and the address of each."""
    path.parent.mkdir()
    file, into = path.parent / "hard.jsonl", path.parent / "into"
    file.write_text("\n".join(json.dumps(item(*each)) for each in TEXTS.items()))
    into.mkdir()
    prepare([(file.name, file)], into=into)
    store = open_store(path, create=True)
    (run,) = save_import(store, into, operation_id="hard")
    found = queries.run_items(store, run)
    store.close()
    return {
        str(each.external_id): f"/item?run={run}&item={each.item_id}" for each in found.itertuples()
    }


def opened(page: Page, address: str) -> float:
    began = time.perf_counter()
    page.goto(address)
    page.locator(".detail header").first.wait_for()
    ready(page)
    return time.perf_counter() - began


def main() -> None:
    with ExitStack() as until_the_end:
        folder = Path(until_the_end.enter_context(tempfile.TemporaryDirectory()))
        places = make(folder / "store" / "plumbline.duckdb")
        server = Server(folder)
        until_the_end.callback(server.stop)
        browser = chromium(until_the_end.enter_context(sync_playwright()))
        assert browser, "no Chromium: `make browser` gets one"
        until_the_end.callback(browser.close)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        opened(page, server.url + places[next(iter(places))])  # the front end is in the cache then
        for name, place in places.items():
            took = [opened(page, server.url + place) for _ in range(TRIES)]
            limit = SECONDS_OF_MANY if name.endswith("sentences") else SECONDS
            told = ", ".join(f"{each:.2f}" for each in took)
            print(f"{name}: {told} s; limit {limit} s", flush=True)
            claim(f"Item page with {name}: slowest of {TRIES}", max(took), "s", at_most=limit)


if __name__ == "__main__":
    main()
