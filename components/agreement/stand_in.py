"""Replacement test (can the judge replace a rater?) and bias-corrected label rates."""

import streamlit as st

from components.agreement.choice import ChosenComparison, select_labeled
from components.charts.three_dots import show_three_dots
from components.ui.number_meanings import meaning
from components.ui.numbers import NONE, count, format_count, format_percent, number
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import chosen
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.statistics.alt_test import EPSILON, AgainstRater
from faithfulness.statistics.correction import (
    ASSUMPTION,
    compute_labels_needed,
    estimate_corrected_rate,
)
from faithfulness.statistics.judge_verdict import RATERS_ARE, JudgeVerdict
from faithfulness.statistics.label_rates import count_judged_items, count_labeled_items
from faithfulness.statistics.tables import PairTables, Ratings

MARGINS = {"5": "±5 points", "3": "±3 points", "2": "±2 points", "1": "±1 point"}


def raters_are() -> str:
    """What the address says the raters are, which decides the margin of the replacement test."""
    return chosen("raters_are", RATERS_ARE)


def show_stand_in(asked: ChosenComparison, verdict: JudgeVerdict) -> None:
    """The verdict, the margin to choose, and the replacement test with one row a rater."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = select_labeled("raters_are", "The raters are", RATERS_ARE)
    found = verdict.replacement
    if found is None:
        st.info("The test asks about a judge. Choose one above.", icon=":material/robot_2:")
        return
    st.markdown(f"##### {plain(verdict.summary)}")
    show_tests(verdict)
    if found.rows:
        titles = ("Items", "Judge as close", "Rater as close", "Corrected p", "Judge wins")
        columns = (Column(title="Rater"), *(Column(title=each, end=True) for each in titles))
        rows = [_build_rater_row(each) for each in found.rows]
        show_table(columns, [Group(rows=rows)], key="alt_test", label="The judge by rater")
    st.caption(
        f"{meaning('alt_test').in_words} The margin is {EPSILON[who]:.2f} for {RATERS_ARE[who]} "
        "(0.10 for a crowd, 0.15 for skilled raters, 0.20 for experts). It takes two "
        "raters, better three, and 30 items with each."
    )


def show_tests(verdict: JudgeVerdict) -> None:
    """What both tests say in numbers, and why they differ where they do."""
    for each in (*verdict.tests, verdict.why_they_differ):
        if each:
            st.caption(plain(each))


def _build_rater_row(row: AgainstRater) -> TableRow:
    wins = {True: "yes", False: "no", None: NONE}[row.wins]
    shares = [format_percent(each) for each in _list_closeness(row)]
    return TableRow(
        id=row.author.name,
        cells=(
            Cell(text=row.author.name, note=row.reason),
            Cell(text=count(row.items), note=format_count(row.units, "unit")),
            *(Cell(text=each) for each in shares),
            Cell(text=_format_p(row.corrected_p)),
            Cell(text=wins),
        ),
    )


def _format_p(value: float | None) -> str:
    return "< 0.001" if value is not None and value < 0.001 else number(value, 3)


def _list_closeness(row: AgainstRater) -> tuple[float | None, float | None]:
    return row.judge_as_close, row.rater_as_close


def ask_rate(asked: ChosenComparison) -> tuple[str, float]:
    """Which label's rate, and how exactly it should be known."""
    looks = asked.looks
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = select_labeled("of", "Share of", {key: each.title for key, each in looks.items()})
        margin = select_labeled("margin", "Wanted margin", MARGINS, width=160)
    return label, int(margin) / 100


def show_rate(
    asked: ChosenComparison, tables: PairTables, judged: Ratings, label: str, margin: float
) -> bool:
    """The rate three ways, what it assumes, and how many more labels a margin takes, if any."""
    if _is_judge(asked) or not judged.authors:
        st.info(
            "A rate is corrected by what people say. Choose people as the reference and a judge.",
            icon=":material/robot_2:",
        )
        return False
    labelled, others = (
        count_labeled_items(tables, label),
        count_judged_items(judged, tables, label),
    )
    found = estimate_corrected_rate(labelled, others)
    show_three_dots(found)
    said = [f"The corrected rate {ASSUMPTION}; nothing here can see whether they are."]
    if found.power_tuning is not None:
        said.append(f"The judge was trusted to {format_percent(found.power_tuning)}.")
    st.caption(plain(" ".join(said)))
    needed = compute_labels_needed(labelled, others, margin)
    st.markdown(f"##### {plain(format_needed_labels(needed, margin, len(others.units)))}")
    st.caption(meaning("corrected").says)
    return True


def format_needed_labels(needed: int | None, margin: float, left: int) -> str:
    """How many more items people must label for a margin, or that nobody can tell."""
    said = f"±{100 * margin:.0f} {'point' if margin == 0.01 else 'points'}"
    if needed == 0:
        return f"The corrected rate is known within {said} already."
    if needed is None:
        return (
            f"How many more labelled items a margin of {said} takes cannot be told: it takes 20 "
            f"items that people labelled and 20 that only the judge did ({count(left)} here), and "
            "labels that differ."
        )
    return f"{format_count(needed, 'more labelled item')} for {said}."


def _is_judge(asked: ChosenComparison) -> bool:
    author = asked.reference.author
    return author is not None and author.kind is AuthorKind.JUDGE
