"""Writes the list of packages in docs/architecture.md from the first lines of their docstrings.

Run it after changing the docstring of a package: `python docs/list_packages.py`.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- packages: written by docs/list_packages.py -->"
END = "<!-- end of packages -->"


def summary(package: Path) -> str:
    """Return the first line of a package's docstring."""
    module = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(module) or "").partition("\n")[0]


def subpackages(package: Path) -> list[Path]:
    """Return the packages directly below a package, by name."""
    return [path.parent for path in sorted(package.glob("*/__init__.py"))]


def write_table() -> str:
    """Return the Markdown table: a row per capability, with its subpackages in the same cell."""
    rows = ["| Package | What it does |", "|---|---|"]
    for top in ("components", "data", "faithfulness"):
        for package in subpackages(ROOT / top):
            lines = [summary(package)]
            lines += [f"`{path.name}/` {summary(path)}" for path in subpackages(package)]
            rows.append(f"| `{top}/{package.name}` | {'<br>'.join(lines)} |")
    return "\n".join(rows)


def update(document: str) -> str:
    """Return the document with its list of packages written anew."""
    before, _, rest = document.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{write_table()}\n{END}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(update(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
