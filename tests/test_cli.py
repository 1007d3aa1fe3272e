"""The scripts' door: what commands print, store and refuse; one story runs it as a program."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from tests.run_commands import run_command as run
from tests.stopping import stopped_at

ROOT = Path(__file__).resolve().parents[1]

LINE = {
    "id": "kettle",
    "user_request": "Is it quiet?",
    "context_document": "The kettle holds 1.7 litres. Its lid locks.",
    "response": "It holds 1.7 litres. The lid is loose.",
    "judge": "judge-a",
    "sentences": [
        {
            "sentence": "It holds 1.7 litres.",
            "label": "supported",
            "rationale": "Stated.",
            "excerpt": "The kettle holds 1.7 litres.",
        },
        {
            "sentence": "The lid is loose.",
            "label": "contradictory",
            "rationale": "=1+1",
            "excerpt": "Its lid locks.",
        },
    ],
}


def started(*words: object, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, ROOT / "cli.py", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        env=os.environ | {"PLUMBLINE_STORE": "/nonexistent/so-no-test-finds-a-real-store"},
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout or done.stderr


def write_labels(folder: Path) -> Path:
    path = folder / "labels.jsonl"
    path.write_text(json.dumps(LINE) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def no_store_of_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_STORE", "/nonexistent/so-no-test-finds-a-real-store")


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return write_labels(tmp_path)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    run("import", write_labels(folder), "--store", folder / "store" / "s.duckdb", "--create")
    return folder / "store"


@pytest.fixture
def filled(tmp_path: Path, imported: Path) -> Path:
    return shutil.copytree(imported, tmp_path / "store") / "s.duckdb"


def test_the_door_is_a_program(tmp_path: Path, labels: Path) -> None:
    store = tmp_path / "s.duckdb"
    assert "Stored 1 run" in started("import", labels, "--store", store, "--create")
    assert "already in the store" in started("import", labels, "--store", store, code=1)
    assert "usage" in started("no-such-command", code=2)


def test_a_reader_that_has_gone_is_no_fault(filled: Path) -> None:
    words = [sys.executable, str(ROOT / "cli.py"), "runs", "--store", str(filled)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 0


def test_import_stores_and_tells_what(tmp_path: Path, labels: Path) -> None:
    store = tmp_path / "s.duckdb"
    told = json.loads(run("import", labels, "--store", store, "--create", "--json"))
    assert told["importer"] == "sentence_labels"
    assert [(each["items"], each["answers"]) for each in told["runs"]] == [(1, 2)]
    listed = json.loads(run("runs", "--store", store, "--json"))["runs"]
    assert [each["run_id"] for each in listed] == told["stored"]
    assert "  1 item  2 answers" in run("runs", "--store", store)


def test_preview_stores_nothing(tmp_path: Path, labels: Path) -> None:
    store = tmp_path / "s.duckdb"
    assert "Nothing was stored" in run("import", labels, "--store", store, "--create", "--preview")
    assert json.loads(run("runs", "--store", store, "--json"))["runs"] == []


def test_the_same_file_again_is_refused_with_a_pointer(filled: Path, labels: Path) -> None:
    renamed = labels.rename(labels.with_name("other.jsonl"))
    told = run("import", renamed, "--store", filled, code=1)
    assert "already in the store" in told


def test_a_preview_tells_that_the_file_is_stored_already(filled: Path, labels: Path) -> None:
    renamed = labels.rename(labels.with_name("other.jsonl"))
    told = run("import", renamed, "--store", filled, "--preview")
    assert "Note: other.jsonl is already in the store" in told
    assert "as labels.jsonl. Storing it again is refused." in told


def test_items_of_earlier_runs_are_told_before_a_new_run_answers_about_them(
    filled: Path, tmp_path: Path
) -> None:
    path = tmp_path / "others.jsonl"
    path.write_text(json.dumps(LINE | {"judge": "judge-b"}) + "\n", encoding="utf-8")
    said = "Note: 1 of 1 item is in the store already, recognised by the same texts"
    for words in (("--preview",), ()):
        assert said in run("import", path, "--store", filled, *words)
    assert said not in run("import", path, "--store", filled, code=1)


def test_unread_replies_are_listed_with_their_line_and_reason(tmp_path: Path) -> None:
    replies = ["Fine.\n3. Score- <score>4</score>", "No score today.", "Score- <score>9</score>"]
    products = {f"product_{number}": f"Fan {number}, $20." for number in (1, 2, 3)}
    rows = [
        {"id": f"q{number}", "query": "a fan", **products, "summary": f"Fan {number} is best."}
        | {"reply": reply}
        for number, reply in enumerate(replies)
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    words = ("--store", tmp_path / "s.duckdb", "--create", "--protocol", "comparative_summary")
    words += ("--author", "north", "--author-kind", "judge")
    told = run("import", path, *words, "--preview")
    assert "1 answer, 2 unread" in told
    lines = [line.strip() for line in told.splitlines() if "replies.jsonl" in line]
    assert lines == [
        "replies.jsonl line 2: response, faithfulness: the reply has no line of its own with "
        "Score- <score>X</score>",
        "replies.jsonl line 3: response, faithfulness: the reply's score '9' is not one of 1, 2, "
        "3, 4, 5",
    ]
    assert lines[0] in told.partition("Replies that could not be read, or not in full:")[2]
    listed = json.loads(run("import", path, *words, "--preview", "--json"))["unread_replies"]
    assert [(entry["file"], entry["line"]) for entry in listed] == [(path.name, 2), (path.name, 3)]
    assert listed[0]["text"] in lines[0]


def test_a_preview_counts_the_quotes_that_no_source_has(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    altered = LINE["sentences"][0] | {"excerpt": "The kettle holds 1.9 litres."}
    made_up = LINE["sentences"][1] | {"excerpt": "Whoever opens it needs a hammer."}
    first = LINE | {"id": "other", "sentences": [altered, made_up]}
    path.write_text(json.dumps(LINE) + "\n" + json.dumps(first) + "\n", encoding="utf-8")
    store = tmp_path / "s.duckdb"
    told = run("import", path, "--store", store, "--create", "--preview")
    assert "4 quotes: 1 in no source, 1 with another number or a “not”, 2 word for word\n" in told
    assert "labels.jsonl line 2: “Whoever opens it needs a hammer.”" in told


HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\r\nStored 9 runs."
# As an import stores it: control characters that no text needs are replaced.
STORED = HOSTILE.replace("\x1b", "\ufffd").replace("\x07", "\ufffd")


def hostile_file(folder: Path) -> Path:
    """Orders to a terminal in a file's name, its system, a label and a quote."""
    path = folder / f"{HOSTILE}.jsonl"
    quote = LINE["sentences"][1] | {"excerpt": f"No source {HOSTILE} says {'so ' * 120}."}
    wrong = LINE["sentences"][0] | {"label": f"maybe {HOSTILE}", "excerpt": ""}
    line = LINE | {"system": HOSTILE, "judge": HOSTILE, "sentences": [wrong, quote]}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return path


