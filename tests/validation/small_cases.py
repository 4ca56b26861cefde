"""Known kinds of defects to plant into sessions made by ``make_session``, by the rule meant for each; and good changes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from wildtool.schemas.session import Session

Edit = Callable[[dict[str, Any]], None]


def changed(session: Session, edit: Edit) -> Session:
    """The session after an edit of its JSON."""
    data = copy.deepcopy(session.model_dump(mode="json"))
    edit(data)
    return Session.model_validate(data)


def action(data: dict[str, Any], task: int, index: int) -> dict[str, Any]:
    found: dict[str, Any] = data["tasks"][task]["actions"][index]
    return found


def set_argument(task: int, index: int, name: str, value: Any) -> Edit:
    return lambda data: action(data, task, index)["arguments"].update({name: value})


def parameters(data: dict[str, Any], tool: int) -> dict[str, Any]:
    found: dict[str, Any] = data["tools"][tool]["function"]["parameters"]
    return found


def optional_parameter(schema: dict[str, Any], value: Any) -> Edit:
    def edit(data: dict[str, Any]) -> None:
        parameters(data, 1)["properties"]["genre"] = schema
        action(data, 1, 0)["arguments"]["genre"] = value

    return edit


def drop_edge(data: dict[str, Any]) -> None:
    action(data, 1, 1)["depends_on"] = []
    action(data, 1, 2)["depends_on"] = [0, 1]
    data["tasks"][1]["topology"] = "parallel"


def spare_edge(data: dict[str, Any]) -> None:
    call = copy.deepcopy(action(data, 0, 0))
    call["depends_on"] = [0]
    call["arguments"] = {"city": "Oslo"} if data["language"] == "en" else {"city": "奥斯陆"}
    call["observation"] = {"aqi": 3}
    task = data["tasks"][0]
    task["user"] += " Oslo?" if data["language"] == "en" else "奥斯陆呢？"
    task["type"], task["topology"] = "multi", "sequential"
    task["actions"] = [action(data, 0, 0), call, {"kind": "answer", "text": "ok", "depends_on": [1]}]


def double_ask(data: dict[str, Any]) -> None:
    task = data["tasks"][2]
    ask = copy.deepcopy(task["actions"][0])
    task["actions"] = [ask, {**ask, "depends_on": [0]}, {**task["actions"][1], "depends_on": [1]},
                       {**task["actions"][2], "depends_on": [2]}]  # fmt: skip


def ask_what_was_said(data: dict[str, Any]) -> None:
    data["tasks"][2]["user"] += " 2024-07-20"


def ask_too_little(data: dict[str, Any]) -> None:
    new = "Reykjavik" if data["language"] == "en" else "雷克雅未克"
    action(data, 2, 0)["reply"] += f", {new}"
    action(data, 2, 1)["arguments"]["city"] = new
    action(data, 2, 1)["observation"] = {"shows": []}


def two_spellings(data: dict[str, Any]) -> None:
    one, two = ("Las Vegas", "LasVegas") if data["language"] == "en" else ("拉斯 维加斯", "拉斯维加斯")
    data["tasks"][0]["user"] += f" {one}"
    data["tasks"][1]["user"] += " there" if data["language"] == "en" else ""
    action(data, 0, 0)["arguments"]["city"] = one
    action(data, 0, 0)["observation"] = {"aqi": 1}
    action(data, 1, 0)["arguments"]["city"] = two


def false_echo(data: dict[str, Any]) -> None:
    action(data, 0, 0)["observation"]["city"] = "Elsewhere"


def too_many_results(data: dict[str, Any]) -> None:
    action(data, 1, 0)["observation"]["shows"] += [{"id": f"z{number}"} for number in range(4)]


def broken_result(data: dict[str, Any]) -> None:
    action(data, 0, 0)["observation"]["aqi"] = "forty"


def require_undefined(data: dict[str, Any]) -> None:
    parameters(data, 1)["required"].append("colour")


def odd_type(data: dict[str, Any]) -> None:
    parameters(data, 1)["properties"]["limit"]["type"] = "float"


def document_format(data: dict[str, Any]) -> None:
    parameters(data, 1)["properties"]["date"] = {"type": "string", "description": "Day as YYYY/MM/DD."}


def personal(data: dict[str, Any]) -> None:
    data["tasks"][3]["user"] += " jane.roe@mailbox.org"


def identity_number(data: dict[str, Any]) -> None:
    action(data, 3, 0)["text"] += " 11010519491231002X"


def card_number(data: dict[str, Any]) -> None:
    action(data, 0, 0)["observation"]["note"] = "4111 1111 1111 1111"


def say(task: int, english: str, chinese: str) -> Edit:
    def edit(data: dict[str, Any]) -> None:
        data["tasks"][task]["user"] = english if data["language"] == "en" else chinese

    return edit


def lean_on(task: int, **fields: Any) -> Edit:
    return lambda data: data["tasks"][task]["hidden_intent"].update(fields)


def both(*edits: Edit) -> Edit:
    def edit(data: dict[str, Any]) -> None:
        for one in edits:
            one(data)

    return edit


DEFECTS: list[tuple[str, str, Edit]] = [
    # Values that violate their own tool schema.
    ("arguments", "is not of type", set_argument(0, 0, "city", 7)),
    ("arguments", "no parameter colour", set_argument(0, 0, "colour", "red")),
    ("arguments", "required property", lambda data: action(data, 1, 0)["arguments"].pop("date")),
    ("arguments", "not among the session's tools", lambda data: action(data, 0, 0).update(name="getNothing")),
    ("arguments", "date", set_argument(2, 1, "date", "tomorrow-ish")),
    # Absurd or broken schemas.
    ("tools", "require undefined ones: colour", require_undefined),
    ("tools", "are not a JSON Schema", odd_type),
    # Values found nowhere in the dialogue.
    ("grounding", "found nowhere before", set_argument(0, 0, "city", "Reykjavik 9")),
    ("grounding", "found nowhere before", set_argument(1, 1, "id", "zz9000")),
    # Optional arguments that nobody asked for.
    ("optional", "nobody asked", optional_parameter({"type": "string", "description": "Genre."}, "melodrama 7")),
    ("optional", "nobody asked", optional_parameter({"type": "string", "enum": ["opera", "circus"]}, "circus")),
    ("optional", "nobody asked", optional_parameter({"type": "boolean", "description": "Wheelchair access."}, True)),
    ("optional", "nobody asked", optional_parameter({"type": "integer", "description": "Page."}, 977)),
    # Defaults stated only in prose.
    ("optional", "only repeats its default",
     optional_parameter({"type": "string", "description": "Default is zulu"}, "zulu")),
    # Limits, ordinals and dates that contradict the user's words.
    ("limits", "but the user said 3", set_argument(1, 0, "limit", 5)),
    ("ordinals", "is item 1 of a list, but the user pointed at item 2",
     lambda data: action(data, 1, 1)["arguments"].update(id=action(data, 1, 0)["observation"]["shows"][0]["id"])),
    ("dates", "but the user's words mean 2024-07-13", set_argument(1, 0, "date", "2024-07-15")),
    # Graph, type and topology.
    ("edges", "no edge says so", drop_edge),
    ("edges", "takes nothing from it", spare_edge),
    ("waits", "the answer does not wait for action 0", lambda data: action(data, 0, 1).update(depends_on=[])),
    ("type", "the label says parallel, the dependencies are sequential",
     lambda data: data["tasks"][1].update(topology="parallel")),
    ("type", "a single task has 1 calls and 1 asks", lambda data: data["tasks"][2].update(type="single")),
    ("type", "a chat task has 1 calls", lambda data: data["tasks"][0].update(type="chat")),
    ("graph", "not an answer", lambda data: data["tasks"][0]["actions"].pop()),
    # Hidden intent.
    ("hidden_intent", "first task depends", lambda data: data["tasks"][0].update(
        hidden_intent={"kind": "coreference", "piece": "city", "said_in": 0})),
    ("hidden_intent", "not before it", lean_on(1, said_in=2)),
    ("hidden_intent", "only 2 user turns back", lean_on(3, said_in=2, distance=2)),
    ("hidden_intent", "user turns back, not 1", lean_on(3, kind="coreference", distance=1)),
    ("hidden_text", "the message itself says", lambda data: data["tasks"][1].update(
        user=data["tasks"][1]["user"] + action(data, 1, 0)["arguments"]["city"] + "!!!!")),
    # Questions that ask for the wrong or a doubled slot.
    ("asks", "which searchShows does not have", lambda data: action(data, 2, 0).update(slots=["colour"])),
    ("asks", "which searchShows does not require", lambda data: action(data, 2, 0).update(slots=["date", "limit"])),
    ("asks", "asks for nothing", lambda data: action(data, 2, 0).update(slots=[])),
    ("asks", "asks 2 times for date", double_ask),
    ("asks", "no action waits for the reply", lambda data: action(data, 2, 1).update(depends_on=[])),
    ("slots", "the user had already said", ask_what_was_said),
    ("slots", "the reply gives city too", ask_too_little),
    # LasVegas beside Las Vegas.
    ("spelling", "spelled", two_spellings),
    ("formats", "documented as YYYY/MM/DD", document_format),
    # False facts in observations.
    ("observations", "answers for 'Elsewhere'", false_echo),
    ("filters", "asked for 3 at most and answers with 6", too_many_results),
    ("observations", "not as its schema says", broken_result),
    ("privacy", "an e-mail address: j…g", personal),
    ("privacy", "a Chinese identity number", identity_number),
    ("privacy", "a payment card number", card_number),
]  # fmt: skip


GOOD: list[Edit] = [
    # The same facts in other words, units and spellings: no gate may stumble.
    both(say(1, "Top three shows for the day after tomorrow? Tell me about the 2nd.",
             "后天前三场演出有哪些？说说第二个。"), set_argument(1, 0, "date", "2024-07-14")),
    both(say(1, "What's playing this weekend, three at most? The last one sounds good, tell me more.",
             "周末有什么演出，最多三场？最后一个不错，说说看。"), set_argument(1, 0, "date", "2024-07-13")),
    both(say(1, "Shows on July 20th, not more than 3, then details of number two.",
             "7月20号的演出，不超过3场，再看第2个的详情。"), set_argument(1, 0, "date", "2024-07-20")),
    both(say(1, "Shows on the second of August? 3 max. Then details of the second one.",
             "8月2日有什么？最多三场，然后第二个。"), set_argument(1, 0, "date", "2024-08-02")),
    optional_parameter({"type": "string", "description": "Country, two-letter code."}, "FR"),
    optional_parameter({"type": "number", "description": "Latitude."}, 3),
    both(optional_parameter({"type": "integer", "description": "Radius in metres."}, 5000),
         say(1, "What's on tomorrow within 5 km? At most 3, and tell me about the second one.",
             "明天5公里内有什么？最多3场，说说第二场。")),
    both(optional_parameter({"type": "string", "enum": ["price_asc", "price_desc"], "description": "Order, 价格."},
                            "price_asc"),
         say(1, "What's on tomorrow, 3 at most by price? Then the second one.",
             "明天有什么？最多3场，按价格排，说说第二场。")),
    lambda data: action(data, 2, 1).update(observation={"error": "sold out", "date": "2020-01-01"}),
    lambda data: action(data, 2, 0).update(reply="Make it July 20." if data["language"] == "en" else "7月20日吧。"),
    lambda data: data["tasks"][3].update(
        user=data["tasks"][3]["user"] + " hello@example.com, office@green-labs.example, +1 212 555 0123."),
]  # fmt: skip
