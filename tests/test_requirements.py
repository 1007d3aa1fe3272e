"""The requirement files list what is imported, and the lock files pin everything they list."""

import ast
import re
import sys
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("app.py", "cli.py", "pages", "components", "data", "faithfulness")
TESTS = ("tests", "docs")
OWN_PACKAGES = {Path(name).stem for name in (*PRODUCT, *TESTS, "benchmarks")}
# app.py imports it by a name in a string.
IMPORTED_BY_NAME = {"plotly"}
NAMES = ("requirements", "requirements-login", "requirements-dev")


def normalize(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def read_pins(name: str) -> dict[str, str]:
    """Return the version of every distribution in a requirements file and the files it includes."""
    pins: dict[str, str] = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        requirement = line.partition("#")[0].strip()
        if requirement.startswith("-r "):
            pins |= read_pins(requirement.removeprefix("-r "))
        elif requirement:
            distribution, _, pinned = requirement.partition("==")
            pins[normalize(distribution)] = pinned
    return pins


def read_lock(name: str) -> dict[str, tuple[str, int]]:
    """Return the version and the number of hashes of every distribution in a lock file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.findall(r"(?m)^([\w.-]+)==([^\s;]+)[^\\\n]*((?:\\\n {4}--hash=\S+ ?)*)$", text)
    assert len(entries) == len(re.findall(r"(?m)^[^\s#]", text)), "unexpected lines"
    return {
        normalize(distribution): (pinned, hashes.count("--hash=sha256:"))
        for distribution, pinned, hashes in entries
    }


def locked_versions(name: str) -> dict[str, str]:
    return {distribution: pinned for distribution, (pinned, _) in read_lock(name).items()}


def imported_distributions(*roots: str) -> set[str]:
    """Return the third-party distributions that these files import, at any place in a file."""
    packages: set[str] = set()
    for root in roots:
        for path in [ROOT / root] if root.endswith(".py") else (ROOT / root).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    packages.update(alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module:
                    packages.add(node.module.partition(".")[0])
    distributions = packages_distributions()
    return {
        normalize(distribution)
        for package in packages - sys.stdlib_module_names - OWN_PACKAGES
        for distribution in distributions.get(package, [package])
    }


def test_requirements_list_exactly_what_the_product_imports():
    assert set(read_pins("requirements.txt")) == imported_distributions(*PRODUCT) | IMPORTED_BY_NAME


def test_development_requirements_list_what_the_tests_import():
    assert imported_distributions(*TESTS) <= set(read_pins("requirements-dev.txt"))


def test_installed_versions_are_the_pinned_ones():
    pins = read_pins("requirements-dev.txt")
    assert {distribution: version(distribution) for distribution in pins} == pins


@pytest.mark.parametrize("name", NAMES)
def test_lock_file_has_every_requirement_in_its_version(name):
    assert read_pins(f"{name}.txt").items() <= locked_versions(f"{name}.lock").items()


@pytest.mark.parametrize("name", NAMES)
def test_everything_in_a_lock_file_has_a_hash_and_no_address(name):
    assert not [key for key, (_, hashes) in read_lock(f"{name}.lock").items() if not hashes]
    assert "://" not in (ROOT / f"{name}.lock").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES[1:])
def test_lock_files_agree_with_the_product(name):
    assert locked_versions("requirements.lock").items() <= locked_versions(f"{name}.lock").items()
