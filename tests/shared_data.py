"""Where the public data sets lie that some tests check against; such tests skip without them."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the folder ../shared/data with the public data sets is not here"
)
