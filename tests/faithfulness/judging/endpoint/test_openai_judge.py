"""The real client against a real server on loopback: every fault ends as it should."""

import json
import logging
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import replace
from pathlib import Path

import pytest

from faithfulness.judging.endpoint.key import Key
from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge
from faithfulness.judging.judge import question, read_reply
from faithfulness.judging.prompt_file import load_prompt
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.prompt import ReplyForm, add_trap_version, edit_prompt, select_template
from faithfulness.protocols import PROTOCOLS, protocol
from tests.example_items import example_of, item_of
from tests.faithfulness.judging.conftest import CANARY, LOOPBACK
from tests.loopback_judge import FAULTS, LoopbackJudge

ROOT = Path(__file__).resolve().parents[4]


def failure_of(judge, asked) -> JudgeFailed:
    with pytest.raises(JudgeFailed) as caught:
        judge.ask(asked)
    return caught.value


def all_that_shows(asking, told) -> str:
    """The reply, or the failure with its attributes, its chain and the locals of its frames."""
    try:
        return repr(asking.ask(told))
    except JudgeFailed as failure:
        chained = (repr(failure.__cause__), repr(failure.__context__))
        frames = traceback.TracebackException.from_exception(failure, capture_locals=True)
        return "\n".join((repr(failure), str(vars(failure)), *chained, *frames.format()))


@pytest.mark.parametrize("key", PROTOCOLS)
@pytest.mark.parametrize("structured", ["auto", "text"])
def test_every_protocol_is_asked_and_read(judge, asked, key, structured):
    told = asked(key)
    reply = judge("good", structured=structured).ask(told)
    reading = read_reply(told, reply)
    assert reading.answers
    assert not [each.problem for each in reading.answers if each.is_unread]
    assert not reading.notes
    assert (reply.model, reply.finish_reason) == ("good", "stop")
    assert (reply.tokens_in, reply.tokens_out) == (100, 20)
    assert reply.seconds > 0
    assert reply.fingerprint == told.prompt.fingerprint


@pytest.mark.parametrize(
    ("model", "kind", "may_retry"),
    [
        ("rate_limit", "rate_limit", True),
        ("quota", "quota", False),
        ("bad_key", "key", False),
        ("masked_key", "key", False),
        ("forbidden", "key", False),
        ("no_model", "model", False),
        ("server:500", "server", True),
        ("server:503", "server", True),
        ("server:529", "server", True),
        ("too_long", "too_long", False),
        ("no_temperature", "request", False),
        ("cut", "connection", True),
        ("html", "not_a_reply", True),
        ("error_200", "not_a_reply", True),
        ("broken_json", "not_a_reply", True),
        ("deep_json", "not_a_reply", True),
        ("other_json", "not_a_reply", True),
        ("no_choices", "not_a_reply", True),
        ("null_choices", "not_a_reply", True),
        ("odd_choice", "not_a_reply", True),
        ("empty_body", "not_a_reply", True),
        ("key_in_page", "not_a_reply", True),
        ("packed", "not_a_reply", False),
        ("huge", "too_large", False),
    ],
)
def test_a_fault_is_named_after_one_request(server, judge, asked, model, kind, may_retry):
    failure = failure_of(judge(model, structured="text"), asked())
    assert (failure.kind, failure.may_retry) == (kind, may_retry)
    assert str(failure).count(". ") >= 1, "what happened, and what to do"
    assert len(server.asked_of(model)) == 1


def test_what_the_endpoint_says_is_passed_on(judge, asked):
    assert "worker died" in str(failure_of(judge("error_200"), asked()))
    assert "Sign in Gateway" in str(failure_of(judge("html"), asked()))
    assert "overloaded" in str(failure_of(judge("server"), asked()))
    assert "8192 tokens" in str(failure_of(judge("too_long"), asked()))


