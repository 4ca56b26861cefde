"""Sessions to store and freeze, made by hand so that each field has a known value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from wildtool.schemas.label import Label
from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent, Provenance, Session, Task
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse.store.store import Store

CITIES = {
    Language.EN: ["Lyon", "Porto", "Oslo", "Quito", "Perth", "Dakar", "Kyoto", "Turin"],
    Language.ZH: ["里昂", "波尔图", "奥斯陆", "基多", "珀斯", "达喀尔", "京都", "都灵"],
}

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "type": "function",
        "function": {
            "name": "getAirQuality",
            "description": "Current air quality of a city.",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string", "description": "Name of the city."}},
                "required": ["city"],
            },
            "x-returns": {"type": "object", "properties": {"aqi": {"type": "integer"}}},
        },
    },
    {
        "type": "function",
        "function": {
            "name": "searchShows",
            "description": "Shows in a city on a day.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Name of the city."},
                    "date": {"type": "string", "format": "date", "description": "Day, YYYY-MM-DD."},
                    "limit": {"type": "integer", "minimum": 1, "description": "Most shows to return."},
                },
                "required": ["city", "date"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "getShow",
            "description": "One show.",
            "parameters": {
                "type": "object",
                "properties": {"id": {"type": "string", "description": "Id of the show."}},
                "required": ["id"],
            },
        },
    },
)

WORDS = {
    Language.EN: {
        "single": "{aside}. How's the air in {city} right now?",
        "multi": "What is on tomorrow? Give me 3 shows at most and tell me about the second one.",
        "clarify": "And what is on there on another day?",
        "question": "Which day do you mean?",
        "reply": "2024-07-20",
        "chat": "Thanks! {other}.",
        "answer": "Here is what I found for {city}.",
        "bye": "You are welcome.",
    },
    Language.ZH: {
        "single": "{aside}。{city}现在空气怎么样？",
        "multi": "明天有什么演出？最多3场，再说说第二场。",
        "clarify": "那边别的日子有什么演出？",
        "question": "您指的是哪一天？",
        "reply": "2024-07-20",
        "chat": "谢谢！{other}。",
        "answer": "这是{city}的结果。",
        "bye": "不客气。",
    },
}


SYLLABLES = {
    Language.EN: list("bdfgklmnprstvz"),
    Language.ZH: list("山水花鸟风云雨雪松竹梅兰茶书琴棋诗酒桥舟"),
}


def babble(number: int, language: Language, length: int) -> str:
    """Words of no meaning that no other session has: real users say different things, and a gate wants that."""
    random = Random(f"{number} {language} {length}")
    words = ["".join(random.choices(SYLLABLES[language], k=4)) for _ in range(length)]
    return (" " if language is Language.EN else "").join(words)


def make_session(number: int, language: Language = Language.EN, **changes: Any) -> Session:
    """A sound session of 4 tasks: single, multi (sequential), clarify, chat."""
    city = CITIES[language][number % len(CITIES[language])]
    aside, other = babble(number, language, 12), babble(number, language, 8)
    words = {name: text.format(city=city, aside=aside, other=other) for name, text in WORDS[language].items()}
    shows = {"shows": [{"id": f"s{number}1", "title": f"A{number}"}, {"id": f"s{number}2", "title": f"B{number}"}]}
    tasks = (
        Task(
            user=words["single"],
            type="single",
            actions=(
                Call(name="getAirQuality", arguments={"city": city}, observation={"city": city, "aqi": 40 + number}),
                Answer(text=words["answer"], depends_on=(0,)),
            ),
        ),
        Task(
            user=words["multi"],
            type="multi",
            topology="sequential",
            hidden_intent=HiddenIntent(kind="partial_information", piece="city", said_in=0, distance=1),
            actions=(
                Call(
                    name="searchShows",
                    arguments={"city": city, "date": "2024-07-13", "limit": 3},
                    observation=shows,
                ),
                Call(
                    name="getShow",
                    arguments={"id": f"s{number}2"},
                    observation={"id": f"s{number}2", "title": f"B{number}", "seats": []},
                    depends_on=(0,),
                ),
                Answer(text=words["answer"], depends_on=(1,)),
            ),
        ),
        Task(
            user=words["clarify"],
            type="clarify",
            hidden_intent=HiddenIntent(kind="coreference", device="demonstrative", piece="city", said_in=1, distance=1),
            actions=(
                Ask(slots=("date",), tool="searchShows", question=words["question"], reply=words["reply"]),
                Call(
                    name="searchShows",
                    arguments={"city": city, "date": "2024-07-20"},
                    observation={"shows": []},
                    depends_on=(0,),
                ),
                Answer(text=words["answer"], depends_on=(1,)),
            ),
        ),
        Task(
            user=words["chat"],
            type="chat",
            hidden_intent=HiddenIntent(kind="long_range", piece="date", said_in=0, distance=4),
            actions=(Answer(text=words["bye"]),),
        ),
    )
    fields: dict[str, Any] = {
        "language": language,
        "now": "2024-07-12T09:30:00+00:00",
        "tool_list": "tls_0000000000000001",
        "category": "Weather & Environment",
        "subcategory": "air quality and carbon",
        "tools": TOOLS,
        "tasks": tasks,
    }
    plan = f"pln_{language.value}{number:012d}"
    session = Session.for_plan(plan, **(fields | changes))
    provenance = Provenance(
        seed="sed_1",
        plan=plan,
        draft=f"drf_{number}",
        models={"user": "offline-1"},
        prompts={"user": "0" * 64},
        offline=True,
        simulated_labels=True,
    )
    session = session.model_copy(update={"provenance": provenance})
    labels = (make_label(session).id,)
    return session.model_copy(update={"provenance": provenance.model_copy(update={"labels": labels})})


def make_label(session: Session, annotator: str = "ann-1", **changes: Any) -> Label:
    """A label that accepts a session as it is."""
    fields: dict[str, Any] = {
        "draft": session.provenance.draft or "drf_x",
        "session": session.id,
        "annotator": annotator,
        "simulated": True,
        "project_id": 1,
        "annotation_id": 1,
        "interface": "0" * 16,
        "updated_at": "2026-01-02T03:04:05+00:00",
        "decision": "accept",
        "tasks": session.tasks,
    }
    return Label.of(**(fields | changes))


def accepted(sessions: Iterable[Session], **changes: Any) -> list[Label]:
    """A label for each session that accepts it as it is."""
    return [make_label(session, **changes) for session in sessions]


@pytest.fixture
def sessions() -> list[Session]:
    """12 English and 12 Chinese sessions."""
    return [make_session(number, language) for language in Language for number in range(12)]


@pytest.fixture
def make() -> Callable[..., Session]:
    """Makes one session."""
    return make_session


@pytest.fixture
def label() -> Callable[..., Label]:
    """Makes one label."""
    return make_label


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store that waits briefly."""
    return Store(tmp_path / "home" / "warehouse.duckdb", wait=5)
