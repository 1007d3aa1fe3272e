"""Filter, count, sort and page through the units labeled contradicted."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from data.items.cases import CaseNumbers
from data.items.current_sql import (
    DECIDED_FOR_OTHER_RUNS,
    DECISIONS_IN_RUNS,
    LATEST_FINDINGS,
    WITH_DECISIONS,
)
from data.items.narrowing_sql import IN_SLICES, WORDED_UNITS, run_is_counted
from data.store.cache.incremental_cache import asked_of, table_by_item
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.checks.against import CONTRADICTS
from faithfulness.model.contradiction import (
    LabelMeaning,
    list_label_meanings,
    map_label_titles,
    select_criterion,
)
from faithfulness.model.selection import AGREEMENTS, CLASHES, PLACEMENTS, Selection
from faithfulness.model.vocabulary import AuthorKind, UnitKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.text.clashes import ClashKind

# `all_cases` is the answer of CASES.
_SHOWN = f"""
with stays as (
    select run_no, run_id, protocol, system
    from runs
    where run_no not in (select run_no from run_removals)
        and ($protocol is null or protocol = $protocol)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
        and {run_is_counted()}
),
chosen as (
    select coalesce(list(author_no), []::integer[]) as numbers
    from authors
    where list_contains($authors::varchar[], kind || ':' || name)
),
{WORDED_UNITS},
worded as (
    select unit_no
    from worded_units
    union
    select c.unit_no
    from (
        select unit_no, unnest(calls) as annotation_no
        from all_cases
        where $words is not null
    ) c
    join excerpts e on e.annotation_no = c.annotation_no
    where $words is not null
        and contains(lower(e.text), lower($words))
),
sliced as (
    select run_no, item_no
    from run_items
    where $slice_keys > 0
        and {IN_SLICES}
),
cases as materialized (
    select
        c.run_no, c.item_no, c.unit_no, c.yes, c.nay, c.confidence, c.placements, c.clashes,
        c.contradicted, c.not_supported, c.unfounded, c.clashing, c.found_by_check, c.agreements
    from all_cases c
    where c.run_no in (select run_no from stays)
        and (
            len($authors::varchar[]) = 0
            or list_has_any(c.callers, (select numbers from chosen))
        )
        and ($labels = 0 or (c.said & $labels) <> 0)
        and ($words is null or c.unit_no in (select unit_no from worded))
        and ($slice_keys = 0 or (c.run_no, c.item_no) in (select (run_no, item_no) from sliced))
),
shown as (
    select
        c.*,
        s.protocol,
        s.run_id,
        case $group_by
            when 'protocol' then s.protocol
            when 'run' then s.run_id
            when 'system' then s.system
            when 'agreement' then printf('%03d', c.agreements & -c.agreements)
            when 'placement' then printf('%03d', c.placements & -c.placements)
            when 'clash' then printf('%03d', c.clashes & -c.clashes)
            else ''
        end as in_group
    from cases c
    join stays s on s.run_no = c.run_no
    where case $which
            when 'contradicted' then c.contradicted
            when 'not_supported' then c.not_supported
            when 'unfounded' then c.unfounded
            when 'clashing' then c.clashing
            else c.found_by_check
        end
        and ($placements = 0 or (c.placements & $placements) <> 0)
        and ($clashes = 0 or (c.clashes & $clashes) <> 0)
        and ($agreements = 0 or (c.agreements & $agreements) <> 0)
)
"""  # noqa: S608 - put together from constants

_ORDER = """
        in_group,
        case when $sort = 'disputed' then least(yes, nay) end desc nulls last,
        case when $sort = 'sure' then confidence end desc nulls last,
        case when $sort <> 'stored' then yes end desc nulls last,
        run_no desc,
        unit_no
"""

FOUND = "".join(
    (
        _SHOWN,
        """
, histogram as (
    select
        contradicted, not_supported, unfounded, clashing, found_by_check, placements, clashes,
        agreements,
        count(*) as cases
    from cases
    group by all
),
page as (
    select in_group, run_no, item_no, unit_no, yes, nay
    from shown
    order by
""",
        _ORDER,
        """
    limit $limit
    offset $skip
)
select 'counts' as part, * from histogram
union all by name
select 'group' as part, in_group, protocol, count(*) as cases from shown group by all
union all by name
select 'page' as part, * from page
""",
    )
)

# The items of a list in its order, each with the first of its units there: the one that is read,
# and those beside it, or the first when the list does not hold it.
STEPS = "".join(
    (
        _SHOWN,
        """
