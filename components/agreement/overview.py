"""Overview of a comparison: verdict, coverage, metrics, other judges and claim scores."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import streamlit as st

from components.agreement.choice import ChosenComparison
from components.agreement.stand_in import show_tests
from components.agreement.undefined_reasons import show_reasons
from components.charts.coefficients import SHARES, describe_other_basis, show_coefficients
from components.charts.dots import format_estimate, format_percent
from components.charts.marks import draw_marks
from components.ui.number_meanings import meaning
from components.ui.numbers import NONE, count, format_count
from components.ui.plain import plain
from components.ui.statistics_document import paragraph
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.model.scale import Scale
from faithfulness.model.selection_sides import MAJORITY, Side, describe_ties
from faithfulness.model.wording import capitalize_first
from faithfulness.statistics import sentence
from faithfulness.statistics.agreement import FEWEST_CASES, Estimate, pair_estimates
from faithfulness.statistics.ceiling import Ceiling
from faithfulness.statistics.judge_verdict import JudgeVerdict
from faithfulness.statistics.label_rates import Telling, find_commonest_label, find_telling_label
from faithfulness.statistics.tables import PairTables

CLAIMS = ("f1_macro", "precision", "recall", "f1")
ON_LABELS = ("percent", "baseline", "kappa", "ac1", "alpha", "mcc")
ON_SCORES = (
    *("percent", "baseline", "within_one", "kappa_quadratic", "kappa", "ac2", "ac1"),
    *("alpha_ordinal", "spearman", "tau_b", "icc_2_1"),
)
APART = ("reference_only", "judge_only", "ties")


class Covered(Protocol):
    """What `data.agreement.pairs.compared` counts besides the pairs."""

    @property
    def tables(self) -> PairTables: ...

    @property
    def both(self) -> int: ...

    @property
    def reference_only(self) -> int: ...

    @property
    def judge_only(self) -> int: ...

    @property
    def ties(self) -> int: ...

    @property
    def unread_reference(self) -> int: ...

    @property
    def unread_judge(self) -> int: ...

    @property
    def joined(self) -> int: ...

    @property
    def one_rating(self) -> int: ...


def list_main_names(tables: PairTables, scale: Scale) -> tuple[str, ...]:
    """The numbers shown first, in the order in which they are read."""
    chance = ("kappa_quadratic", "ac2") if tables.ordinal else ("kappa", "ac1")
    return ("percent", *chance, *_list_f1_names(find_telling_label(tables, scale)))


def list_all_names(tables: PairTables) -> tuple[str, ...]:
    """Every number of the list, best known first."""
    return ON_SCORES if tables.ordinal else ON_LABELS


def estimate_all_numbers(tables: PairTables, scale: Scale) -> dict[str, Estimate]:
    """Everything that this view shows, in one go: drawing items again costs more than counting."""
    names = (*ON_LABELS[:4], *list_all_names(tables), *list_main_names(tables, scale))
    return pair_estimates(tables, dict.fromkeys(names))


def _list_f1_names(label: Telling | None) -> tuple[str, ...]:
    return (f"f1:{label.value}",) if label else ()


def show_header(
    asked: ChosenComparison, found: Covered, verdict: JudgeVerdict, numbers: Mapping[str, Estimate]
) -> None:
    """The verdict on the judge, and how much a judge that looks at nothing would reach."""
    tables = found.tables
    from_raters = asked.reference.kind == "majority" or asked.reference.author in asked.raters
    leads = from_raters and verdict.has_result
    same = sentence.format_header(
        numbers["percent"], reference=asked.in_words[0], judge=asked.in_words[1], unit=asked.unit
    )
    st.markdown(f"##### {plain(verdict.summary if leads else same)}")
    if not leads and (verdict.has_result or from_raters):
        st.caption(plain(verdict.summary))
    if verdict.has_result:
        show_tests(verdict)
    if not tables.units_n:
        return
    title = asked.looks[find_commonest_label(tables)].title
    more = sentence.compare_with_baseline(numbers["percent"], numbers["baseline"], title)
    if leads:
        more = f"{same} {more}"
    st.caption(plain(more))
    parted = sentence.format_skew_warning(
        numbers["kappa"], numbers["ac1"], title, numbers["baseline"]
    )
    if parted:
        st.warning(plain(parted), icon=":material/balance:")


def show_coverage(asked: ChosenComparison, found: Covered, chosen: str) -> None:
    """What could be compared and what not; a part that can be listed is a button."""
    data = coverage(asked, found, chosen)
    says = {each: {"apart": each} for each in APART}
    draw_marks(data, key="coverage", says=says, read="what-is-counted")


def coverage(asked: ChosenComparison, found: Covered, chosen: str) -> dict[str, object]:
    reference, judge = asked.sides
    drawn = (
        ("", "with both", found.both, "main"),
        ("reference_only", f"only {reference}", found.reference_only, "second"),
        ("judge_only", f"only {judge}", found.judge_only, "rest"),
        ("ties", describe_ties(asked.reference, asked.judge), found.ties, "odd"),
    )
    beside = (
        (f"unread of {judge}", found.unread_judge),
        (f"unread of {reference}", found.unread_reference),
        ("with both, from a single rating", found.one_rating),
    )
    parts = [
        {
            "id": key if many else "",
            "title": title,
            "count": many,
            "text": count(many),
            "color": color,
            "drawn": True,
            "on": bool(key) and key == chosen,
        }
        for key, title, many, color in drawn
        if many or key in ("", "reference_only", "judge_only")
    ]
    parts += [_build_side_part(title, count(many)) for title, many in beside if many]
    if found.joined:
        share = 100 * found.joined / max(found.both, 1)
        parts.append(_build_side_part("joined where cuts differ", f"{share:.0f} %"))
    return {"kind": "parts", "label": "Units that could be compared", "parts": parts}


def show_tiles(
    asked: ChosenComparison, tables: PairTables, numbers: Mapping[str, Estimate]
) -> None:
    """The few numbers to read first, each with its interval or why it has none."""
    found = {name: numbers[name] for name in list_main_names(tables, asked.criterion.scale)}
    titles = {value: look.title for value, look in asked.looks.items()}
    for column, estimate in zip(st.columns(len(found)), found.values(), strict=True):
        said = meaning(estimate.name, titles.get(estimate.name.partition(":")[2], ""))
        value, doubt = split_interval(estimate)
        doubt = doubt or ("undefined" if estimate.value is None else "no interval")
        basis = describe_other_basis(estimate, tables.items_n, tables.units_n, asked.unit)
        column.metric(
            said.title,
            value,
            delta=f"{doubt} · {basis}" if basis else doubt,
            delta_color="off",
            delta_arrow="off",
            border=True,
            help=f"{plain(said.in_words)} [More]({paragraph(estimate.name)})",
        )
    label = find_telling_label(tables, asked.criterion.scale)
    if label is not None:
        f1 = numbers[f"f1:{label.value}"]
        st.caption(
            plain(explain_label_choice(label, titles[label.value], asked, f1, tables.units_n))
        )


def explain_label_choice(
    label: Telling, title: str, asked: ChosenComparison, f1: Estimate, units: int
) -> str:
    """Why the F1 of this label is shown and of no other, and on how many units it rests."""
    given = f"{count(label.uses)} of {format_count(units, asked.unit)}"
    why = f"F1 of “{title}”, because it {label.why}. The reference gives it to {given}"
    if f1.counts:
        return f"{why}: too few for an F1, which takes {FEWEST_CASES}, so the counts are shown."
    rests = f"{format_count(f1.units, asked.unit)} of {format_count(f1.items, 'item')}"
    return f"{why}; F1 rests on the {rests} that either side gives it to."


def split_interval(estimate: Estimate) -> tuple[str, str]:
    """A number and its interval apart, or the counts that stand in its place."""
    if estimate.counts:
        found, _, given = estimate.counts.partition(" found")
        return found, f"found{given}"
    is_share = estimate.name.partition(":")[0] in SHARES
    text = format_percent(estimate) if is_share else format_estimate(estimate)
    value, _, doubt = text.partition(" [")
    return value, f"[{doubt}" if doubt else ""


def show_numbers(
    asked: ChosenComparison, tables: PairTables, ceiling: Ceiling, numbers: Mapping[str, Estimate]
) -> None:
    """Every number on one axis, with the raters' own agreement among them."""
    names = (
        *list_all_names(tables),
        *_list_f1_names(find_telling_label(tables, asked.criterion.scale)),
    )
    found = [numbers[name] for name in names]
    titles = {value: look.title for value, look in asked.looks.items()}
    beside = [each for each in (ceiling.judge, ceiling.raters) if each.value is not None]
    show_coefficients(
        [*found[:2], *beside, *found[2:]], label="Numbers of agreement", titles=titles
    )
    units = f"{format_count(tables.items_n, 'item')}, {format_count(tables.units_n, 'unit')}"
    without = "" if ceiling.raters.value is not None else f" No ceiling: {ceiling.raters.reason}."
    drawn = any(each.low is not None for each in (*found, *beside))
    lines = " Lines are 95 % intervals over items." if drawn else ""
    st.caption(f"From {units}.{lines}{without}")


