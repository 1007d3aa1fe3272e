"""The one open store of this process, shared by all its browser sessions."""

import logging
import os
from pathlib import Path

import streamlit as st

from data.samples.first_start import fill
from data.store import Store, open_store
from faithfulness.errors import ReviewError

VARIABLE = "PLUMBLINE_STORE"
_log = logging.getLogger(__name__)
_ROOT = Path(__file__).resolve().parents[1]


def store_path() -> Path:
    """Where the store lies: as the environment says, else beside the program."""
    return Path(os.environ.get(VARIABLE) or _ROOT / "store" / "plumbline.duckdb").absolute()


# A failure is not remembered: the next page tries again, and people need not restart anything.
@st.cache_resource(show_spinner="Opening the store")
def shared_store() -> Store:
    """Open the store, on the first start with the sample in it.

    Raises:
        StoreUnavailable: it is open in another process, damaged beyond repair, or not ours.
    """
    path = store_path()
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    if is_new and not store.read_only:
        fill(store)
    return store


def open_early() -> None:
    """Open the store before the first visitor; where that fails, every page says why."""
    try:
        shared_store()
    except ReviewError as problem:
        _log.error("the store is not open: %s", problem)
