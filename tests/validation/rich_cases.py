"""Defects to plant into sessions written by hand, by the rule meant for each; and other words for the same facts."""

# ruff: noqa: E501  (sessions are data)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.warehouse.rich import rich_sessions
from wildtool.schemas.session import Session

Edit = Callable[[dict[str, Any]], None]
SESSIONS = rich_sessions()


def action(data: dict[str, Any], task: int, index: int) -> dict[str, Any]:
    found: dict[str, Any] = data["tasks"][task]["actions"][index]
    return found


def put(task: int, index: int, **arguments: Any) -> Edit:
    return lambda data: action(data, task, index)["arguments"].update(arguments)


def drop(task: int, index: int, name: str) -> Edit:
    return lambda data: action(data, task, index)["arguments"].pop(name)


def say(task: int, text: str) -> Edit:
    return lambda data: data["tasks"][task].update(user=text)


def swap(task: int, old: str, new: str) -> Edit:
    def edit(data: dict[str, Any]) -> None:
        user = data["tasks"][task]["user"]
        assert old in user
        data["tasks"][task]["user"] = user.replace(old, new)

    return edit


def on(task: int, index: int, *before: int, topology: str | None = None, kind: str | None = None) -> Edit:
    def edit(data: dict[str, Any]) -> None:
        action(data, task, index)["depends_on"] = list(before)
        if topology:
            data["tasks"][task]["topology"] = topology

    return edit


def asks(task: int, **fields: Any) -> Edit:
    return lambda data: action(data, task, 0).update(fields)


def lean(task: int, **fields: Any) -> Edit:
    return lambda data: data["tasks"][task]["hidden_intent"].update(fields)


def schema(tool: int, name: str, **fields: Any) -> Edit:
    return lambda data: data["tools"][tool]["function"]["parameters"]["properties"][name].update(fields)


def many(*edits: Edit) -> Edit:
    def edit(data: dict[str, Any]) -> None:
        for one in edits:
            one(data)

    return edit


def edited(name: str, edit: Edit) -> Session:
    data = SESSIONS[name].model_dump(mode="json")
    edit(data)
    return Session.model_validate(data)


