"""What holds for every test."""

import functools
import sys

import pytest
from hypothesis import settings

from faithfulness.judging import request_priority
from tests.reading_here import read_here

# A busy machine is not a slow function: benchmarks claim speed, the clock of a test never does.
settings.register_profile("plumbline", deadline=None)
settings.load_profile("plumbline")


def pytest_collection_finish() -> None:
    """Look only once which components are installed: Streamlit does so for each page of a test."""
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner

        found = functools.cache(manifest_scanner.scan_component_manifests)
        manifest_scanner.scan_component_manifests = found


@pytest.fixture(autouse=True)
def _nobody_at_work_yet() -> None:
    """Pages of the tests before are not people for whom the next test's judge would go slower."""
    request_priority._asked.clear()


@pytest.fixture
def reading_here(monkeypatch: pytest.MonkeyPatch) -> None:
    read_here(monkeypatch)
