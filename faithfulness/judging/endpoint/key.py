"""API key of a judge: kept in memory only, bound to one host, never displayed."""

import os
import re
from collections.abc import Callable, Mapping
from typing import NoReturn
from urllib.parse import urlsplit

from faithfulness.model.errors import JudgeFailed

OPENAI_ADDRESS = "https://api.openai.com/v1"
# A key for the operator's own endpoint, and that endpoint; OPENAI_API_KEY goes to OpenAI only.
KEY_VARIABLE = "PLUMBLINE_JUDGE_KEY"
ADDRESS_VARIABLE = "PLUMBLINE_JUDGE_ADDRESS"
OPENAI_VARIABLE = "OPENAI_API_KEY"

_HIDDEN = "[key hidden]"
_SHOWN_BY_MISTAKE = 4  # endpoints that mask a key still show about this many characters of it
_PIECE = 8  # characters of a key in a row
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf)[-_][\w*.…-]{6,}", re.IGNORECASE)
_BEARER = re.compile(rf"(\bbearer\s+)(?!{re.escape(_HIDDEN)})\S+", re.IGNORECASE)
_NOT_IN_HEADER = re.compile(r"[^\x21-\x7e]")


class Key:
    """A secret that only the host it was entered for can be sent; it has no text of its own."""

    __slots__ = ("_reveal", "host")

    def __init__(self, secret: str, *, base_url: str) -> None:
        secret = secret.strip()
        if not secret or _NOT_IN_HEADER.search(secret):
            raise JudgeFailed(
                "The key is empty or has blanks or letters that no key has. Copy it again, whole "
                "and without anything around it.",
                kind="key",
            )
        self.host = get_host(base_url)
        # A closure and not a field: what prints or copies fields of objects finds no secret.
        self._reveal: Callable[[], str] = lambda: secret

    def for_address(self, base_url: str) -> str:
        """The secret, for the host it was entered for and no other."""
        if get_host(base_url) != self.host:
            raise JudgeFailed(
                f"The key was entered for {self.host}, and the judge's address is now "
                f"{get_host(base_url)}. Enter the key for that address.",
                kind="key",
            )
        return self._reveal()

    def out_of(self, text: str) -> str:
        """The text without this key; everything else stays as it is."""
        return text.replace(self._reveal(), _HIDDEN)

    def hide(self, text: str) -> str:
        """The text without any key, whole or in the shortened forms that endpoints echo."""
        return redact(_hide_part(self.out_of(text), self._reveal()))

    def __repr__(self) -> str:
        return f"Key for {self.host}"

    def __copy__(self) -> "Key":
        return self

    def __deepcopy__(self, memo: object) -> "Key":
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a key is held in memory only")


def get_host(base_url: str) -> str:
    """Scheme, host and port of an address: what a key is bound to."""
    parts = urlsplit(base_url.strip())
    try:
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        port = None
    return f"{parts.scheme}://{(parts.hostname or '').rstrip('.')}:{port}"


def load_environment_key(base_url: str, environment: Mapping[str, str] = os.environ) -> Key | None:
    """The operator's key for this address, None where no key is meant for it.

    PLUMBLINE_JUDGE_KEY belongs to PLUMBLINE_JUDGE_ADDRESS and OPENAI_API_KEY to OpenAI, so that an
    address somebody typed never receives either.
    """
    own = environment.get(ADDRESS_VARIABLE, "").strip() or OPENAI_ADDRESS
    for variable, address in ((KEY_VARIABLE, own), (OPENAI_VARIABLE, OPENAI_ADDRESS)):
        secret = environment.get(variable, "").strip()
        if secret and get_host(address) == get_host(base_url):
            return Key(secret, base_url=address)
    return None


def redact(text: str) -> str:
    """The text without anything that looks like somebody's key."""
    return _KEY_LIKE.sub(_HIDDEN, _BEARER.sub(rf"\1{_HIDDEN}", text))


def _hide_part(text: str, secret: str) -> str:
    """The text without masked forms of the secret: its head, a run of dots or stars, its tail."""
    if len(secret) < 3 * _SHOWN_BY_MISTAKE:
        return text
    tail = re.escape(secret[-_SHOWN_BY_MISTAKE:])
    masked = re.compile(rf"[\w-]*(?:\*|\.{{2,}}|…|x{{3,}})[*.…x\w-]*?{tail}(?!\w)")
    return _hide_pieces(masked.sub(_HIDDEN, text), secret)


def _hide_pieces(text: str, secret: str) -> str:
    """The text without longer pieces of the secret, which give it away even without a mask."""
    covered: set[int] = set()
    for start in range(len(secret) - _PIECE + 1):
        piece = secret[start : start + _PIECE]
        place = text.find(piece)
        while place >= 0:
            covered.update(range(place, place + _PIECE))
            place = text.find(piece, place + 1)
    if not covered:
        return text
    shown = "".join("\0" if place in covered else each for place, each in enumerate(text))
    return re.sub("\0+", _HIDDEN, shown)
