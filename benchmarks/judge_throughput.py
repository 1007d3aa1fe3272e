"""How many questions a second a judge gets through, beside the bare client in the same run.

A loopback server in a process of its own answers after 50 ms; 32 threads ask. Rounds of the bare
openai client and of OpenAIJudge alternate, so that other work on the machine hits both alike. The
judge checks addresses, keeps to one time limit a call and reads the body itself; the bare client
does none of this. Wanted: at least 90 % of the bare client.

Run: python -m benchmarks.judge_throughput [rounds]
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai

from benchmarks.claims import claim
from faithfulness.judging.endpoint.addresses import load_allowed_addresses
from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge
from faithfulness.judging.judge import JudgeQuestion, question
from faithfulness.model.vocabulary import Field, Item, Span, Unit, UnitKind
from faithfulness.protocols import protocol

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 32
ASKED = 320
DELAY = 0.05
WANTED = 0.90


def item() -> Item:
    """Six sentences against a context of about 3,000 characters."""
    sentence = "The kettle holds 1.7 litres and boils in four minutes."
    response = " ".join([sentence] * 6)
    step = len(sentence) + 1
    units = tuple(
        Unit(
            id=f"s{number + 1}",
            kind=UnitKind.SENTENCE,
            field="response",
            text=sentence,
            span=Span(field="response", start=number * step, end=number * step + len(sentence)),
        )
        for number in range(6)
    )
    fields = (
        Field(name="context", kind="context", text="A kettle of steel. " * 160),
        Field(name="response", kind="response", text=response),
    )
    return Item(id="benchmark", fields=fields, units=units)


def rate(ask: Callable[[], object]) -> tuple[float, float]:
    """Questions a second, and milliseconds of processor time for each."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda _: ask(), range(AT_ONCE)))  # connections are open from here on
        began, worked = time.perf_counter(), time.process_time()
        list(pool.map(lambda _: ask(), range(ASKED)))
        seconds, work = time.perf_counter() - began, time.process_time() - worked
    return ASKED / seconds, 1000 * work / ASKED


def bare(base_url: str, told: JudgeQuestion) -> Callable[[], object]:
    client = openai.OpenAI(api_key="none", base_url=base_url, max_retries=0)
    messages = [
        {"role": "system", "content": told.system},
        {"role": "user", "content": told.message},
    ]
    return lambda: client.chat.completions.create(  # type: ignore[call-overload]
        model="good", messages=messages, temperature=0
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    command = [sys.executable, ROOT / "tests" / "loopback_judge.py", "--delay", str(DELAY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            base_url = server.stdout.readline().strip()
            told = question(protocol("sentence_grounding"), item())
            port = base_url.split(":")[2].split("/")[0]
            allowed = load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": f"127.0.0.1:{port}"})
            judges = {
                "bare client": bare(base_url, told),
                "judge, text": _asking(base_url, told, allowed, "text"),
                "judge, schema": _asking(base_url, told, allowed, "schema"),
            }
            seen: dict[str, list[tuple[float, float]]] = {name: [] for name in judges}
            for _ in range(rounds):
                for name, ask in judges.items():
                    seen[name].append(rate(ask))
        finally:
            server.terminate()
    print(f"{AT_ONCE} at once, replies after {DELAY * 1000:.0f} ms, {rounds} rounds of {ASKED}")
    for name, found in seen.items():
        ratios = [
            mine[0] / theirs[0] for mine, theirs in zip(found, seen["bare client"], strict=True)
        ]
        if name != "bare client":
            share = 100 * statistics.median(ratios)
            peer = "the bare openai client"
            claim(f"Questions a second, {name}", share, "%", at_least=100 * WANTED, peer=peer)
        per_second = statistics.median(each[0] for each in found)
        work = statistics.median(each[1] for each in found)
        print(
            f"{name:14} {per_second:6.0f} /s   {work:5.2f} ms of processor time each   "
            f"{statistics.median(ratios):6.1%} of the bare client (wanted {WANTED:.0%})"
        )


def _asking(
    base_url: str, told: JudgeQuestion, allowed: object, structured: str
) -> Callable[[], object]:
    endpoint = Endpoint(base_url=base_url, model="good", structured=structured)  # type: ignore[arg-type]
    judge = OpenAIJudge(endpoint, allowed=allowed)  # type: ignore[arg-type]
    return lambda: judge.ask(told)


if __name__ == "__main__":
    main()
