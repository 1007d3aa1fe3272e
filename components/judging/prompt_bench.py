"""Prompt workbench: prompt versions, their word diff and their agreement with raters."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.agreement.undefined_reasons import show_reasons
from components.charts.dots import Dot, dots, format_estimate, format_percent
from components.charts.marks import draw_marks
from components.evidence.word_diff.word_diff import show_word_diff
from components.ui.number_meanings import meaning
from components.ui.numbers import NONE, format_count, format_day
from components.ui.plain import told_apart
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_choice
from faithfulness.judging.prompt_history import PromptVersion, VersionAgreement
from faithfulness.model.prompt import Carrier
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.statistics.agreement import Estimate, pair_estimates

SHIPPED = "comes with Plumbline"
WEAKER = "weaker mode: slots"


def choose_criterion(protocol: Protocol) -> Criterion:
    """Which question is compared; not asked where there is only one."""
    titles = {each.key: each.question for each in protocol.criteria}
    if len(titles) == 1:
        return protocol.criteria[0]
    return protocol.criterion(bound_choice("criterion", "Question", titles, width=420))


def show_versions(versions: Sequence[PromptVersion]) -> None:
    """Every version with who made it, who was told it, when and on how many items."""
    names = get_version_titles(versions)
    rows = [
        TableRow(
            id=each.prompt.fingerprint,
            cells=[
                Cell(
                    text=each.prompt.version,
                    badge=_describe_kind(each),
                    color="orange" if each.prompt.carrier is Carrier.SLOTS else "gray",
                    note=_describe_origin(each, names),
                    strong=True,
                ),
                Cell(text=format_day(each.first_used_at) if each.first_used_at else "not used yet"),
                Cell(text=", ".join(each.judges) or NONE),
                Cell(
                    text=f"{each.items:,}" if each.items else NONE,
                    note=format_count(each.replies, "reply", "replies") if each.replies else "",
                ),
            ],
        )
        for each in versions
    ]
    columns = [
        Column(title="Version", wide=True),
        Column(title="First used"),
        Column(title="Told to"),
        Column(title="Items", end=True),
    ]
    show_table(columns, [Group(rows=rows)], key="versions", label="Prompt versions")
    if any(each.prompt.carrier is Carrier.SLOTS for each in versions):
        st.caption(
            f"“{WEAKER.capitalize()}”: the item's texts stand between the prompt's own words, so a "
            "text can pretend to be part of the prompt. The others carry them as one JSON document."
        )


def show_two_versions(versions: Sequence[PromptVersion]) -> None:
    """What differs between any two versions, word by word."""
    if len(versions) < 2:
        st.caption("There is one version. Edit it under “Try a prompt”, or when you ask again.")
        return
    by_key = {each.prompt.fingerprint: each for each in versions}
    names = get_version_titles(versions)
    newest = list(names)[::-1]
    newest.sort(key=lambda key: by_key[key].is_shipped)
    with st.container(horizontal=True, vertical_alignment="center"):
        older = by_key[bound_choice("older", "Older version", names, width=300)].prompt
        st.markdown("→", width="content")
        named = {key: names[key] for key in newest}
        newer = by_key[bound_choice("newer", "Newer version", named, width=300)].prompt
    if older == newer:
        st.caption("These are the same version. Choose two.")
        return
    sections = [("Template", older.template, newer.template)]
    if older.system or newer.system:
        sections.insert(0, ("System text", older.system, newer.system))
    show_word_diff(sections, key="version_diff", label="What changed between two versions")


def show_version_agreement(
    found: Sequence[VersionAgreement], versions: Sequence[PromptVersion], criterion: Criterion
) -> None:
    """Agreement with the raters by version and judge, in the order of first use."""
    if not found:
        st.caption(
            f"Agreement with raters: {NONE} No model was asked with one of these versions yet. "
            "Answers that came with a file name no prompt; the Agreement page compares them."
        )
        return
    names = get_version_titles(versions)
    kappa = "kappa_quadratic" if criterion.scale.ordinal else "kappa"
    numbers = [pair_estimates(each.tables, ("percent", kappa)) for each in found]
    titles = [f"{names.get(each.fingerprint, each.fingerprint)}, {each.judge}" for each in found]
    marks = [
        Dot(
            title=title,
            estimate=_explain_missing_estimate(each, said["percent"]),
            note=f"since {format_day(each.first_at)}",
        )
        for title, each, said in zip(titles, found, numbers, strict=True)
    ]
    label = "Same label as most raters, by version and judge, the earliest first"
    st.caption(label)
    draw_marks(dots(marks, label=label, percent=True), key="version_dots")
    columns = [
        Column(title="Version, judge", wide=True),
        Column(title=meaning("percent").title, end=True),
        Column(title=meaning(kappa).title, end=True),
        Column(title="Compared", end=True),
    ]
    rows = [
        _build_agreement_row(str(at), titles[at], each, numbers[at], kappa)
        for at, each in enumerate(found)
    ]
    show_table(columns, [Group(rows=rows)], key="version_numbers", label="Agreement by version")
    compared = [each for each, one in zip(numbers, found, strict=True) if not one.why_none]
    show_reasons([one for each in compared for one in each.values()], {})
    if len(found) > 1:
        st.caption(
            "Versions may have been asked about different items, and items differ in how hard they "
            "are: “Try a prompt” compares two on the same ones."
        )


def get_version_titles(versions: Sequence[PromptVersion]) -> dict[str, str]:
    """What people read of each version, by fingerprint."""
    return told_apart(
        {
            each.prompt.fingerprint: f"{each.prompt.version} · {each.prompt.fingerprint[:8]}"
            for each in versions
        }
    )


def _build_agreement_row(
    row: str,
    title: str,
    found: VersionAgreement,
    numbers: Mapping[str, Estimate],
    kappa: str,
) -> TableRow:
    left = [
        (found.unrated, "without a rater"),
        (found.tied, "without a majority"),
        (found.unread, "unread"),
    ]
    n = (
        f"{format_count(found.tables.units_n, 'unit')} on "
        f"{format_count(found.tables.items_n, 'item')}"
    )
    percent, other = (
        _explain_missing_estimate(found, numbers["percent"]),
        _explain_missing_estimate(found, numbers[kappa]),
    )
    return TableRow(
        id=row,
        cells=[
            Cell(text=title, note=_format_period(found)),
            Cell(
                text=NONE if percent.value is None else format_percent(percent), note=found.why_none
            ),
            Cell(text=format_estimate(other)),
            Cell(text=n, note=", ".join(f"{many:,} {what}" for many, what in left if many)),
        ],
    )


def _format_period(found: VersionAgreement) -> str:
    first, last = format_day(found.first_at), format_day(found.last_at)
    return first if first == last else f"{first} to {last}"


def _explain_missing_estimate(found: VersionAgreement, estimate: Estimate) -> Estimate:
    """The number, with a reason that a reader of this page understands where there is none."""
    if not found.why_none:
        return estimate
    return Estimate(
        name=estimate.name, value=None, low=None, high=None, items=0, units=0, reason=found.why_none
    )


def _describe_kind(version: PromptVersion) -> str:
    slots = version.prompt.carrier is Carrier.SLOTS
    said = [SHIPPED] * version.is_shipped + [WEAKER] * slots
    return " · ".join(said) or ("edited" if version.based_on else "own file")


def _describe_origin(version: PromptVersion, names: Mapping[str, str]) -> str:
    said = [version.prompt.fingerprint]
    if version.based_on:
        said.append(f"from {names.get(version.based_on, version.based_on)}")
    if version.made_by:
        said.append(f"by {version.made_by}")
    return " · ".join([*said, f"“{version.note}”"] if version.note else said)
