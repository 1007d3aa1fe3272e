"""The one open store of the app: a failed start is told, and the next page may try again."""

import tempfile
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config

from data.access.shared_store import (
    TRUSTED,
    find_start_problem,
    open_early,
    open_store_once,
    shared_store,
)
from data.store.paths import VARIABLE
from data.store.store import Store, open_store
from faithfulness.model.errors import StoreUnavailable


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "store" / "plumbline.duckdb"))
    open_store_once.clear()
    yield tmp_path / "store" / "plumbline.duckdb"
    open_store_once.clear()


def test_start_that_failed_on_the_sample_does_not_keep_the_store_locked(path, monkeypatch):
    with monkeypatch.context() as without_room:
        without_room.setattr(tempfile, "tempdir", str(path / "no such folder"))
        with pytest.raises(OSError, match="sample-"):
            shared_store()
    store = shared_store()
    assert store.version() > 0
    store.close()


def test_folder_that_cannot_be_made_is_told_and_does_not_stop_the_server(path):
    path.parent.write_bytes(b"a file where the folder should be")
    told: list[Store] = []
    open_early(told.append)
    assert told == []
    with pytest.raises(StoreUnavailable, match="folder cannot be made"):
        shared_store()


def test_a_store_that_was_taken_at_the_start_is_announced_when_a_page_opens_it(path):
    shared_store().close()
    open_store_once.clear()
    command = open_store(path)
    told: list[Store] = []
    open_early(told.append)
    assert told == []
    command.close()
    store = shared_store()
    assert told == [store]
    store.close()


def test_folder_of_a_new_store_is_for_its_owner_only(path):
    shared_store().close()
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.fixture
def listening_on(monkeypatch):
    def set_address(address: str) -> None:
        config.set_option("server.address", address)

    before = config.get_option("server.address")
    monkeypatch.delenv(TRUSTED, raising=False)
    yield set_address
    config.set_option("server.address", before)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7", "desk.example", ""])
def test_without_a_login_nobody_beyond_this_machine_is_served(listening_on, monkeypatch, address):
    listening_on(address)
    assert "nobody would have to sign in" in find_start_problem()
    monkeypatch.setenv(TRUSTED, "yes")
    assert find_start_problem() == ""


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.5", "localhost", "::1"])
def test_people_of_this_machine_are_served(listening_on, address):
    listening_on(address)
    assert find_start_problem() == ""


@pytest.fixture
def secrets(tmp_path):
    path, before = tmp_path / "secrets.toml", config.get_option("secrets.files")
    config.set_option("secrets.files", [str(path)])
    yield path
    config.set_option("secrets.files", before)
    st.secrets._reset()


def test_secrets_that_cannot_be_read_keep_the_app_from_starting(listening_on, secrets):
    listening_on("0.0.0.0")
    secrets.write_text("[auth\n")
    assert "not known who may sign in" in find_start_problem()
    secrets.write_text("[auth]\nclient_id = 'x'\n")
    assert find_start_problem() == ""


def test_unreadable_secrets_do_not_keep_this_machine_from_its_error_page(listening_on, secrets):
    listening_on("127.0.0.1")
    secrets.write_text("[auth\n")
    assert find_start_problem() == ""


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_login_without_its_packages_keeps_the_app_from_starting(
    listening_on, secrets, monkeypatch, address
):
    listening_on(address)
    secrets.write_text("[auth]\nclient_id = 'x'\n")
    monkeypatch.setattr("data.access.shared_store.LOGIN_PACKAGES", ("authlib", "not_installed"))
    assert "missing: not_installed." in find_start_problem()
