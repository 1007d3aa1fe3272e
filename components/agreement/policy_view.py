"""“Policies” view: how the agreement metric changes with the policy that bridges answers."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from components.agreement.choice import ChosenComparison
from components.agreement.policy_choice import (
    Across,
    AskPartners,
    choose_across,
    explain_no_partner,
    read_policy_choice,
)
from components.agreement.undefined_reasons import show_reasons
from components.charts.dots import format_estimate, format_percent
from components.ui.address import link, open_page
from components.ui.label_colors import Look
from components.ui.numbers import NONE, count, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Clicked, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page, read_number
from faithfulness.model.selection import Selection
from faithfulness.model.wording import capitalize_first
from faithfulness.policies.policies import POLICIES, QUESTIONS, Policy
from faithfulness.statistics.agreement import Estimate

SIDES = ("reference", "judge")
SAME = {True: "yes", False: "no", None: NONE}


class Flipping(Protocol):
    """As `data.agreement.policies.Flips`."""

    @property
    def rows(self) -> pd.DataFrame: ...

    @property
    def total(self) -> int: ...


def show_flipped(across: Across, found: Flipping, *, page: int, per_page: int) -> None:
    """One page of the items; a click on one opens the reader there."""
    heading = f"Items that flip between “{across.policy.title}” and “{across.second.title}”"
    st.subheader(plain(heading), anchor=False)
    if not found.total:
        st.caption("No item changes an answer between these two policies.")
        return
    lines = found.rows.to_dict("records")
    shown = across.asked.judge if across.bridged[1] else across.asked.reference
    more = {"shown": shown.as_text} if shown.author else {}
    places = [Selection(runs=(str(each["run_id"]),), item=str(each["item_id"])) for each in lines]
    rows = [
        _build_flip_row(across, at, line, link("item", place, **more))
        for at, (line, place) in enumerate(zip(lines, places, strict=True))
    ]
    clicked = show_table(_build_columns(across), [Group(rows=rows)], key="flips", label=heading)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(format_count(found.total, "item"), width="content")
        if found.total > per_page and bound_page("page", -(-found.total // per_page)) != page:
            st.rerun()
    if clicked and int(clicked.row) < len(places):
        open_page("item", places[int(clicked.row)], **more)


def _build_columns(across: Across) -> tuple[Column, ...]:
    heads = [
        f"{name} (bridged)" if bridged else name
        for name, bridged in zip(across.asked.sides, across.bridged, strict=True)
    ]
    return (
        Column(title="Item"),
        *(Column(title=each, firm=True) for each in heads),
        Column(title="Same label", drop=True),
    )


def _build_flip_row(across: Across, at: int, line: Mapping[Any, Any], href: str) -> TableRow:
    named = str(line["external_id"] or str(line["item_id"])[:8])
    agreed = [SAME[_parse_agreed(line[f"agreed_{name}"])] for name in ("first", "second")]
    return TableRow(
        id=str(at),
        cells=(
            Cell(text=named, note=str(line["run"]), action="open", href=href),
            *(_build_answer_cell(across, line, side) for side in (0, 1)),
            Cell(text=agreed[0] if agreed[0] == agreed[1] else ", then ".join(agreed)),
        ),
    )


def _build_answer_cell(across: Across, line: Mapping[Any, Any], at: int) -> Cell:
    """A side that is not bridged says the same under both policies, so that it stands once."""
    if not across.bridged[at]:
        return _build_label_cell(line[f"{SIDES[at]}_first"], across.looks)
    lines = []
    for name, policy in (("first", across.policy), ("second", across.second)):
        column = f"{SIDES[at]}_{name}"
        value = _build_label_cell(line[column], across.looks)
        text = f"{value.glyph} {value.text}".strip()
        lines.append((text, f"by “{policy.title}”: {line[f'{column}_reason'] or 'no answer'}"))
    return Cell(text="", lines=lines)


def _build_label_cell(value: Any, looks: Mapping[str, Look]) -> Cell:
    if not isinstance(value, str):
        return Cell(text=NONE)
    look = looks[value]
    glyph = "" if look.glyph == look.title else look.glyph
    return Cell(text=look.title, glyph=glyph, color=look.color)


def _parse_agreed(agreed: Any) -> bool | None:
    return None if agreed is None or pd.isna(agreed) else bool(agreed)


TABLE = "Agreement under each policy"
RULES = "What each policy says, and the rule behind it"


class Headline(Protocol):
    """As much of `data.agreement.policies.LensRow` as is shown."""

    @property
    def policy(self) -> Policy: ...

    @property
    def estimates(self) -> Mapping[str, Estimate]: ...

    @property
    def items(self) -> int: ...

    @property
    def reference_only(self) -> int: ...

    @property
    def judge_only(self) -> int: ...

    @property
    def cannot_reference(self) -> Mapping[str, int]: ...

    @property
    def cannot_judge(self) -> Mapping[str, int]: ...


def summarize_policies(across: Across, rows: Sequence[Headline], changing: int) -> str:
    """How the two chosen policies differ, with both numbers and how many items change."""
    found = {each.policy.key: each.estimates["percent"] for each in rows}
    first, second = found[across.policy.key], found[across.second.key]
    reference, judge = across.marked
    if first.value is None and second.value is None:
        return f"{judge} and {reference} have an answer on the same item under neither policy."
    agrees = f"{judge} agrees with {reference} on"
    lead = f"Under “{across.policy.title}” {_format_share(first, agrees)}"
    then = _format_share(second, "on" if first.value is not None else agrees)
    many = "no item changes an answer" if not changing else f"{_items(changing)} an answer"
    return f"{lead}, under “{across.second.title}” {then}: {many}."


def show_sides(across: Across) -> None:
    """Whose answers are bridged, from what to what, in plain words."""
    said = []
    own = (across.asked.protocol, across.judge_protocol)
    for name, protocol, bridged in zip(across.asked.sides, own, across.bridged, strict=True):
        how = "bridged by the policy of its row" if bridged else "taken as they are"
        said.append(f"{name}: answers under {protocol.title}, {how}.")
    criterion = across.criterion.replace("_", " ")
    said.append(
        f"Both are compared as {across.target.title}, {criterion}. Nothing bridged is stored."
    )
    st.caption(plain(" ".join(said)))


def show_headlines(across: Across, rows: Sequence[Headline]) -> Clicked | None:
    """A row for each policy; a click on its name makes it the chosen one."""
    ordinal = across.target.criterion(across.criterion).scale.ordinal
    names = ("percent", "kappa", *(("kappa_quadratic",) if ordinal else ()), "ac1")
    heads = {
        "percent": "Same label",
        "kappa": "Kappa",
        "kappa_quadratic": "Quadratic kappa",
        "ac1": "AC1",
    }
    columns = (
        Column(title="Policy", wide=True),
        Column(title="Items", end=True),
        *(Column(title=heads[name], end=True, drop=ordinal and name == "kappa") for name in names),
        Column(title="Not bridged", drop=True),
    )
    drawn = [_build_row(across, each, names) for each in rows]
    clicked = show_table(columns, [Group(rows=drawn)], key="policies", label=TABLE)
    show_reasons([each.estimates[name] for each in rows for name in names], {})
    st.caption(
        plain(f"{_describe_one_sided(across, rows)} In brackets are 95 % intervals over items.")
    )
    if cannot := list_unbridged_reasons(across, rows):
        st.caption("Not bridged:  \n" + "  \n".join(plain(line) for line in cannot))
    return clicked


def show_rules() -> None:
    """The five questions on which rules differ, and where each answer comes from."""
    with st.expander(RULES, icon=":material/gavel:"):
        columns = (Column(title="Policy"), Column(title="Source rule"), Column(title="Its answers"))
        rows = [
            TableRow(
                id=key,
                cells=(
                    Cell(text=each.title, strong=True),
                    Cell(text=each.source_rule),
                    Cell(text="", lines=[(each.answers[at], QUESTIONS[at]) for at in QUESTIONS]),
                ),
            )
            for key, each in POLICIES.items()
        ]
        show_table(columns, [Group(rows=rows)], key="rules", label=RULES)


def _build_row(across: Across, row: Headline, names: Sequence[str]) -> TableRow:
    policy = row.policy
    shown = {across.policy.key: "first", across.second.key: "second"}
    return TableRow(
        id=policy.key,
        cells=(
            Cell(
                text=policy.title,
                note=policy.about,
                action="policy",
                strong=policy.key in shown,
                badge=shown.get(policy.key, ""),
            ),
            Cell(text=count(row.items)),
            *(_build_number_cell(row.estimates[name]) for name in names),
            _build_unbridged_cell(across, row),
        ),
    )


def _build_number_cell(estimate: Estimate) -> Cell:
    text = format_percent(estimate) if estimate.name == "percent" else format_estimate(estimate)
    return Cell(text=NONE if estimate.value is None else text)


def _describe_one_sided(across: Across, rows: Sequence[Headline]) -> str:
    """On how many items a number says nothing, because only one side has an answer there."""
    row = next(each for each in rows if each.policy is across.policy)
    return (
        f"Items are those on which both have an answer. Under “{across.policy.title}” "
        f"{count(row.reference_only)} more have only the reference's and {count(row.judge_only)} "
        "only the judge's."
    )


def _build_unbridged_cell(across: Across, row: Headline) -> Cell:
    reference, judge = across.asked.sides
    found = ((reference, row.cannot_reference), (judge, row.cannot_judge))
    lines = [(count(sum(cannot.values())), name) for name, cannot in found if cannot]
    return Cell(text="" if lines else "none", lines=lines)


def list_unbridged_reasons(across: Across, rows: Sequence[Headline]) -> list[str]:
    """Why answers could not be bridged, each reason once with where and how often."""
    reference, judge = across.asked.sides
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        for name, cannot in ((reference, row.cannot_reference), (judge, row.cannot_judge)):
            for why, many in cannot.items():
                places = found.setdefault(why, {}).setdefault(name, [])
                places.append(f"{count(many)} under “{row.policy.title}”")
    return [
        f"{capitalize_first(why)}: "
        + "; ".join(f"{name} {', '.join(places)}" for name, places in by_side.items())
        + "."
        for why, by_side in found.items()
    ]


def _format_share(estimate: Estimate, lead: str) -> str:
    if estimate.value is None:
        return "no item has an answer of both"
    return f"{lead} {format_percent(estimate)} of {format_count(estimate.items, 'item')}"


def _items(many: int) -> str:
    return f"{format_count(many, 'item')} {'changes' if many == 1 else 'change'}"


VIEW = "policies"
PER_PAGE = 20  # as data.agreement.policies.PAGE


class ShownPolicies(Protocol):
    """As `data.agreement.policies.Lens`."""

    @property
    def rows(self) -> Sequence[Headline]: ...


class AskLens(AskPartners, Protocol):
    """What this view asks of the store."""

    def lens(self, named: Mapping[str, Any]) -> ShownPolicies: ...

    def flips(self, named: Mapping[str, Any], first: str, second: str, page: int) -> Flipping: ...


def show_policies(ask: AskLens, asked: ChosenComparison) -> None:
    """The sentence, the table, the rules and the items that flip."""
    across = choose_across(ask, asked)
    if across is None:
        explain_no_partner(asked)
        return
    page = max(1, read_number("page", 1))
    named, pair = across.named, (across.policy.key, across.second.key)
    found, flips = ask.lens(named), ask.flips(named, *pair, page)
    if flips.total and flips.rows.empty:
        page = -(-flips.total // PER_PAGE)
        flips = ask.flips(named, *pair, page)
    said = summarize_policies(across, found.rows, flips.total)
    st.markdown(f"##### {plain(said)}")
    show_sides(across)
    clicked = show_headlines(across, found.rows)
    show_rules()
    if clicked:
        st.query_params["policy"] = clicked.row
        st.rerun()
    show_flipped(across, flips, page=page, per_page=PER_PAGE)


def build_file_query(ask: AskPartners, asked: ChosenComparison) -> dict[str, Any]:
    """What this view compares, for the files beside it; as other views where it shows nothing."""
    across = read_policy_choice(ask, asked)
    return asked.named if across is None else across.named
