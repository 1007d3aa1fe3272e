"""Where the store lies unless somebody says otherwise."""

import os
from pathlib import Path

VARIABLE = "PLUMBLINE_STORE"
_ROOT = Path(__file__).resolve().parents[2]


def store_path() -> Path:
    """As the environment says, else beside the program."""
    return Path(os.environ.get(VARIABLE) or _ROOT / "store" / "plumbline.duckdb").absolute()
