"""Published cases, imported as files and counted in the store, give the tables they came from."""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from data import records
from data.importers.importer import Options
from data.importers.limits import COMMAND
from data.importers.prepare import prepare
from data.queries_agreement import compared, ratings
from data.store import Store, open_store
from faithfulness.protocols import PROTOCOLS
from faithfulness.selection import Selection
from faithfulness.selection_sides import Side
from faithfulness.statistics.agreement import pair_estimates
from faithfulness.statistics.raters import several
from faithfulness.statistics.tables import PairTables, Ratings
from faithfulness.vocabulary import Author, AuthorKind
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared

# The protocol whose scale has as many labels, or the next larger one.
SCALES = {
    2: ("claim_overlap", "supported"),
    4: ("sentence_grounding", "label"),
    5: ("comparative_summary", "faithfulness"),
    6: ("response_consistency", "consistency"),
}
# Scores without a declared scale of labels; only their formulas can be checked.
WITHOUT_LABELS = {"score_pairs", "ratings_matrix_complete", "ppi_binary"}
A_TABLE = {
    "percent_agreement": "percent",
    "cohen_kappa": "kappa",
    "krippendorff_alpha_nominal": "alpha",
    "mcc": "mcc",
    "gwet_ac1": "ac1",
    "brennan_prediger": "brennan_prediger",
    "scott_pi": "pi",
}
A_MATRIX = {
    ("krippendorff_alpha", "nominal"): "alpha",
    ("krippendorff_alpha", "ordinal"): "alpha_ordinal",
    ("krippendorff_alpha", "interval"): "alpha_interval",
}
# These depend on how many labels the scale has, used or not.
BY_SIZE = {"gwet_ac1", "brennan_prediger"}

Row = tuple[int | None, ...]


class Case(NamedTuple):
    """A case as labels: for each item its units, for each unit a label or none per author."""

    name: str
    size: int
    items: list[list[Row]]
    expected: list[dict[str, Any]]

    @property
    def authors(self) -> tuple[Author, ...]:
        count = max(len(row) for item in self.items for row in item)
        return tuple(Author(kind=AuthorKind.RATER, name=f"r{n:02}") for n in range(count))


def cases() -> list[Case]:
    if not SHARED.is_dir():
        return []
    told = json.loads((SHARED / "agreement_cases.json").read_text(encoding="utf-8"))["cases"]
    return [
        READ[each["kind"]](each["id"], each["input"], each["expected"])
        for each in told
        if each["kind"] not in WITHOUT_LABELS
    ]


def of_table(name: str, told: dict[str, Any], expected: list[dict[str, Any]]) -> Case:
    return Case(name, len(told["table"]), in_items(of_cells(told["table"])), expected)


def of_item_tables(name: str, told: dict[str, Any], expected: list[dict[str, Any]]) -> Case:
    return Case(name, 4, [of_cells(table) for table in told["item_tables"]], expected)


def of_pairs(name: str, told: dict[str, Any], expected: list[dict[str, Any]]) -> Case:
    first = told.get("reference", told.get("human"))
    second = told.get("predicted", told.get("judge"))
    # Sorted as numbers or words; True stands before False on the claim scale.
    labels = sorted({*first, *second} - {None}, reverse=isinstance(first[0], bool))
    rows = [
        tuple(None if said is None else labels.index(said) for said in pair)
        for pair in zip(first, second, strict=True)
    ]
    return Case(name, len(labels), in_items(rows), expected)


def of_matrix(name: str, told: dict[str, Any], expected: list[dict[str, Any]]) -> Case:
    values = told["values"]
    rows = [
        tuple(None if said is None else values.index(said) for said in row)
        for row in told["ratings"]
    ]
    return Case(name, len(values), in_items(rows), expected)


def of_counts(name: str, told: dict[str, Any], expected: list[dict[str, Any]]) -> Case:
    rows = [
        tuple(label for label, count in enumerate(unit) for _ in range(count))
        for unit in told["counts"]
    ]
    return Case(name, len(told["counts"][0]), in_items(rows), expected)


def of_long(name: str, told: dict[str, Any], expected: list[dict[str, Any]]) -> Case:
    """Who rated a unit several times is several raters."""
    units: dict[int, dict[tuple[int, int], int]] = {}
    for unit, rater, label in told["rows"]:
        said = units.setdefault(unit, {})
        turn = sum(1 for each, _ in said if each == rater)
        said[rater, turn] = told["labels"].index(label)
    raters = sorted({each for said in units.values() for each in said})
    rows = [tuple(said.get(each) for each in raters) for said in units.values()]
    return Case(name, len(told["labels"]), in_items(rows), expected)


READ: dict[str, Callable[[str, dict[str, Any], list[dict[str, Any]]], Case]] = {
    "pair_table": of_table,
    "pair_table_ordinal": of_table,
    "item_tables": of_item_tables,
    "label_pairs": of_pairs,
    "binary_with_none": of_pairs,
    "ratings_matrix": of_matrix,
    "rater_counts_per_unit": of_counts,
    "long_ratings": of_long,
}


