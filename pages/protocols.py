"""Protocols page: guidance, scales, evidence rules and prompt versions of a protocol."""

import streamlit as st

from components.judging.prompt_bench import (
    choose_criterion,
    show_two_versions,
    show_version_agreement,
    show_versions,
)
from components.ui.address import open_page, read_selection
from components.ui.filter_options import choose_default_protocol
from components.ui.frame import frame, show_problem
from components.ui.plain import plain
from components.ui.protocol_view import show_for_raters, show_message, show_prompt
from components.ui.sample_notice import show_sample_left_out
from components.ui.url_widgets import bound_segments
from data.access.shared_store import shared_store
from data.items.filters import load_filter_values
from data.items.loading import load_item
from data.items.sample_runs import find_left_out_sample_runs
from data.judging import prompt_queries
from data.runs import queries
from data.store.store import Store
from faithfulness.judging.message import mark_for, write_message
from faithfulness.judging.prompt_file import load_prompt
from faithfulness.model.errors import ReviewError
from faithfulness.model.prompt import Prompt, ReplyForm, has_reply_forms
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

VIEWS = {
    "raters": "For raters",
    "judges": "For judges",
    "prompts": "Prompt versions",
    "check": "Check a prompt file",
}

REPLY_FORM_TITLES = {ReplyForm.TEXT.value: "Plain text", ReplyForm.SCHEMA.value: "With a schema"}


def show_sent(store: Store, protocol: Protocol, prompt: Prompt) -> None:
    """What this prompt sends for the first item of the store under the protocol."""
    st.markdown("## What a judge would be sent")
    runs = queries.runs(store)
    runs = runs[(runs["protocol"] == protocol.key) & (runs["items"] > 0)]
    runs = runs.sort_values("is_sample", kind="stable")  # the sample only where nothing else is
    if runs.empty:
        st.info(
            f"No run under {protocol.title} is stored. Import one, and its first item is shown "
            "here inside the message.",
            icon=":material/upload_file:",
        )
        return
    first = queries.run_items(store, str(runs["run_id"].iloc[0]), limit=1)
    item = load_item(store, str(first["item_id"].iloc[0]))
    mark = mark_for(prompt, item)
    form = ReplyForm.TEXT
    if has_reply_forms(prompt):
        form = ReplyForm(bound_segments("form", "Replies as", REPLY_FORM_TITLES))
    show_message(write_message(prompt, protocol, item, mark, form))


def check_prompt_file(store: Store, protocol: Protocol) -> None:
    st.markdown(
        "Bring your own wording: YAML with a `template` and `{{named}}` slots, or plain text with "
        "empty `{}` slots. Nothing is stored; the file is read, checked and shown."
    )
    st.markdown("Slots that can be filled: " + ", ".join(f"`{s}`" for s in protocol.prompt.slots))
    file = st.file_uploader(
        "Prompt file", type=["yaml", "yml", "txt", "md"], max_upload_size=1, key="prompt_file"
    )
    if file is None:
        return
    try:
        prompt = load_prompt(file.name, file.getvalue(), protocol)
    except ReviewError as problem:
        show_problem(problem)
        return
    st.success(f"{plain(file.name)} fits {protocol.title}.", icon=":material/check:")
    show_prompt(prompt)
    show_sent(store, protocol, prompt)


def show_prompts(store: Store, protocol: Protocol) -> None:
    """Every version, how far each agrees with the raters, and what changed between two."""
    runs = read_selection().runs
    versions = prompt_queries.load_versions(store, protocol, runs)
    if st.button("Try a prompt on the most disputed items", icon=":material/science:"):
        open_page("try_prompt", Selection(protocol=protocol.key, runs=runs))
    show_sample_left_out(
        find_left_out_sample_runs(store, Selection(protocol=protocol.key, runs=runs))
    )
    show_versions(versions)
    st.markdown("## Agreement with raters, by version")
    criterion = choose_criterion(protocol)
    found = prompt_queries.load_version_agreement(store, protocol, criterion, runs)
    show_version_agreement(found, versions, criterion)
    st.markdown("## What changed")
    show_two_versions(versions)


with frame("Protocols", shared_store) as store:
    titles = {key: each.title for key, each in PROTOCOLS.items()}
    usual = choose_default_protocol(load_filter_values(store), PROTOCOLS)
    protocol = PROTOCOLS[bound_segments("protocol", "Protocol", titles, usual=usual)]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(protocol.purpose, width="stretch")
        view = bound_segments("view", "Shown", VIEWS)
    if view == "raters":
        show_for_raters(protocol)
    elif view == "judges":
        show_prompt(protocol.prompt)
        show_sent(store, protocol, protocol.prompt)
    elif view == "prompts":
        show_prompts(store, protocol)
    else:
        check_prompt_file(store, protocol)
