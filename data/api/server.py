"""API server: HTTP routes through which scripts use the store that this process has open.

A second process cannot even read a DuckDB file that is open here, so commands send requests:
`POST /plumbline/door/<action>` with the token from `<store>.door`, a file that only its owner can
read. Requests are accepted only from this machine. Browsers are refused: a page cannot set the
token, and requests with an Origin header or through a proxy are rejected.
"""

import contextlib
import hmac
import json
import logging
import os
import secrets
import shutil
import tarfile
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from data import exporting
from data.agreement import report
from data.agreement.question import AgreementQuestion
from data.api import health
from data.api.remote import PREFIX
from data.importing.annotator_kinds import load_annotator_kinds
from data.importing.existing_items import count_stored_items as stored_count_met
from data.importing.import_service import keep_import
from data.importing.import_tables import MANIFEST, SCHEMAS, Prepared, build_stream_path
from data.importing.known_files import find_known_files as stored_known_files
from data.importing.preview.preview import read_manifest
from data.importing.tables.mappings import load_mapping
from data.items.findings import refind as stored_refind
from data.items.loading import load_known_items as stored_known_items
from data.judging import batch_orders
from data.runs import queries
from data.runs.remove import remove_runs
from data.store import backups
from data.store.sidecar_files import get_sidecar_path, write_durably
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, BadRequest, ImportRefused, ReviewError
from faithfulness.model.full_disk import describe_full_disk
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import Author, AuthorKind

Outcome = Path | Any  # a file to send, or what JSON can hold

MEGABYTE = 1024 * 1024
_JSON_TYPES = {str: "text", bool: "boolean"}
IMPORT_BYTES = 8 * 1024 * MEGABYTE


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiCall:
    """One request: its words, the file its body was saved to, and a folder to work in."""

    words: Mapping[str, str]
    body: Path
    folder: Path

    def word(self, name: str) -> str:
        if not self.words.get(name):
            raise BadRequest(f"The request does not say {name}.")
        return self.words[name]

    def document(self) -> dict[str, Any]:
        """The body as a JSON object."""
        try:
            document = json.loads(self.body.read_bytes() or b"{}")
            json.dumps(document, ensure_ascii=False).encode()  # fails on half a surrogate pair
        except RecursionError:
            raise BadRequest("The body of the request is nested too deeply.") from None
        except ValueError:
            raise BadRequest("The body of the request is not JSON in UTF-8.") from None
        if not isinstance(document, dict):
            raise BadRequest("The body of the request is not a JSON object.")
        return document


