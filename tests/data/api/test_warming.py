"""A large store is asked before its first visitor; a small one is left alone."""

import pytest

from data.api import warming
from data.contradictions.contradictions import all_cases
from data.distributions.counts import labels
from data.runs.queries import runs
from data.store.store import Store
from data.triage.disagreements import all_disagreements
from faithfulness.judging.request_priority import serving
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft


def filled(store):
    values = {ADA: ("supported",) * 3, BEN: ("contradictory",) * 3, NORTH: ("supported",) * 3}
    save_drafts(store, [sentence_draft(number, values) for number in (1, 2)])


def asked_by(store, monkeypatch, *questions):
    """The engine's cursors that these take."""
    read, taken = Store.read, []
    with monkeypatch.context() as watching:
        watching.setattr(
            Store, "read", lambda *asked, **more: (taken.append(1), read(*asked, **more))[1]
        )
        for ask in questions:
            ask(store)
    return len(taken)


def test_what_pages_need_first_of_a_large_store_is_at_hand(store, monkeypatch, caplog):
    filled(store)
    monkeypatch.setattr(warming, "LARGE", 1)
    caplog.set_level("INFO", "data.api.warming")
    warming.warm(store).join(20)
    assert "at hand" in caplog.text
    several = (runs, all_disagreements, all_cases, lambda asked: labels(asked, "label"))
    assert asked_by(store, monkeypatch, *several) == 0


def test_of_a_small_store_nothing_is_asked(store, monkeypatch):
    filled(store)
    warming.warm(store).join(20)
    assert asked_by(store, monkeypatch, runs, all_disagreements, all_cases) > 2


def test_people_who_are_served_go_first(store, monkeypatch):
    filled(store)
    monkeypatch.setattr(warming, "LARGE", 1)
    with serving():
        asking = warming.warm(store)
        asking.join(0.5)
        assert asking.is_alive()
    asking.join(20)
    assert not asking.is_alive()


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_store_that_is_closed_meanwhile_ends_it_quietly(store, monkeypatch, caplog):
    filled(store)
    monkeypatch.setattr(warming, "LARGE", 1)
    caplog.set_level("INFO", "data.api.warming")
    with serving():
        asking = warming.warm(store)
        store.close()
    asking.join(20)
    assert not asking.is_alive()
    assert "at hand" not in caplog.text
