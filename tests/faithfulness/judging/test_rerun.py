"""Asking again: samples, what they say together, and what changed against stored answers."""

import json
from datetime import datetime

import pytest

from faithfulness.judging import make_judge, rerun
from faithfulness.judging.endpoint.openai_judge import Endpoint, OpenAIJudge
from faithfulness.judging.judge import JudgeQuestion, question
from faithfulness.judging.offline.offline_judge import NAME, OfflineJudge
from faithfulness.judging.reply_states import ReplyState, classify_problem
from faithfulness.judging.rerun import ChangeKind, Drift
from faithfulness.model.errors import JudgeFailed, ReviewError
from faithfulness.model.prompt import ReplyForm, edit_prompt, has_reply_forms, select_template
from faithfulness.model.protocol import ReplyReading
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Tier,
    make_unread_answer,
)
from faithfulness.protocols import PROTOCOLS, protocol
from tests.example_items import item_of
from tests.loopback_judge import LoopbackJudge
from tests.scripted_judge import ScriptedJudge

ADA = Author(kind=AuthorKind.RATER, name="ada")
ITEM = item_of(
    "The kettle holds 2 litres. It switches itself off.",
    context="Capacity: 1.5 litres. It switches itself off when the water boils.",
)
RULES = protocol("sentence_grounding")


def asked() -> JudgeQuestion:
    return question(RULES, ITEM)


def written(labels: tuple[str, str], excerpt: str = "Capacity: 1.5 litres."):
    """A reply with these labels, in the form that the prompt asks for."""

    def reply(question: JudgeQuestion, sample: int) -> str:
        units = question.item.units_of(RULES.unit)
        return "\n".join(
            json.dumps(
                {
                    "mark": question.mark,
                    "id": unit.id,
                    "sentence": unit.text,
                    "label": label,
                    "rationale": f"because of {label}",
                    "excerpt": excerpt if label in ("supported", "contradictory") else None,
                }
            )
            for unit, label in zip(units, labels, strict=True)
        )

    return reply


def several(*labels: tuple[str, str] | str) -> ScriptedJudge:
    """A judge whose samples say these labels; a bare text is the reply itself."""
    writers = [each if isinstance(each, str) else written(each) for each in labels]
    return ScriptedJudge(
        lambda question, sample: (
            writers[sample]
            if isinstance(writers[sample], str)
            else writers[sample](question, sample)
        )
    )


def annotation(answer: Answer, author: Author = ADA, number: int = 1) -> Annotation:
    return Annotation(
        number=number,
        run_id="r",
        item_id="i",
        answer=answer,
        author=author,
        signed_at=datetime(2026, 1, 1),  # noqa: DTZ001  the store keeps UTC without saying so
    )


def test_every_sample_is_asked_once_and_its_excerpts_are_looked_for():
    judge, told = several(("contradictory", "supported"), ("contradictory", "no_rad")), []
    samples = rerun.ask_judge(
        asked(), judge, samples=2, progress=lambda done, of: told.append((done, of))
    )
    assert [number for _, number in judge.asked] == [0, 1]
    assert told == [(0, 2), (1, 2), (2, 2)]
    (excerpt,) = samples[0].reading.answers[0].excerpts
    assert excerpt.placement.tier is Tier.VERBATIM


def test_a_failure_loses_no_sample_and_none_is_paid_twice():
    judge, taken = ScriptedJudge([written(("supported", "supported"))(asked(), 0)]), []
    with pytest.raises(JudgeFailed):
        rerun.ask_judge(asked(), judge, samples=3, taken=taken.append)
    assert len(taken) == 1
    more = several(*[("supported", "supported")] * 3)
    samples = rerun.ask_judge(asked(), more, samples=3, have=taken)
    assert [number for _, number in more.asked] == [1, 2]
    assert samples[0] is taken[0]


def test_asking_stops_before_the_next_call():
    judge, taken = several(*[("supported", "supported")] * 5), []
    with pytest.raises(JudgeFailed) as stopped:
        rerun.ask_judge(asked(), judge, samples=5, taken=taken.append, stop=lambda: len(taken) == 2)
    assert stopped.value.kind == "stopped"
    assert len(judge.asked) == 2