def assert_harmless(told: str) -> None:
    """Nothing that a terminal obeys, and no line that a file wrote."""
    assert not set(told) & set("\x1b\x07\x9b\u202e\r")
    assert not [line for line in told.split("\n") if line.startswith("Stored 9")]
    assert max(map(len, told.split("\n"))) < 500


def test_no_foreign_text_is_an_order_to_the_terminal(tmp_path: Path) -> None:
    path, store = hostile_file(tmp_path), tmp_path / "s.duckdb"
    told = run("import", path, "--store", store, "--create")
    assert "␛[2J␛]0;owned␇⟦U+009B⟧31m⟦U+202E⟧ Stored 9 runs." in told
    assert "1 in no source" in told
    assert told.count("Stored 9 runs.") >= 3  # the run's name, the complaint and the quote
    assert_harmless(told)
    listed = run("runs", "--store", store)
    assert "\ufffd[2J\ufffd]0;owned\ufffd⟦U+009B⟧31m⟦U+202E⟧" in listed
    assert_harmless(listed)
    (run_id,) = [
        each["run_id"] for each in json.loads(run("runs", "--store", store, "--json"))["runs"]
    ]
    asked = run("remove", run_id, "--store", store, code=2)
    assert asked.count("\n") == 2  # the run, and what to add
    assert_harmless(asked)
    assert_harmless(run("import", path, "--store", store, code=1))
    assert_harmless(run("export", HOSTILE, "--to", tmp_path / "x.csv", "--store", store, code=1))