@pytest.mark.parametrize(
    ("said", "seconds"), [("2", 2.0), ("3600", 3600.0), ("0.5", 0.5), ("-1", None), ("soon", None)]
)
def test_the_wait_an_endpoint_asks_for_is_told(judge, asked, said, seconds):
    failure = failure_of(judge(f"rate_limit:{said}"), asked())
    assert failure.retry_after == seconds
    assert failure.may_retry


def test_only_what_nobody_can_wait_out_stops_a_batch(judge, asked):
    stops = {
        model: failure_of(judge(model), asked()).stops_batch
        for model in ("quota", "bad_key", "no_model", "rate_limit", "server", "too_long", "html")
    }
    assert [model for model, stop in stops.items() if stop] == ["quota", "bad_key", "no_model"]


@pytest.mark.parametrize("model", ["hang", "drip:0.2"])
def test_one_time_limit_covers_hanging_and_dripping(judge, asked, model):
    asking = judge(model, wall_seconds=1.0)
    asking._open()
    began = time.monotonic()
    failure = failure_of(asking, asked())
    assert 0.9 <= time.monotonic() - began < 3
    assert (failure.kind, failure.may_retry, failure.may_be_paid) == ("timeout", True, True)
    assert "may have done the work" in str(failure)


def test_a_call_under_way_can_be_stopped_and_the_judge_asked_again(server, asked):
    key = Key(CANARY, base_url=server.base_url)
    asking = OpenAIJudge(Endpoint(base_url=server.base_url, model="hang*1"), key, allowed=LOOPBACK)
    asking._open()
    failures = []

    def call():
        failures.append(failure_of(asking, asked()))

    thread = threading.Thread(target=call)
    thread.start()
    while not server.asked_of("hang*1"):
        time.sleep(0.01)
    began = time.monotonic()
    asking.stop()
    thread.join(5)
    assert time.monotonic() - began < 2
    assert failures[0].kind == "stopped"
    assert read_reply(asked(), asking.ask(asked())).answers


@pytest.mark.soak
def test_a_huge_reply_is_not_taken_into_memory():
    code = (
        "import resource, sys; sys.path.insert(0, '.')\n"
        "from tests.faithfulness.judging.conftest import *\n"
        "from faithfulness.model.errors import JudgeFailed\n"
        "base = sys.argv[1]\n"
        "def ask(model):\n"
        "    judge = OpenAIJudge(Endpoint(base_url=base, model=model), allowed=LOOPBACK)\n"
        "    item, _, _ = example_of(protocol('sentence_grounding'))\n"
        "    return judge.ask(question(protocol('sentence_grounding'), item))\n"
        "ask('good')\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n"
        "    ask('huge:120000000')\n"
        "except JudgeFailed as failure:\n"
        "    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    print(failure.kind, (after - before) // 1024)\n"
    )
    with LoopbackJudge() as server:
        command = [sys.executable, "-c", code, server.base_url]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    kind, megabytes = done.stdout.split()
    assert kind == "too_large"
    assert int(megabytes) < 100


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ("empty", "sent no text"),
        ("null", "sent no text"),
        ("refusal", "refused"),
        ("filtered", "content filter"),
        ("tool", "called a tool"),
        ("no_room", "cut off"),
    ],
)
@pytest.mark.parametrize("key", PROTOCOLS)
def test_a_reply_without_an_answer_is_unread_everywhere(judge, asked, model, problem, key):
    told = asked(key)
    reading = read_reply(told, judge(model).ask(told))
    required = [each.key for each in told.protocol.criteria if each.required]
    units = [unit.id for unit in told.item.units_of(told.protocol.unit)]
    found = {(each.unit_id, each.criterion) for each in reading.answers if each.is_unread}
    assert {(unit, criterion) for unit in units for criterion in required} <= found
    assert all(problem in each.problem for each in reading.answers)


@pytest.mark.parametrize("structured", ["auto", "text"])
def test_of_a_reply_cut_off_whole_objects_count(judge, asked, structured):
    told = asked()
    whole = read_reply(told, judge("good", structured=structured).ask(told)).answers
    cut = read_reply(told, judge("length", structured=structured).ask(told)).answers
    assert [each.value for each in cut][:2] == [each.value for each in whole][:2]
    assert [each.value for each in cut][2:] == [None, None]
    assert all("cut off" in each.problem for each in cut[2:])


