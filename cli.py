"""The scripts' door: bring runs in, judge and compare them, export, back up, look at health."""

import argparse
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from data.api import client, commands_agree, commands_judge, commands_remove, health
from data.api.client import Desk
from data.api.commands import (
    BAD_USE,
    DONE,
    NO_STORE,
    REFUSED,
    BadUse,
    check_new_file,
    check_regular_file,
    format_answer_count,
    format_json,
    format_lines,
    format_problem,
    make_file,
    parse_author_kinds,
    parse_mapping,
    print_text,
)
from data.api.remote import find_running_door
from data.exporting import PARTS
from data.importing.existing_items import list_prepared_items
from data.importing.formats import IMPORTERS
from data.importing.importer import Options
from data.importing.limits import COMMAND
from data.importing.preview.preview import (
    Manifest,
    list_authors,
    list_complaints,
    list_quotes,
    list_unread_replies,
)
from data.importing.tables.remembered_mapping import list_command_notes, prepare_as_before
from data.store import backups
from data.store.paths import store_path
from faithfulness.model.errors import ReviewError, StoreUnavailable
from faithfulness.model.full_disk import describe_full_disk
from faithfulness.model.visible import escape_brief
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.model.wording import format_count, format_known_items
from faithfulness.protocols import PROTOCOLS


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    asked = _parser().parse_args(words)
    try:
        told = asked.command(asked)
    except BadUse as problem:
        return _fail(asked, BAD_USE, problem)
    except StoreUnavailable as problem:
        return _fail(asked, NO_STORE, problem)
    except ReviewError as problem:
        return _fail(asked, REFUSED, problem)
    except KeyboardInterrupt:
        return _fail(asked, REFUSED, client.NOTHING if asked.at is None else asked.at.stopped())
    except OSError as error:
        full = describe_full_disk(error)
        if full is None:
            raise
        return _fail(asked, REFUSED, full)
    code = int(told.pop("exit_code", DONE))
    lines = told.pop("lines", ())
    return _say(format_json(told) if asked.json else format_lines(lines), code)


def bring_in(asked: argparse.Namespace) -> dict[str, Any]:
    """Prepare the files, show what they hold, and store them whole."""
    files = [(path.name, path) for path in map(check_regular_file, asked.files)]
    options = Options(
        author=asked.author,
        author_kind=AuthorKind(asked.author_kind) if asked.author_kind else None,
        system=asked.system,
        protocol=asked.protocol,
        mapping=parse_mapping(asked.map),
        kinds=parse_author_kinds(asked.rater, asked.judge),
    )
    with _desk(asked, create=True) as at, tempfile.TemporaryDirectory(prefix="plumbline-") as into:
        manifest = prepare_as_before(
            files,
            importer=asked.format,
            options=replace(options, remembered_kinds=at.recall_kinds()),
            into=Path(into),
            limits=COMMAND,
            known=at.known_items,
            recall=at.recall_mapping,
            progress=None if asked.json else _bar(),
        )
        again = at.known_files({each.sha256: each.name for each in manifest.files})
        met = [] if again else _met_again(at, Path(into))
        stored = () if asked.preview else at.save_import(Path(into), uuid.uuid4().hex)
    refused = [*met, *(f"{each}. Storing it again is refused." for each in again)]
    warnings = [*refused, *list_command_notes(manifest), *manifest.warnings]
    told = {
        "importer": manifest.importer,
        "stored": list(stored),
        "complaints": manifest.complaint_count,
        "warnings": warnings,
        "unread_replies": [asdict(unread) for unread in manifest.unread_replies],
        "runs": [
            {"name": run.name, "protocol": run.protocol, "system": run.system, "items": run.items}
            | {"units": run.units, "answers": run.answers, "unread": run.unread}
            | {"left_out": run.left_out, "authors": run.by_author}
            for run in manifest.runs
        ],
    }
    return told | {"lines": [*_about(manifest, warnings), _ending(len(manifest.runs), stored)]}


def _met_again(at: Desk, prepared: Path) -> list[str]:
    """What is said of items that earlier runs have already; asked before the import is stored."""
    item_ids = list_prepared_items(prepared)
    met = at.count_met(item_ids)
    return [format_known_items(met, len(item_ids))] if met else []


def judge(asked: argparse.Namespace) -> dict[str, Any]:
    with _desk(asked) as at:
        return commands_judge.judge(at, asked, None if asked.json else _bar())


