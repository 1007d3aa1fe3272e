"""Import preview: formats, files, counts, warnings, placements and first items."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.ui.numbers import count, format_count, size
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.intake.complaints import Alike, ComplaintKind, group_by_kind, group_complaints
from faithfulness.model.vocabulary import Tier
from faithfulness.model.wording import ALTERED, DIFFERING, format_quote_counts

FEW = 5  # of each kind: what is told after them stays in sight


def show_quotes(manifest: Any) -> None:
    """How quotes were found, and the first of those that do not stand in a source as they are."""
    quotes = sum(run.quotes for run in manifest.runs)
    if not quotes:
        return
    found, turned = Counter[str](), Counter[str]()
    for run in manifest.runs:
        found.update(run.quotes_by_tier)
        turned.update(run.altered_by_tier)
    told = format_quote_counts(quotes, found, turned)
    absent, altered = found[Tier.ABSENT], turned.total()
    if not (absent or altered or manifest.differing):
        st.caption(told)
        return
    st.markdown(f"## {told}")
    _show_first(
        manifest.absent_quotes,
        absent,
        "Quoted words",
        key="absent_quotes",
        label="Quotes that are in no source",
        about="Those in no source are stored and marked. Many of them mean that a source is "
        "missing in the file or stands in another column; few, that somebody quoted what is not "
        "there.",
    )
    _show_first(
        manifest.altered_quotes,
        altered,
        "What differs, and the quoted words",
        key="altered_quotes",
        label=f"Quotes {ALTERED}",
        about=f"Those {ALTERED} differ from their source in little else, and say something else.",
    )
    _show_first(
        manifest.differing_quotes,
        manifest.differing,
        "What differs, and the quoted words",
        key="differing_quotes",
        label=f"Quotes {DIFFERING}",
        about=f"Those {DIFFERING} are marked where they stand beside their source.",
    )


def _show_first(
    places: Sequence[Any], many: int, title: str, *, key: str, label: str, about: str
) -> None:
    if not many:
        return
    st.caption(about)
    wants_all = len(places) > FEW and st.toggle(
        f"Show the first {count(len(places))}", key=f"all_{key}"
    )
    shown = places if wants_all else places[:FEW]
    _show_places(shown, title, key=key, label=label)
    _show_more_count(many - len(shown))


def show_complaints(manifest: Any) -> None:
    if not manifest.complaint_count:
        return
    st.markdown("## " + format_count(manifest.complaint_count, "complaint"))
    st.caption(
        "What breaks a rule of its protocol is stored as it is. What could not be found in its "
        "item is named here and left out."
    )
    found, title = group_complaints(manifest.complaints, manifest.complaint_times), "What is wrong"
    groups = [build_complaint_group(each) for each in group_by_kind(found)]
    show_table(_build_columns(title), groups, key="complaints", label="Complaints by line")
    left = manifest.complaint_count - sum(each.times for each in found)
    if left > 0:
        st.caption(f"and {format_count(left, 'more complaint')}, not counted above")
    shown = sum(len(group.rows) for group in groups)
    if shown < len(manifest.complaints) and st.toggle("Show each by itself", key="each_one"):
        label = "Every complaint by line"
        _show_places(manifest.complaints, title, key="every_complaint", label=label)
        _show_more_count(manifest.complaint_count - len(manifest.complaints))


def build_complaint_group(kind: ComplaintKind) -> Group:
    """A kind of complaint with how often it comes, and its most frequent sentences."""
    left = len(kind.found) - FEW
    more = f"{format_count(left, 'rarer sentence')} not listed here" if left > 0 else ""
    return Group(
        title=kind.in_words, note=more, rows=_build_complaint_rows(kind.found[:FEW], kind.title)
    )


def _build_complaint_rows(complaints: Sequence[Alike], kind: str) -> list[TableRow]:
    return [
        TableRow(
            id=f"{kind} {number}",
            cells=(
                Cell(text=each.file),
                Cell(text=each.first_lines or "—"),
                Cell(text=each.in_words),
            ),
        )
        for number, each in enumerate(complaints)
    ]


def _show_places(places: Sequence[Any], title: str, *, key: str, label: str) -> None:
    rows = [
        TableRow(
            id=str(number),
            cells=(
                Cell(text=each.file),
                Cell(text=count(each.line) if each.line else "—"),
                Cell(text=each.text),
            ),
        )
        for number, each in enumerate(places)
    ]
    show_table(_build_columns(title), [Group(rows=rows)], key=key, label=label)


def _build_columns(title: str) -> tuple[Column, ...]:
    return (
        Column(title="File"),
        Column(title="Line", end=True),
        Column(title=title, wide=True),
    )


def _show_more_count(left: int) -> None:
    if left > 0:
        st.caption(f"and {count(left)} more")


REMEMBERED = (
    "As it stands this could not be read, but a table with these columns was mapped before: that "
    "mapping is used here. To change it, choose Change options and the format Table with a column "
    "mapping."
)
LABELS_SHOWN = 6
TEXT_SHOWN = 240


class Format(NamedTuple):
    """A file format as people choose it."""

    key: str
    title: str
    about: str
    endings: tuple[str, ...]


def show_formats(formats: Sequence[Format]) -> None:
    rows = [
        TableRow(
            id=each.key,
            cells=(
                Cell(text=each.title, strong=True),
                Cell(text=each.about),
                Cell(text=" ".join(each.endings)),
            ),
        )
        for each in formats
    ]
    columns = (
        Column(title="Format"),
        Column(title="What it holds", wide=True),
        Column(title="Files", drop=True),
    )
    show_table(columns, [Group(rows=rows)], key="formats", label="Formats that can be imported")


def show_files(files: Sequence[tuple[str, int]]) -> None:
    """The names and sizes of what is being imported, on one line."""
    named = ", ".join(f"**{plain(name)}** ({size(how_large)})" for name, how_large in files)
    st.markdown(f":material/description: {named}")


def show_preview(manifest: Any, formats: Mapping[str, str], protocols: Mapping[str, str]) -> None:
    """Everything a prepared import says about itself.

    Args:
        manifest: the prepared import's manifest, as data/importing/preview/preview.py describes it.
        formats: the titles of formats by key.
        protocols: the titles of protocols by key.
    """
    runs = manifest.runs
    read_as = formats.get(manifest.importer, manifest.importer)
    st.caption(f"Read as {read_as} in {manifest.seconds:.1f} s. Nothing is stored yet.")
    if manifest.details.get("mapping"):
        st.info(REMEMBERED, icon=":material/rule:")
    with st.container(horizontal=True, gap="small"):
        for label, value in _list_totals(runs):
            st.metric(label, value, border=True, width=132)
    for warning in manifest.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    st.markdown("## " + format_count(len(runs), "run"))
    _show_run_counts(runs, protocols)
    show_quotes(manifest)
    show_complaints(manifest)
    _show_first_items(manifest.first_items)


def _list_totals(runs: Sequence[Any]) -> list[tuple[str, str]]:
    authors = {name for run in runs for name in run.by_author}
    lost = sum(run.left_out for run in runs)
    return [
        ("Items", count(sum(run.items for run in runs))),
        ("Units", count(sum(run.units for run in runs))),
        ("Answers", count(sum(run.answers for run in runs))),
        ("Unread", count(sum(run.unread for run in runs))),
        *([("Left out", count(lost))] if lost else []),
        ("Authors", count(len(authors))),
    ]


def _show_run_counts(runs: Sequence[Any], protocols: Mapping[str, str]) -> None:
    columns = (
        Column(title="Run"),
        Column(title="Items", end=True),
        Column(title="Answers", end=True),
        Column(title="Unread", end=True),
        Column(title="Labels"),
        Column(title="Authors"),
    )
    rows = [
        TableRow(
            id=run.run_key,
            cells=(
                Cell(
                    text=run.name,
                    note=" · ".join(
                        each for each in (protocols.get(run.protocol), run.system) if each
                    ),
                    strong=True,
                ),
                Cell(text=count(run.items), note=format_count(run.units, "unit")),
                Cell(text=count(run.answers), note=_format_other_counts(run)),
                Cell(text=count(run.unread)),
                Cell(text="", lines=_list_label_counts(run.by_label)),
                Cell(text="", lines=list_author_counts(run)),
            ),
        )
        for run in runs
    ]
    show_table(columns, [Group(rows=rows)], key="prepared_runs", label="Runs in this import")


def _format_other_counts(run: Any) -> str:
    notes = [
        f"{count(run.not_judged)} not judged" if run.not_judged else "",
        format_count(run.numbers, "given number") if run.numbers else "",
    ]
    return ", ".join(note for note in notes if note)


def _list_label_counts(by_label: Mapping[str, Mapping[str, int]]) -> list[tuple[str, str]]:
    several = len(by_label) > 1
    counts = {
        f"{criterion}: {value}" if several else value: how_many
        for criterion, values in by_label.items()
        for value, how_many in values.items()
    }
    # A score is a number itself: the label stands first, and its count says what it counts.
    return _limit_counts(
        [(value, format_count(many, "answer")) for value, many in counts.items()], "label"
    )


def list_author_counts(run: Any) -> list[tuple[str, str]]:
    """Who answered in a run; their answers add up to the run's, as unread ones do."""
    return _limit_counts([(name, run.said_by(name)) for name in run.by_author], "author")


