"""The door: routes by which scripts use the store that this process has open.

A second process cannot even read a DuckDB file that is open here, so commands send their work:
`POST /plumbline/door/<action>` with the token from `<store>.door`, a file only its owner can read.
Only callers on this machine are let in, and no browser: a page cannot set the token, and requests
with an origin or through a proxy are refused.
"""

import contextlib
import hmac
import json
import logging
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from data.api.handlers import ACTIONS, BODY_BYTES, Call, Outcome
from data.api.remote import PREFIX
from data.store.sidecar_files import side, write_durably
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, BadRequest, ReviewError
from faithfulness.model.full_disk import describe_full_disk

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
        note = side(path, "door")
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
            return JSONResponse(_told(ReviewError(problem)), status_code=403)
        action = request.path_params["action"]
        if action not in ACTIONS:
            said = f"There is no action {action!r} behind the door."
            return JSONResponse(_told(ReviewError(said)), status_code=404)
        try:
            folder = tempfile.TemporaryDirectory(prefix="door-")
        except OSError as error:
            return _out_of_room(error)
        try:
            body = Path(folder.name) / "body"
            await _save_body(request, body, BODY_BYTES[action])
            call = Call(
                words=dict(request.query_params), body=body, folder=Path(folder.name) / "work"
            )
            answer = await run_in_threadpool(self._work, action, call)
            return _respond(answer, folder)
        except ReviewError as error:
            folder.cleanup()
            status = 400 if isinstance(error, BadRequest) else 422
            return JSONResponse(_told(error), status_code=status)
        except OSError as error:
            folder.cleanup()
            return _out_of_room(error)
        except BaseException:
            folder.cleanup()
            raise

    def _work(self, action: str, call: Call) -> Outcome:
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


def _out_of_room(error: OSError) -> Response:
    """The refusal on a full disk.

    Raises:
        OSError: it was other trouble.
    """
    problem = describe_full_disk(error)
    if problem is None:
        raise error
    return JSONResponse(_told(problem), status_code=422)


def _respond(answer: Outcome, folder: "tempfile.TemporaryDirectory[str]") -> Response:
    if not isinstance(answer, Path):
        folder.cleanup()
        return JSONResponse({"answer": answer})

    response = FileResponse(answer, media_type="application/octet-stream")
    response.background = BackgroundTask(folder.cleanup)
    return response


def _told(error: ReviewError) -> dict[str, Any]:
    kinds = [kind.__name__ for kind in type(error).__mro__ if issubclass(kind, ReviewError)]
    told: dict[str, Any] = {"kinds": kinds, "message": str(error)}
    if isinstance(error, AlreadyDone):
        told |= {"operation_id": error.operation_id, "outcome": error.outcome}
    return told
