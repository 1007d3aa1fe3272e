"""Pages opened in a test: the script alone, at an address, on the store that all pages share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.access.shared_store import open_store_once, shared_store
from data.store.paths import VARIABLE
from data.store.store import Store
from tests.shared_data import ROOT


def opened_page(
    name: str,
    address: Mapping[str, str | list[str]] | None = None,
    *,
    state: Mapping[str, object] | None = None,
) -> AppTest:
    """A page that has run once, with these parameters in its address and this in its session."""
    test = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=60)
    for key, value in (address or {}).items():
        test.query_params[key] = value
    for key, value in (state or {}).items():
        test.session_state[key] = value
    return test.run()


@contextmanager
def store_of_pages(path: Path) -> Iterator[Store]:
    """The store at this path, open as the one that pages ask for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(path))
        open_store_once.clear()
        store = shared_store()
        try:
            yield store
        finally:
            store.close()
            open_store_once.clear()
