"""The one open store of this process, shared by all its browser sessions and guarded for each."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data.access.roles import Roles, roles_from_environment
from data.samples.first_start import fill_first
from data.store.opening import make_folder
from data.store.paths import store_path
from data.store.store import Store, open_store
from data.store.write_roles import Guard
from faithfulness.model.access import PROGRAM, Visitor, identity
from faithfulness.model.errors import NotSaved, ReviewError, StoreUnavailable
from faithfulness.model.full_disk import is_disk_full

TRUSTED = "PLUMBLINE_TRUSTED_NETWORK"
_log = logging.getLogger(__name__)
_when_open: list[Callable[[Store], None]] = []


def shared_store() -> Store:
    """The open store, for a visitor who may look at it.

    Raises:
        NotAllowed: people sign in here, and this visitor has not, or has no role.
        StoreUnavailable: it is open in another process, damaged beyond repair, or not ours; or
            who may sign in cannot be read.
    """
    store = one_open_store()
    store.guard.admit()
    return store


def open_early(when_open: Callable[[Store], None]) -> None:
    """Open the store before the first visitor; where that fails, every page says why.

    Args:
        when_open: told the store once it is open: now, or when a later page finds it free, since
            a command may hold it while the server starts.
    """
    _when_open[:] = [when_open]
    try:
        shared_store()
    except ReviewError as problem:
        _log.error("the store is not open: %s", problem)


def has_login() -> bool:
    """Whether people sign in: the operator's secrets have a section `auth`.

    Raises:
        StoreUnavailable: there are secrets that cannot be read; a login may be among them.
    """
    if st.secrets.load_if_toml_exists():
        return "auth" in st.secrets
    broken = [path for path in st.get_option("secrets.files") if Path(path).exists()]
    if broken:
        raise StoreUnavailable(
            f"{broken[0]} cannot be read, so it is not known who may sign in. Correct it and "
            "start Plumbline again."
        )
    return False


def why_not_serve() -> str:
    """Why the app must not start; empty when it may.

    Without a login whoever reaches it may read, sign and remove everything, so that only people of
    this machine may reach it unless the operator trusts the whole network.
    """
    address = str(st.get_option("server.address") or "every address")
    is_local = address in ("localhost", "::1") or address.startswith("127.")
    try:
        if is_local or has_login() or os.environ.get(TRUSTED) == "yes":
            return ""
    except ReviewError as problem:
        return str(problem)
    return (
        f"Plumbline is told to listen on {address}, and nobody would have to sign in. Configure a "
        "login, or let it listen on 127.0.0.1 behind a proxy that knows its visitors; "
        "docs/deploying.md says how. Where everybody on the network may read, sign and remove "
        f"everything, set {TRUSTED}=yes."
    )


# A failure is not remembered: the next page tries again, and people need not restart anything.
@st.cache_resource(show_spinner="Opening the store")
def one_open_store() -> Store:
    """Open the store, on the first start with the sample in it."""
    guard = _guard()
    path = store_path()
    make_folder(path)
    store = open_store(path, create=True)
    try:
        if not store.read_only:
            _fill_if_room(store)
        store.guard = guard
        for tell in _when_open:
            tell(store)
    except BaseException:
        # Nobody else would give the lock back, and the next try would find the store taken.
        store.close()
        raise
    return store


def _fill_if_room(store: Store) -> None:
    """An empty store opens without the sample where a full disk does not take it."""
    try:
        fill_first(store)
    except (NotSaved, OSError) as error:
        if not is_disk_full(error):
            raise
        _log.warning("the sample was not stored: %s", error)


def _guard() -> Guard:
    if not has_login():
        return Guard()
    roles = roles_from_environment()
    return Guard(lambda: _visitor(roles))


def _visitor(roles: Roles) -> Visitor | None:
    if get_script_run_ctx(suppress_warning=True) is None:
        return PROGRAM
    name = identity(st.user.to_dict()) if st.user.get("is_logged_in") else ""
    return Visitor(name=name, role=roles.of(name)) if name else None
