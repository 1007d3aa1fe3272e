"""Names of uploads are shown and never used; texts that name files or addresses open nothing."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from components.importing.uploads import Upload
from data.importing.prepare import prepare
from data.importing.save import save_import
from tests.data.importing.samples import item, json_lines
from tests.made_stores import new_store
from tests.shared_data import ROOT

NAMES = (
    "../../x.jsonl", "../" * 40 + "etc/x.jsonl", "/etc/passwd.jsonl", "/dev/stdin.jsonl",
    "..\\..\\x.jsonl", "C:\\Windows\\x.jsonl", "\\\\server\\share\\x.jsonl", "file:///etc/x.jsonl",
    "http://127.0.0.1:9/x.jsonl", ".jsonl", "..jsonl", "~/x.jsonl", "$HOME/x.jsonl", "`id`.jsonl",
    "$(id).jsonl", "; rm -rf x.jsonl", "| cat.jsonl", "-rf.jsonl", "--help.jsonl", "=1+1.jsonl",
    "<b>x</b>.jsonl", "a\nb.jsonl", "a\tb.jsonl", "\u202elnosj.jsonl", "con.jsonl",
    "x" * 300 + ".jsonl", "💡.jsonl", "%2e%2e%2fx.jsonl", "s.duckdb.jsonl", "{0}.jsonl",
    "'x'.jsonl",
)  # fmt: skip


def uploaded(name: str, content: bytes) -> UploadedFile:
    return UploadedFile(UploadedFileRec("id", name, "text/plain", content), FileURLs())


def everything_below(folder: Path) -> set[str]:
    return {str(each.relative_to(folder)) for each in folder.rglob("*")}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place of one's own to stand in, so that a path that is used shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_name_of_an_upload_is_shown_and_is_never_a_path(folder):
    before = everything_below(folder)
    content = json_lines(item(1, sentences=[]))
    upload = Upload([uploaded(name, content) for name in NAMES])
    try:
        assert [each.name for each in upload.files] == list(NAMES)
        below = Path(upload._folder.name)
        assert {each.path.parent for each in upload.files} == {below}
        for number, each in enumerate(upload.files):
            assert re.fullmatch(r"upload-\d+", each.path.name)
            if number % 10 == 0:  # a child process each; the copies above are what matters
                manifest = prepare([(each.name, each.path)], into=upload.new_folder())
                assert manifest.files[0].name == each.name
    finally:
        upload.discard()
    assert not below.exists()
    assert everything_below(folder) == before


def test_name_that_looks_like_sql_or_a_path_is_stored_as_it_came(folder):
    store = new_store(folder / "s.duckdb")
    name = "'); drop table runs; -- ../../x.jsonl"
    upload = Upload([uploaded(name, json_lines(item(1, sentences=[])))])
    into = upload.new_folder()
    prepare(upload.named_paths, into=into)
    save_import(store, into, operation_id="one")
    upload.discard()
    with store.read() as cursor:
        assert cursor.execute("select file_name from imported_files").fetchall() == [(name,)]
    store.close()


@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace is not installed; opened files cannot be seen"
)
def test_texts_that_name_files_and_addresses_open_and_fetch_nothing(folder):
    if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False).returncode:
        pytest.skip("this machine does not let processes be traced (ptrace)")
    bait = folder / "bait.txt"
    bait.write_text("never read")
    named = (
        f"{bait} file://{bait} read_text('{bait}') ![x](http://127.0.0.1:9/beacon) "
        f"<!ENTITY x SYSTEM 'file://{bait}'> ${{jndi:ldap://127.0.0.1:9/x}} @{bait} "
    )
    texts = [item(nth, response=f"{named} Lamp {nth}.", sentences=[]) for nth in range(3)]
    for each in texts:
        each["context_document"] = each["user_request"] = named + "The lamp draws 14 watts."
    (folder / "in.jsonl").write_bytes(json_lines(*texts))
    trace = folder / "trace"
    command = ["strace", "-f", "-e", "trace=connect,open,openat,openat2", "-o", trace]
    command += [sys.executable, ROOT / "cli.py", "import", "--create", folder / "in.jsonl"]
    command += ["--store", folder / "s.duckdb"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    seen = trace.read_text(errors="replace")
    assert "in.jsonl" in seen  # it was looked at the right place
    assert "bait.txt" not in seen
    assert re.findall(r"connect\(\d+, \{sa_family=AF_INET6?.*", seen) == []
