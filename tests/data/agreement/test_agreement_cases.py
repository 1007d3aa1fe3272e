"""Published cases, imported as files and counted in the store, give the tables they came from."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from data.agreement.pairs import compare_sides, load_ratings
from data.importing.importer import Options
from data.importing.limits import COMMAND
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.statistics.agreement import bowker, stuart_maxwell
from faithfulness.statistics.correction import JudgedItems, LabelledItems
from faithfulness.statistics.label_rates import count_judged_items, count_labeled_items
from faithfulness.statistics.raters.dawid_skene import fit_model
from faithfulness.statistics.raters.rater_sums import compute_coefficients, sum_by_item
from faithfulness.statistics.raters.several_raters import icc
from faithfulness.statistics.tables import PairTables, Ratings, count_pairs
from tests.data.test_reference_numbers import label_counts, numbers_of
from tests.faithfulness.statistics.raters.test_rater_sums import name_of
from tests.faithfulness.statistics.test_agreement_cases import assert_met, tables_of, value_of
from tests.faithfulness.statistics.test_agreement_cases import of_table as of_total
from tests.faithfulness.statistics.test_correction import assert_published
from tests.few import few
from tests.made_stores import new_store
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared

# The protocol whose scale has as many labels, or the next larger one.
SCALES = {
    2: ("claim_overlap", "supported"),
    4: ("sentence_grounding", "label"),
    5: ("comparative_summary", "faithfulness"),
    6: ("response_consistency", "consistency"),
}
# Scores that are labels of no protocol; they are stored as numbers that come with an item.
SCORES = {
    "scipy_kendall_doc": "five pairs of scores between 0 and 12",
    "bland_altman1986": "litres a minute between 178 and 658",
    "shrout_fleiss1979": "scores up to 10, on a scale that no protocol has",
}

Row = tuple[int | None, ...]
Read = tuple[int, list[list[Row]]]  # how many labels, and the items


class Case(NamedTuple):
    """A case as labels: for each item its units, for each unit a label or none per author."""

    name: str
    size: int
    items: list[list[Row]]
    told: dict[str, Any]

    @property
    def authors(self) -> tuple[Author, ...]:
        count = max(len(row) for item in self.items for row in item)
        return tuple(Author(kind=AuthorKind.RATER, name=f"r{n:02}") for n in range(count))


def told_cases() -> list[dict[str, Any]]:
    if not SHARED.is_dir():
        return []
    text = (SHARED / "agreement_cases.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["cases"]
    return found


def cases() -> list[Case]:
    return [
        Case(told["id"], *READ[told["kind"]](told["input"]), told)
        for told in told_cases()
        if told["id"] not in SCORES
    ]


def scores() -> list[dict[str, Any]]:
    return [told for told in told_cases() if told["id"] in SCORES]


def of_table(told: dict[str, Any]) -> Read:
    return len(told["table"]), in_items(of_cells(told["table"]))


def of_item_tables(told: dict[str, Any]) -> Read:
    return 4, [of_cells(table) for table in told["item_tables"]]


def of_pairs(told: dict[str, Any]) -> Read:
    first = told.get("reference", told.get("human"))
    second = told.get("predicted", told.get("judge"))
    # Sorted as numbers or words; True stands before False on the claim scale.
    labels = sorted({*first, *second} - {None}, reverse=isinstance(first[0], bool))
    rows = [
        tuple(None if said is None else labels.index(said) for said in pair)
        for pair in zip(first, second, strict=True)
    ]
    return len(labels), in_items(rows)


def of_few_people(told: dict[str, Any]) -> Read:
    """One unit an item; after those that people labelled come those of the judge alone."""
    both = zip(told["human"], told["judge_on_labelled"], strict=True)
    alone, positive = told["n_unlabelled"], told["judge_positive_unlabelled"]
    rows: list[Row] = [(1 - human, 1 - judge) for human, judge in both]
    rows += [(None, int(number >= positive)) for number in range(alone)]
    return 2, [[row] for row in rows]


def of_matrix(told: dict[str, Any]) -> Read:
    values = told["values"]
    rows = [
        tuple(None if said is None else values.index(said) for said in row)
        for row in told["ratings"]
    ]
    return len(values), in_items(rows)


def of_counts(told: dict[str, Any]) -> Read:
    rows = [
        tuple(label for label, count in enumerate(unit) for _ in range(count))
        for unit in told["counts"]
    ]
    return len(told["counts"][0]), in_items(rows)


def of_long(told: dict[str, Any]) -> Read:
    """Who rated a unit several times is several raters."""
    units: dict[int, dict[tuple[int, int], int]] = {}
    for unit, rater, label in told["rows"]:
        said = units.setdefault(unit, {})
        turn = sum(1 for each, _ in said if each == rater)
        said[rater, turn] = told["labels"].index(label)
    raters = sorted({each for said in units.values() for each in said})
    rows = [tuple(said.get(each) for each in raters) for said in units.values()]
    return len(told["labels"]), in_items(rows)


READ: dict[str, Callable[[dict[str, Any]], Read]] = {
    "pair_table": of_table,
    "pair_table_ordinal": of_table,
    "item_tables": of_item_tables,
    "label_pairs": of_pairs,
    "binary_with_none": of_pairs,
    "ratings_matrix": of_matrix,
    "rater_counts_per_unit": of_counts,
    "long_ratings": of_long,
    "ppi_binary": of_few_people,
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


def scored(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A case of scores: no answers, every score a number of its author."""
    given = told["input"]
    rows = given["ratings"] if "ratings" in given else zip(given["x"], given["y"], strict=True)
    for number, row in enumerate(rows):
        numbers = [
            {"author": f"r{place:02}", "author_kind": "rater", "name": "Score", "value": score}
            for place, score in enumerate(row)
        ]
        text = f"Text {number} of {told['id']}."
        yield {
            "protocol": "comparative_summary",
            "system": told["id"],
            "id": f"{number:03}",
            "fields": [{"name": "response", "kind": "response", "text": text}],
            "numbers": numbers,
        }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """All cases in one store, each as a system of its own."""
    folder = tmp_path_factory.mktemp("cases")
    path = folder / "cases.jsonl"
    told = [json.dumps(line) for case in CASES for line in lines(case)]
    told += [json.dumps(line) for case in scores() for line in scored(case)]
    path.write_text("\n".join(told), encoding="utf-8")
    opened = new_store(folder / "store.duckdb")
    (folder / "prepared").mkdir()
    prepare(
        [(path.name, path)],
        importer="plumbline",
        options=Options(),
        into=folder / "prepared",
        limits=COMMAND,
    )
    save_import(opened, folder / "prepared", operation_id="cases")
    yield opened
    opened.close()