, ordered as (
    select
        run_no, run_id, item_no, unit_no,
        row_number() over (
            order by
""",
        _ORDER,
        """
        ) as place
    from shown
),
once as (
    select
        run_id,
        item_no,
        arg_min(unit_no, place) as unit_no,
        row_number() over (order by min(place)) as nth,
        count(*) over () as total
    from ordered
    group by run_no, run_id, item_no
),
here as (
    select max(nth) as nth
    from once
    where run_id = $run_id
        and item_no in (select item_no from items where item_id = $item_id)
)
select coalesce(o.nth - h.nth, 1) as step, o.nth, o.total, o.run_id, i.item_id, u.unit_id
from once o
cross join here h
join items i on i.item_no = o.item_no
join units u on u.unit_no = o.unit_no and u.item_no = o.item_no
where abs(o.nth - h.nth) <= 1
    or (h.nth is null and o.nth = 1)
""",
    )
)


# A call is a current annotation that speaks for its unit's place on a list; a case is a unit of a
# run with at least one, or one on which a check found a contradiction to a source. A unit may be
# three cases: one of those who speak against it, one of those who call it supported although a
# clash was found, and one of what checks found, whoever answered. Calls are few, so they are found
# first, and only then every other voice on the same units. Kinds, tiers, agreements and labels are
# bits, so that a case is a few numbers and one small histogram of the cases answers all counts that
# the page shows. Nothing here depends on what is looked at: the answer serves until the next write,
# and then only the items that it changed are asked about.
CASES = f"""
with stays as (
    select run_no, protocol
    from runs
    where run_no not in (select run_no from run_removals)
),
meanings as (
    select s.run_no, m.criterion, m.value, m.says, m.says = 'supported' as is_for
    from (
        select
            unnest($meant_protocols::varchar[]) as protocol,
            unnest($meant_criteria::varchar[]) as criterion,
            unnest($meant_values::varchar[]) as value,
            unnest($meant_says::varchar[]) as says
    ) m
    join stays s on s.protocol = m.protocol
),
superseded as (
    select supersedes
    from annotations
    where supersedes is not null
        and {{of_items}}
),
people as (
    select
        author_no,
        kind,
        (kind = 'rater')::integer as is_rater,
        (kind = 'judge')::integer as is_judge,
        list_position($kinds::varchar[], kind) - 1 as place
    from authors
),
found as (
    select
        annotation_no,
        bit_or(
            case
                when check_name = 'quote' then 32
                when check_name = 'attribution' then 64
                when check_name = 'clash'
                    then coalesce(1 << list_position($clash_kinds::varchar[], kind), 128)
                else 128
            end::integer
        ) as clashes
    from findings
    where {{of_items}}
    group by annotation_no
),
calls as materialized (
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.author_no, a.confidence, m.says,
        m.is_for, len(a.links) > 0 as linked, coalesce(f.clashes, 0) as clashes
    from annotations a
    join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and not m.is_for
    left join found f on f.annotation_no = a.annotation_no
    where {{a_of_items}}
        and a.annotation_no not in (select supersedes from superseded)
    union all
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.author_no, a.confidence, m.says,
        m.is_for, false as linked, f.clashes
    from found f
    join annotations a on a.annotation_no = f.annotation_no
    join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and m.is_for
    -- A misquote or a quote that is absent is told by the list of what has no evidence.
    where (f.clashes & 158) <> 0
        and {{a_of_items}}
        and a.annotation_no not in (select supersedes from superseded)
),
proof as (
    select
        annotation_no,
        bit_or((1 << list_position($tiers::varchar[], tier))::integer) as placements
    from excerpts
    where {{of_items}}
        and annotation_no in (select annotation_no from calls)
    group by annotation_no
),
evidence as materialized (
    select
        c.is_for,
        c.run_no,
        c.unit_no,
        any_value(c.item_no) as item_no,
        max(c.confidence) as confidence,
        bool_or(c.says = 'contradicted') as contradicted,
        bool_or(c.says = 'not_supported') as not_supported,
        -- Absent is bit 32 and no proof at all.
        coalesce(
            bool_or(c.says = 'contradicted' and (c.linked or (e.placements & 30) <> 0)), false
        ) as founded,
        coalesce(bit_or(e.placements), 0) as placements,
        coalesce(bit_or(c.clashes), 0) as clashes,
        -- A decision is not one more voice.
        sum(p.is_rater + p.is_judge) as yes,
        sum(p.is_rater) as raters_yes,
        sum(p.is_judge) as judges_yes,
        -- Sorted afterwards: a list with an order of its own takes most of the whole question.
        list_sort(list(c.author_no)) as callers,
        list_sort(list(c.annotation_no)) as calls
    from calls c
    join people p on p.author_no = c.author_no
    left join proof e on e.annotation_no = c.annotation_no
    group by c.is_for, c.run_no, c.unit_no
),
-- Everybody with a value on the same units; those who do not speak for the list are the rest.
voices as (
    select
        a.run_no,
        a.unit_no,
        sum(p.is_rater + p.is_judge) as voters,
        sum(p.is_rater) as raters,
        sum(p.is_judge) as judges,
        bit_or(
            1::bigint << (
                (list_position($known_labels::varchar[], a.value) - 1) * len($kinds::varchar[])
                + p.place
            )
        ) as said
    from annotations a
    join people p on p.author_no = a.author_no
    where a.value is not null
        and {{a_of_items}}
        and list_contains($meant_criteria::varchar[], a.criterion)
        and (a.run_no, a.unit_no) in (select (run_no, unit_no) from evidence)
        and a.annotation_no not in (select supersedes from superseded)
    group by a.run_no, a.unit_no
),
contradicting as (
    select
        unnest($check_names::varchar[]) as check_name,
        unnest($check_kinds::varchar[]) as kind,
        unnest($check_clashes::integer[]) as clash
),
-- The question by which each run's units are judged, and what kind of unit they are.
asked as (
    select s.run_no, q.criterion, q.unit_kind
    from (
        select
            unnest($asked_protocols::varchar[]) as protocol,
            unnest($asked_criteria::varchar[]) as criterion,
            unnest($asked_kinds::varchar[]) as unit_kind
    ) q
    join stays s on s.protocol = q.protocol
),
found_units as (
    select a.item_no, a.unit_no, bit_or(k.clash) as clashes
    from unit_findings a
    join contradicting k on k.check_name = a.check_name and k.kind = a.kind
    where {{a_of_items}}
        and {LATEST_FINDINGS}
    group by a.item_no, a.unit_no
),
-- In every run of the item whose protocol judges units of this kind.
checked as materialized (
    select q.run_no, q.criterion, f.item_no, f.unit_no, f.clashes
    from found_units f
    join (select unit_no, kind from units where {{of_items}}) u on u.unit_no = f.unit_no
    join (select run_no, item_no from run_items where {{of_items}}) n on n.item_no = f.item_no
    join asked q on q.run_no = n.run_no and q.unit_kind = u.kind
),
-- Everybody with a value on these units, and how many of them speak against the unit.
answered as (
    select
        c.run_no,
        c.unit_no,
        sum(p.is_rater + p.is_judge) as voters,
        sum(p.is_rater) as raters,
        sum(p.is_judge) as judges,
        sum(p.is_rater) filter (where m.value is not null) as raters_against,
        sum(p.is_judge) filter (where m.value is not null) as judges_against,
        count(distinct case when p.is_rater = 1 then a.value end) as rater_values,
        bit_or(
            1::bigint << (
                (list_position($known_labels::varchar[], a.value) - 1) * len($kinds::varchar[])
                + p.place
            )
        ) as said,
        list(a.author_no) as authors
    from annotations a
    join checked c
        on c.run_no = a.run_no
        and c.unit_no = a.unit_no
        and c.criterion = a.criterion
    join people p on p.author_no = a.author_no
    left join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and not m.is_for
    where a.value is not null
        and {{a_of_items}}
        and a.annotation_no not in (select supersedes from superseded)
    group by c.run_no, c.unit_no
)
select
    e.run_no,
    e.item_no,
    e.unit_no,
    e.yes::integer as yes,
    (v.voters - e.yes)::integer as nay,
    e.confidence,
    case when e.placements = 0 then 64 else e.placements end as placements,
    case
        -- A quote that stands in no source is one that somebody got wrong to attribute.
        when e.clashes <> 0 or (e.placements & 32) <> 0
            then e.clashes | ((e.placements & 32) << 1)
        when e.placements <> 0 and exists (select 1 from findings) then 256
        else 0
    end as clashes,
    e.contradicted,
    e.not_supported,
    e.contradicted and not e.founded as unfounded,
    e.is_for as clashing,
    false as found_by_check,
    case when e.raters_yes > 1 and v.raters = e.raters_yes then 2 else 0 end
        | case when e.raters_yes > 0 and v.raters > e.raters_yes then 4 else 0 end
        | case when e.judges_yes > 0 and e.raters_yes = 0 and v.raters > 0 then 8 else 0 end
        | case when e.raters_yes > 0 and e.judges_yes = 0 and v.judges > 0 then 16 else 0 end
        | case when v.voters <= 1 then 32 else 0 end as agreements,
    v.said,
    e.callers,
    e.calls
