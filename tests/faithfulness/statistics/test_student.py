"""Student's t meets the printed tables and scipy."""

import numpy as np
import pytest
from scipy import special

from faithfulness.statistics.student import t_below, t_quantile, t_quantiles


def test_quantiles_of_the_printed_table():
    found = t_quantiles(0.95, np.array([10, 30, 1e9]))
    assert found.round(3).tolist() == [2.228, 2.042, 1.96]
    assert round(t_quantile(0.90, 5), 3) == 2.015


@pytest.mark.parametrize(
    ("freedom", "within"),
    [(2, 4e-3), (2.5, 1e-3), (4, 2e-5), (7.3, 1e-6), (19, 1e-9), (1e5, 1e-12)],
)
def test_quantiles_are_as_near_as_the_module_says(freedom, within):
    expected = special.stdtrit(freedom, 0.975)
    assert t_quantile(0.95, freedom) == pytest.approx(expected, rel=within)
    assert t_quantiles(0.95, np.array([freedom]))[0] == pytest.approx(expected, rel=within)
    assert t_below(-expected, freedom) == pytest.approx(0.025, rel=5 * within + 1e-9)


def test_probabilities_turn_quantiles_back():
    assert t_below(0, 7) == pytest.approx(0.5)
    assert t_below(t_quantile(0.95, 7), 7) == pytest.approx(0.975)
    assert t_below(-t_quantile(0.95, 7), 7) == pytest.approx(0.025)


def test_fewer_degrees_than_two_are_taken_as_two():
    assert t_quantile(0.95, 0.5) == t_quantile(0.95, 2)