def _limit_counts(counts: Sequence[tuple[str, str]], noun: str) -> list[tuple[str, str]]:
    shown = list(counts[:LABELS_SHOWN])
    left = len(counts) - LABELS_SHOWN
    return [*shown, ("…", f"and {format_count(left, f'more {noun}')}")] if left > 0 else shown


def _show_first_items(items: Sequence[Any]) -> None:
    if not items:
        return
    st.markdown("## First rows")
    rows = [
        TableRow(
            id=str(number),
            cells=(
                Cell(
                    text=item.external_id or "—",
                    note=f"also {', '.join(item.further_ids)}" if item.further_ids else "",
                    strong=True,
                ),
                Cell(
                    text="", lines=[(name, _cut_text(text)) for name, text in item.fields.items()]
                ),
                Cell(text="", lines=[_format_answer(each) for each in item.answers]),
            ),
        )
        for number, item in enumerate(items)
    ]
    columns = (
        Column(title="Item"),
        Column(title="Texts", wide=True),
        Column(title="First answers"),
    )
    show_table(columns, [Group(rows=rows)], key="first_rows", label="The first items of the import")


def _format_answer(said: Mapping[str, str]) -> tuple[str, str]:
    value = said.get("value") or ("unread" if said.get("problem") else "not judged")
    about = (said.get("author"), said.get("unit"), said.get("problem"))
    return value, " · ".join(each for each in about if each)


def _cut_text(text: str) -> str:
    return text if len(text) <= TEXT_SHOWN else text[:TEXT_SHOWN] + "…"
