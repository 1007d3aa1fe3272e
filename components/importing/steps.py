"""Steps of the import page: options, open questions, preview, result."""

from collections.abc import Mapping, Sequence
from typing import Literal, NoReturn
from typing import Protocol as Shape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.importing.column_mapping import KnownTables, ask_mapping
from components.importing.form import ImportChoice, choose_options
from components.importing.uploads import Upload
from components.importing.view import Format, show_formats
from components.ui.address import link, open_page
from components.ui.frame import format_problem, show_problem
from components.ui.numbers import count, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.model.drafts import ImportQuestion
from faithfulness.model.errors import ImportRefused
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.wording import format_known_items

ABOUT = """
Bring in the outputs of a system together with what raters and judges said about them. Files are
read in a separate process and shown first; nothing is stored before you say so.
"""

_TELL_COLUMNS = "One more step: say what the columns hold."
# How a refusal names the way out; one of a wrong value in some line does not.
_CURED_BY_MAPPING = ("a column mapping", "map the columns")
KIND_TITLES = {"rater": "A person", "judge": "A model"}
_NO_TABLE = ", not a table with a row for each answer"  # its names are none of columns


class EarlierFile(Shape):
    """As `data.importing.known_files.KnownFile`."""

    @property
    def name(self) -> str: ...

    @property
    def in_words(self) -> str: ...

    @property
    def way_back(self) -> str: ...

    @property
    def runs(self) -> Mapping[str, str]: ...


def show_start(formats: Sequence[Format]) -> None:
    st.markdown("## Formats")
    st.caption("A file is recognised by what is in it. Any other table can be mapped by hand.")
    show_formats(formats)


def ask_options(
    upload: Upload,
    formats: Sequence[Format],
    protocols: Mapping[str, Protocol],
    tables: KnownTables,
) -> ImportChoice | None:
    """Everything an import needs to be told; answers when the person wants to see the preview."""
    place = st.container()
    before: ImportChoice = upload.facts.get("choice", ImportChoice())
    key = upload.facts.get("options_key", upload.id)
    if before.importer == "table":
        remembered = upload.fact("remembered", lambda: tables.remembered(tables.columns()))
        proposed = remembered[0] if remembered else tables.protocol()
        if proposed:
            before = before._replace(protocol=before.protocol or proposed)
            key = f"{key}_proposed"  # a widget begins with its value only when it is new
    choice = choose_options(formats, protocols, before, key)
    if choice.importer != before.importer:  # a table's columns are read in a run of their own
        upload.facts["choice"] = choice
        st.rerun()
    missing = ""
    if choice.importer == "table":
        mapping_key = f"{upload.id}_{choice.protocol}"
        mapping, missing = ask_mapping(tables, protocols.get(choice.protocol), mapping_key)
        choice = choice._replace(mapping=mapping)
    ways = _list_next_steps(upload, choice, tables)
    choice = choice._replace(kinds=upload.facts.get("tried", ImportChoice()).kinds)
    todo = _choose_next_step(ways, may_preview=not missing)
    if todo == "map":
        upload.facts["choice"] = choice._replace(importer="table")
        upload.facts["options_key"] = f"{upload.id}_by_hand"
        st.rerun()
    if todo == "discard":
        leave(upload)
    upload.facts["choice"] = choice
    _show_refusal(place, upload, choice, is_cured=ways[0] == "map")
    return choice if todo == "preview" else None


def _choose_next_step(ways: Sequence[str], *, may_preview: bool) -> str:
    """What the person chooses, or nothing: the first of the ways is the one that leads on."""
    known = {
        "preview": ("Preview", ":material/visibility:"),
        "map": ("Map the columns", ":material/rule:"),
        "change": ("Change options", ":material/tune:"),
        "discard": ("Discard", ":material/delete:"),
    }
    chosen = ""
    with st.container(horizontal=True, gap="small"):
        for way in ways:
            title, icon = known[way]
            kind: Literal["primary", "secondary"] = "primary" if way == ways[0] else "secondary"
            is_off = way == "preview" and not may_preview
            # Without a key its kind is part of what it is: a field filled in the same moment makes
            # another way the first, and the press would be one on a button that is gone.
            if st.button(title, type=kind, icon=icon, disabled=is_off, key=f"next_{way}"):
                chosen = way
    return chosen


