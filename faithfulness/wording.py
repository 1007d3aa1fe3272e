"""How counts and shares are said, on every screen, in every file and to every script."""

NONE = "—"


def counted(value: int, one: str, many: str = "") -> str:
    """A count with its noun: 1 item, 2,000 items."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def percent(share: float | None, digits: int = 0) -> str:
    """A share in percent, or a dash: an undefined share is never shown as 0."""
    return NONE if share is None else f"{100 * share:.{digits}f} %"
