"""The law of the house: who may import whom, which words live where, how long a file may be."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("components", "data", "faithfulness", "pages")
SOURCES = sorted(
    [ROOT / "app.py", *ROOT.glob("cli.py"), *ROOT.glob("cli/**/*.py")]
    + [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
)
SCRIPTS = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.js"))

MAY_IMPORT = {
    "app": {"data"},
    "cli": {"data", "faithfulness"},
    "pages": {"components", "data", "faithfulness"},
    "components": {"faithfulness"},
    "data": {"faithfulness"},
    "faithfulness": set(),
}
ONLY_IN = {
    "streamlit": ("app.py", "pages/", "components/", "data/shared_store.py"),
    "duckdb": ("data/",),
    "pandas": ("data/", "pages/", "components/"),
    "pyarrow": ("data/",),
    "openai": ("faithfulness/judges/openai_judge.py",),
    "session_state": ("components/session.py",),
    "rapidfuzz": ("faithfulness/text/",),
    "sentencex": ("faithfulness/text/",),
    "scipy": ("faithfulness/statistics/",),
    "numpy": ("faithfulness/statistics/", "faithfulness/text/", "data/"),
    # Nothing a file or a judge wrote may become markup or code.
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
# The page's own style sheet and nothing else: the router reads it from a file of ours.
ONLY_CALLED_IN = {"html": ("components/router.py",)}
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "service", "misc"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def words(path: Path) -> tuple[set[str], set[str]]:
    """The packages a file imports, and the names, attributes and keywords it uses."""
    imports: set[str] = set()
    uses: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imports.update(part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            imports.update((node.module or "").split("."))
            uses.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            uses.add(node.attr)
        elif isinstance(node, ast.keyword):
            uses.add(node.arg or "")
        elif isinstance(node, ast.Name):
            uses.add(node.id)
    return imports, uses


def rooms_imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found & set(MAY_IMPORT)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_file_keeps_to_its_room(path):
    name = name_of(path)
    room = name.split("/")[0].removesuffix(".py")
    assert rooms_imported(path) <= MAY_IMPORT[room] | ({room} - {"pages"})
    imports, uses = words(path)
    for word, homes in ONLY_IN.items():
        assert word not in imports | uses or name.startswith(homes), f"{word} belongs in {homes}"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_our_own_style_sheet_is_sent_as_html(path):
    calls = [
        node.func.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "st"
    ]
    for word, homes in ONLY_CALLED_IN.items():
        assert word not in calls or name_of(path).startswith(homes), f"st.{word} in {path}"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_file_has_a_telling_name_and_an_opening_sentence(path):
    assert not set(re.split(r"[/_.]", name_of(path))) & VAGUE
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    classes = [node for node in classes if not node.name.startswith("_")]
    for node in (tree, *classes):
        sentence = (ast.get_docstring(node) or "").partition("\n\n")[0]
        assert sentence, f"{getattr(node, 'name', 'the file')} opens without a sentence"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_values_are_given_by_name(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ClassDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Name) and mark.id == "dataclass":
                pytest.fail(f"{node.name} is a dataclass without kw_only=True")
            if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "dataclass":
                said = {each.arg for each in mark.keywords}
                assert "kw_only" in said, f"{node.name} is not keyword-only"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_screen_is_touched_inside_a_write(path):
    """A rerun of the page in the middle of a transaction would lose it without a trace.

    What runs inside a transaction is written in files that cannot draw: whoever imports Streamlit
    never calls the store's write itself.
    """
    imports, _ = words(path)
    if "streamlit" not in imports:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        assert node.func.attr != "write_journaled", f"line {node.lineno}"
        if node.func.attr == "write":
            assert getattr(node.func.value, "id", "") == "st", f"line {node.lineno}"


def questions() -> list[tuple[str, str]]:
    """The SQL with which pages and exports ask, by name."""
    files = [*(ROOT / "data").glob("queries*.py"), *(ROOT / "data" / "exports").glob("*.py")]
    return [
        (f"{path.stem}.{target.id}", node.value.value)
        for path in sorted(files)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and "\nfrom " in str(node.value.value)
    ]


# Asked about items that another question has chosen, or about what a reply gave at all.
ABOUT_CHOSEN = {"queries_items_sql.ITEM_PAGE", "queries_items_sql.ITEM_HEADLINES"}
# The agreement rows get `ONLY_CURRENT` as soon as the store holds one superseded annotation; those
# of few items are told apart as they are read. Whether anybody ever cut a text otherwise chooses
# between two ways to the same answer.
_ROWS = ("_SIGNED", "ANY_PIECES")
ABOUT_ALL = {"jsonl_file._REPLIES", *(f"queries_agreement_sql.{name}" for name in _ROWS)}


@pytest.mark.parametrize(("name", "sql"), questions(), ids=lambda text: text[:40].strip())
def test_a_question_leaves_out_what_is_removed_or_superseded(name, sql):
    if re.search(r"from annotations\b", sql) and name not in ABOUT_ALL:
        assert "supersedes" in sql
    if re.search(r"from runs\b", sql) and name not in ABOUT_CHOSEN:
        assert "run_removals" in sql


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_browser_code_puts_text_in_as_text(path):
    code = path.read_text(encoding="utf-8")
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser")
    more = (
        "srcdoc",
        "eval(",
        "new Function",
        "setHTMLUnsafe",
        "createContextualFragment",
        "fetch(",
    )
    assert not [word for word in (*forbidden, *more) if word in code]


def test_the_law_sees_every_room():
    seen = {name_of(path).split("/")[0] for path in SOURCES}
    assert set(ROOMS) | {"app.py"} <= seen
