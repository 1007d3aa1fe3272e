"""Page, command, door and files tell the same numbers of a comparison, and why one is missing."""

import csv
import io
import json
import math
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
import uvicorn
from starlette.applications import Starlette

from data import exporting
from data.agreement.pairs import compare_sides
from data.agreement.question import AgreementQuestion
from data.agreement.report import build_report, find_overall_row
from data.api.server import Gate
from data.exporting.agreement import NUMBERS, PAIRS
from data.runs import queries
from data.samples import first_start
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.agreement import pair_estimates
from faithfulness.statistics.raters.dawid_skene import NOT_CONVERGED
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.run_commands import run_command

S, U, C, N = "supported", "unsupported", "contradictory", "no_rad"
FORMULA = "=cmd|'/c calc'!A1"
ASKED = AgreementQuestion(
    selection=Selection(protocol="sentence_grounding"),
    criterion="label",
    reference=MAJORITY,
    judge=Side.of(NORTH),
    by="market",
)


def fill(store: Store) -> None:
    """Thirty items on which the judge misses one label in six; some say a formula for a market."""
    drafts = []
    for number in range(30):
        labels = (S, (U, C)[number % 2], N)
        judged = (S, U, N) if number % 2 else (S, U, S if number % 5 == 0 else N)
        said = {ADA: labels, BEN: labels, NORTH: judged}
        market = FORMULA if number < 25 else "de"
        drafts.append(sentence_draft(number, said)._replace(attributes={"market": market}))
    save_drafts(store, drafts)


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Store]:
    opened = new_store(tmp_path / "filled.duckdb", fill)
    yield opened
    opened.close()


