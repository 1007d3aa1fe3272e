"""Start child processes of the app, exchange JSON lines with them, and end them with their parent.

`send_to_parent`, `exit_with_parent` and `lower_priority` are called in the child process, all
other functions in the parent.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

_ROOT = Path(__file__).resolve().parents[2]
_BARE = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}  # no keys, no settings of the server
_NICE = 10  # about a tenth of what a page gets that wants the same core

Child = subprocess.Popen[str]


def start_child(
    module: str, complaints: IO[bytes], settings: Mapping[str, str] | None = None
) -> Child:
    """Run a module of ours in a process group of its own, with nothing of the server's to read.

    Args:
        module: its name.
        complaints: takes what the child writes to its standard error. A file and not a pipe: a
            child that says much before it dies must not wait for a reader.
        settings: variables that it needs after all; PYTHONPATH counts only when given here.
    """
    return subprocess.Popen(
        [sys.executable, "-s", "-m", module],
        cwd=_ROOT,
        env=_BARE | dict(settings or {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        start_new_session=True,
        text=True,
        encoding="utf-8",
    )


def send_message(child: Child, said: object) -> None:
    if child.stdin:
        try:
            child.stdin.write(json.dumps(said) + "\n")
            child.stdin.flush()
        except BrokenPipeError:
            return  # it is dead; its output and exit code tell why


def read_messages(child: Child) -> Iterator[dict[str, Any]]:
    """What the child says, line by line, until it ends or is cut off in mid-word."""
    for line in child.stdout or ():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            return


def _kill_child(child: Child) -> None:
    """End the child and what it started, unless it has ended."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)


@contextlib.contextmanager
def end_child_after(child: Child, seconds: float) -> Iterator[None]:
    """End the child when this takes longer."""
    watch = threading.Timer(seconds, _kill_child, (child,))
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def close_child(child: Child) -> int:
    """End the child and give back what it holds; its exit code."""
    _kill_child(child)
    code = child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe:
            with contextlib.suppress(BrokenPipeError):  # what it no longer read
                pipe.close()
    return code


def send_to_parent(said: Mapping[str, Any]) -> None:
    """Tell the parent."""
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def exit_with_parent(parent: int) -> None:
    """End this process when its parent is gone: nobody waits for its work any more."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def lower_priority() -> None:
    """Let people at the pages go first."""
    os.nice(_NICE)
    # Linux may share its time among whole sessions first, and this process leads one of its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(_NICE))
