"""A loopback server and a judge that may ask it, for all tests of judges."""

from collections.abc import Callable, Iterator

import pytest

from faithfulness.judging.endpoint.addresses import load_allowed_addresses
from faithfulness.judging.endpoint.key import Key
from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge
from faithfulness.judging.judge import JudgeQuestion, question
from faithfulness.protocols import protocol
from tests.example_items import example_of
from tests.loopback_judge import LoopbackJudge

CANARY = "sk-proj-CANARYq7Wz0123456789abcdefXYZW"
LOOPBACK = load_allowed_addresses({"PLUMBLINE_JUDGE_ALLOW": "127.0.0.1"})

MakeJudge = Callable[..., OpenAIJudge]


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackJudge]:
    with LoopbackJudge() as running:
        yield running


@pytest.fixture
def judge(server: LoopbackJudge) -> Iterator[MakeJudge]:
    made: list[OpenAIJudge] = []

    def make(model: str, *, at: LoopbackJudge = server, **more: object) -> OpenAIJudge:
        chosen = {"base_url": at.base_url, "model": model, "wall_seconds": 20} | more
        endpoint = Endpoint(**chosen)
        key = Key(CANARY, base_url=at.base_url)
        made.append(OpenAIJudge(endpoint, key, allowed=LOOPBACK))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def asked() -> Callable[[str], JudgeQuestion]:
    def ask(key: str = "sentence_grounding") -> JudgeQuestion:
        item, _, _ = example_of(protocol(key))
        return question(protocol(key), item)

    return ask
