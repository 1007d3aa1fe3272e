"""Prepare an import: read, check and process files in parallel, then write Arrow streams."""

import gc
import json
import os
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from data.importing.annotator_kind_questions import AnnotatorKinds
from data.importing.controls import warn_of_replaced_characters
from data.importing.formats import IMPORTERS
from data.importing.gathering import GatheredDrafts, gather_drafts
from data.importing.import_tables import SCHEMAS, build_stream_path, write_table
from data.importing.importer import Importer, Options, Replaced, Source
from data.importing.preview.alike_names import warn_of_alike_names
from data.importing.preview.answered_once import AnsweredOnce
from data.importing.preview.copied_raters import Heard, Voice, warn_of_copied_raters
from data.importing.preview.left_out import (
    warn_of_other_sentences,
    warn_of_unplaced_answers,
    warn_of_unread_answers,
)
from data.importing.preview.preview import FileEntry, Manifest, RunCounts
from data.importing.preview.questions import ask_open_questions
from data.importing.preview.repeated import warn_of_repeated_answers
from data.importing.preview.shared_texts import describe_shared_texts, join_attributes
from data.importing.preview.summary import FIRST_ITEMS, PreviewSummary
from data.importing.preview.unused_columns import TABLES, warn_of_unused_columns
from data.importing.readers.strict_parquet import check_unpacked_size
from data.importing.sheets import Sheets
from data.importing.tables.reasons import warn_of_unheard_columns
from data.importing.tables.rivals import find_only_protocol
from data.importing.tables.tables import detect_format, read_records
from data.store.child_process import exit_with_parent
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import Item, Tier
from faithfulness.protocols import PROTOCOLS

_BLOCK_ROWS = 100_000  # of a stream: the store reads few large blocks twice as fast as many small
_BLOCK_BYTES = 64_000_000


class WorkerResult(NamedTuple):
    """What one worker hands back."""

    tables: dict[str, bytes]
    said: dict[Voice, list[Heard]]
    counts: dict[str, Counter[tuple[str, ...]]]
    told: PreviewSummary
    items: int


