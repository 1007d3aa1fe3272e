"""What the server's log says of faults."""

import re

# Streamlit's own: a tab that closes between two of its messages leaves this trace. Nobody is there
# any more who could notice it.
_HUNG_UP = re.compile(
    r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*\S+: WebSocket is not connected\..*"
)


def faults(said: str) -> int:
    """How many traces a log holds that are not of a tab that was closed."""
    return _HUNG_UP.sub("", said).count("Traceback")
