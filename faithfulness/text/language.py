"""Detect whether a text is English, the only language of the word-based checks."""

import re
from functools import lru_cache

from faithfulness.text.stems import STOP_WORDS, fold_apostrophes

_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[a-z\u00c0-\u024f]")
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = STOP_WORDS - {"a", "i", "me", "so", "die", "was", "in", "am", "no", "as", "do", "he"}
# Frequent words of other languages that are no English words.
_FOREIGN_WORDS = (
    "der das und ist nicht ein eine mit auf den dem des von zu für sich auch wird sind "
    "le les est une dans pour que qui sur avec pas du au aux ce cette sont plus "
    "el los las es una por con para del se su como pero muy este esta "
    "il gli che di della sono non nel anche più questo "
    "het een van niet voor zijn met ook maar bij deze "
    "os um uma não em ao são mais "
    "och att det som på är av till inte med ett "
    "jest nie się na że "
    "ve bir bu için ile"
)
_FOREIGN = frozenset(_FOREIGN_WORDS.split())
_READ = 20_000  # characters that decide
_LEAST = 3


@lru_cache(maxsize=256)
def is_english(text: str) -> bool:
    """False where another script or the small words of another language prevail."""
    plain = fold_apostrophes(text[:_READ])
    letters = "" if plain.isascii() else "".join(_LETTER.findall(plain))
    if len(_LATIN.findall(letters)) < 0.7 * len(letters):
        return False
    words = _WORD.findall(plain)
    foreign = len([word for word in words if word in _FOREIGN])
    english = len([word for word in words if word in _ENGLISH]) if foreign >= _LEAST else 0
    return foreign < _LEAST or foreign <= english