CASES = cases()


@pytest.mark.parametrize("case", few(CASES, 8), ids=lambda case: case.name)
def test_store_gives_back_the_case(store: Store, case: Case) -> None:
    key, criterion = SCALES[next(each for each in SCALES if each >= case.size)]
    mine = Selection(protocol=key, systems=(case.name,))
    first, second = case.authors[:2]
    result = compare_sides(store, mine, criterion, Side.of(first), Side.of(second))
    rows = [row for item in case.items for row in item]
    expected = np.zeros((len(result.tables.values),) * 2)
    for row in rows:
        if len(row) > 1 and row[0] is not None and row[1] is not None:
            expected[row[0], row[1]] += 1
    assert (result.tables.total == expected).all()
    patterns = load_ratings(store, mine, criterion, case.authors)
    assert as_rows(patterns) == sorted(padded(row, len(case.authors)) for row in rows if said(row))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_number_of_the_case_is_met(store: Store, case: Case) -> None:
    kind, expected = case.told["kind"], case.told["expected"]
    assert expected
    if kind == "ppi_binary":
        assert_published(case.told, *of_people_and_judge(store, case))
    elif kind == "long_ratings":
        check_dawid_skene(case, stored_ratings(store, case))
    elif kind in ("ratings_matrix", "rater_counts_per_unit"):
        found = sum_by_item(stored_ratings(store, case)).sum(axis=0)
        numbers = compute_coefficients(found, case.size, ordinal=True)
        for each in expected:
            assert_met(float(numbers[name_of(each)]), each)
    else:
        check_pairs(store, case)


@pytest.mark.parametrize("told", scores(), ids=lambda told: told["id"])
def test_every_number_of_stored_scores_is_met(store: Store, told: dict[str, Any]) -> None:
    found = numbers_of(store)
    mine = found[found["system"] == told["id"]].pivot_table(
        index="external_id", columns="author", values="value"
    )
    scores = mine.sort_index().to_numpy().astype(int)
    if "ratings" in told["input"]:
        estimates = icc(scores)
        for each in told["expected"]:
            assert_met(estimates[each["statistic"]].value, each)
        return
    back = told | {"input": {"x": scores[:, 0].tolist(), "y": scores[:, 1].tolist()}}
    for each in told["expected"]:
        assert_met(value_of(back, each, tables_of(back)), each)


