"""How often each rater is right where nobody knows the truth, with what that rests on."""

import streamlit as st

from components.agreement.undefined_reasons import show_reasons
from components.charts.dots import in_percent
from components.ui.label_colors import Look
from components.ui.number_meanings import MEANINGS
from components.ui.numbers import NONE, count, counted
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, Row, show_table
from faithfulness.model.vocabulary import Author
from faithfulness.statistics.raters.rater_beliefs import FEWEST_UNITS, NAME, Belief, rater_beliefs
from faithfulness.statistics.tables import Ratings


def show_beliefs(ratings: Ratings, shown: tuple[Author, ...], looks: dict[str, Look]) -> None:
    """The model's belief about each rater.

    Args:
        ratings: All labels; the model is fitted to all raters.
        shown: The raters to list.
        looks: How each label is called.
    """
    st.subheader("Each rater by Dawid and Skene's model", anchor=False)
    found = rater_beliefs(ratings)
    if not found.raters:
        st.caption(plain(f"Not computed: {found.reason}."))
        return
    if found.reason:
        st.warning(plain(f"Doubtful: {found.reason}."), icon=":material/warning:")
    listed = [each for each in found.raters if each.author in shown]
    columns = (
        Column(title="Rater"),
        Column(title="Shared units", end=True),
        Column(title=MEANINGS[NAME].title, end=True),
        Column(title="Finds", wide=True),
        Column(title="Commonest error believed", firm=True),
    )
    rows = [_row(each, looks) for each in listed]
    show_table(columns, [Group(rows=rows)], key="beliefs", label="Each rater by the model")
    titles = {value: look.title for value, look in looks.items()}
    show_reasons([each.right for each in listed], titles)
    st.caption(
        f"{plain(MEANINGS[NAME].in_words)} “Finds” is the share of the units believed to have a "
        "label to which the rater gives it, with how many are believed to; "
        f"{NONE} stands where they are fewer than {FEWEST_UNITS}."
    )


def _row(belief: Belief, looks: dict[str, Look]) -> Row:
    right = belief.right
    lines = [
        (
            NONE if each.value is None else in_percent(each),
            f"{looks[value].title}, about {count(each.units)}",
        )
        for value, each in belief.finds.items()
        if each.units
    ]
    return Row(
        id=belief.author.name,
        cells=(
            Cell(text=belief.author.name, strong=True),
            Cell(text=count(right.units), note=counted(right.items, "item")),
            Cell(text=NONE if right.value is None else in_percent(right)),
            Cell(text="" if belief.told else NONE, lines=lines if belief.told else ()),
            Cell(text=_error(belief, looks)),
        ),
    )


def _error(belief: Belief, looks: dict[str, Look]) -> str:
    found = belief.commonest_error()
    if found is None:
        return NONE
    true, given, units = found
    names = [looks[value].title for value in belief.finds]
    return f"{names[given]} for {names[true]}, about {counted(round(units), 'time')}"
