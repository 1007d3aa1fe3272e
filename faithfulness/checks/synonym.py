"""Suggest synonyms of a claimed property that occur in the sources; never a verdict."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    FindingRange,
    Outcome,
    Statement,
    list_statements,
    make_finding,
    select_fields,
)
from faithfulness.model.vocabulary import Field, Finding, Item, Span
from faithfulness.text.language import is_english
from faithfulness.text.sentences import cut_sentences
from faithfulness.text.stems import list_stems, list_words

_LINES = """
waterproof|water-proof|rainproof = water-resistant|water resistant|water-repellent|
  repel* _water|resist* _water|resist* _moisture|shed* _water|keep* _dry|kept _dry|
  stay* _dry inside|sealed against water|IPX*|no water _in|splash-proof|splashproof|
  prevent* _wetness|weatherproof
wireless|cordless|cable-free = bluetooth|no cord*|without _cord|no cable*|without _cable*|
  battery-powered|battery powered|untethered
quiet|silent|noiseless|whisper-quiet = low-noise|low noise|hardly _noise|barely _hear*|
  hardly _hear*|cannot hear|can't hear|no noise|not loud|makes little noise|hushed
lightweight|light-weight = weigh* next to nothing|weigh* hardly anything|weigh* almost nothing|
  feather-light|very light|so light|not heavy|easy to carry|light to carry|ultralight|
  light enough
easy to clean|easily cleaned|easy cleaning = wipe* clean|dishwasher-safe|dishwasher safe|
  cleans up _easily|clean-up is easy|rinse* clean|rinse* off|washes easily|easy clean-up|
  simple to clean|quick to clean|cleaning is _easy|cleaning is _quick
durable|long-lasting|long lasting|robust = sturdy|solidly|feels solid|is solid|rock solid|
  solid build|well made|well-made|built to last|
  hard-wearing|still going strong|lasted for years|held up _well|holds up _well|stood up _well|
  rugged|heavy-duty|indestructible
sturdy|solidly built = durable|robust|solidly|feels solid|is solid|solid build|well made|
  well-made|stable|rock-solid|no wobble|
  does not wobble|rugged|heavy-duty
affordable|inexpensive|budget-friendly|low-priced = good value|reasonably priced|
  great price|low price|won't break the bank|easy on the wallet|bargain|good deal|
  value for money
comfortable|comfy = cosy|cozy|soft on _skin|feel* good|does not pinch|doesn't pinch|
  pleasant to wear|could wear _all day|ergonomic|like walking on clouds
rechargeable = charges over|charges via|charge* by USB|USB charging|built-in battery|recharge*|
  charging cable|charging port|lithium battery
foldable|folding|collapsible = collaps*|fold* flat|fold* up|fold* away|fold* down|folds
breathable|airy = lets air through|mesh|ventilat*|air circulat*|does not make _sweat|airy|
  air flow*
hypoallergenic = allerg*|does not irritate|sensitive skin|no irritation|skin-friendly
&quickly|fast|rapid|rapidly|quick = rapid|fast|speedy|swift|swiftly|in no time|within seconds|
  in seconds|in minutes
easy to assemble|easy assembly|easily assembled|simple to assemble = put together in|set up in|
  assembl* in|assembly took|assembled _minutes|goes together easily|easy to put together|
  no tools needed|easy set-up|easy to set up
easy to use|user-friendly|simple to use|intuitive = straightforward|self-explanatory|
  no learning curve|simple to operate|easy to operate|foolproof|child's play|plug and play
compact|space-saving = small footprint|small enough|takes up little|takes up no|fits in _small|
  tiny|does not take up|
  small footprint|fits under
portable = easy to carry|travel-friendly|take _anywhere|fits in _bag|fits in _pocket|
  fits in _suitcase|carry _around|light enough to carry
adjustable = can be adjusted|height settings|adjusts|several positions|can be set|customi*able|
  telescop*
non-slip|anti-slip|slip-resistant|nonslip = does not slip|doesn't slip|grip*|stays in place|
  stays put|rubber feet|does not slide|doesn't slide
