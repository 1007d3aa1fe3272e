"""The one open store of this process, shared by all its browser sessions."""

import logging

import streamlit as st

from data.opening import make_folder
from data.place import store_path
from data.samples.first_start import fill_first
from data.store import Store, open_store
from faithfulness.errors import ReviewError

_log = logging.getLogger(__name__)


# A failure is not remembered: the next page tries again, and people need not restart anything.
@st.cache_resource(show_spinner="Opening the store")
def shared_store() -> Store:
    """Open the store, on the first start with the sample in it.

    Raises:
        StoreUnavailable: it is open in another process, damaged beyond repair, or not ours.
    """
    path = store_path()
    make_folder(path)
    store = open_store(path, create=True)
    try:
        if not store.read_only:
            fill_first(store)
    except BaseException:
        # Nobody else would give the lock back, and the next try would find the store taken.
        store.close()
        raise
    return store


def open_early() -> Store | None:
    """Open the store before the first visitor; where that fails, every page says why."""
    try:
        return shared_store()
    except ReviewError as problem:
        _log.error("the store is not open: %s", problem)
        return None
