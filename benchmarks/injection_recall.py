"""How many texts that speak to a judge are noticed, and how many harmless ones. Prints only.

The first round (tests/attacks/injections.yaml) was written before the check was read, the second
before the check was mended after the first, the third after that. An attack counts
as noticed when it is in every place it may stand: alone, among honest sentences, in a source. A
look-alike counts as a false alarm when it is marked in any of them.
Run: python -m benchmarks.injection_recall [--list]
"""

import argparse
from collections import defaultdict

from scipy.stats import binomtest

from tests.attacks.injections import ATTACKS, CORPUS, LAST, LATER, LOOK_ALIKES, Told, told


def by_kind(found: list[Told]) -> dict[str, list[Told]]:
    kinds: defaultdict[str, list[Told]] = defaultdict(list)
    for each in found:
        kinds[each.kind].append(each)
    return kinds


def line(name: str, hits: int, of: int) -> str:
    low, high = binomtest(hits, of).proportion_ci(method="wilson")
    return f"{name:24} {hits:3} of {of:3}   {hits / of:6.1%}  ({low:.1%} to {high:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true", help="print what was missed or wrong")
    asked = parser.parse_args()
    for name, path in (("First round", CORPUS), ("Second round", LATER), ("Third round", LAST)):
        print(name)
        show(told(ATTACKS, path), told(LOOK_ALIKES, path), is_listed=asked.list)


def show(attacks: list[Told], look_alikes: list[Told], *, is_listed: bool) -> None:
    print(" Attacks noticed in every place (95 % interval)")
    for kind, each in by_kind(attacks).items():
        print(" ", line(kind, sum(one.is_found for one in each), len(each)))
    print(" ", line("all", sum(one.is_found for one in attacks), len(attacks)))
    print(" Look-alikes marked in any place")
    for kind, each in by_kind(look_alikes).items():
        print(" ", line(kind, sum(one.is_ever_found for one in each), len(each)))
    print(" ", line("all", sum(one.is_ever_found for one in look_alikes), len(look_alikes)))
    if not is_listed:
        return
    for one in attacks:
        if not one.is_found:
            print(f"missed {one.places} [{one.kind}] {one.text!r}")
    for one in look_alikes:
        if one.is_ever_found:
            print(f"false alarm {one.places} [{one.kind}] {one.text!r}")


if __name__ == "__main__":
    main()
