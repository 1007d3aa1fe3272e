"""Estimated requests, tokens and cost of a judge batch before it starts."""

from collections.abc import Sequence

import streamlit as st

from components.judging.batch_shapes import Plan
from components.judging.judge_form import JudgeChoice
from components.ui.numbers import NONE, count, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging.prices import FREE, PRICES_VARIABLE, UNKNOWN, format_price_date


def show_takes(choices: Sequence[JudgeChoice], plans: Sequence[Plan]) -> None:
    """Count, tokens and cost; of several judges each, and all together."""
    if len(choices) == 1:
        _show_one(choices[0], plans[0])
    elif choices:
        _show_all(choices, plans)
    st.caption(_describe_plans(choices, plans))


def about(value: int) -> str:
    """An estimate of tokens, in two digits: it is right within a third, and no better."""
    return f"≈ {count(int(float(f'{value:.2g}')))}" if value else NONE


def format_rough_dollars(value: float | None) -> str:
    """An estimate of a cost in two digits."""
    if value is None:
        return UNKNOWN
    if value < 0.0001:
        return "under $0.0001"
    short = float(f"{value:.2g}")
    if short >= 10:
        return f"≈ ${short:,.0f}"
    return f"≈ ${short:.2f}" if short >= 0.1 else f"≈ ${short:.5f}".rstrip("0")


def _show_one(choice: JudgeChoice, plan: Plan) -> None:
    facts = {"Items": count(len(plan.item_ids))}
    if choice.is_offline:
        facts["Cost"] = FREE
    elif plan.item_ids:
        facts |= {
            "Calls": count(plan.calls),
            "Tokens in": about(plan.tokens_in),
            "Tokens out": about(plan.tokens_out),
            "Cost": format_rough_dollars(plan.cost),
        }
    with st.container(horizontal=True, gap="large", key="plan"):
        for name, value in facts.items():
            st.metric(name, value, width="content")


def _show_all(choices: Sequence[JudgeChoice], plans: Sequence[Plan]) -> None:
    rows = [
        _build_row(
            str(at),
            choice.settings["model"],
            plan,
            FREE if choice.is_offline else _format_cost(plan),
        )
        for at, (choice, plan) in enumerate(zip(choices, plans, strict=True))
    ]
    known = [each.cost for each in plans if each.cost is not None]
    unknown = sum(
        plan.cost is None and not choice.is_offline and bool(plan.item_ids)
        for choice, plan in zip(choices, plans, strict=True)
    )
    parts = [format_rough_dollars(sum(known))] if sum(known) else []
    parts += [f"{count(unknown)} unknown"] if unknown else []
    columns = (
        Column(title="Judge", wide=True),
        Column(title="Items", end=True),
        Column(title="Calls", end=True),
        Column(title="Tokens in", end=True),
        Column(title="Tokens out", end=True),
        Column(title="Cost", end=True),
    )
    together = TableRow(
        id="all",
        cells=(
            Cell(text="All together", strong=True),
            Cell(text=NONE),
            Cell(
                text=count(sum(each.calls for each in _select_paid_plans(choices, plans))),
                strong=True,
            ),
            Cell(text=about(sum(each.tokens_in for each in plans)), strong=True),
            Cell(text=about(sum(each.tokens_out for each in plans)), strong=True),
            Cell(text=" + ".join(parts) or FREE, strong=True),
        ),
    )
    show_table(columns, [Group(rows=[*rows, together])], key="plan", label="What it takes")


def _build_row(row: str, name: str, plan: Plan, cost: str) -> TableRow:
    free = cost == FREE
    return TableRow(
        id=row,
        cells=(
            Cell(text=name, note=_format_asked_before(plan)),
            Cell(text=count(len(plan.item_ids))),
            Cell(text=NONE if free else count(plan.calls)),
            Cell(text=NONE if free else about(plan.tokens_in)),
            Cell(text=NONE if free else about(plan.tokens_out)),
            Cell(text=cost),
        ),
    )


def _format_cost(plan: Plan) -> str:
    return format_rough_dollars(plan.cost) if plan.item_ids else NONE


def _select_paid_plans(choices: Sequence[JudgeChoice], plans: Sequence[Plan]) -> list[Plan]:
    return [plan for choice, plan in zip(choices, plans, strict=True) if not choice.is_offline]


def _format_asked_before(plan: Plan) -> str:
    return f"{count(plan.judged)} asked about before" if plan.judged else ""


def _describe_plans(choices: Sequence[JudgeChoice], plans: Sequence[Plan]) -> str:
    if not plans:
        return ""
    first, asking = plans[0], [each for each in _select_paid_plans(choices, plans) if each.item_ids]
    said = [f"{format_count(first.found, 'item')} chosen"]
    said[0] += f", {count(first.judged)} asked about before." if len(plans) == 1 else "."
    if first.per_slice:
        parts = ", ".join(f"{plain(value)} {count(items)}" for value, items in first.per_slice)
        said.append(f"By slice: {parts}.")
    weighed = max((each.weighed for each in asking), default=0)
    if weighed:
        longest = max(each.longest for each in asking)
        said.append(
            f"Tokens are estimated from {format_count(weighed, 'question')}, within a third; the "
            f"longest has about {count(longest)}. The texts go to the address above."
        )
        said.append(_describe_prices(asking))
    return " ".join(said)


def _describe_prices(asking: Sequence[Plan]) -> str:
    """How old the prices are, and how to name others."""
    if any(each.cost is None for each in asking):
        return (
            "A model without a price has an unknown cost: add it to the price list that "
            f"`{PRICES_VARIABLE}` names."
        )
    return plain(format_price_date())
