"""A reviewer at the app's WebSocket, who reads pages by their address and signs sheets of Rate.

No browser takes part: what is timed is the server, from the event to the end of its run, with every
message of the answer received and read.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.faults.socket_person import SocketPerson

FORM, COURIER, NAME = "plumbline_rating_form", "plumbline_rating_courier", "plumbline_rater"
ANSWER = {"label": {"value": "no_rad", "rationale": "", "comment": "", "excerpts": []}}

# Lists and their filters, as people go through them.
FILTERS = (
    ("", {}),
    ("contradictions", {}),
    ("contradictions", {"author": "judge:north"}),
    ("contradictions", {"agreement": "judge_alone"}),
    ("contradictions", {"words": "kettle holds"}),
    ("disagreements", {}),
    ("disagreements", {"kind": "judge_raters"}),
    ("disagreements", {"system": "assistant 1"}),
    ("agreement", {"protocol": "sentence_grounding"}),
    ("agreement", {"protocol": "sentence_grounding", "system": "assistant 1"}),
    ("distributions", {}),
    ("distributions", {"system": "assistant 2"}),
)


class Signed(NamedTuple):
    """A sheet that the page acknowledged."""

    rater: str
    item_id: str


class Reviewer(SocketPerson):
    """One tab of one person."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, "", "")
        self.name = name
        self.problems: list[str] = []  # what a person would see as an error
        self.kept: list[str] = []  # ids of key presses that the page acknowledged
        self.signed: list[Signed] = []
        self._log: list[dict[str, Any]] = []
        self._page_hash = ""

    def send(self, fragment: str = "") -> None:
        """Ask for a run; once a page is open it is named by its hash, as a browser does."""
        asked = BackMsg()
        asked.rerun_script.query_string = self._query
        if self._page_hash:
            asked.rerun_script.page_script_hash = self._page_hash
        else:
            asked.rerun_script.page_name = self._page
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.widget_states.widgets.extend(self._states.values())
        self._socket.send(asked.SerializeToString())

    def look(self, page: str, query: str = "") -> None:
        """Open a page, or change the address of the page that is open, as a filter does."""
        if page != self._page:
            self._states.clear()
            self.components.clear()
            self._page_hash = ""
        self._page, self._query = page, query
        self.send()
        self.wait()

    def begin_rating(self, run_id: str) -> None:
        self.look("rate", f"run={run_id}")
        self.change(NAME, {"name": self.name})
        self.wait()
        self._log = []

    def press(self) -> None:
        """Answer the next sentence of the sheet, as one key does."""
        given = self.sheet
        unit = given["units"][len(self._log) % len(given["units"])]
        said = self._say({"kind": "set", "unit": unit["id"], "state": ANSWER})
        if self.told["ack"] >= said["seq"]:
            self.kept.append(said["id"])
        else:
            self.problems.append(f"a key press was not kept: {self.told}")

    def sign(self) -> None:
        """Answer what is left of the sheet and sign it; the page then opens the next item."""
        given, form = self.sheet, self.components[FORM]["id"]
        done = {each["unit"] for each in self._log}
        for unit in given["units"]:
            if unit["id"] not in done:
                self._note({"kind": "set", "unit": unit["id"], "state": ANSWER})
        ids = [each["id"] for each in self._log]
        self._say({"kind": "sign", "unit": "", "times": {}})
        if self.sheet["item"] != given["item"]:
            self.kept += [each for each in ids if each not in self.kept]
            self.signed.append(Signed(self.name, given["item"]))
            self._log = []
            del self._states[form]  # it is on no screen any more
        else:
            self.problems.append(f"a sheet was not signed: {self.told}")

    @property
    def sheet(self) -> dict[str, Any]:
        found: dict[str, Any] = self.components[FORM]["given"]
        return found

    @property
    def told(self) -> dict[str, Any]:
        """What the page says became of the last event."""
        found: dict[str, Any] = self.components[COURIER]["given"]
        return found

    def _note(self, said: dict[str, Any]) -> dict[str, Any]:
        seq = len(self._log) + 1
        entry = {"seq": seq, "id": f"{self.sheet['visit']}.{seq}", "seconds": 1.0, **said}
        self._log.append(entry)
        return entry

    def _say(self, said: dict[str, Any]) -> dict[str, Any]:
        entry = self._note(said)
        self.change(FORM, {"log": self._log})
        self.wait()
        return entry

    def _messages(self) -> Iterator[ForwardMsg]:
        for message in super()._messages():
            kind = message.WhichOneof("type")
            if kind == "page_info_changed":  # the page wrote into its address; a browser follows
                self._query = message.page_info_changed.query_string
            elif kind == "navigation":
                self._page_hash = message.navigation.page_script_hash
            elif kind == "session_event" and message.session_event.HasField(
                "script_compilation_exception"
            ):
                self.problems.append(message.session_event.script_compilation_exception.message)
            yield message

    def _look(self, delta: Any) -> None:
        super()._look(delta)
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.problems.append(element.exception.message)
        elif kind == "alert" and element.alert.format == Alert.ERROR:
            self.problems.append(element.alert.body)
