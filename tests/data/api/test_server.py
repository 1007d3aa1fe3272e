"""The door lets the store's own scripts in, and nobody else, and passes on what they are told."""

import contextlib
import http.client
import io
import json
import os
import socket
import tarfile
import threading
import time
from dataclasses import fields
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette

from data.api.client import NOTHING, Here, Remote
from data.api.remote import PREFIX, Door, find_running_door
from data.api.server import Gate
from data.importing.existing_items import list_prepared_items
from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.tables.mappings import Remembered, save_mapping
from data.items.loading import load_known_items
from data.samples.first_start import prepare_sample
from data.store.sidecar_files import get_sidecar_path
from faithfulness.judging.offline.offline_judge import OfflineJudge
from faithfulness.model.errors import ImportRefused, ReviewError, StoreUnavailable
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import AuthorKind
from tests.data.importing.samples import put
from tests.stopping import stopped_at


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prepared")
    prepare_sample(folder)
    return folder


@contextlib.contextmanager
def door_to(store):
    """A real server on a free loopback port, with the door mounted as the app mounts it."""
    gate = Gate(store=lambda: store)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(Starlette(routes=gate.routes()), log_level="error", lifespan="off")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    with gate.announced(store.path, f"http://127.0.0.1:{port}"):
        found = find_running_door(store.path)
        assert found is not None
        yield found
    server.should_exit = True
    thread.join(10)
    assert find_running_door(store.path) is None


@pytest.fixture
def door(store):
    with door_to(store) as found:
        yield found


def ask(door: Door, action="runs", body=b"{}", **headers):
    connection = http.client.HTTPConnection(
        "127.0.0.1", int(door.url.rpartition(":")[2]), timeout=20
    )
    given = {"Authorization": f"Bearer {door.token}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    try:
        connection.request("POST", f"{PREFIX}/{action}", body=body, headers=given)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_note_is_for_its_owner_only_and_names_the_process(store, door):
    note = get_sidecar_path(store.path, "door")
    assert note.stat().st_mode & 0o777 == 0o600
    assert json.loads(note.read_bytes())["pid"] == os.getpid()
    assert door.token not in repr(door)


def test_prepared_import_arrives_once_and_is_backed_up(store, door, prepared):
    run_ids = door.import_prepared(prepared, operation_id="first")
    assert len(run_ids) >= 5
    listed = door.call("runs")
    assert {run["run_id"] for run in listed} == set(run_ids)
    assert door.import_prepared(prepared, operation_id="first") == run_ids
    with pytest.raises(ImportRefused):
        door.import_prepared(prepared, operation_id="second")
    assert len(door.call("runs")) == len(run_ids)
    assert list((store.path.parent / "backups").glob("s-*.duckdb"))


def test_an_import_that_is_stopped_here_goes_on_in_the_app_and_says_so(store, door, prepared):
    at = Remote(door)
    assert at.stopped() == NOTHING
    with stopped_at("data.importing.save", " stored: "), pytest.raises(KeyboardInterrupt):
        at.save_import(prepared, "first")
    assert "the app goes on" in at.stopped()
    assert len(at.runs()) >= 5


def test_runs_are_removed_through_the_door_all_or_none(door, prepared):
    run_ids = door.import_prepared(prepared, operation_id="first")
    with pytest.raises(ReviewError, match="no run nowhere"):
        door.call("remove", {"run_ids": [run_ids[0], "nowhere"], "operation_id": "slip"})
    assert len(door.call("runs")) == len(run_ids)
    Remote(door).remove_runs(run_ids[:2], "away")
    assert {run["run_id"] for run in door.call("runs")} == set(run_ids[2:])


def test_known_items_come_back_as_they_are(store, door, prepared):
    door.import_prepared(prepared, operation_id="first")
    with store.read() as cursor:
        ids = [row[0] for row in cursor.execute("select item_id from items").fetchall()]
    assert door.known_items([*ids, "nowhere"]) == load_known_items(store, ids)


def test_items_met_again_are_counted_through_the_door_as_here(store, door, prepared, monkeypatch):
    ids = [*list_prepared_items(prepared), "nowhere"]
    assert door.count_met(ids) == 0
    door.import_prepared(prepared, operation_id="first")
    monkeypatch.setattr("data.api.remote.IDS_AT_ONCE", 7)
    assert Remote(door).count_met(ids) == Here(store).count_met(ids) == len(ids) - 1


def test_mapping_that_was_chosen_on_the_page_is_recalled_through_the_door(store, door):
    chosen = Remembered("comparative_summary", {"größe": "id", "antwort": "field:response"})
    save_mapping(store, chosen.roles, chosen, operation_id="m")
    assert Remote(door).recall_mapping(["antwort", "größe"]) == chosen
    assert Remote(door).recall_mapping(["antwort"]) is None


def test_kinds_of_annotators_are_kept_and_recalled_through_the_door(door, tmp_path):
    raw = b"id,response,score,rater\nq1,Wipe it.,4,gpt-4o\n"
    kinds = {"gpt-4o": AuthorKind.JUDGE}
    path = put(tmp_path, "ratings.csv", raw)
    prepare([(path.name, path)], options=Options(kinds=kinds), into=tmp_path)
    assert Remote(door).recall_kinds() == {}
    manifest = (tmp_path / "manifest.json").read_text(encoding="utf-8")
    (tmp_path / "manifest.json").write_text(manifest.replace('"gpt-4o": "judge"', '"a": "robot"'))
    with pytest.raises(ImportRefused):
        Remote(door).save_import(tmp_path, "wrong")
    (tmp_path / "manifest.json").write_text(manifest)
    Remote(door).save_import(tmp_path, "one")
    assert Remote(door).recall_kinds() == kinds


def test_export_backup_and_doctor_work_through_the_door(store, door, prepared, tmp_path):
    run_ids = door.import_prepared(prepared, operation_id="first")
    target = tmp_path / "out.jsonl"
    door.export({"runs": [run_ids[0]]}, "jsonl", target)
    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines
    assert all(json.loads(line)["protocol"] for line in lines)
    asked = {"part": "adjudicated", "names": [run_ids[0]]}
    door.export(asked, "jsonl", target, action="part")
    assert {json.loads(line)["run_id"] for line in target.read_text().splitlines()} <= {run_ids[0]}
    with pytest.raises(ReviewError, match="does not list names"):
        door.export({"part": "adjudicated"}, "csv", target, action="part")
    assert Path(door.call("backup")["path"]).is_file()
    assert Remote(door).refind("again") == 0
    found = {each["name"]: each["state"] for each in door.call("doctor")["conditions"]}
    assert set(found.values()) == {"good"}
    with pytest.raises(ReviewError, match="no export"):
        door.export({}, "exe", tmp_path / "out.exe")
    with pytest.raises(ReviewError, match="has no sql"):
        door.export({"sql": "drop table runs"}, "csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.exe").exists()


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": ""},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer ü"},
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "localhost.evil.example"},
        {"Origin": "http://localhost:8501"},
        {"Origin": "null"},
        {"X_Forwarded_For": "127.0.0.1"},
        {"X_Forwarded_Host": "desk.example"},
        {"Via": "1.1 proxy"},
        {"Sec_Fetch_Site": "same-origin"},
    ],
)
def test_strangers_are_refused(door, headers):
    encoded = {name: value.encode("utf-8") for name, value in headers.items()}
    status, body = ask(door, **encoded)
    assert status == 403
    assert door.token.encode() not in body