def test_one_sample_is_taken_as_it_is():
    (sample,) = rerun.ask_judge(asked(), several(("supported", "no_rad")))
    assert rerun.settle_samples([sample], RULES) is sample.reading


def test_four_of_five_settle_a_label_and_their_share_is_no_stated_confidence():
    told = [("supported", "no_rad"), *[("contradictory", "no_rad")] * 4]
    samples = rerun.ask_judge(asked(), several(*told), samples=5)
    first, second = rerun.settle_samples(samples, RULES).answers
    assert (first.value, first.confidence) == ("contradictory", None)
    assert first.rationale == "because of contradictory"
    assert (second.value, second.confidence) == ("no_rad", None)
    assert rerun.count_outcomes(samples)["s1", "label"] == {"contradictory": 4, "supported": 1}
    assert rerun.find_source_sample(first, samples) == 1


def test_a_tie_is_unread_and_names_the_counts():
    told = [("supported", "no_rad"), ("contradictory", "no_rad")]
    first, _ = rerun.settle_samples(
        rerun.ask_judge(asked(), several(*told), samples=2), RULES
    ).answers
    assert first.is_unread
    assert first.problem == "samples tied: supported ×1, contradictory ×1"
    assert classify_problem(first.problem) is ReplyState.TIED
    assert not first.excerpts


def test_one_reply_among_broken_ones_does_not_speak_for_all():
    told = ["Sorry.", ("supported", "no_rad"), "I cannot say."]
    settled = rerun.settle_samples(rerun.ask_judge(asked(), several(*told), samples=3), RULES)
    assert all(answer.is_unread for answer in settled.answers)
    assert settled.answers[0].problem.startswith("2 of 3 samples could not be read here: ")


def test_an_answer_that_most_samples_leave_out_is_none():
    rules = protocol("response_consistency")
    told = question(rules, ITEM)
    both = {"mark": told.mark, "answer": "yes_evidence", "query_type": "opinion", "rationale": "r"}
    one = {key: value for key, value in both.items() if key != "query_type"}

    def settled(*replies: dict[str, str]) -> dict[str, str | None]:
        judge = ScriptedJudge(lambda _, sample: json.dumps(replies[sample]))
        samples = rerun.ask_judge(told, judge, samples=len(replies))
        return {each.criterion: each.value for each in rerun.settle_samples(samples, rules).answers}

    assert settled(both, one, one, one, one) == {"consistency": "yes_evidence"}
    assert settled(both, both, one) == {"consistency": "yes_evidence", "query_type": "opinion"}
    assert settled(both, one) == {"consistency": "yes_evidence", "query_type": None}


@pytest.mark.parametrize(
    ("scores", "settled"),
    [
        ("22345", "3"),  # a plurality would say 2
        ("55334", "4"),  # a plurality would be tied
        ("43445", "4"),
        ("45", "4"),  # neighbors: the lower one
        ("2345", "3"),
        ("1155", None),  # no median that anybody gave or stands beside
        ("15", None),
        ("234??", "3"),  # three of five give a score
        ("24??", None),  # as many give none
    ],
)
def test_scores_settle_to_their_median(scores, settled):
    rules = protocol("comparative_summary")
    item = item_of("A is lighter than B.", product_1="A: 1 kg", product_2="B: 2 kg")
    judge = ScriptedJudge(
        lambda asked, sample: (
            f"Sample {sample}.\n{asked.mark}\nScore- <score>{scores[sample]}</score>"
        )
    )
    samples = rerun.ask_judge(question(rules, item), judge, samples=len(scores))
    (answer,) = rerun.settle_samples(samples, rules).answers
    assert (answer.value, answer.confidence) == (settled, None)
    if settled is None:
        assert answer.problem.startswith("samples tied: ")
        assert classify_problem(answer.problem) is ReplyState.TIED
    else:
        assert answer.rationale == f"Sample {scores.index(settled)}."
        assert rerun.find_source_sample(answer, samples) == scores.index(settled)


