"""Export JSON Lines in the native format, one item per line, for the "plumbline" importer.

Replies that were imported from a file are exported as replies, because the importer parses them
again. All other answers are exported individually. An annotator's own segmentation is exported as
marked parts of the unit.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from data.exporting.rows import ExportContent, RunRow
from data.items.loading import query_items
from data.runs.queries import build_parameters
from data.store.cache.item_filter_sql import between
from faithfulness.model.drafts import DraftDecision
from faithfulness.model.vocabulary import Item, UnitKind
from faithfulness.text.sentences import CUTTER

Row = Mapping[str, Any]

_HEADS = """
with further as (
    select item_no, list(external_id order by position) as ids
    from further_ids
    where run_no = $run_no
    group by item_no
)
select i.item_id, n.external_id, coalesce(f.ids, []), n.attributes
from run_items n
join items i on i.item_no = n.item_no and i.item_no between $first and $last
left join further f on f.item_no = n.item_no
where n.run_no = $run_no
    and n.item_no in (select unnest($numbers::integer[]))
order by n.position
"""

# How many annotations a reply gave at all: when some were superseded, its text says too much.
_REPLIES = """
with gave as (
    select reply_id, count(*) as answers
    from annotations
    where item_no between $first and $last
        and run_no = $run_no
        and reply_id is not null
    group by reply_id
)
select
    i.item_id, r.reply_id, w.kind, w.name, r.text, r.model, r.finish_reason,
    coalesce(g.answers, 0)
from replies r
join items i on i.item_no = r.item_no and i.item_no between $first and $last
join authors w on w.author_no = r.author_no
left join gave g on g.reply_id = r.reply_id
where r.run_no = $run_no
    and r.item_no in (select unnest($numbers::integer[]))
    and r.fingerprint = ''
    and (
        len($authors::varchar[]) = 0
        or list_contains($authors::varchar[], w.kind || ':' || w.name)
    )
order by r.item_no, r.reply_id
"""

_NUMBERS = """
select
    i.item_id, w.kind, w.name, s.name,
    arg_max_null(s.value, s.summary_no)
from summaries s
join items i on i.item_no = s.item_no and i.item_no between $first and $last
join authors w on w.author_no = s.author_no
where s.given
    and s.run_no = $run_no
    and s.item_no in (select unnest($numbers::integer[]))
    and (
        len($authors::varchar[]) = 0
        or list_contains($authors::varchar[], w.kind || ':' || w.name)
    )
