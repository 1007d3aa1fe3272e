"""Strict YAML parser: scalars stay text; aliases, tags and duplicate keys are rejected."""

from collections.abc import Iterator
from typing import Any

import yaml

from data.importing.controls import replace_in_text, replace_in_value
from data.importing.importer import Source, build_refusal, quote_value
from data.importing.limits import format_size
from data.importing.readers.strict import (
    check_texts,
    describe_too_deep,
    open_text,
    refuse_too_many_rows,
)
from data.importing.tables.found import describe_value
from faithfulness.model.errors import ImportRefused

# The parser in C reads several times as fast; the one in Python gives the same events.
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_NO_NAMES = frozenset({"", "~"})
_NULLS = _NO_NAMES | {"null", "Null", "NULL"}  # as YAML 1.2 spells it without quotes
_PLAIN_TAGS = frozenset({None, "!"})


def read_yaml_records(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a YAML list, each with the line it begins on."""
    value, lines = _read_document(source)
    if not isinstance(value, list):
        found = f"found {describe_value(value)}; expected a list of records, each after a dash"
        raise build_refusal(source, 1, found)
    if not value:
        raise build_refusal(source, None, "the file is empty: it has no record; export it again")
    if len(value) > source.limits.rows:
        raise refuse_too_many_rows(source)
    for line, record in zip(lines, value, strict=True):
        if not isinstance(record, dict):
            raise build_refusal(source, line, "expected a record of names and values")
        yield (
            line,
            replace_in_value(source, line, record),
        )  # an escape may stand for such a character


def _read_document(source: Source) -> tuple[Any, list[int]]:
    skip = open_text(source)
    raw = source.path.read_bytes()[skip:]
    if len(raw) > source.limits.yaml_bytes:
        raise build_refusal(
            source,
            None,
            f"the file has {format_size(len(raw))}; the limit for YAML is "
            f"{format_size(source.limits.yaml_bytes)}; bring it as JSON lines",
        )
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        line = raw.count(b"\n", 0, wrong.start) + 1
        raise build_refusal(source, line, "not UTF-8; save the file as UTF-8") from None
    text = replace_in_text(source, text)
    builder = _Builder(source)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        raise _refuse_not_yaml(source, error) from None
    if not builder.documents:
        raise build_refusal(source, None, "the file is empty: it has no record; export it again")
    check_texts(source, 1, builder.root)
    return builder.root, builder.lines


def _refuse_not_yaml(source: Source, error: yaml.YAMLError) -> ImportRefused:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else None
    problem = getattr(error, "problem", None) or "a character that YAML does not allow"
    return build_refusal(source, line, f"not valid YAML: {problem}; correct the line")


class _Builder:
    """Puts parser events together into lists and records of texts."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._open: list[Any] = []
        self._keys: list[str | None] = []  # the key that waits for its value, per open record
        self._where: list[dict[str, int]] = []
        self.root: Any = None
        self.lines: list[int] = []  # of each entry of the outermost list
        self.documents = 0

    def take(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise build_refusal(
                self._source, line, "aliases (*name) are not read; write the text out"
            )
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise build_refusal(
                    self._source, line, "a second document begins; keep one per file"
                )
        if isinstance(event, yaml.NodeEvent):
            self._check_node(event, line)
        if isinstance(event, yaml.ScalarEvent):
            # Nothing written is nothing said; `no` and 010 are words like any other.
            nulls = _NO_NAMES if self._is_key_next() else _NULLS
            is_null = not event.style and event.value in nulls  # no quotes around it
            self._put(None if is_null else event.value, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin({} if isinstance(event, yaml.MappingStartEvent) else [], line)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()

    def _check_node(self, event: yaml.NodeEvent, line: int) -> None:
        tag = getattr(event, "tag", None)
        if tag not in _PLAIN_TAGS:
            raise build_refusal(
                self._source, line, f"the tag {quote_value(tag)} is not read; remove it"
            )
        if event.anchor is not None:
            raise build_refusal(
                self._source, line, "anchors (&name) are not read; write the text out"
            )

    def _is_key_next(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], dict) and self._keys[-1] is None

    def _begin(self, value: Any, line: int) -> None:
        if self._is_key_next():
            raise build_refusal(self._source, line, "a name must be a plain text")
        self._put(value, line)
        self._open.append(value)
        self._keys.append(None)
        self._where.append({})
        if len(self._open) > self._source.limits.depth:
            raise build_refusal(self._source, line, describe_too_deep(self._source))

    def _end(self) -> None:
        self._open.pop()
        self._keys.pop()
        self._where.pop()

    def _put(self, value: Any, line: int) -> None:
        if not self._open:
            self.root = value
        elif isinstance(self._open[-1], list):
            self._open[-1].append(value)
            if len(self._open) == 1:
                self.lines.append(line)
        elif self._keys[-1] is None:
            self._name(value, line)
        else:
            self._open[-1][self._keys[-1]] = value
            self._keys[-1] = None

    def _name(self, key: str | None, line: int) -> None:
        seen = self._where[-1]
        if key is None:
            raise build_refusal(self._source, line, "a value without a name; name or remove it")
        if key in seen:
            raise build_refusal(
                self._source,
                line,
                f"the key {quote_value(key)} is given twice (first on line {seen[key]}); "
                "keep one of them",
            )
        seen[key] = line
        self._keys[-1] = key
