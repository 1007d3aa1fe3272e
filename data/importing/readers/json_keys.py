"""Find a key that one JSON object gives twice, and where."""

import json
import re
from typing import Any

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:,\n]')


class _GivenTwice(Exception):
    """Ends the quick look at the first repeated key."""


def _pairs(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _GivenTwice


def key_given_twice(raw: bytes) -> tuple[str, int, int] | None:
    """The first repeated key of valid JSON with the lines (from 0) of both places."""
    try:
        json.loads(raw, object_pairs_hook=_pairs, strict=False)  # control characters are replaced
    except _GivenTwice:
        return _find(raw)
    return None


def _find(raw: bytes) -> tuple[str, int, int] | None:
    """Walks over the tokens; only ever called for files that are about to be refused."""
    seen: list[dict[str, int]] = []
    last, line = b"", 0
    for match in _TOKEN.finditer(raw):
        token = match.group()
        if token == b"\n":
            line += 1
        elif token in b"{[":
            seen.append({})
        elif token in b"}]":
            seen.pop()
        elif token == b":":
            key = json.loads(last, strict=False)
            if key in seen[-1]:
                return key, seen[-1][key], line
            seen[-1][key] = line
        elif token != b",":
            last = token
    return None
