"""Which Chromium drives the pages, and how it is started: for tests, pictures and benchmarks."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# The shell is the same engine without tabs and menus: a page costs two thirds of the processor.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium(playwright: Playwright) -> Browser | None:
    """The browser asked for, else the system's, else Playwright's own; None when there is none."""
    own = playwright.chromium.executable_path
    asked = os.environ.get("PLUMBLINE_CHROMIUM")
    found = (shutil.which(name) for name in NAMES)
    path = asked or next((each for each in found if each), own if Path(own).exists() else None)
    return path and playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
