"""Steps of a rerun: item choice, cost estimate, actual cost, answers, keep or discard."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from components.contradictions.evidence import split_context
from components.judging.addressed_notice import warn_of_item
from components.judging.answer_diff import compare, show_diff
from components.judging.judge_form import JudgeChoice
from components.judging.rerun_in_meeting import is_hidden, offer_way_back
from components.judging.running_questions import RunningQuestion
from components.judging.trap_notice import say_traps
from components.reader.reply_notes import show_replies
from components.ui.address import link, open_page
from components.ui.frame import heading, show_problem
from components.ui.numbers import count, format_count, format_day, number
from components.ui.plain import plain
from components.ui.sample_notice import show_sample_left_out
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging.judge import JudgeQuestion
from faithfulness.judging.offline.offline_judge import NAME, OfflineJudge
from faithfulness.judging.prices import (
    UNKNOWN,
    cost,
    estimate_question,
    format_dollars,
    format_price_date,
)
from faithfulness.judging.rerun import Sample
from faithfulness.judging.traps import list_failures
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, Item, Reply, UnitKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.meeting import hide_annotation_names

BEGINS = 120  # characters
ASK_KEY = "H"  # on no card, in no room and in no reader


class _ShownSteps(NamedTuple):
    author: str
    reply: Reply
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.reply.text

    @property
    def model(self) -> str:
        return self.reply.model


def offer_items(recent: pd.DataFrame, gone: str, left_out: Sequence[str]) -> None:
    """Say how an item is chosen, and offer those that were answered about last.

    Args:
        recent: as `data.judging.judging_queries.recent_items` answers.
        gone: what the address asks for in vain.
        left_out: runs of the sample of which no item is offered.
    """
    heading("Rerun")
    st.markdown(
        "Ask a judge again about **one item**, as often as you like, and see the new answers "
        "beside every stored one before you keep them or throw them away."
    )
    if gone:
        st.warning(gone, icon=":material/link_off:")
    show_sample_left_out(left_out)
    if recent.empty:
        st.info(
            "No item has answers yet. Import a run first; then open an item and press “Ask again”.",
            icon=":material/upload_file:",
        )
        return
    st.markdown("Open an item and press “Ask again”, or take one answered about lately:")
    found: list[Any] = list(recent.itertuples())
    rows = [
        TableRow(
            id=str(at),
            cells=[
                Cell(
                    text=str(each.external_id or str(each.item_id)[:8]),
                    action="open",
                    href=link("rerun", _build_selection(each)),
                    strong=True,
                ),
                Cell(text=_shorten_text(str(each.begins))),
                Cell(text=str(each.run), note=PROTOCOLS[str(each.protocol)].title),
                Cell(text=format_day(each.signed_at)),
            ],
        )
        for at, each in enumerate(found)
    ]
    columns = [
        Column(title="Item"),
        Column(title="Begins with", wide=True),
        Column(title="Run"),
        Column(title="Last answer", drop=True),
    ]
    label = "Items answered about lately"
    clicked = show_table(columns, [Group(rows=rows)], key="recent", label=label)
    if clicked:
        open_page("rerun", _build_selection(found[int(clicked.row)]))


def _shorten_text(text: str) -> str:
    return text if len(text) <= BEGINS else f"{text[:BEGINS].rpartition(' ')[0]}…"


def _build_selection(place: Any) -> Selection:
    return Selection(runs=(str(place.run_id),), item=str(place.item_id))


def show_rerun_heading(
    name: str, item: Item, here: Selection, badges: Sequence[str], asking: RunningQuestion | None
) -> None:
    with heading(f"Rerun: {name}", *badges):
        offer_way_back(asking)
        # The reader names everybody.
        if not is_hidden() and st.button("Open the item", icon=":material/article:"):
            open_page("item", here)
    asked = item.text_of("query") or item.text_of("topic")
    if asked:
        # A dialogue is answered at its end.
        st.caption(plain(asked if len(asked) <= 400 else f"{asked[:100]} … {asked[-300:]}"))
    unit = next((each for each in item.units if each.id == here.unit), None)
    if unit is not None and unit.text:
        st.markdown(f"You come from: “{plain(unit.text[:300])}”")
        if unit.kind is UnitKind.CLAIM and unit.span:
            before, sentence, behind = map(plain, split_context(item, unit.span))
            around = " ".join(filter(None, (before, f"**{sentence}**", behind)))
            st.caption(f"A claim of “{around}”")
    warn_of_item(item)


def offer_ask(*, may_ask: bool) -> bool:
    """The button that asks, also by key; answers whether it was pressed."""
    # Asking costs, and Streamlit counts a key that is held as pressed again: b, with which one
    # comes from a card, must not ask here. No key of a field either: Ctrl+Enter ends a prompt.
    return st.button(
        "Ask",
        type="primary",
        icon=":material/send:",
        disabled=not may_ask,
        key="ask",
        shortcut=ASK_KEY,
    )


def show_estimate(question: JudgeQuestion, choice: JudgeChoice) -> None:
    """Tokens and cost before anything is paid; the baseline takes neither."""
    if choice.is_offline:
        return
    read, written = (each * choice.samples for each in estimate_question(question))
    price = cost(choice.settings["model"], read, written)
    money = (
        f"{UNKNOWN}." if price is None else f"about {format_dollars(price)}. {format_price_date()}"
    )
    times = "" if choice.samples == 1 else f" for {choice.samples} samples"
    st.caption(
        f"Will take about {count(read)} tokens to read and {count(written)} to write{times}: "
        f"{plain(money)} The texts go to the address above."
    )


def show_usage(asking: RunningQuestion) -> None:
    samples, prompt = asking.samples, asking.question.prompt
    facts = [format_count(len(samples), "sample"), format_tokens(samples), format_cost(samples)]
    seconds = [each.reply.seconds for each in samples if each.reply.seconds is not None]
    if seconds:
        each = f" ({number(sum(seconds) / len(seconds))} s a reply)" if len(seconds) > 1 else ""
        facts.append(f"{number(sum(seconds))} s{each}")
    if asking.author.name != NAME:  # the baseline reads no prompt
        facts.append(f"prompt {prompt.version} ({prompt.fingerprint})")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"**{plain(asking.author.name)}**", width="content")
        for fact in facts:
            if fact:
                st.badge(plain(fact), color="gray")
    if asking.question.traps:
        say_traps(samples)
    notes = [note for each in samples for note in each.reading.notes if not list_failures([note])]
    for note in list(dict.fromkeys(notes))[:3]:
        st.caption(plain(note))


def format_tokens(samples: Sequence[Sample]) -> str:
    """What the endpoint counted; empty where it counted nothing."""
    read = [each.reply.tokens_in for each in samples if each.reply.tokens_in is not None]
    written = [each.reply.tokens_out for each in samples if each.reply.tokens_out is not None]
    if not read and not written:
        return ""
    return f"{count(sum(read))} tokens read, {count(sum(written))} written"


def format_cost(samples: Sequence[Sample]) -> str:
    """The cost of all, or that it is not known; a judge that counts no tokens has none."""
    known = [each.cost for each in samples if each.cost is not None]
    if len(known) == len(samples):
        return format_dollars(sum(known))
    if all(each.reply.tokens_in is None for each in samples):
        return ""
    model = next(each.reply.model for each in samples if each.cost is None)
    return f"{UNKNOWN}: no price for {model}" if model else UNKNOWN


def show_failure(asking: RunningQuestion, failure: JudgeFailed) -> bool:
    """Say what went wrong; answers whether to ask for what is missing."""
    show_problem(failure)
    if failure.may_be_paid:
        st.caption("The endpoint may have done the work, and charge for it.")
    if failure.kind == "cannot_judge":
        _show_findings(asking.question.item)
        return False
    have, wanted = len(asking.samples), asking.wanted
    if have:
        st.caption(
            f"{have} of {format_count(wanted, 'sample')} came before that and are shown below."
        )
    label = f"Ask for the missing {wanted - have}" if have else "Ask again"
    # Without a key: one that is held on Ask would ask again as often as the endpoint fails.
    return st.button(label, icon=":material/replay:", key="ask_missing")


def decide(*, may_keep: bool) -> str:
    """Keep it, throw it away, or ask something else; empty while nothing is pressed."""
    with st.container(horizontal=True):
        # Letters would mean other things on the pages one comes from: k goes back there, t takes.
        if st.button(
            "Keep",
            type="primary",
            icon=":material/check:",
            disabled=not may_keep,
            shortcut="Ctrl+S",
        ):
            return "keep"
        if st.button("Throw away", icon=":material/delete:", shortcut="Delete"):
            return "discard"
    return ""


def show_answers(asking: RunningQuestion, unit: str, names: Mapping[Author, str] | None) -> None:
    """The new answers beside the stored ones, from this unit on, and every reply as it came.

    Args:
        asking: what was asked, and what came.
        unit: where somebody comes from.
        names: what authors are called in a meeting that hides them; None where nobody is hidden.
    """
    said, before = asking.samples, asking.before
    if names is not None:
        before = hide_annotation_names(before, names)
    diff = compare(asking.question.item, asking.question.protocol, before, said, asking.author)
    show_diff(diff, key=asking.id, unit=unit)
    show_replies([_ShownSteps(asking.author.name, each.reply, each.reading.notes) for each in said])


def _show_findings(item: Item) -> None:
    found = OfflineJudge().findings(item)
    if not found:
        st.caption("Words and numbers alone show nothing to point out here.")
        return
    st.markdown("**What words and numbers alone show** (marks for people, not a judgement)")
    texts = {each.id: each.text for each in item.units}
    rows = [
        TableRow(id=str(at), cells=[Cell(text=texts.get(each.unit_id, "")), Cell(text=each.says)])
        for at, each in enumerate(found)
    ]
    columns = [Column(title="Words of the response", wide=True), Column(title="Finding")]
    show_table(columns, [Group(rows=rows)], key="findings", label="Findings of the baseline")