def ask_questions(
    upload: Upload, questions: Sequence[ImportQuestion], tried: ImportChoice
) -> ImportChoice | None:
    """What a file leaves open, asked before its preview; the choice once all is answered."""
    # One answer holds for an annotator, or for a column of that name, in every file.
    by_subject: dict[str, list[ImportQuestion]] = {}
    for question in questions:
        by_subject.setdefault(question.annotator or question.column, []).append(question)
    st.markdown("## " + format_count(len(by_subject), "question") + " before the preview")
    st.caption("The files can be read. Nothing is stored until you answer.")
    roles: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for number, (subject, (question, *others)) in enumerate(by_subject.items()):
        files = dict.fromkeys(each.file for each in (question, *others))
        titles = {each.value: each.title[:1].upper() + each.title[1:] for each in question.choices}
        answer = st.radio(
            plain(f"{', '.join(files)}: {question.text}"),
            list(titles),
            index=None,
            format_func=titles.__getitem__,
            horizontal=bool(question.annotator),
            key=f"question_{upload.id}_{number}_{subject}",
        )
        if answer is not None:
            (kinds if question.annotator else roles)[subject] = answer
    is_answered = len(roles) + len(kinds) == len(by_subject)
    todo = _choose_next_step(("preview", "change", "discard"), may_preview=is_answered)
    if todo == "change":
        go_to_options()
    if todo == "discard":
        leave(upload)
    if todo != "preview":
        return None
    answered = tried._replace(kinds={**tried.kinds, **kinds})
    if not roles:
        return answered
    mapping = {**tried.mapping, **roles}
    return answered._replace(protocol=questions[0].protocol, mapping=mapping)


def change_kinds(kinds: Mapping[str, str], tried: ImportChoice, key: str) -> ImportChoice | None:
    """Who was taken as a person and who as a model; the choice when one of them is changed."""
    if not kinds:
        return None
    st.markdown("## Person or model")
    st.caption(
        "Who has a name that a model may have. What you choose is kept when you store the import, "
        "and holds for the next one."
    )
    chosen: dict[str, str] = {}
    row: Sequence[DeltaGenerator] = ()
    for number, (name, kind) in enumerate(kinds.items()):
        if number % 3 == 0:
            row = st.columns(3)
        note = "" if name in tried.kinds else " (as chosen for an earlier import)"
        chosen[name] = row[number % 3].radio(
            plain(name + note),
            list(KIND_TITLES),
            index=list(KIND_TITLES).index(kind),
            format_func=KIND_TITLES.__getitem__,
            horizontal=True,
            key=f"kind_{key}_{number}",
        )
    if chosen == dict(kinds):
        return None
    return tried._replace(kinds={**tried.kinds, **chosen})


def _show_refusal(
    place: DeltaGenerator, upload: Upload, choice: ImportChoice, *, is_cured: bool
) -> None:
    """Why the files could not be read; once columns are mapped, what is missing is said there."""
    refused = upload.facts.pop("refused", None)
    is_mapping = choice.importer == "table" and choice != upload.facts.get("tried")
    if not refused or is_mapping:
        return
    with place:
        if is_cured:  # a table like any other, of which nothing is wrong
            st.info(f"**{_TELL_COLUMNS}**  \n{format_problem(refused)}", icon=":material/rule:")
        else:
            show_problem(refused)


def _list_next_steps(upload: Upload, choice: ImportChoice, tables: KnownTables) -> tuple[str, ...]:
    """The ways on; after a refusal files with columns can be mapped, first where that cures it."""
    refused = upload.facts.get("refused")
    if refused is None or choice.importer == "table":
        return ("preview", "discard")
    if _NO_TABLE in str(refused) or not upload.fact("has_columns", lambda: _has_columns(tables)):
        return ("preview", "discard")
    # The same files told the same are refused again; told otherwise they may be read.
    is_as_tried = choice == upload.facts.get("tried")
    if is_as_tried and any(words in str(refused) for words in _CURED_BY_MAPPING):
        return ("map", "preview", "discard")
    return ("preview", "map", "discard")


def _has_columns(tables: KnownTables) -> bool:
    try:
        return bool(tables.columns())
    except ImportRefused:
        return False


def is_at_preview() -> bool:
    """A preview has an address of its own, so that the browser's Back leads to its options."""
    return st.query_params.get("step") == "preview"


def go_to_preview() -> NoReturn:
    st.query_params["step"] = "preview"
    st.rerun()