def test_most_unreadable_scores_are_unread():
    rules = protocol("expert_rubric")
    told = question(rules, ITEM)
    score = {"score": 4, "rationale": "r", "checks": []}
    replies = [json.dumps({"mark": told.mark, "accuracy": score, "ethics": score}), "Sorry.", "No."]
    judge = ScriptedJudge(lambda _, sample: replies[sample])
    settled = rerun.settle_samples(rerun.ask_judge(told, judge, samples=3), rules)
    for answer in settled.answers:
        assert answer.problem.startswith("2 of 3 samples could not be read here: ")


def test_the_stated_confidence_of_the_sample_that_is_quoted_is_kept():
    stated = [0.9, 0.6, None]

    def reply(question: JudgeQuestion, sample: int) -> str:
        objects = [
            {"mark": question.mark, "id": unit.id, "sentence": unit.text, "label": "supported"}
            | ({} if stated[sample] is None else {"confidence": stated[sample]})
            for unit in question.item.units_of(RULES.unit)
        ]
        return "\n".join(map(json.dumps, objects))

    settled = rerun.settle_samples(rerun.ask_judge(asked(), ScriptedJudge(reply), samples=3), RULES)
    assert [answer.confidence for answer in settled.answers] == [0.9, 0.9]


@pytest.mark.parametrize(
    ("temperature", "samples", "warns"),
    [("0", 5, True), ("0.0", 2, True), ("0", 1, False), ("0.7", 5, False), (None, 5, False)],
)
def test_several_samples_at_temperature_0_are_warned_of(temperature, samples, warns):
    settings = {"model": "m"} | ({} if temperature is None else {"temperature": temperature})
    assert bool(rerun.warn_of_equal_samples(settings, samples)) is warns


def said(value: str | None, *excerpts: str, rationale: str = "r", unit: str = "s1") -> Answer:
    answer = Answer(
        unit_id=unit,
        criterion="label",
        value=value,
        rationale=rationale,
        excerpts=tuple(Excerpt(text=each) for each in excerpts),
        problem="" if value else "it is not on the scale",
    )
    (placed,) = rerun.place_excerpts([answer], ITEM, RULES)
    return placed


@pytest.mark.parametrize(
    ("before", "after", "kind", "drift"),
    [
        (said("supported"), said("supported"), ChangeKind.SAME, Drift.NONE),
        (said("supported"), said("contradictory"), ChangeKind.MOVED, Drift.NONE),
        (said("supported"), said(None), ChangeKind.UNREAD, Drift.NONE),
        (said(None), said("supported"), ChangeKind.MOVED, Drift.NONE),
        (
            said("supported", "1.5 litres"),
            said("supported", "1.5  litres"),
            ChangeKind.SAME,
            Drift.SAME,
        ),
        (
            said("supported", "Capacity: 1.5 litres"),
            said("supported", "1.5 litres. It switches"),
            ChangeKind.SAME,
            Drift.WORDS,
        ),
        (
            said("supported", "1.5 litres"),
            said("supported", "the water boils"),
            ChangeKind.SAME,
            Drift.PLACE,
        ),
        (said("supported"), said("supported", "1.5 litres"), ChangeKind.SAME, Drift.ADDED),
        (said("supported", "1.5 litres"), said("no_rad"), ChangeKind.MOVED, Drift.DROPPED),
    ],
)
def test_a_change_names_label_and_excerpt_apart(before, after, kind, drift):
    (change,) = rerun.list_changes([annotation(before)], ReplyReading((after,)))
    assert (change.kind, change.excerpts) == (kind, drift)
    assert change.author == ADA


def test_a_change_tells_whether_the_reason_changed():
    before = said("supported", "Capacity: 1.5 litres", rationale="It says so.")
    after = said("supported", "Capacity: nine buckets of sand", rationale="It  says so.")
    (change,) = rerun.list_changes([annotation(before)], ReplyReading((after,)))
    assert not change.rationale_changed
    other = said("supported", "Capacity: 1.5 litres", rationale="Something else.")
    assert rerun.list_changes([annotation(before)], ReplyReading((other,)))[0].rationale_changed