@pytest.fixture
def served(filled: Store) -> Iterator[Store]:
    """The store while an app has it open: a real server with the door on a loopback port."""
    gate = Gate(store=lambda: filled)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = uvicorn.Config(Starlette(routes=gate.routes()), log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    with gate.announced(filled.path, f"http://127.0.0.1:{port}"):
        yield filled
    server.should_exit = True
    thread.join(10)


def command(store: Path, *words: object, code: int = 0) -> str:
    return run_command("agree", "--store", store, *words, code=code)


WORDS = ("--reference", "raters", "--judge", "judge:north", "--by", "market")


def test_report_gives_the_numbers_that_the_page_computes(filled: Store) -> None:
    told = build_report(filled, ASKED)
    tables = compare_sides(filled, ASKED.selection, "label", MAJORITY, Side.of(NORTH)).tables
    shown = pair_estimates(tables)
    assert shown["kappa"].low is not None
    for name, each in shown.items():
        row = find_overall_row(told, name)
        assert row is not None
        found = [row[key] for key in ("value", "low", "high", "items", "units", "reason")]
        assert found == [each.value, each.low, each.high, each.items, each.units, each.reason]
    assert told["coverage"]["both"] == tables.units_n == 90
    assert json.loads(json.dumps(told)) == told


def test_command_through_the_door_and_alone_tells_what_the_report_tells(served: Store) -> None:
    expected = json.loads(json.dumps(build_report(served, ASKED)))
    through = json.loads(command(served.path, *WORDS, "--json"))
    assert {key: through[key] for key in expected} == expected
    served.close()
    (served.path.parent / f"{served.path.name}.door").unlink()
    alone = json.loads(command(served.path, *WORDS, "--json"))
    assert alone == through


READ: dict[str, Callable[[bytes], list[dict[str, Any]]]] = {
    "csv": lambda raw: list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig")))),
    "jsonl": lambda raw: [json.loads(line) for line in raw.splitlines()],
    "parquet": lambda raw: pd.read_parquet(io.BytesIO(raw)).astype(object).to_dict("records"),
    "xlsx": lambda raw: sheet(raw),
}


def sheet(raw: bytes) -> list[dict[str, Any]]:
    rows = list(openpyxl.load_workbook(io.BytesIO(raw)).active.iter_rows())
    names = [cell.value for cell in rows[0]]
    assert {cell.data_type for row in rows for cell in row} <= {"s", "n", "b"}
    return [dict(zip(names, [cell.value for cell in row], strict=True)) for row in rows[1:]]


def number(cell: Any) -> float:
    return math.nan if cell in (None, "") else float(cell)


@pytest.mark.parametrize("kind", READ)
def test_files_hold_the_numbers_of_the_report(filled: Store, kind: str) -> None:
    rows = build_report(filled, ASKED)["numbers"]
    found = READ[kind](exporting.render_agreement(filled, ASKED, kind))
    assert list(found[0]) == NUMBERS.names
    assert [row["statistic"] for row in found] == [row["statistic"] for row in rows]
    for name in ("value", "low", "high", "items", "units"):
        expected = [number(row[name]) for row in rows]
        # Excel keeps 16 digits of a number.
        exact = 1e-14 if kind == "xlsx" else 0
        assert [number(row[name]) for row in found] == pytest.approx(
            expected, rel=exact, abs=0, nan_ok=True
        )
    assert any(row["value"] is not None and row["value"] < 0 for row in rows)


@pytest.mark.parametrize("kind", READ)
def test_no_cell_of_a_file_can_run(filled: Store, kind: str) -> None:
    for make in (exporting.render_agreement, exporting.render_pairs):
        found = READ[kind](make(filled, ASKED, kind))
        texts = {str(cell) for row in found for cell in row.values() if isinstance(cell, str)}
        if kind == "csv":
            numbers = {text for text in texts if is_number(text)}
            assert not [text for text in texts - numbers if text.startswith(("=", "+", "-", "@"))]
        assert make is exporting.render_pairs or any(FORMULA in text for text in texts)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_pairs_are_those_of_the_table(filled: Store) -> None:
    found = READ["jsonl"](exporting.render_pairs(filled, ASKED, "jsonl"))
    assert list(found[0]) == PAIRS.names
    tables = compare_sides(filled, ASKED.selection, "label", MAJORITY, Side.of(NORTH)).tables
    counted = pd.crosstab(
        [row["reference_value"] for row in found], [row["judge_value"] for row in found]
    )
    for (low, high), units in counted.stack().items():
        assert tables.total[tables.values.index(low), tables.values.index(high)] == units
    assert len(found) == tables.units_n
    assert {row["unit_text"] for row in found} >= {"It costs $49.90."}


def test_command_writes_numbers_and_pairs_through_the_door(served: Store, tmp_path: Path) -> None:
    numbers, pairs = tmp_path / "numbers.csv", tmp_path / "pairs.parquet"
    command(served.path, *WORDS, "--to", numbers, "--pairs-to", pairs)
    assert numbers.read_bytes() == exporting.render_agreement(served, ASKED, "csv")
    assert len(pd.read_parquet(pairs)) == 90
    told = command(served.path, *WORDS, "--to", numbers, code=2)
    assert "already exists" in told


def test_command_fails_with_its_own_code_below_a_limit(filled: Store) -> None:
    filled.close()
    asked = (filled.path, *WORDS, "--fail-under")
    command(*asked, "percent=0.5")
    assert "Too low: kappa is 0." in command(*asked, "kappa=0.99", code=4)
    told = json.loads(command(*asked, "percent=0.5", "--fail-under", "f1:no=0.1", "--json", code=4))
    assert [(row["statistic"], row["value"]) for row in told["below"]] == [("f1:no", None)]
    for wrong in ("kappa", "=1", "kappa=high", "kappa=nan"):
        command(*asked, wrong, code=2)


def test_raters_alone_are_held_to_a_limit_with_and_without_a_judge(filled: Store) -> None:
    filled.close()
    limit = ("--fail-under", "raters_alpha=.7")
    alone = command(filled.path, *limit)
    assert alone.startswith("2 raters among themselves: ada, ben.")
    assert "By raters alone:" in alone
    assert "Both:" not in alone
    assert "Too low" not in command(filled.path, *WORDS, *limit)
    told = command(filled.path, "--fail-under", "raters_alpha=1.01", code=4)
    assert "Too low: raters_alpha is 1.000, asked for 1.01" in told


def test_text_says_n_interval_and_reason(filled: Store) -> None:
    filled.close()
    told = command(filled.path, *WORDS)
    lines = {line.split()[0]: line for line in reversed(told.splitlines()) if line}
    verdict, agreement, replacement, *_ = told.splitlines()
    assert verdict == (
        "By the replacement test with a margin of 15 points, judge north is not shown to be fit to "
        "stand in for a rater; it agrees with the raters less often than they agree with each "
        "other."
    )
    assert agreement.startswith("Agreement test: judge north and a rater give the same label in ")
    assert agreement.endswith("From 30 items, 90 sentences.")
    assert "margin epsilon 0.15 for skilled raters: the judge wins against 0 of 2" in replacement
    assert replacement.endswith("The test rests on fewer than three raters: read it with care.")
    row = lines["alt_test_rater_ahead"]
    assert "[" in row
    assert row.partition("]")[2].split()[:2] == ["30", "90"]
    assert lines["percent"].split()[-2:] == ["30", "90"]
    assert lines["precision:contradictory"].endswith("the judge never says contradictory")
    assert lines["precision:contradictory"].split()[1:3] == ["—", "—"]
    assert "reference only: 0; judge only: 0" in told
    assert "percent by market, lowest first" in told
    # What the page says beside a corrected rate, and only what is true of this reference.
    assert "The corrected rate holds only if the items people labelled are a random sample" in told
    assert "chosen by disagreement" not in told
    settled = command(filled.path, "--reference", "verdict", "--judge", "judge:north")
    assert "items with such an answer were chosen by disagreement and are no random" in settled


def test_a_model_that_has_not_converged_is_doubted_in_the_command_and_in_files(
    store: Store, tmp_path: Path
) -> None:
    raters = [Author(kind=AuthorKind.RATER, name=name) for name in ("ada", "ben", "cid")]
    codes = np.random.default_rng(7).choice(3, (25, 3, 3), p=[0.5, 0.3, 0.2])
    drafts = [
        sentence_draft(
            number,
            {
                rater: tuple((S, U, C)[code] for code in codes[number, column])
                for column, rater in enumerate(raters)
            },
        )
        for number in range(25)
    ]
    save_drafts(store, drafts)
    store.close()
    numbers = tmp_path / "numbers.csv"
    told = command(store.path, "--to", numbers)
    assert f"Doubtful: {NOT_CONVERGED}." in told.splitlines()
    believed = pd.read_csv(numbers)[lambda rows: rows["statistic"] == "dawid_skene"]
    assert len(believed) == 3
    assert believed["reason"].str.startswith(NOT_CONVERGED).all()
    assert f"Doubtful: {NOT_CONVERGED}." in json.loads(command(store.path, "--json"))["notes"]


def said(*labels: tuple[str | None, ...]) -> list[Any]:
    return [
        sentence_draft(number, {ADA: (low,) * 3, NORTH: (high,) * 3})
        for number, (low, high) in enumerate(labels)
    ]


UNDEFINED = {
    "one label only": ([(S, S)] * 25, "kappa", "both use one label only"),
    "constant judge": ([(S, S), (U, S)] * 12, "mcc", "the judge uses one label only"),
    "constant rater": ([(S, S), (S, U)] * 12, "mcc", "the reference uses one label only"),
    "no overlap": ([(S, None), (None, S)] * 12, "percent", "no unit has both"),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined_numbers_say_why(store: Store, name: str) -> None:
    labels, statistic, reason = UNDEFINED[name]
    save_drafts(store, said(*labels))
    asked = AgreementQuestion(
        selection=ASKED.selection, reference=Side.of(ADA), judge=Side.of(NORTH)
    )
    told = build_report(store, asked)
    row = find_overall_row(told, statistic)
    assert row is not None
    assert (row["value"], row["low"], row["reason"]) == (None, None, reason)
    store.close()
    shown = command(store.path, "--reference", "rater:ada", "--judge", "judge:north")
    (line,) = [line for line in shown.splitlines() if line.startswith(f"{statistic} ")]
    assert line.split()[1] == "—"
    assert line.endswith(reason)


def test_names_that_are_not_there_are_refused(filled: Store) -> None:
    wrong = (
        ({"judge": Side.from_text("judge:x")}, "judge:x has no label"),
        ({"selection": Selection(runs=("r0",))}, "no run r0"),
        ({"by": "size"}, "cannot be told apart by “size”. Use one of: market"),
        ({"field": "context"}, "no units of context; there are: response"),
        ({"criterion": "ethics"}, "no criterion"),
        ({"raters_are": "bored"}, "skilled"),
    )
    for changed, words in wrong:
        with pytest.raises(ReviewError, match=words):
            build_report(filled, replace(ASKED, **changed))
    with pytest.raises(ReviewError, match="holds no runs"):
        report_of_nothing(filled.path.parent / "empty.duckdb")
    with pytest.raises(ReviewError, match="no export"):
        exporting.render_agreement(filled, ASKED, "pdf")


def test_several_protocols_are_named_with_the_option_that_chooses(tmp_path):
    store = new_store(tmp_path / "sample.duckdb", first_start.fill)
    words = r"--protocol claim_overlap, .* or sentence_grounding"
    try:
        with pytest.raises(ReviewError, match=words):
            build_report(store, replace(ASKED, selection=Selection(), criterion=""))
        runs = queries.runs(store)
        run = str(runs[runs["protocol"] == "claim_overlap"]["run_id"].iloc[0])
        with pytest.raises(ReviewError, match="protocol claim_overlap has no criterion “label”"):
            build_report(store, replace(ASKED, selection=Selection(runs=(run,)), criterion="label"))
    finally:
        store.close()


def test_a_judge_of_the_sample_is_found_by_the_run_that_the_refusal_names(tmp_path):
    store = new_store(tmp_path / "sample.duckdb", first_start.fill)
    save_drafts(store, said((S, S)))
    store.close()
    words = ("--protocol", "sentence_grounding", "--judge", "judge:judge-north-2")
    told = command(store.path, *words, code=1)
    assert "judge:north. judge:judge-north-2 labels the sample" in told
    run = told.rpartition("--run ")[2].strip().rstrip(".")
    assert "percent" in command(store.path, *words, "--run", run)
    assert "sample" not in command(store.path, *words[:3], "judge:nobody", code=1)


def report_of_nothing(path: Path) -> None:
    empty = new_store(path)
    try:
        build_report(
            empty,
            AgreementQuestion(selection=Selection(), reference=MAJORITY, judge=Side.of(NORTH)),
        )
    finally:
        empty.close()


def test_claims_of_the_raters_alone_are_told_once(tmp_path):
    store = new_store(tmp_path / "p.duckdb", first_start.fill)
    selection = Selection(protocol="claim_overlap")
    asked = AgreementQuestion(selection=selection, reference=MAJORITY, judge=MAJORITY)
    names = [row["statistic"] for row in build_report(store, asked)["numbers"]]
    store.close()
    assert names.count("claim_f1_macro") == names.count("claim_f1") == 1
