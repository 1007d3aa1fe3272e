"""Convert endpoint errors to plain messages that say what to do."""

import email.utils
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from faithfulness.model.errors import JudgeFailed

_SHOWN = 300  # characters of the endpoint's own words
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_QUOTA = re.compile(r"quota|billing|credit|payment", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|maximum context|too (long|large|many tokens)|"
    r"exceeds? the (available|model)|prompt is too",
    re.IGNORECASE,
)
_SCHEMA = re.compile(r"response_format|json_schema|schema|grammar|guided", re.IGNORECASE)
_LIMIT_NAME = re.compile(r"max_completion_tokens", re.IGNORECASE)


def extract_endpoint_message(body: object, hide: Callable[[str], str]) -> str:
    """What the endpoint says, as one short line without keys and markup; empty when nothing."""
    words = _BLANKS.sub(" ", _MARKUP.sub(" ", hide(_get_error_message(body)))).strip()[:_SHOWN]
    return words if any(each.isalpha() for each in words) else ""


def refuses_schema(status: int, words: str) -> bool:
    """The endpoint refused the call because it cannot keep a reply to a schema."""
    return status in (400, 404, 415, 422, 500, 501) and _SCHEMA.search(words) is not None


def wants_other_limit(status: int, words: str) -> bool:
    """The endpoint knows the limit on tokens under its newer name only."""
    return status in (400, 422) and _LIMIT_NAME.search(words) is not None


def make_status_failure(
    status: int, body: object, headers: Mapping[str, str], words: str, *, host: str, model: str
) -> JudgeFailed:
    """The failure that an HTTP status stands for."""
    says = f" It says: “{words}”." if words else ""
    if 300 <= status < 400:
        return JudgeFailed(
            f"{host} sends callers on to another address, and texts and key go only where you "
            "said. Enter the final address of the endpoint.",
            kind="address",
        )
    if status == 429 or status == 402:
        return _make_limit_failure(status, body, headers, says, host)
    if status in (401, 403):
        return JudgeFailed(
            f"{host} does not accept the key, or the key may not use {model!r}.{says} Enter a "
            "valid key for this endpoint.",
            kind="key",
        )
    if status in (404, 405):
        return JudgeFailed(
            f"{host} knows no model {model!r}, or the address is not that of its API.{says} Check "
            "the model's name, and that the address ends as the endpoint's documents say, mostly "
            "in /v1.",
            kind="model",
        )
    if status == 408 or status >= 500:
        return JudgeFailed(
            f"{host} has a fault of its own (status {status}).{says} Ask again later.",
            kind="server",
            may_retry=True,
            retry_after=parse_retry_after(headers),
            may_be_paid=True,
        )
    return _make_request_failure(status, says, host)


def parse_retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that the endpoint asks to wait, None when it does not say."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name, "").strip()
        try:
            seconds = float(said) * unit
        except ValueError:
            continue
        return min(seconds, 7 * 86400.0) if seconds >= 0 else None
    told = email.utils.parsedate_tz(headers.get("retry-after", ""))
    if told is None:
        return None
    left = email.utils.mktime_tz(told) - (time.time() if now is None else now)
    return min(max(0.0, left), 7 * 86400.0)


def make_invalid_reply_failure(what: str, words: str, host: str) -> JudgeFailed:
    """An answer of status 200 that is no chat completion."""
    says = f" It says: “{words}”." if words else ""
    do = "Ask again, and look at the endpoint's own log if it stays so."
    if what != "an error":
        do = (
            "Check that the address is that of an OpenAI-compatible API and that nothing in "
            "between answers in its place."
        )
    return JudgeFailed(
        f"{host} answered with {what} instead of a reply.{says} {do}",
        kind="not_a_reply",
        may_retry=True,
        may_be_paid=True,
    )


def make_timeout_failure(host: str, seconds: float, sent: bool) -> JudgeFailed:
    """No whole reply within the call's time limit."""
    paid = " The endpoint may have done the work and charge for it." if sent else ""
    return JudgeFailed(
        f"{host} gave no whole reply within {seconds:g} seconds.{paid} Ask again, or allow more "
        "time for a call.",
        kind="timeout",
        may_retry=True,
        may_be_paid=sent,
    )


def make_connection_failure(host: str, reason: str, sent: bool) -> JudgeFailed:
    """The endpoint cannot be reached, or the line broke."""
    if "certificate" in reason.lower():
        return JudgeFailed(
            f"{host} cannot prove that it is who it claims to be: its certificate is not valid "
            "here. Nothing was sent. Correct the address, or the certificate.",
            kind="connection",
        )
    if sent:
        text = f"The connection to {host} broke before the reply was whole. Ask again."
    else:
        text = f"{host} cannot be reached. Check the address, and that the endpoint is running."
    return JudgeFailed(text, kind="connection", may_retry=True, may_be_paid=sent)


def _make_limit_failure(
    status: int, body: object, headers: Mapping[str, str], says: str, host: str
) -> JudgeFailed:
    error = _get_error_object(body)
    codes = f"{error.get('code', '')} {error.get('type', '')}"
    # The message is no sign: some endpoints speak of a quota when they mean calls a minute.
    if status == 402 or _QUOTA.search(codes):
        return JudgeFailed(
            f"The account at {host} has no money or quota left.{says} Top it up, or use another "
            "key.",
            kind="quota",
        )
    seconds = parse_retry_after(headers)
    wait = "" if seconds is None else f" It asks to wait {seconds:,.0f} seconds."
    return JudgeFailed(
        f"{host} was asked too often.{wait}{says} Ask again later, or ask less at once.",
        kind="rate_limit",
        retry_after=seconds,
        may_retry=True,
    )


def _make_request_failure(status: int, says: str, host: str) -> JudgeFailed:
    if status == 413 or _TOO_LONG.search(says):
        return JudgeFailed(
            f"The item's texts are too long for this model.{says} Nothing was cut. Use a model "
            "with a larger context.",
            kind="too_long",
        )
    return JudgeFailed(
        f"{host} refuses the request (status {status}).{says} Change the setting it names, for "
        "example leave out temperature, seed or extra parameters.",
        kind="request",
    )


def _get_error_object(body: object) -> Mapping[str, Any]:
    # The client hands over what stands under "error", or the body where there is no such key.
    if not isinstance(body, dict):
        return {}
    inner = body.get("error")
    return inner if isinstance(inner, dict) else body


def _get_error_message(body: object) -> str:
    if isinstance(body, str):
        return body[:20_000]
    if isinstance(body, bytes):
        return body[:20_000].decode("utf-8", errors="replace")
    error = _get_error_object(body)
    for key in ("message", "error", "detail", "msg"):
        if isinstance(said := error.get(key), str):
            return said
    return "" if not error else str(error)[:20_000]
