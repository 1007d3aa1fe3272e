"""Parse the hedge before a number: "about", "up to", "less than", "at least"."""

_ALONE = {
    **dict.fromkeys(
        ["about", "around", "approximately", "approx", "approx.", "roughly", "nearly", "almost",
         "circa", "estimated", "~", "≈"],
        "about",
    ),
    **dict.fromkeys(["within", "max", "maximum"], "up to"),
    **dict.fromkeys(["under", "below", "<", "≤"], "most"),
    **dict.fromkeys(
        ["over", "above", "exceeds", "exceed", "exceeding", "beyond", "min", "minimum", ">", "≥"],
        "least",
    ),
}  # fmt: skip
_PAIRS = {
    ("up", "to"): "up to",
    ("close", "to"): "about",
    ("much", "as"): "up to",
    ("many", "as"): "up to",
    ("less", "than"): "most",
    ("fewer", "than"): "most",
    ("at", "most"): "most",
    ("more", "than"): "least",
    ("at", "least"): "least",
    ("starting", "at"): "least",
    ("upwards", "of"): "least",
    ("minimum", "of"): "least",
    ("maximum", "of"): "up to",
    ("max", "of"): "up to",
    ("maximum", "load"): "up to",
    ("max", "load"): "up to",
    ("maximum", "capacity"): "up to",
    ("maximum", "weight"): "up to",
}
_TURNED = {"most": "least", "least": "most"}  # "no more than", "not less than"
_FILLERS = frozenset({"the", "a", "an", "just", "only", "us"})
_LAST = frozenset({*_ALONE, *(last for _, last in _PAIRS), *_FILLERS})
_SIGNS = "~≈<≤>≥"
_FAR = 28  # characters before a number in which a hedge may begin


def find_hedge(plain: str, start: int) -> str:
    """The hedge that ends where a number of a lower-case text starts, or nothing."""
    before = plain[max(0, start - _FAR) : start].rstrip(" :")
    words = before.rsplit(None, 1)
    if not words or (words[-1] not in _LAST and words[-1][-1] not in _SIGNS):
        return ""  # almost always
    words = before.split()
    if words[-1] in _FILLERS:
        words.pop()
    if not words:
        return ""
    last = words[-1]
    if last in _ALONE:
        return _ALONE[last]
    if last[-1] in _SIGNS:
        return _ALONE[last[-1]]
    pair = _PAIRS.get((words[-2].strip("(,"), last), "") if len(words) > 1 else ""
    if pair in _TURNED and len(words) > 2 and words[-3] in {"no", "not"}:
        return _TURNED[pair]
    return pair
