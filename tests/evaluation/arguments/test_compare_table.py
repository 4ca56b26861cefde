"""A table of argument pairs and what a careful person says of each: same value or another one.

Read against Friday, 12 July 2024, 09:30, in two time zones. Rows name the parameter, since its name says what a text is.
"""

from __future__ import annotations

from datetime import datetime
from itertools import permutations
from typing import Any

import pytest

from tests.rows import check_rows
from wildtool.evaluation.arguments.compare import Context, compare_arguments

UTC = Context(datetime.fromisoformat("2024-07-12T09:30:00+00:00"))
SHANGHAI = Context(datetime.fromisoformat("2024-07-12T09:30:00+08:00"))
TEXT: dict[str, Any] = {"type": "string"}
INT, NUM, FLAG = {"type": "integer"}, {"type": "number"}, {"type": "boolean"}
LIST = {"type": "array", "items": TEXT}
SET = {"type": "array", "items": TEXT, "uniqueItems": True}
NESTED = {
    "type": "object",
    "properties": {
        "size": {"type": "string", "description": "size, default is M"},
        "gift": {"type": "boolean", "default": False},
        "wrap": {"type": "object", "properties": {"ribbon": {"type": "string", "default": "none"}, "note": TEXT}},
    },
}
# One word of a long text at a time. Each says something else, though nine words in ten are the same.
LONG_TEXTS = (
    ("the doctor said it is {} to travel by plane after the operation with enough rest and water",
     ("possible", "impossible", "safe", "unsafe", "legal", "illegal", "advisable", "inadvisable", "careless", "careful")),
    ("i {} with the changes in the draft contract that your lawyer sent to our office last week",
     ("agree", "disagree", "mostly agree", "hardly agree", "rarely agree", "seldom agree")),
    ("our driver is {} to pick up the heavy parcels from your warehouse during the early morning hours",
     ("able", "unable", "barely able", "scarcely able")),
    ("book a quiet table near the window for the team dinner at the seafood restaurant in {} tonight",
     ("lyon", "nice", "lyon or nice")),
    ("the committee has decided to {} the new proposal from the design team after a long and careful review",
     ("approve", "reject", "discuss", "hardly approve")),
    ("make the recipe for the big chocolate cake with {} the sugar and serve it with fresh cream",
     ("half", "double", "all", "only half")),
    ("we need a {} menu for the whole group at the christmas party in the big hall upstairs",
     ("vegan", "normal", "smoke free", "smoking", "")),
    ("the customer wants the {} version of the wooden table delivered to the office building near the park",
     ("red", "blue", "large", "")),
    ("give the spare key of the flat to {} neighbour who lives on the ground floor near the lift",
     ("her", "his", "your", "our")),
    ("tell the {} about the new rules for the office before the start of the summer holidays",
     ("employer", "employee", "trainer", "trainee", "interstate", "intrastate", "receiver", "receive")),
    ("the parcel for the old school goes {} the museum on the other bank of the river",
     ("to", "from", "with", "by")),
    ("hand over the parcel with {} number to the man at the desk of the hotel", ("my", "its", "his")),
    ("请通知设计部门的全体同事，委员会已经{}了这个新的方案，下一步由销售部门负责联系客户",
     ("批准", "拒绝", "讨论", "勉强批准")),
    ("在{}的海鲜餐厅为整个团队订一张靠窗的安静的桌子，并且告诉他们有人对花生过敏", ("里昂", "尼斯", "")),
    ("请把{}的那张大木桌送到公园旁边的旧办公楼的后门，司机到了以后联系前台", ("红色", "蓝色", "她", "他")),
    ("这座桥经过维修以后对于重型卡车和公共汽车来说是{}的，检查人员已经确认", ("安全", "不安全", "危险")),
)  # fmt: skip

