"""Words of which a thing can be only one, by hand: colours, days, materials and the like."""

from collections.abc import Mapping

# One set a line; words joined by "/" mean the same and do not exclude each other.
_LINES = """
red|orange|yellow|green|blue|purple/violet|pink|brown|black|white|grey/gray|beige|silver|gold/golden
monday|tuesday|wednesday|thursday|friday|saturday|sunday
january|february|march|april|june|july|august|september|october|november|december
spring|summer|autumn|winter
morning|afternoon|evening|night
north/northern|south/southern|east/eastern|west/western
cotton|wool/woollen|silk|linen|polyester|nylon|leather|denim
wood/wooden|plastic|metal|glass|ceramic|rubber
steel|aluminium/aluminum|copper|brass|titanium
wireless/cordless|wired/corded
indoor/indoors|outdoor/outdoors
cheap/inexpensive|expensive
won/wins/win|lost/loses/lose
alive|dead
married|divorced|unmarried
male|female
husband|wife
father|mother
son|daughter
brother|sister
accepted/approved|rejected/refused
allowed/permitted|forbidden/banned/prohibited
guilty|innocent/acquitted
increase/increased/increases|decrease/decreased/decreases
maximum|minimum
import/imports|export/exports
manual|automatic
analog/analogue|digital
rechargeable|disposable
left-handed|right-handed
"""
SETS: Mapping[str, tuple[int, int]] = {
    word: (number, answer)
    for number, line in enumerate(_LINES.strip().split("\n"))
    for answer, alike in enumerate(line.split("|"))
    for word in alike.split("/")
}  # word -> which set, which member