def test_caller_from_another_machine_is_refused(store):
    gate = Gate(store=lambda: store)
    from starlette.testclient import TestClient

    for peer in ("10.0.0.7", "192.168.1.1", "::ffff:10.0.0.1", "testclient"):
        client = TestClient(Starlette(routes=gate.routes()), client=(peer, 5000))
        answer = client.post(
            f"{PREFIX}/runs",
            headers={"Authorization": f"Bearer {gate.token}", "Host": "localhost"},
        )
        assert answer.status_code == 403


def test_reading_requests_have_no_door(door):
    connection = http.client.HTTPConnection("127.0.0.1", int(door.url.rpartition(":")[2]))
    connection.request("GET", f"{PREFIX}/runs", headers={"Authorization": f"Bearer {door.token}"})
    assert connection.getresponse().status == 405
    connection.close()


def test_unknown_action_is_told(door):
    with pytest.raises(ReviewError, match="no action 'drop'"):
        door.call("drop")


def packed(*members: tuple[str, bytes, bytes]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, kind, content in members:
            entry = tarfile.TarInfo(name)
            entry.type, entry.size, entry.linkname = kind, len(content), "/etc/passwd"
            archive.addfile(entry, io.BytesIO(content))
    return target.getvalue()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not a tar at all" * 100,
        packed(("../outside", tarfile.REGTYPE, b"x")),
        packed(("/tmp/outside", tarfile.REGTYPE, b"x")),
        packed(("manifest.json", tarfile.SYMTYPE, b"")),
        packed(("manifest.json", tarfile.LNKTYPE, b"")),
        packed(("manifest.json", tarfile.FIFOTYPE, b"")),
        packed(
            ("manifest.json", tarfile.REGTYPE, b"{}"), ("manifest.json", tarfile.REGTYPE, b"{}")
        ),
        packed(("runs.arrow", tarfile.REGTYPE, b"x")),
        packed(("manifest.json", tarfile.REGTYPE, b"{}" * 5000))[:3000],
    ],
)
def test_body_that_is_no_prepared_import_is_refused(store, door, body):
    status, answer = ask(door, "import?operation_id=x", body)
    assert status == 422
    assert "ImportRefused" in json.loads(answer)["kinds"]
    assert door.call("runs") == []
    assert not (store.path.parent / "outside").exists()