group by s.item_no, i.item_id, w.kind, w.name, s.name
order by s.item_no, w.kind, w.name, s.name
"""

_DEFAULTS = {"rationale": "", "comment": "", "problem": "", "field": "response", "text": ""}
_LISTS = ("excerpts", "links", "checks")


class _Page(NamedTuple):
    """What the store says about some hundred items of a run, by item id."""

    items: Mapping[str, Item]
    rows: Mapping[str, list[Row]]
    replies: Mapping[str, list[dict[str, Any]]]
    numbers: Mapping[str, list[dict[str, Any]]]


def write_jsonl(chosen: ExportContent, path: Path) -> int:
    count = 0
    with path.open("wb") as file:
        for run, numbers in chosen.pages():
            facts = between(numbers) | {"run_no": run.run_no}
            heads = chosen.cursor.execute(_HEADS, facts).fetchall()
            page = _load_page(chosen, run, numbers, [row[0] for row in heads])
            for item_id, external_id, further_ids, attributes in heads:
                line = _build_line(run, (external_id, further_ids), attributes, page, item_id)
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
            count += len(heads)
    return count


def _load_page(
    chosen: ExportContent, run: RunRow, numbers: list[int], item_ids: list[str]
) -> _Page:
    facts = between(numbers) | {"run_no": run.run_no}
    facts["authors"] = build_parameters(chosen.selection)["authors"]
    rows = chosen.rows(run, numbers).to_pylist()
    shown = Counter(row["reply_id"] for row in rows)
    replies: dict[str, list[dict[str, Any]]] = defaultdict(list)
    whole = set()
    for row in chosen.cursor.execute(_REPLIES, facts).fetchall():
        item_id, reply_id, kind, name, text, model, finish_reason, answers = row
        if shown[reply_id] == answers:
            whole.add(reply_id)
            said = {"author": name, "author_kind": kind, "text": text}
            more = {"model": model, "finish_reason": finish_reason}
            replies[item_id].append(said | {key: value for key, value in more.items() if value})
    given: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item_id, kind, author, name, value in chosen.cursor.execute(_NUMBERS, facts).fetchall():
        given[item_id].append({"author": author, "author_kind": kind, "name": name, "value": value})
    by_item: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["reply_id"] not in whole:
            by_item[row["plumbline_item"]].append(row)
    return _Page(query_items(chosen.cursor, item_ids), by_item, replies, given)


def _build_line(
    run: RunRow,
    ids: tuple[str, list[str]],
    attributes: Mapping[str, str],
    page: _Page,
    item_id: str,
) -> dict[str, Any]:
    item = page.items[item_id]
    rows = page.rows.get(item_id, [])
    external_id, further_ids = ids
    return {
        "protocol": run.protocol,
        "system": run.system,
        "id": external_id,
        **({"further_ids": further_ids} if further_ids else {}),
        "fields": [
            {"name": each.name, "kind": each.kind, "text": each.text} for each in item.fields
        ],
        "attributes": dict(attributes),
        "cut": _list_cut_sentences(item),
        "answers": [_build_answer(row, item) for row in rows],
        "replies": page.replies.get(item_id, []),
        "numbers": page.numbers.get(item_id, []),
        "claims": _list_unjudged_claims(item, {row["unit_id"] for row in rows}),
    }


def _list_cut_sentences(item: Item) -> list[str] | None:
    """The sentences in the order of the text, where our cutter of today would not make them.

    An item may have gained sentences that stand nowhere in its text; they come last.
    """
    units = item.units_of(UnitKind.SENTENCE)
    if item.cutter == CUTTER and all(unit.span is not None for unit in units):
        return None
    ordered = sorted(units, key=lambda unit: (unit.span is None, unit.span))
    return [unit.text for unit in ordered]


def _build_answer(row: Row, item: Item) -> dict[str, Any]:
    told: dict[str, Any] = {
        "author": row["author"],
        "author_kind": row["author_kind"],
        "criterion": row["criterion"],
        "value": row["value"],
        "unit": row["unit"],
    }
    told |= {key: row[key] for key, usual in _DEFAULTS.items() if row[key] != usual}
    told |= {key: row[key] for key in _LISTS if row[key]}
    if row["value"] is None:
        told["problem"] = row["problem"]
    if row["is_decision"]:
        told["decision"] = {key: row[key] for key in DraftDecision._fields if row[key]}
    if row["confidence"] is not None:
        told["confidence"] = row["confidence"]
    if row["unit"] == UnitKind.RESPONSE:
        told.pop("text", None)
    if row["unit"] == UnitKind.CLAIM:
        told |= _find_sentence(item, row["unit_id"])
    if row["unit"] == UnitKind.SENTENCE and _has_twins(item, row["text"]):
        told["unit_id"] = row["unit_id"]
    parts = [
        [each["span_start"], each["span_end"], each["value"]]
        for each in row["pieces"]
        if each["span_start"] is not None and each["value"] is not None
    ]
    return told | ({"parts": parts} if parts else {})


def _has_twins(item: Item, text: str) -> bool:
    """Whether words alone do not tell which sentence is meant."""
    return sum(unit.text == text for unit in item.units_of(UnitKind.SENTENCE)) > 1


def _find_sentence(item: Item, unit_id: str) -> dict[str, str]:
    """The sentence a claim came from, where the store knows it."""
    unit = next(each for each in item.units if each.id == unit_id)
    if unit.span is None:
        return {}
    return {"sentence": item.text_of(unit.field)[unit.span.start : unit.span.end]}


def _list_unjudged_claims(item: Item, answered: set[str]) -> list[dict[str, str]]:
    """Claims nobody judged, with all twins they have, so that none is taken for a judged twin."""
    claims = [
        (unit.id, {"text": unit.text, "field": unit.field} | _find_sentence(item, unit.id))
        for unit in item.units_of(UnitKind.CLAIM)
    ]
    open_ones = {tuple(told.items()) for unit_id, told in claims if unit_id not in answered}
    return [told for _, told in claims if tuple(told.items()) in open_ones]
