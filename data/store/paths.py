"""Path of the store: the value of PLUMBLINE_STORE, or a default next to the program."""

import os
from pathlib import Path

VARIABLE = "PLUMBLINE_STORE"
_ROOT = Path(__file__).resolve().parents[2]


def store_path() -> Path:
    """As the environment says, else beside the program."""
    return Path(os.environ.get(VARIABLE) or _ROOT / "store" / "plumbline.duckdb").absolute()
