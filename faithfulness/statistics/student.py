"""Student's t distribution; scipy is loaded at the first use, because that takes half a second."""

import numpy as np
import numpy.typing as npt


def t_quantile(level: float, freedom: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """How many standard errors to each side hold this share of the distribution."""
    from scipy import special

    return np.asarray(special.stdtrit(np.asarray(freedom, np.float64), (1 + level) / 2))


def t_below(statistic: float, freedom: int) -> float:
    """The probability of a value at most this large."""
    from scipy import special

    return float(special.stdtr(freedom, statistic))
