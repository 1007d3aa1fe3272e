"""Prompt versions: who was told which, and how far the answers agree with the raters."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pandas as pd

from data.judging import prompts_sql as sql
from data.store.store import Store
from data.triage.queue import queue
from faithfulness.judging.prompt_history import Version, VersionAgreement
from faithfulness.model.prompt import Carrier, Prompt
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.statistics.tables import count_pairs

SECONDS = 30.0
DISPUTED = 20  # items; from so many on a difference has an interval
_PAGES = 40  # of disagreements that are looked through for them

Labels = dict[tuple[str, str], str]  # by item and unit


class Disputed(NamedTuple):
    """An item that people and judges differ about, in the run where it is asked about."""

    run_id: str
    item_id: str
    external_id: str


def versions(store: Store, protocol: Protocol, runs: Sequence[str] = ()) -> tuple[Version, ...]:
    """The version that comes with the protocol, then all that were used, by first use.

    `runs` are those that somebody looks at: of the sample only these count beside others.
    """
    facts = {"protocol": protocol.key, "but": _baseline(), "runs": list(runs)}
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(sql.VERSIONS, facts).df().to_dict("records")
        notes = cursor.execute(sql.NOTES).df().to_dict("records")
    made = {str(each["fingerprint"]): each for each in notes}
    shipped = protocol.prompt
    used = [_version(each, made.get(str(each["fingerprint"]), {}), shipped) for each in rows]
    if any(each.is_shipped for each in used):
        return tuple(sorted(used, key=lambda each: not each.is_shipped))
    return (Version(prompt=shipped, is_shipped=True), *used)


def agreement(
    store: Store, protocol: Protocol, criterion: Criterion, runs: Sequence[str] = ()
) -> list[VersionAgreement]:
    """How far each judge told each version agrees with the raters, by first use.

    `runs` as for `versions`.
    """
    facts = {"protocol": protocol.key, "criterion": criterion.key, "but": _baseline()}
    facts |= {"runs": list(runs)}
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(sql.AGREEMENT, facts).df()
    found = [
        _agreement(str(fingerprint), str(judge), part, criterion)
        for (fingerprint, judge), part in rows.groupby(["fingerprint", "judge"], sort=True)
    ]
    return sorted(found, key=lambda each: each.first_at)


def majority(store: Store, protocol: str, criterion: str, items: Sequence[str]) -> Labels:
    """What more than half of the raters say, by item and unit; nothing where they come to none."""
    rows = _labels(store, sql.MAJORITY, protocol, criterion, items)
    return {(str(item), str(unit)): str(value) for item, unit, value in rows}


def judges_labels(
    store: Store, protocol: str, criterion: str, items: Sequence[str]
) -> dict[str, Labels]:
    """What stands now, by judge, item and unit."""
    found: dict[str, Labels] = {}
    for judge, item, unit, value in _labels(store, sql.LABELS, protocol, criterion, items):
        found.setdefault(str(judge), {})[str(item), str(unit)] = str(value)
    return found


def most_disputed(
    store: Store,
    protocol: str,
    criterion: str,
    limit: int = DISPUTED,
    *,
    runs: Sequence[str] = (),
) -> list[Disputed]:
    """Items of the worst disagreements, decided or not, on which the raters have a majority.

    Those of `runs`; without any, of all that count.
    """
    chosen: dict[str, Disputed] = {}
    seen: set[int] = set()
    selection = Selection(protocol=protocol, criterion=criterion, runs=tuple(runs))
    page, pages = 1, 1
    while page <= min(pages, _PAGES) and len(chosen) < limit:
        found = queue(store, selection, decided="all", page=page)
        pages = found.pages
        first = found.rows.drop_duplicates("item_no")
        new = first[~first["item_no"].isin(seen)]
        seen.update(new["item_no"].tolist())
        for each in _rated(store, new, protocol, criterion):
            chosen.setdefault(each.item_id, each)
        page += 1
    return list(chosen.values())[:limit]


def _rated(store: Store, rows: pd.DataFrame, protocol: str, criterion: str) -> list[Disputed]:
    numbers = [int(each) for each in rows["item_no"]]
    facts = {"item_nos": numbers, "run_nos": [int(each) for each in rows["run_no"]]}
    with store.read(seconds=SECONDS) as cursor:
        found = cursor.execute(sql.PLACES, facts).fetchall()
    by_number = {
        int(number): Disputed(str(run), str(item), str(external))
        for number, item, run, external in found
    }
    items = [each.item_id for each in by_number.values()]
    rated = {item for item, _ in majority(store, protocol, criterion, items)}
    here = (by_number[number] for number in numbers if number in by_number)
    return [each for each in here if each.item_id in rated]


def _labels(
    store: Store, asked: str, protocol: str, criterion: str, items: Sequence[str]
) -> list[tuple[Any, ...]]:
    facts = {"protocol": protocol, "criterion": criterion, "items": list(items)}
    with store.read(seconds=SECONDS) as cursor:
        return cursor.execute(asked, facts).fetchall()


def _baseline() -> list[str]:
    return [f"{BASELINE.kind.value}:{BASELINE.name}"]


def _version(row: Mapping[Any, Any], made: Mapping[Any, Any], shipped: Prompt) -> Version:
    prompt = Prompt(
        version=str(row["version"]),
        system=str(row["system_text"]),
        template=str(row["template"]),
        carrier=Carrier(str(row["carrier"])),
        slots=tuple(str(each) for each in row["slots"]),
    )
    return Version(
        prompt=prompt,
        is_shipped=prompt.fingerprint == shipped.fingerprint,
        based_on=str(made.get("based_on", "")),
        note=str(made.get("note", "")),
        made_by=str(made.get("made_by", "")),
        first_used_at=_moment(row["first_used_at"]),
        last_used_at=_moment(row["last_used_at"]),
        judges=tuple(str(each) for each in row["judges"]),
        items=int(row["items"]),
        replies=int(row["replies"]),
    )


def _moment(said: Any) -> datetime | None:
    return None if pd.isna(said) else pd.Timestamp(said).to_pydatetime()


def _agreement(
    fingerprint: str, judge: str, rows: pd.DataFrame, criterion: Criterion
) -> VersionAgreement:
    places = {value: at for at, value in enumerate(criterion.scale.values)}
    said, reference = rows["said"].map(places), rows["reference"].map(places)
    both = rows[said.notna() & reference.notna()]
    units = rows["units"]
    return VersionAgreement(
        fingerprint=fingerprint,
        judge=judge,
        first_at=rows["first_at"].min().to_pydatetime(),
        last_at=rows["last_at"].max().to_pydatetime(),
        tables=count_pairs(
            criterion.scale.values,
            criterion.scale.ordinal,
            items=both["item_no"],
            reference=reference[both.index].astype(int),
            judge=said[both.index].astype(int),
            counts=both["units"],
        ),
        labelled=int(units[said.notna()].sum()),
        unrated=int(units[said.notna() & reference.isna() & ~rows["is_tied"]].sum()),
        tied=int(units[said.notna() & rows["is_tied"]].sum()),
        unread=int(units[rows["is_unread"]].sum()),
    )
