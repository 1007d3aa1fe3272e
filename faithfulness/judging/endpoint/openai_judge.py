"""Judge that calls an OpenAI-compatible endpoint through the openai client."""

import dataclasses
import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from faithfulness.judging.endpoint import failures
from faithfulness.judging.endpoint.addresses import Allowed, check_address
from faithfulness.judging.endpoint.failures import (
    extract_endpoint_message,
    make_invalid_reply_failure,
)
from faithfulness.judging.endpoint.key import OPENAI_ADDRESS, Key, redact
from faithfulness.judging.endpoint.schemas import Schema, build_reply_schema
from faithfulness.judging.judge import REFUSAL, TOOL, JudgeQuestion
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.vocabulary import Author, AuthorKind, Reply
from faithfulness.replies.reading import replace_surrogates

Hide = Callable[[str], str]

_MOST = 10**12  # tokens; more is no count, and no column of the store could hold any number


def parse_reply(
    body: bytes, *, asked: str, fingerprint: str, seconds: float, host: str, hide: Hide
) -> Reply:
    """The first choice of a chat completion; raises JudgeFailed where there is none.

    Model and counts are kept as the endpoint states them, whatever was asked for; a count that
    is no count becomes None.
    """
    told = _parse_completion(body, host, hide)
    choice = told["choices"][0]
    message = choice.get("message")
    if not isinstance(message, dict):
        raise make_invalid_reply_failure("a choice without a message", "", host)
    text, ended = (
        _get_message_text(message.get("content")),
        _shorten_text(choice.get("finish_reason")),
    )
    if refusal := _get_message_text(message.get("refusal")):
        text, ended = text or refusal, REFUSAL
    elif not text and (message.get("tool_calls") or message.get("function_call")):
        ended = TOOL
    usage = told.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Reply(
        text=text,
        model=_shorten_text(told.get("model")) or asked,
        finish_reason=ended,
        fingerprint=fingerprint,
        tokens_in=_parse_count(usage.get("prompt_tokens")),
        tokens_out=_parse_count(usage.get("completion_tokens")),
        seconds=seconds,
    )


def _parse_completion(body: bytes, host: str, hide: Hide) -> dict[str, Any]:
    told = _load_json(body)
    if told is None:
        raise make_invalid_reply_failure(
            _describe_body(body), extract_endpoint_message(body, hide), host
        )
    choices = told.get("choices") if isinstance(told, dict) else None
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return dict(told)
    what = "JSON of another kind"
    if isinstance(told, dict) and told.get("error"):
        what = "an error"
    elif choices == []:
        what = "an empty list of choices"
    raise make_invalid_reply_failure(
        what, extract_endpoint_message(told, hide) if what == "an error" else "", host
    )


def _load_json(body: bytes) -> Any:
    # No error is raised from the decoder's, which holds the whole body.
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _describe_body(body: bytes) -> str:
    if not body.strip():
        return "nothing"
    if body.strip() == b"null":
        return "an empty value"
    return "a web page" if body.lstrip()[:1] == b"<" else "broken JSON"


def _get_message_text(said: object) -> str:
    """The text of a message; some endpoints send it in parts."""
    if isinstance(said, list):
        return "".join(
            _get_message_text(each.get("text")) for each in said if isinstance(each, dict)
        )
    return str(replace_surrogates(said)) if isinstance(said, str) else ""


def _shorten_text(said: object) -> str:
    return _get_message_text(said)[:200] if isinstance(said, str) else ""


def _parse_count(said: object) -> int | None:
    if not isinstance(said, int) or isinstance(said, bool):
        return None
    return said if 0 <= said <= _MOST else None


if TYPE_CHECKING:
    import openai

    from faithfulness.judging.endpoint import wire

LOG = logging.getLogger(__name__)

# What the product decides itself; an extra parameter must not turn a call into another one.
_OWN = frozenset({"model", "messages", "stream", "n", "response_format", "tools", "functions"})
_SECRET = re.compile(r"api.?key|secret|authorization|password", re.IGNORECASE)
# Endpoints that were found to take no schema, or the limit on tokens under its newer name only.
_NO_SCHEMA: set[tuple[str, str]] = set()
_NEW_LIMIT: set[tuple[str, str]] = set()


