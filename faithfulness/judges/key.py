"""A judge's key: held in memory, bound to one address, shown nowhere."""

import os
import re
from collections.abc import Callable, Mapping
from typing import NoReturn
from urllib.parse import urlsplit

from faithfulness.errors import JudgeFailed

OPENAI_ADDRESS = "https://api.openai.com/v1"
# A key for the operator's own endpoint, and that endpoint; OPENAI_API_KEY goes to OpenAI only.
KEY_VARIABLE = "PLUMBLINE_JUDGE_KEY"
ADDRESS_VARIABLE = "PLUMBLINE_JUDGE_ADDRESS"
OPENAI_VARIABLE = "OPENAI_API_KEY"

_HIDDEN = "[key hidden]"
_SHOWN_BY_MISTAKE = 4  # endpoints that mask a key still show about this many characters of it
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key|gsk|xai|hf)[-_][\w*.…-]{6,}", re.IGNORECASE)
_BEARER = re.compile(r"(\bbearer\s+)\S+", re.IGNORECASE)
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
        self.host = host_of(base_url)
        # A closure and not a field: what prints or copies fields of objects finds no secret.
        self._reveal: Callable[[], str] = lambda: secret

    def for_address(self, base_url: str) -> str:
        """The secret, for the host it was entered for and no other."""
        if host_of(base_url) != self.host:
            raise JudgeFailed(
                f"The key was entered for {self.host}, and the judge's address is now "
                f"{host_of(base_url)}. Enter the key for that address.",
                kind="key",
            )
        return self._reveal()

    def hide(self, text: str) -> str:
        """The text without the key, whole or in the shortened forms that endpoints echo."""
        secret = self._reveal()
        return redact(hide_part(text.replace(secret, _HIDDEN), secret))

    def __repr__(self) -> str:
        return f"Key for {self.host}"

    def __copy__(self) -> "Key":
        return self

    def __deepcopy__(self, memo: object) -> "Key":
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a key is held in memory only")


def host_of(base_url: str) -> str:
    """Scheme, host and port of an address: what a key is bound to."""
    parts = urlsplit(base_url.strip())
    try:
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        port = None
    return f"{parts.scheme}://{(parts.hostname or '').rstrip('.')}:{port}"


def key_from_environment(base_url: str, environment: Mapping[str, str] = os.environ) -> Key | None:
    """The operator's key for this address, None where no key is meant for it.

    PLUMBLINE_JUDGE_KEY belongs to PLUMBLINE_JUDGE_ADDRESS and OPENAI_API_KEY to OpenAI, so that an
    address somebody typed never receives either.
    """
    own = environment.get(ADDRESS_VARIABLE, "").strip() or OPENAI_ADDRESS
    for variable, address in ((KEY_VARIABLE, own), (OPENAI_VARIABLE, OPENAI_ADDRESS)):
        secret = environment.get(variable, "").strip()
        if secret and host_of(address) == host_of(base_url):
            return Key(secret, base_url=address)
    return None


def redact(text: str) -> str:
    """The text without anything that looks like somebody's key."""
    return _KEY_LIKE.sub(_HIDDEN, _BEARER.sub(rf"\1{_HIDDEN}", text))


def hide_part(text: str, secret: str) -> str:
    """The text without masked forms of the secret: its head, a run of dots or stars, its tail."""
    if len(secret) < 3 * _SHOWN_BY_MISTAKE:
        return text
    tail = re.escape(secret[-_SHOWN_BY_MISTAKE:])
    masked = re.compile(rf"[\w-]*(?:\*|\.{{2,}}|…|x{{3,}})[*.…x\w-]*?{tail}(?!\w)")
    hidden = masked.sub(_HIDDEN, text)
    # Longer pieces give the secret away even without a mask around them.
    piece = max(8, len(secret) // 3)
    for start in range(len(secret) - piece + 1):
        hidden = hidden.replace(secret[start : start + piece], _HIDDEN)
    return hidden