@pytest.mark.parametrize("key", ["comparative_summary", "response_consistency", "expert_rubric"])
def test_an_answer_about_the_whole_response_is_unread_when_cut_off(judge, asked, key):
    told = asked(key)
    reading = read_reply(told, judge("length").ask(told))
    assert {each.value for each in reading.answers} == {None}
    assert all("cut off" in each.problem for each in reading.answers)


def test_another_model_and_odd_counts_are_stored_as_said(judge, asked):
    reply = judge("other_model").ask(asked())
    assert (reply.model, reply.tokens_in, reply.tokens_out) == ("another-model", None, None)
    assert not [each for each in read_reply(asked(), reply).answers if each.value]


def test_text_that_comes_in_parts_is_joined(judge, asked):
    told = asked()
    assert all(each.value for each in read_reply(told, judge("parts").ask(told)).answers)


def test_a_schema_is_sent_and_given_up_once_per_endpoint(asked):
    with LoopbackJudge(schema=False) as plain:
        endpoint = Endpoint(base_url=plain.base_url, model="good")
        for _ in range(3):
            told = asked()
            reply = OpenAIJudge(endpoint, allowed=LOOPBACK).ask(told)
            assert all(each.value for each in read_reply(told, reply).answers)
        assert ["response_format" in each.body for each in plain.asked] == [
            True,
            False,
            False,
            False,
        ]
        strict = Endpoint(base_url=plain.base_url, model="good", structured="schema")
        assert failure_of(OpenAIJudge(strict, allowed=LOOPBACK), asked()).kind == "request"


LINES, LIST = "each on a line of its own", "Its list `units` holds one object per unit"


@pytest.mark.parametrize("key", ["sentence_grounding", "claim_overlap"])
def test_a_judge_is_given_one_instruction_on_the_form_of_its_reply(server, judge, asked, key):
    for structured, instruction, other in (("auto", LIST, LINES), ("text", LINES, LIST)):
        model = f"form-{structured}-{key}"
        judge(model, structured=structured).ask(asked(key))
        body = server.asked_of(model)[0].body
        told = " ".join(each["content"] for each in body["messages"])
        assert (told.count(instruction), told.count(other)) == (1, 0)
        assert ("response_format" in body) == (structured == "auto")
        assert "{{" not in told
        assert "units" not in body["messages"][0]["content"]


def test_an_endpoint_that_gives_up_the_schema_is_told_to_write_lines(asked):
    with LoopbackJudge(schema=False) as plain:
        asking = OpenAIJudge(Endpoint(base_url=plain.base_url, model="lines"), allowed=LOOPBACK)
        asking.ask(asked())
        with_schema, without = (each.body["messages"][-1]["content"] for each in plain.asked)
        assert LIST in with_schema
        assert LINES in without


def test_a_prompt_that_asks_for_lines_only_is_sent_without_a_schema(server, judge):
    grounding = protocol("sentence_grounding")
    template = select_template(grounding.prompt.template, ReplyForm.TEXT)
    older = replace(grounding.prompt, version="an older one", template=template)
    item, _, _ = example_of(grounding)
    judge("older").ask(question(grounding, item, older))
    body = server.asked_of("older")[0].body
    assert "response_format" not in body
    assert LINES in body["messages"][-1]["content"]


@pytest.mark.parametrize("key", PROTOCOLS)
@pytest.mark.parametrize("structured", ["auto", "text"])
def test_a_judge_that_leaves_the_mark_out_is_read_with_a_note(judge, asked, key, structured):
    told = asked(key)
    reading = read_reply(told, judge("no_mark", structured=structured).ask(told))
    assert reading.answers
    assert all(each.value for each in reading.answers)
    (note,) = reading.notes
    assert note.startswith("without mark: ")


