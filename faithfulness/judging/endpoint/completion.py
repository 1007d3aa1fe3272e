"""The reply in the body of an endpoint's answer; everything else that can stand there is named."""

import json
from collections.abc import Callable
from typing import Any

from faithfulness.judging.endpoint.failures import not_a_reply, own_words
from faithfulness.judging.judge import REFUSAL, TOOL
from faithfulness.model.vocabulary import Reply
from faithfulness.replies.reading import whole_letters

Hide = Callable[[str], str]

_MOST = 10**12  # tokens; more is no count, and no column of the store could hold any number


def reply_in(
    body: bytes, *, asked: str, fingerprint: str, seconds: float, host: str, hide: Hide
) -> Reply:
    """The first choice of a chat completion; raises JudgeFailed where there is none.

    Model and counts are kept as the endpoint states them, whatever was asked for; a count that
    is no count becomes None.
    """
    told = _completion(body, host, hide)
    choice = told["choices"][0]
    message = choice.get("message")
    if not isinstance(message, dict):
        raise not_a_reply("a choice without a message", "", host)
    text, ended = _text(message.get("content")), _word(choice.get("finish_reason"))
    if refusal := _text(message.get("refusal")):
        text, ended = text or refusal, REFUSAL
    elif not text and (message.get("tool_calls") or message.get("function_call")):
        ended = TOOL
    usage = told.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Reply(
        text=text,
        model=_word(told.get("model")) or asked,
        finish_reason=ended,
        fingerprint=fingerprint,
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        seconds=seconds,
    )


def _completion(body: bytes, host: str, hide: Hide) -> dict[str, Any]:
    told = _loaded(body)
    if told is None:
        raise not_a_reply(_looks_like(body), own_words(body, hide), host)
    choices = told.get("choices") if isinstance(told, dict) else None
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return dict(told)
    what = "JSON of another kind"
    if isinstance(told, dict) and told.get("error"):
        what = "an error"
    elif choices == []:
        what = "an empty list of choices"
    raise not_a_reply(what, own_words(told, hide) if what == "an error" else "", host)


def _loaded(body: bytes) -> Any:
    # No error is raised from the decoder's, which holds the whole body.
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _looks_like(body: bytes) -> str:
    if not body.strip():
        return "nothing"
    if body.strip() == b"null":
        return "an empty value"
    return "a web page" if body.lstrip()[:1] == b"<" else "broken JSON"


def _text(said: object) -> str:
    """The text of a message; some endpoints send it in parts."""
    if isinstance(said, list):
        return "".join(_text(each.get("text")) for each in said if isinstance(each, dict))
    return str(whole_letters(said)) if isinstance(said, str) else ""


def _word(said: object) -> str:
    return _text(said)[:200] if isinstance(said, str) else ""


def _count(said: object) -> int | None:
    if not isinstance(said, int) or isinstance(said, bool):
        return None
    return said if 0 <= said <= _MOST else None