def choose_judge(
    asked: ChosenComparison,
    tables: Mapping[Side, PairTables],
    numbers: Mapping[str, Estimate],
    label: Telling | None,
) -> None:
    """The judges side by side against the same reference; a click makes one the judge.

    All have the F1 of one label, for those of different labels cannot be compared.
    """
    st.subheader(called := "Judges against the same reference", anchor=False)
    titles = {value: each.title for value, each in asked.looks.items()}
    columns = (
        Column(title="Judge"),
        Column(title="With both", end=True),
        Column(title="Same label", end=True),
        Column(title="Kappa", end=True),
        Column(title="AC1", end=True),
        Column(title=f"F1, {titles[label.value]}" if label else "F1", end=True, drop=True),
    )
    found = {
        side: _list_judge_numbers(each, numbers if side == asked.judge else None, label)
        for side, each in tables.items()
    }
    rows = [_build_judge_row(side, tables[side], found[side], asked) for side in tables]
    clicked = show_table(columns, [Group(rows=rows)], key="judges", label=called)
    show_reasons([each for numbers in found.values() for each in numbers], titles)
    if clicked:
        st.query_params["judge"] = clicked.row
        st.rerun()


def _list_judge_numbers(
    tables: PairTables, known: Mapping[str, Estimate] | None, label: Telling | None
) -> list[Estimate]:
    names = ("percent", "kappa_quadratic" if tables.ordinal else "kappa", "ac1")
    wanted = (*names, *_list_f1_names(label))
    found = pair_estimates(tables, wanted) if known is None else known
    return [found[name] for name in wanted]