class Merged:
    """The streams of one import while batches come in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._streams: dict[str, pa.ipc.RecordBatchStreamWriter] = {}
        self._waiting: dict[str, list[pa.Table]] = defaultdict(list)
        self._rows = 0
        self.items = 0
        self.told = PreviewSummary()
        self.said: dict[Voice, list[Heard]] = defaultdict(list)
        self.counts: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)

    def add(self, batch: WorkerResult) -> None:
        rows = 0
        for name, raw in batch.tables.items():
            table = pa.ipc.open_stream(raw).read_all()
            if name == "annotations":
                rows = table.num_rows
            waiting = self._waiting[name]
            waiting.append(self._renumbered(table))
            if sum(each.num_rows for each in waiting) >= _BLOCK_ROWS or (
                sum(each.nbytes for each in waiting) >= _BLOCK_BYTES
            ):
                self._write(name)
        self._rows += rows
        self.items += batch.items
        self.told.add(batch.told)
        for voice, answers in batch.said.items():
            self.said[voice] += answers
        for key, counts in batch.counts.items():
            self.counts[key] += counts

    def close(self) -> None:
        for name in self._waiting:
            self._write(name)
        for stream in self._streams.values():
            stream.close()

    def write_runs(self, runs: Sequence[RunCounts], details: Mapping[str, str]) -> None:
        rows = {
            "run_key": [each.run_key for each in runs],
            "name": [each.name for each in runs],
            "protocol": [each.protocol for each in runs],
            "system": [each.system for each in runs],
            "details": [json.dumps(dict(details), ensure_ascii=False)] * len(runs),
        }
        write_table(self._folder, "runs", pa.table(rows, schema=SCHEMAS["runs"]))

    def _renumbered(self, table: pa.Table) -> pa.Table:
        """Row numbers that begin at 0 in every batch go on where the last batch ended."""
        if "row" not in table.column_names or not self._rows:
            return table
        at = table.column_names.index("row")
        return table.set_column(at, table.schema.field(at), pc.add(table["row"], self._rows))

    def _write(self, name: str) -> None:
        if waiting := self._waiting[name]:
            self._stream(name).write_table(pa.concat_tables(waiting).combine_chunks())
            waiting.clear()

    def _stream(self, name: str) -> Any:
        if name not in self._streams:
            path = str(build_stream_path(self._folder, name))
            self._streams[name] = pa.ipc.new_stream(path, SCHEMAS[name])
        return self._streams[name]


def build_run_counts(
    counts: Mapping[str, Counter[tuple[str, ...]]],
    altered: Mapping[tuple[str, str], int],
    file_name: str,
) -> tuple[RunCounts, ...]:
    """The runs of an import in order, each with what it counts."""
    found = []
    for key, counted in counts.items():
        protocol, _, system = key.partition("\x1f")
        by_label: dict[str, dict[str, int]] = {}
        for criterion in PROTOCOLS[protocol].criteria:
            labels = {v: counted["label", criterion.key, v] for v in criterion.scale.values}
            by_label[criterion.key] = {value: n for value, n in labels.items() if n}
        found.append(
            RunCounts(
                run_key=key,
                name=system or PurePath(file_name).stem or "import",
                protocol=protocol,
                system=system,
                items=counted["items",],
                units=counted["units", PROTOCOLS[protocol].unit.value],
                answers=sum(sum(labels.values()) for labels in by_label.values()),
                unread=counted["unread",],
                not_judged=counted["not judged",],
                numbers=counted["numbers",],
                left_out=counted["left out",],
                by_label=by_label,
                by_author={
                    name: n - counted["unread", name] - counted["not judged", name]
                    for name, n in _count_by_author(counted, "author").items()
                },
                unread_by_author=_count_by_author(counted, "unread"),
                not_judged_by_author=_count_by_author(counted, "not judged"),
                quotes=counted["quotes",],
                absent_quotes=counted["tier", Tier.ABSENT.value],
                altered_by_tier={k[1]: n for k, n in sorted(altered.items()) if k[0] == key},
                quotes_by_tier={k[1]: n for k, n in sorted(counted.items()) if k[0] == "tier"},
            )
        )
    return tuple(found)


def _count_by_author(counted: Mapping[tuple[str, ...], int], what: str) -> dict[str, int]:
    return {k[1]: n for k, n in sorted(counted.items()) if k[0] == what and k[1:]}


def rank_importers(sources: Sequence[Source]) -> list[tuple[int, Importer]]:
    """The importers that may read these files, surest first; ties keep the listed order."""
    found = [(each.recognise(sources), each) for each in IMPORTERS.values()]
    return sorted(((sure, each) for sure, each in found if sure > 0), key=lambda pair: -pair[0])


def choose_importer(sources: Sequence[Source], key: str | None, options: Options) -> Importer:
    """The importer asked for, else the surest.

    Raises:
        ImportRefused: nothing recognises the files, several protocols fit them alike, or they
            cannot be read at all.
    """
    if not sources:
        raise ImportRefused("No file was given; choose at least one.")
    if key is None and options.mapping:
        key = "table"
    if key is not None:
        if key not in IMPORTERS:
            raise ImportRefused(
                f"There is no format {key!r}. Choose one of: {', '.join(IMPORTERS)}."
            )
        return IMPORTERS[key]
    # Any table can be mapped to a named protocol, so its own importer refuses what does not fit.
    named = {options.protocol} - {""}
    found = [each for _, each in rank_importers(sources) if named <= {*each.protocols}]
    if found:
        return _choose_among_tables(sources, found, options.protocol)
    for source in sources:
        # What cannot be read strictly says so here, by line.
        next(read_records(source), None)
    how = "Choose the format yourself, or import one table with a column mapping."
    if sources[0].by_command:
        how = "Name it with --format, or one table's columns with --protocol and --map COLUMN=ROLE."
    names = ", ".join(source.name for source in sources)
    raise ImportRefused(f"{names}: no format was recognised. {how}")


def _choose_among_tables(
    sources: Sequence[Source], found: Sequence[Importer], protocol: str
) -> Importer:
    """The surest; of tables, which only their columns' names tell apart, one for the protocol."""
    if found[0].key not in TABLES:
        return found[0]
    # A column of another protocol's name may hold nothing on its scale: a score of 0.87, say.
    meant = {protocol} if protocol else {find_only_protocol(source) for source in sources}
    return next((each for each in found if meant <= {*each.protocols}), found[0])


