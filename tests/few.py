"""Which cases of a test run every time, and which are left to `make soak`."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], kept: int) -> list[Any]:
    """The first so many cases as they are, the others marked as soak."""
    listed = list(cases)
    later = [pytest.param(each, marks=pytest.mark.soak) for each in listed[kept:]]
    return [*listed[:kept], *later]