def test_too_large_body_is_refused_while_it_comes(door):
    status, answer = ask(door, "runs", b" " * (17 * 1024 * 1024))
    assert status == 422
    assert "send less" in json.loads(answer)["message"]


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("known_items", b"{}"),
        ("known_items", b'{"item_ids": 3}'),
        ("mapping", b'{"columns": [1]}'),
        ("remove", b'{"operation_id": "x"}'),
        ("remove", b'{"run_ids": ["x"]}'),
        ("refind", b"{}"),
        ("export?kind=csv", b'{"authors": [{"kind": "nobody"}]}'),
        ("export?kind=csv", b'{"runs": 3}'),
        ("export?kind=csv", b'{"colour": "red"}'),
        ("judge", b'{"run": [1]}'),
        ("judge", b'{"resume": {"a": 1}}'),
        ("judge", b'{"at_once": 1e400}'),
    ],
)
def test_request_of_the_wrong_shape_is_told_and_not_an_error_of_the_server(door, action, body):
    status, answer = ask(door, action, body)
    assert status == 400
    assert json.loads(answer)["message"]


DEEP = b'{"runs": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
WRONG_VALUES = (None, True, 3, 1e400, "\ud800", "text", [], [1], [[]], {}, {"a": [1]}, ["ab"])
REQUESTS = {
    "known_items": ("item_ids",),
    "count_met": ("item_ids",),
    "known_files": ("names",),
    "mapping": ("columns",),
    "remove": ("run_ids", "operation_id"),
    "refind": ("operation_id",),
    "part?kind=csv": ("part", "names"),
    "judging": ("batch_id",),
    "stop_judging": ("batch_id",),
    "judge": ("run", "settings", "resume", "samples", "prompt", "seed", "items", "batch_id"),
    "export?kind=jsonl": tuple(field.name for field in fields(Selection)),
    "agree": ("criterion", "reference", "judge", "by", "field", "raters_are", "policy", "runs"),
    "pairs?kind=csv": ("reference", "judge", "to", "judge_protocol", "protocol"),
}


@pytest.mark.parametrize("action", REQUESTS)
def test_no_request_makes_the_server_fail(store, door, prepared, action):
    run_ids = door.import_prepared(prepared, operation_id="first")
    order = {"run": run_ids[0], "settings": dict(OfflineJudge().settings), "preview": True}
    endpoint = {"model": "m", "address": "https://judge.example", "seed": "nan"}
    sound = order if action == "judge" else {"reference": "raters", "judge": "verdict"}
    bodies = [DEEP, b"[" * 100_000, b'"text"', b"3", b'{"runs": [', b"\xff"]
    for name in REQUESTS[action]:
        rest = sound if action in ("judge", "agree", "pairs?kind=csv") else {}
        bodies.append(json.dumps(order | {"settings": endpoint}).encode())
        bodies += [json.dumps(rest | {name: value}).encode() for value in WRONG_VALUES]
    for body in bodies:
        status, answer = ask(door, action, body)
        assert status in (200, 400, 422), (status, body[:200])
        if status != 200:
            assert "\n" not in json.loads(answer)["message"]
    for body in (DEEP, b'{"runs": [', b"3"):
        assert ask(door, action, body)[0] == 400


@pytest.mark.parametrize(
    "manifest", [b"", b"[" * 100_000, b"3", b"[]", b'{"files": 3}', b'{"files": [{"name": 3}]}']
)
def test_a_prepared_import_with_a_wrong_manifest_is_refused(door, manifest):
    body = packed(("manifest.json", tarfile.REGTYPE, manifest))
    status, answer = ask(door, "import?operation_id=x", body)
    assert status == 422
    assert "ImportRefused" in json.loads(answer)["kinds"]


def test_app_that_hangs_is_given_up_in_time(tmp_path):
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    door = Door(url=url, token="t", pid=os.getpid())

    def drip():
        peer, _ = listener.accept()
        try:
            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while True:
                peer.sendall(b" ")
                time.sleep(0.1)
        except OSError:
            peer.close()

    threading.Thread(target=drip, daemon=True).start()
    started = time.monotonic()
    with pytest.raises(StoreUnavailable, match="did not answer"):
        door.call("runs", seconds=1)
    assert time.monotonic() - started < 10
    listener.close()


def test_note_of_a_dead_process_is_no_door(tmp_path):
    path = tmp_path / "s.duckdb"
    note = {"url": "http://127.0.0.1:1", "token": "t", "pid": 2**22 - 3}
    get_sidecar_path(path, "door").write_text(json.dumps(note))
    assert find_running_door(path) is None


def test_note_that_points_elsewhere_gets_no_token(tmp_path):
    door = Door(url="http://10.0.0.1:80", token="t", pid=os.getpid())
    with pytest.raises(StoreUnavailable, match="not on this machine"):
        door.call("runs")
