"""Only the trace of a closed tab is let pass."""

from tests.server_log import faults

HUNG_UP = """Exception in ASGI application
Traceback (most recent call last):
  File "websocket.py", line 131, in receive
    raise WebSocketDisconnected('WebSocket is not connected. Need to call "accept" first.')
starlette.websockets.WebSocketDisconnected: WebSocket is not connected. Need to call "accept" first.
"""
FAULT = """Traceback (most recent call last):
  File "page.py", line 3, in show
    told = "WebSocket is not connected."
KeyError: 'run'
"""


def test_a_closed_tab_is_no_fault_and_everything_else_is_one():
    assert faults("") == 0
    assert faults(HUNG_UP) == 0
    assert faults(FAULT) == 1
    assert faults(HUNG_UP + FAULT + HUNG_UP + "told\n" + FAULT) == 2
    assert faults(FAULT + HUNG_UP) == 1
