"""Bias-corrected label rates under a policy, beside the rates from judges and raters."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from components.agreement.choice import choose_sides, explain_missing_sides, wants_baseline
from components.agreement.policy_choice import (
    Across,
    AskPartners,
    choose_across,
    compare_reference_only,
    explain_no_partner,
)
from components.agreement.undefined_reasons import show_reasons
from components.charts.dots import format_percent
from components.ui.numbers import NONE, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_segments, bound_toggle
from faithfulness.model import protocol as protocols
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.policies.bridges import BRIDGED_CRITERION
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.correction import ASSUMPTION, Corrected
from faithfulness.statistics.rated_sample import list_sample_problems

THREE = ("Judge", "Raters", "Corrected")
TABLE = "Rates under a policy"


class Rated(Protocol):
    """As `data.agreement.rated_items.RatedItems`."""

    @property
    def rated(self) -> int: ...

    @property
    def disputed(self) -> int: ...


class AskRates(AskPartners, Protocol):
    """What the rates ask of the store."""

    def sides(self, selection: Selection, *, with_baseline: bool) -> pd.DataFrame: ...

    def rates(self, named: Mapping[str, Any]) -> Mapping[str, Corrected]: ...

    def rated(self, protocol: str, runs: Sequence[str]) -> Rated: ...


def ask_rates() -> bool:
    """Whether somebody wants them; they are counted only then."""
    return bound_toggle("rates", "Corrected rates under a policy")


def show_rates(ask: AskRates, selection: Selection, protocol: protocols.Protocol) -> None:
    """Choose whom and by what, then the three rates of every answer with what they assume."""
    own = BRIDGED_CRITERION[protocol.key]
    selection = replace(selection, authors=(), labels=(), by="", criterion=own)
    sides = ask.sides(selection, with_baseline=wants_baseline())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        asked = choose_sides(selection, protocol, sides)
        asked = asked or compare_reference_only(ask, selection, protocol, sides)
    if asked is None:
        explain_missing_sides(sides)
        return
    across = choose_across(ask, asked, several=False)
    if across is None:
        explain_no_partner(asked)
        return
    if _has_judge_reference(across):
        st.info(
            "A rate is corrected by what people say. Choose people as the reference and a judge.",
            icon=":material/robot_2:",
        )
        return
    found = ask.rates(across.named)
    st.markdown(f"##### {plain(summarize_rates(across, found))}")
    show_three_rates(across, found)
    warn_of_sample(ask.rated(protocol.key, selection.runs), across.asked.reference.kind)


def warn_of_sample(chosen: Rated, reference: str) -> None:
    """Say what is known against the rated items being a random sample."""
    for said in list_sample_problems(reference, rated=chosen.rated, disputed=chosen.disputed):
        st.warning(plain(said), icon=":material/warning:")


def show_run_rates(
    ask: AskRates,
    selection: Selection,
    runs: pd.DataFrame,
    known: Mapping[str, protocols.Protocol],
) -> None:
    """The same below a list of runs, of one protocol at a time, when somebody wants them."""
    # Runs under other protocols count as well: a judge may have answered there.
    listed = runs if selection.runs else _drop_samples(runs)
    titles = {key: each.title for key, each in known.items() if key in set(listed["protocol"])}
    if not titles or not ask_rates():
        return
    key = bound_segments("rates_of", "Protocol", titles) if len(titles) > 1 else next(iter(titles))
    left_out = len(runs) - len(listed)
    st.caption(
        f"Over all items of {format_count(len(listed), 'run')} in the list"
        + (f"; the sample's {format_count(left_out, 'run')} left out" if left_out else "")
    )
    # Whatever narrows the list chooses runs; their numbers, there and here, are over all items.
    named = tuple(listed["run_id"])
    within = Selection(
        protocol=key, runs=named, addressed=selection.addressed, trapped=selection.trapped
    )
    show_rates(ask, within, known[key])


def _drop_samples(runs: pd.DataFrame) -> pd.DataFrame:
    """As everywhere: what is invented counts only where nothing else is."""
    is_sample = runs["is_sample"].astype(bool)
    return runs if is_sample.all() else runs[~is_sample]


def summarize_rates(across: Across, rates: Mapping[str, Corrected]) -> str:
    """The answer on which the correction changes most, with all three rates."""
    known = {key: each for key, each in rates.items() if each.corrected.value is not None}
    if not known:
        reason = next(iter(rates.values())).corrected.reason
        return f"Under “{across.policy.title}” no rate can be corrected: {reason}."
    label, found = max(known.items(), key=lambda pair: _measure_correction(pair[1]))
    reference, judge = across.marked
    return (
        f"Under “{across.policy.title}” {judge} says “{across.looks[label].title}” of "
        f"{_format_rate_of_items(found.judge_only)}, {reference} of "
        f"{_format_rate_of_items(found.human_only)}; "
        f"corrected it is {format_percent(found.corrected)} of all."
    )


def show_three_rates(across: Across, rates: Mapping[str, Corrected]) -> None:
    """A row for each answer that somebody gives."""
    given = {key: each for key, each in rates.items() if any(_list_rate_values(each))}
    some = next(iter(rates.values()))
    heads = [
        f"{title}, n = {estimate.items:,}"
        for title, estimate in zip(THREE, _list_rates(some), strict=True)
    ]
    columns = (Column(title="Answer"), *(Column(title=each, end=True) for each in heads))
    rows = [_build_row(across, key, each) for key, each in given.items()]
    if rows:
        show_table(columns, [Group(rows=rows)], key="rates_table", label=TABLE)
    named = [
        replace(each, name=f"{title.lower()} rate")
        for found in given.values()
        for title, each in zip(THREE, _list_rates(found), strict=True)
    ]
    show_reasons(named, {})
    never = ", ".join(across.looks[key].title for key in rates if key not in given)
    said = [f"Nobody says: {never}."] if never and rows else []
    said.append(f"The corrected rate {ASSUMPTION}.")
    said.append(
        "In brackets are 95 % intervals over items; the judge's knows nothing of its errors."
    )
    st.caption(plain(" ".join(said)))


def _build_row(across: Across, key: str, found: Corrected) -> TableRow:
    look = across.looks[key]
    glyph = "" if look.glyph == look.title else look.glyph
    rates = [Cell(text=_format_rate(each)) for each in _list_rates(found)]
    rates[-1] = replace(rates[-1], strong=True)
    return TableRow(id=key, cells=(Cell(text=look.title, glyph=glyph, color=look.color), *rates))


def _list_rates(found: Corrected) -> tuple[Estimate, Estimate, Estimate]:
    return found.judge_only, found.human_only, found.corrected


def _list_rate_values(found: Corrected) -> list[float]:
    return [each.value or 0.0 for each in _list_rates(found)]


def _measure_correction(found: Corrected) -> float:
    judge, _, corrected = _list_rate_values(found)
    return abs(judge - corrected)


def _format_rate(estimate: Estimate) -> str:
    return NONE if estimate.value is None else format_percent(estimate)


def _format_rate_of_items(estimate: Estimate) -> str:
    return f"{_format_rate(estimate)} of {format_count(estimate.items, 'item')}"


def _has_judge_reference(across: Across) -> bool:
    author = across.asked.reference.author
    return author is not None and author.kind is AuthorKind.JUDGE