def test_what_nobody_answered_is_new_and_what_is_not_answered_again_is_gone():
    old, new = said("supported", unit="s1"), said("supported", unit="s2")
    gone, fresh = sorted(
        rerun.list_changes([annotation(old)], ReplyReading((new,))), key=lambda each: each.unit_id
    )
    assert (gone.kind, gone.after) == (ChangeKind.GONE, None)
    assert (fresh.kind, fresh.before) == (ChangeKind.NEW, None)
    broken = make_unread_answer("s3", "label", "no text")
    assert rerun.list_changes([], ReplyReading((broken,)))[0].kind is ChangeKind.UNREAD


def test_every_author_is_compared_with_the_new_answer():
    ben = Author(kind=AuthorKind.RATER, name="ben")
    before = [annotation(said("supported")), annotation(said("no_rad"), ben, 2)]
    found = rerun.list_changes(before, ReplyReading((said("no_rad"),)))
    assert {each.author: each.kind for each in found} == {
        ADA: ChangeKind.MOVED,
        ben: ChangeKind.SAME,
    }


def test_the_same_edit_is_the_same_version_and_no_edit_is_none():
    base = RULES.prompt
    assert edit_prompt(base, system=base.system, template=base.template) is base
    first = edit_prompt(base, system=base.system, template=base.template + "\nBe brief.")
    again = edit_prompt(base, system=base.system, template=base.template + "\nBe brief.")
    assert first.version.startswith("edit-")
    assert first.fingerprint == again.fingerprint != base.fingerprint


@pytest.mark.parametrize("template", ["", "Judge it.", "{{document}} {{document}}", "{{secret}}"])
def test_an_edit_that_leaves_the_texts_no_place_is_refused(template):
    with pytest.raises(ReviewError, match="document"):
        edit_prompt(RULES.prompt, system="", template=template)


@pytest.mark.parametrize("tag", ["{{#text}}", "{{/text}}", "{{#schema}}", "{{/schema}}"])
def test_an_edit_that_tears_a_section_for_a_form_of_reply_is_refused(tag):
    template = RULES.prompt.template.replace(tag, "")
    with pytest.raises(ReviewError, match="no beginning or no end"):
        edit_prompt(RULES.prompt, system="", template=template)


def test_an_edit_may_do_without_sections_but_not_without_one_of_them():
    lines = select_template(RULES.prompt.template, ReplyForm.TEXT)
    assert edit_prompt(RULES.prompt, system="", template=lines).template == lines
    assert not has_reply_forms(edit_prompt(RULES.prompt, system="", template=lines))
    one = lines + "{{#schema}}Write one object.{{/schema}}"
    with pytest.raises(ReviewError, match="one form of reply only"):
        edit_prompt(RULES.prompt, system="", template=one)


@pytest.mark.parametrize("each", PROTOCOLS.values(), ids=lambda each: each.key)
def test_every_prompt_may_be_edited(each):
    base = each.prompt
    assert edit_prompt(base, system="Be strict.", template=base.template).system == "Be strict."


def test_a_judge_is_made_again_from_its_settings(monkeypatch):
    assert make_judge(OfflineJudge().settings).author.name == NAME
    with LoopbackJudge() as server:
        monkeypatch.setenv("PLUMBLINE_JUDGE_ALLOW", f"127.0.0.1:{server.port}")
        endpoint = Endpoint(
            model="good",
            base_url=server.base_url,
            temperature=None,
            seed=3,
            max_tokens=900,
            extra={"top_k": 5},
            wall_seconds=12.0,
        )
        settings = OpenAIJudge(endpoint).settings
        again = make_judge(settings)
        assert again.settings == settings
        samples = rerun.ask_judge(asked(), again, samples=3)
        assert [each.body["seed"] for each in server.asked_of("good")] == [3, 4, 5]
        assert "temperature" not in server.asked[0].body
    assert all(sample.cost is None for sample in samples)
    assert len(rerun.settle_samples(samples, RULES).answers) == 2


@pytest.mark.parametrize(
    "wrong", [{"seed": "three"}, {"extra": "[1]"}, {"extra": "{"}, {"structured": "odd"}]
)
def test_a_setting_that_cannot_be_read_is_named(wrong):
    with pytest.raises(JudgeFailed) as failed:
        make_judge({"model": "m", "address": "https://example.org/v1"} | wrong)
    assert failed.value.kind == "request"
