"""Filter chips with counts; a click updates the URL before the page is redrawn."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial

import streamlit as st

from components.ui.mounted import mount_component
from components.ui.session import read_reported

_mount = mount_component(
    "plumbline_chips",
    "assets/text.css",
    "assets/text.js",
    "ui/chips/chips.css",
    "ui/chips/chips.js",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChipGroup:
    """Options of one word of the address; `single` ones are views, of which one is always on."""

    name: str
    label: str
    titles: Mapping[str, str]
    counts: Mapping[str, int]
    on: Sequence[str] = ()
    single: bool = False
    note: str = ""


def show_chips(groups: Sequence[ChipGroup], *, key: str) -> None:
    """Draw the groups; what is chosen is read from the address, as every choice is."""
    shown = [
        each for each in groups if each.single or any(each.counts.values()) or each.on or each.note
    ]
    data = {
        "groups": [
            {
                **asdict(each),
                "options": [
                    {
                        "key": option,
                        "title": title,
                        "count": each.counts.get(option, 0),
                        "on": option in each.on,
                    }
                    for option, title in each.titles.items()
                ],
            }
            for each in shown
        ]
    }
    _mount(key=key, data=data, on_clicked_change=partial(_toggle_option, key))


def _toggle_option(key: str) -> None:
    said = read_reported(key, "clicked")
    if not said:
        return
    name, option = str(said["name"]), str(said["key"])
    before = st.query_params.get_all(name)
    if said["single"]:
        after = [option] if option else []
    else:
        kept = [each for each in before if each != option]
        after = kept if option in before else [*before, option]
    if after:
        st.query_params[name] = after
    else:
        st.query_params.pop(name, None)
    st.query_params.pop("page", None)
