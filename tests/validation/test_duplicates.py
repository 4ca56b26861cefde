"""Duplicates: sessions, messages and gold that are there twice, here or elsewhere."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from tests.validation.findings import found
from wildtool.grounding.ngrams import ngrams, user_text
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.session import Answer, Session, Task
from wildtool.schemas.vocabulary import Language, TaskType
from wildtool.validation.duplicates import near_duplicates


def test_twins_are_found(make: Any) -> None:
    one, two = make(1), make(2)
    twin = two.model_copy(update={"tasks": one.tasks})
    reasons = found([one, twin])
    assert reasons["near_equal"] == [f"says nearly the same as {one.id}"]
    assert reasons["same_gold"] == [f"has the same gold calls as {one.id}"]


def test_overlap_with_earlier_releases_and_files(make: Any) -> None:
    one, two = make(1), make(2)
    assert found([one], ReleaseContext(earlier={"ses_old": user_text(one)}))["overlap"] == [
        "says nearly the same as ses_old of an earlier release"
    ]
    # An earlier release holds this very session: that is no overlap, ids stay.
    assert found([one], ReleaseContext(earlier={one.id: user_text(one)})) == {}
    foreign = frozenset(ngrams(f"a training text {two.tasks[0].user} and more"))
    assert "n-grams" in found([two], ReleaseContext(foreign=foreign))["overlap"][0]
    assert found([one], ReleaseContext(foreign=foreign)) == {}


def session(number: int, *messages: str) -> Session:
    return Session.for_plan(
        f"pln_{number:016x}",
        language=Language.EN,
        now="2024-07-10T09:30:00+00:00",
        tool_list="tls_0000000000000001",
        category="News",
        subcategory="news",
        tools=(),
        tasks=tuple(Task(user=text, type=TaskType.CHAT, actions=(Answer(text="Sure."),)) for text in messages),
    )


def test_equal_and_near_equal_messages_are_found_and_like_ones_are_not():
    first = session(0, "Could you find me a quiet café near the station?", "And tomorrow?")
    second = session(1, "could you find me a quiet cafe near the station", "And tomorrow?")
    third = session(2, "Could you find me a quiet café near the stations?", "What does the museum cost on Sundays?")
    near = near_duplicates([first, second, third])
    assert set(near) == {second.id, third.id}
    assert [(v.task, v.certainty) for v in near[second.id]] == [(0, 0.9)]
    assert [(v.task, v.certainty) for v in near[third.id]] == [(0, 0.6)]
    assert first.id in near[second.id][0].evidence
    assert near_duplicates([]) == {} == near_duplicates([first])


def test_256_sessions_are_compared_in_less_than_two_seconds():
    rng = Random(5)
    words = (
        "air show ticket train market weather north garden piano evening river budget late cheap museum coffee".split()
    )
    sessions = [session(n, *(" ".join(rng.choices(words, k=14)) for _ in range(4))) for n in range(256)]
    started = time.perf_counter()
    near_duplicates(sessions)
    assert time.perf_counter() - started < 2.0
