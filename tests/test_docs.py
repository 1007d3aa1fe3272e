"""The documents name what there is: every protocol, page, importer, command and variable."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from components.ui.number_meanings import MEANINGS
from data.importing.formats import IMPORTERS
from docs import list_packages
from faithfulness.protocols import PROTOCOLS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "data").rglob("*.md")]
)
CODE = [
    path
    for pattern in ("*.py", "*.sh", "*.js")
    for folder in ("components", "data", "docs", "faithfulness", "pages", "tests")
    for path in (ROOT / folder).rglob(pattern)
]
CODE += [ROOT / "app.py", ROOT / "cli.py", ROOT / "Makefile"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def first_cells(document: str) -> set[str]:
    """What stands in back quotes at the beginning of table rows."""
    return set(re.findall(r"(?m)^\| `([^`]+)` \|", document))


def test_every_protocol_has_its_row_and_its_section():
    document = text_of("docs/protocols.md")
    assert first_cells(document) == set(PROTOCOLS)
    for each in PROTOCOLS.values():
        assert f"\n## {each.title}\n" in document
        assert f"`{each.prompt.version}`" in document


def test_every_label_is_explained():
    document = text_of("docs/protocols.md")
    for protocol in PROTOCOLS.values():
        for criterion in protocol.criteria:
            assert f"`{criterion.key}`" in document
            labels = () if criterion.scale.ordinal else criterion.scale.values
            assert not [value for value in labels if f"`{value}`" not in document]


def test_every_importer_has_its_row():
    assert first_cells(text_of("docs/importing.md")) == set(IMPORTERS)


def test_every_page_is_described():
    document = text_of("docs/architecture.md")
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").glob("*.py")]
    assert not [page for page in sorted(pages) if f"`{page}`" not in document]


def test_the_list_of_packages_is_up_to_date():
    document = text_of("docs/architecture.md")
    assert list_packages.BEGIN in document, "the list of packages has lost its first line"
    assert document == list_packages.update(document), "run python docs/list_packages.py"


PACKAGES = sorted(
    path.parent
    for top in ("components", "data", "faithfulness")
    for path in (ROOT / top).rglob("__init__.py")
)


def package_name(package: Path) -> str:
    return package.relative_to(ROOT).as_posix()


def package_docstring(package: Path) -> str:
    module = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    return ast.get_docstring(module) or ""


@pytest.mark.parametrize("package", PACKAGES, ids=package_name)
def test_package_docstring_says_what_the_package_does(package):
    docstring = package_docstring(package)
    assert docstring.partition("\n")[0].endswith(".")
    assert len(docstring.splitlines()) >= 3, "one sentence is not enough for a package"


@pytest.mark.parametrize("package", PACKAGES, ids=package_name)
def test_package_docstring_names_only_what_exists(package):
    sources = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    sources = sources.replace(package_docstring(package), "") + text_of("cli.py")
    unknown = [
        name
        for name in re.findall(r"`([^`\s]+)`", package_docstring(package))
        if not (ROOT / name).exists()
        and not (ROOT / name.replace(".", "/")).is_dir()
        and not (package / name).is_dir()
        and not (package / f"{name}.py").exists()
        and not re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", sources)
    ]
    assert not unknown


def tables_in_sql(package: Path, pattern: str) -> set[str]:
    """The names that follow SQL keywords in the strings of a package's own modules."""
    return {
        name
        for path in package.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for name in re.findall(pattern, node.value)
    }


def tables_in_docstring(package: Path, verb: str) -> set[str]:
    """The tables after "Reads" or "Writes", which may go on in indented lines."""
    found = re.search(rf"(?m)^{verb} +(.+(?:\n +.+)*)", package_docstring(package))
    return set(re.findall(r"\w+", found[1])) if found else set()


@pytest.mark.parametrize(
    "package", [path for path in PACKAGES if path.is_relative_to(ROOT / "data")], ids=package_name
)
def test_package_docstring_names_the_tables_of_its_sql(package):
    statements = "\n".join(
        path.read_text(encoding="utf-8")
        for pattern in ("*.py", "migrations/*.sql")
        for path in (ROOT / "data" / "store").glob(pattern)
    )
    tables = set(re.findall(r"create table (?:if not exists )?(\w+)", statements))
    read = tables_in_sql(package, r"\b(?:from|join)\s+(\w+)") & tables
    written = tables_in_sql(package, r"\b(?:insert into|update|delete from)\s+(\w+)") & tables
    assert read <= tables_in_docstring(package, "Reads") <= tables
    assert written == tables_in_docstring(package, "Writes")


