"""Answers: numbers that nothing holds, results of which nothing is told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validation.findings import found, results
from wildtool.schemas.session import Answer, Call, Session, Task

TOOL = {
    "type": "function",
    "function": {
        "name": "convert",
        "description": "Converts money.",
        "parameters": {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]},
    },
}


def answered(text: str, observation: Any) -> Session:
    call = Call(name="convert", arguments={"amount": 45}, observation=observation)
    task = Task(user="What are 45 francs?", type="single", actions=(call, Answer(text=text, depends_on=(0,))))
    return Session.for_plan(
        text, language="en", now="2024-07-12T09:30:00+00:00", tool_list="tls_1", category="c", subcategory="c", tools=(TOOL,), tasks=(task,)
    )  # fmt: skip


def said(text: str, observation: Any) -> set[str]:
    return set(found([answered(text, observation)], quiet=())) & {"answer", "untold"}


@pytest.mark.parametrize(
    ("text", "observation", "rules"),
    [
        ("That is 27.90 pounds.", {"result": 27.9}, set()),
        ("About 28 pounds.", {"result": 27.9}, set()),
        ("That is 31.20 pounds.", {"result": 27.9}, {"answer", "untold"}),
        ("Here you are.", {"result": 27.9}, {"untold"}),
        ("It is booked.", {"ok": True, "booking_id": "b-7712", "amount": 45}, set()),
        ("It starts at 08:00.", {"start": "2025-06-03T08:00:00Z"}, set()),
        ("She was born in 1978.", {"born": 1988}, {"answer", "untold"}),
        ("Sorry, that failed.", {"error": "unavailable", "code": 5031}, set()),
    ],
)
def test_what_an_answer_says_of_a_result(text: str, observation: Any, rules: set[str]) -> None:
    assert said(text, observation) == rules


def test_answers_are_only_doubted() -> None:
    for result in results([answered("That is 31.20 pounds.", {"result": 27.9})]).values():
        assert not result.failures or result.gate == "judged"
