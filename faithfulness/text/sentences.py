"""Segment a text into canonical sentences: layout blocks, sentencex, then repairs."""

import re
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version

import sentencex

from faithfulness.text.normalise import replace_spaces

# Stored with every item: units are never cut again, so old and new cutters live side by side.
CUTTER = f"plumbline-4+sentencex-{version('sentencex')}"

Range = tuple[int, int]

_LINE = re.compile(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_MARKER = r"(?:[-*+•▪◦‣·●○–—]|\d{1,3}[.)]|\(?[a-zA-Z][.)]|#{1,6}|>)"
_STARTS_BLOCK = re.compile(rf"[ \t]*(?:{_MARKER}[ \t]+\S|\||```|[-=*_]{{3,}}[ \t]*$)")
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]|\||```|[-=*_]{3,}[ \t]*$|\*\*[^*]+\*\*:?[ \t]*$)")
_MARKER_ALONE = re.compile(rf"[*_\"“(\[]*{_MARKER}[*_]*\s*$")
_CLOSERS = re.compile(r"(?:[*_\"”’)\]»]|\[\d{1,3}\])+(?=\s|$)")
_TRAILING = re.compile(
    "(?:\\s?(?:\\[\\d{1,3}\\]|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?))+(?=\\s|$)"
)
_SOFT_WRAP = 60  # a line at least this long may have been wrapped by its writer
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“'*_])(?:approx|ca|cf|vs|etc|incl|excl|est|max|min|avg|dept|ext|tel|"
    r"oz|lb|lbs|ft|in|yd|mi|kg|km|cm|mm|ml|hr|hrs|sec|mins|sq|cu|gal|pt|qt|pcs|pkg|"
    r"mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|"
    r"jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|"
    r"dr|mr|mrs|ms|prof|st|sr|jr|rev|gen|col|capt|lt|sgt|gov|sen|rep|hon|"
    r"no|nos|vol|pp|p|ch|sec|fig|figs|eq|art|ed|eds|al|i\.e|e\.g|a\.m|p\.m|u\.s|u\.k|"
    r"т|т\. ?е|т\. ?к|т\. ?д|т\. ?п|г|гг|в|вв|руб|коп|тыс|млн|млрд|шт|стр|ул|им|см|рис)\.\s*$",
    re.IGNORECASE,
)
_TAIL = 40  # enough of a sentence to see how it ends; a whole one would make long texts slow
_LONGEST = 12  # no abbreviation with what stands around it is longer
# After these even a capital letter continues the sentence.
_TITLE = re.compile(
    r"(?:^|[\s(\"“'*_])(?:Dr|Mr|Mrs|Ms|Prof|St|Rev|Gen|Col|Capt|Lt|Sgt|Gov|Sen|Rep|Hon|vs|"
    r"e\.g|i\.e|Fig|Figs|Eq|approx|incl|excl|ca|cf|डॉ|[Тт]\. ?[ек]|им|ул)\.\s*$"
)
_CLOCK = re.compile(r"[ap]\.m\.\s*$", re.IGNORECASE)
_ZONE = re.compile(
    r"(?:(?:Eastern|Central|Mountain|Pacific)(?:[.,;)]|\s+(?:[Tt]ime|Standard|Daylight|and|or|to|on)\b|$)"
    r"|(?:[ECMP][SD]?T|GMT|UTC|BST|CES?T)\b)"
)
_CONTINUES = re.compile(r"[*_\"“(\[]*(?:[^\W\d_]|\d)")
# Ends that sentencex reads over: `.)`, `."`, the stop after an address and after a metric unit.
# Such a unit is no abbreviation, so a stop behind it can only end the sentence ("12 in." could go
# on with a name); a capital letter is an initial (2004 M. Ito) and is left to sentencex.
_UNIT = r"(?:[glmsht]|[cdkmnµμ]m|[km]g|[cdm]l|ms|ha|min|кг|км|см|мм|мл|руб)"
_INNER_END = re.compile(
    rf"(?:[.!?][)\"”’]+[*_]*|https?://\S{{1,300}}[.!?]|\d\s?{_UNIT}\.)"
    r"\s+(?=[*_\"“(«]*[A-ZÀ-ÖØ-ÞА-ЯЁ])"
)
_INNER_MARK = re.compile(r"[)\"”’]|//|\d\s?[^\W\d_]{1,3}\.\s")
# sentencex takes every "No." for "number". At the beginning of a sentence it is an answer, unless a
# numbering follows: a letter alone, letters with digits, a Roman numeral. "I" and "A" are words
# where the next word fits no number.
_ROMAN = r"(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\w'’])"
_NUMBERING = rf"(?:[A-Z](?![\w'’])|{_ROMAN}|[A-Z]+[-/]?\d)"
_PRONOUN = (
    r"(?:I(?=\s+(?!(?:is|has|and|or|to|in|of)\b)[a-z])"
    r"|A(?=\s+(?!(?:is|was|has|and|or|to|in|of|on|for|with)\b)[A-Za-z]))"
)
_NO_ANSWER = re.compile(
    rf"\s*(?:{_MARKER}[ \t]+)?[*_\"“‘'«]*(?:No|NO)\.\s+"
    rf"(?=[*_\"“(«]*(?:{_PRONOUN}|(?!{_NUMBERING})[A-ZÀ-ÖØ-Þ]))"
)
# Whether an abbreviation also ends its sentence is read from the word behind it. These words begin
# a sentence and hardly ever a name ...
_STARTER = re.compile(
    r"(?:The|This|These|Those|There|It|Its|They|Their|Our|His|Her|However|Therefore|Moreover"
    r"|Furthermore|Nevertheless|Nonetheless|Consequently|Meanwhile|Otherwise|Although|Because"
    r"|Whereas|Despite|According|Based|Assuming|Compared|Considering|Given|Using|Regarding"
    r"|(?:Accordingly|Additionally|Alternatively|Apparently|Clearly|Conversely|Currently|Essentially"
    r"|Eventually|Finally|Fortunately|Generally|Historically|Importantly|Initially|Interestingly"
    r"|Notably|Originally|Previously|Recently|Similarly|Specifically|Subsequently|Surprisingly"
    r"|Traditionally|Typically|Ultimately|Unfortunately|Usually))\b"
)
# ... these also stand in names, so they say nothing behind a title ("Dr. He Jiankui"); the last
# ones begin a sentence only before what follows them here.
_OTHER_STARTER = re.compile(
    r"(?:He|She|We|You|That|My|Your|Some|Many|Most|Several|Both|All|Each|Every|Any|Few|Such|Other"
    r"|Another|Nobody|Everybody|Nothing|Everything|Neither|Either|Not|None|In|On|At|By|For|From"
    r"|With|Without|Within|After|Before|During|Since|Until|Among|Throughout|To|As|If|When|While"
    r"|Where|Who|What|Which|Why|How|Unless|Unlike|And|But|Or|So|Yet|Then|Thus|Hence|Also|Here"
    r"|Instead|Overall|Perhaps|Maybe|Often|Sometimes|Later|Afterwards?|Please|Yes|Depending)"
    r"\b(?![.'’-])"
    r"|(?:Under|Over|Between|Through|Once|Even|Still|Now|Today|Next|Only|One|No)(?=,|\s+[a-z])"
    r"|(?:Is|Are|Was|Were|Has|Have|Had|Do|Does|Did|Can|Could|Should|Would|Will)"
    r"(?=\s+(?:it|this|that|these|those|the|an?|he|she|they|you|we|I|there|my|your)\b)"
    rf"|{_PRONOUN}"
)
_STOP = re.compile(r"\.(?:\[\d{1,3}\]|[*_])*\s+(?=[*_\"“‘«(]*[A-ZÀ-ÖØ-Þ])")
_WORD_BEFORE = re.compile(r"(?<![^\s(\[*_\"“‘«/])[^\W\d_](?:[^\W\d_]|[.'&-]){0,11}$")
_SURNAME = re.compile(r"(?:He|She|We|You|So|My|To)\b")
_OPENERS = re.compile(r"[*_\"“‘«(]*")
_NEVER_END = frozenset({"e.g", "i.e", "cf", "vs", "ca", "viz"})
_TITLE_WORDS = "dr mr mrs ms mx prof rev gen col capt lt sgt gov sen rep hon maj cpl adm pres"
_NUMBERED_WORDS = "no nos vol ch fig figs eq art sec pt p pp app tab ex"
_TITLES, _NUMBERED = frozenset(_TITLE_WORDS.split()), frozenset(_NUMBERED_WORDS.split())
# These end a sentence before any capital letter, unless the word behind them belongs to the name.
_NOTHING = re.compile(r"(?!)")
_ROLE = re.compile(
    r"(?:C[EFTO]O|Co|Inc|Ltd|KG|Limited|Chief|Chair\w*|President|Vice|Director|Founder|Executive"
    r"|Class|Magazine|Spokes\w+|Analysts?|Stock|Shares?|Records|Pictures|Studios|Entertainment"
    r"|Television|TV|Discovery)\b",
    re.IGNORECASE,
)
_STUDIES = re.compile(r"(?:Program\w*|Thesis|Students?|Candidates?|Degrees?|Hono\w+|Anderson)\b")
_MOSTLY_END = {
    **dict.fromkeys(("etc", "al", "p.a"), _NOTHING),
    **dict.fromkeys(("inc", "corp", "ltd", "co", "llc", "plc", "bros"), _ROLE),
    **dict.fromkeys(("ph.d", "b.a", "m.a", "m.d", "b.s", "m.s", "b.sc", "m.sc"), _STUDIES),
}
_PAIRS = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"))
_PAIRED = re.compile(r"[\"“”«»()\[\]]")
_AHEAD = 200  # characters behind a stop that are looked at
_OWN_RULE = re.compile(r"[.!?…]+[\"”’)\]*_]*\s+(?=\S)|[。！？।؟]+[」』”]*\s*(?=\S)")
_WORD = re.compile(r"[^\W_]")
_CYRILLIC = re.compile(r"[а-яё]{2}", re.IGNORECASE)


