"""Hostile files end in whole storage or one refusal; rules are tried on files made here as well."""

import gzip
import io
import json
import logging
import math
import os
import signal
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.importing import import_tables
from data.importing.importer import Options
from data.importing.limits import PAGE, Limits
from data.importing.prepare import prepare
from data.importing.preview.preview import Manifest
from data.importing.save import save_import
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import RESPONSE, item, json_lines, parquet, put
from tests.made_stores import new_store
from tests.shared_data import ROOT, SHARED, needs_shared

HOSTILE = SHARED / "hostile"
MANIFEST = HOSTILE / "manifest.json"
CASES = json.loads(MANIFEST.read_text(encoding="utf-8"))["import"] if MANIFEST.exists() else []
CANARY = "quartz-canary-7731"


def run(files: list[tuple[str, Path]], tmp_path: Path, limits: Limits = PAGE) -> Manifest:
    into = tmp_path / f"into-{time.monotonic_ns()}"
    into.mkdir()
    try:
        return prepare(files, into=into, limits=limits)
    except ImportRefused:
        assert list(into.iterdir()) == []  # nothing is left behind
        raise


def one(content: bytes, name: str, tmp_path: Path) -> Manifest:
    return run([(name, put(tmp_path, f"upload-{time.monotonic_ns()}", content))], tmp_path)


def labels(manifest: Manifest) -> int:
    return sum(run.answers for run in manifest.runs)


@needs_shared
@pytest.mark.parametrize("case", CASES, ids=lambda case: Path(case["file"]).name)
def test_hostile_file_ends_as_its_manifest_says(case, tmp_path):
    path = HOSTILE / case["file"]
    began = time.monotonic()
    try:
        manifest = run([(path.name, path)], tmp_path)
    except ImportRefused as refused:
        message = str(refused)
    else:
        message = ""
    if message:
        assert case["outcome"] in ("refuse", "accept_or_refuse")
        assert path.name in message
        assert "Traceback" not in message
        for number in range(1, 4):
            if f"line {number} " in case["must"] + " ":
                assert f"line {number}" in message
    else:
        assert case["outcome"] in ("accept", "accept_or_refuse")
        if "items" in case:
            assert sum(each.items for each in manifest.runs) == case["items"]
    assert time.monotonic() - began < 3 * case.get("max_seconds", 10)
    assert not Path("YAML_TAG_RAN").exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "a.jsonl",
            b'{"id": 1e999}\n',
            "line 1: numbers too large",
        ),
        ("a.jsonl", b'{"a": NaN}\n{"a": 1}\n{"a": -Infinity}\n', "lines 1 and 3: values that JSON"),
        (
            "a.json",
            b'[{"a": "NaN"},\n{"a": NaN}]',
            "line 2: values that JSON does",
        ),
        ("a.jsonl", (b'{"a": ' + b"9" * 30 + b"}\n") * 25, "19, 20 and 5 more: numbers too long"),
        ("a.jsonl", b'{"a": nan}\n{"a": -inf}\n{"a": "nan"}\n', "lines 1 and 2: values that JSON"),
        (
            "a.parquet",
            parquet([{"id": "a", "response": "r", "score": x} for x in (1.0, math.nan, math.inf)]),
            "lines 2 and 3: the column 'score' holds nan and inf; leave these cells empty",
        ),
        ("a.json", b'[{"a": NaN},\n{"a": 1e999},\n{"a": NaN}]', "lines 1 and 3: values that JSON"),
        ("a.jsonl", b'{"a": NaN, "b": }\n', "line 1: not valid JSON at character 7"),
        ("a.jsonl", json_lines(item(1, sentences=[])) + b'{"id": Infinity}\n', "line 2"),
        ("a.jsonl", b'{"id": ' + b"9" * 6000 + b', "sentence": "s", "label": "x"}\n', "line 1"),
        ("a.jsonl", b'{"id": 123456789012345678901, "sentence": "s"}\n', "too long"),
        ("a.jsonl", b'{"id": "a", "response": "r", "score": 4.00000000000000001}\n', "rounded"),
        ("a.jsonl", b'{"id": 1.5, "sentence": "s", "label": "no_rad"}\n', "write it as text"),
        ("a.jsonl", b'{"a\\\\": 1, "b": 2, "b": 3}\n', "given twice"),
        ("a.jsonl", b'{"b" : 2, "b": 3, "c": "\\":"}\n', "given twice"),
        ("a.jsonl", b'{"x": {"b": 2, "\\u0062": 3}}\n', "'b' is given twice"),
        ("a.jsonl", json.dumps(item(1)).encode("utf-16"), "UTF-16"),
        ("a.jsonl", '{"id": "caf\u00e9"}'.encode("latin-1"), "UTF-8"),
        ("a.jsonl", b'{"id": "a"}\r{"id": "b"}\n', "line 1"),
        ("a.jsonl", b'{"x": ' + b"[" * 40 + b"]" * 40 + b"}", "32 deep"),
        ("a.jsonl", b'{"x": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", "32 deep"),
        ("a.jsonl", b'{"x": "' + b"y" * 1_000_001 + b'"}\n', "1,000,001 characters"),
        ("a.jsonl", b'{"x": "' + b"y" * 9_000_000 + b'"}\n', "longer than 8 MB"),
        ("a.jsonl", b" \n\n\t\n", "empty"),
        ("a.csv", b"id,id,score\n1,2,3\n", "twice"),
        ("a.csv", b"id,response,score\n1,r\xff,3\n", "line 2: byte 4"),
        ("a.csv", b"id,response,score\n1,r,3\n2,\x00,4\n", "line 3"),
        (
            "a.csv",
            b'id,response,score\n1,"r",3\n2,"a\nb,4\n3,"c",5\n',
            "line 3: text after a closing quote on line 5",
        ),
        ("a.csv", b'id,response,score\n1,"r\n\nx",3\n2,"a,4\n', "line 5: a quote opens"),
        ("a.csv", b"id,response,score\n", "empty below"),
        ("a.csv", b"only\n1\n", "one column"),
        ("a.yaml", b"- id: a\n  id: b\n", "line 2: the key 'id' is given twice (first on line 1)"),
        ("a.yaml", b"a: " + b"[" * 3000, "32 deep"),
        ("a.yaml", b"- id: a\n---\n- id: b\n", "second document"),
        ("a.yaml", b"- !!binary aGVsbG8=\n", "tag"),
        ("a.json", b'[{"id": 1,\n "id": 2}]', "line 2: the key 'id' is given twice"),
        ("a.json", gzip.compress(b"[]"), "gzip"),
        ("a.csv", b"PK\x03\x04rest", "ZIP"),
        ("a.parquet", b"PAR1" + b"\x00" * 40 + b"PAR1", "Parquet"),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else "",
)
@pytest.mark.usefixtures("reading_here")
def test_file_that_cannot_be_kept_exactly_is_refused(name, content, words, tmp_path):
    began = time.monotonic()
    with pytest.raises(ImportRefused) as refused:
        one(content, name, tmp_path)
    assert name in str(refused.value)
    assert words in str(refused.value)
    assert time.monotonic() - began < 10