from evidence e
join voices v on v.unit_no = e.unit_no and v.run_no = e.run_no
union all
select
    c.run_no,
    c.item_no,
    c.unit_no,
    (coalesce(v.raters_against, 0) + coalesce(v.judges_against, 0))::integer as yes,
    coalesce(v.voters - yes, 0)::integer as nay,
    null as confidence,
    64 as placements,
    c.clashes,
    false as contradicted,
    false as not_supported,
    false as unfounded,
    false as clashing,
    true as found_by_check,
    case when v.raters > 1 and v.rater_values = 1 then 2 else 0 end
        | case when v.rater_values > 1 then 4 else 0 end
        | case
            when v.judges_against > 0 and v.raters > 0 and coalesce(v.raters_against, 0) = 0 then 8
            else 0
        end
        | case
            when v.raters_against > 0 and v.judges > 0 and coalesce(v.judges_against, 0) = 0 then 16
            else 0
        end
        | case when v.voters = 1 then 32 else 0 end as agreements,
    coalesce(v.said, 0) as said,
    coalesce(list_sort(v.authors), []) as callers,
    [] as calls
from checked c
left join answered v on v.unit_no = c.unit_no and v.run_no = c.run_no
"""  # noqa: S608 - put together from constants

# The same where a decision counts in other runs than its own.
CASES_WITH_DECISIONS = (
    CASES.replace("from annotations a\n", f"from {WITH_DECISIONS}\n")
    .replace("join annotations a on", f"join {WITH_DECISIONS} on")
    .replace("with stays as", f"with {DECISIONS_IN_RUNS},\nstays as", 1)
)


PAGE = 20
SECONDS = 30.0
LISTS = ("contradicted", "not_supported", "unfounded", "clashing", "found_by_check")
SORTS = ("disputed", "sure", "stored")
GROUPS = ("", "protocol", "run", "system", "agreement", "placement", "clash")
# The bit of each word; the SQL sets the same ones, counted from 1 in the order of the words.
BITS: Mapping[str, Mapping[str, int]] = {
    "placement": {word: 1 << at for at, word in enumerate(PLACEMENTS, start=1)},
    "clash": {word: 1 << at for at, word in enumerate(CLASHES, start=1)},
    "agreement": {word: 1 << at for at, word in enumerate(AGREEMENTS, start=1)},
}
# A label by a kind of author is one bit of what is said about a unit.
KNOWN_LABELS = tuple(map_label_titles(PROTOCOLS.values()))
KINDS = tuple(kind.value for kind in AuthorKind)
Histogram = dict[str, Any]  # arrays by column
Columns = dict[str, list[Any]]
_CASE_COLUMNS = {
    **dict.fromkeys(("run_no", "item_no", "unit_no"), "int64"),
    "in_group": "str",
    **dict.fromkeys(("yes", "nay"), "int64"),
}
_COLUMNS = {"placement": "placements", "clash": "clashes", "agreement": "agreements"}


@dataclass(frozen=True, kw_only=True, slots=True)
class CasePage:
    """One page of cases, with every count that a reader needs beside it.

    `cases` has one row a case, in order: run_no, item_no, unit_no, in_group, yes (raters
    and judges who speak for its place on the list; of what checks found those who speak against
    the unit) and nay (the others of them with a value).
    """

    cases: pd.DataFrame
    total: int
    lists: Mapping[str, int]  # each list, under all choices that are made
    counts: Mapping[str, Mapping[str, int]]  # by part and word; each part without its own choice
    units: Mapping[UnitKind, int]  # what kind of unit the cases are
    groups: Mapping[str, int]


class ListStep(NamedTuple):
    """An item of a list, seen from another: before it (-1), itself (0), or behind it (1).

    The first item of a list that does not hold the other is behind it.
    """

    step: int = 1
    number: int = 0  # in the list, from 1
    total: int = 0
    run_id: str = ""
    item_id: str = ""
    unit_id: str = ""


def load_contradicted_units(
    store: Store,
    selection: Selection,
    *,
    which: str = "contradicted",
    sort: str = "disputed",
    group: str = "",
    page: int = 1,
) -> CasePage:
    """The units of one list: who says what about each is loaded by `records.load_cases`.

    Authors narrow to units that one of them calls so (where checks found something, to units that
    one of them answered about); labels to units that somebody (of the kind `by`) gives one of
    them; words are looked for in the unit and in what is quoted for it.

    Args:
        store: where to look.
        selection: what narrows.
        which: contradicted; not_supported, where a scale has no word for contradiction;
            unfounded, contradicted without evidence that can be found; clashing, called supported
            although a clash was found; found_by_check, with a finding of a check that contradicts
            a source, whatever anybody says.
        sort: disputed (most authors on the smaller side), sure (highest confidence) or stored.
        group: part by which the cases stand together, or "".
        page: from 1.
    """
    facts = build_parameters(selection) | {
        "which": which,
        "sort": sort,
        "group_by": group,
        "skip": (max(page, 1) - 1) * PAGE,
        "limit": PAGE,
    }
    known = remembered(store, "cases", all_cases)
    with store.read(seconds=SECONDS) as cursor:
        parts = _split_parts(register_cases(cursor, known).execute(FOUND, facts))
    histogram, groups = _build_histogram(parts["counts"]), parts["group"]
    left = histogram["cases"] * _select_rows(histogram, selection)
    shown = parts["page"] | {
        "in_group": [_format_group(group, str(each)) for each in parts["page"]["in_group"]]
    }
    return CasePage(
        cases=pd.DataFrame(
            {name: pd.Series(shown[name], dtype=kind) for name, kind in _CASE_COLUMNS.items()}
        ),
        total=sum(groups["cases"]),
        lists={each: int(left[histogram[each]].sum()) for each in LISTS},
        counts=_count_by_word(histogram, which, selection),
        units=dict(_count_units(groups)),
        groups=dict(_count_groups(groups, group)),
    )


def list_case_numbers(found: CasePage) -> list[CaseNumbers]:
    """Where the cases of a page are, for `records.load_cases`."""
    columns = ("run_no", "item_no", "unit_no", "in_group")
    rows = zip(*(found.cases[each].tolist() for each in columns), strict=True)
    return [CaseNumbers(*row) for row in rows]


def load_list_steps(
    store: Store, selection: Selection, *, run_id: str, item_id: str
) -> list[ListStep]:
    """An item of the selection's list and those beside it, or the list's first without it."""
    facts = build_parameters(selection) | {
        "which": selection.listed,
        "sort": selection.sort if selection.sort in SORTS else SORTS[0],
        "group_by": selection.group if selection.group in GROUPS else "",
        "run_id": run_id,
        "item_id": item_id,
    }
    known = remembered(store, "cases", all_cases)
    with store.read(seconds=SECONDS) as cursor:
        rows = register_cases(cursor, known).execute(STEPS, facts).fetchall()
    return [ListStep(*row) for row in rows]


def all_cases(store: Store) -> pa.Table:
    """Every case of the store as a few numbers; what is looked at narrows it in a second step."""
    known: Sequence[LabelMeaning] = list_label_meanings(PROTOCOLS.values())
    facts = {
        "tiers": [each for each in PLACEMENTS if each != "none"],
        "clash_kinds": [kind.value for kind in ClashKind],
        "kinds": list(KINDS),
        "known_labels": list(KNOWN_LABELS),
        "meant_protocols": [each.protocol for each in known],
        "meant_criteria": [each.criterion for each in known],
        "meant_values": [each.value for each in known],
        "meant_says": [each.says.value for each in known],
        "asked_protocols": list(PROTOCOLS),
        "asked_criteria": [select_criterion(each).key for each in PROTOCOLS.values()],
        "asked_kinds": [each.unit.value for each in PROTOCOLS.values()],
        "check_names": [check for check, _ in CONTRADICTS],
        "check_kinds": [kind for _, kind in CONTRADICTS],
        "check_clashes": [BITS["clash"][clash] for clash in CONTRADICTS.values()],
    }

    def ask(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
        spread = asked_of(cursor, DECIDED_FOR_OTHER_RUNS, {}, items).fetchall()
        question = CASES_WITH_DECISIONS if spread else CASES
        return asked_of(cursor, question, facts, items).to_arrow_table()

    return table_by_item(store, "cases", ask)


def register_cases(cursor: Cursor, cases: pa.Table) -> Cursor:
    """Let a cursor ask about these cases by the name that the statements use."""
    return cursor.register("all_cases", cases)


def build_parameters(selection: Selection) -> dict[str, Any]:
    """The parameters that a selection fills; an empty one does not narrow."""
    return {
        "protocol": selection.protocol or None,
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "authors": [f"{each.kind.value}:{each.name}" for each in selection.authors],
        "labels": _build_label_mask(selection),
        "words": selection.words or None,
        "slices": [f"{key}\x1f{value}" for key, value in selection.slices],
        "slice_keys": len({key for key, _ in selection.slices}),
        "placements": _build_mask("placement", selection.placements),
        "clashes": _build_mask("clash", selection.clashes),
        "agreements": _build_mask("agreement", selection.agreements),
    }


def _build_label_mask(selection: Selection) -> int:
    """The bits of the labels asked for; one that no protocol has is a bit that nothing sets."""
    by = [each for each in KINDS if selection.by in ("", each)]
    bits = 0
    for label in selection.labels:
        at = KNOWN_LABELS.index(label) if label in KNOWN_LABELS else len(KNOWN_LABELS)
        bits |= sum(1 << (at * len(KINDS) + KINDS.index(kind)) for kind in by)
    return bits


def _build_mask(part: str, words: Iterable[str]) -> int:
    return sum(bit for word, bit in BITS[part].items() if word in set(words))


def _count_by_word(
    histogram: Histogram, which: str, selection: Selection
) -> dict[str, dict[str, int]]:
    """How many cases each word would leave, under the choices made in all other parts."""
    found: dict[str, dict[str, int]] = {}
    for part, words in BITS.items():
        left = histogram["cases"] * (
            histogram[which] & _select_rows(histogram, selection, but=part)
        )
        bits = histogram[_COLUMNS[part]]
        found[part] = {word: int(left[(bits & bit) != 0].sum()) for word, bit in words.items()}
    return found


def _select_rows(histogram: Histogram, selection: Selection, but: str = "") -> Any:
    """Which rows the choices leave; those of one part may be left aside."""
    chosen = {
        "placement": _build_mask("placement", selection.placements),
        "clash": _build_mask("clash", selection.clashes),
        "agreement": _build_mask("agreement", selection.agreements),
    }
    kept = histogram["cases"] > 0
    for part, mask in chosen.items():
        if mask and part != but:
            kept = kept & ((histogram[_COLUMNS[part]] & mask) != 0)
    return kept


def _split_parts(found: Cursor) -> dict[str, Columns]:
    """The rows of each part by column; of the few that a page has pandas makes hard work."""
    _, *names = (str(each[0]) for each in found.description or ())
    rows: dict[str, list[Sequence[Any]]] = {"counts": [], "group": [], "page": []}
    for said, *row in found.fetchall():
        rows[said].append(row)
    return {
        said: {name: [row[at] for row in listed] for at, name in enumerate(names)}
        for said, listed in rows.items()
    }


def _build_histogram(counts: Columns) -> Histogram:
    """The columns as plain arrays: a page sums them some thirty times."""
    counted = {name: np.array(counts[name], int) for name in ("cases", *_COLUMNS.values())}
    return counted | {name: np.array(counts[name], bool) for name in LISTS}


def _count_units(groups: Columns) -> Counter[UnitKind]:
    found: Counter[UnitKind] = Counter()
    for protocol, cases in zip(groups["protocol"], groups["cases"], strict=True):
        found[PROTOCOLS[protocol].unit] += int(cases)
    return found


def _count_groups(groups: Columns, group: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for said, cases in zip(groups["in_group"], groups["cases"], strict=True):
        found[_format_group(group, said)] += int(cases)
    return found


def _format_group(group: str, said: str) -> str:
    """A group's own word: the SQL says the parts that are bits by their lowest one."""
    if group not in BITS or not said.isdecimal():
        return said
    return next((word for word, bit in BITS[group].items() if bit == int(said)), "")
