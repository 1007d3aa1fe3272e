"""Compare page: two runs, judges or prompts on the same items, and the label changes."""

import streamlit as st

from components.charts.confusion import parse_cell_key
from components.charts.flow import show_flow, show_shares
from components.compare import changes as changes
from components.compare.comparability import show_strip
from components.compare.cost import show_cost
from components.compare.numbers import describe_units, show_agreement, show_number
from components.compare.sides import choose_question, choose_reference, choose_sides, read_runs
from components.compare.texts import (
    show_no_common_labels,
    show_nothing_common,
    show_nothing_to_compare,
)
from components.ui.address import open_page, read_selection
from components.ui.filter_bar import show_filter_bar
from components.ui.filter_options import build_filter_choices, choose_default_protocol
from components.ui.frame import frame
from components.ui.label_colors import look
from components.ui.sample_notice import show_sample_left_out
from components.ui.saved_views import keep_address, restore_address
from data.access.shared_store import shared_store
from data.compare import changes as listing
from data.compare import compare
from data.compare import item_pairs as pairing
from data.compare import references as referring
from data.compare.numbers import Duel
from data.compare.shared_items import load_common_items
from data.items.filters import load_filter_values
from data.items.sample_runs import find_left_out_sample_runs, load_sample_runs
from data.store.store import Store
from faithfulness.model.comparability import ItemMatch, list_remarks
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS
from faithfulness.statistics.paired import measure_agreement, measure_number


def show_all(store: Store) -> None:
    restore_address("compare")
    in_use = compare.list_protocols(store)
    used = {key: each for key, each in PROTOCOLS.items() if key in in_use}
    if not used:
        show_nothing_to_compare()
        return
    in_filters = load_filter_values(store)
    protocol, criterion = choose_question(used, choose_default_protocol(in_filters, used))
    in_sample = tuple(each for each in read_runs() if each in load_sample_runs(store))
    left_out = find_left_out_sample_runs(store, Selection(protocol=protocol.key, runs=in_sample))
    show_sample_left_out(left_out)
    known = compare.load_parties(store, protocol, criterion)
    known = tuple(each for each in known if each.party.run not in left_out)
    if len(known) < 2:
        show_nothing_to_compare(protocol.title)
        return
    runs = set(in_filters.query("part == 'run'")["value"])
    first, second = choose_sides(known, load_common_items(store, protocol, criterion), runs)
    duel = Duel(protocol=protocol, criterion=criterion, first=first.party, second=second.party)
    said = st.query_params.get("match", "")
    found = pairing.load_item_pairs(
        store, duel, ItemMatch(said) if said in set(ItemMatch) else None
    )
    one, other = (compare.describe_origin(store, each, protocol) for each in (first, second))
    only = (len(found.only_first), len(found.only_second))
    common = show_strip(list_remarks(one, other, found.match), len(found.first), only, found.offers)
    if len(found.first):
        show_found(store, duel, found, common=common)
    else:
        show_nothing_common()


def show_found(store: Store, duel: Duel, found: pairing.Pairs, *, common: bool) -> None:
    offer = build_filter_choices(load_filter_values(store), PROTOCOLS, ("slice",))
    narrow = show_filter_bar(read_selection(), words="Words in a text", offer=offer)
    selection = Selection(words=narrow.words, slices=narrow.slices)
    wanted = pairing.select_pairs(store, duel, found, selection)
    st.subheader("Difference", anchor=False)
    if found.name:
        own = pairing.load_own_numbers(store, duel, found, selection, common=common)
        measure = measure_number(found.name, found.numbers[:, wanted])
        on = describe_units(pairing.count_units(found, wanted), duel.protocol.unit.value)
        show_number(measure, own, judged=found.match is not ItemMatch.ITEM, common=common, on=on)
    show_reference(store, duel, found, wanted)
    show_labels(store, duel, found, wanted, selection)
    st.subheader("Time and cost", anchor=False)
    sides = ((duel.first, found.first), (duel.second, found.second))
    spent = [compare.load_reply_costs(store, each).of(items[wanted]) for each, items in sides]
    show_cost(spent, [each.side for each, _ in sides])
    keep_address("compare")


def show_reference(store: Store, duel: Duel, found: pairing.Pairs, wanted: listing.Which) -> None:
    known = referring.load_references(store, duel)
    side = choose_reference(known, (duel.first, duel.second))
    if side:
        tables = referring.load_reference_tables(store, duel, found, side)
        one, other = (each.only(wanted[each.items]) for each in tables)
        called = side.in_words_beside(duel.first.side, duel.second.side)
        show_agreement(measure_agreement(one, other), called)


def show_labels(
    store: Store, duel: Duel, found: pairing.Pairs, wanted: listing.Which, selection: Selection
) -> None:
    scale = duel.criterion.scale
    looks = {each.value: look(each, scale) for each in scale.labels}
    moved, cell = changes.read_move(), parse_cell_key(st.query_params.get("cell", ""), scale.values)
    st.subheader("From label to label" if found.are_units else "Labels", anchor=False)
    if found.are_units and not found.has_labels:
        show_no_common_labels()
        return
    if found.are_units:
        show_flow(listing.count_transitions(found, wanted, scale), looks, chosen=cell)
    else:
        show_shares(pairing.count_labels(store, duel, found, wanted), looks)
    st.subheader("What changed", anchor=False)
    titles = changes.get_move_titles(found.match)
    changes.show_moves(listing.count_moves(found, wanted, scale), moved, titles)
    page = changes.read_page()
    clicked = changes.show_changes(
        listing.load_changes(store, duel, found, wanted, moved=moved, cell=cell, page=page),
        looks=looks,
        titles=titles,
        runs=(duel.first.run, duel.second.run),
        within=selection,
        per_page=listing.PAGE,
    )
    if clicked:
        open_page("item", clicked)


with frame("Compare", shared_store) as store:
    show_all(store)
