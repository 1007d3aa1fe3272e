"""Compare page: two runs, judges or prompts on the same items, and the label changes."""

import streamlit as st

from components.charts.confusion import cell_from
from components.charts.flow import show_flow, show_shares
from components.compare import changes as changes
from components.compare.comparability import show_strip
from components.compare.cost import show_cost
from components.compare.numbers import show_agreement, show_number, which_units
from components.compare.sides import choose_question, choose_reference, choose_sides, runs_in_url
from components.compare.texts import no_labels_common, nothing_common, nothing_to_compare
from components.ui.address import open_page, selection_from_url
from components.ui.filter_bar import filter_bar
from components.ui.filter_options import offers, usual_protocol
from components.ui.frame import frame
from components.ui.label_colors import look
from components.ui.sample_notice import say_sample_left_out
from components.ui.saved_views import bring_back, keep_address
from data.access.shared_store import shared_store
from data.compare import changes as listing
from data.compare import compare
from data.compare import item_pairs as pairing
from data.compare import references as referring
from data.compare.numbers import Duel
from data.compare.shared_items import common_items
from data.items.filters import offered
from data.items.sample_runs import sample_left_out, sample_runs
from data.store.store import Store
from faithfulness.model.comparability import ItemMatch, remarks
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS
from faithfulness.statistics.paired import agreement_measures, number_measure


def show_all(store: Store) -> None:
    bring_back("compare")
    in_use = compare.protocols_in(store)
    used = {key: each for key, each in PROTOCOLS.items() if key in in_use}
    if not used:
        nothing_to_compare()
        return
    in_filters = offered(store)
    protocol, criterion = choose_question(used, usual_protocol(in_filters, used))
    in_sample = tuple(each for each in runs_in_url() if each in sample_runs(store))
    left_out = sample_left_out(store, Selection(protocol=protocol.key, runs=in_sample))
    say_sample_left_out(left_out)
    known = compare.parties(store, protocol, criterion)
    known = tuple(each for each in known if each.party.run not in left_out)
    if len(known) < 2:
        nothing_to_compare(protocol.title)
        return
    runs = set(in_filters.query("part == 'run'")["value"])
    first, second = choose_sides(known, common_items(store, protocol, criterion), runs)
    duel = Duel(protocol=protocol, criterion=criterion, first=first.party, second=second.party)
    said = st.query_params.get("match", "")
    found = pairing.pairs(store, duel, ItemMatch(said) if said in set(ItemMatch) else None)
    one, other = (compare.about(store, each, protocol) for each in (first, second))
    only = (len(found.only_first), len(found.only_second))
    common = show_strip(remarks(one, other, found.match), len(found.first), only, found.offers)
    if len(found.first):
        show_found(store, duel, found, common=common)
    else:
        nothing_common()


def show_found(store: Store, duel: Duel, found: pairing.Pairs, *, common: bool) -> None:
    offer = offers(offered(store), PROTOCOLS, ("slice",))
    narrow = filter_bar(selection_from_url(), words="Words in a text", offer=offer)
    selection = Selection(words=narrow.words, slices=narrow.slices)
    wanted = pairing.wanted_pairs(store, duel, found, selection)
    st.subheader("Difference", anchor=False)
    if found.name:
        own = pairing.own_numbers(store, duel, found, selection, common=common)
        measure = number_measure(found.name, found.numbers[:, wanted])
        on = which_units(pairing.units_counted(found, wanted), duel.protocol.unit.value)
        show_number(measure, own, judged=found.match is not ItemMatch.ITEM, common=common, on=on)
    show_reference(store, duel, found, wanted)
    show_labels(store, duel, found, wanted, selection)
    st.subheader("Time and cost", anchor=False)
    sides = ((duel.first, found.first), (duel.second, found.second))
    spent = [compare.spent(store, each).of(items[wanted]) for each, items in sides]
    show_cost(spent, [each.side for each, _ in sides])
    keep_address("compare")


def show_reference(store: Store, duel: Duel, found: pairing.Pairs, wanted: listing.Which) -> None:
    known = referring.references(store, duel)
    side = choose_reference(known, (duel.first, duel.second))
    if side:
        tables = referring.reference_tables(store, duel, found, side)
        one, other = (each.only(wanted[each.items]) for each in tables)
        called = side.in_words_beside(duel.first.side, duel.second.side)
        show_agreement(agreement_measures(one, other), called)


def show_labels(
    store: Store, duel: Duel, found: pairing.Pairs, wanted: listing.Which, selection: Selection
) -> None:
    scale = duel.criterion.scale
    looks = {each.value: look(each, scale) for each in scale.labels}
    moved, cell = changes.moved_from_url(), cell_from(st.query_params.get("cell", ""), scale.values)
    st.subheader("From label to label" if found.are_units else "Labels", anchor=False)
    if found.are_units and not found.has_labels:
        no_labels_common()
        return
    if found.are_units:
        show_flow(listing.flow(found, wanted, scale), looks, chosen=cell)
    else:
        show_shares(pairing.label_counts(store, duel, found, wanted), looks)
    st.subheader("What changed", anchor=False)
    titles = changes.titles_for(found.match)
    changes.show_moves(listing.moved_counts(found, wanted, scale), moved, titles)
    page = changes.page_from_url()
    clicked = changes.show_changes(
        listing.changed(store, duel, found, wanted, moved=moved, cell=cell, page=page),
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
