"""Detect words that attribute a statement to customers or to the product detail page."""

import re

from faithfulness.text.stems import fold_apostrophes, stem

PEOPLE = (
    "customers|users|reviewers|buyers|owners|shoppers|purchasers|consumers|reviews|testers|"
    "raters|commenters"
)
_PERSON = PEOPLE.replace("s|", "|").removesuffix("s")
SPEECH = (
    "says?|said|saying|writes?|wrote|notes?|noted|reports?|reported|mentions?|mentioned|states?|"
    "stated|claims?|claimed|complains?|complained|praises?|praised|agrees?|agreed|finds?|found|"
    "describes?|described|calls?|called|remarks?|remarked|adds?|added|warns?|warned|raves?|raved|"
    "comments?|commented|points? out|pointed out|suggests?|suggested|recommends?|recommended|"
    "likes?|liked|loves?|loved|dislikes?|disliked|appreciates?|appreciated|criticizes?|"
    "criticized|criticises?|criticised|enjoys?|enjoyed|hates?|hated|thinks?|thought|feels?|felt|"
    "considers?|considered|experienced|experiences?|rates?|rated|highlights?|highlighted|"
    "observes?|observed|indicates?|indicated|confirms?|confirmed|admires?|regrets?|regretted|"
    "puts? it|struggled?|wishes|wished|expresse[sd]?|emphasi[sz]ed?|told|tells?"
)
_TELLING = (
    "according stated lists gives provides specifies includes admits page expresses expressed "
    "emphasized emphasised"
)
_SPOKEN = re.findall("[a-z]+", re.sub(r"[a-z]*\[.*?\]\w*|\?", "", SPEECH))
# Stems of words that tell who says something, not what.
TELLING_WORDS = frozenset(map(stem, [*_SPOKEN, *_TELLING.split()]))
_WALKS_OF_LIFE = (
    "commuter|camper|hiker|runner|rider|cyclist|travell?er|gamer|cook|baker|sleeper|parent|mother|"
    "father|woman|man|student|teacher|gardener|musician|driver|swimmer|walker|photographer|pensioner"
)
_CUSTOMERS = re.compile(
    rf"\b(?:{PEOPLE}|{_PERSON})\b(?! (?:service|support|guide|manual|friendly|interface))"
    r"|\b(?:user |customer )?feedback\b|\bthose who (?:have )?(?:used|bought|own|tried|purchased)\b"
    r"|\b(?:people|parents|others) (?:who|say|said|report|mention|find|found|love|like|complain)\b"
    rf"|\b(?:one|a|an|another|some|several|many|few|two|three|four|most) (?!(?:manufacturer|maker|"
    rf"seller|brand|company|page|listing|description|label|study|test|article)\b)[\w-]+"
    rf"(?: [\w-]+){{0,3}} (?:{SPEECH})\b"
    rf"|\b(?:one|another) (?:{_WALKS_OF_LIFE})\b"
    r"|\baccording to (?:one|a|an|some|several|many) (?!seller|manufacturer|study|article)\w+"
)
_PAGE = re.compile(
    r"\b(?:product|detail|item|sales)(?:'s)? (?:details? )?page\b|\bdetail page\b"
    r"|\bproduct (?:information|description|details|specifications?|listing)\b"
    r"|\b(?:the|this|its|per the|given|provided) (?:context|listing|description|specifications?|"
    r"page)\b(?! turn)"
    r"|\b(?:according to|the|its) (?:the )?(?:seller|manufacturer|maker|vendor|brand)\b"
    r"|\b(?:seller|manufacturer|maker)'s (?:answer|response|description|page|website)\b"
)

_GOES_ON = re.compile(r"(?:he|she|they|another|others|one|some|it also|the same)\b", re.I)


def names_customers(text: str) -> bool:
    """Whether the text says that customers or their reviews are its source."""
    return _CUSTOMERS.search(fold_apostrophes(text)) is not None


def names_page(text: str) -> bool:
    """Whether the text names the detail page, its seller, or the context as its source."""
    return _PAGE.search(fold_apostrophes(text)) is not None


def continues_customer_report(before: str, text: str) -> bool:
    """Whether the text goes on with what a customer named in the sentence before it says."""
    return names_customers(before) and _GOES_ON.match(text.lstrip("-*• ")) is not None


def blank_out_cues(text: str) -> str:
    """The text in lower case without the words that name a source; as long as before."""
    plain = fold_apostrophes(text)
    for pattern in (_PAGE, _CUSTOMERS):
        plain = pattern.sub(lambda hit: " " * len(hit.group()), plain)
    return plain
