"""Name, version and description of the lexical baseline, with its measured accuracy."""

NAME = "lexical baseline (offline, no model)"
VERSION = "6"

# Figures: nine public sets when it was designed, and benchmarks/offline_quality.py on our own copy
# of five. The documents hold both tables whole.
ABOUT = f"""\
**{NAME[0].upper()}{NAME[1:]}** compares words and numbers. It runs on this machine, needs no key, \
sends nothing anywhere, and says the same every time. It understands no meaning.

- **How good:** on nine public sets its balanced accuracy was 52-83 % by set, 63 % on average \
(50 % is guessing). Measured again with this program: 83 % on BEGIN, 69 % on Factcheck-GPT, \
66 % on DialFact, 63 % on ExpertQA, 75 % on WikiVideo claims.
- **"Supported"** was right 5 to 7 times in 10: copied words can be put together wrongly, and that \
it does not see.
- **"Unsupported"** was right 8 to 9 times in 10.
- **"Yes: evidence"** only if every statement, figures included, stands in a source it may rely \
on: right 9 times in 10 on public texts. Otherwise it declines and says why.
- **"Contradictory"** comes from two rules only, another number and a word that excludes another. \
It misses more than 9 contradictions in 10 and its flags need checking: 4 in 10 were \
contradictions, 8 to 9 in 10 were at least not supported.
- **Confidence** is how often people agreed in such cases on public sets, not a feeling. Your \
texts may differ.
- **Not judged:** scores from 1 to 5, common knowledge, ethics, what "many customers" think, texts \
in other languages. There it lists findings and gives no answer.
- **Left out** of means, agreement and rankings unless you ask for it. It is a floor to compare \
judges with, not a judge to trust.
"""
