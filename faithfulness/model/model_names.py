"""Detect annotator names that may belong to a model or another program."""

import re
import unicodedata
from functools import lru_cache

_LONGEST = 200  # characters that are looked at

# Parts of names that no person's name has.
_IN_NAMES = re.compile(
    r"gpt|llama|qwen|deepseek|mistral|mixtral|gemini|openai|anthropic|nemotron|command[-_ ]?r\b"
    r"|(?:lexical|word)[-_ ]?overlap|\bg[-_ ]?eval\b"
)
_WORDS_TEXT = """
claude opus sonnet haiku gemma palm palm2 bard llm llms lm vlm gpts o1 o3 o4 cohere aya phi phi2
phi3 phi4 grok falcon yi glm chatglm baichuan internlm kimi moonshot minimax ernie hunyuan doubao
nova titan jurassic jamba granite dbrx olmo tulu zephyr orca vicuna alpaca wizardlm exaone bloom
bloomz bloomchat pythia flan t5 mt5 flant5 bert roberta deberta distilbert xlnet bart pegasus mpt
stablelm openchat hermes prometheus starling lynx qwq codestral ministral magistral pixtral davinci
babbage copilot perplexity sonar xai
ragas trulens deepeval geval promptfoo giskard minicheck alignscore summac factscore factcc
questeval qafacteval qags feqa hhem vectara nli bleu rouge meteor chrf bertscore bleurt comet
unieval selfcheck refchecker
model models judge ai bot chatbot baseline lexical classifier detector machine automatic autorater
autograder metric algorithm heuristic
instruct turbo gguf awq gptq lora finetuned sft dpo rlhf preview latest
"""
# Whole words: families of models, programs that score texts, words for programs, and what is added
# to the name of a model. Some are names of people as well, who are asked about and never guessed.
_WORDS = frozenset(_WORDS_TEXT.split())
_PATH = re.compile(r"[\w.\-]{2,}/[\w.\-]{2,}")  # openai/gpt-4o
_SIZE = re.compile(r"(?:^|[-_ :/x])\d{1,4}(?:\.\d{1,2})?b(?![a-z0-9])")  # 70b, 8x7b, 0.5b
_VERSION = re.compile(r"[-_ @:]v?\d{1,3}\.\d{1,3}|[a-z]\d\.\d|[-_@:]v\d{1,3}\b")  # -3.5, -v2
_DATE = re.compile(r"[-_@ ]20\d\d(?:-?[01]\d-?[0-3]\d)\b")  # -2024-05-13, @20241022
_MAIL = re.compile(r"([^@\s]+)@[^@\s]+\.[a-z]{2,}")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=4_096)
def looks_like_model(name: str) -> bool:
    """Whether a name may be that of a model: gpt-4o, acme/foo-7b, lexical baseline, Claude.

    It is a reason to ask and none to decide: people are called Claude and Gemma too.
    """
    written = unicodedata.normalize("NFKC", name[:_LONGEST]).strip()
    mail = _MAIL.fullmatch(written.casefold())
    text = mail[1] if mail else written.casefold()  # anna@ai.example is Anna
    marks = (_IN_NAMES, _SIZE, _VERSION, _DATE)
    if _PATH.fullmatch(text) or any(mark.search(text) for mark in marks):
        return True
    words = {*re.split(r"[\W_]+", text), *re.split(r"[\W\d_]+", text)}
    if not mail:
        words |= {each.casefold() for each in _CAMEL.findall(written)}  # LexicalBaseline
    return not words.isdisjoint(_WORDS)