DEFECTS: list[tuple[str, str, Edit]] = [
    # Limits and bounds that contradict the user's words.
    ("limits", "hotels", put(0, 0, limit=5)),
    ("limits", "food", put(0, 0, limit=3)),
    ("limits", "jiudian", put(0, 0, limit=4)),
    ("limits", "chifan", put(0, 0, limit=13)),
    ("limits", "gouwu", put(0, 0, limit=20)),
    ("counts", "hotels", put(0, 0, max_price=90)),
    ("counts", "hotels_stars", put(0, 0, min_stars=3)),
    ("counts", "food", put(0, 0, min_rating=3.5)),
    ("counts", "food", put(0, 0, radius=5000)),
    ("counts", "shop", put(0, 0, max_price=15)),
    ("counts", "shop_chain", put(0, 0, max_price=25)),
    ("counts", "shop_chain", put(3, 0, min_price=3)),
    ("counts", "jiudian", put(0, 0, max_price=500)),
    ("counts", "xingji", put(0, 0, min_stars=5)),
    ("counts", "chifan", put(0, 0, max_price=200)),
    ("counts", "chifan", put(0, 0, radius=1000)),
    ("counts", "gouwu", put(3, 0, min_price=30)),
    # Counts.
    ("counts", "hotels", put(1, 0, nights=3)),
    ("counts", "hotels", put(1, 0, guests=4)),
    ("counts", "hotels_stars", put(2, 0, nights=8)),
    ("counts", "flights", put(0, 0, adults=1)),
    ("counts", "flights", put(0, 0, children=2)),
    ("counts", "food", put(2, 0, party_size=5)),
    ("counts", "jiudian", put(1, 0, nights=2)),
    ("counts", "huoche", put(1, 0, tickets=3)),
    ("counts", "xingji", put(2, 0, rooms=3)),
    ("counts", "chifan", put(2, 0, party_size=8)),
    # Days.
    ("dates", "hotels", put(0, 0, check_in="2024-07-12")),
    ("dates", "hotels", put(0, 0, check_in="2024-07-26")),
    ("dates", "hotels_stars", put(0, 0, check_in="2024-08-02")),
    ("dates", "hotels_stars", put(1, 1, date="2024-08-22")),
    ("dates", "flights", put(0, 0, date="2024-07-20")),
    ("dates", "flights", put(3, 0, date="2024-07-14")),
    ("dates", "food", put(2, 0, date="2024-07-24")),
    ("dates", "food", put(3, 0, date="2024-07-13")),
    ("dates", "jiudian", put(0, 0, check_in="2024-07-26")),
    ("dates", "jiudian", put(2, 0, date="2024-07-15")),
    ("dates", "xingji", put(0, 0, check_in="2024-08-13")),
    ("dates", "huoche", put(0, 1, date="2024-07-14")),
    ("dates", "huoche", put(3, 0, date="2024-07-21")),
    ("dates", "chifan", put(2, 0, date="2024-07-20")),
    # Ordinals resolved to the wrong item.
    ("ordinals", "hotels", put(1, 0, hotel_id="h58")),
    ("ordinals", "hotels_stars", put(2, 0, hotel_id="h31")),
    ("ordinals", "flights", put(1, 1, flight="TP1340")),
    ("ordinals", "flights", put(3, 1, amount=171)),
    ("ordinals", "food", put(1, 1, restaurant="Osteria Luna")),
    ("ordinals", "food", put(3, 0, restaurant="Il Forno")),
    ("ordinals", "shop", put(1, 0, product_id=7731)),
    ("ordinals", "jiudian", put(1, 0, hotel_id="jd503")),
    ("ordinals", "xingji", put(2, 0, hotel_id="jd502")),
    ("ordinals", "huoche", put(1, 0, train="G7305")),
    ("ordinals", "huoche", put(3, 1, train="G7312")),
    ("ordinals", "chifan", put(2, 0, restaurant="老灶火锅")),
    ("ordinals", "gouwu", put(1, 0, product_id=90211)),
    # Values found nowhere.
    ("grounding", "hotels", put(0, 0, city="Braga")),
    ("grounding", "hotels", put(1, 0, hotel_id="h977")),
    ("grounding", "flights", put(1, 1, email="joan@example.org")),
    ("grounding", "flights", put(0, 1, amount=700)),
    ("grounding", "food", put(0, 0, area="Camden")),
    ("grounding", "shop", put(2, 1, order_id="C-99999")),
    ("grounding", "jiudian", put(0, 0, city="宁波")),
    ("grounding", "gouwu", put(2, 1, order_id="SF99999999")),
    ("grounding", "huoche", put(2, 1, reason="身体不适")),
    # Names in the other script that nobody said.
    ("grounding", "jiudian", put(0, 0, city="Reykjavik")),
    ("grounding", "jiudian", put(0, 0, city="Barcelona")),
    ("grounding", "xingji", put(0, 0, city="Tokyo")),
    ("grounding", "huoche", put(0, 0, origin="Shanghai")),
    ("grounding", "hotels", put(0, 0, city="雷克雅未克")),
    ("grounding", "hotels", put(0, 0, city="杭州")),
    ("grounding", "food", put(0, 0, area="外滩")),
    # Optional arguments that nobody asked for.
    ("optional", "hotels", put(0, 0, min_stars=2)),
    ("optional", "hotels", put(0, 0, breakfast=True)),
    ("optional", "hotels", put(1, 1, units="metric")),
    ("optional", "hotels_stars", put(0, 0, limit=20)),
    ("optional", "hotels_stars", put(0, 0, limit=10)),
    ("optional", "flights", put(0, 0, max_stops=1)),
    ("optional", "shop_chain", put(0, 0, page=1)),
    ("optional", "shop_chain", put(1, 2, sort="rating")),
    ("optional", "jiudian", put(0, 0, min_stars=5)),
    ("optional", "jiudian", put(0, 0, sort="rating")),
    ("optional", "gouwu", put(3, 0, limit=100)),
    ("optional", "huoche", put(3, 1, seat="second")),
    # Missing and superfluous edges.
    ("edges", "flights", many(on(3, 1, topology="parallel"))),
    ("edges", "shop_chain", on(0, 1, topology="parallel")),
    ("edges", "huoche", on(3, 1, topology="parallel")),
    ("edges", "gouwu", on(3, 1, topology="parallel")),
    ("edges", "food", on(1, 1, 0, topology="sequential")),
    ("edges", "huoche", on(0, 1, 0, topology="sequential")),
    ("edges", "chifan", on(1, 1, 0, topology="sequential")),
    ("edges", "flights", on(0, 1, 0, topology="sequential")),
    ("edges", "shop", on(2, 1)),
    # Labels against graph and text.
    ("type", "food", lambda data: data["tasks"][1].update(topology="mixed")),
    ("type", "huoche", lambda data: data["tasks"][3].update(topology="parallel")),
    ("type", "shop", lambda data: data["tasks"][2].update(type="single")),
    ("hidden_text", "food", many(lean(1, kind="coreference"), say(1, "Menus of Trattoria Fiore, Da Gino?"))),
    ("hidden_intent", "hotels", lean(1, kind="long_range", distance=1)),
    ("hidden_intent", "hotels", lean(1, kind="long_range")),
    ("hidden_text", "chifan", many(say(2, "蜀香园订个十人桌，这周六。"))),
    ("hidden_text", "huoche", lean(2, said_in=0)),
    # Questions for the wrong or a doubled slot, and replies that the call contradicts.
    ("asks", "hotels_stars", asks(1, slots=["units"])),
    ("asks", "hotels_stars", asks(1, slots=["date", "date"])),
    ("asks", "huoche", asks(2, slots=["order"])),
    ("asks", "shop", on(2, 1)),
    ("slots", "shop", swap(2, "Where's my parcel?", "Where's my parcel A-77120?")),
    ("slots", "hotels_stars", swap(1, "for it", "for it on August 21st")),
    ("slots", "xingji", swap(1, "查一下", "查一下八月四号")),
    ("slots", "hotels_stars", asks(1, question="In which city would you like to stay?")),
    ("slots", "chifan", put(3, 1, restaurant="老灶火锅")),
    # Spellings.
    ("spelling", "hotels", many(swap(0, "in Porto", "in Las Vegas"), put(0, 0, city="LasVegas"), put(1, 1, city="Las Vegas"), put(2, 0, city="Las Vegas"))),
    ("spelling", "hotels", many(swap(0, "in Porto", "in Las Vegas"), put(0, 0, city="LasVegas"), put(1, 1, city="LasVegas"), put(2, 0, city="LasVegas"))),
    ("spelling", "food", many(put(1, 1, restaurant="Da-Gino"))),
    ("spelling", "food", many(put(2, 0, restaurant="Dagino"))),
    ("spelling", "hotels", many(swap(0, "Porto", "Barcelona"), put(0, 0, city="Barcelona"), put(1, 1, city="Barcellona"), put(2, 0, city="Barcelona"))),
    ("spelling", "xingji", many(put(0, 0, city="苏 州"))),
    # Documented formats.
    ("formats", "hotels", put(0, 0, check_in="19/07/2024")),
    ("formats", "hotels", put(0, 0, check_in="2024/07/19")),
    ("formats", "food", put(2, 0, time="7:30 pm")),
    ("formats", "flights", put(0, 1, source="pounds")),
    ("formats", "jiudian", put(0, 0, check_in="2024年7月19日")),
    ("formats", "huoche", put(0, 0, date="20240713")),
    ("formats", "shop", many(schema(2, "order_id", description="Order id in lower case."))),
    # Values and schemas.
    ("arguments", "hotels", put(1, 0, guests="2")),
    ("arguments", "hotels", put(2, 0, units="kelvin")),
    ("arguments", "hotels", drop(0, 0, "city")),
    ("arguments", "gouwu", put(1, 0, quantity=1.5)),
    ("tools", "hotels", schema(0, "city", type="float")),
    ("tool_text", "food", lambda data: data["tools"][0]["function"]["parameters"]["properties"].update(url={"type": "integer", "description": "Website."})),
    ("tool_text", "shop", schema(0, "page", description="Page of the results. Defaults to 1.")),
    ("tool_text", "gouwu", schema(0, "limit", description="返回数量，默认为20。")),
    ("tools", "jiudian", lambda data: data["tools"][1]["function"]["parameters"]["required"].append("入住日")),
    ("tools", "shop", schema(0, "page", default="one")),
    # Graphs.
    ("redundant", "food", lambda data: action(data, 1, 1).update(arguments=dict(action(data, 1, 0)["arguments"]))),
    ("graph", "food", on(1, 2, 0, 1, 1)),
    # Personal data.
    ("privacy", "shop", swap(3, "Let me", "I'm at 13812345678. Let me")),
    ("privacy", "gouwu", swap(0, "想买", "我的邮箱是 li.lei@qq.com，想买")),
]  # fmt: skip


