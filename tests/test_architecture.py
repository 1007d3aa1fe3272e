"""Architecture rules that import-linter and ruff cannot express; one test per rule, over all files.

Which package may import which stands in `pyproject.toml` under `[tool.importlinter]`.
"""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("components", "data", "faithfulness", "pages")
SOURCES = [
    ROOT / "app.py",
    ROOT / "cli.py",
    *sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")),
]
SCRIPTS = sorted((ROOT / "components").rglob("*.js"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}

# Names that may be used in these files only: no other file starts a model, a page or a query.
ALLOWED_ONLY_IN = {
    "streamlit": ("app.py", "pages/", "components/", "data/access/shared_store.py"),
    "duckdb": ("data/",),
    "openai": ("faithfulness/judging/endpoint/openai_judge.py",),
    "session_state": ("components/ui/session.py",),
    # Nothing that a file or a judge wrote may become markup or code.
    "unsafe_allow_html": (),
    "unsafe_allow_javascript": (),
    "iframe": (),
    "v1": (),
    "pickle": (),
    "marshal": (),
    "shelve": (),
    "read_pickle": (),
    "allow_pickle": (),
    "eval": (),
    "exec": (),
}
UNSAFE_IN_SCRIPTS = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "DOMParser",
    "srcdoc",
    "eval(",
    "new Function",
    "setHTMLUnsafe",
    "createContextualFragment",
    "fetch(",
)
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
MOST_MODULES_IN_A_DIRECTORY = 25


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def identifiers(tree: ast.Module) -> set[str]:
    """Every package a file imports, and every name, attribute and keyword it uses."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            names.update((node.module or "").split("."))
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.keyword):
            names.add(node.arg or "")
        elif isinstance(node, ast.Name):
            names.add(node.id)
    return names


def method_calls(tree: ast.Module, method: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == method
    ]


def receiver(call: ast.Call) -> str:
    value = getattr(call.func, "value", None)
    return value.id if isinstance(value, ast.Name) else ""


def test_sources_are_found_in_every_package():
    assert {relative(path).split("/")[0] for path in SOURCES} == {*PACKAGES, "app.py", "cli.py"}


def test_restricted_names_are_used_only_where_they_belong():
    misplaced = [
        f"{relative(path)}: {name}"
        for path, tree in TREES.items()
        for name in identifiers(tree) & set(ALLOWED_ONLY_IN)
        if not relative(path).startswith(ALLOWED_ONLY_IN[name] or ("nowhere",))
    ]
    assert not misplaced


def test_only_the_router_sends_html_and_only_our_style_sheet():
    senders = {
        relative(path)
        for path, tree in TREES.items()
        for call in method_calls(tree, "html")
        if receiver(call) == "st"
    }
    assert senders == {"components/ui/router.py"}


def test_no_page_or_component_writes_to_the_store_itself():
    """A rerun of the page in the middle of a transaction would lose the write without a trace."""
    writes = [
        f"{relative(path)}:{call.lineno}"
        for path, tree in TREES.items()
        if "streamlit" in identifiers(tree)
        for call in (*method_calls(tree, "write"), *method_calls(tree, "write_journaled"))
        if receiver(call) != "st"
    ]
    assert not writes


def test_dataclasses_are_keyword_only():
    positional = []
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            for mark in node.decorator_list if isinstance(node, ast.ClassDef) else ():
                call = isinstance(mark, ast.Call)
                if ast.unparse(mark.func if call else mark) != "dataclass":
                    continue
                if not call or "kw_only" not in {keyword.arg for keyword in mark.keywords}:
                    positional.append(f"{relative(path)}: {node.name}")
    assert not positional


def test_file_names_say_what_is_in_the_file():
    vague = [
        relative(path) for path in SOURCES if set(re.split(r"[/_.]", relative(path))) & VAGUE_NAMES
    ]
    assert not vague


def test_directories_stay_small_enough_to_read():
    sizes = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    assert not {
        relative(folder): count
        for folder, count in sizes.items()
        if count > MOST_MODULES_IN_A_DIRECTORY
    }


def test_browser_code_inserts_text_only_as_text():
    unsafe = [
        f"{relative(path)}: {word}"
        for path in SCRIPTS
        for word in UNSAFE_IN_SCRIPTS
        if word in path.read_text(encoding="utf-8")
    ]
    assert not unsafe


def queries() -> dict[str, str]:
    """The SQL constants of `data/` that read tables, by module and name."""
    return {
        f"{relative(path)}:{target.id}": node.value.value
        for path, tree in TREES.items()
        if relative(path).startswith("data/")
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and "\nfrom " in str(node.value.value)
    }


# Queries about annotations whether they are current or not, and about runs whether removed or not:
# writes, histories, caches, and those that ask about items which another query has chosen.
ABOUT_ALL_ANNOTATIONS = {
    "data/agreement/pairs_sql.py:ANY_PIECES",
    "data/agreement/pairs_sql.py:_SIGNED",
    "data/exporting/jsonl_file.py:_REPLIES",
    "data/items/append.py:_LAST_NUMBERS",
    "data/items/current_sql.py:DECIDED_FOR_OTHER_RUNS",
    "data/meetings/decide.py:_HISTORY",
    "data/store/cache/changes.py:_CHANGED",
    "data/store/cache/changes.py:_CHANGED_ELSEWHERE",
    "data/store/cache/changes.py:_STAMP",
}
ABOUT_ALL_RUNS = {
    "data/importing/save_sql.py:RUNS",
    "data/items/cases.py:_RUNS",
    "data/items/counted_runs.py:_IDS",
    "data/items/item_numbers.py:_GIVEN",
    "data/runs/queries.py:ITEM_HEADLINES",
    "data/runs/queries.py:ITEM_PAGE",
    "data/judging/replies.py:_REPLIES",
    "data/meetings/decision_facts.py:_PROTOCOL",
    "data/runs/remove.py:_UNKNOWN",
}


def test_queries_leave_out_what_is_superseded_or_removed():
    superseded = {
        name
        for name, sql in queries().items()
        if re.search(r"from annotations\b", sql) and "supersedes" not in sql
    }
    removed = {
        name
        for name, sql in queries().items()
        if re.search(r"from runs\b", sql) and "run_removals" not in sql
    }
    assert superseded <= ABOUT_ALL_ANNOTATIONS
    assert removed <= ABOUT_ALL_RUNS