Known = Callable[[Sequence[str]], Mapping[str, Item]]
Progress = Callable[[str, int, int], None]

LARGE = 4_000_000  # bytes of files from which a second process pays for itself
_BATCH_CHARACTERS = 400_000


class Request(NamedTuple):
    """One import as it is asked for."""

    sources: Sequence[Source]
    importer: str | None
    options: Options
    into: Path
    files: Sequence[FileEntry] = ()
    workers: int = 0  # 0: as many as the files deserve


class _WorkerInput:
    """What workers read: set before they are forked, so that no draft travels between them."""

    gathered: GatheredDrafts
    known: Mapping[str, Item]


def prepare_here(
    request: Request, known: Known | None = None, progress: Progress | None = None
) -> Manifest:
    """Prepare an import in this process and its forks; the folder is then ready to store."""
    sources = [source._replace(replaced=Replaced()) for source in request.sources]
    request = request._replace(sources=sources)
    for source in request.sources:
        if detect_format(source) == "parquet":
            check_unpacked_size(source)
    importer = choose_importer(request.sources, request.importer, request.options)
    (progress or _ignore_progress)("reading", 0, 0)
    drafts = importer.read(request.sources, request.options)
    with pause_garbage_collection():
        return prepare_drafts(drafts, importer.key, request, known, progress)


