"""What the tests of this room share: an empty store of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.store import Store
from tests.made_stores import new_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store; a file that wants more in it, or it for longer, makes its own."""
    opened = new_store(tmp_path / "s.duckdb")
    yield opened
    opened.close()
