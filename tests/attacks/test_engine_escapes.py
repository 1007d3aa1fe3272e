"""Statements that would leave the store, on the product's own connection: refused, all of them.

They run in a process of their own, as a store's reader would run them, because an engine that is
led astray may take its process along.
"""

import json
import os
import signal
import subprocess
import sys

import duckdb
import pytest

from tests.made_stores import new_store
from tests.shared_data import ROOT

# `{out}` is a folder beside the store, `{in}` the one folder the engine may use.
ESCAPES = (
    # Reading and listing files.
    "select * from read_text('/etc/hostname')",
    "select * from read_blob('/etc/hostname')",
    "select * from read_csv('/etc/hostname')",
    "select * from read_csv_auto('/etc/hostname')",
    "select * from read_json('/etc/hostname')",
    "select * from read_json_objects('/etc/hostname')",
    "select * from read_parquet('/etc/hostname')",
    "select * from sniff_csv('/etc/hostname')",
    "select * from parquet_metadata('/etc/hostname')",
    "select * from parquet_schema('/etc/hostname')",
    "select * from parquet_file_metadata('/etc/hostname')",
    "select * from glob('/*')",
    "select * from glob('{out}/*')",
    "select * from '/etc/hostname'",
    "select * from '{out}/secret.csv'",
    "select * from read_text('{in}/../secret.csv')",
    "select * from read_text('{in}-sibling/secret.csv')",
    "select * from read_text('{in}/link.csv')",
    "select * from read_text('{in}/linked/secret.csv')",
    "select * from read_text('file:///etc/hostname')",
    "copy authors from '/etc/hostname'",
    "select * from read_csv(['/etc/hostname', '/etc/hosts'])",
    # Networks.
    "select * from 'http://127.0.0.1:9/x.csv'",
    "select * from read_csv('https://127.0.0.1:9/x.csv')",
    "select * from read_parquet('s3://bucket/x.parquet')",
    "attach 'http://127.0.0.1:9/x.duckdb'",
    # Writing files.
    "copy (select 1) to '{out}/written.csv'",
    "copy (select 1) to '{out}/written.parquet' (format parquet)",
    "copy (select 1) to '{in}/../written.csv'",
    "export database '{out}/written'",
    "import database '{out}/written'",
    "attach '{out}/written.duckdb'",
    "attach '{out}/written.duckdb' as w (type duckdb)",
    "create persistent secret s (type http, bearer_token 'x')",
    # Programs of others.
    "install httpfs",
    "install 'https://127.0.0.1:9/x.duckdb_extension'",
    "force install httpfs from community",
    "load httpfs",
    "load '{out}/x.duckdb_extension'",
    "update extensions",
    # Opening the engine again.
    "set enable_external_access = true",
    "set lock_configuration = false",
    "reset lock_configuration",
    "reset enable_external_access",
    "set allowed_directories = ['/']",
    "set allowed_paths = ['/etc/hostname']",
    "set memory_limit = '64GB'",
    "set threads = 64",
    "set temp_directory = '{out}'",
    "set home_directory = '{out}'",
    "set secret_directory = '{out}'",
    "set extension_directory = '{out}'",
    "set autoinstall_known_extensions = true",
    "set autoload_known_extensions = true",
    "set custom_extension_repository = 'http://127.0.0.1:9'",
    "set allow_unsigned_extensions = true",
    "set global log_query_path = '{out}/queries'",
    "set profiling_output = '{out}/profile'",
    "pragma profiling_output = '{out}/profile'",
    # Variables of the program.
    "select * from rows_of_the_program",
    "select * from frame_of_the_program",
    # Several at once, behind something harmless.
    "select 1; copy (select 1) to '{out}/written.csv'",
    "select 1; set enable_external_access = true",
)
# What the engine may do, so that the list above is not refused for a reason of its own.
ALLOWED = ("select 1", "select count(*) from authors", "copy (select 1) to '{in}/allowed.csv'")
LOGGING = "call enable_logging(storage = 'file', storage_path = '{out}/log')"
RUN = """
import json, sys
from pathlib import Path
import duckdb, pandas
assert duckdb.__version__ == sys.argv[3]
from data.store.store import open_store

rows_of_the_program = [1]
frame_of_the_program = pandas.DataFrame({"a": [1]})
store, answers = open_store(Path(sys.argv[1])), []
for statement in json.loads(sys.argv[2]):
    try:
        with store.read() as cursor:
            cursor.execute(statement).fetchall()
        answers.append("done")
    except duckdb.Error as refused:
        answers.append(type(refused).__name__)
print(json.dumps(answers))
"""


@pytest.fixture
def place(tmp_path):
    """A store beside a secret that symbolic links lead to."""
    path = tmp_path / "store" / "s.duckdb"
    path.parent.mkdir()
    new_store(path).close()
    inside = path.parent / "backups"
    inside.mkdir(exist_ok=True)
    sibling = path.parent / "backups-sibling"
    sibling.mkdir()
    for folder in (tmp_path, path.parent, sibling):
        (folder / "secret.csv").write_text("a\nsecret\n")
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    (inside / "linked").symlink_to(tmp_path)
    return path


def ended(path, statements):
    """A process that runs these statements on the store."""
    places = {"out": path.parent.parent, "in": path.parent / "backups"}
    filled = [statement.format(**places) for statement in statements]
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}  # the engine
    return subprocess.run(
        [sys.executable, "-c", RUN, str(path), json.dumps(filled), duckdb.__version__],
        cwd=ROOT,
        env=kept | {"HOME": str(path.parent.parent / "home"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def answers(path, statements):
    """What became of each statement, in a process that ended by itself."""
    done = ended(path, statements)
    assert done.returncode == 0, done.stderr
    return dict(zip(statements, json.loads(done.stdout), strict=True))


def files(path):
    return {each for each in path.parent.parent.rglob("*") if "s.duckdb" not in each.name}


def test_no_statement_leaves_the_store(place):
    before = files(place)
    told = answers(place, (*ESCAPES, *ALLOWED))
    assert [statement for statement in ESCAPES if told[statement] == "done"] == []
    assert {told[statement] for statement in ALLOWED} == {"done"}
    assert files(place) - before == {place.parent / "backups" / "allowed.csv"}


def test_log_of_the_engine_goes_into_no_file(place):
    """1.5 takes this one in spite of the lock, and may then abort; 2.0 refuses it.

    Only somebody who can already run SQL gets there, and nothing here makes SQL from text. What
    must hold all the same: no file is written, and the next opening finds everything.
    """
    before = files(place)
    done = ended(place, (LOGGING, "select 1"))
    if duckdb.__version__ >= "2":
        assert done.returncode == 0
        refused, after = json.loads(done.stdout)
        assert refused != "done"
        assert after == "done"
    assert done.returncode in (0, -signal.SIGABRT)
    assert files(place) == before
    assert answers(place, ALLOWED[:2]) == dict.fromkeys(ALLOWED[:2], "done")
