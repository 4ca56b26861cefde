"""A language model's part in mining: taken where it passes, and what was there before where not."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from wildtool.mining import MiningSettings, mine
from wildtool.mining.behaviour import observe_texts
from wildtool.mining.scenarios.expand import Gate
from wildtool.mining.scenarios.llm_rewrite import Observed, refine, word
from wildtool.schemas.conversation import ConversationBehaviour
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.vocabulary import TurnKind


@pytest.fixture(scope="module")
def seeds(repository: Path) -> tuple[SeedScenario, ...]:
    return mine([str(repository / "examples" / "logs")], settings=MiningSettings(scenarios=40)).seeds


def entries(request: str, name: str) -> list[dict[str, Any]]:
    return json.loads(request[request.index("\n\n{") :])[name]


def wording(requests: Sequence[str]) -> list[str | None]:
    """A model that words every scenario differently."""
    return [
        "```json\n"
        + json.dumps(
            {
                "scenarios": [
                    {"id": one["id"], "title": f"Case {one['id'][-6:]}", "description": f"Somebody {one['id']} asks.",
                     "goal": f"Get {one['id']}"}
                    for one in entries(request, "scenarios")
                ]
            }
        )
        + "\n```"
        for request in requests
    ]  # fmt: skip


def test_a_model_words_seeds_and_lineage_follows(seeds: tuple[SeedScenario, ...]) -> None:
    worded, taken = word(seeds, wording)
    assert taken == len(seeds)
    assert [one.evidence for one in worded] == [one.evidence for one in seeds]
    ids = {one.id for one in worded}
    assert len(ids) == len(seeds) and all(one.title.startswith("Case ") for one in worded)
    assert {one.parent for one in worded if one.parent} <= ids
    assert sum(one.parent is not None for one in worded) == sum(one.parent is not None for one in seeds) > 0


@pytest.mark.parametrize(
    "answer", [None, "", "no JSON", "{}", '{"scenarios": 3}', '{"scenarios": [{"id": "x"}, 7, null]}']
)
def test_a_useless_answer_changes_nothing(seeds: tuple[SeedScenario, ...], answer: str | None) -> None:
    assert word(seeds, lambda requests: [answer] * len(requests)) == (list(seeds), 0)


def test_words_that_are_all_alike_do_not_pass_the_gate(seeds: tuple[SeedScenario, ...]) -> None:
    def same(requests: Sequence[str]) -> list[str | None]:
        text = {"title": "A case", "description": "Somebody asks for something.", "goal": "Get it done."}
        return [
            json.dumps({"scenarios": [text | {"id": one["id"]} for one in entries(request, "scenarios")]})
            for request in requests
        ]

    worded, taken = word(seeds, same)
    assert taken == len({(one.language, one.subcategory) for one in seeds})
    assert len({one.id for one in worded}) == len(seeds)


def test_the_model_sees_no_message_of_the_log(seeds: tuple[SeedScenario, ...], repository: Path) -> None:
    seen: list[str] = []
    word(seeds, lambda requests: [seen.append(one) for one in requests])  # type: ignore[func-returns-value, misc]
    shown = "\n".join(seen)
    for path in (repository / "examples" / "logs").glob("assistant_*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            for message in json.loads(line)["messages"]:
                assert len(message["content"]) <= 40 or message["content"] not in shown


def observed(number: int) -> Observed:
    texts = (
        ("user", "find a hotel in Graz"),
        ("assistant", "Which dates?"),
        ("user", "the 3rd to the 5th"),
        ("assistant", "Here."),
    )
    return Observed(f"cnv_{number}", texts, observe_texts(texts, "en"))


def test_a_model_labels_turns_anew_and_bad_answers_leave_them() -> None:
    def model(requests: Sequence[str]) -> list[str | None]:
        return [
            json.dumps(
                {
                    "conversations": [
                        {"id": "cnv_0", "kinds": ["task_open", "task_update"]},
                        {"id": "cnv_1", "kinds": ["task_open"]},
                        {"id": "cnv_2", "kinds": ["task_open", "dance"]},
                        {"id": "cnv_9", "kinds": ["chat", "chat"]},
                    ]
                }
            )
            for _ in requests
        ]

    before = [observed(number) for number in range(4)]
    after, changed = refine(before, model)
    assert changed == 1
    assert [turn.kind for turn in after[0]] == [TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE]
    assert after[0][1].hidden == before[0].turns[1].hidden
    assert after[1:] == [one.turns for one in before[1:]]
    assert refine(before, lambda requests: [None] * len(requests)) == ([one.turns for one in before], 0)


def test_conversations_go_in_batches() -> None:
    sizes: list[int] = []

    def count(requests: Sequence[str]) -> list[str | None]:
        sizes.extend(len(re.findall(r'"guess"', one)) - 1 for one in requests)  # the instruction says it once
        return [None] * len(requests)

    refine([observed(number) for number in range(70)], count)
    assert sum(sizes) == 140 and max(sizes) <= 60 and len(sizes) == 3


def test_mining_with_a_model_keeps_the_count_of_rows(repository: Path) -> None:
    """All turns of the refined conversations become chat: they are in the behaviours, and no longer open tasks."""

    def model(requests: Sequence[str]) -> list[str | None]:
        answers: list[str | None] = []
        for request in requests:
            if '"conversations"' not in request:
                answers += wording([request])
                continue
            kinds = [
                {"id": one["id"], "kinds": ["chat"] * sum("user" in message for message in one["messages"])}
                for one in entries(request, "conversations")
            ]
            answers.append(json.dumps({"conversations": kinds}))
        return answers

    log = [str(repository / "examples" / "logs" / "assistant_en.jsonl")]
    plain, asked = mine(log), mine(log, settings=MiningSettings(model="m", refine=10), ask=model)
    assert asked.report.notes["conversations_looked_at_again"] == 10
    assert asked.report.notes["seeds_worded"] == len(asked.seeds) > 0
    assert len(asked.behaviours) == len(plain.behaviours)
    before = {one.conversation: one for one in plain.behaviours}
    changed: list[ConversationBehaviour] = [one for one in asked.behaviours if one != before[one.conversation]]
    assert 1 <= len(changed) <= 10
    assert all(turn.kind is TurnKind.CHAT for one in changed for turn in one.turns)
    assert asked.stats["en"].kinds[TurnKind.CHAT] > plain.stats["en"].kinds[TurnKind.CHAT]
    assert asked.report.notes["openings"] < plain.report.notes["openings"]


def test_the_gate_knows_a_repeat(seeds: tuple[SeedScenario, ...]) -> None:
    gate = Gate()
    gate.add(seeds[0])
    assert not gate.admits(seeds[0])
