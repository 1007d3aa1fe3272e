"""Manifest and preview of a prepared import, shown before anything is stored."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from data.importing.import_tables import MANIFEST
from faithfulness.intake.complaints import Times, group_by_kind, group_complaints
from faithfulness.model.visible import SENTENCE, escape_brief
from faithfulness.model.vocabulary import AuthorKind, Tier
from faithfulness.model.wording import (
    ALTERED,
    DIFFERING,
    TIERS,
    format_answer_counts,
    format_count,
    format_quote_counts,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class FileEntry:
    """One file of an import."""

    name: str
    sha256: str
    bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RunCounts:
    """One run of an import with what it counts."""

    run_key: str
    name: str
    protocol: str
    system: str
    items: int
    units: int
    answers: int  # with a value
    unread: int
    not_judged: int
    by_label: Mapping[str, Mapping[str, int]]  # criterion -> value -> count
    by_author: Mapping[str, int]  # "rater ana" -> answers with a value; 0 where all are unread
    numbers: int = 0  # given for whole items, without the answers behind them
    left_out: int = 0  # answers about words that their item does not have
    quotes: int = 0
    absent_quotes: int = 0  # of these, the ones that stand in no source
    quotes_by_tier: Mapping[str, int] = field(default_factory=dict)  # how they were found
    altered_by_tier: Mapping[str, int] = field(default_factory=dict)  # another number or a “not”
    unread_by_author: Mapping[str, int] = field(default_factory=dict)
    not_judged_by_author: Mapping[str, int] = field(default_factory=dict)

    def said_by(self, author: str) -> str:
        """What one author's answers count: 20 answers, 5 unread."""
        unread, skipped = (
            each.get(author, 0) for each in (self.unread_by_author, self.not_judged_by_author)
        )
        return format_answer_counts(self.by_author[author], unread, skipped)


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstItem:
    """One of the first items, its texts cut for the screen."""

    run_key: str
    external_id: str
    fields: Mapping[str, str]
    answers: Sequence[Mapping[str, str]]  # author, criterion, unit, value, problem
    further_ids: Sequence[str] = ()  # of more records with the same texts


@dataclass(frozen=True, kw_only=True, slots=True)
class Complaint:
    """What is wrong in one place of a file, without making it unreadable."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """A prepared import: its files, its runs with counts, and what people should know first."""

    importer: str
    files: Sequence[FileEntry]
    runs: Sequence[RunCounts]
    first_items: Sequence[FirstItem]
    complaints: Sequence[Complaint]  # the first ones; `complaint_count` counts all
    complaint_count: int
    warnings: Sequence[str]
    seconds: float
    details: Mapping[str, str] = field(default_factory=dict)
    absent_quotes: Sequence[Complaint] = ()  # the first ones, with their words; runs count all
    altered_quotes: Sequence[Complaint] = ()  # those with another number or a “not”, likewise
    differing_quotes: Sequence[Complaint] = ()  # the others with other words, likewise
    differing: int = 0  # how many of these there are in all
    complaint_times: Times = field(default_factory=dict)  # how often each of them comes in all
    unread_replies: Sequence[Complaint] = ()  # each reason why a reply could not be read
    # Of raters whose names may be those of models: what a person chose, to be remembered.
    annotator_kinds: Mapping[str, str] = field(default_factory=dict)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    text = json.dumps(asdict(manifest), ensure_ascii=False)
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a prepared import."""
    said: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    if not {*said.get("annotator_kinds", {}).values()} <= {AuthorKind.RATER, AuthorKind.JUDGE}:
        raise ValueError("an annotator is neither a rater nor a judge")
    return Manifest(
        **said
        | {
            "files": [FileEntry(**each) for each in said["files"]],
            "runs": [RunCounts(**each) for each in said["runs"]],
            "first_items": [FirstItem(**each) for each in said["first_items"]],
            "complaints": [Complaint(**each) for each in said["complaints"]],
            "unread_replies": [Complaint(**each) for each in said["unread_replies"]],
            "absent_quotes": [Complaint(**each) for each in said["absent_quotes"]],
            "altered_quotes": [Complaint(**each) for each in said["altered_quotes"]],
            "differing_quotes": [Complaint(**each) for each in said["differing_quotes"]],
        }
    )


def list_authors(run: RunCounts, shown: int = 12) -> list[str]:
    """Who answered in a run, raters and judges apart, each with how often."""
    told = []
    for kind in AuthorKind:
        those = [each for each in run.by_author if each.startswith(f"{kind} ")]
        named = [
            f"{escape_brief(each.removeprefix(f'{kind} '))} ({run.said_by(each)})" for each in those
        ]
        left = [f"{len(named) - shown} more"] if len(named) > shown else []
        if named:
            told.append(f"  {kind.capitalize()}s: {', '.join([*named[:shown], *left])}")
    return told


def list_complaints(manifest: Manifest, shown: int = 10) -> list[str]:
    """The first complaints by kind, each sentence once with its places."""
    kinds = group_by_kind(group_complaints(manifest.complaints, manifest.complaint_times))
    found = [each for kind in kinds for each in kind.found]
    first = [
        f"  {escape_brief(each.place)}: {escape_brief(each.in_words, SENTENCE)}"
        for each in found[:shown]
    ]
    left = manifest.complaint_count - sum(each.times for each in found[:shown])
    return [*first, f"  … and {format_count(left, 'more complaint')}"] if left else first


def list_unread_replies(manifest: Manifest, shown: int = 20) -> list[str]:
    """Why replies of judges could not be read, each reason once with its lines."""
    groups = group_complaints(manifest.unread_replies)
    if not groups:
        return []
    lines = [
        f"  {escape_brief(group.place)}: {escape_brief(group.in_words, SENTENCE)}"
        for group in groups
    ]
    more = (
        [f"  … and {format_count(len(groups) - shown, 'more reason')}"]
        if len(groups) > shown
        else []
    )
    return ["Replies that could not be read, or not in full:", *lines[:shown], *more]


def list_quotes(manifest: Manifest, shown: int = 3) -> list[str]:
    """How quotes were found, and the first of those to look at with their places."""
    quotes = sum(run.quotes for run in manifest.runs)
    if not quotes:
        return []
    found, turned = Counter[str](), Counter[str]()
    for run in manifest.runs:
        found.update(run.quotes_by_tier)
        turned.update(run.altered_by_tier)
    absent = (TIERS[Tier.ABSENT], "“{}”", manifest.absent_quotes, found[Tier.ABSENT])
    altered = (ALTERED, "{}", manifest.altered_quotes, turned.total())
    differing = (DIFFERING, "{}", manifest.differing_quotes, manifest.differing)
    told = [format_quote_counts(quotes, found, turned)]
    for title, mark, first, many in (absent, altered, differing):
        told += [f"{title.capitalize()}:"] if many else []
        told += [
            f"  {escape_brief(each.file)} line {each.line}: {mark.format(escape_brief(each.text))}"
            for each in first[:shown]
        ]
        told += [f"  … and {many - shown} more"] if many > shown else []
    return told
