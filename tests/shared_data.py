"""Where the public test data lies that some tests check against; such tests skip without it."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
_FOLDER = Path(os.environ.get("PLUMBLINE_TEST_DATA") or ROOT.parent / "shared")
SHARED = _FOLDER / "data"
SOURCES = _FOLDER / "sources"
NO_DATA = f"the public data sets are not in {SHARED}; PLUMBLINE_TEST_DATA names another place"
NO_SOURCES = f"the published rules are not in {SOURCES}; PLUMBLINE_TEST_DATA names another place"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=NO_DATA)
needs_sources = pytest.mark.skipif(not SOURCES.is_dir(), reason=NO_SOURCES)
