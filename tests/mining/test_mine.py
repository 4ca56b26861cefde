"""The whole way from logs to seeds: nothing vanishes, nothing raw comes out, the same input gives the same result."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from wildtool.language.detection import language_of
from wildtool.mining import MiningResult, MiningSettings, mine
from wildtool.mining.behaviour import observe
from wildtool.mining.scenarios.domains import domain_of
from wildtool.schemas.conversation import Conversation, Message
from wildtool.schemas.taxonomy import CATEGORY_OF
from wildtool.schemas.vocabulary import HiddenIntentKind, TurnKind


@pytest.fixture(scope="module")
def result(repository: Path) -> MiningResult:
    return mine([str(repository / "examples" / "logs")])


def chat(language: str, *texts: str) -> Conversation:
    roles = ("user", "assistant")
    messages = [Message(role=roles[number % 2], content=text) for number, text in enumerate(texts)]  # type: ignore[arg-type]
    return Conversation.of(source_id="x", source="x", line=1, user="u", language=language, messages=messages)


def test_rows_in_are_rows_out_and_quarantined_at_every_step(result: MiningResult) -> None:
    steps = result.report.steps
    assert steps[0].rows_in == 332
    for before, after in pairwise(steps):
        assert after.rows_in == before.rows_out
    assert sum(step.quarantined for step in steps) == len(result.quarantined)
    assert steps[-1].rows_out == len(result.behaviours)


def test_planted_copies_and_junk_are_found(result: MiningResult) -> None:
    reasons = Counter(row.reason for row in result.quarantined)
    assert reasons["exact_duplicate"] >= 7
    assert reasons["near_duplicate"] >= 2
    assert reasons["code_dump"] == 1


def test_seeds_cover_the_taxonomy_in_both_languages(result: MiningResult) -> None:
    for language in ("en", "zh"):
        seeds = [seed for seed in result.seeds if seed.language == language]
        assert len(seeds) >= 12
        assert len({seed.category for seed in seeds}) >= 6
    assert all(seed.supporting_users >= 3 and len(seed.evidence) >= 3 for seed in result.seeds)
    assert all(CATEGORY_OF[seed.subcategory].name == seed.category for seed in result.seeds)


def test_seeds_hold_no_raw_message_and_no_planted_personal_data(result: MiningResult, repository: Path) -> None:
    seeds = "\n".join(seed.to_json() for seed in result.seeds)
    for name in ("assistant_en.jsonl", "assistant_zh.jsonl"):
        for line in (repository / "examples" / "logs" / name).read_text(encoding="utf-8").splitlines():
            for message in json.loads(line)["messages"]:
                if len(message["content"]) > 40:
                    assert message["content"] not in seeds
    for planted in ("@example", "4111", "13800138000", "Morwenna"):
        assert planted not in seeds


def test_the_same_log_gives_the_same_result(result: MiningResult, repository: Path) -> None:
    again = mine([str(repository / "examples" / "logs")])
    assert again.seeds == result.seeds
    assert again.report == result.report
    assert list(again.behaviours) == list(result.behaviours)
    assert list(again.quarantined) == list(result.quarantined)


def test_seeds_can_be_expanded_with_lineage(repository: Path, result: MiningResult) -> None:
    more = mine([str(repository / "examples" / "logs")], settings=MiningSettings(scenarios=60))
    english = [seed for seed in more.seeds if seed.language == "en"]
    mined = {seed.id for seed in result.seeds}
    assert len(english) == 60
    assert len({seed.id for seed in english}) == 60
    assert all(seed.parent in mined for seed in english if seed.id not in mined)


@pytest.mark.e2e  # 1,499 dialogues; examples/ are mined in fast runs
def test_real_dialogues_all_arrive(shared_data: Path) -> None:
    result = mine([str(shared_data / "dialogues" / "dialogues.jsonl")])
    assert result.report.steps[0].rows_in == 1499
    assert result.report.steps[-1].rows_out + len(result.quarantined) == 1499
    assert {seed.language for seed in result.seeds} == {"en", "zh"}


def test_a_log_without_user_turns_keeps_its_rows_in_quarantine(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"messages": [{"role": "assistant", "content": "hello?"}]}), encoding="utf-8")
    result = mine([str(log)], settings=MiningSettings(keep_raw=True))
    assert not result.behaviours
    assert [row.reason for row in result.quarantined] == ["no_user_turn"]
    assert "hello?" in next(iter(result.quarantined)).raw


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("will it rain tmrw", "en"),
        ("明天会下雨吗", "zh"),
        ("用Python写个爬虫", "zh"),
        ("¿Va a llover mañana en Sevilla?", "es"),
        ("123 !!!", "und"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "language", "domain"),
    [
        ("will it rain in Lyon tomorrow", "en", "weather and astronomy"),
        ("translate this into German", "en", "dictionaries and text"),
        ("查一下去南京的高铁", "zh", "rail and transit"),
        ("qqq zzz", "en", None),
    ],
)
def test_domain(text: str, language: str, domain: str | None) -> None:
    assert domain_of(text, language) == domain


def test_talk_before_any_need_stays_talk() -> None:
    turns = observe(chat("en", "hi, how are you?", "Fine, and you?", "find me a hotel in Lyon", "Which dates?")).turns
    assert [turn.kind for turn in turns] == [TurnKind.CHAT, TurnKind.TASK_OPEN]


def test_a_value_of_long_ago_is_long_range() -> None:
    turns = observe(
        chat("en", "book a table for 4 people in Lyon", "What cuisine?", "Thai please", "Which area?", "the old town", "What time?",
             "around eight", "I booked Siam House in Lyon for 4 people.")
    ).turns  # fmt: skip
    far = [one for one in turns[3].hidden if one.kind is HiddenIntentKind.LONG_RANGE]
    assert [(one.leans_on, one.distance) for one in far] == [(0, 3)]


def test_a_word_that_fewer_than_k_users_wrote_is_in_no_seed(tmp_path: Path) -> None:
    cities = ("Lyon", "Bergen", "Tucson", "Sapporo", "Delhi")
    rows = [
        {
            "user": f"u{number}",
            "messages": [{"role": "user", "content": f"what is the weather in {city} tomorrow zebrafest"}],
        }
        if number < 2
        else {
            "user": f"u{number}",
            "messages": [{"role": "user", "content": f"what is the weather in {city} tomorrow"}],
        }
        for number, city in enumerate(cities)
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    seeds = mine([str(log)], settings=MiningSettings(scenarios=20)).seeds
    assert seeds
    shown = "\n".join(seed.to_json() for seed in seeds).lower()
    assert "the weather in" in shown
    assert all(word.lower() not in shown for word in ("zebrafest", *cities))


def test_quarantine_holds_a_pointer_and_a_reason_and_no_text(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    rows = [
        {"messages": [{"role": "moderator", "content": "My mail is anna.berg@example.com"}]},
        {"messages": [{"role": "assistant", "content": "Hello Anna Berg"}]},
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    kept = list(mine([str(log)]).quarantined)
    assert [(row.source, row.line, row.reason, row.raw) for row in kept] == [
        ("log.jsonl", 1, "unknown_role", ""),
        ("log.jsonl", 2, "no_user_turn", ""),
    ]
