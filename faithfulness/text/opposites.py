"""Hand-written lists of words that cannot both be true of the same thing."""

from collections.abc import Mapping
from functools import lru_cache

from faithfulness.text.stems import stem

# Each line is one question; words joined by "/" answer it alike, "|" parts answers that exclude
# each other. Only words that name their question by themselves belong here.
_LINES = """
indoor/indoors|outdoor/outdoors
wireless/cordless|wired/corded
quiet/silent|loud/noisy
cheap/inexpensive/affordable|expensive/overpriced/pricey
heavy|light/lightweight
easy/simple|difficult/hard/tricky
fast/quick/quickly|slow/slowly
large/big/huge|small/tiny
sturdy/durable/robust|flimsy/fragile
comfortable|uncomfortable
accurate|inaccurate
reliable|unreliable
safe|unsafe/dangerous
legal|illegal
hot/warm|cold/cool
soft|hard/stiff
thick|thin
wide|narrow
tight|loose
dry|wet
bright|dim
smooth|rough
sharp|dull/blunt
matte|glossy/shiny
full|empty
open|closed
manual/manually|automatic/automatically
rechargeable|disposable
removable/detachable|fixed
temporary|permanent
natural|synthetic/artificial
gas|electric
analog/analogue|digital
increase/increased/increases/rose/rise/rises/grew|decrease/decreased/decreases/fell/fall/falls/declined
higher|lower
before|after
always|never
best|worst
love/loved/loves|hate/hated/hates
positive|negative
satisfied|dissatisfied/disappointed
win/won/wins|lose/lost/loses
accepted/approved|rejected/denied/refused
allowed/permitted|forbidden/banned/prohibited
alive|dead
married|divorced/unmarried
male|female
man/men/boy/boys|woman/women/girl/girls
husband|wife
father|mother
son|daughter
brother|sister
north/northern|south/southern
east/eastern|west/western
left|right
top|bottom
front|rear
first|last
maximum|minimum
summer|winter
morning|evening
domestic|international
public|private
strong|weak
true|false
guilty|innocent/acquitted
majority|minority
included|excluded
new|used/refurbished
import|export
monday|tuesday|wednesday|thursday|friday|saturday|sunday
january|february|march|april|june|july|august|september|october|november|december
small|medium|large
"""
OPPOSITES: dict[str, dict[int, int]] = {}  # stem -> question -> which answer
# Whole words, as stems would make "new" of "news" and "hard" of "hardly".
for _question, _line in enumerate(_LINES.split("\n")):
    for _answer, _alike in enumerate(_line.split("|")):
        for _word in filter(None, _alike.split("/")):
            OPPOSITES.setdefault(_word, {})[_question] = _answer
# What a quantity is about, where one dimension serves several questions.
_ASPECTS = """
charge charging charges recharge recharges recharged
last lasts lasting playback playtime runtime battery
warranty warranties guarantee guaranteed
return returns returned refund refunds returnable
ship ships shipping delivery delivered arrives arrive
wide width
tall height high
deep depth
long length
diameter
thick thickness
weigh weighs weight
cable cord
boil boils boiling
cook cooks cooking bake baking
founded established
born birth
died death
married
saving savings save saves saved cheaper off discount discounted rebate deductible
"""
ASPECTS: Mapping[str, int] = {
    word: number for number, line in enumerate(_ASPECTS.split("\n")) for word in line.split()
}
DIFFERENCE = ASPECTS["saving"]  # of two amounts, never compared with an amount
_PREFIXES = ("un", "in", "im", "non", "ir", "dis")
PREFIX_STARTS = frozenset(each[:2] for each in _PREFIXES)


@lru_cache(maxsize=20_000)
def strip_prefix(word: str) -> str:
    """The stem without a denying prefix, empty when the word has none."""
    for prefix in _PREFIXES:
        rest = word.removeprefix(prefix).removeprefix("-")
        if rest != word and len(rest) >= 4:
            return stem(rest)
    return ""
