"""Draw a protocol: guidance, criteria, scales, evidence rule, checklists and prompt."""

from itertools import groupby

import streamlit as st

from components.ui.label_colors import badge, look
from components.ui.numbers import count, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.model.prompt import Carrier, Prompt, has_reply_forms
from faithfulness.model.protocol import Criterion, EvidenceKind, Protocol
from faithfulness.model.vocabulary import FIELD_KINDS, Item, UnitKind

UNITS = {
    UnitKind.SENTENCE: "each sentence",
    UnitKind.CLAIM: "each claim",
    UnitKind.RESPONSE: "the whole response",
}
CARRIERS = {
    Carrier.JSON: "The item travels as one JSON document: no text in it can leave its place.",
    Carrier.TRAPS: "The item travels as one JSON document, with traps among its units: sentences "
    "or claims of ours whose right label is known.",
    Carrier.SLOTS: "The item's texts stand in the prompt's slots. This keeps a published wording "
    "comparable, and is weaker: a text can pretend to be part of the prompt.",
}

REPLY_FORMS = (
    "A judge gets one instruction on the form of its reply: the parts between {{#text}} and "
    "{{/text}} where it writes plain text, those between {{#schema}} and {{/schema}} where its "
    "endpoint holds the reply to a schema."
)


def show_for_raters(protocol: Protocol) -> None:
    guidance, rules = st.columns([5, 6], gap="large")
    with guidance:
        st.markdown("## Guidance")
        st.markdown(protocol.guidance)
    with rules:
        for criterion in protocol.criteria:
            _show_criterion(criterion, protocol)
        st.markdown("## Evidence")
        st.markdown(describe_evidence(protocol))
        st.markdown("## What is compared")
        for reviewed, sources in protocol.checked_against.items():
            names = ", ".join(FIELD_KINDS[kind].lower() for kind in sources)
            st.markdown(f"The **{FIELD_KINDS.get(reviewed, reviewed).lower()}** against: {names}.")
        st.markdown("## The number")
        st.markdown(describe_summary(protocol))


def show_prompt(prompt: Prompt) -> None:
    with st.container(horizontal=True, gap="small"):
        # A user's prompt file names itself.
        st.badge(f"Version {plain(prompt.version)}", color="gray")
        st.badge(f"Fingerprint {prompt.fingerprint}", color="gray")
        st.badge(format_count(len(prompt.template), "character"), color="gray")
    st.markdown(CARRIERS[prompt.carrier])
    if prompt.system:
        st.markdown("## System text")
        st.code(prompt.system, language=None, wrap_lines=True)
    st.markdown("## Template, with the reply format at its end")
    if has_reply_forms(prompt):
        st.caption(plain(REPLY_FORMS))
    st.code(prompt.template, language=None, wrap_lines=True)


def show_message(message: str) -> None:
    """What a judge would be sent, letter by letter."""
    st.caption(f"{count(len(message))} characters, about {count(max(1, len(message) // 4))} tokens")
    st.code(message, language=None, wrap_lines=True, height=420)


def describe_evidence(protocol: Protocol) -> str:
    rule = protocol.evidence
    if rule.kind is EvidenceKind.NONE:
        return "No evidence is asked for; the reason says it all."
    thing = "an excerpt from a source" if rule.kind is EvidenceKind.EXCERPT else "evidence links"
    scale = protocol.criteria[0].scale
    wanted = [label for label in scale.labels if label.value in rule.required_for]
    if not wanted:
        return f"Any answer may come with {thing}; none has to."
    badges = " ".join(badge(look(label, scale)) for label in wanted)
    rest = "No other answer may have it." if rule.only_there else "Others may have it."
    return f"{badges} must come with {thing}. {rest}"


def describe_summary(protocol: Protocol) -> str:
    """What the protocol's number is called, and its parts, asked of an item with no answers."""
    empty = protocol.summarise(Item(id="", fields=(), units=()), ())
    parts = ", ".join(name.replace("_", " ") for name in empty.parts)
    return (
        f"**{empty.name}** for each item and author"
        + (f", with {parts}" if parts else "")
        + ". A run's number is the mean over the items that have one, always shown with how many. "
        "Unread answers never count."
    )


def _show_criterion(criterion: Criterion, protocol: Protocol) -> None:
    st.markdown(f"## {criterion.question}")
    about = f"Asked about {UNITS[protocol.unit]}."
    about += " From worst to best." if criterion.scale.ordinal else ""
    about += "" if criterion.required else " May be left open."
    about += " “Not judged” is a proper answer." if criterion.may_skip else ""
    st.caption(about)
    rows = []
    for label in criterion.scale.labels:
        shown = look(label, criterion.scale)
        rows.append(
            TableRow(
                id=label.value,
                cells=(
                    Cell(text=label.title, glyph=shown.glyph, color=shown.color, strong=True),
                    Cell(text=label.meaning),
                    Cell(text="" if criterion.scale.ordinal else label.value),
                ),
            )
        )
    columns: tuple[Column, ...] = (
        Column(title="Label"),
        Column(title="Means", wide=True),
        Column(title="In files", drop=True),
    )
    if criterion.scale.ordinal:
        columns = columns[:2]
        rows = [TableRow(id=row.id, cells=row.cells[:2]) for row in rows]
    show_table(
        columns,
        [Group(rows=rows)],
        key=f"scale_{protocol.key}_{criterion.key}",
        label=f"Labels for: {criterion.question}",
    )
    _show_checklist(criterion)


def _show_checklist(criterion: Criterion) -> None:
    if not criterion.checklist:
        return
    lines = ["**Checklist beside the answer**"]
    for level, checks in groupby(criterion.checklist, key=lambda check: check.level):
        label = criterion.scale.label(level)
        lines.append(f"\n{badge(look(label, criterion.scale))}\n")
        lines.extend(f"- {check.text}" for check in checks)
    st.markdown("\n".join(lines))
