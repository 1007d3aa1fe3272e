"""An item opened from a list stays in that list, and one of a run stays in its run."""

import pandas as pd

from components.reader.neighbors import choose_place, get_run_titles, narrow_to_item
from components.ui.address import build_parameters, link, parse_selection
from faithfulness.model.selection import Selection

PLACES = pd.DataFrame(
    {
        "run_id": ["r1", "r2"],
        "name": ["Same", "Same"],
        "protocol": ["sentence_grounding", "sentence_grounding"],
    }
)


def test_the_run_of_the_address_is_read_and_a_lost_one_is_told():
    assert choose_place(Selection(runs=("r2",)), PLACES)[0].run_id == "r2"
    assert choose_place(Selection(at="r2"), PLACES)[1]
    place, is_asked = choose_place(Selection(runs=("gone",)), PLACES)
    assert (place.run_id, is_asked) == ("r1", False)
    assert choose_place(Selection(), PLACES)[1]


def test_a_list_keeps_what_narrows_it_while_its_items_are_read():
    listed = Selection(listed="unfounded", systems=("s",), sort="sure", unit="s3", item="i")
    here = narrow_to_item(listed, "r2")
    assert (here.at, here.runs, here.systems, here.unit) == ("r2", (), ("s",), "")
    alone = narrow_to_item(Selection(listed="nonsense", sort="sure", item="i"), "r2")
    assert alone == Selection(runs=("r2",), item="i")


def test_the_order_of_a_list_narrows_nothing():
    listed = Selection(listed="unfounded", sort="sure", group="run", at="r")
    assert listed.is_everything
    assert listed.in_words() == "in the whole store"
    assert parse_selection(build_parameters(listed)) == listed
    assert "list=unfounded" in link("item", listed)


def test_runs_of_one_name_are_told_apart():
    assert len(set(get_run_titles(PLACES).values())) == 2
