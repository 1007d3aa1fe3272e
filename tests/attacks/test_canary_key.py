"""A canary key goes to its endpoint and nowhere else: no file, log, export, output or traceback."""

import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.exporting import FORMATS, write_export
from data.judging import prompt_trials
from faithfulness.judging import rerun
from faithfulness.judging.endpoint.addresses import load_allowed_addresses
from faithfulness.judging.endpoint.key import Key
from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge
from faithfulness.judging.judge import JudgeQuestion, question
from faithfulness.judging.prompt_trial import AFTER, Trial
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.prompt import edit_prompt
from faithfulness.model.selection import Selection
from faithfulness.protocols import protocol
from tests.data.stored import ADA, NORTH, save_drafts, sentence_draft
from tests.example_items import example_of
from tests.loopback_judge import LoopbackJudge
from tests.made_stores import new_store

ROOT = Path(__file__).resolve().parents[2]
CANARY = "sk-proj-CANARYm4Vt83Qz61LpXw0sBn72"
RULES = protocol("sentence_grounding")
LOOPBACK = load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": "127.0.0.1"})
# What each of these does with the key it is sent stands in tests/loopback_judge.py.
TELLTALES = ("good", "bad_key", "masked_key", "key_in_page", "key_in_reply")
# All of the program at its most talkative, as an operator who looks for an error would set it.
LOUD = (
    "import json, logging, sys; logging.basicConfig(level=logging.DEBUG); "
    "logging.debug('it is on'); import cli; "
    "print([cli.main(words) for words in json.loads(sys.argv[1])])"
)


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackJudge]:
    with LoopbackJudge() as running:
        yield running


def judge_at(server: LoopbackJudge, model: str, **more: object) -> OpenAIJudge:
    endpoint = Endpoint(base_url=server.base_url, model=model, **more)
    return OpenAIJudge(endpoint, Key(CANARY, base_url=server.base_url), allowed=LOOPBACK)


def asked() -> JudgeQuestion:
    item, _, _ = example_of(RULES)
    return question(RULES, item)


def files_with_it(folder: Path) -> list[str]:
    files = [each for each in folder.rglob("*") if each.is_file()]
    assert files
    return [each.name for each in files if CANARY.encode() in each.read_bytes()]


def was_sent(server: LoopbackJudge, model: str) -> bool:
    sent = server.asked_of(model)
    return bool(sent) and all(each.headers["authorization"] == f"Bearer {CANARY}" for each in sent)


def everything_in(error: BaseException) -> str:
    """The traceback with its chain and every local variable, more than any log writes.

    Without the frame of the test itself, which has the key from the server's record in hand.
    """
    assert error.__traceback__ is not None
    own = error.__traceback__.tb_next
    told = traceback.TracebackException.from_exception(
        error.with_traceback(own), capture_locals=True
    )
    assert told.stack
    return "".join(told.format())


def test_commands_at_debug_level_leave_it_in_no_output_file_export_or_backup(tmp_path, server):
    store = tmp_path / "s.duckdb"
    opened = new_store(store)
    (run_id,) = save_drafts(opened, [sentence_draft(n, {ADA: ("supported",) * 3}) for n in (1, 2)])
    opened.close()
    commands = [
        ["judge", run_id, *(word for model in TELLTALES for word in ("--model", model))],
        *(["export", "--to", str(tmp_path / f"out.{kind}")] for kind in FORMATS),
        ["backup"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", LOUD, json.dumps([[*c, "--store", str(store)] for c in commands])],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env=os.environ
        | {
            "PLUMBLINE_JUDGE_KEY": CANARY,
            "PLUMBLINE_JUDGE_ADDRESS": server.base_url,
            "PLUMBLINE_JUDGE_ALLOW": "127.0.0.1",
            "OPENAI_LOG": "debug",
        },
    )
    said = done.stdout + done.stderr
    assert done.stdout.endswith(f"{[1, *(0 for _ in commands[1:])]}\n"), said
    assert "DEBUG:root:it is on" in said
    assert "INFO:faithfulness.judging" in said
    assert all(was_sent(server, model) for model in TELLTALES)
    assert CANARY not in said
    assert "Bearer" not in said
    assert files_with_it(tmp_path) == []


def test_a_kept_trial_leaves_it_in_no_file_and_no_log(tmp_path, server, caplog):
    caplog.set_level(logging.DEBUG)
    store = new_store(tmp_path / "s.duckdb")
    mild, good = ("supported",) * 3, ("supported", "contradictory", "no_rad")
    save_drafts(store, [sentence_draft(1, {ADA: good, NORTH: mild})])
    judge = judge_at(server, "key_in_reply:trial")
    strict = edit_prompt(RULES.prompt, system="Be strict.", template=RULES.prompt.template)
    cases = prompt_trials.load_disputed_cases(store, RULES.key, "label")
    trial = Trial(RULES, cases, judge, {AFTER: strict})
    trial.run()
    made = {"based_on": RULES.prompt.fingerprint, "note": "stricter", "made_by": "ada"}
    kept = prompt_trials.keep_trial(
        store, trial, trial_id="t", author=judge.author, settings=judge.settings, edited=made
    )
    assert kept == 1
    for kind in FORMATS:
        write_export(store, Selection(), kind, tmp_path / f"out.{kind}")
    store.close()
    assert was_sent(server, "key_in_reply:trial")
    assert caplog.records
    assert CANARY not in caplog.text
    assert files_with_it(tmp_path) == []


@pytest.mark.parametrize("model", ["bad_key:x", "masked_key:x", "key_in_page:x", "cut:x", "hang"])
def test_the_traceback_of_a_failure_does_not_hold_it_even_with_all_variables(server, model):
    judge = judge_at(server, model, wall_seconds=1.0 if model == "hang" else 20.0)
    with pytest.raises(JudgeFailed) as failed:
        judge.ask(asked())
    judge.close()
    assert was_sent(server, model)
    assert CANARY not in everything_in(failed.value)


def test_the_traceback_of_an_unexpected_error_does_not_hold_it(server):
    judge = judge_at(server, "good:unexpected")

    def broken(sample):
        raise RuntimeError("a defect of ours")

    with pytest.raises(RuntimeError, match="a defect of ours") as failed:
        rerun.ask_judge(asked(), judge, taken=broken)
    judge.close()
    assert was_sent(server, "good:unexpected")
    assert CANARY not in everything_in(failed.value)


def test_an_unexpected_error_on_the_wire_itself_does_not_write_it_into_the_log(server, caplog):
    """The client used outside of a call is a defect that the wire refuses, key already in hand."""
    judge = judge_at(server, "good:wire")
    client = judge._open()
    with pytest.raises(RuntimeError, match="outside of a call") as failed:
        client.chat.completions.create(model="good:wire", messages=[])
    logging.getLogger("plumbline").error("unexpected", exc_info=failed.value)
    judge.close()
    assert server.asked_of("good:wire") == []
    assert "Traceback" in caplog.text
    assert CANARY not in caplog.text


def test_what_a_judge_says_of_itself_does_not_hold_it(server):
    judge = judge_at(server, "good")
    shown = [repr(judge), str(judge.settings), json.dumps(dict(judge.settings)), repr(vars(judge))]
    assert not [each for each in shown if CANARY in each]
