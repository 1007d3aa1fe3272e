"""Many reviewers at once, alone and beside an import and a judge: no error, nothing lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.claims import VARIABLE, read

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--labels", "20000", "--seconds", "12")


def claims_of(tmp_path, benchmark, *more):
    """The rows that a benchmark leaves, run small and to its end, and what it printed."""
    path = tmp_path / "rows.jsonl"
    told = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{benchmark}", *SMALL, *more],
        cwd=ROOT,
        env=os.environ | {VARIABLE: str(path)},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return read(path)[0], told.stdout


@pytest.mark.soak
def test_twenty_reviewers_see_no_error_and_lose_nothing(tmp_path):
    rows, printed = claims_of(tmp_path, "reviewers", "--megabytes", "3")
    # How long they wait is for `make bench` to tell: a machine that runs tests is busy.
    wrong = [row for row in rows if "p95" not in row.claim and "slowest" not in row.claim]
    assert len(wrong) == 10, rows
    assert [row for row in wrong if not row.met] == [], printed
    assert not next(row for row in wrong if "lost" in row.claim).measured.endswith("of 0")


@pytest.mark.soak
def test_a_crowd_beyond_the_promise_sees_no_error(tmp_path):
    rows, printed = claims_of(tmp_path, "crowd")
    errors = [row for row in rows if row.claim.endswith((": errors", "log"))]
    assert len(errors) == 5, rows
    assert [row for row in errors if not row.met] == [], printed
    assert not [row for row in errors if row.measured.endswith("of 0")]
