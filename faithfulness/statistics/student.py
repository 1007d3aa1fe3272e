"""Student's t distribution by Hill's expansion; avoids importing scipy (half a second).

G. W. Hill's expansion (Communications of the ACM 13, 1970, algorithm 395) converts a value of t to
the value of the normal distribution with the same probability, and back. Quantiles at 95 % are
accurate to 4 parts in a thousand at 2 degrees of freedom, to 2 in a hundred thousand at 4, and to
ten digits from 20 on. Degrees of freedom may be fractional; infinity is the normal distribution.
"""

import math
from statistics import NormalDist
from typing import TypeVar

import numpy as np
import numpy.typing as npt

FEWEST_DEGREES = 2.0  # below, the expansion is of no use
MOST_DEGREES = 1e9  # from here on t is normal to every digit

Numbers = npt.NDArray[np.float64]
Value = TypeVar("Value", float, Numbers)

_NORMAL = NormalDist()
_ROUNDS = 15  # of the inverse; each gives half a digit or more


def t_quantile(level: float, freedom: float) -> float:
    """How many standard errors to each side hold this share of the distribution."""
    degrees = min(max(freedom, FEWEST_DEGREES), MOST_DEGREES)
    reached = _NORMAL.inv_cdf((1 + level) / 2)
    root = reached
    for _ in range(_ROUNDS):
        root = reached - _compute_correction(root, degrees)
    return math.sqrt(degrees * math.expm1(root**2 / (degrees - 0.5)))


def t_quantiles(level: float, freedom: Numbers) -> Numbers:
    """As `t_quantile`, for many degrees of freedom."""
    degrees = np.clip(freedom, FEWEST_DEGREES, MOST_DEGREES)
    reached = _NORMAL.inv_cdf((1 + level) / 2)
    root = np.full(degrees.shape, reached)
    for _ in range(_ROUNDS):
        root = reached - _compute_correction(root, degrees)
    return np.asarray(np.sqrt(degrees * np.expm1(root**2 / (degrees - 0.5))))


def t_below(statistic: float, freedom: float) -> float:
    """The probability of a value at most this large."""
    degrees = min(max(freedom, FEWEST_DEGREES), MOST_DEGREES)
    root = math.sqrt((degrees - 0.5) * math.log1p(statistic**2 / degrees))
    return _NORMAL.cdf(math.copysign(root + _compute_correction(root, degrees), statistic))


def _compute_correction(root: Value, degrees: Value) -> Value:
    """What brings the first approximation to the normal value."""
    scale, square = 48 * (degrees - 0.5) ** 2, root**2
    second = ((4 * square + 33) * square + 240) * square + 855
    bounded = 10 * scale * (scale + 0.8 * square**2 + 100)
    return root * ((square + 3) / scale - second / bounded)