SAME: list[tuple[str, Any, Any, Any]] = [
    # Dates, days, times of day.
    *(("date", TEXT, gold, got) for gold, got in (
        ("2024-07-13", "2024-07-13"), ("2024-07-13", "2024/7/13"), ("2024-07-13", "2024.07.13"),
        ("2024-07-13", "20240713"), ("2024-07-13", "Jul 13, 2024"), ("2024-07-13", "13 July 2024"),
        ("2024-07-13", "July 13th, 2024"), ("2024-07-13", "Saturday, July 13, 2024"), ("2024-07-13", "2024年7月13日"),
        ("2024-07-13", "2024 年 07 月 13 日"), ("2024-07-13", "明天"), ("2024-07-13", "tomorrow"),
        ("2024-07-13", "Tomorrow"), ("2024-07-13", "this Saturday"), ("2024-07-13", "周六"), ("2024-07-13", "本周六"),
        ("2024-07-13", "星期六"), ("2024-07-12", "today"), ("2024-07-12", "今天"), ("2024-07-11", "yesterday"),
        ("2024-07-11", "昨天"), ("2024-07-14", "the day after tomorrow"), ("2024-07-14", "后天"),
        ("2024-07-15", "in 3 days"), ("2024-07-15", "in three days"), ("2024-07-15", "3天后"), ("2024-07-15", "三天后"),
        ("2024-07-05", "a week ago"), ("2024-07-05", "1 week ago"), ("2024-07-19", "in a week"),
        ("2024-07-15", "next Monday"), ("2024-07-15", "下周一"), ("2024-07-13", "7月13日"), ("2024-07-13", "7月13号"),
        ("2024-07-13", "13/07/2024"), ("2024-07-13", "07/13/2024"), ("2024-07-13", "2024-07-13T00:00:00"),
        ("2024-08-12", "in one month"), ("2024-12-25", "25 Dec 2024"),
        ("2024-07", "July 2024"), ("2024-07", "2024年7月"), ("2024-07", "2024/07"),
    )),
    *(("time", TEXT, gold, got) for gold, got in (
        ("18:30", "6:30 PM"), ("18:30", "18:30:00"), ("18:30", "6:30pm"), ("18:30", "6.30 pm"), ("15:00", "3 pm"),
        ("15:00", "3 p.m."), ("12:00", "noon"), ("00:00", "midnight"), ("18:30", "下午6点30分"), ("18:30", "下午六点半"),
        ("18:30", "18点30分"), ("15:00", "下午3点"), ("15:00", "15时"), ("09:05", "9:05"), ("08:00", "早上8点"),
    )),
    *(("departure", TEXT, gold, got) for gold, got in (
        ("2024-07-13T10:00:00Z", "2024-07-13T12:00:00+02:00"), ("2024-07-13T10:00:00+00:00", "2024-07-13T10:00:00.000Z"),
        ("2024-07-13 18:30", "tomorrow at 6:30 pm"),
        ("2024-07-13 18:30", "July 13, 2024 at 6:30 PM"), ("2024-07-13 18:30", "明天下午6点30分"),
        ("2024-07-13 08:00", "2024年7月13日8:00"), ("2024-07-13 15:00", "tomorrow 3pm"),
    )),
    # Numbers and flags.
    ("n", INT, 5, 5.0), ("n", NUM, 5.0, 5), ("n", NUM, 0.3, 0.1 + 0.2), ("n", INT, 0, -0.0), ("n", FLAG, True, True),
    ("n", NUM, 1e3, 1000), ("n", INT, "5", 5), ("n", NUM, "2.5", 2.5), ("n", FLAG, "true", True),
    ("amount", TEXT, "1000", "1,000"), ("amount", TEXT, "1000", "1000.00"), ("amount", TEXT, "50%", "50 %"),
    ("amount", TEXT, "$1,000", "$1000"), ("amount", TEXT, "5 km", "5km"), ("amount", TEXT, "2.50", "2.5"),
    ("amount", TEXT, "５０", "50"), ("amount", TEXT, "-3", "-3.0"), ("amount", TEXT, "1000元", "1,000元"),
    # Codes, ids, addresses.
    ("orderId", TEXT, "A-17", "A-17"), ("symbol", TEXT, "AAPL", "aapl"), ("countryCode", TEXT, "FR", "fr"),
    ("iban", TEXT, "DE89 3704 0044 0532 0130 00", "DE89370400440532013000"), ("hash", TEXT, "ABCDEF12", "abcdef12"),
    ("uuid", {"type": "string", "format": "uuid"}, "6F9619FF-8B86-D011-B42D-00C04FC964FF",
     "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    ("postcode", TEXT, "SW1A 1AA", "SW1A1AA"), ("flight", TEXT, "BA 117", "BA117"), ("flight", TEXT, "ba117", "BA117"),
    ("ip", TEXT, "192.168.0.1", " 192.168.0.1 "), ("ip", TEXT, "2001:db8::1", "2001:0DB8:0:0:0:0:0:1"),
    ("network", TEXT, "10.0.0.0/8", "10.0.0.0/8 "), ("email", TEXT, "Ann.Lee@Example.com", "ann.lee@example.com"),
    ("url", TEXT, "https://example.com", "https://example.com/"), ("url", TEXT, "HTTP://Example.com/a", "http://example.com/a"),
    ("url", TEXT, "https://example.com:443/a", "https://example.com/a"),
    ("url", TEXT, "https://example.com/a/", "https://example.com/a"),
    ("url", TEXT, "https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1"),
    ("website", TEXT, "example.com", "https://example.com"), ("domain", TEXT, "Example.COM", "example.com"),
    ("phone", TEXT, "+1 (555) 123-4567", "+15551234567"), ("phone", TEXT, "555-123-4567", "(555) 123 4567"),
    ("location", TEXT, "48.85,2.35", "48.85, 2.35"), ("location", TEXT, "48.850,2.350", "48.85,2.35"),
    # Enums.
    ("unit", {"enum": ["celsius", "kelvin"]}, "Celsius", "celsius "), ("unit", {"enum": ["1h", "1d"]}, "1h", "1h"),
    # Names and free text.
    *(("city", TEXT, gold, got) for gold, got in (
        ("Las Vegas", "LasVegas"), ("São Paulo", "Sao Paulo"), ("new york", "New York"), ("北京", "北京 "),
        ("St. Petersburg", "St Petersburg"), ("Zürich", "Zurich"), ("Saint-Denis", "Saint Denis"), ("ＴＯＫＹＯ", "Tokyo"),
        ("北京市", "北京"), ("上海", "上海市"), ("New York City", "New York  City"),
    )),
    *(("query", TEXT, gold, got) for gold, got in (
        ("colour", "color"), ("theatre", "theater"), ("two adults", "2 adults"), ("the Beatles", "Beatles"),
        ("cheap hotels in Paris", "cheap hotels Paris"), ("café", "cafe"), ("rock'n'roll", "rock 'n' roll"),
        ("weather in Paris today", "weather in Paris today?"), ("Cheap hotels in Paris", "cheap hotels in Paris"),
        ("show me quiet cafes with fast wifi and good coffee near the central library of Paris",
         "show me quiet cafes with fast wifi, good coffee near the central library of Paris"), ("便宜的酒店", "便宜酒店"), ("请帮我查天气", "帮我查天气"),  # noqa: E501
        ("「红楼梦」", "《红楼梦》"), ("红楼梦", "《红楼梦》"), ("你好，世界", "你好,世界"), ("machine-learning", "machine learning"),
        ("AI & Robotics", "AI&Robotics"), ("organise a party", "organize a party"), ("e-mail", "email"),
        ("don't panic", "dont panic"), ("do not disturb", "don't disturb"), ("三个苹果", "3个苹果"), ("两张票", "2张票"),
        ("vegan restaurants near the old harbour with a terrace", "vegan restaurant near the old harbor with terrace"),
    )),
    *(("body", TEXT, gold, got) for gold, got in (
        ("请帮我提醒他带伞", "提醒他带伞"), ("提醒他带伞", "麻烦您提醒他带伞，谢谢"), ("提醒一下他带伞", "请提醒他带伞"),
        ("帮我查北京天气", "查北京天气"), ("帮忙提醒他带伞。", "提醒他带伞"),
        ("Please remind the team to submit their timesheets by the end of the working day",
         "Please remind the team to submit their time sheets by the end of the working day!"),
        ("the design team approves the new budget for the coming quarters and informs the whole office",
         "the design team approve the new budget for the coming quarter and inform the whole office"),
        ("we recommend the accommodation near the old harbour to the guests of your summer party",
         "we recommend the accomodation near the old harbor to the guests of your summer parties"),
        ("the guests of the evening liked the food and the music at the party of the embassy",
         "the guests of the evening really liked the food and the music at the party of the embassy"),
    )),
    # An object of nothing but its members' defaults, and none.
    *(("options", NESTED, gold, got) for gold, got in (
        (..., {}), (..., {"gift": False, "size": "M"}), (..., {"size": "m"}), ({"gift": False}, ...), ({}, ...),
        (..., {"wrap": {}}), (..., {"wrap": {"ribbon": "none"}, "gift": False}), ({"size": "L"}, {"size": "L", "wrap": {}}),
        ({"size": "L", "wrap": {"ribbon": "none"}}, {"size": "L", "gift": False}), (..., {"size": None}),
    )),
    ("options", {"type": "object", "default": {"size": "L"}, "properties": {"size": TEXT, "gift": {"default": False}}},
     ..., {"size": "L", "gift": False}),
    # Lists, sets, objects, null.
    ("ids", LIST, ["a1", "b2"], ["a1", "b2"]), ("tags", LIST, ["red", "blue"], ["blue", "red"]),
    ("items", SET, ["a", "b"], ["b", "a"]), ("dates", LIST, ["2024-07-13"], ["tomorrow"]),
    ("numbers", {"type": "array", "items": INT}, [1, 2], [1.0, 2.0]), ("keywords", LIST, ["Café", "bar"], ["bar", "cafe"]),
    ("filter", {"type": "object"}, {"a": 1, "b": "x"}, {"b": "X", "a": 1.0}), ("filter", {"type": "object"}, {}, {}),
    ("values", {"type": "array", "description": "Values, in any order."}, [1, 2], [2, 1]),
    ("note", TEXT, None, None),
    # Defaults on both sides.
    *(("limit", {"type": "integer", "description": text}, gold, got) for text, gold, got in (
        ("Page size, default is 10.", 10, ...), ("Page size (default: 10)", ..., 10), ("Page size. Defaults to 10.", ..., 10),
        ("每页数量，默认为10。", ..., 10), ("每页数量（默认10）", 10, ...), ("Page size, 10 by default.", ..., 10),
    )),
    ("limit", {"type": "integer", "default": 10}, 10, ...), ("limit", {"type": "integer", "default": 10}, ..., 10.0),
    ("unit", {"type": "string", "default": "metric"}, ..., "Metric"), ("verbose", {"type": "boolean", "default": False}, ..., False),
    ("lang", {"type": "string", "description": "Language, default 'en'"}, ..., "en"), ("note", TEXT, ..., None),
    ("page", {"type": "integer", "description": "页码，缺省值为1"}, 1, ...),
]  # fmt: skip

OTHER: list[tuple[str, Any, Any, Any]] = [
    *(("date", TEXT, gold, got) for gold, got in (
        ("2024-07-13", "2024-07-14"), ("2024-07-13", "2024-08-13"), ("2024-07-13", "2023-07-13"), ("2024-07-13", "today"),
        ("2024-07-13", "后天"), ("2024-07-13", "this Sunday"), ("2024-03-04", "03/04/2024"), ("2024-07-13", "July 14"),
        ("2024-07-13", "7月14日"), ("2024-07-15", "3 days ago"), ("2024-07-13", "2024-07"), ("2024-07", "2024-08"),
        ("2024-07-13", "2024-07-13T10:00:00"), ("2024-02-29", "2024-02-30"), ("2024-07-15", "上周一"),
        ("2024-07-13", "2024-07-13 to 2024-07-14"), ("2024", "2023"),
    )),
    *(("time", TEXT, gold, got) for gold, got in (
        ("18:30", "6:30"), ("18:30", "6:30 AM"), ("18:30", "18:31"), ("12:00", "midnight"), ("15:00", "下午4点"),
        ("18:30", "早上6点30分"), ("09:00", "21:00"),
    )),
    *(("departure", TEXT, gold, got) for gold, got in (
        ("2024-07-13T10:00:00Z", "2024-07-13T10:00:00+02:00"), ("2024-07-13 18:30", "tomorrow at 6:30 am"),
        ("2024-07-13 18:30", "2024-07-12 18:30"), ("2024-07-13 18:30", "明天上午6点30分"),
    )),
    ("n", INT, 5, 6), ("n", INT, 1, True), ("n", FLAG, True, "true"), ("n", FLAG, True, 1), ("n", FLAG, True, False),
    ("n", INT, 5, "5"), ("n", NUM, 0.5, 0.50001), ("n", INT, 5, -5), ("n", INT, 5, None), ("n", INT, 5, [5]),
    ("n", INT, 10, 100), ("amount", TEXT, "1,000", "1,001"), ("amount", TEXT, "50%", "50"), ("amount", TEXT, "$100", "€100"),
    ("amount", TEXT, "5 km", "5 mi"), ("amount", TEXT, "007", "7"), ("amount", TEXT, "1.000", "1000"),
    ("amount", TEXT, "-3", "3"), ("amount", TEXT, "1000元", "1000美元"), ("amount", TEXT, "5m", "5M"),
    ("orderId", TEXT, "A-17", "A-18"), ("orderId", TEXT, "A17", "A-17x"), ("videoId", TEXT, "dQw4w9", "dqw4w9"),
    ("symbol", TEXT, "AAPL", "APPL"), ("countryCode", TEXT, "FR", "DE"), ("password", TEXT, "Secret1", "secret1"),
    ("token", TEXT, "abcDEF", "abcdef"), ("isbn", TEXT, "9783161484100", "9783161484101"),
    ("ip", TEXT, "192.168.0.1", "192.168.0.10"), ("ip", TEXT, "::1", "::2"), ("network", TEXT, "10.0.0.0/8", "10.0.0.0/16"),
    ("email", TEXT, "ann@example.com", "ann@example.org"), ("email", TEXT, "ann@example.com", "bob@example.com"),
    ("url", TEXT, "https://example.com/A", "https://example.com/a"), ("url", TEXT, "https://example.com", "http://example.com"),
    ("url", TEXT, "https://example.com/?a=1", "https://example.com/?a=2"), ("url", TEXT, "https://example.com", "https://example.org"),
    ("url", TEXT, "https://example.com/a", "https://example.com/a?b=1"), ("domain", TEXT, "example.com", "example.net"),
    ("url", TEXT, "https://example.com:8080/", "https://example.com/"),
    ("phone", TEXT, "+15551234567", "+15551234568"), ("location", TEXT, "48.85,2.35", "2.35,48.85"),
    ("unit", {"enum": ["celsius", "kelvin"]}, "celsius", "Celsius"), ("unit", {"enum": ["1h", "1d"]}, "1h", "1H"),
    ("sort", {"enum": ["price_asc", "price_desc"]}, "price_asc", " price_asc"),
    ("location", TEXT, "48.85,2.35", "48.85,-2.35"), ("unit", {"enum": ["1m", "1M"]}, "1m", "1M"),
    ("unit", {"enum": ["celsius", "kelvin"]}, "celsius", "kelvin"), ("sort", {"enum": ["asc", "desc"]}, "asc", "ascending"),
    *(("city", TEXT, gold, got) for gold, got in (
        ("Paris", "Lyon"), ("Paris", "Paris, Texas"), ("北京", "南京"), ("New York", "York"), ("上海", "上海迪士尼"),
        ("Springfield, IL", "Springfield, MA"), ("San Jose", "San José del Cabo"), ("Lyon", "Lyons"), ("河南", "河北"),
    )),
    *(("query", TEXT, gold, got) for gold, got in (
        ("open now", "not open now"), ("bread without gluten", "bread with gluten"), ("不含麸质的面包", "含麸质的面包"),
        ("不要辣的菜", "要辣的菜"), ("无糖饮料", "有糖饮料"), ("非吸烟房间", "吸烟房间"), ("未付款的订单", "已付款的订单"),
        ("send 100 dollars to Bob Smith now", "send 200 dollars to Bob Smith now"), ("三个苹果", "四个苹果"),
        ("明天去上海的火车票", "后天去上海的火车票"), ("从北京到上海的高铁", "从上海到北京的高铁"), ("张伟的生日", "张薇的生日"),
        ("trains from Paris to Berlin", "trains from Berlin to Paris"), ("cheapest flight to Rome", "cheapest flights to Milan"),
        ("C++", "C"), ("C#", "C"), ("5% discount", "5 discount"), ("track my order", "cancel my order"), ("lights on", "lights off"),
        ("turn on the lights in the living room please now", "turn off the lights in the living room please now"),
        ("restaurants that are open before noon in the old town", "restaurants that are open after noon in the old town"),
        ("hotels under 100 euros with a pool near the beach", "hotels over 100 euros with a pool near the beach"),
        ("increase the volume in the kitchen speaker a bit more", "decrease the volume in the kitchen speaker a bit more"),
        ("把客厅的灯打开然后播放音乐", "把客厅的灯关闭然后播放音乐"), ("最便宜的酒店靠近海滩带泳池", "最贵的酒店靠近海滩带泳池"),
        ("the meeting with Ann Lee is on Monday morning at nine", "the meeting with Ann Lee is on Tuesday morning at nine"),
        ("remind me to call my mother on her birthday", "remind me to call my father on her birthday"),
        ("the second book of the series by this writer", "the third book of the series by this writer"),
        ("I like this film very much and recommend it", "I dislike this film very much and recommend it"),
        ("sort by price from low to high for all items", "sort by price from high to low for all items"),
        ("第二本书的作者是谁", "第三本书的作者是谁"), ("每天早上提醒我吃药", "每天晚上提醒我吃药"),
        ("Berlin hotels with a pool near the old town", "hotels with a pool near the old town"),
        ("jazz concerts in the old harbour tonight", "concerts in the old harbour tonight"),
        ("include breakfast", "exclude breakfast"), ("never call again", "call again"), ("nobody came", "somebody came"),
        ("he can swim", "he cannot swim"), ("without a car", "with a car"), ("male", "female"), ("yes", "no"),
    )),
    *(("body", TEXT, text.format(gold), text.format(got))
      for text, words in LONG_TEXTS for gold, got in permutations(words, 2)),
    *(("body", TEXT, gold, got) for gold, got in (
        ("帮我妈买药去", "妈买药去"), ("他一下午都在开会", "他午都在开会"), ("请帮我提醒他带伞", "提醒她带伞"),
        ("请帮我提醒他不带伞", "提醒他带伞"),
    )),
    *(("options", NESTED, gold, got) for gold, got in (
        (..., {"gift": True}), (..., {"size": "L", "gift": False}), ({"gift": True}, ...), ({"size": "L"}, {}),
        (..., {"colour": "red"}), (..., {"wrap": {"ribbon": "red"}}), (..., {"wrap": {"note": "x"}}), (..., []), (..., "M"),
    )),
    ("options", {"type": "object", "default": {"size": "L"}, "properties": {"size": {"type": "string", "default": "M"}}},
     ..., {"size": "M"}),
    ("options", {"type": "object", "properties": {"size": TEXT}, "required": ["size"]}, ..., {}),
    ("ids", LIST, ["a1", "b2"], ["b2", "a1"]), ("stops", LIST, ["Paris", "Lyon"], ["Lyon", "Paris"]),
    ("tags", LIST, ["red", "blue"], ["red"]), ("tags", LIST, ["red", "red"], ["red", "blue"]), ("ids", LIST, ["a1"], "a1"),
    ("ids", LIST, ["a1"], []), ("filter", {"type": "object"}, {"a": 1}, {"a": 2}), ("filter", {"type": "object"}, {"a": 1}, {}),
    ("filter", {"type": "object"}, {"a": 1}, {"a": 1, "b": 2}), ("filter", {"type": "object"}, {"a": 1}, '{"a": 1}'),
    ("limit", {"type": "integer", "description": "Page size, default is 10."}, 20, ...),
    ("limit", {"type": "integer", "description": "Page size, default is 10."}, ..., 20), ("limit", INT, ..., 10),
    ("limit", {"type": "integer", "default": 10}, ..., 100), ("note", TEXT, "x", ...), ("note", TEXT, "x", None),
    ("note", TEXT, "x", ""), ("lang", {"type": "string", "description": "Language, default 'en'"}, ..., "zh"),
    ("verbose", {"type": "boolean", "default": False}, ..., True),
]  # fmt: skip


def right(name: str, schema: dict[str, Any], gold: Any, got: Any, context: Context) -> tuple[bool, str]:
    """``...`` stands for an argument that is left out."""
    sides = [{} if value is ... else {name: value} for value in (gold, got)]
    found = compare_arguments(*sides, {"type": "object", "properties": {name: schema}}, context)
    return all(verdict.ok for verdict in found), ", ".join(verdict.rule for verdict in found)


def test_the_table_is_as_long_as_it_should_be():
    assert len(SAME) >= 100 and len(OTHER) >= 100


@pytest.mark.parametrize("context", [UTC, SHANGHAI], ids=["UTC", "+08:00"])
def test_the_same_value_is_right(context):
    def is_right(name, schema, gold, got):
        ok, rule = right(name, schema, gold, got, context)
        assert ok, (gold, got, rule)

    check_rows(SAME, is_right)


@pytest.mark.parametrize(
    ("gold", "got"),
    [
        ("2024-07-13T10:00:00Z", "2024-07-13 10:00"), ("2024-07-13T10:00", "2024-07-13T10:00:00Z"),
        ("2024-07-13 10:00", "2024-07-13T10:00:00 UTC"), ("2024-07-13T00:00:00Z", "2024-07-13"),
    ],
)  # fmt: skip
def test_where_one_side_names_no_offset_the_clock_s_counts(gold, got):
    assert right("departure", TEXT, gold, got, UTC)[0]
    assert not right("departure", TEXT, gold, got, SHANGHAI)[0]


def test_another_value_is_wrong():
    def is_wrong(name, schema, gold, got):
        ok, rule = right(name, schema, gold, got, UTC)
        assert not ok, (gold, got, rule)

    check_rows(OTHER, is_wrong)
