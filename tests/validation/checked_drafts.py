"""Flawless drafts in both languages, and ways to spoil them."""

from __future__ import annotations

from typing import Any

from tests.drafted import draft_of
from wildtool.schemas.draft import Draft
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall
from wildtool.schemas.session import Action, Answer, Ask, Call, HiddenIntent, Task
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language, TaskType, Topology

NOW = "2024-07-10T09:30:00+00:00"
"""A Wednesday."""

TEXT = {"type": "string"}
RETURNS = {
    "type": "object",
    "properties": {"city": TEXT, "shows": {"type": "array", "items": {"type": "object"}}},
    "required": ["city", "shows"],
}


def tools(language: Language) -> ToolList:
    zh = language is Language.ZH
    day = {"type": "string", "format": "date", "description": "日期" if zh else "Day of the show"}

    def tool(name: str, description: str, required: list[str], returns: Any = None, **properties: Any) -> Tool:
        parameters = {"type": "object", "properties": properties, "required": required}
        words = {"kind": {"classical": "古典音乐" if zh else "something classical"}} if "kind" in properties else {}
        return Tool(name=name, description=description, parameters=parameters, returns=returns, enum_words=words)

    return ToolList.of(
        slug="city-nights",
        title="City nights",
        description="What is on",
        language=language,
        category="Entertainment & Social",
        subcategory="games, sports and social",
        source="core",
        licence="Apache-2.0",
        version="1",
        tools=(
            tool(
                "getAirQuality",
                "空气质量" if zh else "Air quality of a city",
                ["city"],
                city={**TEXT, "description": "城市" if zh else "Name of the city"},
                country={**TEXT, "description": "Country code"},
            ),
            tool(
                "searchShows",
                "演出" if zh else "Shows in a city",
                ["city"],
                RETURNS,
                city=TEXT,
                day=day,
                kind={
                    "type": "string",
                    "enum": ["classical", "jazz"],
                    "description": "classical 古典音乐，jazz 爵士" if zh else "classical or jazz",
                },
                limit={"type": "integer", "default": 10},
            ),
            tool("getShow", "演出详情" if zh else "One show", ["showId"], showId=TEXT),
            tool(
                "bookShow",
                "订票" if zh else "Book seats",
                ["showId", "seats"],
                showId={**TEXT, "description": "演出编号" if zh else "Id of the show"},
                seats={"type": "integer", "description": "座位数" if zh else "Number of seats"},
            ),
        ),
        links=(
            ToolLink(
                producer="searchShows", path="shows[*].showId", consumer="getShow", parameter="showId", required=True
            ),
            ToolLink(producer="searchShows", path="shows[*].showId", consumer="bookShow", parameter="showId"),
        ),
    )


WORDS = {
    Language.EN: {
        "open": "Hi! How's the air in Lyon, France?",
        "air": "The index is 41.",
        "multi": "And is there something classical on there tomorrow? Tell me more about the second one, and how's the air in Nice.",
        "multi_answer": "Nuit costs 35 euros; the index in Nice is 18.",
        "clarify": "Okay, get me seats for that one.",
        "question": "How many seats would you like?",
        "reply": "three please",
        "booked": "Done, 3 seats are yours.",
        "chat": "Great, thanks a lot!",
        "bye": "Enjoy the evening!",
        "city": "Lyon",
        "other": "Nice",
    },
    Language.ZH: {
        "open": "你好，法国里昂的空气怎么样？",
        "air": "指数是41。",
        "multi": "那明天那里有古典音乐的演出吗？详细说说第二个，还有尼斯的空气如何。",
        "multi_answer": "《夜》票价35欧元，尼斯的指数是18。",
        "clarify": "行，帮我订那一场的座位。",
        "question": "请问需要几个座位？",
        "reply": "三个",
        "booked": "订好了，一共3个座位。",
        "chat": "太好了，多谢！",
        "bye": "祝您今晚愉快！",
        "city": "里昂",
        "other": "尼斯",
    },
}


