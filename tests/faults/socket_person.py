"""A person at the app's WebSocket: opens a page, reads what it draws, and changes its widgets.

As a browser does, it sends the whole state of the page's widgets with every event, and it can send
the next event, or hang up, before the first one is answered.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

SECONDS = 60
WHOLE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class SocketPerson:
    """One browser tab, without the browser."""

    def __init__(self, url: str, page: str, query: str) -> None:
        self._open = ExitStack()
        stream = url.replace("http", "ws", 1) + "/_stcore/stream"
        self._socket = self._open.enter_context(
            connect(
                stream, subprotocols=["streamlit"], origin=url, max_size=None, close_timeout=0.2
            )
        )
        self._page, self._query = page, query
        self._states: dict[str, WidgetState] = {}
        self._fragments: dict[str, str] = {}
        self.components: dict[str, dict[str, Any]] = {}  # by name: what it was given, and its id
        self.said: list[str] = []

    def __enter__(self) -> "SocketPerson":
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()

    def hang_up(self) -> None:
        self._open.close()

    def send(self, fragment: str = "") -> None:
        """Ask for a run of the page, or of one fragment, with the widgets as they stand."""
        asked = BackMsg()
        asked.rerun_script.query_string = self._query
        asked.rerun_script.page_name = self._page
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.widget_states.widgets.extend(self._states.values())
        self._socket.send(asked.SerializeToString())

    def change(self, component: str, value: dict[str, Any]) -> None:
        """Let a component report a value, and send it at once."""
        found = self.components[component]
        self._states[found["id"]] = WidgetState(id=found["id"], json_value=json.dumps(value))
        self.send(found["fragment"])

    def wait(self) -> None:
        """Read until a run has ended by itself, not by the next event."""
        for message in self._messages():
            is_end = message.WhichOneof("type") == "script_finished"
            if is_end and message.script_finished in WHOLE:
                return

    def _messages(self) -> Iterator[ForwardMsg]:
        while True:
            message = ForwardMsg.FromString(self._socket.recv(timeout=SECONDS))
            if message.WhichOneof("type") == "delta" and message.delta.HasField("new_element"):
                self._look(message.delta)
            yield message

    def _look(self, delta: Any) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "bidi_component":
            drawn = element.bidi_component
            given = json.loads(drawn.json) if drawn.json else {}
            self.components[drawn.component_name] = {
                "id": drawn.id,
                "fragment": delta.fragment_id,
                "given": given,
            }
        elif kind == "alert":
            self.said.append(element.alert.body)
