"""Student's t meets the printed tables."""

import pytest

from faithfulness.statistics.student import t_below, t_quantile


def test_quantiles_of_the_printed_table():
    assert t_quantile(0.95, [10, 30, 1e9]).round(3).tolist() == [2.228, 2.042, 1.96]
    assert round(float(t_quantile(0.90, 5)), 3) == 2.015


def test_probabilities_turn_quantiles_back():
    assert t_below(0, 7) == pytest.approx(0.5)
    assert t_below(float(t_quantile(0.95, 7)), 7) == pytest.approx(0.975)
    assert t_below(-float(t_quantile(0.95, 7)), 7) == pytest.approx(0.025)