non-stick|nonstick = nothing sticks|does not stick|doesn't stick|slide* right off|slide* off|
  food releases|ceramic coating|teflon
eco-friendly|environmentally friendly|sustainable = recycl*|biodegradable|compostable|
  plastic-free|organic|FSC|carbon neutral|renewable
energy-efficient|energy efficient|energy-saving = low consumption|uses little power|
  uses little electricity|saves energy|energy class|low energy|saves _electricity
dimmable = brightness levels|adjustable brightness|can be dimmed|brightness settings|dims
heat-resistant|heatproof|oven-safe|oven safe = withstands _heat|withstands _degrees|up to _°C|
  up to _°F|safe in _oven|does not melt|heat-proof
shatterproof|unbreakable|break-resistant = does not break|doesn't break|survived _drop*|
  survived _fall*|tempered glass|drop-proof|did not crack|didn't crack
machine-washable|machine washable|washable = goes in the wash*|washing machine|wash at|
  washed at|can be washed|machine wash
scratch-resistant|scratchproof|scratch-proof = does not scratch|doesn't scratch|no scratches|
  gorilla glass|sapphire|resists scratches
stylish|elegant|attractive|good-looking|fashionable = looks great|looks good|beautiful|chic|
  classy|very pretty|so pretty|handsome|modern design|sleek
soft = plush|fluffy|silky|velvety|gentle on _skin|cuddly
warm = keeps _warm|toasty|insulated|cosy|cozy|fleece-lined|thermal
fragrance-free|unscented|scent-free = no scent|no perfume|without perfume|no smell|
  does not smell|odourless|odorless|without fragrance
gluten-free = no gluten|without gluten|free of gluten|free from gluten|coeliac*|celiac*
sugar-free = no sugar|without sugar|no added sugar|unsweetened|free of sugar|zero sugar
vegan = plant-based|no animal|free of animal|without animal|dairy-free
long battery life|long-lasting battery = battery last*|hours of playtime|hours of battery|
  charge lasts|lasted _on one charge|hours on a single charge|hours per charge
spacious|roomy = plenty of room|lots of room|plenty of space|lots of space|holds a lot|
  fits everything|generous*|large compartment
reliable|dependable = never let _down|works every time|no problems|no issues|trustworthy|
  without fail
accurate|precise = spot on|exact|matches _scale|to the gram|within _degree*|dead on
child-safe|childproof|child-proof = safety lock|child lock|child-resistant|tip-over|kid-proof|
  no sharp edges|safe for children|safe for kids
stain-resistant|stainproof = stains wipe|does not stain|doesn't stain|repels stains|spills wipe|
  resists stains
odour-free|odor-free|odourless|odorless = no smell|does not smell|doesn't smell|no odour|
  no odor|without smell
rust-proof|rustproof|rust-resistant = stainless|does not rust|doesn't rust|no rust|
  corrosion-resistant|anodi*ed
windproof|wind-resistant = blocks _wind|keeps _wind out|held up _storm|withstands _wind|
  stood up to _wind
bright = lumens|lights up _whole|very light at night|illuminates|blinding|plenty of light
leak-proof|leakproof|leak-free = does not leak|doesn't leak|no leaks|never leaked|sealed lid|
  watertight|without leaking
fast charging|quick charging|quick-charging|fast-charging = charges _in|rapid charging|
  full in _minutes|charged in|turbo charg*
noise-cancelling|noise-canceling|noise cancelling = blocks _noise|ANC|shuts out _noise|
  cancels _noise|drowns out
odour-resistant|odor-resistant = antimicrobial|anti-odour|anti-odor|does not smell after|
  stays fresh
