"""Temporary copies of uploaded files, stored under generated names until they are discarded."""

import secrets
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

KEPT = 20


class UploadedCopy(NamedTuple):
    """One uploaded file: what its owner calls it, and where our copy lies."""

    name: str
    path: Path
    size: int


class Upload:
    """Files uploaded together, and what the import page has found out about them."""

    def __init__(self, files: Iterable[UploadedFile]) -> None:
        self.id = secrets.token_hex(16)
        self._folder = tempfile.TemporaryDirectory(prefix="plumbline-upload-")
        # A browser sends any name it likes, so the name is only ever shown.
        self.files = tuple(self._copy(number, file) for number, file in enumerate(files))
        self.work_id = ""
        self.facts: dict[str, Any] = {}

    @property
    def named_paths(self) -> list[tuple[str, Path]]:
        return [(each.name, each.path) for each in self.files]

    def fact(self, name: str, find_out: Callable[[], Any]) -> Any:
        """Something about the files, found out once."""
        if name not in self.facts:
            self.facts[name] = find_out()
        return self.facts[name]

    def new_folder(self) -> Path:
        """An empty folder that goes when the upload goes."""
        return Path(tempfile.mkdtemp(dir=self._folder.name))

    def discard(self) -> None:
        _get_uploads().pop(self.id, None)
        self._folder.cleanup()

    def _copy(self, number: int, file: UploadedFile) -> UploadedCopy:
        path = Path(self._folder.name) / f"upload-{number}"
        path.write_bytes(file.getbuffer())
        return UploadedCopy(file.name, path, path.stat().st_size)


@st.cache_resource
def _get_uploads() -> dict[str, Upload]:
    return {}


def keep(files: Iterable[UploadedFile]) -> Upload:
    upload = Upload(files)
    uploads = _get_uploads()
    uploads[upload.id] = upload
    for key in list(uploads)[:-KEPT]:
        uploads.pop(key).discard()
    return upload


def find(upload_id: str) -> Upload | None:
    return _get_uploads().get(upload_id)