GOOD: list[tuple[str, Edit]] = [
    ("hotels", swap(0, "no more than 80 euros a night", "and I won't pay over eighty euros per night")),
    ("hotels", swap(0, "no more than 80 euros a night, three hotels at most", "max €80 a night, list the three best hotels")),
    ("hotels", swap(0, "from next Friday", "from the 19th")),
    ("hotels", swap(0, "from next Friday", "from Friday the 19th of July until the Tuesday after")),
    ("hotels", swap(1, "Take the second one for the two of us, four nights", "Casa Branca then! My husband and I would stay for 4 nights")),
    ("hotels", swap(1, "Take the second one", "Take option two")),
    ("hotels", swap(1, "Take the second one", "I prefer the cheapest of them")),
    ("hotels", swap(2, "And the forecast for the Sunday after, in Fahrenheit please?", "And how warm on July 21, in °F or rather Fahrenheit?")),
    ("hotels_stars", swap(0, "at least four stars, with breakfast", "4 stars or better, breakfast included")),
    ("hotels_stars", swap(0, "on the 20th of August", "on Aug 20")),
    ("hotels_stars", swap(2, "for a week", "for seven nights")),
    ("hotels_stars", swap(2, "Then the last hotel it is", "Then let's go with the latter")),
    ("hotels_stars", asks(1, reply="On 21 August.")),
    ("hotels_stars", asks(1, question="When exactly?", reply="Let's say August 21st, 2024")),
    ("flights", swap(0, "Two adults and one child", "2 grown-ups plus a kid")),
    ("flights", swap(0, "a week from today", "in seven days")),
    ("flights", swap(1, "The third is cheap enough", "The last one is cheap enough")),
    ("flights", asks(1, question="Where may I send the confirmation, which email?", reply="Use mara@example.org, thanks")),
    ("food", swap(0, "Show me four Italian restaurants within 2 km", "Give me 4 Italian places no farther than two kilometres")),
    ("food", swap(0, "rated 4.0 or higher", "with a rating of at least 4.0")),
    ("shop", swap(0, "between 15 and 50 dollars, cheapest first", "from $15 to $50, by price ascending")),
    ("shop", swap(0, "between 15 and 50 dollars", "for at least 15 but not more than 50 dollars")),
    ("shop", swap(1, "half a dozen of number two", "six of the second")),
    ("shop_chain", swap(0, "for less than twenty dollars", "under 20 dollars")),
    ("shop_chain", swap(1, "and if the first is late look for a torch", "and should the first be late, in that case look for a torch")),
    ("hotels", many(put(0, 0, city="波尔图"), put(1, 1, city="波尔图"), put(2, 0, city="波尔图"))),
    ("jiudian", many(put(0, 0, city="Hangzhou"), put(1, 1, city="Hangzhou"), put(2, 0, city="Hangzhou"))),
    ("xingji", many(put(0, 0, city="Suzhou"), put(1, 1, city="Suzhou"))),
    ("xingji", many(swap(0, "苏州", "旧金山"), put(0, 0, city="San Francisco"), put(1, 1, city="San Francisco"))),
    ("xingji", many(swap(0, "苏州", "雷克雅未克"), put(0, 0, city="Reykjavik, Iceland"), put(1, 1, city="Reykjavik, Iceland"))),
    ("jiudian", swap(0, "下周五", "7月19号")),
    ("jiudian", swap(0, "帮我找三家每晚不超过四百元的酒店", "找酒店，最多三家，一晚400块以内")),
    ("jiudian", swap(0, "下周五", "一周后")),
    ("jiudian", swap(1, "就订倒数第二家吧，我和同事两个人，住三晚", "订云栖客栈，两位客人，三个晚上")),
    ("jiudian", swap(1, "倒数第二家", "第二家")),
    ("jiudian", swap(1, "倒数第二家", "最便宜的那家")),
    ("jiudian", swap(2, "那后天呢，同一个城市？", "7月14日那边怎么样？")),
    ("xingji", swap(0, "至少四星", "四星以上")),
    ("xingji", swap(0, "八月三号住苏州，至少四星", "8月3日到苏州，不低于4星级")),
    ("xingji", swap(2, "一家三口订第一家，两间房，一周", "头一个就行，三个人，两间，七晚")),
    ("huoche", swap(0, "再帮我看看大后天回来的", "再看看三天后回来的")),
    ("huoche", swap(1, "去的订第三趟，要四张一等座", "去的就最后一趟，4张票，一等座")),
    ("huoche", swap(3, "本周日", "这个星期天")),
    ("chifan", swap(0, "推荐三家春熙路两公里以内的川菜馆，人均别超过一百二", "春熙路附近2公里内的川菜，列3家，人均120元以下")),
    ("chifan", swap(2, "后者订个十人桌，这周六", "第二家，十位客人，明天")),
    ("gouwu", swap(0, "五十到两百块之间的，列十个", "不低于50元，最高200元，要10个结果")),
    ("gouwu", swap(1, "第二个来半打，第三个来两个", "玻璃杯来六个，最后那个来一对")),
    ("gouwu", swap(3, "三百元以上", "超过三百块")),
]  # fmt: skip
