"""The open store of this process, shared by all browser sessions, with access checks and roles."""

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import streamlit as st
import yaml
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data.samples.first_start import fill_first
from data.store.opening import make_folder
from data.store.paths import store_path
from data.store.store import Store, open_store
from data.store.write_roles import Guard
from faithfulness.model.access import PROGRAM, Role, Visitor, get_identity
from faithfulness.model.errors import NotSaved, ReviewError, StoreUnavailable
from faithfulness.model.full_disk import is_disk_full
from faithfulness.model.names import fold_name

VARIABLE = "PLUMBLINE_ROLES"
NOBODY = "none"  # as `everybody`: whoever is not listed may not even read
_ROLES = {role.title: role for role in Role}


@dataclass(frozen=True, kw_only=True, slots=True)
class Roles:
    """Roles by name; `everybody` is the role of those who sign in and are not listed."""

    by_name: Mapping[str, Role] = field(default_factory=dict)
    everybody: Role | None = Role.READER

    def of(self, name: str) -> Role | None:
        return self.by_name.get(name, self.everybody)


def load_roles() -> Roles:
    """As the file says; without a file everybody who signs in may read, and nobody may write.

    Raises:
        StoreUnavailable: the file is missing or says something that is no role.
    """
    named = os.environ.get(VARIABLE)
    return read_roles(Path(named)) if named else Roles()


def read_roles(path: Path) -> Roles:
    """Read a file of roles: `everybody`, and under each role the names that have it."""
    try:
        said = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise _build_refusal(path, f"it cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _build_refusal(path, f"it is not YAML ({str(error).splitlines()[0]})") from error
    if not isinstance(said, dict):
        raise _build_refusal(path, "it holds no mapping of roles to names")
    unknown = [key for key in said if key not in _ROLES and key != "everybody"]
    if unknown:
        raise _build_refusal(path, f"there is no role {unknown[0]!r}")
    return Roles(by_name=_parse_names(path, said), everybody=_parse_everybody(path, said))


def _parse_names(path: Path, said: Mapping[str, Any]) -> dict[str, Role]:
    found: dict[str, Role] = {}
    for title, role in _ROLES.items():
        names = said.get(title) or []
        if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
            raise _build_refusal(path, f"{title} is not a list of names")
        for name in names:
            key = fold_name(name.lower() if "@" in name else name)
            if found.setdefault(key, role) is not role:
                raise _build_refusal(path, f"{key} has the roles {found[key].title} and {title}")
    return found


def _parse_everybody(path: Path, said: Mapping[str, Any]) -> Role | None:
    title = said.get("everybody", Role.READER.title)
    if title == NOBODY:
        return None
    if title not in _ROLES:
        raise _build_refusal(path, f"everybody is {title!r}, which is no role")
    return _ROLES[title]


def _build_refusal(path: Path, why: str) -> StoreUnavailable:
    titles = ", ".join(_ROLES)
    return StoreUnavailable(
        f"The file of roles {path} cannot be used: {why}. It lists names under {titles}; "
        f"everybody is one of these or {NOBODY}. Correct it and load the page again."
    )


TRUSTED = "PLUMBLINE_TRUSTED_NETWORK"
# What Streamlit imports for its login; requirements-login.txt pins both.
LOGIN_PACKAGES = ("authlib", "httpx")
_log = logging.getLogger(__name__)
_when_open: list[Callable[[Store], None]] = []


def shared_store() -> Store:
    """The open store, for a visitor who may look at it.

    Raises:
        NotAllowed: people sign in here, and this visitor has not, or has no role.
        StoreUnavailable: it is open in another process, damaged beyond repair, or not ours; or
            who may sign in cannot be read.
    """
    store = open_store_once()
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


def find_start_problem() -> str:
    """Why the app must not start; empty when it may.

    Without a login whoever reaches it may read, sign and remove everything, so that only people of
    this machine may reach it unless the operator trusts the whole network.
    """
    address = str(st.get_option("server.address") or "every address")
    is_local = address in ("localhost", "::1") or address.startswith("127.")
    try:
        if has_login():
            return _describe_missing_packages()
    except ReviewError as problem:
        return "" if is_local else str(problem)
    if is_local or os.environ.get(TRUSTED) == "yes":
        return ""
    return (
        f"Plumbline is told to listen on {address}, and nobody would have to sign in. Configure a "
        "login, or let it listen on 127.0.0.1 behind a proxy that knows its visitors; "
        "docs/deploying.md says how. Where everybody on the network may read, sign and remove "
        f"everything, set {TRUSTED}=yes."
    )


def _describe_missing_packages() -> str:
    """Return a message if packages that Streamlit's login imports are missing, else ""."""
    missing = [name for name in LOGIN_PACKAGES if find_spec(name) is None]
    if not missing:
        return ""
    return (
        f"A login is configured, but packages for it are missing: {', '.join(missing)}. "
        "Install requirements-login.txt and start Plumbline again."
    )


# A failure is not remembered: the next page tries again, and people need not restart anything.
@st.cache_resource(show_spinner="Opening the store")
def open_store_once() -> Store:
    """Open the store, on the first start with the sample in it."""
    guard = _build_guard()
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


def _build_guard() -> Guard:
    if not has_login():
        return Guard()
    roles = load_roles()
    return Guard(lambda: _identify_visitor(roles))


def _identify_visitor(roles: Roles) -> Visitor | None:
    if get_script_run_ctx(suppress_warning=True) is None:
        return PROGRAM
    name = get_identity(st.user.to_dict()) if st.user.get("is_logged_in") else ""
    return Visitor(name=name, role=roles.of(name)) if name else None