def cut_sentences(text: str, language: str = "en") -> list[Range]:
    """Spans of the canonical sentences: in order, apart, covering every character that is ink."""
    # sentencex panics on a capital letter, a multi-byte space and a stop.
    plain = replace_spaces(text)
    if language == "en" and not plain.isascii() and _CYRILLIC.search(plain):
        language = "ru"
    spans: list[Range] = []
    for start, end in _split_blocks(plain):
        spans.extend(_split_sentences(plain, start, end, language))
    return _join_wordless(plain, spans)


def _join_wordless(text: str, spans: list[Range]) -> list[Range]:
    """Rulers, stray marks and lone emoji say nothing by themselves: they go with a neighbour."""
    joined: list[Range] = []
    waiting: int | None = None
    for start, end in spans:
        if _WORD.search(text, start, end):
            joined.append((start if waiting is None else waiting, end))
            waiting = None
        elif joined:
            joined[-1] = (joined[-1][0], end)
        elif waiting is None:
            waiting = start
    return [(waiting, spans[-1][1])] if waiting is not None else joined


def _split_blocks(text: str) -> Iterator[Range]:
    """Paragraphs, bullets, headings and table rows; lines that were only wrapped stay together."""
    start = end = -1
    previous = ""
    for found in _LINE.finditer(text):
        line = found.group()
        if not line.strip():
            previous = ""
            continue
        blank_between = end >= 0 and text.count("\n", end, found.start()) > 1
        if start >= 0 and not blank_between and _is_wrapped(previous, line):
            end = found.end()
        else:
            if start >= 0:
                yield start, end
            start, end = found.span()
        previous = line
    if start >= 0:
        yield start, end


