"""Counts the project modules that four operations enter and the SQL statements that they execute.

Usage: python -m benchmarks.call_paths [--list]

The operations run through the pages, on a store in a temporary folder that holds the sample and the
rows of an import. Each operation runs once with other data before it is measured, so that modules
are loaded and caches are filled as in an app that has been running for a while.

A module counts when its code runs in any thread or child process; its body does not count when it
runs because of an import. A statement counts whenever it is sent to DuckDB, including the begin and
the commit of a transaction. `--list` also prints the modules.

A decision is measured from the actions that the browser sends until it is on disk, the other
operations until their page is drawn.
"""

import argparse
import importlib
import json
import logging
import os
import runpy
import statistics  # noqa: F401 - before AppTest adds pages/ to the path, where a page has this name
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

# The product is imported by the functions that use it: child processes must not load all of it.
if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

    from data.store.store import Store

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ("app.py", "cli.py", "pages", "components", "data", "faithfulness")
CHILD, STATEMENT = "--child", "SQL"
PREPARING_SECONDS, TIMEOUT = 60, 120
TEXT = "The {name} holds {size} liters. It has a warranty of {size} months."


class Operation(NamedTuple):
    """One operation and how much it may take at most."""

    title: str
    modules: int  # before pages query the read model
    final_modules: int  # once they do
    final_statements: int = 0  # 0: no target


IMPORT = Operation("Import 40 rows, from the page to the stored rows", 60, 40)
ITEM = Operation("Open an item in the reader", 45, 30, 6)
CELL = Operation("Click a cell of the confusion matrix", 25, 16)
DECISION = Operation("Save a decision in a meeting", 18, 12, 6)


class Counts(NamedTuple):
    """The result for one operation."""

    modules: list[str]
    statements: int


class Recorder:
    """Notes modules and statements of this process and its children while it is active."""

    def __init__(self, report: Path) -> None:
        self._report = report.open("a", buffering=1, encoding="utf-8")
        self._is_active = False
        self._window: CodeType | None = None
        self._entered: set[str] = set()
        self._names: dict[CodeType, str] = {}
        self._thread = threading.local()

    @property
    def is_active(self) -> bool:
        return self._is_active

    @property
    def path(self) -> Path:
        return Path(self._report.name)

    def observe_calls(self) -> None:
        """Observe calls in this thread and in all threads that start later."""
        threading.setprofile(self._observe)
        sys.setprofile(self._observe)

    def start(self, within: Callable[..., object] | None = None) -> None:
        """Note what runs from now on, or only while this function runs."""
        self._entered.clear()
        self._window = getattr(within, "__code__", None)
        self._is_active = within is None

    def stop(self) -> Counts:
        """Return what was noted here and in child processes, and forget it."""
        self._is_active, self._window = False, None
        lines = self.path.read_text(encoding="utf-8").splitlines()
        self._report.truncate(0)
        return Counts(sorted({*lines} - {STATEMENT}), lines.count(STATEMENT))

    def note_statement(self) -> None:
        if self._is_active:
            self._write(STATEMENT)

    def _observe(self, frame: FrameType, event: str, _: object) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code is self._window:
            self._is_active = event == "call"
        if code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            step = 1 if event == "call" else -1
            self._thread.imports = getattr(self._thread, "imports", 0) + step
        elif self._is_active and event == "call" and not getattr(self._thread, "imports", 0):
            self._enter(code)

    def _enter(self, code: CodeType) -> None:
        if code not in self._names:
            self._names[code] = name_module(code.co_filename)
        name = self._names[code]
        if name and name not in self._entered:
            self._entered.add(name)
            self._write(name)

    def _write(self, line: str) -> None:
        """Append to the report at once: a child process may be killed when it has answered."""
        self._report.write(f"{line}\n")


