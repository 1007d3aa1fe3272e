"""Rater agreement: overall, pairwise, per rater and by model; warns of copied labels."""

import streamlit as st

from components.agreement.undefined_reasons import show_reasons
from components.charts.coefficients import show_coefficients
from components.charts.dots import format_estimate, format_percent
from components.ui.label_colors import Look
from components.ui.number_meanings import MEANINGS
from components.ui.numbers import NONE, count, format_count, signed
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.model.vocabulary import Author
from faithfulness.statistics.agreement import pair_estimates
from faithfulness.statistics.raters.dawid_skene import (
    FEWEST_UNITS,
    NAME,
    Belief,
    compute_rater_beliefs,
)
from faithfulness.statistics.raters.several_raters import (
    LeftOut,
    RaterProfile,
    build_pair_tables,
    build_profiles,
    choose_headline,
    estimate_coefficients,
    find_duplicates,
    leave_one_out,
)
from faithfulness.statistics.tables import PairTables, Ratings


def show_beliefs(ratings: Ratings, shown: tuple[Author, ...], looks: dict[str, Look]) -> None:
    """The model's belief about each rater.

    Args:
        ratings: All labels; the model is fitted to all raters.
        shown: The raters to list.
        looks: How each label is called.
    """
    st.subheader("Each rater by Dawid and Skene's model", anchor=False)
    found = compute_rater_beliefs(ratings)
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
    rows = [_build_belief_row(each, looks) for each in listed]
    show_table(columns, [Group(rows=rows)], key="beliefs", label="Each rater by the model")
    titles = {value: look.title for value, look in looks.items()}
    show_reasons([each.right for each in listed], titles)
    st.caption(
        f"{plain(MEANINGS[NAME].in_words)} “Finds” is the share of the units believed to have a "
        "label to which the rater gives it, with how many are believed to; "
        f"{NONE} stands where they are fewer than {FEWEST_UNITS}."
    )


def _build_belief_row(belief: Belief, looks: dict[str, Look]) -> TableRow:
    right = belief.right
    lines = [
        (
            NONE if each.value is None else format_percent(each),
            f"{looks[value].title}, about {count(each.units)}",
        )
        for value, each in belief.finds.items()
        if each.units
    ]
    return TableRow(
        id=belief.author.name,
        cells=(
            Cell(text=belief.author.name, strong=True),
            Cell(text=count(right.units), note=format_count(right.items, "item")),
            Cell(text=NONE if right.value is None else format_percent(right)),
            Cell(text="" if belief.told else NONE, lines=lines if belief.told else ()),
            Cell(text=_format_common_error(belief, looks)),
        ),
    )


def _format_common_error(belief: Belief, looks: dict[str, Look]) -> str:
    found = belief.commonest_error()
    if found is None:
        return NONE
    true, given, units = found
    names = [looks[value].title for value in belief.finds]
    return f"{names[given]} for {names[true]}, about {format_count(round(units), 'time')}"


MOST_RATERS = 15  # of whom every pair is counted


def show_raters(ratings: Ratings, looks: dict[str, Look]) -> None:
    """All raters together, then two by two, then each apart."""
    if len(ratings.authors) < 2:
        who = plain(ratings.authors[0].name) if ratings.authors else "Nobody"
        st.info(
            f"It takes two raters to agree. {who} has labels here.", icon=":material/group_add:"
        )
        return
    for each in find_duplicates(ratings):
        st.warning(
            f"{plain(each.first.name)} and {plain(each.second.name)} gave the same label to "
            f"{count(each.equal)} of {format_count(each.units, 'shared unit')}. One may be a "
            "copy of "
            "the other; ask before counting both.",
            icon=":material/content_copy:",
        )
    names = (choose_headline(ratings), "percent", "fleiss", "ac1", "unanimous")
    found = estimate_coefficients(ratings)
    wanted = [found[name] for name in dict.fromkeys((*names, "alpha"))]
    show_coefficients(wanted, label="Agreement of all raters", key="all_raters", read="raters")
    first = wanted[0]
    st.caption(
        f"From {format_count(first.items, 'item')} and {format_count(first.units, 'unit')} "
        "with two raters."
    )
    shown = select_most_active(ratings)
    if len(shown.authors) < len(ratings.authors):
        st.caption(f"Below: the {MOST_RATERS} raters with the most labels.")
    _show_pairs(shown)
    _show_each(shown, looks)
    show_beliefs(ratings, shown.authors, looks)


