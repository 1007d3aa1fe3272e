"""What the tests of this room share: an empty store of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.store.store import Store
from tests.made_stores import new_store
from tests.reading_here import read_here

IN_A_PROCESS = {"test_prepare"}  # the reader's own process is what these are about


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store; a file that wants more in it, or it for longer, makes its own."""
    opened = new_store(tmp_path / "s.duckdb")
    yield opened
    opened.close()


@pytest.fixture(scope="module", autouse=True)
def _read_here(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        if request.path.stem not in IN_A_PROCESS:
            read_here(patched)
        yield