def _is_wrapped(previous: str, line: str) -> bool:
    """Whether a line goes on with what the line before it began."""
    before, after = previous.rstrip(), line.lstrip()
    if not before or _STARTS_BLOCK.match(line) or _HEADING.match(previous):
        return False
    if before[-1] == ":":
        return False
    if before[-1] in ".!?…。！？।؟":
        return len(before) >= _SOFT_WRAP
    return after[0].islower() or before[-1] in ",;-–(" or len(before) >= _SOFT_WRAP


def _split_sentences(text: str, start: int, end: int, language: str) -> list[Range]:
    pieces = _repair_segments(text, [*_split_segments(text, start, end, language)])
    if language == "en":
        pieces = [part for piece in pieces for part in _split_abbreviations(text, *piece)]
    return [trimmed for first, last in pieces if (trimmed := _trim_range(text, first, last))]


def _split_segments(text: str, start: int, end: int, language: str) -> Iterator[Range]:
    position = start
    for length in _measure_segments(text[start:end], language):
        yield position, position + length
        position += length


def _measure_segments(block: str, language: str) -> list[int]:
    try:
        found = [len(piece) for piece in sentencex.segment(language, block)]
    except BaseException as error:
        # The Rust panic derives from BaseException and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        found = []
    return found if sum(found) == len(block) else _measure_own_segments(block)


def _measure_own_segments(block: str) -> list[int]:
    ends = [found.end() for found in _OWN_RULE.finditer(block)] + [len(block)]
    return [after - before for before, after in zip([0, *ends], ends, strict=False)]


def _repair_segments(text: str, pieces: list[Range]) -> list[Range]:
    repaired: list[Range] = []
    for start, end in pieces:
        if repaired and not text[start].isalnum():
            start = _pull_closers(text, repaired, start, end)
        if start == end:
            continue
        if repaired and _is_one_sentence(_get_tail(text, *repaired[-1]), text[start:end]):
            repaired[-1] = (repaired[-1][0], end)
        else:
            repaired.append((start, end))
    repaired = [part for piece in repaired for part in _split_answer(text, *piece)]
    block = pieces[0][0], pieces[-1][1]
    if not (_INNER_MARK.search(text, *block) and _INNER_END.search(text, *block)):
        return repaired
    return [part for start, end in repaired for part in _split_inner(text, start, end)]