def stored_tables(store: Store, case: Case) -> PairTables:
    """What both authors said, on the case's own labels.

    A protocol's scale may have more labels than the case; nobody used them here, and the numbers
    that depend on the size of the scale are about the case's. Its labels are the first of the
    protocol's, in the case's order: those of a nominal protocol stand for the case's scores.
    """
    key, criterion = SCALES[next(each for each in SCALES if each >= case.size)]
    first, second = (Side.of(each) for each in case.authors)
    mine = Selection(protocol=key, systems=(case.name,))
    whole = compare_sides(store, mine, criterion, first, second).tables
    size = len(whole.values)
    own = whole.cells.reshape(-1, size, size)[:, : case.size, : case.size]
    assert own.sum() == whole.cells.sum()
    return PairTables(
        values=whole.values[: case.size],
        ordinal=True,
        items=whole.items,
        cells=own.reshape(-1, case.size**2),
    )


def stored_ratings(store: Store, case: Case) -> Ratings:
    """What all authors said, on the case's own labels as in `stored_tables`."""
    key, criterion = SCALES[next(each for each in SCALES if each >= case.size)]
    mine = Selection(protocol=key, systems=(case.name,))
    whole = load_ratings(store, mine, criterion, case.authors)
    assert whole.codes.max() < case.size
    return replace(whole, values=whole.values[: case.size], ordinal=True)


def check_pairs(store: Store, case: Case) -> None:
    tables = stored_tables(store, case)
    claims = of_claims(store, case) if case.told["kind"] == "binary_with_none" else {}
    total = of_total(units_apart(tables))
    for each in case.told["expected"]:
        name, params = each["statistic"], each.get("params", {})
        if name in claims:
            found = claims[name]
        elif name in total:
            found = total[name]
        else:
            found = value_of(case.told, each, tables)
        assert_met(found, each)
        if "df" in params:
            tested = bowker if name.startswith("bowker") else stuart_maxwell
            assert tested(tables.total)[1] == params["df"]


def units_apart(tables: PairTables) -> PairTables:
    """Every unit its own item, as published standard errors take them."""
    size = len(tables.values)
    pairs = np.repeat(np.arange(size**2), tables.total.astype(int).ravel())
    return count_pairs(
        tables.values,
        tables.ordinal,
        items=np.arange(len(pairs)),
        reference=pairs // size,
        judge=pairs % size,
    )


def of_claims(store: Store, case: Case) -> dict[str, float]:
    """Rates and coverage of both sides, as the store counts claims and those not judged."""
    found: dict[str, float] = {"pairs_compared": stored_tables(store, case).units_n}
    counts = label_counts(store, case.name)
    for author, side in zip(case.authors, ("human", "judge"), strict=True):
        true, false = counts[author.name, "true"], counts[author.name, "false"]
        found[f"{side}_supported_rate"] = true / (true + false)
        everything = true + false + counts[author.name, "not judged"]
        found[f"{side}_coverage"] = (true + false) / everything
    return found


def of_people_and_judge(store: Store, case: Case) -> tuple[LabelledItems, JudgedItems]:
    key, criterion = SCALES[case.size]
    tables = stored_tables(store, case)
    mine = Selection(protocol=key, systems=(case.name,))
    judged = load_ratings(store, mine, criterion, case.authors[1:])
    return count_labeled_items(tables, "true"), count_judged_items(judged, tables, "true")


def check_dawid_skene(case: Case, patterns: Ratings) -> None:
    """One author has one label a unit; the observer of three turns votes three times here."""
    expected = {each["statistic"]: each for each in case.told["expected"]}
    turns = len(case.authors) - len({rater for _, rater, _ in case.told["input"]["rows"]})
    votes = (patterns.codes[:, :, None] == np.arange(case.size)).astype(np.float64)
    first = votes[:, : turns + 1].sum(axis=1, keepdims=True)
    joined = np.concatenate([first, votes[:, turns + 1 :]], axis=1)
    posterior, marginals, _, _ = fit_model(joined, patterns.counts.astype(np.float64))
    for label, share in enumerate(marginals.tolist(), 1):
        assert share == pytest.approx(expected[f"dawid_skene_marginal_{label}"]["value"], abs=1e-6)
    believed = dict(zip(map(tuple, patterns.codes.tolist()), posterior.argmax(axis=1), strict=True))
    rows = [padded(row, len(case.authors)) for item in case.items for row in item]
    labels = [int(believed[row]) + 1 for row in rows]
    assert labels == expected["dawid_skene_hard_labels"]["value"]
    assert len(expected) == case.size + 1


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
