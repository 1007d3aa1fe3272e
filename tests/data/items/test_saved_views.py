"""Saved views: an address under a name, changed and removed by appending."""

import pytest

from data.items.saved_views import load_saved_views, remove_view, save_view
from data.store.store import open_store
from faithfulness.model.errors import ReviewError


def save(store, name, address="clash=number", operation="one"):
    save_view(store, name=name, page="contradictions", address=address, operation_id=operation)


def test_a_view_is_listed_by_name_until_it_is_removed(store):
    assert load_saved_views(store).empty
    save(store, "Prices")
    save(store, " a  <b>hostile</b> name ", operation="two")
    assert list(load_saved_views(store)["name"]) == ["a <b>hostile</b> name", "Prices"]
    remove_view(store, name="Prices", operation_id="three")
    assert list(load_saved_views(store)["name"]) == ["a <b>hostile</b> name"]
    with store.read() as cursor:
        assert cursor.execute("select count(*) from saved_views").fetchall() == [(3,)]


def test_a_name_that_is_taken_means_the_new_address(store):
    save(store, "Prices")
    save(store, "Prices", "clash=unit", "two")
    assert list(load_saved_views(store)["address"]) == ["clash=unit"]
    remove_view(store, name="Prices", operation_id="three")
    save(store, "Prices", "clash=negation", "four")
    assert list(load_saved_views(store)["address"]) == ["clash=negation"]


def test_a_double_click_saves_once(store):
    save(store, "Prices")
    save(store, "Prices")
    with store.read() as cursor:
        assert cursor.execute("select count(*) from saved_views").fetchall() == [(1,)]


def test_a_view_survives_closing(store, tmp_path):
    save(store, "Prices")
    store.close()
    again = open_store(tmp_path / "s.duckdb")
    assert list(load_saved_views(again)["name"]) == ["Prices"]
    again.close()


@pytest.mark.parametrize("name", ["", "  ", "x" * 81])
def test_a_bad_name_is_told(store, name):
    with pytest.raises(ReviewError, match="name"):
        save(store, name)
    assert load_saved_views(store).empty


def test_removing_what_is_not_there_is_told(store):
    with pytest.raises(ReviewError, match="no view"):
        remove_view(store, name="Prices", operation_id="one")
