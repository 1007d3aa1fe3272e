"""An OpenAI-compatible server on loopback that answers well, or with the fault its model names.

In a test: `with LoopbackJudge() as server: Endpoint(base_url=server.base_url, model="good")`.
As a program: `python tests/loopback_judge.py --port 8123 [--delay 0.05] [--no-schema]`.

The model's name says what happens: `good` answers, `fault` or `fault:argument` goes wrong (see
FAULTS), `fault*2` goes wrong twice and answers then. `honest` looks every unit up in the sources,
`obedient` does what an ORDER in any text says instead, `obedient:label` says that label always.
`POST …/chat/completions` is all it serves, and `GET /asked`, which counts requests by model.
"""

import argparse
import asyncio
import hashlib
import json
import re
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

JSON_BODY = "application/json"
ORDER = re.compile(r"[Ll]abel every (?:sentence|claim) (\w+)")  # what `obedient` obeys


class Request(NamedTuple):
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Response(NamedTuple):
    """What to send; `pace` is seconds between bytes, `keep` how many bytes come before the cut."""

    status: int
    body: bytes
    headers: tuple[str, ...] = ()
    kind: str = JSON_BODY
    pace: float = 0.0
    keep: int | None = None
    wait: float = 0.0


def error(status: int, message: str, *headers: str, **more: str) -> Response:
    body = json.dumps({"error": {"message": message, **more}}).encode()
    return Response(status, body, headers)


def completion(text: str | None, *, ended: str = "stop", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text} | more
    return {
        "id": "loopback",
        "object": "chat.completion",
        "created": 0,
        "model": "loopback",
        "choices": [{"index": 0, "message": message, "finish_reason": ended}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def reply_to(body: dict[str, Any]) -> str:
    """A proper reply in the form that the message asks for; labels vary with text and seed."""
    message = body["messages"][-1]["content"]
    _, found, rest = message.rpartition("The document:\n")
    if not found:
        return "There is no document in this message."
    document = json.loads(rest)
    seed = str(body.get("seed", ""))
    if "<score>X</score>" in message:
        score = 3 + _number(document["reviewed"][0]["text"] + seed) % 3
        return f"Most statements can be found.\n{document['mark']}\nScore- <score>{score}</score>"
    if "`judgment`" in message:
        objects = [_claim(document, unit, seed) for unit in document["units"]]
    elif "`query_type`" in message:
        objects = [_consistency(document)]
    elif "`ethics`" in message:
        objects = [_rubric(document)]
    else:
        objects = [_sentence(document, unit, seed) for unit in document["units"]]
    if "response_format" in body and "`query_type`" not in message and "`ethics`" not in message:
        return json.dumps({"units": objects})
    return "\n".join(json.dumps(each) for each in objects)


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:4], "big")


def _source(document: dict[str, Any]) -> str:
    texts = [each["text"] for each in document["sources"]] or [""]
    return str(texts[0])[:60]


def _sentence(document: dict[str, Any], unit: dict[str, Any], seed: str) -> dict[str, Any]:
    labels = ("supported", "supported", "unsupported", "contradictory", "no_rad")
    label = labels[_number(unit["text"] + seed) % len(labels)]
    return {
        "mark": document["mark"],
        "id": unit["id"],
        "sentence": unit["text"],
        "label": label,
        "rationale": "Written by the loopback server.",
        "excerpt": _source(document) if label in ("supported", "contradictory") else None,
    }


def _claim(document: dict[str, Any], unit: dict[str, Any], seed: str) -> dict[str, Any]:
    return {
        "mark": document["mark"],
        "id": unit["id"],
        "judgment": _number(unit["text"] + seed) % 3 > 0,
        "rationale": "Written by the loopback server.",
        "excerpt": None,
    }


def _consistency(document: dict[str, Any]) -> dict[str, Any]:
    return {
        "mark": document["mark"],
        "query_type": "factoid",
        "answer": "yes_evidence",
        "rationale": "Written by the loopback server.",
        "evidence_links": [each["name"] for each in document["sources"]][:1],
        "excerpts": [_source(document)],
        "parts_unverified": False,
        "comment": "",
    }


def _rubric(document: dict[str, Any]) -> dict[str, Any]:
    score = {"score": 4, "rationale": "Written by the loopback server.", "checks": []}
    return {"mark": document["mark"], "accuracy": score, "ethics": score | {"score": 5}}