def test_texts_are_stored_exactly_as_the_file_has_them(tmp_path):
    odd = "\u2028=1+1 {{response}} </mark>\r\n\u202e'; drop table items; -- \U0001f9f5 NA"
    manifest = one(json_lines(item(7, response=odd, sentences=[])), "odd.jsonl", tmp_path)
    (into,) = tmp_path.glob("into-*")
    fields = import_tables.read_table(into, "fields").to_pylist()
    assert [each["text"] for each in fields if each["name"] == "response"] == [odd]
    assert [run.items for run in manifest.runs] == [1]


@pytest.mark.parametrize("extra", [{}, {"store_schema": False}], ids=["dictionary", "plain"])
def test_parquet_bomb_is_refused_before_it_unpacks(extra, tmp_path):
    words = pa.array(["B" * 900_000])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), words)
    rows = {"id": [str(at) for at in range(20_000)], "response": column, "score": ["4"] * 20_000}
    sink = io.BytesIO()
    pq.write_table(pa.table(rows), sink, compression="zstd", **extra)
    assert len(sink.getvalue()) < 1_000_000  # which would unpack to 18 GB
    began = time.monotonic()
    with pytest.raises(ImportRefused, match="unpacks to more than 256 MB"):
        one(sink.getvalue(), "bomb.parquet", tmp_path)
    assert time.monotonic() - began < 20


def test_limits_are_stated_when_they_are_met(tmp_path):
    small = Limits(
        file_bytes=2_000, rows=2, unpacked_bytes=10**6, memory_bytes=2 * 10**9, cpu_seconds=20
    )
    rows = json_lines(*(item(at, context_document="", sentences=[]) for at in range(4)))
    path = put(tmp_path, "rows", rows)
    with pytest.raises(ImportRefused, match="more than 2 rows"):
        run([("rows.jsonl", path)], tmp_path, small)
    with pytest.raises(ImportRefused, match="more than 2 kB"):
        run([("large.jsonl", put(tmp_path, "large", b"x" * 3_000))], tmp_path, small)


@pytest.mark.soak
def test_reader_without_memory_refuses_and_the_app_lives(tmp_path):
    tight = Limits(
        file_bytes=10**9, rows=10**6, unpacked_bytes=10**9, memory_bytes=700_000_000, cpu_seconds=60
    )
    rows = json_lines(*(item(at, note="z" * 900_000, sentences=[]) for at in range(400)))
    with pytest.raises(ImportRefused, match=r"too large|could not be read"):
        run([("big.jsonl", put(tmp_path, "big", rows))], tmp_path, tight)