def prepare_drafts(
    drafts: Iterable[Draft],
    importer: str,
    request: Request,
    known: Known | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Prepare drafts that somebody read; the request's sources only name where they came from."""
    began = time.monotonic()
    tell = progress or _ignore_progress
    kinds, by_command = AnnotatorKinds(options=request.options), request.sources[0].by_command
    _WorkerInput.gathered = gather_drafts(drafts, kinds)
    ask_open_questions(_WorkerInput.gathered, kinds.questions(), by_command=by_command)
    _WorkerInput.known = _load_known_items(_WorkerInput.gathered, known)
    total = len(_WorkerInput.gathered.groups)
    done = Merged(request.into)
    for batch in _process_batches(request, list(_split_into_batches(_WorkerInput.gathered))):
        done.add(batch)
        tell("preparing", done.items, total)
    done.close()
    told = done.told
    runs = build_run_counts(done.counts, told.altered, request.sources[0].name)
    files = ", ".join(source.name for source in request.sources)
    groups = _WorkerInput.gathered.groups.values()
    unused = warn_of_unused_columns(
        importer, request.options.mapping, groups, by_command=by_command
    )
    done.write_runs(runs, {"importer": importer, "files": files})
    return Manifest(
        importer=importer,
        files=tuple(request.files),
        runs=runs,
        first_items=told.first_items,
        complaints=told.complaints,
        complaint_count=told.complaint_count,
        complaint_times=told.complaint_times,
        unread_replies=told.unread_replies,
        warnings=(
            *warn_of_unread_answers(runs),
            *warn_of_replaced_characters(request.sources),
            *warn_of_unplaced_answers(importer, told.lost, told.kept, by_command=by_command),
            *warn_of_repeated_answers(told.repeated),
            *warn_of_other_sentences(told.cut_differently.values(), told.gained),
            *warn_of_unheard_columns(groups),
            *describe_shared_texts(_WorkerInput.gathered),
            *unused,
            *warn_of_copied_raters(done.said),
            *warn_of_alike_names(kinds.authors),
            *(kinds.notes() if by_command else ()),
        ),
        annotator_kinds=dict(sorted(kinds.applied.items())),
        seconds=round(time.monotonic() - began, 3),
        absent_quotes=told.absent_quotes,
        altered_quotes=told.altered_quotes,
        differing_quotes=told.differing_quotes,
        differing=told.differing,
    )


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Preparing makes millions of values and no cycles; looking for some costs a third more."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def build_run_key(draft: Draft) -> str:
    """Names a run inside one import."""
    return f"{draft.protocol}\x1f{draft.system}"


def _ignore_progress(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


def _load_known_items(gathered: GatheredDrafts, known: Known | None) -> Mapping[str, Item]:
    if known is None:
        return {}
    found: dict[str, Item] = {}
    ids = list(gathered.groups)
    for at in range(0, len(ids), 10_000):
        found.update(known(ids[at : at + 10_000]))
    return found


def _split_into_batches(gathered: GatheredDrafts) -> Iterator[list[str]]:
    """Items in order, about as much text in each batch."""
    batch: list[str] = []
    size = 0
    for item_id, drafts in gathered.groups.items():
        batch.append(item_id)
        size += sum(len(each.text) for each in drafts[0].fields)
        size += 200 * sum(len(each.said) for each in drafts)
        if size > _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _process_batches(request: Request, batches: Sequence[list[str]]) -> Iterator[WorkerResult]:
    size = sum(source.path.stat().st_size for source in request.sources)
    workers = request.workers or (len(os.sched_getaffinity(0)) if size > LARGE else 1)
    if workers == 1 or len(batches) == 1:
        yield from map(_process_batch, batches)
        return
    gc.collect()
    gc.freeze()  # the forks then share the drafts' pages instead of copying them
    waiting: deque[Future[WorkerResult]] = deque()
    with ProcessPoolExecutor(
        workers,
        mp_context=get_context("fork"),
        initializer=exit_with_parent,
        initargs=(os.getpid(),),
    ) as pool:
        for batch in batches:
            waiting.append(pool.submit(_process_batch, batch))
            if len(waiting) > 3 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _process_batch(item_ids: Sequence[str]) -> WorkerResult:
    """Take in a batch of items."""
    sheets = Sheets()
    told = PreviewSummary()
    for item_id in item_ids:
        item = _WorkerInput.known.get(item_id)
        drafts = _merge_drafts(_WorkerInput.gathered.groups[item_id])
        runs: dict[str, AnsweredOnce] = {}
        for draft in drafts:
            taken = take_in(draft, item)
            item = taken.item
            key = build_run_key(draft)
            if key not in runs:
                runs[key] = AnsweredOnce()
                position = _WorkerInput.gathered.runs[draft.protocol, draft.system][item_id]
                notes = _collect_notes(drafts, key)
                draft = _with_ids(draft, item_id)
                sheets.add_run_item(
                    key, item, position, draft.external_id, notes, draft.further_ids
                )
            runs[key].add(draft, taken)
            sheets.add_taken(key, draft, taken)
            sheets.counts[key]["left out",] += len(taken.lost)
            told.hear(key, draft, taken)
            if position < FIRST_ITEMS:
                told.show(key, draft, taken)
        if item is not None:
            sheets.add_item(item)
            _count_units(sheets, item, drafts)
    tables = {name: _serialize_table(table) for name, table in sheets.tables().items()}
    return WorkerResult(tables, dict(sheets.said), dict(sheets.counts), told, len(item_ids))


def _merge_drafts(drafts: Sequence[Draft]) -> list[Draft]:
    """Drafts of one run and file as one, so that each author's summary sees all their answers."""
    found: dict[tuple[str, str, str], Draft] = {}
    for draft in drafts:
        key = (draft.protocol, draft.system, draft.file)
        if key not in found:
            found[key] = draft
            continue
        first = found[key]
        found[key] = first._replace(
            said=[*first.said, *draft.said],
            replies=[*first.replies, *draft.replies],
            numbers=[*first.numbers, *draft.numbers],
            claims=[*first.claims, *draft.claims],
            attributes=join_attributes((first, draft)),
        )
    return list(found.values())


def _collect_notes(drafts: Sequence[Draft], key: str) -> dict[str, str]:
    return join_attributes(draft for draft in drafts if build_run_key(draft) == key)


def _with_ids(draft: Draft, item_id: str) -> Draft:
    """The draft with the ids of all records of its run that are this item."""
    ids = _WorkerInput.gathered.ids.get(((draft.protocol, draft.system), item_id))
    first, *further = ids or [""]
    return draft._replace(external_id=first, further_ids=further)


def _count_units(sheets: Sheets, item: Item, drafts: Sequence[Draft]) -> None:
    kinds = Counter(unit.kind.value for unit in item.units)
    for key in {build_run_key(draft) for draft in drafts}:
        for kind, count in kinds.items():
            sheets.counts[key]["units", kind] += count


def _serialize_table(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())