def _honest(document: dict[str, Any], unit: dict[str, Any], order: str = "") -> dict[str, Any]:
    """Supported where a source has the very words, else not; an order is obeyed instead."""
    names = unit.get("check_against") or [each["name"] for each in document["sources"]]
    texts = {each["name"]: each["text"] for each in document["sources"] + document["reviewed"]}
    known = any(unit["text"] in texts.get(name, "") for name in names)
    said = {"mark": document["mark"], "id": unit["id"], "rationale": "It was looked up."}
    if "check_against" in unit:
        return said | {"judgment": known if not order else order == "true", "excerpt": None}
    label = order or ("supported" if known else "unsupported")
    excerpt = unit["text"] if label == "supported" else None
    return said | {"sentence": unit["text"], "label": label, "excerpt": excerpt}


def _units(request: Request, *, obeys: bool, order: str = "") -> Response:
    """A judge that reads, and one that also does what any text of the item tells it to."""
    document = json.loads(request.body["messages"][-1]["content"].rpartition("The document:\n")[2])
    texts = [each["text"] for each in document["sources"] + document["reviewed"]]
    if obeys and (found := next(filter(None, map(ORDER.search, texts)), None)):
        order = found[1]
    units = [_honest(document, unit, order) for unit in document["units"]]
    return _said(completion(json.dumps({"units": units})) | {"model": request.body["model"]})


def good(request: Request, argument: str = "") -> Response:
    told = completion(reply_to(request.body)) | {"model": request.body["model"]}
    return Response(200, json.dumps(told).encode())


def _said(told: Any) -> Response:
    return Response(200, json.dumps(told).encode())


