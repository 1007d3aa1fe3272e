"""Form for an import: files to import, file format, annotators and other options."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from components.importing.view import Format
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import AuthorKind

RECOGNISE = ""
SIGNED_AS = {"": "As the file says", AuthorKind.RATER: "A rater", AuthorKind.JUDGE: "A judge"}


class ImportChoice(NamedTuple):
    """What was chosen for an import; empty parts leave the matter to the file."""

    importer: str = ""
    protocol: str = ""
    system: str = ""
    author: str = ""
    author_kind: str = ""
    mapping: Mapping[str, str] = {}
    kinds: Mapping[str, str] = {}  # annotator -> rater or judge, where names leave it open


def choose_files() -> list[UploadedFile]:
    """Files to import, once the person says that these are all."""
    files = st.file_uploader(
        "Files",
        accept_multiple_files=True,
        key="files",
        label_visibility="collapsed",
    )
    ready = st.button(
        "Continue",
        type="primary",
        icon=":material/arrow_forward:",
        disabled=not files,
        help=None if files else "Choose one or more files first.",
    )
    return list(files) if files and ready else []


def choose_options(
    formats: Sequence[Format], protocols: Mapping[str, Protocol], before: ImportChoice, key: str
) -> ImportChoice:
    """The options of an import, beginning with what was chosen before."""
    titles = {RECOGNISE: "Recognise it", **{each.key: each.title for each in formats}}
    about = {each.key: each.about for each in formats}
    left, middle = st.columns(2)
    importer = left.selectbox(
        "Format",
        list(titles),
        index=list(titles).index(before.importer),
        format_func=titles.__getitem__,
        key=f"format_{key}",
    )
    left.caption(about.get(importer, "The format is told from the files themselves."))
    is_mapped = importer == "table"  # its columns have roles only under a protocol
    names = {"": "Choose one" if is_mapped else "As the file says"}
    names |= {each.key: each.title for each in protocols.values()}
    protocol = middle.selectbox(
        "Protocol",
        list(names),
        index=list(names).index(before.protocol),
        format_func=names.__getitem__,
        key=f"protocol_{key}",
    )
    middle.caption(
        "A column mapping needs one: it says which answers the columns can hold."
        if is_mapped
        else "Needed only where a file does not say it, or fits several."
    )
    one, two, three = st.columns(3)
    return ImportChoice(
        importer=importer,
        protocol=protocol,
        system=_ask_word(one, "System", before.system, f"system_{key}", "Whose outputs these are"),
        author=_ask_word(
            two, "Signed by", before.author, f"author_{key}", "For answers without one"
        ),
        author_kind=three.selectbox(
            "Signed as",
            list(SIGNED_AS),
            index=list(SIGNED_AS).index(before.author_kind),
            format_func=SIGNED_AS.__getitem__,
            key=f"kind_{key}",
        ),
    )


def _ask_word(place: DeltaGenerator, label: str, value: str, key: str, hint: str) -> str:
    typed = place.text_input(label, value, placeholder=hint, max_chars=120, key=key)
    return (typed or "").strip()
