"""Widgets that select the criterion, reference and judge to compare; stored in the URL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from components.ui.label_colors import Look, look
from components.ui.numbers import format_count
from components.ui.plain import plain, told_apart, visible
from components.ui.session import make_widget_key, write_to_url
from components.ui.url_widgets import bound_toggle, chosen
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side, is_baseline
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.model.wording import capitalize_first

REFERENCE, JUDGE = "reference", "judge"
_WIDTH = 250


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenComparison:
    """One comparison: under which question, on which items, who with whom."""

    selection: Selection
    protocol: Protocol
    criterion: Criterion
    reference: Side
    judge: Side
    raters: tuple[Author, ...]  # who can be asked about the ceiling
    judges: tuple[Side, ...]  # who else could be the judge

    @property
    def lacks_judge(self) -> bool:
        """Whether nobody answers under the same protocol: only a bridge brings a judge."""
        return self.judge == self.reference

    @property
    def looks(self) -> dict[str, Look]:
        scale = self.criterion.scale
        return {each.value: look(each, scale) for each in scale.labels}

    @property
    def unit(self) -> str:
        return self.protocol.unit.value

    @property
    def in_words(self) -> tuple[str, str]:
        """The two sides inside a sentence."""
        return _format_side(self.reference, self.judge), _format_side(self.judge, self.reference)

    @property
    def sides(self) -> tuple[str, str]:
        """What people call the two sides, as headings."""
        return _format_heading(self.reference), _format_heading(self.judge)

    @property
    def question(self) -> tuple[Selection, str, Side, Side]:
        """What is compared, in the order in which the store is asked."""
        return self.selection, self.criterion.key, self.reference, self.judge

    @property
    def named(self) -> dict[str, Any]:
        """What is compared, by the names of `data.agreement.question`."""
        names = ("selection", "criterion", "reference", "judge")
        return dict(zip(names, self.question, strict=True))

    @property
    def judge_author(self) -> Author:
        """The judge, which is always one author."""
        assert self.judge.author is not None
        return self.judge.author

    def against(self, judge: Side) -> "ChosenComparison":
        """The same comparison of another judge."""
        return replace(self, judge=judge)

    @property
    def with_judge(self) -> tuple[Author, ...]:
        """The raters and the judge, each once."""
        return tuple(dict.fromkeys((*self.raters, self.judge_author)))


def choose_question(
    selection: Selection, protocols: Mapping[str, Protocol], usual: str
) -> Selection:
    """The protocol, `usual` where the address names none, and its criterion."""
    titles = {key: each.title for key, each in protocols.items()}
    key = select_labeled("protocol", "Protocol", titles, usual=usual)
    criteria = {each.key: _format_question(each) for each in protocols[key].criteria}
    criterion = next(iter(criteria))
    if len(criteria) > 1:
        criterion = select_labeled("criterion", "Criterion", criteria)
    return replace(selection, protocol=key, criterion=criterion, item="", unit="", at="")


def wants_baseline() -> bool:
    """Whether the address wants the offline baseline among the judges."""
    return st.query_params.get("baseline") == "true"


def ask_baseline() -> None:
    """The switch for that; it stands behind the choice that it changes."""
    before = wants_baseline()
    if bound_toggle("baseline", "With offline baseline") != before:
        st.rerun()


def choose_sides(
    selection: Selection, protocol: Protocol, sides: pd.DataFrame
) -> ChosenComparison | None:
    """Whom to compare with whom; None where fewer than two sides have labels here.

    `sides` is the answer of `data.agreement.pairs.load_sides`.
    """
    kinds = dict(zip(sides["side_text"], sides["kind"], strict=True))
    titles = {
        str(text): " · ".join(
            (
                _format_option(side, str(title)),
                _format_label_count(side, int(units), protocol.unit.value),
            )
        )
        for text, side, title, units in zip(
            sides["side_text"], sides["side"], sides["title"], sides["units"], strict=True
        )
    }
    judges = _rank_judges(sides)
    people = [text for text in titles if text not in judges]
    authors = [text for text in people if kinds[text] in set(AuthorKind)]
    if len(judges) + len(authors) < 2:
        return None
    first = _select_side("Reference", REFERENCE, [*people, *judges], titles)
    second = _select_side("Judge", JUDGE, [*judges, *authors], titles, but=first)
    raters = [Side.from_text(text).author for text in people if kinds[text] == AuthorKind.RATER]
    return ChosenComparison(
        selection=selection,
        protocol=protocol,
        criterion=protocol.criterion(selection.criterion),
        reference=Side.from_text(first),
        judge=Side.from_text(second),
        raters=tuple(each for each in raters if each is not None),
        judges=tuple(Side.from_text(text) for text in judges if text != first),
    )


def explain_missing_sides(sides: pd.DataFrame) -> None:
    """Say why there is nothing to compare, and what would help."""
    if sides.empty:
        st.info(
            "Nobody has a label here. Take filters away, or choose another protocol.",
            icon=":material/filter_alt_off:",
        )
        return
    only = ", ".join(plain(str(each)) for each in sides["title"])
    st.info(
        f"Only one author has labels here ({only}), so there is nothing to compare with. Import a "
        "file with raters' or a judge's answers about the same items.",
        icon=":material/group_add:",
    )


def select_labeled(
    name: str,
    label: str,
    titles: Mapping[str, str],
    *,
    usual: str = "",
    width: int = _WIDTH,
    about: str = "",
) -> str:
    """One of several under a label; the `usual` one, else the first, has no word in the address."""
    shown = told_apart(titles)
    said = chosen(name, shown, usual)
    picked = st.selectbox(
        label,
        list(shown),
        index=list(shown).index(said),
        format_func=shown.__getitem__,
        key=make_widget_key(name, said),
        width=width,
        help=about or None,
    )
    write_to_url(name, picked, "" if picked == (usual or next(iter(shown))) else picked)
    return picked


def _select_side(
    label: str, name: str, texts: Sequence[str], titles: Mapping[str, str], but: str = ""
) -> str:
    offer = {text: titles[text] for text in texts if text != but}
    said = st.query_params.get(name, "")[:500]
    picked = select_labeled(name, label, offer)
    if said and said not in offer and said != picked:
        same = "the reference itself" if said == but else "who has no label here"
        st.caption(f"The address names {plain(said)}, {same}.")
    return picked


def _rank_judges(sides: pd.DataFrame) -> list[str]:
    """The judge with the most units is the likeliest to be asked about, the baseline the least."""
    judges = sides[sides["kind"] == AuthorKind.JUDGE]
    units = {
        str(text): (side.author is not None and is_baseline(side.author), -int(count))
        for text, side, count in zip(
            judges["side_text"], judges["side"], judges["units"], strict=True
        )
    }
    return sorted(units, key=units.__getitem__)


def _format_question(criterion: Criterion) -> str:
    return criterion.key.replace("_", " ").capitalize()


def _format_heading(side: Side) -> str:
    if side.author is not None:
        return visible(side.author.name)
    return {"majority": "Majority of raters", "adjudicated": "Adjudicated"}.get(
        side.kind, "Verdict"
    )


def _format_option(side: Side, title: str) -> str:
    is_judge = side.author is not None and side.author.kind is AuthorKind.JUDGE
    return side.author.name if is_judge and side.author else capitalize_first(title)


def _format_label_count(side: Side, units: int, unit: str) -> str:
    """How many labels a side has; where people vote, on how many units: some may have no winner."""
    said = format_count(units, unit)
    return f"{said} rated" if side.kind in ("majority", "verdict") else said


def _format_side(side: Side, other: Side) -> str:
    """Many judges are called “judge …” by their own name; it is not said twice."""
    named = side.author is not None and side.author.name.lower().startswith(side.author.kind)
    return side.author.name if named and side.author else side.in_words_beside(other)