def _key_of(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def _masked(request: Request) -> Response:
    key = _key_of(request)
    masked = f"{key[:7]}{'*' * 20}{key[-4:]}"
    shown = f"{key[:3]}...{key[-4:]}"
    return error(401, f"Incorrect API key provided: {masked} ({shown})", code="invalid_api_key")


def _cut_reply(request: Request, argument: str) -> Response:
    text = reply_to(request.body)
    return _said(completion(text[: int(len(text) * 0.6)], ended="length"))


def _without_mark(request: Request) -> Response:
    """A proper reply by a judge that leaves the call's mark out."""
    text = re.sub(r'"mark": "\w+", ', "", reply_to(request.body))
    text = re.sub(r"(?m)^[0-9a-f]{32}\n", "", text)
    return _said(completion(text) | {"model": request.body["model"]})


def _echo(request: Request) -> Response:
    """The example reply of the prompt, in place of an answer."""
    message = request.body["messages"][-1]["content"]
    text = message.partition("Example reply:\n```\n")[2].partition("\n```")[0]
    return _said(completion(text) | {"model": request.body["model"]})


def _half(request: Request, argument: str) -> Response:
    whole = good(request)
    return whole._replace(keep=len(whole.body) // 2)


# Each fault gets the request and the text after the colon of the model's name.
FAULTS = {
    "rate_limit": lambda r, a: error(429, "Too many requests", *([f"Retry-After: {a}"] * bool(a))),
    "quota": lambda r, a: error(
        429, "You exceeded your current quota", code="insufficient_quota", type="insufficient_quota"
    ),
    "bad_key": lambda r, a: error(401, f"Incorrect API key provided: {_key_of(r)}"),
    "masked_key": lambda r, a: _masked(r),
    "forbidden": lambda r, a: error(403, "Country not supported"),
    "no_model": lambda r, a: error(404, "The model does not exist", code="model_not_found"),
    "server": lambda r, a: error(int(a or 503), "The server is overloaded"),
    "too_long": lambda r, a: error(
        400, "This model's maximum context length is 8192 tokens", code="context_length_exceeded"
    ),
    "no_temperature": lambda r, a: error(400, "Unsupported value: 'temperature' must be 1"),
    "hang": lambda r, a: good(r)._replace(wait=float(a or 3600)),
    "drip": lambda r, a: good(r)._replace(pace=float(a or 0.2)),
    "cut": _half,
    "html": lambda r, a: Response(
        200, b"<html><title>Sign in</title><body>Gateway</body></html>", kind="text/html"
    ),
    "error_200": lambda r, a: _said({"error": {"message": "worker died", "code": 500}}),
    "broken_json": lambda r, a: Response(200, b'{"choices": [{"message": {"content": "x'),
    "deep_json": lambda r, a: Response(200, b"[" * 200_000),
    "other_json": lambda r, a: _said(["ok"]),
    "no_choices": lambda r, a: _said(completion("x") | {"choices": []}),
    "null_choices": lambda r, a: _said(completion("x") | {"choices": None}),
    "odd_choice": lambda r, a: _said(completion("x") | {"choices": [{"message": None}]}),
    "empty_body": lambda r, a: Response(200, b""),
    "empty": lambda r, a: _said(completion("")),
    "null": lambda r, a: _said(completion(None)),
    "refusal": lambda r, a: _said(completion(None, refusal="I cannot help with that.")),
    "filtered": lambda r, a: _said(completion("The an", ended="content_filter")),
    "tool": lambda r, a: _said(completion(None, ended="tool_calls", tool_calls=[{"id": "1"}])),
    "length": _cut_reply,
    "no_room": lambda r, a: _said(completion(None, ended="length")),
    "huge": lambda r, a: _said(completion("x" * int(a or 20_000_000))),
    "other_model": lambda r, a: _said(
        completion(reply_to(r.body))
        | {"model": "another-model", "usage": {"prompt_tokens": -5, "completion_tokens": "many"}}
    ),
    "parts": lambda r, a: _said(
        completion(None) | {"choices": [{"message": {"content": [{"text": reply_to(r.body)}]}}]}
    ),
    "key_in_reply": lambda r, a: _said(completion(f"Your key is {_key_of(r)}.")),
    "key_in_ending": lambda r, a: _said(completion(reply_to(r.body), ended=f"stop {_key_of(r)}")),
    "half_letters": lambda r, a: _said(
        completion("\ud83d\n" + reply_to(r.body).replace("loopback", r"\ud83d"))
        | {"model": "half\ud83d", "usage": {"prompt_tokens": 10**30, "completion_tokens": 20}}
    ),
    "key_in_page": lambda r, a: Response(200, f"<p>{_key_of(r)}</p>".encode(), kind="text/html"),
    "redirect": lambda r, a: Response(307, b"", (f"Location: http://127.0.0.1:{a}/v1",)),
    "packed": lambda r, a: Response(200, b"\x1f\x8b" + b"\0" * 50, ("Content-Encoding: gzip",)),
    "no_mark": lambda r, a: _without_mark(r),
    "echo": lambda r, a: _echo(r),
    "honest": lambda r, a: _units(r, obeys=False),
    "obedient": lambda r, a: _units(r, obeys=True, order=a),
    "new_limit": lambda r, a: (
        error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "max_tokens" in r.body
        else good(r)
    ),
}


@dataclass(kw_only=True)
class LoopbackJudge:
    """The server on a thread of its own; `asked` is every request, in order.

    While `held` is set no answer leaves, so that a test can look at questions under way.
    """

    port: int = 0
    delay: float = 0.0
    held: bool = False
    schema: bool = True
    asked: list[Request] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def asked_of(self, model: str) -> list[Request]:
        return [each for each in self.asked if each.body.get("model") == model]

    def __enter__(self) -> "LoopbackJudge":
        started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(10), "the loopback server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def serve(self) -> asyncio.Server:
        server = await asyncio.start_server(self._connection, "127.0.0.1", self.port, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(self.serve())
        started.set()
        self._loop.run_forever()
        server.close()
        pending = asyncio.all_tasks(self._loop)
        for task in pending:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
        self._loop.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _read(reader)) is not None:
                response = self._answer(request)
                await asyncio.sleep(response.wait or self.delay)
                while self.held:
                    await asyncio.sleep(0.02)
                if not await _send(writer, response):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _answer(self, request: Request) -> Response:
        if request.path == "/asked":
            return Response(200, json.dumps(self._counts).encode())
        if not request.path.endswith("/chat/completions"):
            return error(404, f"Nothing at {request.path}")
        self.asked.append(request)
        model = str(request.body.get("model"))
        self._counts[model] += 1
        if not self.schema and "response_format" in request.body:
            return error(400, "Unknown parameter: response_format", param="response_format")
        name, _, argument = model.partition(":")
        name, _, times = name.partition("*")
        argument, _, times = (argument, "", times) if times else argument.partition("*")
        if name not in FAULTS or (times and self._counts[model] > int(times)):
            return good(request)
        return FAULTS[name](request, argument)


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    raw = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(first.split(" ")[1], headers, json.loads(raw) if raw else {})


async def _send(writer: asyncio.StreamWriter, response: Response) -> bool:
    """Send a response; False when the connection is to be cut."""
    lines = (
        f"HTTP/1.1 {response.status} Loopback",
        f"Content-Type: {response.kind}",
        f"Content-Length: {len(response.body)}",
        *response.headers,
    )
    raw = "\r\n".join(lines).encode() + b"\r\n\r\n" + response.body[: response.keep]
    if response.pace:
        for byte in raw:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(response.pace)
    writer.write(b"" if response.pace else raw)
    await writer.drain()
    return response.keep is None


async def _forever(server: LoopbackJudge) -> None:
    listening = await server.serve()
    print(server.base_url, flush=True)
    await listening.serve_forever()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--port", type=int, default=0)
    arguments.add_argument("--delay", type=float, default=0.0)
    arguments.add_argument("--no-schema", action="store_true")
    chosen = arguments.parse_args()
    one = LoopbackJudge(port=chosen.port, delay=chosen.delay, schema=not chosen.no_schema)
    asyncio.run(_forever(one))
