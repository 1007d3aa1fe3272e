"""Views of the agreement page; the selected view loads only the data that it shows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import streamlit as st

from components.agreement import overview as overview
from components.agreement import slices as parts
from components.agreement.choice import ChosenComparison
from components.agreement.clicks import (
    Wanted,
    read_cell_click,
    read_slice_click,
    read_unpaired_click,
)
from components.agreement.labels import ask_direction, ask_groups, show_labels, show_per_label
from components.agreement.policy_rates import Rated, warn_of_sample
from components.agreement.policy_view import VIEW, AskLens, show_policies
from components.agreement.raters import show_raters
from components.agreement.stand_in import ask_rate, raters_are, show_rate, show_stand_in
from components.ui.url_widgets import bound_segments
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import Author
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.judge_verdict import JudgeVerdict, compute_judge_verdict
from faithfulness.statistics.label_rates import find_telling_label
from faithfulness.statistics.tables import PairTables, Ratings

MOST_JUDGES = 12


class AgreementSource(AskLens, Protocol):
    """What the views ask of the store, about one comparison."""

    def compared(self, asked: ChosenComparison, field: str = "") -> overview.Covered: ...

    def ratings(
        self, asked: ChosenComparison, authors: Sequence[Author] | None = None
    ) -> Ratings: ...

    def claims(self, asked: ChosenComparison, side: Side) -> Mapping[str, Estimate]: ...

    def slice_keys(self, asked: ChosenComparison) -> tuple[str, ...]: ...

    def item_slices(self, asked: ChosenComparison, by: str, tables: PairTables) -> list[str]: ...

    def rated(self, protocol: str, runs: Sequence[str]) -> Rated: ...


View = Callable[[AgreementSource, ChosenComparison, Mapping[str, str]], Wanted | None]


def show_view(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    """Draw the view that the address names; answers the units that a click asks for.

    Args:
        ask: answers what the views ask.
        asked: what is compared.
        called: what people call runs and systems, by their keys.
    """
    if asked.lacks_judge:
        return show_readings(ask, asked, called)
    scores = "Scores" if asked.criterion.scale.ordinal else "Labels"
    titles = {key: title or scores for key, (title, _) in VIEWS.items()}
    return VIEWS[bound_segments("view", "View", titles)][1](ask, asked, called)


def show_overview(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    found = ask.compared(asked)
    verdict = compute_verdict(ask, asked)
    numbers = overview.estimate_all_numbers(found.tables, asked.criterion.scale)
    overview.show_header(asked, found, verdict, numbers)
    overview.show_coverage(asked, found, st.query_params.get("apart", ""))
    wanted = read_unpaired_click(asked)
    if wanted is not None:
        return wanted
    if found.both:
        overview.show_tiles(asked, found.tables, numbers)
        overview.show_numbers(asked, found.tables, verdict.agreement, numbers)
    if len(asked.protocol.checked_against) > 1:
        sides = ((asked.reference, asked.judge), (asked.judge, asked.reference))
        overview.show_claims(
            [(overview.name_claims_side(*both), ask.claims(asked, both[0])) for both in sides]
        )
    if len(asked.judges) > 1:
        several = asked.judges[:MOST_JUDGES]
        tables = {each: ask.compared(asked.against(each)).tables for each in several}
        label = find_telling_label(found.tables, asked.criterion.scale)
        overview.choose_judge(asked, tables, numbers, label)
    return None


def compute_verdict(ask: AgreementSource, asked: ChosenComparison) -> JudgeVerdict:
    """The judge compared with the raters, as every view shows it."""
    return compute_judge_verdict(
        ask.ratings(asked, asked.with_judge),
        asked.judge_author,
        raters_are=raters_are(),
        unit=asked.unit,
    )


def show_table(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    direction, groups = ask_direction(asked), ask_groups(asked)
    tables = ask.compared(asked, direction).tables
    show_labels(asked, tables, groups)
    wanted = read_cell_click(asked, groups, direction)
    if wanted is None:
        show_per_label(asked, tables, groups)
    return wanted


def show_slices(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    tables = ask.compared(asked).tables
    with st.container(horizontal=True, vertical_alignment="bottom"):
        split = parts.ask_split(ask.slice_keys(asked))
        number = parts.ask_number(tables)
    parts.show_all_slices(tables, ask.item_slices(asked, split, tables), number, called)
    return read_slice_click(split, called)


def show_people(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    show_raters(ask.ratings(asked), asked.looks)
    return None


def show_test(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    show_stand_in(asked, compute_verdict(ask, asked))
    return None


def show_corrected(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    label, margin = ask_rate(asked)
    judged = ask.ratings(asked, (asked.judge_author,))
    if show_rate(asked, ask.compared(asked).tables, judged, label, margin):
        within = asked.selection
        warn_of_sample(ask.rated(within.protocol, within.runs), asked.reference.kind)
    return None


def show_readings(
    ask: AgreementSource, asked: ChosenComparison, called: Mapping[str, str]
) -> Wanted | None:
    show_policies(ask, asked)
    return None


VIEWS: dict[str, tuple[str, View]] = {
    "overview": ("Overview", show_overview),
    "table": ("", show_table),
    "slices": ("Slices", show_slices),
    "raters": ("Raters", show_people),
    "stand_in": ("Stand-in", show_test),
    "rate": ("Corrected rate", show_corrected),
    VIEW: ("Policies", show_readings),
}
