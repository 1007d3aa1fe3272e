"""Review counts in the reader: data for the tick boxes, stored ticks and the totals."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from components.ui.actions.action_log import store_presses
from components.ui.mounted import mount_component
from components.ui.session import get_login_name
from faithfulness.checks.check import FindingRange
from faithfulness.checks.review_ticks import (
    STANCES,
    Tick,
    count_ticks,
    list_reviews,
    to_count,
)
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Item

Keep = Callable[..., object]  # a Tick and operation_id: `data.records.tick` of the store and item
_SHOWN = 300  # letters of a review that are repeated; the source holds all of them
_HOLDS = {True: "yes", False: "no", None: "open"}

# As for candidates: what it carries is small, and the item's texts are not sent again.
_mount = mount_component("plumbline_counts", "reader/counted.js")


def counting(item: Item) -> dict[str, Any]:
    """Every review, and of each statement about how many say so the reviews that may speak of it.

    A statement is named by its place in the response, a review by its place in the list.
    """
    found = to_count(item)
    reviews = list_reviews(item) if found else ()
    near: dict[str, list[tuple[int, str]]] = {}
    for said, (each, _) in found.items():
        near[_format_range(said)] = [
            (at, item.text_of(span.field)[span.start : span.end][:_SHOWN])
            for span in each.candidates
            for at, review in enumerate(reviews)
            if review.field == span.field and review.start <= span.start < review.end
        ]
    return {
        "reviews": [
            (each.field, item.text_of(each.field)[each.start : each.end][:_SHOWN])
            for each in reviews
        ],
        "near": near,
    }


def build_counts(item: Item, ticks: Iterable[Tick], last: str = "") -> dict[str, Any]:
    """What everybody counts for each statement, with the verdict of the arithmetic."""
    ticks = tuple(ticks)
    if not ticks:
        return {"item": item.id, "last": last, "who": get_login_name(), "counts": {}}
    places = {each: at for at, each in enumerate(list_reviews(item))}
    counts: dict[str, list[dict[str, Any]]] = {}
    for said, by, count, verdict in count_ticks(item, ticks):
        mine = [each for each in ticks if (each.said, each.by) == (said, by)]
        told = {
            "by": by,
            "for": count.supporting,
            "against": count.contradicting,
            "of": count.total,
            "holds": _HOLDS[verdict.holds],
            "rule": verdict.rule,
            "says": verdict.says,
            "ticks": {
                places[each.review]: each.stance
                for each in mine
                if each.stance and each.review in places
            },
        }
        counts.setdefault(_format_range(said), []).append(told)
    return {"item": item.id, "last": last, "who": get_login_name(), "counts": counts}


def take_ticks(name: str, item: Item, keep: Keep) -> str:
    """Store every press that is new and answer the last one; empty when nothing was pressed."""

    def tick(said: dict[str, Any], press: str) -> None:
        keep(_parse_tick(item, said), operation_id=f"tick-{press}")

    return store_presses(f"reader_{name}", "ticks", tick)


def send_counts(item: Item, last: str, load: Callable[[], Iterable[Tick]], *, key: str) -> None:
    """Send the counts to the reader; nothing until somebody ticked in this tab."""
    _mount(key=key, data=build_counts(item, load(), last) if last else {})


def _parse_tick(item: Item, said: Mapping[str, Any]) -> Tick:
    """A press as the browser tells it.

    Raises:
        ReviewError: it makes no sense here.
    """
    reviews = list_reviews(item)
    try:
        start, end = map(int, str(said["said"])[:30].split("-"))
        at, stance = int(said["review"]), str(said["stance"])
    except (KeyError, TypeError, ValueError) as error:
        raise ReviewError("Not ticked: the page sent something unreadable.") from error
    if not 0 <= at < len(reviews) or stance not in STANCES:
        raise ReviewError("Not ticked: the item has no such review; open it again.")
    by = get_login_name() or str(said.get("by") or "")[:80]
    return Tick(FindingRange(start, end), reviews[at], stance, by)


def _format_range(said: FindingRange) -> str:
    return f"{said.start}-{said.end}"