def list_runs(asked: argparse.Namespace) -> dict[str, Any]:
    with _desk(asked) as at:
        runs = at.runs()
    lines = [
        f"{run['run_id']}  {escape_brief(run['name'])}  {run['protocol']}  "
        f"{format_count(run['items'], 'item')}  {format_answer_count(run)}  "
        f"{run['unread']} unread{'  (sample)' * run['is_sample']}"
        for run in runs
    ]
    return {"runs": runs, "lines": lines or ["The store holds no runs. Bring one in: import FILE"]}


def remove(asked: argparse.Namespace) -> dict[str, Any]:
    with _desk(asked) as at:
        return commands_remove.remove(at, asked)


def export(asked: argparse.Namespace) -> dict[str, Any]:
    """Write answers, verdicts, disagreements, minutes or an audit to a file not there yet."""
    target, kind = check_new_file(asked.to, asked.format, asked.what)
    with _desk(asked) as at:
        size = make_file(target, lambda made: at.export(asked.what, asked.names, kind, made))
    return {"file": str(target), "bytes": size, "lines": [f"{target}: {size:,} bytes"]}


def agree(asked: argparse.Namespace) -> dict[str, Any]:
    """Compare two sides; a code of its own says that they agree too little."""
    with _desk(asked) as at:
        return commands_agree.agree(at, asked)


def refind(asked: argparse.Namespace) -> dict[str, Any]:
    """Check what was stored before findings were kept, or before the checks changed."""
    with _desk(asked) as at:
        found = at.refind(uuid.uuid4().hex)
    return {"found": found, "lines": [f"{format_count(found, 'mark')} added to units and answers."]}


def back_up(asked: argparse.Namespace) -> dict[str, Any]:
    with _desk(asked) as at:
        made = at.back_up()
    return {"backup": made, "lines": [f"Backup: {made}"]}


def restore(asked: argparse.Namespace) -> dict[str, Any]:
    """Put a backup in the store's place, then open the store so that the journal is applied."""
    chosen = Path(asked.backup) if asked.backup else None
    try:
        steps = backups.restore(_path(asked), chosen, without_removals=asked.without_removals)
        with _desk(asked) as at:
            steps = [*steps, *at.recovery()]
            runs = len(at.runs())
    except KeyboardInterrupt as stop:
        raise ReviewError(
            "Stopped; the backup may be in the store's place already. Nothing was deleted. Look "
            "with: cli.py doctor"
        ) from stop
    return {"steps": steps, "runs": runs, "lines": [*steps, f"The store holds {runs} runs."]}


def doctor(asked: argparse.Namespace) -> dict[str, Any]:
    """Look, and change nothing: not even a store that could be repaired is opened for writing."""
    path = _path(asked)
    if find_running_door(path):
        with _desk(asked) as at:
            found = at.conditions()
    else:
        found = health.serialize_conditions(health.examine(path))
    lines = [f"{each['state']:8}{each['name']}: {each['says']} {each['advice']}" for each in found]
    bad = any(each["state"] == health.BAD for each in found)
    return {"conditions": found, "lines": lines, "exit_code": REFUSED if bad else DONE}


@contextmanager
def _desk(asked: argparse.Namespace, *, create: bool = False) -> Iterator[Desk]:
    """The store, opened here or reached through the app that has it open."""
    at = client.find_desk(_path(asked), create=create and (asked.create or asked.store is None))
    asked.at = at  # to be asked what is stored, should somebody stop it
    try:
        yield at
    finally:
        at.close()


def _path(asked: argparse.Namespace) -> Path:
    return Path(asked.store).absolute() if asked.store else store_path()


def _about(manifest: Manifest, warnings: Sequence[str]) -> list[str]:
    runs = []
    for run in manifest.runs:
        runs.append(
            f"{escape_brief(run.name)}: {PROTOCOLS[run.protocol].title}, "
            f"{format_count(run.items, 'item')}, "
            f"{format_count(run.units, 'unit')}, {format_count(run.answers, 'answer')}, "
            f"{run.unread} unread"
            + (f", {format_count(run.numbers, 'given number')}" if run.numbers else "")
            + (f", {run.left_out} left out" if run.left_out else "")
        )
        runs += list_authors(run)
    notes = [f"Note: {each}" for each in warnings]
    details = (list_unread_replies, list_quotes, list_complaints)
    return [*runs, *notes, *(line for list_lines in details for line in list_lines(manifest))]


