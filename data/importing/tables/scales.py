"""Check whether the answers in a column are on the criterion's scale or on another one."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from data.importing.importer import quote_value
from data.importing.tables.cells import format_cell, is_empty, parse_confidence
from data.importing.tables.roles import ColumnRole
from faithfulness.model.drafts import ImportQuestion, QuestionOption
from faithfulness.model.protocol import Criterion
from faithfulness.model.vocabulary import UnitKind
from faithfulness.protocols import protocol

_KEPT = 200  # different values off the scale that are remembered of a column
_SHOWN = 4
_GRADE = re.compile(r"[a-f][-+]?")
_BOOLEANS = frozenset(
    {"true", "false", "t", "f", "yes", "no", "y", "n"}
    | {"pass", "fail", "passed", "failed", "correct", "incorrect"}
)


def format_scale(criterion: Criterion) -> str:
    """The name of a scale of numbers as roles spell it, `1-5`; empty for a scale of words."""
    values = criterion.scale.values
    if not criterion.scale.ordinal or not all(value.isdecimal() for value in values):
        return ""
    return f"{values[0]}-{values[-1]}"


@dataclass(kw_only=True, slots=True)
class AnswerColumn:
    """The values of one column of scores, or of one author's labels."""

    criterion: Criterion
    role: ColumnRole
    # By judge, because each may score on a scale of its own; "" for all raters together.
    on_scale: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    off_scale: dict[str, bool] = field(default_factory=dict)  # value -> may be of another scale
    all_numbers: bool = True

    def add(self, raw: Any, value: str | None, judge: str) -> None:
        """Count in one cell.

        Args:
            raw: what it says.
            value: that on the scale; None where it is not.
            judge: who gave it, where a row says so and it is a judge.
        """
        if is_empty(raw):
            return
        self.all_numbers = self.all_numbers and parse_confidence(raw) is not None
        if value is not None:
            self.on_scale[judge].add(value)
        elif len(self.off_scale) < _KEPT:
            self.off_scale[format_cell(raw).strip()] = is_of_another_scale(raw)

    def question(self, file: str, column: str, protocol_key: str) -> ImportQuestion | None:
        """What to ask about the column; None where its values fit its scale and no other one."""
        problem = self._problem()
        if not problem:
            return None
        return ImportQuestion(
            file=file,
            column=column,
            text=f"The column {quote_value(column)} {problem}.",
            choices=self._choices(protocol(protocol_key).unit),
            protocol=protocol_key,
        )

    def _problem(self) -> str:
        scale = format_scale(self.criterion)
        if not scale:
            return self._problem_of_labels()
        scores = f"scores from {scale.replace('-', ' to ')}"
        off_scale = [value for value, is_other in self.off_scale.items() if is_other]
        if not any(self.on_scale.values()):
            off_scale = off_scale or list(self.off_scale)
            return f"holds {_shorten_values(off_scale)}: no {scores}" if off_scale else ""
        if self.role.scale:
            return ""
        if off_scale:
            return f"holds {_shorten_values(off_scale)} beside {scores}"
        ones = [judge for judge, values in self.on_scale.items() if values <= {"0", "1"}]
        if ones:
            who = f" from {quote_value(ones[0])}" if ones[0] else ""
            return f"holds only 1{who}: the worst of the {scores}, and the best from 0 to 1"
        return ""

    def _problem_of_labels(self) -> str:
        """Labels are words, which no other scale has: one of them shows that the column's are."""
        if any(self.on_scale.values()) or not self.off_scale:
            return ""
        labels = ", ".join(self.criterion.scale.values)
        return f"holds {_shorten_values(list(self.off_scale))}: none of the labels {labels}"

    def _choices(self, unit: UnitKind) -> list[QuestionOption]:
        role, name = self.role, format_scale(self.criterion)
        choices = []
        if any(self.on_scale.values()):
            rest = "; other values become unread" if self.off_scale else ""
            title = f"scores from {name.replace('-', ' to ')}{rest}"
            choices.append(QuestionOption(f"value:{role.of}:{name}{role.signature}", title))
        if self.all_numbers and unit is UnitKind.RESPONSE:  # numbers are given for whole items
            number = f"number:{role.of}{role.signature}" if role.author else "number"
            choices.append(QuestionOption(number, "a metric on another scale, kept as given"))
        return [*choices, QuestionOption("attribute", "neither, kept beside the item")]


def is_of_another_scale(raw: Any) -> bool:
    """Whether a value off the scale may be of another one; a word such as n/a is of none."""
    if isinstance(raw, bool | list | dict):
        return True
    text = format_cell(raw).strip().casefold()
    has_number = any(map(str.isnumeric, text))  # 0.5, 80 %, 4 of 5, ½
    return has_number or bool(_GRADE.fullmatch(text)) or text in _BOOLEANS


def _shorten_values(values: list[str]) -> str:
    left = len(values) - _SHOWN
    shown = ", ".join(quote_value(value, 20) for value in values[:_SHOWN])
    return shown + (f" and {left} more" if left > 0 else "")
