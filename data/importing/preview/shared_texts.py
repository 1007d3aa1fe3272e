"""Warn before import about records with different ids and the same texts.

An id is never made part of the texts, because judges would see it and it may contain the right
answer (docs/decisions/0033-records-that-share-their-texts.md).
"""

from collections.abc import Iterable, Iterator, Mapping

from data.importing.gathering import FirstLocation, GatheredDrafts
from data.importing.importer import quote_value
from faithfulness.model.drafts import Draft
from faithfulness.model.wording import format_count, join_names

_SHOWN = 3


def join_attributes(drafts: Iterable[Draft]) -> dict[str, str]:
    """What the drafts say beside their texts; different values of one name stand together."""
    values: dict[str, dict[str, None]] = {}
    for draft in drafts:
        for name, text in draft.attributes.items():
            values.setdefault(name, {})[text] = None
    return {name: "; ".join(texts) for name, texts in values.items()}


def describe_shared_texts(gathered: GatheredDrafts) -> Iterator[str]:
    """Warnings about records that became one item, and about items with the same texts."""
    merged = [ids for ids in gathered.ids.values() if len(ids) > 1]
    if merged:
        records = format_count(sum(map(len, merged)), "record")
        yield (
            f"{records} with ids of their own have the same texts and become "
            f"{format_count(len(merged), 'item')} with all of these ids: "
            f"{_describe_groups(merged)}."
        )
    groups: dict[tuple[tuple[str, str], str], dict[str, FirstLocation]] = {}
    repeated: dict[tuple[tuple[str, str], str], None] = {}
    for (run, _), ids in gathered.ids.items():
        for external_id, place in ids.items():
            groups.setdefault((run, place.texts), {})[external_id] = place
            if place.occurrence > 1:
                repeated[run, place.texts] = None
    if repeated:
        again = [groups[key] for key in repeated]
        records = format_count(sum(map(len, again)), "record")
        yield (
            f"{records} have the texts of another one, and the same rater or judge answers about "
            f"each: {_describe_groups(again)}. They stay separate items, so that all answers count."
        )


def _describe_groups(groups: list[dict[str, FirstLocation]]) -> str:
    more = f" and {len(groups) - _SHOWN:,} more" if len(groups) > _SHOWN else ""
    return "; ".join(map(_describe_ids, groups[:_SHOWN])) + more


def _describe_ids(ids: Mapping[str, FirstLocation]) -> str:
    files: dict[str, list[str]] = {}
    for place in ids.values():
        files.setdefault(place.file, []).append(f"{place.line:,}")
    places = [
        f"{file} {'lines' if len(lines) > 1 else 'line'} {join_names(lines)}"
        for file, lines in files.items()
    ]
    return f"{join_names([quote_value(each, 40) for each in ids])} ({join_names(places)})"
