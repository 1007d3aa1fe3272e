"""Reader view stored in the URL: selected unit, annotator and visible labels."""

from collections.abc import Callable, Sequence
from typing import NoReturn

import streamlit as st

from components.reader.reader import ACTS, ReaderView
from components.reader.views import choose_default_author
from components.ui.address import PAGES, build_parameters, format_author_key, parse_author_key
from components.ui.session import remember, remembered
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation, Author, Item

_MOST = 20


def read_wanted_authors(selection: Selection) -> tuple[Author, ...]:
    """Whose labels the address asks for: the one shown last, then those it narrows to."""
    shown = parse_author_key(st.query_params.get("shown", "")[:500])
    return (shown, *selection.authors) if shown else selection.authors


def read_view(
    selection: Selection,
    item: Item,
    annotations: Sequence[Annotation],
    *,
    may: Callable[[str], bool],
) -> ReaderView:
    """The view to begin with; a unit the item does not have gives way to the nearest.

    `may` answers which kinds of write somebody may do here.
    """
    shown = choose_default_author(annotations, read_wanted_authors(selection))
    view = ReaderView(
        may=tuple(filter(may, ACTS)),
        unit=find_nearest_unit(item, selection.unit),
        by=format_author_key(shown) if shown else "",
        show=tuple(each[:60] for each in st.query_params.get_all("show")[:_MOST]),
    )
    remember("arrived", (_read_parameters(), _list_view_facts(view)))
    return view


def find_nearest_unit(item: Item, unit: str) -> str:
    """The unit itself, else the one of the same kind whose number is nearest, else the first."""
    known = [each.id for each in item.units]
    if not unit or unit in known or not known:
        return unit if unit in known else ""
    letter, number = unit[:1], unit[1:]
    alike = [each for each in known if each[:1] == letter and each[1:].isdecimal()]
    if alike and number.isdecimal() and len(number) < 10:
        return min(alike, key=lambda each: abs(int(each[1:]) - int(number)))
    return ""


def show_view_in_url(selection: Selection, view: ReaderView) -> None:
    """Make the address bar reproduce this view, once it is another than the address gives.

    Streamlit puts every address that a page writes on top of the browser's history. So what the
    page has only understood is not written back: Back would need one press more for each.
    """
    wanted, current = _build_parameters(selection, view), _read_parameters()
    if wanted != current and remembered("arrived") != (current, _list_view_facts(view)):
        st.query_params.from_dict(wanted)


def open_item(selection: Selection, view: ReaderView) -> NoReturn:
    """Go to another item and keep whose labels are looked at, and which."""
    st.switch_page(PAGES / "item.py", query_params=_build_parameters(selection, view))


def _read_parameters() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _list_view_facts(view: ReaderView) -> tuple[str, str, tuple[str, ...]]:
    return view.unit, view.by, tuple(view.show)


def _build_parameters(selection: Selection, view: ReaderView) -> dict[str, list[str]]:
    extra = {"shown": [view.by] if view.by else [], "show": list(view.show)}
    return build_parameters(selection) | {name: kept for name, kept in extra.items() if kept}