@pytest.mark.parametrize("key", ["sentence_grounding", "claim_overlap"])
def test_with_traps_a_reply_without_the_mark_must_answer_them_too(judge, key):
    chosen = protocol(key)
    item, _, _ = example_of(chosen)
    told = question(chosen, item, add_trap_version(chosen.prompt))
    reply = judge("no_mark").ask(told)
    reading = read_reply(told, reply)
    assert all(each.value for each in reading.answers)
    assert [each.unit_id for each in reading.answers] == [unit.id for unit in item.units]
    assert any(note.startswith("without mark: ") for note in reading.notes)
    units = json.loads(reply.text)["units"]
    without = json.dumps({"units": units[1:]})
    assert not any(each.value for each in read_reply(told, replace(reply, text=without)).answers)


@pytest.mark.parametrize("key", PROTOCOLS)
@pytest.mark.parametrize("structured", ["auto", "text"])
def test_a_judge_that_repeats_the_prompts_example_has_not_answered(judge, asked, key, structured):
    told = asked(key)
    reading = read_reply(told, judge("echo", structured=structured).ask(told))
    assert not any(each.value for each in reading.answers)
    assert all("prompt's own example" in each.problem for each in reading.answers)


def test_a_judge_that_repeats_the_example_of_an_edited_prompt_has_not_answered(judge, asked):
    rubric = protocol("expert_rubric")
    template = rubric.prompt.template.replace("one verb form is wrong", "a verb is wrong")
    prompt = edit_prompt(rubric.prompt, system="", template=template)
    assert prompt is not rubric.prompt
    item, _, _ = example_of(rubric)
    told = question(rubric, item, prompt)
    assert not any(each.value for each in read_reply(told, judge("echo").ask(told)).answers)


def test_a_users_own_prompt_is_sent_as_it_is(server, judge):
    grounding = protocol("sentence_grounding")
    item, _, _ = example_of(grounding)
    mine = load_prompt("mine.txt", b"Judge {{response}} by {{context}}.", grounding)
    reply = judge("mine").ask(question(grounding, item, mine))
    body = server.asked_of("mine")[0].body
    assert "response_format" not in body
    assert [each["role"] for each in body["messages"]] == ["user"]
    assert body["messages"][0]["content"].startswith("Judge The Orla holds 1.2 litres.")
    assert reply.fingerprint == mine.fingerprint


def test_settings_reach_the_endpoint(server, judge, asked):
    asking = judge("settings", seed=7, temperature=0.3, max_tokens=50, extra={"top_k": 5})
    asking.ask(asked(), sample=2)
    body = server.asked_of("settings")[0].body
    assert (body["seed"], body["temperature"], body["max_tokens"], body["top_k"]) == (9, 0.3, 50, 5)
    settings = dict(asking.settings)
    assert settings["model"] == "settings"
    assert settings["host"] == f"127.0.0.1:{server.port}"
    assert settings["extra"] == '{"top_k": 5}'
    assert all(isinstance(each, str) for each in settings.values())
    bare = judge("bare", temperature=None)
    bare.ask(asked())
    body = server.asked_of("bare")[0].body
    assert set(body) == {"model", "messages", "response_format"}


def test_the_newer_name_of_the_token_limit_is_found(server, judge, asked):
    for _ in range(2):
        judge("new_limit", max_tokens=50).ask(asked())
    names = [
        sorted(set(each.body) & {"max_tokens", "max_completion_tokens"})
        for each in server.asked_of("new_limit")
    ]
    assert names == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


@pytest.mark.parametrize("name", ["stream", "messages", "tools", "api_key", "X-Authorization"])
def test_an_extra_parameter_cannot_change_the_call(judge, name):
    with pytest.raises(JudgeFailed, match="extra parameter"):
        judge("good", extra={name: True})


def test_a_key_cannot_hide_inside_an_extra_parameter(judge):
    with pytest.raises(JudgeFailed, match="extra parameter 'api_key'"):
        judge("good", extra={"provider": [{"order": ["a"]}, {"api_key": CANARY}]})
    judge("good", extra={"chat_template_kwargs": {"tools": False}})