def test_reader_that_is_killed_refuses_and_the_app_lives(tmp_path):
    rows = json_lines(
        *(item(at, context_document="Lamp. " * 4_000, sentences=[]) for at in range(500))
    )
    path = put(tmp_path, "slow", rows)
    killed: list[int] = []

    def kill_the_reader(stage: str, done: int, total: int) -> None:
        if not killed:
            found = subprocess.run(
                ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())],
                capture_output=True,
                text=True,
                check=True,
            )
            for line in found.stdout.splitlines():
                pid, _, args = line.strip().partition(" ")
                if "data.importing.child" in args:
                    killed.append(int(pid))
                    os.kill(int(pid), signal.SIGKILL)

    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(ImportRefused, match=r"slow\.jsonl: could not be read"):
        prepare([("slow.jsonl", path)], into=into, progress=kill_the_reader)
    assert killed
    assert list(into.iterdir()) == []


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "missing", "nul"])
def test_path_that_is_no_file_is_refused_at_once(kind, tmp_path):
    path = tmp_path / "thing"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "nul":
        path = Path("a\x00b")
    began = time.monotonic()
    with pytest.raises(ImportRefused, match=r"thing\.jsonl"):
        run([("thing.jsonl", path)], tmp_path)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "name", ["../../x.jsonl", "<b>x</b>.jsonl", "=x.jsonl", "x" * 200 + ".jsonl"]
)
@pytest.mark.usefixtures("reading_here")
def test_upload_name_is_only_shown(name, tmp_path):
    manifest = one(json_lines(item(1, sentences=[])), name, tmp_path)
    assert manifest.files[0].name == name
    assert not (tmp_path.parent.parent / "x.jsonl").exists()


def test_reader_gets_no_keys_of_the_server(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    seen: list[str] = []

    def look(stage: str, done: int, total: int) -> None:
        for line in subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(os.getpid())],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split():
            environ = Path(f"/proc/{line}/environ")
            if environ.exists():
                seen.append(environ.read_bytes().decode(errors="replace"))

    into = tmp_path / "into"
    into.mkdir()
    path = put(tmp_path, "x", json_lines(item(1, sentences=[])))
    prepare([("x.jsonl", path)], into=into, progress=look)
    assert any("LC_ALL=C.UTF-8" in each for each in seen)
    readers = [each for each in seen if "PATH=/usr/bin:/bin\x00LC_ALL" in each]
    assert readers
    assert not any(CANARY in each for each in readers)


def test_texts_of_files_never_reach_the_log(caplog, tmp_path):
    caplog.set_level(logging.DEBUG)
    good = json_lines(item(1, response=f"{CANARY}. {RESPONSE}", sentences=[]))
    one(good, "good.jsonl", tmp_path)
    with pytest.raises(ImportRefused):
        one(good + b'{"id": "' + CANARY.encode(), "cut.jsonl", tmp_path)
    assert CANARY not in caplog.text


def test_same_content_again_is_refused_under_any_name(tmp_path):
    store = new_store(tmp_path / "s.duckdb")
    content = json_lines(item(1, sentences=[]))
    for name, operation in (("a.jsonl", "op-1"), ("b.jsonl", "op-2")):
        into = tmp_path / name
        into.mkdir()
        prepare([(name, put(tmp_path, f"up-{name}", content))], into=into)
        if operation == "op-1":
            assert len(save_import(store, into, operation_id=operation)) == 1
        else:
            with pytest.raises(ImportRefused, match="already in the store"):
                save_import(store, into, operation_id=operation)
    store.close()


def test_nothing_in_the_importers_can_run_a_file():
    words = ("pickle", "marshal", "yaml.load(", "unsafe_load", "full_load", "eval(", "exec(")
    for path in (ROOT / "data" / "importing").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not [word for word in words if word in text], path.name


def test_options_reach_the_reader(tmp_path):
    into = tmp_path / "into"
    into.mkdir()
    path = put(tmp_path, "x", b"id,response,score\n1,r,4\n")
    options = Options(author="zoë", system="alpha")
    manifest = prepare([("x.csv", path)], into=into, options=options)
    assert manifest.runs[0].system == "alpha"
    assert manifest.runs[0].by_author == {"rater zoë": 1}
    assert labels(manifest) == 1


def test_text_without_an_end_is_refused_soon(tmp_path):
    path = put(tmp_path, "a.json", b'[{"id": "a", "response": "' + b'\\"' * 200_000)
    began = time.monotonic()
    with pytest.raises(ImportRefused, match="not valid JSON"):
        run([("a.json", path)], tmp_path)
    assert time.monotonic() - began < 20
