"""Runs every benchmark and makes one table of all claims; writes docs/benchmarks.md.

Usage: python -m benchmarks.table [NAME ...] [--out FILE]

With names only those are run, and the table is printed but not written unless --out says where. A
claim that is not met is told in the table; only a benchmark that breaks makes this command fail.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.claims import VARIABLE, Point, Row, read
from benchmarks.growth_chart import growth_chart
from benchmarks.offline_sets import DATA

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "benchmarks.md"
CHART = DOCUMENT.with_name("benchmarks_growth.svg")
# In the order of the table: what a text costs, what a page costs, numbers, judges, people.
BENCHMARKS = (
    *("text_speed", "clash_speed", "check_speed", "import_speed", "reader_paint"),
    "hard_texts",
    *("home_page", "contradictions_page", "distributions_page", "compare_page", "policy_speed"),
    *("agreement_page", "agreement_speed", "agreement_vs_libraries", "several_raters"),
    *("interval_coverage", "triage_speed", "rating_saves", "growth"),
    *("judge_throughput", "offline_speed", "offline_quality", "check_quality"),
    *("injection_recall", "bombs", "reviewers", "crowd"),
)
PACKAGES = {"agreement_vs_libraries": ("sklearn", "krippendorff")}
PUBLIC_SETS = ("offline_quality",)
PRODUCTS = ("streamlit", "duckdb", "pandas", "pyarrow", "numpy", "scipy", "rapidfuzz", "openai")
LONGEST = 3600  # seconds for one benchmark; none takes a quarter of it on two free cores


class Result(NamedTuple):
    """What one benchmark left."""

    name: str
    rows: list[Row]
    points: list[Point]
    minutes: float
    is_broken: bool = False


def why_not(name: str) -> str:
    """Why a benchmark cannot run here; empty when it can."""
    missing = [each for each in PACKAGES.get(name, ()) if not importlib.util.find_spec(each)]
    if missing:
        return f"needs benchmarks/requirements.txt ({', '.join(missing)} not installed)"
    if name in PUBLIC_SETS and not DATA.is_dir():
        return "needs the folder of public sets, which is not here"
    return ""


def run(name: str) -> Result:
    if reason := why_not(name):
        return Result(name, [Row("all of it", "not measured", reason, None)], [], 0)
    print(f"\n== {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path, began = Path(folder) / "rows.jsonl", time.monotonic()
        command = [sys.executable, "-m", f"benchmarks.{name}"]
        try:
            code = subprocess.run(
                command, env=os.environ | {VARIABLE: str(path)}, timeout=LONGEST, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            code = -1
        rows, points = read(path)
    if code:
        rows.append(Row("to run to its end", "broke off", "—", False))
    elif not rows and not points:
        rows.append(Row("no limit is promised", "printed only", "—", None))
    return Result(name, rows, points, (time.monotonic() - began) / 60, code != 0)


def machine() -> str:
    """The size of this machine in words; nothing that tells which one it is."""
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    named = {1: "one core", 2: "two cores", 4: "four cores", 8: "eight cores"}
    return f"{named.get(cores, f'{cores} cores')} and {memory:.0f} GB of memory"


def document(results: list[Result], load: float) -> str:
    products = ", ".join(f"{each} {version(each)}" for each in PRODUCTS)
    python = ".".join(map(str, sys.version_info[:3]))
    told = [row.met for each in results for row in each.rows if row.met is not None]
    parts = [
        "# Benchmarks",
        "",
        "Made by `make bench`; edited by nobody. Every figure is from one run on one machine, and",
        "ratios to a peer were measured side by side in that run. A limit that is missed is shown.",
        "",
        f"{datetime.now(UTC):%d %B %Y}, a machine with {machine()}; its load when the run began "
        f"was {load:.1f}.",
        f"Python {python}, {products}.",
        "",
        f"**{sum(told)} of {len(told)} claims with a limit are met.**",
        "",
        "| Benchmark | Claim | Measured | Limit or peer | Met |",
        "|---|---|---|---|---|",
    ]
    for each in results:
        for row in each.rows:
            met = {True: "yes", False: "**no**", None: "—"}[row.met]
            cells = (f"`{each.name}`", row.claim, row.measured, row.against, met)
            parts.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    points = [point for each in results for point in each.points]
    if points:
        parts += ["", *growth(points)]
    return "\n".join(parts) + "\n"


def growth(points: list[Point]) -> list[str]:
    sizes = sorted({each.labels for each in points})
    found = {(each.question, each.labels): each for each in points}
    head = " | ".join(f"{size:,} labels" for size in sizes)
    lines = [
        "## How answers grow with the store",
        "",
        "Milliseconds by the clock, and of processor time in brackets: when nothing is known yet,",
        "and the best of some tries after somebody labelled an item anew. The last column tells",
        f"how processor time grows to the largest store, which has {sizes[-1] // sizes[0]:,} times",
        "the labels.",
        "",
        f"![Milliseconds against labels, both by powers of ten]({CHART.name})",
        "",
        f"| Question | {head} | Growth |",
        "|---|" + "---:|" * (len(sizes) + 1),
    ]
    for question in dict.fromkeys(each.question for each in points):
        known = [found.get((question, size)) for size in sizes]
        cells = [f"{each.wall:,.0f} ({each.cpu:,.0f})" if each else "—" for each in known]
        first, last = known[0], known[-1]
        ratio = f"{last.cpu / max(first.cpu, 0.1):,.0f} times" if first and last else "—"
        lines.append(f"| {question} | {' | '.join(cells)} | {ratio} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: every benchmark")
    parser.add_argument("--out", type=Path, help="the document; default docs/benchmarks.md")
    asked = parser.parse_args()
    unknown = sorted(set(asked.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}")
    load = os.getloadavg()[0]
    results = [run(each) for each in BENCHMARKS if not asked.names or each in asked.names]
    text = document(results, load)
    print(f"\n{text}")
    for each in results:
        print(f"{each.name}: {each.minutes:.1f} minutes")
    out = asked.out or (None if asked.names else DOCUMENT)
    if out:
        out.write_text(text, encoding="utf-8")
        if points := [point for each in results for point in each.points]:
            out.with_name(CHART.name).write_text(growth_chart(points), encoding="utf-8")
    return int(any(each.is_broken for each in results))


if __name__ == "__main__":
    sys.exit(main())
