"""Costs come from a list that users edit; what is not on it is unknown."""

import pytest

from faithfulness.judging.judge import question
from faithfulness.judging.prices import (
    compute_reply_cost,
    cost,
    estimate_question,
    estimate_tokens,
    load_price_list,
)
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Reply
from faithfulness.protocols import PROTOCOLS, protocol
from tests.example_items import example_of


@pytest.fixture
def prices(tmp_path, monkeypatch):
    path = tmp_path / "prices.yaml"
    monkeypatch.setenv("PLUMBLINE_PRICES", str(path))

    def write(text: str) -> None:
        path.write_text(text, encoding="utf-8")

    return write


def test_the_list_that_comes_with_the_program_can_be_read(monkeypatch):
    monkeypatch.delenv("PLUMBLINE_PRICES", raising=False)
    listed = load_price_list()
    assert listed.as_of == "2025-06"
    assert "check your provider" in listed.source
    assert all(price.tokens_out >= price.tokens_in for price in listed.models.values())


def test_a_cost_is_tokens_times_price(prices):
    prices("as_of: 2026-11\nmodels:\n  Mine: {in: 2, out: 10}\n  free: {in: 0, out: 0}\n")
    assert cost("mine", 1_000_000, 500_000) == 7.0  # 1 M x 2 + 0.5 M x 10
    assert cost("free", 5, 5) == 0.0
    assert compute_reply_cost(Reply(text="", model="Mine", tokens_in=500, tokens_out=100)) == 0.002


@pytest.mark.parametrize("counts", [(None, 5), (5, None), (-1, 5), (5, -1)])
def test_what_is_not_known_costs_nothing_known(prices, counts):
    prices("models: {mine: {in: 2, out: 10}}")
    assert cost("mine", *counts) is None
    assert cost("another", 5, 5) is None
    assert cost("mine-2026-01-01", 5, 5) is None


def test_an_edit_counts_at_once(prices):
    prices("models: {mine: {in: 2, out: 10}}")
    assert cost("mine", 1_000_000, 0) == 2.0
    prices("models: {mine: {in: 3.5, out: 10}}")
    assert cost("mine", 1_000_000, 0) == 3.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: [", "prices.yaml line 1"),
        ("- a", "no table under the key models"),
        ("models: {mine: 5}", "price of mine"),
        ("models: {mine: {in: -1, out: 1}}", "price of mine"),
        ("models: {mine: {in: .nan, out: 1}}", "price of mine"),
        ("models: {mine: {in: nan, out: 1}}", "price of mine"),
        ("models: {mine: {in: inf, out: 1}}", "price of mine"),
        ("models: {mine: {in: 1}}", "price of mine"),
    ],
)
def test_a_broken_list_is_named_and_not_guessed(prices, text, said):
    prices(text)
    with pytest.raises(ReviewError, match=said):
        cost("mine", 1, 1)


def test_a_list_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_PRICES", "/nowhere/prices.yaml")
    with pytest.raises(ReviewError, match="Correct PLUMBLINE_PRICES"):
        cost("mine", 1, 1)


def test_an_estimate_grows_with_the_text_and_its_script():
    english = "The kettle holds a litre and a half of water. " * 20
    assert 180 <= estimate_tokens(english) <= 280  # about 11 tokens a sentence
    assert estimate_tokens("") == 0
    assert estimate_tokens("水" * 300) > estimate_tokens("w" * 300)


@pytest.mark.parametrize("key", PROTOCOLS)
def test_a_question_is_estimated_before_it_is_paid(key):
    item, _, reply = example_of(protocol(key))
    told = question(protocol(key), item)
    read, written = estimate_question(told)
    assert read > estimate_tokens(told.message)
    assert written >= estimate_tokens(reply) / 2
