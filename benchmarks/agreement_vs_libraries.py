"""Agreement from counts in the store, beside scikit-learn, krippendorff and scipy on rows.

Usage: python -m benchmarks.agreement_vs_libraries [PAIRS] [STORE], with benchmarks/requirements.txt
laid over the environment as `make bench` does. Both ways give the same coefficients, which is
checked before any time is told. Times are of the processor, the least of some tries.

Two starts are compared, and each row of the result names its own. "In hand": the libraries hold
their rows in memory, Plumbline its table. "From the store": both begin with nothing read;
the libraries' rows come out of the same file by one DuckDB query into a DataFrame, as text or
already as integers, and that query is part of their time; Plumbline counts its table anew.

The bar of 50 was set for the agreement page's numbers, which have intervals, against the libraries
on rows; that is the last row. Without intervals and with integers most of the time on both sides is
the reading of the store, so that the ratio cannot exceed the libraries' time over a bare scan: this
bound is printed and the row is kept with its limit, although it is missed.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import krippendorff
import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats
from sklearn import metrics

from benchmarks.agreement_store import make_pairs
from benchmarks.claims import claim
from benchmarks.forgetting import forget
from data.agreement.pairs import compare_sides
from data.store.store import Store, open_store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side
from faithfulness.statistics.agreement import compute_pair_values, pair_estimates
from faithfulness.statistics.tables import PairTables

BAR = 50
TRIES = 3
RESAMPLES = 2_000  # by which the libraries get an interval; ours leaves items out
MEASURED_RESAMPLES = 2  # of the libraries; the rest is scaled, because it takes hours
ADA, NORTH = Side.from_text("rater:ada"), Side.from_text("judge:north")
LABELS = ("supported", "unsupported", "contradictory", "no_rad")
# The labels have no order; the rank correlations take their places for scores, on both ways.
SCORES = ("spearman", "tau_b")

Codes = npt.NDArray[np.int8]

# What everybody does who takes the rows out: one row a unit with both labels.
ROWS = """
select r.item_no, r.value as reference, j.value as judge
from annotations r
join annotations j on j.unit_no = r.unit_no and j.criterion = r.criterion
join authors a on a.author_no = r.author_no and a.kind = 'rater' and a.name = 'ada'
join authors b on b.author_no = j.author_no and b.kind = 'judge' and b.name = 'north'
where r.criterion = 'label'
    and r.value is not null
    and j.value is not null