def tasks(language: Language) -> tuple[Task, ...]:
    say = WORDS[language]
    nuit = "Nuit" if language is Language.EN else "夜"
    shows = [{"showId": "show-71", "title": "Le Bal"}, {"showId": "show-94", "title": nuit}]
    return (
        Task(
            user=say["open"],
            type=TaskType.SINGLE,
            actions=(
                Call(
                    name="getAirQuality",
                    arguments={"city": say["city"], "country": "FR"},
                    observation={"city": say["city"], "aqi": 41},
                ),
                Answer(text=say["air"], depends_on=(0,)),
            ),
        ),
        Task(
            user=say["multi"],
            type=TaskType.MULTI,
            topology=Topology.MIXED,
            hidden_intent=HiddenIntent(
                kind=HiddenIntentKind.COREFERENCE, device=Device.PRONOUN, piece="city", said_in=0, distance=1
            ),
            actions=(
                Call(
                    name="searchShows",
                    arguments={"city": say["city"], "day": "2024-07-11", "kind": "classical"},
                    observation={"city": say["city"], "shows": shows},
                ),
                Call(
                    name="getShow",
                    arguments={"showId": "show-94"},
                    observation={"showId": "show-94", "title": nuit, "price": 35},
                    depends_on=(0,),
                ),
                Call(
                    name="getAirQuality",
                    arguments={"city": say["other"]},
                    observation={"city": say["other"], "aqi": 18},
                ),
                Answer(text=say["multi_answer"], depends_on=(1, 2)),
            ),
        ),
        Task(
            user=say["clarify"],
            type=TaskType.CLARIFY,
            hidden_intent=HiddenIntent(
                kind=HiddenIntentKind.COREFERENCE, device=Device.DEMONSTRATIVE, piece="showId", said_in=1, distance=1
            ),
            actions=(
                Ask(slots=("seats",), tool="bookShow", question=say["question"], reply=say["reply"]),
                Call(
                    name="bookShow",
                    arguments={"showId": "show-94", "seats": 3},
                    observation={"showId": "show-94", "seats": 3},
                    depends_on=(0,),
                ),
                Answer(text=say["booked"], depends_on=(1,)),
            ),
        ),
        Task(user=say["chat"], type=TaskType.CHAT, actions=(Answer(text=say["bye"]),)),
    )


def _planned(task: Task, number: int) -> Blueprint:
    calls = [(index, action) for index, action in enumerate(task.actions) if isinstance(action, Call)]
    place = {index: position for position, (index, _) in enumerate(calls)}
    hidden = task.hidden_intent
    missing = next((action.slots for action in task.actions if isinstance(action, Ask)), ())
    return Blueprint(
        type=task.type,
        topology=task.topology,
        hidden_intent=hidden,
        missing=missing,
        calls=tuple(
            PlannedCall(
                tool=call.name,
                arguments=tuple(
                    PlannedArgument(
                        parameter=name,
                        source="earlier" if hidden and name == hidden.piece and call is calls[0][1] else "user",
                        value=value,
                    )
                    for name, value in call.arguments.items()
                ),
                depends_on=tuple(place[on] for on in call.depends_on if on in place),
            )
            for _, call in calls
        ),
    )


def draft(language: Language = Language.EN) -> Draft:
    gold = tasks(language)
    return draft_of(tools(language), gold, [_planned(task, number) for number, task in enumerate(gold)], now=NOW)


def with_task(whole: Draft, number: int, **changes: Any) -> Draft:
    """The draft with one task changed, unchecked."""
    changed = list(whole.session.tasks)
    changed[number] = changed[number].model_copy(update=changes)
    return whole.model_copy(update={"session": whole.session.model_copy(update={"tasks": tuple(changed)})})


def with_action(whole: Draft, number: int, index: int, **changes: Any) -> Draft:
    """The draft with one action changed."""
    actions: list[Action] = list(whole.session.tasks[number].actions)
    actions[index] = actions[index].model_copy(update=changes)
    return with_task(whole, number, actions=tuple(actions))


def with_arguments(whole: Draft, number: int, index: int, **arguments: Any) -> Draft:
    """The draft with arguments of one call changed or, where None, taken away."""
    call = whole.session.tasks[number].actions[index]
    assert isinstance(call, Call)
    merged = {name: value for name, value in {**call.arguments, **arguments}.items() if value is not None}
    return with_action(whole, number, index, arguments=merged)