def test_json_of_foreign_text_is_harmless_and_comes_back_whole(tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    told = run("import", hostile_file(tmp_path), "--store", store, "--create", "--json")
    assert told.count("\n") == 1
    assert not set(told) & set("\x1b\x07\x9b\u202e\r")
    assert json.loads(told)["runs"][0]["system"] == STORED


def test_the_refusal_names_the_command_that_lets_the_file_in_again(
    filled: Path, labels: Path
) -> None:
    told = run("import", labels, "--store", filled, code=1)
    words = told.strip().rpartition("cli.py ")[2].split()
    assert words[0] == "remove"
    assert "Nothing was removed" in run(*words[:-1], "--store", filled, code=2)
    assert len(json.loads(run("runs", "--store", filled, "--json"))["runs"]) == 1
    assert "Removed 1 run." in run(*words, "--store", filled)
    assert json.loads(run("runs", "--store", filled, "--json"))["runs"] == []
    assert "has no run" in run(*words, "--store", filled, code=1)
    run("import", labels, "--store", filled)


def test_a_store_is_not_made_by_a_typing_slip(tmp_path: Path, labels: Path) -> None:
    run("import", labels, "--store", tmp_path / "slip.duckdb", code=3)
    assert not (tmp_path / "slip.duckdb").exists()


def test_a_broken_file_is_refused_by_line(filled: Path, labels: Path) -> None:
    labels.write_text('{"id": "a", "response": "r"}\n{"id": ', encoding="utf-8")
    assert "line 2" in run("import", labels, "--store", filled, code=1)


@pytest.mark.parametrize("name", ["/dev/zero", "/", "no-such-file", "x" * 300, "a\nb"])
def test_what_is_not_a_file_is_bad_use_in_one_line(filled: Path, name: str) -> None:
    assert run("import", name, "--store", filled, code=2).count("\n") == 1


def test_a_pipe_is_bad_use_and_not_waited_for(filled: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    run("import", tmp_path / "pipe", "--store", filled, code=2)


def test_exports_hold_the_labels_and_no_formula(filled: Path, tmp_path: Path) -> None:
    run("export", "--to", tmp_path / "out.xlsx", "--store", filled)
    cells = [
        cell for row in openpyxl.load_workbook(tmp_path / "out.xlsx").active.rows for cell in row
    ]
    assert "contradictory" in {cell.value for cell in cells}
    assert "=1+1" in {cell.value for cell in cells}
    assert {cell.data_type for cell in cells} <= {"s", "n"}


def test_exported_lines_come_back_equal(filled: Path, tmp_path: Path) -> None:
    run("export", "--to", tmp_path / "out.jsonl", "--store", filled)
    run("import", tmp_path / "out.jsonl", "--store", tmp_path / "two.duckdb", "--create")
    run("export", "--to", tmp_path / "again.jsonl", "--store", tmp_path / "two.duckdb")
    assert (tmp_path / "again.jsonl").read_text() == (tmp_path / "out.jsonl").read_text()


def test_verdicts_disagreements_and_minutes_are_exports_too(filled: Path, tmp_path: Path) -> None:
    for part in ("adjudicated", "disagreements", "audit"):
        target = tmp_path / f"{part}.csv"
        run("export", "--what", part, "--to", target, "--store", filled)
        assert target.read_text(encoding="utf-8-sig").startswith('"plumbline_item"')
    asked = ("export", "--what", "minutes", "--to", tmp_path / "minutes.md", "--store", filled)
    assert "give its id" in run(*asked, code=1)
    assert "no meeting m1" in run(*asked, "m1", code=1)
    run("export", "--to", tmp_path / "answers.md", "--store", filled, code=2)


def test_an_export_never_overwrites(filled: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("mine")
    run("export", "--to", tmp_path / "out.csv", "--store", filled, code=2)
    assert (tmp_path / "out.csv").read_text() == "mine"


def test_a_lost_store_comes_back_from_its_backup(filled: Path) -> None:
    run("backup", "--store", filled)
    filled.unlink()
    told = json.loads(run("restore", "--store", filled, "--json"))
    assert told["runs"] == 1


def test_doctor_finds_a_good_store_good_and_a_foreign_file_bad(filled: Path) -> None:
    run("doctor", "--store", filled)
    assert json.loads(run("refind", "--store", filled, "--json"))["found"] == 0
    other = filled.with_name("other.duckdb")
    other.write_bytes(b"not a store" * 1000)
    told = json.loads(run("doctor", "--store", other, "--json", code=1))
    assert "bad" in {each["state"] for each in told["conditions"]}


def test_an_export_that_cannot_be_written_says_so_in_one_line(filled: Path) -> None:
    told = run("export", "--to", "/proc/labels.csv", "--store", filled, code=1)
    assert "nothing was written" in told
    assert told.count("\n") == 1


def test_a_store_whose_folder_cannot_be_made_is_no_store(filled: Path, labels: Path) -> None:
    below = filled / "deeper" / "s.duckdb"
    assert "cannot be made" in run("import", labels, "--store", below, "--create", code=3)


def test_import_that_is_stopped_while_its_backup_is_made_says_that_it_is_stored(tmp_path):
    store = tmp_path / "s.duckdb"
    with stopped_at("data.importing.save", " stored: "):
        told = run("import", write_labels(tmp_path), "--store", store, "--create", code=1)
    assert "nothing was stored" not in told
    assert "import (1)" in told
    assert "cli.py runs" in told
    assert "1 item" in run("runs", "--store", store)


def test_import_that_is_stopped_before_it_stores_says_that_nothing_is_stored(tmp_path):
    store = tmp_path / "s.duckdb"
    with stopped_at("data.store.store", "store opened"):
        told = run("import", write_labels(tmp_path), "--store", store, "--create", code=1)
    assert "Stopped; nothing was stored." in told
    assert "no runs" in run("runs", "--store", store)
