"""Runs every benchmark and makes one table of all claims; writes docs/benchmarks.md.

Usage: python -m benchmarks.table [NAME ...] [--out FILE | --renew]

With names only those are run, and the table is printed but not written unless --out says where or
--renew puts their rows in the place of older ones. A claim that is not met is told in the table;
only a benchmark that breaks makes this command fail.
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
    *("judge_throughput", "offline_speed", "offline_quality", "sentence_quality"),
    *("check_quality",),
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
        "Made by `make bench`; edited by nobody. Figures are from one machine; those of one file",
        "were measured side by side in one run, and a benchmark that was run again alone has",
        "replaced its own rows. A limit that is missed is shown.",
        "",
        f"{datetime.now(UTC):%d %B %Y}, a machine with {machine()}; its load when the run began "
        f"was {load:.1f}.",
        f"Python {python}, {products}.",
        "",
        _sum(sum(told), len(told)),
        "",
        "| Benchmark | Claim | Measured | Limit or peer | Met |",
        "|---|---|---|---|---|",
    ]
    parts += [line for each in results for line in lines_of(each)]
    points = [point for each in results for point in each.points]
    if points:
        parts += ["", *growth(points)]
    return "\n".join(parts) + "\n"


def lines_of(result: Result) -> list[str]:
    found = []
    for row in result.rows:
        met = {True: "yes", False: "**no**", None: "—"}[row.met]
        cells = (f"`{result.name}`", row.claim, row.measured, row.against, met)
        found.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    return found


def renewed(text: str, results: list[Result]) -> str:
    """The document with the rows of these benchmarks replaced, and its sum made anew."""
    lines = text.splitlines()
    for each in results:
        old = [line for line in lines if line.startswith(f"| `{each.name}` |")]
        at = lines.index(old[0]) if old else lines.index(next(filter(_is_row, reversed(lines)))) + 1
        lines = [line for line in lines if line not in old]
        lines[at:at] = lines_of(each)
    met = sum(line.endswith("| yes |") for line in filter(_is_row, lines))
    missed = sum(line.endswith("| **no** |") for line in filter(_is_row, lines))
    return "\n".join(_sum(met, met + missed) if _is_sum(line) else line for line in lines) + "\n"


def _sum(met: int, claims: int) -> str:
    return f"**{met} of {claims} claims with a limit are met.**"


def _is_sum(line: str) -> bool:
    return line.endswith("claims with a limit are met.**")


def _is_row(line: str) -> bool:
    return line.startswith("| `")


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
    parser.add_argument("--renew", action="store_true", help="replace the rows of these alone")
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
    if asked.renew and asked.names:
        old = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(renewed(old, results), encoding="utf-8")
    out = asked.out or (None if asked.names else DOCUMENT)
    if out:
        out.write_text(text, encoding="utf-8")
        if points := [point for each in results for point in each.points]:
            out.with_name(CHART.name).write_text(growth_chart(points), encoding="utf-8")
    return int(any(each.is_broken for each in results))


if __name__ == "__main__":
    sys.exit(main())
