"""Disagreements: what people and judges differ on, worst first, and what was decided."""

from dataclasses import replace
from functools import partial

import streamlit as st

from components.address import open_page, selection_from_url
from components.bound import asked_number, bound_toggle, chosen
from components.chips.chips import show_chips
from components.filter_bar import Choice, filter_bar
from components.first_screen import nothing_stored
from components.frame import frame, heading
from components.meeting_marks import take_marks
from components.offers import names, offers, say_narrowed
from components.saved_views import bring_back, keep_address, keep_views
from components.triage.actions import Action, take_actions
from components.triage.card import card_data
from components.triage.triage import Listed, begin, begin_anew, begun, show_triage
from components.triage_lists import SORTS, STATES, chip_groups, chosen_kinds, meet_about_these
from data import queries_disagreement_cases as cases
from data import queries_disagreements as questions
from data import records, views
from data.queries_agendas import marks
from data.queries_filters import offered
from data.records.deciding import decide
from data.shared_store import shared_store
from data.store import Store
from faithfulness.protocols import PROTOCOLS
from faithfulness.selection import Selection

PAGE = "disagreements"
OFFER = ("run", "protocol", "label", "by", "author", "system", "slice")
ORDER = (Choice(name="sort", label="Order", titles=SORTS),)


def store_action(store: Store, action: Action) -> int:
    return decide(
        store,
        run_id=action.run_id,
        item_id=action.item_id,
        unit_id=action.unit_id,
        criterion=action.criterion,
        value=action.value,
        author=action.author,
        reason=action.reason,
        error_class=action.error_class,
        seen=action.seen,
        operation_id=action.operation_id,
        undoes=action.undoes,
    )


def show_all(store: Store) -> None:
    take_actions(partial(store_action, store), key="triage")
    take_marks("triage", partial(records.mark, store))
    bring_back(PAGE)
    with heading("Disagreements"):
        bound_toggle("baseline", "With offline baseline")
        renew = "Make the list again, without what was decided meanwhile"
        st.button("Renew", icon=":material/refresh:", help=renew, on_click=begin_anew)
        meet_about_these()
        change = partial(views.change_view, store)
        keep_views(PAGE, views.saved_views(store), change, may_change=not store.read_only)
    known = offered(store)
    if known.empty:
        nothing_stored("nobody disagrees")
        return
    offer = offers(known, PROTOCOLS, OFFER)
    selection = filter_bar(
        selection_from_url(), words="Words in the unit", offer=offer, order=ORDER
    )
    show_queue(store, replace(selection, unit="", at="", listed=""), names(offer))


def show_queue(store: Store, selection: Selection, called: dict[str, str]) -> None:
    state, sort = chosen("state", STATES), chosen("sort", SORTS)
    kinds = chosen_kinds(st.query_params.get_all("kind"))
    baseline = st.query_params.get("baseline") == "true"
    signature = f"{selection} {state} {sort} {kinds} {baseline}"
    found = questions.queue(
        store,
        selection,
        kinds=kinds,
        decided=state,
        sort=sort,
        page=asked_number("page", 1),
        as_of=begun(signature),
        with_baseline=baseline,
    )
    begin(signature, found.as_of)
    show_chips(chip_groups(state, kinds, (found.states, found.kinds)), key="chips")
    say_narrowed("Disagreements", selection, called)
    if not found.total:
        st.info(
            "No disagreement is left here: everybody who answered says the same, or all is "
            "decided. Widen the filter, or look at what was decided.",
            icon=":material/done_all:",
        )
        keep_address(PAGE)
        return
    marked = {each[3:] for each in marks(store)}
    shown = cases.load(store, found.rows, with_baseline=baseline)
    earlier = cases.earlier_decisions(store, shown, with_baseline=baseline)
    cards = [
        card_data(each, told, PROTOCOLS[each.case.protocol])
        | {"marked": (each.case.protocol, each.case.item.id, each.case.unit.id) in marked}
        for each, told in zip(shown, earlier, strict=True)
    ]
    place = Listed(page=found.page, pages=found.pages, total=found.total, size=questions.PAGE)
    asked = show_triage(cards, place, may_decide=not store.read_only)
    if asked:
        open_page(*asked)
    keep_address(PAGE)


with frame("Disagreements", shared_store, own_heading=True) as store:
    show_all(store)
