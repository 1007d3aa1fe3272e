"""Commands of cli.py run here, where a process of its own would be mostly imports."""

import contextlib
import io

import cli


def run_command(*words: object, code: int = 0) -> str:
    """What a command prints, which must end with this code."""
    told, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(complained):
        try:
            ended = cli.main([str(each) for each in words])
        except SystemExit as bad_use:  # the parser's own way to refuse
            ended = bad_use.code
    assert ended == code, told.getvalue() + complained.getvalue()
    return told.getvalue() or complained.getvalue()
