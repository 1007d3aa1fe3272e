"""Token prices and costs: an editable price list, and estimates before a run."""

import math
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from faithfulness.judging.judge import JudgeQuestion
from faithfulness.judging.offline.quality import NAME as BASELINE
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Reply, UnitKind
from faithfulness.model.wording import NONE

FREE, UNKNOWN = "nothing", "cost unknown"
PRICES_VARIABLE = "PLUMBLINE_PRICES"
_OURS = Path(__file__).with_name("prices.yaml")
_MILLION = 1_000_000
_FRAME = 12  # tokens that endpoints add around the two messages
# Tokens that judges write beside the words they repeat: names, mark, reason, excerpt.
_WRITTEN = {UnitKind.SENTENCE: 110, UnitKind.CLAIM: 90, UnitKind.RESPONSE: 450}


class TokenPrice(NamedTuple):
    """Dollars for a million tokens read and written."""

    tokens_in: float
    tokens_out: float


class PriceList(NamedTuple):
    """Prices by model, with the day they were right and where they come from."""

    as_of: str
    source: str
    models: Mapping[str, TokenPrice]


def cost(model: str, tokens_in: int | None, tokens_out: int | None) -> float | None:
    """Dollars; None where the model is not on the list or the endpoint's count is no count."""
    price = load_price_list().models.get(model.strip().casefold())
    if price is None or tokens_in is None or tokens_out is None or min(tokens_in, tokens_out) < 0:
        return None
    return (tokens_in * price.tokens_in + tokens_out * price.tokens_out) / _MILLION


def compute_reply_cost(reply: Reply) -> float | None:
    """What a reply cost, by the model that the endpoint says has answered."""
    return cost(reply.model, reply.tokens_in, reply.tokens_out)


def format_dollars(value: float) -> str:
    return f"${value:,.2f}" if value >= 1 else f"${value:.4f}"


def format_spending(judge: str, *, cost: float, replies: int, unpriced: int) -> str:
    """What replies cost together; those of unknown cost are never counted as nothing.

    Args:
        judge: whose replies; the baseline's cost nothing.
        cost: dollars, of the replies whose cost is known.
        replies: how many there are.
        unpriced: how many of them have an unknown cost.
    """
    if judge.casefold() == BASELINE:
        return FREE
    if not replies:
        return NONE
    if unpriced == replies:
        return UNKNOWN
    return format_dollars(cost) + (f" + {unpriced:,} unknown" if unpriced else "")


def format_price_date() -> str:
    """From when the prices are: providers change theirs without a word."""
    return f"Prices are those of {load_price_list().as_of} and may be stale; check your provider's."


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has: English takes four letters each, other scripts fewer.

    Meant for a figure before the start, within a third either way; endpoints count exactly.
    """
    plain = sum(character < "\x80" for character in text)
    return math.ceil(plain / 4 + (len(text) - plain) / 1.5)


def estimate_question(question: JudgeQuestion) -> tuple[int, int]:
    """About how many tokens a question takes to read, and its answer to write."""
    units = question.seen.units_of(question.protocol.unit)
    repeated = 0
    if question.protocol.unit is UnitKind.SENTENCE:
        repeated = sum(estimate_tokens(unit.text) for unit in units)
    written = _WRITTEN[question.protocol.unit] * max(1, len(units)) + repeated
    return estimate_tokens(question.system) + estimate_tokens(question.message) + _FRAME, written


def load_price_list(environment: Mapping[str, str] = os.environ) -> PriceList:
    """The user's price list, or the one that comes with the program; an edit counts at once."""
    path = Path(environment.get(PRICES_VARIABLE, "").strip() or _OURS)
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise ReviewError(
            f"The price list {path} cannot be read ({error.strerror}). Correct {PRICES_VARIABLE}, "
            "or unset it to use the list that comes with the program."
        ) from error
    return _read_price_file(path, changed)


@lru_cache(maxsize=4)
def _read_price_file(path: Path, changed: int) -> PriceList:
    # BaseLoader builds texts only: a date or a version number stays as it was written.
    try:
        told = yaml.load(path.read_text(encoding="utf-8-sig"), Loader=yaml.BaseLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" line {mark.line + 1}" if mark is not None else ""
        raise ReviewError(f"{path.name}{where}: this is not YAML. Correct it.") from error
    models = told.get("models") if isinstance(told, dict) else None
    if not isinstance(models, dict):
        raise ReviewError(f"{path.name}: there is no table under the key models. Add one.")
    return PriceList(
        as_of=str(told.get("as_of", "")),
        source=str(told.get("source", "")),
        models={
            str(name).strip().casefold(): _parse_price(path.name, str(name), said)
            for name, said in models.items()
        },
    )


def _parse_price(file: str, model: str, said: Any) -> TokenPrice:
    try:
        price = TokenPrice(float(said["in"]), float(said["out"]))
    except (KeyError, TypeError, ValueError):
        price = TokenPrice(math.nan, math.nan)
    if not all(0 <= each < math.inf for each in price):
        raise ReviewError(
            f"{file}: the price of {model} is not of the form {{in: 2.50, out: 10.00}}, dollars "
            "for a million tokens. Correct that line."
        )
    return price
