"""Import page: upload files, preview their contents, then store or discard them."""

import streamlit as st

from components.importing import steps as steps
from components.importing import uploads
from components.importing.column_mapping import KnownTables
from components.importing.form import ImportChoice, choose_files
from components.importing.uploads import Upload
from components.importing.view import Format, show_files, show_preview
from components.ui import background
from components.ui.frame import catch_problems, frame
from data.access.shared_store import shared_store
from data.importing.annotator_kinds import load_annotator_kinds
from data.importing.columns import TableColumns, inspect_columns
from data.importing.existing_items import count_existing_items
from data.importing.formats import IMPORTERS
from data.importing.import_service import keep_import
from data.importing.importer import Options
from data.importing.known_files import find_known_files
from data.importing.preview.questions import OpenQuestions
from data.importing.tables import missing, reasons, roles
from data.importing.tables.mappings import Remembered, load_mapping, save_mapping
from data.importing.tables.remembered_mapping import prepare_as_before
from data.items.loading import load_known_items
from data.runs import queries
from data.store.store import Store
from data.triage.queue import load_queue
from faithfulness.model.errors import ImportRefused
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.protocols import PROTOCOLS

FORMATS = [Format(each.key, each.title, each.about, each.extensions) for each in IMPORTERS.values()]
TITLES = {each.key: each.title for each in FORMATS}


def load_columns(upload: Upload) -> TableColumns:
    return TableColumns(*upload.fact("columns", lambda: inspect_columns(upload.named_paths)))


def build_known_tables(store: Store, upload: Upload) -> KnownTables:
    return KnownTables(
        columns=lambda: load_columns(upload).first,
        remembered=lambda columns: load_mapping(store, columns),
        suggest=lambda a, key: roles.suggest_for_values(a, key, *load_columns(upload).told(key)),
        missing=missing.what_is_missing,
        by_author=roles.rater_roles,
        reasons=reasons.reason_roles,
        protocol=lambda: load_columns(upload).protocol,
    )


def begin(store: Store, upload: Upload, choice: ImportChoice) -> None:
    """Prepare in the background; what is prepared is what will be stored."""
    folder = upload.new_folder()
    kind = AuthorKind(choice.author_kind) if choice.author_kind else None
    said = choice._asdict() | {
        "author_kind": kind,
        "kinds": {name: AuthorKind(each) for name, each in choice.kinds.items()},
        "remembered_kinds": load_annotator_kinds(store),
    }
    importer = said.pop("importer") or None
    work = background.start(
        lambda report: prepare_as_before(
            upload.named_paths,
            importer=importer,
            options=Options(**said),
            into=folder,
            known=lambda ids: load_known_items(store, ids),
            recall=lambda columns: load_mapping(store, columns),
            progress=lambda stage, done, total: report(done / total if total else 0.0, stage),
        )
    )
    upload.work_id, upload.facts["folder"], upload.facts["tried"] = work.id, folder, choice
    work.wait(1.0)
    steps.go_to_preview()


def show_prepared(store: Store, upload: Upload, work: background.BackgroundTask) -> None:
    manifest, top, folder = work.outcome(), st.container(), upload.facts["folder"]
    known = find_known_files(store, {each.sha256: each.name for each in manifest.files})
    steps.show_known(top, known, count_existing_items(store, folder), runs=len(manifest.runs))
    if changed := steps.change_kinds(manifest.annotator_kinds, upload.facts["tried"], work.id):
        begin(store, upload, changed)
    show_preview(manifest, TITLES, {key: each.title for key, each in PROTOCOLS.items()})
    todo = steps.decide(top, may_store=not known) if store.may("import") else ""
    is_mapped = (tried := upload.facts["tried"]).importer == "table"
    if is_mapped and not known and store.may("import"):
        chosen = Remembered(tried.protocol, tried.mapping)
        at = f"{work.id}-mapping"
        with catch_problems(top):  # whoever discards this preview is spared to map it again
            upload.fact(at, lambda: save_mapping(store, chosen.roles, chosen, operation_id=at))
    if todo == "discard":
        steps.leave(upload)
    if todo == "change":
        steps.go_to_options()
    if todo == "store":
        with catch_problems(top), top, st.spinner("Storing", show_time=True):
            run_ids = keep_import(store, folder, operation_id=work.id)
            upload.facts["runs"] = {each: queries.load_run_name(store, each) for each in run_ids}
            st.rerun()


def show_outcome(store: Store, upload: Upload, work: background.BackgroundTask) -> None:
    """The preview of what was read, or the questions to answer before there is one."""
    try:
        show_prepared(store, upload, work)
    except OpenQuestions as refused:
        answered = steps.ask_questions(upload, refused.questions, upload.facts["tried"])
        if answered:
            begin(store, upload, answered)


def show_next_step(store: Store, upload: Upload) -> None:
    """The next step of an upload: its options, its preview, or the runs it became."""
    if runs := upload.facts.get("runs"):
        if steps.show_stored(runs, load_queue(store, Selection(runs=tuple(runs)), size=1).states):
            steps.leave(upload)
        return
    show_files([(each.name, each.size) for each in upload.files])
    work = background.find(upload.work_id) if steps.is_at_preview() else None
    if work and work.running:
        background.show_progress(work, "Reading")
        return
    try:
        if work:
            show_outcome(store, upload, work)
            return
    except ImportRefused as refused:
        upload.facts["refused"] = refused
    if choice := steps.ask_options(upload, FORMATS, PROTOCOLS, build_known_tables(store, upload)):
        begin(store, upload, choice)


with frame("Import", shared_store) as store:
    upload = uploads.find(st.query_params.get("upload", ""))
    if upload:
        show_next_step(store, upload)
    else:
        st.markdown(steps.ABOUT)
        if files := choose_files():
            st.query_params["upload"] = uploads.keep(files).id
            st.rerun()
        steps.show_start(FORMATS)