def _get_tail(text: str, start: int, end: int) -> str:
    return text[max(start, end - _TAIL) : end]


def _pull_closers(text: str, repaired: list[Range], start: int, end: int) -> int:
    """Give closing quotes, brackets, citation marks and emoji back to the sentence before."""
    left, right = repaired[-1]
    pattern = _TRAILING if text[right - 1].isspace() else _CLOSERS
    found = pattern.match(text, start, end)
    if not found or (
        pattern is _CLOSERS and text[max(left, right - 2000) : right].count(found.group()) % 2 == 0
    ):
        found = _TRAILING.match(text, start, end)
    if not found:
        return start
    repaired[-1] = (left, found.end())
    return found.end()


def _is_one_sentence(left: str, right: str) -> bool:
    begins = right.lstrip()
    if not begins or left.isspace():
        return True
    if len(left) < _TAIL and _MARKER_ALONE.match(left):
        return True
    if begins[0] in "—–" or (begins[0] == "と" and left.rstrip()[-1] in "」』"):
        return True
    found = _CONTINUES.match(begins)
    if not found:
        return False
    if left[-1] == "." and right[0].isascii() and right[0].isalnum():
        return True  # no blank after the stop: a name such as ASP.NET
    letter = found.group()[-1]
    if letter.islower() or letter.isdigit():
        return _ABBREVIATION.search(left, len(left) - _LONGEST) is not None
    if _ZONE.match(right) and _CLOCK.search(left, len(left) - _LONGEST):
        return True
    title = _TITLE.search(left, len(left) - _LONGEST)
    return title is not None and not _ends_sentence(title.group().strip(" .(\"“'*_"), begins)


def _split_answer(text: str, start: int, end: int) -> list[Range]:
    """A sentence, and before it the "No." that begins it as an answer of its own."""
    found = _NO_ANSWER.match(text, start, end)
    return [(start, found.end()), (found.end(), end)] if found else [(start, end)]


def _split_abbreviations(text: str, start: int, end: int) -> Iterator[Range]:
    """A piece, cut behind each abbreviation that ends a sentence of its own."""
    position = counted = start
    marks: Counter[str] = Counter()  # quotation marks and brackets since the last cut
    for stop in _STOP.finditer(text, start, end):
        marks.update(_PAIRED.findall(text, counted, stop.start()))
        counted = stop.start()
        word = _WORD_BEFORE.search(text, max(position, stop.start() - _LONGEST), stop.start())
        if word is None or _is_open(marks):
            continue
        if _ends_sentence(word.group(), _get_next_words(text, stop.end(), end)):
            yield position, stop.end()
            position = counted = stop.end()
            marks.clear()
    yield position, end


def _get_next_words(text: str, start: int, end: int) -> str:
    """The next words; a long text would be copied at every stop in it."""
    return text[start : min(end, start + _AHEAD)]


def _ends_sentence(abbreviation: str, right: str) -> bool:
    """Whether the stop of an abbreviation ends the sentence, before a word in capitals."""
    word = abbreviation.lower()
    begins = _OPENERS.sub("", right, count=1)
    if word in _NEVER_END:
        return False
    if _STARTER.match(begins):
        return True
    if _OTHER_STARTER.match(begins):
        is_name = word in _TITLES or (len(word) == 1 and _SURNAME.match(begins))
        return not is_name and not (word in _NUMBERED and begins[:2] in ("I ", "A "))
    continued = _MOSTLY_END.get(word)
    return continued is not None and not continued.match(begins)


def _is_open(marks: Counter[str]) -> bool:
    """Whether a text with so many quotation marks and brackets ends inside some of them."""
    quoted = marks['"'] % 2 == 1
    return quoted or any(marks[first] > marks[last] for first, last in _PAIRS)


def _split_inner(text: str, start: int, end: int) -> Iterator[Range]:
    position = start
    for found in _INNER_END.finditer(text, start, end):
        before = _get_tail(text, position, found.end()).rstrip()
        closed = before.rstrip(')"”’*_')
        if closed != before and (short := _ABBREVIATION.search(closed)):
            word = short.group().strip(" .(\"“'*_")
            if not _ends_sentence(word, _get_next_words(text, found.end(), end)):
                continue
        yield position, found.end()
        position = found.end()
    yield position, end


def _trim_range(text: str, start: int, end: int) -> Range | None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    inked = piece.strip()
    return (start + left, start + left + len(inked)) if inked else None