def _ending(runs: int, stored: Sequence[str]) -> str:
    if not stored:
        return "Nothing was stored; leave --preview out to store it."
    return f"Stored {format_count(runs, 'run')}: {', '.join(stored)}"


def _bar() -> Callable[[str, int, int], None] | None:
    """A line that follows long work, only where somebody is watching."""
    if not sys.stderr.isatty():
        return None

    def show(stage: str, done: int, total: int) -> None:
        share = f"{done:,} of {total:,}" if total else f"{done:,}"
        full = 30 * done // total if total else 0
        end = "\n" if total and done >= total else ""
        bar = "█" * full + "·" * (30 - full)
        print(
            f"\r\x1b[K{escape_brief(stage, 40)} {bar} {share}", end=end, file=sys.stderr, flush=True
        )

    return show


def _fail(asked: argparse.Namespace, code: int, problem: object) -> int:
    if asked.json:
        return _say(format_json({"error": str(problem), "exit_code": code}), code)
    print(format_problem(problem), file=sys.stderr)
    return code


def _say(text: str, code: int) -> int:
    """Print the answer; gives the exit code, which is another where it cannot be printed."""
    try:
        print_text(text)
    except ReviewError as problem:
        print(format_problem(problem), file=sys.stderr)
        return REFUSED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cli.py", description=__doc__)
    every = argparse.ArgumentParser(add_help=False)
    every.add_argument("--store", help="the store's file (default: PLUMBLINE_STORE, else store/)")
    every.add_argument("--json", action="store_true", help="answer with one JSON object")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], dict[str, Any]], about: str) -> Any:
        found = commands.add_parser(name, parents=[every], help=about, description=about)
        found.set_defaults(command=run, at=None)
        return found

    _import_arguments(command("import", bring_in, "Store files; also while the app is running."))
    commands_judge.add_arguments(
        command("judge", judge, "Ask a judge about a run; see it through.")
    )
    command("runs", list_runs, "List the runs.")
    about = "Take runs out of every list and number; their files may then come in again."
    commands_remove.add_arguments(command("remove", remove, about))
    about = "Write answers, verdicts, disagreements, an audit or a meeting's minutes to a file."
    _export_arguments(command("export", export, about))
    about = "Compare a judge with a reference: agreement with intervals; for pipelines too."
    commands_agree.add_arguments(command("agree", agree, about))
    for name, run, about in (
        ("refind", refind, "Check again what was stored before the checks were what they are."),
        ("backup", back_up, "Copy the store into backups/ and check the copy."),
    ):
        command(name, run, about)
    about = "Put a backup in the store's place; nothing is deleted."
    _restore_arguments(command("restore", restore, about))
    command("doctor", doctor, "Check versions, store, journal and backups.")
    return parser


def _import_arguments(files: argparse.ArgumentParser) -> None:
    files.add_argument("files", nargs="+", metavar="FILE")
    files.add_argument("--format", choices=sorted(IMPORTERS), help="default: recognised")
    files.add_argument("--author", default="", help="who signs answers that carry no author")
    files.add_argument("--author-kind", choices=["rater", "judge"])
    about = "an annotator of these files who is a person; once for each name"
    files.add_argument("--rater", action="append", default=[], metavar="NAME", help=about)
    about = "an annotator of these files that is a model; once for each name"
    files.add_argument("--judge", action="append", default=[], metavar="NAME", help=about)
    files.add_argument("--system", default="", help="whose outputs these are")
    files.add_argument("--protocol", default="", choices=["", *PROTOCOLS], metavar="PROTOCOL")
    files.add_argument("--map", action="append", default=[], metavar="COLUMN=ROLE")
    files.add_argument("--preview", action="store_true", help="show what would be stored")
    files.add_argument("--create", action="store_true", help="make the store when there is none")


def _restore_arguments(out: argparse.ArgumentParser) -> None:
    out.add_argument("backup", nargs="?", help="default: the newest")
    about = "have the runs back that were removed since; else they are removed again"
    out.add_argument("--without-removals", action="store_true", help=about)


def _export_arguments(out: argparse.ArgumentParser) -> None:
    of = "run ids, none means all; for minutes the id of a meeting"
    out.add_argument("names", nargs="*", metavar="RUN", help=of)
    out.add_argument("--what", choices=list(PARTS), default="answers", help="default: answers")
    out.add_argument("--to", required=True, metavar="FILE")
    formats = sorted(PARTS["minutes"])
    out.add_argument("--format", choices=formats, help="default: by the file's ending")


if __name__ == "__main__":
    sys.exit(main())