class CountingConnection:
    """A DuckDB connection whose statements are noted."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, recorder: Recorder) -> None:
        self._connection = connection
        self._recorder = recorder

    def cursor(self) -> "CountingConnection":
        return CountingConnection(self._connection.cursor(), self._recorder)

    def __getattr__(self, name: str) -> Any:
        if name in ("execute", "executemany", "sql", "query"):
            self._recorder.note_statement()
        return getattr(self._connection, name)


def name_module(file_name: str) -> str:
    """Return the path of a project module below the root, or "" for any other file."""
    path = Path(file_name)
    if not path.is_relative_to(ROOT):
        return ""
    path = path.relative_to(ROOT)
    return path.as_posix() if path.parts[0] in PROJECT else ""


def count_statements(recorder: Recorder) -> None:
    """Note the statements of every connection that is opened from now on."""
    connect = duckdb.connect

    def connect_counting(*args: Any, **options: Any) -> CountingConnection:
        return CountingConnection(connect(*args, **options), recorder)

    vars(duckdb)["connect"] = connect_counting


def count_in_children(recorder: Recorder) -> None:
    """Let child processes that run a project module run it through `run_child`."""

    class CountingPopen(subprocess.Popen[Any]):
        def __init__(self, args: Any, *rest: Any, **options: Any) -> None:
            if recorder.is_active and "-m" in args:
                at = args.index("-m") + 1
                through = ["benchmarks.call_paths", CHILD, str(recorder.path)]
                args = [*args[:at], *through, *args[at:]]
            super().__init__(args, *rest, **options)

    vars(subprocess)["Popen"] = CountingPopen


def run_child(report: Path, module: str) -> None:
    """Run a module as the main module of this process and append what it enters to the report."""
    recorder = Recorder(report)
    count_statements(recorder)
    importlib.import_module(module)  # its imports are not part of the operation
    del sys.modules[module]
    recorder.observe_calls()
    recorder.start()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def open_page(name: str, **address: str) -> "AppTest":
    from streamlit.testing.v1 import AppTest

    page = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=TIMEOUT)
    for key, value in address.items():
        page.query_params[key] = value
    return run_page(page)


def run_page(page: "AppTest") -> "AppTest":
    page.run()
    problems = [*page.exception, *page.error]
    if problems:
        raise RuntimeError(f"the page shows {problems[0].value}")
    return page


def import_rows(name: str) -> None:
    """Upload a file of labeled sentences to the import page, preview it and store it."""
    page = open_page("import_runs")
    page.file_uploader(key="files").upload(f"{name}.jsonl", make_rows(name))
    run_page(page)
    press_button(page, "Continue")
    press_button(page, "Preview")
    end = time.monotonic() + PREPARING_SECONDS
    while all(button.label != "Store" for button in page.button):
        if time.monotonic() > end:
            raise RuntimeError("the preview of an import did not appear")
        time.sleep(0.2)
        run_page(page)
    press_button(page, "Store")
    if not page.success:
        raise RuntimeError("the import page did not report that the rows are stored")


def make_rows(name: str) -> bytes:
    """Return 40 JSON lines: two raters on the two sentences of ten items."""
    lines = []
    for size in range(10):
        response = TEXT.format(name=name, size=size + 10)
        first, second = response.split(". ")
        for rater, label in (("ana", "supported"), ("ben", "unsupported")):
            for sentence, value in ((f"{first}.", "supported"), (second, label)):
                row = {"id": f"{name} {size}", "context": response, "response": response}
                row |= {"sentence": sentence, "label": value, "rater": rater}
                if value == "supported":
                    row["excerpt"] = sentence
                lines.append(json.dumps(row))
    return "\n".join(lines).encode()


def press_button(page: "AppTest", label: str) -> None:
    next(button for button in page.button if button.label == label).click()
    run_page(page)


def measure_import(recorder: Recorder) -> Counts:
    import_rows("kettle")
    recorder.start()
    import_rows("teapot")
    return recorder.stop()


def measure_item(recorder: Recorder, store: "Store") -> Counts:
    from data.runs import queries

    run_id = str(queries.runs(store)["run_id"].iloc[0])  # the newest: the measured import
    first, second = queries.run_items(store, run_id)["item_id"].iloc[:2]
    open_page("item", run=run_id, item=first)
    recorder.start()
    open_page("item", run=run_id, item=second)
    return recorder.stop()


def measure_cell(recorder: Recorder) -> Counts:
    from components.charts.confusion import cell_as_text

    page = open_page("agreement", protocol="sentence_grounding", view="table")
    page.query_params["cell"] = cell_as_text("supported", "unsupported")
    run_page(page)
    page.query_params["cell"] = cell_as_text("unsupported", "supported")
    recorder.start()
    run_page(page)
    return recorder.stop()


def measure_decision(recorder: Recorder, store: "Store") -> Counts:
    """Measure from the action list that the browser sends to the decision on disk."""
    from components.meetings.room.room import room_key
    from components.meetings.room.steps import key_of, take_steps
    from data.meetings.agendas import agenda_from
    from data.meetings.meetings import minutes_of
    from data.meetings.save_meetings import begin_meeting
    from faithfulness.model.selection import Selection

    agenda = agenda_from(store, Selection(protocol="sentence_grounding"), first=2)
    meeting = begin_meeting(store, host="eve", present=[], agenda=agenda, operation_id="meeting")
    page = open_page("meeting", meeting=meeting)
    actions: list[dict[str, object]] = []
    for number, point in enumerate(agenda, start=1):
        action = {"seq": number, "id": f"{number:032x}", "kind": "decide", "key": key_of(point)}
        actions.append(action | {"value": "supported", "reason": "The context says so."})
        page.session_state[room_key(meeting)] = {"log": actions}
        recorder.start(within=take_steps)
        run_page(page)
        counts = recorder.stop()
    if len(minutes_of(store, meeting).rulings) != len(agenda):
        raise RuntimeError("the meeting did not save its decisions")
    return counts


def measure_all(folder: Path) -> dict[Operation, Counts]:
    from data.access.shared_store import shared_store
    from data.store.paths import VARIABLE

    # It warns of every page that runs without a server.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True

    os.environ[VARIABLE] = str(folder / "plumbline.duckdb")
    recorder = Recorder(folder / "report")
    count_statements(recorder)
    count_in_children(recorder)
    recorder.observe_calls()
    store = shared_store()
    try:
        return {
            IMPORT: measure_import(recorder),
            ITEM: measure_item(recorder, store),
            CELL: measure_cell(recorder),
            DECISION: measure_decision(recorder, store),
        }
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        store.close()


def print_table(results: dict[Operation, Counts], *, with_modules: bool) -> None:
    print("operation | modules | SQL statements | target")
    print("---|---:|---:|---")
    for operation, counts in results.items():
        target = f"{operation.modules} modules, then {operation.final_modules}"
        if operation.final_statements:
            target += f" and {operation.final_statements} statements"
        print(f"{operation.title} | {len(counts.modules)} | {counts.statements} | {target}")
    for operation, counts in results.items() if with_modules else ():
        print(f"\n{operation.title}:")
        print("\n".join(f"  {name}" for name in counts.modules))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="also print the modules entered")
    parser.add_argument(CHILD, nargs=2, metavar=("REPORT", "MODULE"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        run_child(Path(chosen.child[0]), chosen.child[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        print_table(measure_all(Path(folder)), with_modules=chosen.list)


if __name__ == "__main__":
    main()
