"""Table of score counts: new samples beside earlier answers of raters and judges."""

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from components.ui.numbers import format_count
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging.rerun import UNREAD, Place, get_outcome
from faithfulness.model.protocol import Criterion
from faithfulness.model.vocabulary import Annotation, AuthorKind

_WHO = {
    AuthorKind.RATER: "Raters",
    AuthorKind.JUDGE: "Judges, before",
    AuthorKind.ADJUDICATOR: "Settled",
}


def show_scores(
    criterion: Criterion,
    counts: Mapping[Place, Counter[str]],
    before: Sequence[Annotation],
    *,
    key: str,
) -> None:
    """Draw a table of counts by score; rows without any are left out."""
    spread = {"New samples": Counter[str]()}
    for (_, asked), found in counts.items():
        if asked == criterion.key:
            spread["New samples"].update(found)
    for kind, title in _WHO.items():
        spread[title] = Counter(
            get_outcome(each.answer)
            for each in before
            if each.answer.criterion == criterion.key and each.author.kind is kind
        )
    st.markdown("**How the scores spread**")
    st.caption(criterion.question)
    values = [*criterion.scale.values, UNREAD]
    columns = [Column(title="Who"), *(Column(title=each.capitalize(), end=True) for each in values)]
    rows = [_build_row(title, found, values) for title, found in spread.items() if found]
    label = f"Scores for: {criterion.question}"
    show_table(columns, [Group(rows=rows)], key=f"{key}_scores_{criterion.key}", label=label)


def _build_row(title: str, found: Counter[str], values: Sequence[str]) -> TableRow:
    cells = [Cell(text=str(found[each] or "–"), strong=bool(found[each])) for each in values]
    return TableRow(
        id=title, cells=[Cell(text=title, note=format_count(found.total(), "answer")), *cells]
    )