"""


class Property(NamedTuple):
    """A property with the words that claim it and all words that may show it."""

    claims: re.Pattern[str]
    shows: re.Pattern[str]
    shares: bool  # whether the sentence that shows it must share another word


def _compile_pattern(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?:{'|'.join(_build_phrase_pattern(each) for each in phrases)})(?![\w-])", re.I
    )


def _build_phrase_pattern(phrase: str) -> str:
    made = re.escape(phrase.strip()).replace(r"\*", r"\w*")
    return made.replace(r"\ _", r"\ (?:[\w'-]+\ ){0,2}")


def _parse_property(line: str) -> Property:
    words, _, shows = line.removeprefix("&").partition(" = ")
    claims = words.split("|")
    every = _compile_pattern([*claims, *shows.split("|")])
    return Property(_compile_pattern(claims), every, line.startswith("&"))


def _get_line_key(line: str) -> str:
    return line.removeprefix("&").partition("|")[0].partition(" = ")[0]


_WHOLE = _LINES.strip().replace("\n  ", "").split("\n")
PROPERTIES: Mapping[str, Property] = {_get_line_key(line): _parse_property(line) for line in _WHOLE}


def _get_first_word(phrase: str) -> str:
    return str(re.findall("[a-z]+", phrase.casefold())[0])


# By the first word of what claims them, so that most sentences are passed over at one glance.
BY_WORD: dict[str, list[Property]] = {}
for _line in _WHOLE:
    _own = PROPERTIES[_get_line_key(_line)]
    for _word in dict.fromkeys(
        _get_first_word(each) for each in _line.partition(" = ")[0].split("|")
    ):
        BY_WORD.setdefault(_word, []).append(_own)


def list_claimed_properties(words: frozenset[str]) -> list[Property]:
    """The properties that a text with these words may claim."""
    found = (each for word in sorted(words & BY_WORD.keys()) for each in BY_WORD[word])
    return list(dict.fromkeys(found))


KEY = "synonym"
_MOST = 5


def run(item: Item) -> Outcome:
    sources = tuple(each for each in item.sources if each.text.strip())
    if not sources:
        return CannotCheck(why="the item has no sources to look in")
    if not all(is_english(each.text) for each in select_fields(item, "response")):
        return CannotCheck(why="the response is not in English")
    said = [
        each for each in list_statements(item) if list_claimed_properties(list_words(each.text))
    ]
    # Sources are long, and most responses claim no property of the list.
    if said and not all(is_english(each.text) for each in sources):
        return CannotCheck(why="the sources are not in English")
    found: list[Finding] = []
    for each in said:
        found += _check_statement(item, each, sources)
    return tuple(found)


def _check_statement(item: Item, said: Statement, sources: Sequence[Field]) -> Iterator[Finding]:
    taken: set[int] = set()
    for each in list_claimed_properties(list_words(said.text)):
        hit = each.claims.search(said.text)
        if hit is None or hit.start() in taken or _occurs_in_sources(hit.group(), sources):
            continue
        near = _find_passages(each, sources, said.text)
        if near:
            taken.add(hit.start())
            words = FindingRange(said.start + hit.start(), said.start + hit.end())
            says = f"“{hit.group()}” stands in no source, but these words may mean the same"
            yield make_finding(KEY, "synonym", item, words, says, sure=False, candidates=near)


def _occurs_in_sources(word: str, sources: Sequence[Field]) -> bool:
    wanted = word.casefold()
    return any(wanted in each.text.casefold() for each in sources)


def _find_passages(own: Property, sources: Sequence[Field], said: str) -> tuple[Span, ...]:
    """The sentences of the sources with such words, each once."""
    found: list[Span] = []
    others = list_stems(own.shows.sub(" ", said))
    for source in sources:
        hits = [each.start() for each in own.shows.finditer(source.text)]
        if not hits:
            continue
        found += [
            Span(field=source.name, start=start, end=end)
            for start, end in cut_sentences(source.text)
            if any(start <= hit < end for hit in hits)
            and not (own.shares and others.isdisjoint(list_stems(source.text[start:end])))
        ]
    return tuple(found[:_MOST])


CHECK = Check(
    key=KEY,
    title="Other words",
    about="Words of the sources that may mean a claimed property, for a person to judge.",
    needs=(),
    run=run,
)
