"""Units of measurement that follow numbers, with their dimension and size."""

from collections.abc import Mapping
from typing import NamedTuple


class UnitMeasure(NamedTuple):
    """What a unit measures and how many base units it is; `unit` is its one name here."""

    dimension: str
    factor: float
    unit: str


_RAW: Mapping[str, tuple[tuple[float, str, str], ...]] = {
    # dimension: (size in the base unit, our name, how people write it)
    "length": (
        (0.001, "mm", "mm millimeter millimeters millimetre millimetres"),
        (0.01, "cm", "cm cms centimeter centimeters centimetre centimetres"),
        (1.0, "m", "m meter meters metre metres"),
        (1000.0, "km", "km kms kilometer kilometers kilometre kilometres"),
        (0.0254, "in", 'inch inches in in. " ″ ”'),
        (0.3048, "ft", "foot feet ft ft. ′"),
        (0.9144, "yd", "yard yards yd yds"),
        (1609.344, "mi", "mile miles mi"),
    ),
    "mass": (
        (1e-6, "mg", "mg milligram milligrams"),
        (0.001, "g", "g gram grams gramme grammes"),
        (1.0, "kg", "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes"),
        (1000.0, "t", "tonne tonnes ton tons"),
        (0.45359237, "lb", "lb lbs lb. lbs. pound pounds"),
        (0.028349523, "oz", "oz oz. ounce ounces"),
    ),
    "volume": (
        (0.001, "ml", "ml milliliter milliliters millilitre millilitres"),
        (0.01, "cl", "cl"),
        (1.0, "l", "l liter liters litre litres ltr"),
        (3.785411784, "gal", "gal gallon gallons"),
        (0.946352946, "qt", "qt qts quart quarts quart-sized"),
        (0.473176473, "pt", "pint pints"),
        (0.236588236, "cup", "cup cups"),
        (0.029573530, "fl oz", "fl.oz floz"),
    ),
    "time": (
        (0.001, "ms", "ms millisecond milliseconds"),
        (1.0, "s", "s sec secs second seconds"),
        (60.0, "min", "min mins min. minute minutes"),
        (3600.0, "h", "h hr hrs hour hours"),
        (86400.0, "d", "day days"),
        (604800.0, "wk", "week weeks wk wks"),
        (2629746.0, "mo", "month months mo mos"),
        (31556952.0, "yr", "year years yr yrs"),
        (315569520.0, "decade", "decade decades"),
        (3155695200.0, "century", "century centuries"),
    ),
    "data": (
        (1e3, "kB", "kb kilobytes"),
        (1e6, "MB", "mb megabyte megabytes"),
        (1e9, "GB", "gb gigabyte gigabytes gig gigs"),
        (1e12, "TB", "tb terabyte terabytes"),
    ),
    "power": ((1.0, "W", "w watt watts"), (1000.0, "kW", "kw kilowatt kilowatts"),
              (745.7, "hp", "hp horsepower")),
    "energy": ((1.0, "Wh", "wh"), (1000.0, "kWh", "kwh"), (4184.0, "kcal", "kcal calories cal")),
    "charge": ((1.0, "mAh", "mah"), (1000.0, "Ah", "ah")),
    "voltage": ((1.0, "V", "v volt volts"),),
    "current": ((1.0, "A", "amp amps"),),
    "frequency": ((1.0, "Hz", "hz hertz"), (1e3, "kHz", "khz"), (1e6, "MHz", "mhz"),
                  (1e9, "GHz", "ghz")),
    "loudness": ((1.0, "dB", "db decibel decibels dba"),),
    "resolution": ((1.0, "MP", "mp megapixel megapixels"),),
    "light": ((1.0, "lm", "lumen lumens lm"),),
    "speed": ((1.0, "km/h", "km/h kmh kph"), (1.609344, "mph", "mph")),
    "turning": ((1.0, "rpm", "rpm"),),
    "fineness": ((1.0, "dpi", "dpi ppi"),),
    "pressure": ((1.0, "psi", "psi"), (14.5038, "bar", "bar bars")),
    "percent": ((1.0, "%", "% percent pct per-cent ％"),),
    "degree": ((1.0, "°", "° degree degrees"),),
    "degree C": ((1.0, "°C", "°c ℃ celsius"),),
    "degree F": ((1.0, "°F", "°f ℉ fahrenheit"),),
    "rating": ((1.0, "stars", "star stars"),),
    "money USD": ((1.0, "$", "$ us$ usd dollar dollars bucks"), (0.01, "¢", "cent cents ¢")),
    "money EUR": ((1.0, "€", "€ eur euro euros"),),
    "money GBP": ((1.0, "£", "£ gbp quid"), (0.01, "p", "pence")),
    "money JPY": ((1.0, "¥", "¥ jpy yen 円 元 rmb cny"),),
    "money INR": ((1.0, "₹", "₹ inr rupee rupees rs rs."),),
    "money CAD": ((1.0, "C$", "c$ cad ca$"),),
    "money AUD": ((1.0, "A$", "a$ aud au$"),),
    "money CHF": ((1.0, "CHF", "chf francs"),),
}  # fmt: skip

MEASURES: Mapping[str, UnitMeasure] = {
    word: UnitMeasure(dimension, factor, unit)
    for dimension, units in _RAW.items()
    for factor, unit, words in units
    for word in words.split()
}
# Letters that mean a unit only when they touch the number: "5 a" and "3 in" are mostly words.
ONLY_TOUCHING = frozenset(
    {"m", "s", "h", "l", "g", "v", "w", "in", "mo", "t", "mi", "gig", '"', "”"}
)

MULTIPLES: Mapping[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9,
    "trillion": 1e12, "k": 1e3, "bn": 1e9, "mn": 1e6, "mil": 1e6, "dozen": 12.0,
}  # fmt: skip
_UNITS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
          "fifteen sixteen seventeen eighteen nineteen")  # fmt: skip
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS: Mapping[str, float] = {
    **{word: float(value) for value, word in enumerate(_UNITS.split())},
    **{word: 10.0 * value for value, word in enumerate(_TENS.split(), start=2)},
}
FRACTIONS: Mapping[str, float] = {
    "½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5,
    "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8,
}  # fmt: skip
SHARES: Mapping[str, float] = {
    "half": 1 / 2, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4, "quarters": 1 / 4,
    "fifth": 1 / 5, "fifths": 1 / 5, "tenth": 1 / 10, "tenths": 1 / 10,
    "fourth": 1 / 4, "fourths": 1 / 4, "sixth": 1 / 6, "sixths": 1 / 6, "eighth": 1 / 8,
    "eighths": 1 / 8,
}  # fmt: skip