def test_a_redirect_is_not_followed(judge, asked):
    with LoopbackJudge() as second:
        failure = failure_of(judge(f"redirect:{second.port}"), asked())
        assert failure.kind == "address"
        assert second.asked == []


def test_an_endpoint_that_is_not_there_is_named(asked):
    with LoopbackJudge() as server:
        gone = server.base_url
    asking = OpenAIJudge(Endpoint(base_url=gone, model="good"), allowed=LOOPBACK)
    failure = failure_of(asking, asked())
    assert (failure.kind, failure.may_retry, failure.may_be_paid) == ("connection", True, False)
    assert "cannot be reached" in str(failure)


def test_nothing_from_the_environment_is_sent(server, asked, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "sk-from-the-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Secret: sk-from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    endpoint = Endpoint(base_url=server.base_url, model="no_key")
    OpenAIJudge(endpoint, allowed=LOOPBACK).ask(asked())
    headers = server.asked_of("no_key")[0].headers
    assert "authorization" not in headers
    assert "sk-from-the-environment" not in json.dumps(headers)


def test_a_key_goes_to_its_own_address_only(server, asked):
    key = Key(CANARY, base_url="https://api.openai.com/v1")
    endpoint = Endpoint(base_url=server.base_url, model="foreign_key")
    with pytest.raises(JudgeFailed, match="Enter the key for that address"):
        OpenAIJudge(endpoint, key, allowed=LOOPBACK)
    assert server.asked_of("foreign_key") == []


def test_the_key_is_nowhere_but_on_the_wire(server, judge, asked, caplog):
    """No text, log record, traceback with its locals, or attribute of an error holds the key."""
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2"):
        caplog.set_level(logging.DEBUG, logger=name)
    seen = []
    for fault in (*FAULTS, "good"):
        asking = judge(fault if fault != "redirect" else "redirect:9", wall_seconds=0.6)
        seen += [repr(asking), str(vars(asking)), str(dict(asking.settings))]
        seen.append(all_that_shows(asking, asked()))
    seen += [record.getMessage() + str(record.__dict__) for record in caplog.records]
    text = "\n".join(seen)
    assert any(each.headers.get("authorization") == f"Bearer {CANARY}" for each in server.asked)
    assert CANARY not in text
    for start in range(3, len(CANARY) - 8):
        assert CANARY[start : start + 8] not in text.replace("sk-proj-", "")
    assert "XYZW" not in text


@pytest.mark.parametrize("key", PROTOCOLS)
def test_half_letters_and_impossible_counts_do_not_reach_the_store(judge, asked, key):
    told = asked(key)
    reply = judge("half_letters").ask(told)
    reading = read_reply(told, reply)
    json.dumps([str(reply), str(reading)], ensure_ascii=False).encode("utf-8")
    assert (reply.tokens_in, reply.tokens_out) == (None, 20)
    assert reading.answers
    assert not [each for each in reading.answers if each.is_unread]


def test_texts_are_not_logged(judge, caplog):
    caplog.set_level(logging.DEBUG)
    grounding = protocol("sentence_grounding")
    item = item_of("The canary sings at dawn.", context="Canaries sing at dusk.")
    judge("good").ask(question(grounding, item))
    told = "\n".join(record.getMessage() for record in caplog.records)
    assert "judge good asked about item test" in told
    assert "canary" not in told.lower()


def test_many_threads_share_one_judge(server, judge, asked):
    asking = judge("threads")
    readings = []

    def call():
        told = asked()
        readings.append(read_reply(told, asking.ask(told)))

    threads = [threading.Thread(target=call) for _ in range(24)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert len(readings) == 24
    assert all(answer.value for reading in readings for answer in reading.answers)


def test_the_client_is_loaded_only_when_a_model_is_asked():
    code = (
        "import sys\n"
        "import faithfulness.judging.endpoint.openai_judge, faithfulness.judging.prices\n"
        "print(sorted({'openai', 'httpx2', 'httpcore2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