def _build_judge_row(
    side: Side, tables: PairTables, found: list[Estimate], asked: ChosenComparison
) -> TableRow:
    percent, kappa, ac1, *f1 = found
    name = side.author.name if side.author else side.in_words
    is_chosen = side == asked.judge
    return TableRow(
        id=side.as_text,
        cells=(
            Cell(text=name, action="judge", strong=is_chosen, badge="shown" if is_chosen else ""),
            Cell(text=count(tables.units_n), note=format_count(tables.items_n, "item")),
            Cell(text=format_percent(percent)),
            Cell(text=format_estimate(kappa)),
            Cell(text=format_estimate(ac1)),
            _build_f1_cell(f1[0]) if f1 else Cell(text=NONE),
        ),
    )


def _build_f1_cell(found: Estimate) -> Cell:
    """A label's F1 with the items that have the label by either side."""
    return Cell(
        text=format_estimate(found), note=format_count(found.items, "item") if found.items else ""
    )


def _build_side_part(title: str, text: str) -> dict[str, object]:
    return {"id": "", "title": title, "count": 0, "text": text, "color": "", "drawn": False}


def name_claims_side(side: Side, other: Side) -> str:
    """What the scores of a side are called; of several raters they are the mean over raters."""
    if side != MAJORITY:
        return side.author.name if side.author else capitalize_first(side.in_words)
    return "Other raters, mean" if side.voters_apart(other) else "Raters, mean"


def _format_claims_basis(found: Estimate) -> str:
    return f"{format_count(found.items, 'topic')}, {format_count(found.units, 'judgment')}"


def build_claim_rows(estimates: Sequence[tuple[str, Mapping[str, Estimate]]]) -> list[TableRow]:
    """Precision, recall and F1 of claims by each side."""
    return [
        TableRow(
            id=who,
            cells=(
                Cell(text=who, strong=True),
                *(
                    Cell(text=format_estimate(found[name]), note=_format_claims_basis(found[name]))
                    for name in CLAIMS
                ),
            ),
        )
        for who, found in estimates
    ]


def show_claims(estimates: Sequence[tuple[str, Mapping[str, Estimate]]]) -> None:
    """What each side finds: claims of the response that are right, of the reference covered."""
    columns = (
        Column(title="By"),
        Column(title="F1, mean over topics", end=True),
        Column(title="Precision, pooled", end=True, drop=True),
        Column(title="Recall, pooled", end=True, drop=True),
        Column(title="F1, pooled", end=True, drop=True),
    )
    st.subheader("Claims both ways", anchor=False)
    show_table(
        columns,
        [Group(rows=build_claim_rows(estimates))],
        key="claims",
        label="Precision, recall and F1 of claims by each side",
    )
    show_reasons([found[name] for _, found in estimates for name in CLAIMS], {})
    st.caption(
        "F1, mean over topics, is the number that Runs shows: of several raters the mean over the "
        "raters of each topic, never the F1 of their majority. Pooled numbers count all judgments "
        "together. Intervals are over topics. A claim that nobody judged counts on neither side."
    )
