"""Calls of the operating system that fail: told, nothing lost, and nothing stored twice.

The errors are injected by strace between the program and the kernel, so that neither Python nor
the engine knows of it. Without strace, or where a process may not be traced, these are skipped:
a patched function in Python would not reach the engine's own calls.
"""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from data.store.journal_cancellations import PERHAPS_LATER
from data.store.sidecar_files import get_log_path, get_sidecar_path
from data.store.store import open_store
from tests.faults import clumsy, people
from tests.faults.test_kills import nursery
from tests.few import few

CALLS = ("write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink")
ERRORS = ("EIO", "ENOSPC")
POSITIONS = 7
# Of each call that both engines make one case in every run, the others in a soak.
FIRST = [("write", "EIO", 3), ("pwrite64", "ENOSPC", 3), ("fsync", "EIO", 4), ("unlink", "EIO", 2)]
ALL = [(call, error, place) for call in CALLS for error in ERRORS for place in range(POSITIONS)]
CASES = [*FIRST, *(case for case in ALL if case not in FIRST)]


@pytest.fixture(scope="module")
def forked():
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed; errors of the system cannot be injected")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False).returncode:
        pytest.skip("this machine does not let processes be traced (ptrace)")
    with nursery(clumsy) as parent:
        yield parent


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clumsy")
    people.prepare(folder / "s.duckdb")
    return folder


@pytest.fixture(scope="module")
def calls_made(forked, prepared, tmp_path_factory):
    """How often each call is made on the store's files when none of them fails."""
    folder = tmp_path_factory.mktemp("whole") / "copy"
    told, traced = work(forked, prepared, folder)
    assert {what for what, _ in told} == {clumsy.SAVED, clumsy.END}
    return traced


def work(forked, prepared: Path, folder: Path, *inject: str):
    """Let people work on a copy of the store, with calls failing; what they were told."""
    shutil.copytree(prepared, folder)
    path, notes, trace = folder / "s.duckdb", folder / "notes", folder / "trace"
    forked.stdin.write(f"plain {path} {notes}\n")
    forked.stdin.flush()
    child = forked.stdout.readline().strip()
    files = (
        path,
        get_log_path(path),
        get_sidecar_path(path, "journal"),
        get_sidecar_path(path, "marker.new"),
        folder,
    )
    command = ["strace", "-f", "-p", child, "-o", trace, "-e", f"trace={','.join(CALLS)}"]
    command += [word for file in files for word in ("-P", file)]
    command += [word for each in inject for word in ("-e", f"inject={each}")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
        assert "attached" in tracer.stderr.readline()
        notes.with_suffix(".go").touch()
        forked.stdout.readline()  # the child has ended
        tracer.wait(timeout=30)
    told = [line.partition("\t")[::2] for line in notes.read_text().splitlines()]
    return told, Counter(re.findall(r"^\d+ +(\w+)\(", trace.read_text(), re.M))


@pytest.mark.parametrize("case", few(CASES, len(FIRST)))
def test_failing_call_loses_nothing_and_doubles_nothing(
    forked, prepared, calls_made, tmp_path, case
):
    call, error, place = case
    made = calls_made[call]
    if not made:
        pytest.skip(f"neither engine nor journal calls {call} here")
    at = 1 + (made - 1) * place // (POSITIONS - 1)
    told, _ = work(forked, prepared, tmp_path / "copy", f"{call}:error={error}:when={at}")
    check(tmp_path / "copy" / "s.duckdb", told)


@pytest.mark.parametrize("error", few(ERRORS, 1))
def test_disk_that_fails_for_good_is_told_and_loses_nothing(
    forked, prepared, calls_made, tmp_path, error
):
    at = calls_made["write"] // 3
    for_good = (f"write:error={error}:when={at}+", f"ftruncate:error={error}")
    told, _ = work(forked, prepared, tmp_path / "copy", *for_good)
    assert clumsy.REFUSED in {what for what, _ in told}
    check(tmp_path / "copy" / "s.duckdb", told)


def check(path: Path, told: list[tuple[str, str]]) -> None:
    """What was called saved is there, whole and once; what was refused to the end is not.

    Where the disk took no word of a refusal either, the person was told that it may come back.
    """
    assert [more for what, more in told if what == clumsy.BROKE] == []
    assert told[-1][0] in (clumsy.END, clumsy.CLOSED), "the process died"
    saved = {more for what, more in told if what == clumsy.SAVED} - {"True", "False", "None"}
    answers = [more.partition("\t")[::2] for what, more in told if what == clumsy.REFUSED]
    refused = {name for name, _ in answers} - {
        name for name, answer in answers if answer.startswith(PERHAPS_LATER)
    }
    store = open_store(path)
    assert people.complaints(store, saved) == []
    assert (refused - saved - {""}) & people.stored(store) == set()
    store.close()
