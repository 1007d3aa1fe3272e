"""Which addresses a judge may have, in every spelling."""

import json

import pytest

from faithfulness.judging.endpoint.addresses import Allowed, check_address, load_allowed_addresses
from faithfulness.model.errors import JudgeFailed
from tests.shared_data import SHARED, needs_shared

NOTHING = Allowed()
LOCAL = load_allowed_addresses(
    {"PLUMBLINE_JUDGE_ALLOW": "127.0.0.1:11434, 10.0.0.0/8, gpu.lan:8000"}
)
LOOPBACK = (
    "http://127.0.0.1:11434/v1",
    "http://2130706433:11434/v1",
    "http://0x7f000001:11434/v1",
    "http://0x7f.1:11434/v1",
    "http://0177.0.0.1:11434/v1",
    "http://127.1:11434/v1",
    "http://127.9.9.9:11434/v1",
    "http://[::1]:11434/v1",
    "http://[::ffff:127.0.0.1]:11434/v1",
    "http://[::ffff:7f00:1]:11434/v1",
    "http://127.0.0.1.:11434/v1",
)


def refusal_of(url: str, allowed: Allowed = NOTHING) -> str:
    with pytest.raises(JudgeFailed) as caught:
        check_address(url, allowed)
    assert caught.value.kind == "address"
    assert not caught.value.may_retry
    return str(caught.value)


@pytest.mark.parametrize("url", LOOPBACK)
def test_loopback_needs_the_operators_leave_in_every_spelling(url):
    assert "PLUMBLINE_JUDGE_ALLOW" in refusal_of(url)
    assert check_address(url, LOCAL).port == 11434
    assert "private network" in refusal_of(url.replace("11434", "11435"), LOCAL)


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.8/v1",
        "https://10.0.0.8/v1",
        "https://192.168.1.5/v1",
        "https://172.16.0.1/v1",
        "https://100.64.0.1/v1",
        "https://[fd12::1]/v1",
        "https://[64:ff9b::a00:8]/v1",
        "https://[2002:a00:8::1]/v1",
    ],
)
def test_private_networks_are_refused(url):
    assert "private network" in refusal_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/v1",
        "https://169.254.169.254/v1",
        "https://2852039166/v1",
        "https://[::ffff:169.254.169.254]/v1",
        "https://[fe80::1]/v1",
        "https://[fd00:ec2::254]/v1",
        "https://100.100.100.200/v1",
        "https://168.63.129.16/v1",
        "http://0.0.0.0:8000/v1",
        "http://0/v1",
        "http://[::]/v1",
        "https://224.0.0.1/v1",
        "https://255.255.255.255/v1",
    ],
)
def test_addresses_that_are_never_a_judge_cannot_be_allowed(url):
    everything = load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": "0.0.0.0/0, ::/0"})
    assert "never of a judge" in refusal_of(url, everything)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pw@host/v1",
        "https://sk-secret@api.example.com/v1",
        "file:///x",
        "ftp://host/v1",
        "gopher://host/v1",
        "//host/v1",
        "host/v1",
        "",
        "https://",
        "https:///v1",
        "https://host/v1?x=1",
        "https://host/v1#x",
        "https://host\\@127.0.0.1/v1",
        "https://ho st/v1",
        "https://host/v1\nX: y",
        "https://h\u00f6st.example/v1",
        "https://127.0.0.1%2f@x/v1",
        "https://[fe80::1%25eth0]/v1",
        "https://host:0/v1",
        "https://host:99999/v1",
        "https://host:x/v1",
        "https://[::1/v1",
        "https://-host/v1",
        "https://a..b/v1",
        "https://999.1.1.1/v1",
        "https://\uff11\uff12\uff17.0.0.1/v1",
        "https://host/v1/../admin",
        "https://host/..",
        "https://host/./v1",
    ],
)
def test_odd_forms_are_refused_without_being_repeated(url):
    said = refusal_of(url)
    assert "https://host.example/v1" in said
    assert "pw" not in said
    assert "secret" not in said


def test_a_public_host_is_asked_over_https_only():
    checked = check_address(" \t\n https://api.openai.com/v1/ ", NOTHING)
    assert (checked.base_url, checked.port) == ("https://api.openai.com/v1", 443)
    assert checked.resolve(lambda host, port: ["104.18.7.192"]) == ("104.18.7.192",)
    plain = check_address("http://api.openai.com/v1", NOTHING)
    with pytest.raises(JudgeFailed, match="Write https://"):
        plain.resolve(lambda host, port: ["104.18.7.192"])


@pytest.mark.parametrize("found", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fe80::1%2"])
def test_every_address_of_a_host_is_checked(found):
    checked = check_address("https://judge.example/v1", NOTHING)
    with pytest.raises(JudgeFailed) as caught:
        checked.resolve(lambda host, port: ["104.18.7.192", found])
    assert caught.value.kind == "address"


def test_a_name_can_be_allowed_with_its_port():
    answers = {"gpu.lan": ["10.9.8.7"]}
    checked = check_address("http://gpu.lan:8000/v1", LOCAL)
    assert checked.resolve(lambda host, port: answers[host]) == ("10.9.8.7",)
    other = load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": "gpu.lan:8001"})
    with pytest.raises(JudgeFailed, match=r"PLUMBLINE_JUDGE_ALLOW=gpu\.lan:8000"):
        check_address("http://gpu.lan:8000/v1", other).resolve(lambda host, port: answers[host])


def test_a_host_without_an_address_may_be_tried_again():
    with pytest.raises(JudgeFailed) as caught:
        check_address("https://judge.example/v1", NOTHING).resolve(lambda host, port: [])
    assert (caught.value.kind, caught.value.may_retry) == ("connection", True)


def test_the_operators_own_judge_need_not_be_listed_twice():
    own = load_allowed_addresses({"PLUMBLINE_JUDGE_ADDRESS": "http://localhost:8080/v1"})
    assert check_address("http://127.0.0.1:8080/v1", own)
    assert "private" in refusal_of("http://127.0.0.1:8081/v1", own)


def test_an_entry_that_is_no_host_is_named():
    with pytest.raises(JudgeFailed, match="host:abc"):
        load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": "host:abc"})


def test_the_address_is_looked_up_once_and_kept(monkeypatch):
    """A name that leads elsewhere at the second look-up has no second look-up."""
    import socket

    from faithfulness.judging.endpoint import wire
    from tests.loopback_judge import LoopbackJudge

    looked_up = []

    def answer(host, port, *_, **__):
        looked_up.append(host)
        place = "127.0.0.1" if len(looked_up) == 1 else "127.0.0.2"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port))]

    with LoopbackJudge() as server:
        allowed = load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": f"judge.lan:{server.port}"})
        checked = check_address(f"http://judge.lan:{server.port}/v1", allowed)
        real = socket.getaddrinfo
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda host, port, *a, **k: (
                answer(host, port) if host == "judge.lan" else real(host, port, *a, **k)
            ),
        )
        wire.start_call(5, lambda: True)
        try:
            stream = wire.GuardedBackend(checked).connect_tcp("judge.lan", server.port)
            assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
            stream.close()
        finally:
            wire.end_call()
    assert looked_up == ["judge.lan"]


@needs_shared
def test_the_hostile_addresses_end_as_their_list_says():
    listed = json.loads((SHARED / "hostile" / "lists.json").read_text(encoding="utf-8"))
    loopback = load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": "127.0.0.1"})
    for url, expected in listed["base_urls"].items():
        assert refusal_of(url)
        if expected == "refuse":
            assert refusal_of(url, loopback)
        else:
            assert check_address(url, loopback).host == "127.0.0.1"
