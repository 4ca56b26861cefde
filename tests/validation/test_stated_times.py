"""Times of day in the words people use, against arguments of the kinds that tools take."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validation.findings import found
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.session import Answer, Call, Session, Task
from wildtool.schemas.vocabulary import Language

NOW = "2024-07-12T09:30:00+00:00"


def tool(name: str, **parameters: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": parameters, "required": sorted(parameters)}
    return {"type": "function", "function": {"name": name, "description": "Does it.", "parameters": schema}}


TOOLS = (
    tool("reserve", time={"type": "string", "description": "Time of arrival."}),
    tool("remind", at={"type": "string", "description": "Moment of the reminder, ISO 8601."}),
    tool("ring", hour={"type": "integer", "description": "Hour of the day, 0 to 23."}),
    tool("block", start={"type": "string", "description": "From when."}, end={"type": "string", "description": "Till when."}),
)  # fmt: skip


def session(words: str, name: str, arguments: dict[str, Any], *earlier: Task) -> Session:
    call = Call(name=name, arguments=arguments, observation={"ok": True})
    task = Task(user=words, type="single", actions=(call, Answer(text="OK.", depends_on=(0,))))
    chinese = any("\u3400" <= char <= "\u9fff" for char in words)
    return Session.for_plan(
        f"{words} {arguments}", language=Language.ZH if chinese else Language.EN, now=NOW, tool_list="tls_1", category="c", subcategory="c",
        tools=TOOLS, tasks=(*earlier, task), provenance={"labels": ("lab_1",)},
    )  # fmt: skip


def failing(one: Session) -> dict[str, list[str]]:
    return found([one], ReleaseContext(licences={"tls_1": "MIT"}))


SAID: list[tuple[str, str, str, list[str], list[str]]] = [
    # words, tool, parameter, right values, wrong values
    ("Get us a table at 7 pm.", "reserve", "time", ["19:00", "7:00 PM", "19:00:00"], ["07:00", "17:00", "19:30", "7:00 AM"]),
    ("Get us a table at half past six.", "reserve", "time", ["18:30", "06:30"], ["18:00", "17:30", "19:30"]),
    ("A table at noon, please!", "reserve", "time", ["12:00"], ["00:00", "13:00", "14:00"]),
    ("Table for 19:30.", "reserve", "time", ["19:30", "7:30 pm"], ["19:00", "20:30", "07:30"]),
    ("We come at quarter to eight in the evening.", "reserve", "time", ["19:45"], ["20:15", "07:45", "20:00"]),
    ("We'd be there at seven tonight.", "reserve", "time", ["19:00"], ["07:00", "21:00"]),
    ("Dinner table at 7.45 tonight.", "reserve", "time", ["19:45"], ["07:45", "17:45"]),
    ("We'll be there at 8, four of us", "reserve", "time", ["20:00", "08:00"], ["18:00", "16:00", "20:30"]),
    ("A table around 7 pm", "reserve", "time", ["19:00", "18:45", "19:30"], ["20:00", "17:00"]),
    ("A table after 8 pm", "reserve", "time", ["20:00", "20:30"], ["19:00", "18:30"]),
    ("A table no later than 6 pm", "reserve", "time", ["18:00", "17:30"], ["19:00", "20:00"]),
    ("A table this evening", "reserve", "time", ["19:00", "20:00"], ["08:00", "12:30"]),
    ("A table at twenty past one in the afternoon", "reserve", "time", ["13:20"], ["13:40", "01:20"]),
    ("Eight o'clock sharp, a table please", "reserve", "time", ["20:00", "08:00"], ["18:00", "20:15"]),
    ("Table at 12:15 am", "reserve", "time", ["00:15"], ["12:15"]),
    ("Table at seven thirty p.m.", "reserve", "time", ["19:30"], ["07:30", "19:00"]),
    ("Table at 1930 hours", "reserve", "time", ["19:30"], ["20:30"]),
    ("Remind me at 6:45 tomorrow morning.", "remind", "at", ["2024-07-13T06:45:00", "2024-07-13T06:45:00Z"],
     ["2024-07-13T18:45:00", "2024-07-13T07:45:00", "2024-07-13T00:00:00"]),
    ("Remind me in two hours.", "remind", "at", ["2024-07-12T11:30:00+00:00"], ["2024-07-12T13:30:00+00:00", "2024-07-12T10:30:00"]),
    ("Remind me in half an hour.", "remind", "at", ["2024-07-12T10:00:00"], ["2024-07-12T11:00:00"]),
    ("Remind me tomorrow at midnight.", "remind", "at", ["2024-07-13T00:00:00"], ["2024-07-13T12:00:00"]),
    ("订一桌，下午三点半。", "reserve", "time", ["15:30", "15:30:00"], ["03:30", "15:00", "14:30", "13:30"]),
    ("晚上8点订桌", "reserve", "time", ["20:00"], ["08:00", "18:00"]),
    ("中午十二点订一桌", "reserve", "time", ["12:00"], ["00:00", "14:00"]),
    ("十九点三十分订一桌", "reserve", "time", ["19:30"], ["19:00", "09:30"]),
    ("今晚给我们订一桌，七点一刻", "reserve", "time", ["19:15"], ["07:15", "19:45"]),
    ("差一刻八点到店，订一桌", "reserve", "time", ["19:45", "07:45"], ["20:15", "20:00"]),
    ("订一桌，19时30分", "reserve", "time", ["19:30"], ["18:30"]),
    ("订一桌，晚上七点左右", "reserve", "time", ["19:00", "19:30"], ["20:30", "07:00"]),
    ("订一桌，晚上八点以后到", "reserve", "time", ["20:00", "20:30"], ["19:00"]),
    ("订一桌，下午三点二十", "reserve", "time", ["15:20"], ["15:02", "03:20"]),
    ("两小时后提醒我", "remind", "at", ["2024-07-12T11:30:00"], ["2024-07-12T14:30:00"]),
    ("明早九点提醒我", "remind", "at", ["2024-07-13T09:00:00"], ["2024-07-13T21:00:00", "2024-07-13T10:00:00"]),
    ("今天凌晨两点提醒我", "remind", "at", ["2024-07-12T02:00:00"], ["2024-07-12T14:00:00"]),
]  # fmt: skip


@pytest.mark.parametrize(("words", "name", "parameter", "right", "wrong"), SAID, ids=range(len(SAID)))
def test_times_agree_with_the_words(words: str, name: str, parameter: str, right: list[str], wrong: list[str]) -> None:
    for value in right:
        assert failing(session(words, name, {parameter: value})) == {}, value
    for value in wrong:
        assert "times" in failing(session(words, name, {parameter: value})), value


def test_hours_as_numbers() -> None:
    assert failing(session("Wake me at 6 am", "ring", {"hour": 6})) == {}
    assert "times" in failing(session("Wake me at 6 am", "ring", {"hour": 18}))
    assert "times" in failing(session("早上六点叫我", "ring", {"hour": 18}))


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("Block the room from 2 to 4 pm", "14:00", "16:00"),
        ("Block the room from nine to five", "09:00", "17:00"),
        ("Block the room from 3 pm, for two hours", "15:00", "17:00"),
        ("Block it between 11 and 1 pm", "11:00", "13:00"),
        ("会议室从下午两点到四点半", "14:00", "16:30"),
        ("会议室下午两点开始，用一个半小时", "14:00", "15:30"),
    ],
)
def test_two_times(words: str, start: str, end: str) -> None:
    assert failing(session(words, "block", {"start": start, "end": end})) == {}
    assert "times" in failing(session(words, "block", {"start": start, "end": "18:10"}))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("Table at the same time as last week", "19:00"),
        ("An hour later than usual, the table please", "20:30"),
        ("A table right after sunset", "20:40"),
        ("9 am New York local time, a table", "13:00"),
        ("订一桌，比上次晚一点", "20:00"),
        ("订一桌，下班以后", "18:30"),
    ],
)
def test_what_cannot_be_reckoned_is_left_to_people(words: str, value: str) -> None:
    assert failing(session(words, "reserve", {"time": value})) == {}


def test_a_time_said_before_is_carried_on_and_another_is_not() -> None:
    def first(words: str, value: str) -> Task:
        call = Call(name="reserve", arguments={"time": value}, observation={"ok": True})
        return Task(user=words, type="single", actions=(call, Answer(text="OK.", depends_on=(0,))))

    said = first("Table at 7 pm.", "19:00")
    assert failing(session("And the room too.", "ring", {"hour": 19}, said)) == {}
    assert "times" in failing(session("And the room too.", "ring", {"hour": 20}, said))
    seen = said.model_copy(
        update={"actions": (said.actions[0].model_copy(update={"observation": {"free": ["20:15"]}}), said.actions[1])}
    )
    assert failing(session("Then take the free one.", "reserve", {"time": "20:15"}, seen)) == {}


def test_a_time_that_nothing_speaks_of_is_found_nowhere() -> None:
    assert "grounding" in failing(session("A table for us, please", "reserve", {"time": "19:00"}))