def go_to_options() -> NoReturn:
    st.query_params.pop("step", None)
    st.rerun()


def leave(upload: Upload) -> None:
    """Forget the files and begin again."""
    upload.discard()
    st.query_params.clear()
    st.rerun()


def show_stored(runs: Mapping[str, str], differ: Mapping[str, int]) -> bool:
    """The runs that an import made, as links, and where to go on.

    Args:
        runs: what each is called, by its id.
        differ: how many disagreements in them are open, and how many decided.

    Returns:
        True when the person wants to bring in more.
    """
    st.success(
        "Stored. Everything you saw in the preview is in the store now.", icon=":material/check:"
    )
    _link_runs(runs, "New runs", key="stored")
    st.caption(_describe_disagreements(differ["open"], differ["decided"]))
    first, whose = Selection(runs=tuple(runs)[:1]), "its" if len(runs) == 1 else "their"
    state = "open" if differ["open"] else "decided"
    lead: Literal["primary", "secondary"] = "secondary" if differ[state] else "primary"
    with st.container(horizontal=True, gap="small"):
        if differ[state] and st.button(
            f"See {whose} disagreements", type="primary", icon=":material/gavel:"
        ):
            open_page("disagreements", Selection(runs=tuple(runs)), state=state)
        if not differ["open"]:
            if st.button("Rate it", type=lead, icon=":material/edit_note:"):
                open_page("rate", first)
            if st.button("Ask a judge", icon=":material/smart_toy:"):
                open_page("judge_run", first)
        return st.button("Import more", icon=":material/add:")


def _describe_disagreements(still_open: int, decided: int) -> str:
    if still_open:
        more = f", {count(decided)} decided already" if decided else ""
        return format_count(still_open, "open disagreement") + more
    if decided:
        every = {1: "", 2: "both "}.get(decided, "all ")
        return f"{format_count(decided, 'disagreement')}, {every}decided already"
    return (
        "Nobody disagrees about these yet: that takes two who answered about the same units. "
        "Rate them yourself, or ask a judge."
    )


def show_known(
    place: DeltaGenerator, known: Sequence[EarlierFile], met: tuple[int, int], *, runs: int
) -> None:
    """What is stored already: files, each with the runs it became the first time, and items.

    Args:
        place: above the preview.
        known: files that were imported before.
        met: how many items the import has, and how many of them stand in earlier runs.
        runs: how many the import makes.
    """
    with place:
        items, stored = met
        if stored and not known:
            st.info(
                _describe_met_again(stored, items, runs),
                icon=":material/join_inner:",
            )
        for at, each in enumerate(known):
            st.error(
                f"{plain(each.in_words)}. It cannot be stored again: open what it became, or "
                f"discard it here. After `{each.way_back}` it may come in again.",
                icon=":material/file_copy:",
            )
            _link_runs(each.runs, f"First import of {each.name}", key=f"known_{at}")


def _describe_met_again(stored: int, items: int, runs: int) -> str:
    new = "The run below is new" if runs == 1 else f"The {count(runs)} runs below are new"
    return f"{new}, and no earlier run is changed. {format_known_items(stored, items)}"


def _link_runs(runs: Mapping[str, str], title: str, *, key: str) -> None:
    rows = [
        TableRow(
            id=run_id,
            cells=(
                Cell(
                    text=name,
                    action="open",
                    href=link("item", Selection(runs=(run_id,))),
                    strong=True,
                ),
            ),
        )
        for run_id, name in runs.items()
    ]
    clicked = show_table((Column(title=title),), [Group(rows=rows)], key=key, label=title)
    if clicked:
        open_page("item", Selection(runs=(clicked.row,)))


def decide(place: DeltaGenerator, *, may_store: bool = True) -> str:
    """What to do with a preview: "store", "change" or "discard"; empty before any choice."""
    todos = {
        "store": ("Store", ":material/save:"),
        "change": ("Change options", ":material/tune:"),
        "discard": ("Discard", ":material/delete:"),
    }
    chosen = ""
    with place.container(horizontal=True, gap="small", key="decide"):
        for todo, (title, icon) in todos.items():
            kind: Literal["primary", "secondary"] = "primary" if todo == "store" else "secondary"
            if (may_store or todo != "store") and st.button(title, type=kind, icon=icon, key=todo):
                chosen = todo
    return chosen
