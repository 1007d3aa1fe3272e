"""Small files written for one test, and the drafts an importer makes of them."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from data.importing.importer import Importer, Options, Source
from faithfulness.model.drafts import Draft, DraftAnswer


def a_file(folder: Path, name: str, content: str) -> Source:
    path = folder / name
    path.write_text(content, encoding="utf-8", newline="")
    return Source(name, path)


def a_document(folder: Path, name: str, value: Any) -> Source:
    return a_file(folder, name, json.dumps(value, ensure_ascii=False, indent=1))


def some_lines(folder: Path, name: str, *records: Any) -> Source:
    return a_file(folder, name, "".join(json.dumps(each) + "\n" for each in records))


def sources_of(paths: Iterable[Path]) -> list[Source]:
    return [Source(path.name, path) for path in sorted(paths)]


def drafts_of(
    importer: Importer, sources: Source | Sequence[Source], **options: Any
) -> list[Draft]:
    # A Source is itself a tuple.
    files = [sources] if isinstance(sources, Source) else sources
    return list(importer.read(files, Options(**options)))


def all_said(drafts: Iterable[Draft]) -> list[DraftAnswer]:
    return [said for draft in drafts for said in draft.said]


def labels(said: Iterable[DraftAnswer]) -> dict[str | None, int]:
    return dict(Counter(each.value for each in said))
