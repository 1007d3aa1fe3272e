"""Judges: ask a model or program about an item and read its reply.

`make_judge` builds a judge from its settings. The package writes the message, plans samples, paces
requests, runs batches and prompt trials, sets traps for judges and estimates cost. Used by
`data.judging` and the judge, rerun and prompt pages.
"""

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, cast

from faithfulness.model.errors import JudgeFailed

if TYPE_CHECKING:
    from faithfulness.judging.endpoint.key import Key
    from faithfulness.judging.judge import Judge

_STRUCTURED = ("auto", "schema", "text")


def make_judge(settings: Mapping[str, str], key: "Key | None" = None) -> "Judge":
    """The judge that such settings describe; they are what a judge says of itself.

    Raises:
        JudgeFailed: a setting is missing or cannot be read, or the address is refused.
    """
    # The judges import this package themselves, and the client is loaded only where it is used.
    from faithfulness.judging.offline.offline_judge import NAME, OfflineJudge

    if settings.get("model") == NAME:
        return OfflineJudge()
    from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge

    structured = settings.get("structured", "auto")
    if structured not in _STRUCTURED:
        raise _make_setting_error("structured")
    seed, most = _parse_number(settings, "seed"), _parse_number(settings, "max_tokens")
    endpoint = Endpoint(
        model=settings.get("model", ""),
        base_url=settings.get("address", ""),
        temperature=_parse_number(settings, "temperature"),
        seed=None if seed is None else int(seed),
        max_tokens=None if most is None else int(most),
        extra=_parse_extra_parameters(settings.get("extra", "")),
        wall_seconds=_parse_number(settings, "wall_seconds") or 90.0,
        structured=cast(Literal["auto", "schema", "text"], structured),
    )
    return OpenAIJudge(endpoint, key)


def _parse_number(settings: Mapping[str, str], name: str) -> float | None:
    said = settings.get(name, "").strip()
    try:
        number = float(said) if said else None
    except ValueError:
        raise _make_setting_error(name) from None
    if number is not None and not math.isfinite(number):
        raise _make_setting_error(name)
    return number


def _parse_extra_parameters(said: str) -> Mapping[str, object]:
    if not said.strip():
        return {}
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise JudgeFailed(
            'The extra parameters are not a JSON object. Write them as {"top_p": 0.9}, or leave '
            "the field empty.",
            kind="request",
        )
    return found


def _make_setting_error(name: str) -> JudgeFailed:
    return JudgeFailed(
        f"The judge's setting {name!r} cannot be read. Enter it again.", kind="request"
    )