def select_most_active(ratings: Ratings) -> Ratings:
    """The ratings of those with the most labels, where there are too many for a table."""
    if len(ratings.authors) <= MOST_RATERS:
        return ratings
    labels = ratings.counts @ (ratings.codes >= 0)
    kept = sorted(labels.argsort()[::-1][:MOST_RATERS].tolist())
    return Ratings(
        values=ratings.values,
        ordinal=ratings.ordinal,
        authors=tuple(ratings.authors[place] for place in kept),
        items=ratings.items,
        codes=ratings.codes[:, kept],
        counts=ratings.counts,
    )


def _show_pairs(ratings: Ratings) -> None:
    st.subheader("Two by two", anchor=False)
    names = ("percent", "kappa_quadratic" if ratings.ordinal else "kappa", "ac1")
    rows, shown = [], []
    for at, (first, second, tables) in enumerate(build_pair_tables(ratings)):
        percent, kappa, ac1 = found = list(pair_estimates(tables, names).values())
        shown += found
        rows.append(
            TableRow(
                id=str(at),
                cells=(
                    Cell(text=f"{first.name} and {second.name}"),
                    Cell(text=count(tables.units_n), note=format_count(tables.items_n, "item")),
                    Cell(text=format_percent(percent)),
                    Cell(text=format_estimate(kappa)),
                    Cell(text=format_estimate(ac1)),
                ),
            )
        )
    weighted = "Kappa, quadratic" if ratings.ordinal else "Kappa"
    titles = ("Shared units", "Same label", weighted, "AC1")
    columns = (Column(title="Raters"), *(Column(title=each, end=True) for each in titles))
    show_table(columns, [Group(rows=rows)], key="pairs", label="Raters two by two")
    show_reasons(shown, {})


def _show_each(ratings: Ratings, looks: dict[str, Look]) -> None:
    st.subheader("Each rater against the others", anchor=False)
    out = {each.author: each for each in leave_one_out(ratings)}
    rows = [
        _build_rater_row(each, out[each.author], looks, ordinal=ratings.ordinal)
        for each in build_profiles(ratings)
    ]
    titles = ("Compared", "Same label", "Alpha without", "Change", "Commonest difference")
    columns = (
        Column(title="Rater"),
        *(Column(title=each, end=True) for each in titles[:4]),
        Column(title=titles[4]),
    )
    show_table(columns, [Group(rows=rows)], key="each_rater", label="Each rater")
    show_reasons([each.others for each in out.values()], {})
    st.caption(
        "Against the majority of the other raters; units on which they tie are left out. "
        "“Alpha without” is how well the others agree without this rater: where it rises clearly, "
        "this rater stands apart."
    )


def _build_rater_row(
    profile: RaterProfile, without: LeftOut, looks: dict[str, Look], *, ordinal: bool
) -> TableRow:
    names = ("percent", "mean_difference") if ordinal else ("percent",)
    found = pair_estimates(profile.against, names)
    percent = found["percent"]
    said = describe_common_difference(profile.against, looks)
    if ordinal and found["mean_difference"].value is not None:
        bias = format_estimate(found["mean_difference"])
        said = f"{said} · bias {bias}" if said else f"bias {bias}"
    change = signed(without.change)
    left_out = [f"{count(profile.tied)} ties"] if profile.tied else []
    left_out += [f"{count(profile.alone)} alone"] if profile.alone else []
    return TableRow(
        id=profile.author.name,
        cells=(
            Cell(text=profile.author.name, strong=True),
            Cell(text=count(profile.against.units_n), note=", ".join(left_out)),
            Cell(text=format_percent(percent)),
            Cell(text=format_estimate(without.others)),
            Cell(text=change),
            Cell(text=said or NONE),
        ),
    )


def describe_common_difference(tables: PairTables, looks: dict[str, Look]) -> str:
    """Where this rater most often says something else: “Supported where others say …”."""
    apart = tables.total.copy()
    for place in range(len(tables.values)):
        apart[place, place] = 0
    if not apart.sum():
        return ""
    row, column = divmod(int(apart.argmax()), len(tables.values))
    others, own = (looks[tables.values[place]].title for place in (row, column))
    return f"{own} where others say {others}, {format_count(int(apart[row, column]), 'time')}"