def test_every_page_can_be_reached():
    listed = {
        node.elts[0].value
        for node in ast.walk(ast.parse(text_of("components/ui/router.py")))
        if isinstance(node, ast.Tuple) and len(node.elts) == 4
        if isinstance(node.elts[0], ast.Constant)
    }
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} <= listed


def test_every_environment_variable_is_described():
    found = {
        name
        for path in CODE
        for name in re.findall(r"\bPLUMBLINE_[A-Z_]+\b", path.read_text(encoding="utf-8"))
    }
    described = first_cells(text_of("docs/deploying.md"))
    assert found == {name for name in described if name.startswith("PLUMBLINE_")}


def test_every_command_is_described():
    told = subprocess.run(
        [sys.executable, ROOT / "cli.py", "--help"], capture_output=True, text=True, check=True
    ).stdout
    commands = re.findall(r"(?m)^    (\w+) ", told)
    assert "doctor" in commands
    documents = text_of("README.md") + text_of("docs/deploying.md")
    assert not [each for each in commands if f"cli.py {each}" not in documents]


def test_every_word_of_the_vocabulary_is_explained():
    words = re.findall(
        r"(?m)^@dataclass.*\nclass (\w+)", text_of("faithfulness/model/vocabulary.py")
    )
    assert {"Item", "Annotation"} <= set(words)
    bold = ", ".join(re.findall(r"\*\*([^*]+)\*\*", text_of("docs/terms.md")))
    assert not [word for word in words if not re.search(rf"\b{word}\b", bold)]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_points_to_is_there(path):
    document = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document)
    assert not [each for each in links if not (path.parent / each).exists()]
    rooms = "app|cli|pages|components|data|faithfulness|tests|benchmarks"
    files = re.findall(rf"`((?:{rooms})(?:/[\w./]+)?\.(?:py|md|sql|js))`", document)
    assert not [each for each in files if not (ROOT / each).exists()]


def anchors(document: str) -> set[str]:
    """What a link may lead to in a page: its headings as hosts spell them, and ids of our own."""
    headings = re.findall(r"(?m)^#+ (.+)$", re.sub(r"(?ms)^```.*?^```", "", document))
    spelt = (re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings)
    return {*spelt, *re.findall(r'<a id="([\w-]+)">', document)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_link_into_a_page_leads_to_a_heading_of_it(path):
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text(encoding="utf-8"))
    for name, anchor in links:
        page = path.parent / name if name else path
        assert anchor in anchors(page.read_text(encoding="utf-8")), f"{name}#{anchor}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_document_holds_a_word_in_place_of_what_was_to_come(path):
    assert not re.findall(r"(?m)^[A-Z]{4,}$", path.read_text(encoding="utf-8"))


def test_every_page_for_people_is_linked_from_the_readme():
    linked = set(re.findall(r"\]\((docs/\w+\.md)\)", text_of("README.md")))
    written = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")}
    assert written - linked <= {"docs/benchmarks.md"}


def test_every_page_has_its_picture_taken():
    script = text_of("docs/take_screenshots.py")
    shown = set(re.findall(r'["/](\w+)["?]', script)) | {"runs"}  # home is "/"
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} <= shown


def test_every_number_of_agreement_is_explained():
    document = text_of("docs/statistics.md")
    explained = re.findall(r'(?m)^\| <a id="(\w+)"></a>`(\w+)` \|', document)
    assert all(anchor == name for anchor, name in explained)
    assert {name for name, _ in explained} == set(MEANINGS)


def test_newest_release_in_the_changelog_is_the_version():
    releases = re.findall(r"(?m)^## (\S+) \(\d{4}-\d\d-\d\d\)$", text_of("CHANGELOG.md"))
    assert releases[0] == tomllib.loads(text_of("pyproject.toml"))["project"]["version"]