"""

# The same with labels as integers, which is the quickest that the libraries can be given.
PLACE = "(list_position(['supported', 'unsupported', 'contradictory', 'no_rad'], {}) - 1)::tinyint"
CODED_ROWS = ROWS.replace("r.value as", PLACE.format("r.value") + " as").replace(
    "j.value as", PLACE.format("j.value") + " as"
)
# What anybody must read, and nothing more.
SCAN = """
select author_no, value, count(*)
from annotations
where criterion = 'label'
group by author_no, value
"""


def rows_of(store: Store, question: str = ROWS) -> pd.DataFrame:
    with store.read() as cursor:
        found: pd.DataFrame = cursor.execute(question).df()
    return found


def counted(store: Store) -> PairTables:
    """The tables of a comparison that nobody asked for before."""
    forget()
    return compare_sides(store, Selection(), "label", ADA, NORTH).tables


def from_counts(tables: PairTables) -> dict[str, float]:
    values = compute_pair_values(tables.total, tables.values, False)
    scores = compute_pair_values(tables.total, tables.values, True, SCORES)
    return {name: float(found) for name, found in (values | scores).items()}


def from_rows(reference: npt.NDArray[np.generic], judge: npt.NDArray[np.generic]) -> dict:
    """The same numbers by the libraries, from integers or from text."""
    labels = list(LABELS) if reference.dtype == object else list(range(len(LABELS)))
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        reference, judge, labels=labels, zero_division=np.nan
    )
    first, second = (codes_of(each) for each in (reference, judge))
    found = {
        "percent": metrics.accuracy_score(reference, judge),
        "kappa": metrics.cohen_kappa_score(reference, judge, labels=labels),
        "mcc": metrics.matthews_corrcoef(reference, judge),
        "alpha": krippendorff.alpha(
            np.stack([first, second]).astype(float), level_of_measurement="nominal"
        ),
        "spearman": stats.spearmanr(first, second).statistic,
        "tau_b": stats.kendalltau(first, second).statistic,
    }
    for place, label in enumerate(LABELS):
        found[f"precision:{label}"] = precision[place]
        found[f"recall:{label}"] = recall[place]
        found[f"f1:{label}"] = f1[place]
    return {name: float(value) for name, value in found.items()}


def codes_of(values: npt.NDArray[np.generic]) -> Codes:
    if values.dtype != object:
        return values.astype(np.int8)
    return pd.Categorical(values, categories=LABELS).codes


def resample(rows: pd.DataFrame, reference: Codes, judge: Codes, rng: np.random.Generator) -> None:
    """One resample of items, as rows: gather the rows of the drawn items, compute again."""
    order = np.argsort(rows["item_no"].to_numpy(), kind="stable")
    _, start, count = np.unique(
        rows["item_no"].to_numpy()[order], return_index=True, return_counts=True
    )
    drawn = rng.integers(0, len(start), len(start))
    taken = np.concatenate([order[start[n] : start[n] + count[n]] for n in drawn])
    from_rows(reference[taken], judge[taken])


def cpu(work: Callable[[], object], tries: int = TRIES) -> float:
    """Milliseconds of the processor, the least of some tries."""
    used = []
    for _ in range(tries):
        began = time.process_time()
        work()
        used.append(time.process_time() - began)
    return min(used) * 1000


def check(ours: Mapping[str, float], theirs: Mapping[str, float]) -> None:
    apart = {name: abs(ours[name] - value) for name, value in theirs.items()}
    worst = max(apart, key=apart.__getitem__)
    print(f"{len(theirs)} numbers on both ways; furthest apart: {worst}, {apart[worst]:.1e}")
    if apart[worst] > 1e-9:
        raise SystemExit("the two ways do not give the same numbers")


def measure(store: Store) -> None:
    rows = rows_of(store)
    words = [rows[name].to_numpy(object) for name in ("reference", "judge")]
    codes = [codes_of(each) for each in words]
    tables = counted(store)
    print(f"{len(rows):,} pairs on {len(tables.items):,} items")
    check(from_counts(tables), from_rows(*codes))
    coded = rows_of(store, CODED_ROWS)
    check(from_counts(tables), from_rows(coded["reference"].to_numpy(), coded["judge"].to_numpy()))

    fetch, count = cpu(lambda: rows_of(store)), cpu(lambda: counted(store))
    fetch_codes = cpu(lambda: rows_of(store, CODED_ROWS))
    scan = cpu(lambda: rows_of(store, SCAN))
    numbers, whole = cpu(lambda: from_counts(tables)), cpu(lambda: pair_estimates(tables))
    on_codes, on_words = cpu(lambda: from_rows(*codes)), cpu(lambda: from_rows(*words), 1)
    rng = np.random.default_rng(1)
    drawn = cpu(lambda: resample(rows, *codes, rng), MEASURED_RESAMPLES) * RESAMPLES

    print(f"{'milliseconds of processor':52}{'libraries':>14}{'Plumbline':>11}{'ratio':>9}")
    told("coefficients alone, integers / table in hand", on_codes, numbers)
    told("coefficients alone, labels as text / table in hand", on_words, numbers)
    told("from the store to coefficients, integers", fetch_codes + on_codes, count + numbers)
    told("from the store to coefficients, labels as text", fetch + on_words, count + numbers)
    told(
        f"from the store to numbers with intervals ({RESAMPLES:,} draws)",
        fetch_codes + on_codes + drawn,
        count + whole,
    )
    print(
        f"of these, reading: libraries {fetch:,.0f} as text, {fetch_codes:,.0f} as integers; "
        f"Plumbline {count:,.0f}; a bare scan {scan:,.0f}"
    )
    bound(fetch_codes + on_codes, scan)
    print(f"the last row of the libraries is {MEASURED_RESAMPLES} draws measured and scaled")


def bound(theirs: float, scan: float) -> None:
    """What the row from the store could reach at most, if counting cost nothing but reading."""
    claim(
        "from the store to coefficients, integers: a bare scan in Plumbline's place",
        theirs / scan,
        "times as fast",
        peer="no number is computed from it",
    )
    print(f"a bare scan alone would be {theirs / scan:,.0f} times as fast as the libraries")


def told(what: str, theirs: float, ours: float) -> None:
    claim(
        what, theirs / ours, "times as fast", at_least=BAR, peer="scikit-learn, krippendorff, scipy"
    )
    mark = "" if theirs >= BAR * ours else f"  below {BAR}"
    print(f"{what:52}{theirs:14,.1f}{ours:11,.1f}{theirs / ours:9,.0f}{mark}")


def main(pairs: int, path: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = path or Path(folder) / "pairs.duckdb"
        if not place.exists():
            make_pairs(place, pairs)
        store = open_store(place)
        measure(store)
        store.close()


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    main(wanted, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