def of_cells(table: list[list[int]]) -> list[Row]:
    return [
        (low, high)
        for low, row in enumerate(table)
        for high, count in enumerate(row)
        for _ in range(count)
    ]


def in_items(rows: list[Row]) -> list[list[Row]]:
    return [rows[start : start + 25] for start in range(0, len(rows), 25)]


def lines(case: Case) -> Iterator[dict[str, Any]]:
    """The case in the native format; a protocol of whole responses has one unit an item."""
    size = next(each for each in SCALES if each >= case.size)
    key, criterion = SCALES[size]
    protocol = PROTOCOLS[key]
    items = case.items
    if protocol.unit == "response":
        items = [[row] for item in items for row in item]
    for number, item in enumerate(items):
        texts = [f"Fact {place} of {case.name} {number} holds." for place in range(len(item))]
        answers = [
            answer(protocol.unit.value, criterion, protocol, author, text, label)
            for text, row in zip(texts, item, strict=True)
            for author, label in zip(case.authors, row, strict=False)
            if label is not None or protocol.criteria[0].may_skip
        ]
        yield {
            "protocol": key,
            "system": case.name,
            "id": f"{number}",
            "fields": [
                {"name": "response", "kind": "response", "text": " ".join(texts)},
                {"name": "reference", "kind": "reference", "text": f"Reference {number}."},
            ],
            "cut": texts if protocol.unit == "sentence" else None,
            "answers": answers,
        }


def answer(
    unit: str, criterion: str, protocol: Any, author: Author, text: str, label: int | None
) -> dict[str, Any]:
    values = protocol.criterion(criterion).scale.values
    said = {
        "author": author.name,
        "author_kind": "rater",
        "criterion": criterion,
        "value": None if label is None else values[label],
        "unit": unit,
    }
    if unit == "claim":
        return said | {"text": text, "field": "response", "sentence": text}
    return said | ({"text": text} if unit == "sentence" else {})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """All cases in one store, each as a system of its own."""
    folder = tmp_path_factory.mktemp("cases")
    path = folder / "cases.jsonl"
    told = [json.dumps(line) for case in CASES for line in lines(case)]
    path.write_text("\n".join(told), encoding="utf-8")
    opened = open_store(folder / "store.duckdb", create=True)
    (folder / "prepared").mkdir()
    prepare(
        [(path.name, path)],
        importer="plumbline",
        options=Options(),
        into=folder / "prepared",
        limits=COMMAND,
    )
    records.save_import(opened, folder / "prepared", operation_id="cases")
    yield opened
    opened.close()


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_store_gives_back_the_case(store: Store, case: Case) -> None:
    key, criterion = SCALES[next(each for each in SCALES if each >= case.size)]
    mine = Selection(protocol=key, systems=(case.name,))
    first, second = case.authors[:2]
    result = compared(store, mine, criterion, Side.of(first), Side.of(second))
    rows = [row for item in case.items for row in item]
    expected = np.zeros((len(result.tables.values),) * 2)
    for row in rows:
        if len(row) > 1 and row[0] is not None and row[1] is not None:
            expected[row[0], row[1]] += 1
    assert (result.tables.total == expected).all()
    patterns = ratings(store, mine, criterion, case.authors)
    assert as_rows(patterns) == sorted(padded(row, len(case.authors)) for row in rows if said(row))
    if len(case.authors) == 2:
        check_table(case, result.tables)
    check_matrix(case, patterns)


def said(row: Row) -> bool:
    return any(label is not None for label in row)


def padded(row: Row, width: int) -> tuple[int, ...]:
    filled = [-1 if label is None else label for label in row]
    return tuple(filled + [-1] * (width - len(filled)))


def as_rows(patterns: Ratings) -> list[tuple[int, ...]]:
    return sorted(
        tuple(row)
        for row, count in zip(patterns.codes.tolist(), patterns.counts.tolist(), strict=True)
        for _ in range(count)
    )


def check_table(case: Case, tables: PairTables) -> None:
    found = pair_estimates(tables)
    for each in case.expected:
        name = A_TABLE.get(each["statistic"])
        exact = case.size == len(tables.values) or each["statistic"] not in BY_SIZE
        if name is not None and not each.get("params") and exact:
            assert_equal(found[name].value, each)


def check_matrix(case: Case, patterns: Ratings) -> None:
    found = several(patterns)
    for each in case.expected:
        name = A_MATRIX.get((each["statistic"], each.get("params", {}).get("level", "")))
        if name in found and (name == "alpha" or patterns.ordinal):
            assert_equal(found[name].value, each)


def assert_equal(value: float | None, expected: dict[str, Any]) -> None:
    if expected["value"] is None:
        assert value is None
    else:
        assert value == pytest.approx(expected["value"], abs=expected.get("tolerance") or 1e-6)
