"""The policy lens in a browser: switch the reading, see what flips, go there, take it along."""

import csv
import json
import re

import pytest
from playwright.sync_api import expect

import cli
from tests.data.agreement.test_policies import NO, ORDER, SAMPLE, YES

OWN_SERVER = True
PLACE = "/agreement?protocol=response_consistency&view=policies"
TITLES = {
    "by_query_type": "By query type",
    "all_in_source": "All in the source",
    "most_found": "Four fifths found",
    "contradictions_only": "Contradictions only",
    "weighed": "Errors weighed",
}
SAID = {YES: "✓ Yes: evidence", NO: "≠ No: contrary evidence", None: "—"}
JUDGE = 2  # the judge's column in the list of flips


def by_hand(first: str, second: str) -> dict[tuple[str, str], tuple[str, str]]:
    """Items of the sample that were worked out by hand and flip between two policies."""
    found = {
        key: (said[ORDER.index(first)], said[ORDER.index(second)]) for key, said in SAMPLE.items()
    }
    return {key: said for key, said in found.items() if said[0] != said[1]}


def flips(page, first: str, second: str):
    name = f"Items that flip between “{TITLES[first]}” and “{TITLES[second]}”"
    return page.get_by_role("table", name=name)


def shown(table, first: str, second: str) -> dict[tuple[str, str], tuple[str, str]]:
    """What the list says of the judge, for items that were worked out by hand."""
    values = {text: value for value, text in SAID.items()}
    found = {}
    for row in table.get_by_role("row").all()[1:]:
        cells = row.get_by_role("cell").all()
        named, run = cells[0].inner_text().split("\n")
        said = cells[JUDGE].inner_text().split("\n")
        pair = []
        for line, policy in zip(said, (first, second), strict=True):
            value, _, why = line.partition(f" by “{TITLES[policy]}”: ")
            assert why, line
            pair.append(values[value])
        if (named, run) in SAMPLE:
            found[named, run] = tuple(pair)
    return found


@pytest.mark.soak
def test_switching_the_policy_shows_the_labels_worked_out_by_hand(visit, rest):
    page = visit(f"{PLACE}&policy=all_in_source&second_policy=most_found")
    table = flips(page, "all_in_source", "most_found")
    expect(table.get_by_role("row")).to_have_count(5)
    expected = by_hand("all_in_source", "most_found")
    assert len(expected) == 4
    assert shown(table, "all_in_source", "most_found") == expected
    sentence = page.get_by_role("heading", level=5)
    expect(sentence).to_have_text(
        "Under “All in the source” judge-harbor-mini (bridged) agrees with the majority of raters "
        "on 75 % [51, 90] of 20 items, under “Four fifths found” on 70 % [46, 86] of 20 items: "
        "4 items change an answer."
    )
    rest(page)
    policies = page.get_by_role("table", name="Agreement under each policy")
    policies.get_by_role("button", name="Errors weighed").click()
    expect(page).to_have_url(re.compile("policy=weighed"))
    table = flips(page, "weighed", "most_found")
    expect(table).to_be_visible()
    expect(sentence).to_contain_text("Under “Errors weighed”")
    expected = by_hand("weighed", "most_found")
    assert set(expected) == {("kettle", "shop-assistant-b"), ("pannier", "shop-assistant-b")}
    assert shown(table, "weighed", "most_found") == expected
    rest(page)
    again = visit("/" + page.url.split("/", 3)[3])
    expect(flips(again, "weighed", "most_found")).to_be_visible()
    again.get_by_text("What each policy says, and the rule behind it").click()
    expect(again.get_by_text("The five levels of the comparative score")).to_be_visible()
    rest(again)


@pytest.mark.soak
def test_from_the_lens_to_a_flipped_item_and_the_same_numbers_by_file_and_command(
    visit, rest, server, capsys
):
    page = visit(f"{PLACE}&policy=all_in_source&second_policy=most_found")
    policies = page.get_by_role("table", name="Agreement under each policy")
    expect(policies.get_by_role("row")).to_have_count(6)
    rest(page)
    words = ["agree", "--store", str(server.store), "--protocol", "response_consistency"]
    words += ["--reference", "raters", "--judge", "judge:judge-harbor-mini", "--json"]
    words += ["--judge-protocol", "sentence_grounding", "--policy", "all_in_source"]
    assert cli.main(words) == 0
    told = [each for each in json.loads(capsys.readouterr().out)["numbers"] if each["by"]]
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Numbers, CSV").click()
    with saved.value.path().open(encoding="utf-8-sig", newline="") as file:
        filed = [each for each in csv.DictReader(file) if each["by"]]
    key = ("slice", "statistic", "value", "items")
    assert [[str(each[name]) for name in key] for each in told] == [
        [each[name] for name in key] for each in filed
    ]
    assert len(told) == 15
    value = {(each["slice"], each["statistic"]): each["value"] for each in told}
    for policy, row in zip(ORDER, policies.get_by_role("row").all()[1:], strict=True):
        title, items, percent, kappa, ac1, _ = row.get_by_role("cell").all_inner_texts()
        assert title.startswith(TITLES[policy])
        assert items == next(str(each["items"]) for each in told if each["slice"] == policy)
        assert percent.split(" %")[0] == f"{100 * value[policy, 'percent']:.0f}"
        for text, name in ((kappa, "kappa"), (ac1, "ac1")):
            assert text.split(" ")[0] == f"{value[policy, name]:.2f}".replace("-", "−")
    page.keyboard.press("Escape")
    flips(page, "all_in_source", "most_found").get_by_role("link", name="standing-desk").click()
    expect(page).to_have_url(re.compile(r"/item\?.*item="))
    expect(page.get_by_role("heading", level=1)).to_contain_text("standing-desk")
    expect(
        page.get_by_role("option").filter(has_text="A cable tray would round it off.")
    ).to_be_visible()
    rest(page)