def read_text(document: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """One text of a request; without a default it must be there and not be empty."""
    text = document.get(name, default)
    if not isinstance(text, str) or (default is None and not text):
        raise BadRequest(f"The request does not say {name}, or not as a text.")
    return text


def read_texts(document: Mapping[str, Any], name: str) -> list[str]:
    """One list of texts of a request."""
    texts = document.get(name)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadRequest(f"The request does not list {name} as texts.")
    return texts


def handle_import_prepared(store: Store, call: ApiCall) -> Outcome:
    """Store a prepared import that was sent as one tar, then make it safe."""
    _unpack_import(call.body, call.folder)
    _check_prepared(call.folder)
    run_ids = keep_import(store, call.folder, operation_id=call.word("operation_id"))
    return {"run_ids": list(run_ids)}


def _unpack_import(body: Path, folder: Path) -> None:
    """Take exactly the files of a prepared import; names, links and sizes of others are refused."""
    expected = {MANIFEST} | {build_stream_path(Path(), name).name for name in SCHEMAS}
    try:
        with tarfile.open(body, "r:") as packed:
            for member in packed:
                content = packed.extractfile(member) if member.isreg() else None
                if content is None or member.name not in expected:
                    raise ImportRefused("What was sent is not a prepared import.")
                expected.remove(member.name)
                with content, (folder / member.name).open("xb") as target:
                    shutil.copyfileobj(content, target, MEGABYTE)
    except (tarfile.TarError, EOFError) as error:
        raise ImportRefused("What was sent is not a whole prepared import.") from error
    if MANIFEST in expected:
        raise ImportRefused("What was sent has no manifest.")


def _check_prepared(folder: Path) -> None:
    """Refuse an import whose files cannot be read, before anything of it is stored."""
    try:
        read_manifest(folder)
        Prepared(folder)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ImportRefused("What was sent is not a prepared import that can be read.") from error


def handle_known_items(store: Store, call: ApiCall) -> Outcome:
    items = stored_known_items(store, read_texts(call.document(), "item_ids"))
    return [asdict(item) for item in items.values()]


def handle_count_met(store: Store, call: ApiCall) -> Outcome:
    return {"met": stored_count_met(store, read_texts(call.document(), "item_ids"))}


def handle_known_files(store: Store, call: ApiCall) -> Outcome:
    names = call.document().get("names")
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise BadRequest("The request does not name the files by their content.")
    return [each.in_words for each in stored_known_files(store, names)]


def handle_mapping(store: Store, call: ApiCall) -> Outcome:
    """The column mapping that was chosen for the columns that the body lists; empty for none."""
    found = load_mapping(store, read_texts(call.document(), "columns"))
    return found._asdict() if found else {}


def handle_annotator_kinds(store: Store, call: ApiCall) -> Outcome:
    """Whether a name is a person's or a model's, as people chose at earlier imports."""
    return load_annotator_kinds(store)


def handle_runs(store: Store, call: ApiCall) -> Outcome:
    text = queries.runs(store).to_json(orient="records", date_format="iso")
    return json.loads(str(text))


def handle_headlines(store: Store, call: ApiCall) -> Outcome:
    text = queries.load_headlines(store).to_json(orient="records", date_format="iso")
    return json.loads(str(text))


def handle_remove(store: Store, call: ApiCall) -> Outcome:
    """Take the runs that the body lists out of every question, all or none."""
    document = call.document()
    run_ids, operation_id = read_texts(document, "run_ids"), read_text(document, "operation_id")
    remove_runs(store, run_ids=run_ids, removed_by="a script", operation_id=operation_id)
    return {"removed": run_ids}


def handle_refind(store: Store, call: ApiCall) -> Outcome:
    operation_id = read_text(call.document(), "operation_id")
    return {"found": stored_refind(store, operation_id=operation_id)}


def handle_back_up(store: Store, call: ApiCall) -> Outcome:
    return {"path": str(backups.back_up(store))}


def handle_export(store: Store, call: ApiCall) -> Outcome:
    """A file in one of the export formats; the body may hold a Selection."""
    target = call.folder / "export"
    rows = exporting.write_export(store, read_selection(call.document()), call.word("kind"), target)
    # The number travels in the file's name, since the answer is the file itself.
    return target.rename(call.folder / f"export-{rows}")


def handle_part(store: Store, call: ApiCall) -> Outcome:
    """One of `exports.PARTS` as a file; the body says of what."""
    document = call.document()
    name, names = read_text(document, "part"), read_texts(document, "names")
    target = call.folder / "part"
    exporting.write_part(store, name, names, call.word("kind"), target)
    return target


def handle_agree(store: Store, call: ApiCall) -> Outcome:
    """Every number of a comparison; the body says which, as `Question.as_words` does."""
    return report.build_report(store, _read_question(call))


def handle_pairs(store: Store, call: ApiCall) -> Outcome:
    """The pairs of labels of a comparison, as a file in one of the export formats."""
    target = call.folder / "pairs"
    exporting.write_pairs(store, _read_question(call), call.word("kind"), target)
    return target


def _read_question(call: ApiCall) -> AgreementQuestion:
    said = call.document()
    sides = ("reference", "judge", "judge_protocol", "policy", "to")
    names = ("criterion", *sides, "by", "field", "raters_are")
    words = {name: read_text(said, name, default="") for name in names}
    narrowing = {name: value for name, value in said.items() if name not in names}
    return AgreementQuestion(
        selection=read_selection(narrowing),
        criterion=words["criterion"],
        reference=Side.from_text(words["reference"]),
        judge=Side.from_text(words["judge"]),
        by=words["by"],
        field=words["field"],
        raters_are=words["raters_are"],
        policy=words["policy"],
        judge_protocol=words["judge_protocol"],
        to=words["to"],
    )


def read_selection(said: Mapping[str, Any]) -> Selection:
    """A Selection from JSON, refused when it says something a Selection does not have."""
    known = {each.name for each in fields(Selection)}
    if not set(said) <= known:
        raise BadRequest(f"A selection has no {', '.join(sorted(set(said) - known))}.")
    return Selection(**{name: _read_selection_part(name, value) for name, value in said.items()})


def _read_selection_part(name: str, value: Any) -> Any:
    """One part of a Selection, as its type has it."""
    default = getattr(Selection(), name)
    if name in ("authors", "slices"):
        try:
            return tuple(map(_read_author if name == "authors" else _read_slice, value))
        except (KeyError, TypeError, ValueError):
            raise BadRequest(f"The selection's {name} cannot be read.") from None
    if isinstance(default, tuple):
        return tuple(read_texts({name: value}, name))
    if type(value) is not type(default):
        raise BadRequest(f"The selection's {name} is not a {_JSON_TYPES[type(default)]}.")
    return value


def _read_author(value: Any) -> Author:
    if not isinstance(value["name"], str):
        raise TypeError("an author's name is no text")
    return Author(kind=AuthorKind(value["kind"]), name=value["name"])


def _read_slice(value: Any) -> tuple[str, str]:
    key, text = value
    if not isinstance(value, list) or not isinstance(key, str) or not isinstance(text, str):
        raise TypeError("a slice is no list of two texts")
    return key, text


def handle_judge(store: Store, call: ApiCall) -> Outcome:
    """Start a batch in the app; a script may leave, and the batch goes on."""
    return batch_orders.begin_batch(store, call.document())


def handle_judging(store: Store, call: ApiCall) -> Outcome:
    return batch_orders.load_batch_state(store, read_text(call.document(), "batch_id"))


def handle_stop_judging(store: Store, call: ApiCall) -> Outcome:
    return batch_orders.stop_batch(store, read_text(call.document(), "batch_id"))


def handle_doctor(store: Store, call: ApiCall) -> Outcome:
    conditions = health.serialize_conditions(health.examine(store.path, store))
    return {"conditions": conditions, "recovery": list(store.recovery)}


ACTIONS: dict[str, Callable[[Store, ApiCall], Outcome]] = {
    "import": handle_import_prepared,
    "known_items": handle_known_items,
    "count_met": handle_count_met,
    "known_files": handle_known_files,
    "mapping": handle_mapping,
    "annotator_kinds": handle_annotator_kinds,
    "runs": handle_runs,
    "headlines": handle_headlines,
    "remove": handle_remove,
    "refind": handle_refind,
    "backup": handle_back_up,
    "export": handle_export,
    "part": handle_part,
    "agree": handle_agree,
    "pairs": handle_pairs,
    "doctor": handle_doctor,
    "judge": handle_judge,
    "judging": handle_judging,
    "stop_judging": handle_stop_judging,
}
BODY_BYTES = {name: IMPORT_BYTES if name == "import" else 16 * MEGABYTE for name in ACTIONS}


_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
_PEERS = frozenset({"127.0.0.1", "::1"})
_FROM_BROWSERS_OR_PROXIES = frozenset({"origin", "sec-fetch-site", "forwarded", "via", "x-real-ip"})

NOTE_AGAIN_SECONDS = 5.0

_log = logging.getLogger(__name__)


class TooLarge(ReviewError):
    """More bytes than this action takes."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Who may come in, and to which store."""

    store: Callable[[], Store]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def routes(self) -> list[Route]:
        return [Route(f"{PREFIX}/{{action}}", self._answer, methods=["POST"])]

    @contextlib.contextmanager
    def announced(self, path: Path, url: str) -> Iterator[None]:
        """Tell scripts of the same user where the door is, for as long as it is open.

        Where the disk takes no note, it is written as soon as there is room.
        """
        note = get_sidecar_path(path, "door")
        content = json.dumps({"url": url, "token": self.token, "pid": os.getpid()}).encode("ascii")
        is_over = threading.Event()
        trying = threading.Thread(
            target=_write_later, args=(note, content, is_over), name="door-note", daemon=True
        )
        if not _is_written(note, content):
            _log.warning("commands cannot find this app until %s can be written", note)
            trying.start()
        try:
            yield
        finally:
            is_over.set()
            if trying.ident is not None:
                trying.join()
            note.unlink(missing_ok=True)

    async def _answer(self, request: Request) -> Response:
        problem = self._refusal(request)
        if problem:
            _log.warning("door: refused, %s", problem)
            return JSONResponse(_describe_error(ReviewError(problem)), status_code=403)
        action = request.path_params["action"]
        if action not in ACTIONS:
            said = f"There is no action {action!r} behind the door."
            return JSONResponse(_describe_error(ReviewError(said)), status_code=404)
        try:
            folder = tempfile.TemporaryDirectory(prefix="door-")
        except OSError as error:
            return _refuse_full_disk(error)
        try:
            body = Path(folder.name) / "body"
            await _save_body(request, body, BODY_BYTES[action])
            call = ApiCall(
                words=dict(request.query_params), body=body, folder=Path(folder.name) / "work"
            )
            answer = await run_in_threadpool(self._work, action, call)
            return _build_response(answer, folder)
        except ReviewError as error:
            folder.cleanup()
            status = 400 if isinstance(error, BadRequest) else 422
            return JSONResponse(_describe_error(error), status_code=status)
        except OSError as error:
            folder.cleanup()
            return _refuse_full_disk(error)
        except BaseException:
            folder.cleanup()
            raise

    def _work(self, action: str, call: ApiCall) -> Outcome:
        call.folder.mkdir()
        _log.info("door: %s", action)
        return ACTIONS[action](self.store(), call)

    def _refusal(self, request: Request) -> str:
        """Why a request is not let in; empty when it is."""
        if request.client is None or request.client.host not in _PEERS:
            return "the door is for this machine only"
        host = request.headers.get("host", "")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if name not in _HOSTS:
            return "the door answers to localhost only"
        if any(
            name in _FROM_BROWSERS_OR_PROXIES or name.startswith("x-forwarded-")
            for name in request.headers
        ):
            return "the door is not for browsers or proxies"
        given = request.headers.get("authorization", "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, f"Bearer {self.token}".encode("ascii")):
            return "the token is not the one in the store's .door file"
        return ""


def _is_written(note: Path, content: bytes) -> bool:
    try:
        write_durably(note, content, mode=0o600)
    except OSError:
        return False
    return True


def _write_later(note: Path, content: bytes, is_over: threading.Event) -> None:
    """Write the note as soon as the disk takes it, unless the door is shut before."""
    while not is_over.wait(NOTE_AGAIN_SECONDS):
        if _is_written(note, content):
            return


async def _save_body(request: Request, target: Path, limit: int) -> None:
    size = 0
    with target.open("xb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > limit:
                raise TooLarge(f"More than {limit} bytes were sent; send less at once.")
            await run_in_threadpool(file.write, chunk)


def _refuse_full_disk(error: OSError) -> Response:
    """The refusal on a full disk.

    Raises:
        OSError: it was other trouble.
    """
    problem = describe_full_disk(error)
    if problem is None:
        raise error
    return JSONResponse(_describe_error(problem), status_code=422)


def _build_response(answer: Outcome, folder: "tempfile.TemporaryDirectory[str]") -> Response:
    if not isinstance(answer, Path):
        folder.cleanup()
        return JSONResponse({"answer": answer})

    response = FileResponse(answer, media_type="application/octet-stream")
    response.background = BackgroundTask(folder.cleanup)
    return response


def _describe_error(error: ReviewError) -> dict[str, Any]:
    kinds = [kind.__name__ for kind in type(error).__mro__ if issubclass(kind, ReviewError)]
    told: dict[str, Any] = {"kinds": kinds, "message": str(error)}
    if isinstance(error, AlreadyDone):
        told |= {"operation_id": error.operation_id, "outcome": error.outcome}
    return told