def _iterate_keys(said: Any) -> Iterator[str]:
    """Every name in a JSON value, however deep."""
    if isinstance(said, Mapping):
        yield from map(str, said)
    for each in said.values() if isinstance(said, Mapping) else said:
        if isinstance(each, Mapping | list):
            yield from _iterate_keys(each)


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """Where a model is asked, and how; what is None is not sent."""

    model: str
    base_url: str = OPENAI_ADDRESS
    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    wall_seconds: float = 90.0
    structured: Literal["auto", "schema", "text"] = "auto"


class OpenAIJudge:
    """Asks one model once per call; who paces and asks again is the caller."""

    def __init__(
        self, endpoint: Endpoint, key: Key | None = None, *, allowed: Allowed | None = None
    ) -> None:
        if not endpoint.model.strip():
            raise JudgeFailed("The judge has no model. Enter the model's name.", kind="model")
        for name in _iterate_keys(endpoint.extra):
            if (name in _OWN and name in endpoint.extra) or _SECRET.search(name):
                raise JudgeFailed(
                    f"The extra parameter {name!r} is not one that can be set here. Remove it.",
                    kind="request",
                )
        self._endpoint = endpoint
        self._address = check_address(endpoint.base_url, allowed)
        self._key = key
        self._secret()  # a key for another address is refused before anything is asked
        self._host = f"{self._address.host}:{self._address.port}"
        self._kind = (self._address.base_url, endpoint.model)
        self._lock = threading.Lock()
        self._client: openai.OpenAI | None = None
        self._stops = 0

    @property
    def author(self) -> Author:
        return Author(kind=AuthorKind.JUDGE, name=self._endpoint.model)

    @property
    def settings(self) -> Mapping[str, str]:
        told = {
            "model": self._endpoint.model,
            "host": self._host,
            "address": self._address.base_url,
            "temperature": self._endpoint.temperature,
            "seed": self._endpoint.seed,
            "max_tokens": self._endpoint.max_tokens,
            "extra": json.dumps(dict(self._endpoint.extra)) if self._endpoint.extra else None,
            "wall_seconds": f"{self._endpoint.wall_seconds:g}",
            "structured": self._endpoint.structured,
        }
        return {name: str(value) for name, value in told.items() if value is not None}

    def stop(self) -> None:
        """End the calls under way within a second; later calls are not concerned."""
        self._stops += 1

    def close(self) -> None:
        """End calls and connections; a judge that is asked again opens new ones."""
        self.stop()
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def ask(self, question: JudgeQuestion, *, sample: int = 0) -> Reply:
        said = self._heard(question, sample)
        if isinstance(said, JudgeFailed):
            # Raised here and not where it was caught: neither its chain nor the locals of its
            # frames may hold what the endpoint echoed.
            LOG.info("judge %s failed on item %s: %s", self._name, question.item.id, said.kind)
            raise said
        LOG.info(
            "judge %s asked about item %s: %.1f s, %s tokens in, %s out",
            *(self._name, question.item.id, said.seconds, said.tokens_in, said.tokens_out),
        )
        return said

    def _heard(self, question: JudgeQuestion, sample: int) -> Reply | JudgeFailed:
        client = self._open()
        began = time.monotonic()
        body = self._send(client, question, sample)
        if isinstance(body, JudgeFailed):
            return body
        try:
            reply = parse_reply(
                body,
                asked=self._endpoint.model,
                fingerprint=question.prompt.fingerprint,
                seconds=time.monotonic() - began,
                host=self._host,
                hide=self._hide,
            )
        except JudgeFailed as failure:
            return failure.with_traceback(None)
        if self._key is None:
            return reply
        # A reply is kept as it came, except for the one thing that must not be kept at all.
        clean = self._key.out_of
        text, model, ended = map(clean, (reply.text, reply.model, reply.finish_reason))
        return dataclasses.replace(reply, text=text, model=model, finish_reason=ended)

    @property
    def _name(self) -> str:
        return self._hide(self._endpoint.model)

    def _secret(self) -> str:
        return self._key.for_address(self._address.base_url) if self._key is not None else ""

    def _hide(self, text: str) -> str:
        return self._key.hide(text) if self._key is not None else redact(text)

    def _send(
        self, client: "openai.OpenAI", question: JudgeQuestion, sample: int
    ) -> bytes | JudgeFailed:
        """The body of the endpoint's answer; asked anew where the endpoint needs another form."""
        from faithfulness.judging.endpoint import wire

        began, stops = time.monotonic(), self._stops
        for _ in range(3):
            left = self._endpoint.wall_seconds - (time.monotonic() - began)
            schema = self._schema(question)
            create = client.chat.completions.with_raw_response.create
            call = wire.start_call(left, lambda: self._stops == stops)
            try:
                said = self._one_request(
                    partial(create, **self._arguments(question, sample, schema)), schema, call
                )
            finally:
                wire.end_call()
            if said is not None:
                return said
        return JudgeFailed(
            f"{self._host} refuses every form of the request. Set replies to plain text.",
            kind="request",
        )

    def _one_request(
        self, create: Callable[[], Any], schema: Schema | None, call: "wire.EndpointCall"
    ) -> bytes | JudgeFailed | None:
        """None means: the endpoint was found to need another form, ask again."""
        import openai

        try:
            body: bytes = create().http_response.content
            return body
        except JudgeFailed as failure:
            failure.__context__ = None
            return failure.with_traceback(None)
        except openai.APITimeoutError:
            return failures.make_timeout_failure(self._host, self._endpoint.wall_seconds, call.sent)
        except openai.APIStatusError as error:
            return self._on_status(error, schema)
        except openai.APIConnectionError as error:
            return failures.make_connection_failure(self._host, str(error.__cause__), call.sent)

    def _on_status(
        self, error: "openai.APIStatusError", schema: Schema | None
    ) -> JudgeFailed | None:
        words = failures.extract_endpoint_message(error.body, self._hide)
        status = error.status_code
        if (
            schema is not None
            and self._endpoint.structured == "auto"
            and failures.refuses_schema(status, words)
        ):
            _NO_SCHEMA.add(self._kind)
            return None
        if (
            self._endpoint.max_tokens is not None
            and self._kind not in _NEW_LIMIT
            and failures.wants_other_limit(status, words)
        ):
            _NEW_LIMIT.add(self._kind)
            return None
        return failures.make_status_failure(
            status,
            error.body,
            error.response.headers,
            words,
            host=self._host,
            model=self._name,
        )

    def _schema(self, question: JudgeQuestion) -> Schema | None:
        wanted = self._endpoint.structured
        if wanted == "text" or (wanted == "auto" and self._kind in _NO_SCHEMA):
            return None
        return build_reply_schema(question.protocol, question.prompt)

    def _arguments(
        self, question: JudgeQuestion, sample: int, schema: Schema | None
    ) -> dict[str, Any]:
        endpoint = self._endpoint
        system = question.system
        messages = [{"role": "system", "content": system}] if system else []
        message = question.message if schema is None else question.schema_message
        messages.append({"role": "user", "content": message})
        told: dict[str, Any] = {}
        if endpoint.temperature is not None:
            told["temperature"] = endpoint.temperature
        if endpoint.seed is not None:
            # Samples with one seed would be one sample, counted several times.
            told["seed"] = endpoint.seed + sample
        if endpoint.max_tokens is not None:
            new = self._kind in _NEW_LIMIT
            told["max_completion_tokens" if new else "max_tokens"] = endpoint.max_tokens
        if schema is not None:
            told["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": question.protocol.key, "strict": True, "schema": schema},
            }
        # All in a body of our own, messages too: the client walks through its arguments to rename
        # keys that need no renaming, which takes a third of a call's processor time.
        body = {**endpoint.extra, **told, "messages": messages}
        return {"model": endpoint.model, "messages": (), "extra_body": body}

    def _open(self) -> "openai.OpenAI":
        import openai

        from faithfulness.judging.endpoint import wire

        with self._lock:
            if self._client is None:
                # Under DEBUG these would log what texts and keys can stand in.
                for name in ("openai", "httpx2", "httpcore2"):
                    logging.getLogger(name).setLevel(logging.WARNING)
                self._client = openai.OpenAI(
                    # The transport puts the key in, so that no object of the client holds it, and
                    # the environment's key is never taken.
                    api_key="in the transport",
                    base_url=self._address.base_url,
                    max_retries=0,
                    timeout=None,
                    http_client=openai.DefaultHttpxClient(
                        transport=wire.GuardedTransport(self._address, self._secret),
                        follow_redirects=False,
                        trust_env=False,
                    ),
                )
                # What the first use of it loads is no part of the first call's time.
                _ = self._client.chat.completions.with_raw_response
            return self._client
