"""What a person calls the thing that a parameter takes: parameters have names for programs."""

from __future__ import annotations

import re

from wildtool.language.parameter_names import humanise, looks_like_id
from wildtool.schemas.json_schema import plain_type, properties
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language

_EN = {
    "q": "search term",
    "query": "search term",
    "search": "search term",
    "keyword": "search term",
    "keywords": "search term",
    "term": "search term",
    "phrase": "search term",
    "start": "starting point",
    "origin": "starting point",
    "origin city": "departure city",
    "from city": "departure city",
    "end": "destination",
    "to city": "destination",
    "destination city": "destination",
    "to currency": "target currency",
    "currency to": "target currency",
    "from currency": "currency",
    "currency from": "currency",
    "to unit": "target unit",
    "from unit": "unit",
    "target format": "format",
    "target language": "language",
    "target price": "price",
    "excluding": "exclusions",
    "after time": "earliest time",
    "before time": "latest time",
    "max minutes": "time limit",
    "sort by": "order",
    "sort": "order",
    "sort order": "order",
    "order by": "order",
    "split by": "breakdown",
    "notify by": "way of notifying",
    "refund to": "refund method",
    "explain in": "language",
    "lang": "language",
    "locale": "language",
    "limit": "number of results",
    "per page": "number of results",
    "max results": "number of results",
    "top": "number of places",
    "expires on": "expiry date",
    "valid until": "end date",
    "remind on": "reminder date",
    "common name": "animal or plant",
    "iata code": "airport",
    "short code": "short link",
    "domain": "domain name",
    "url": "link",
    "lat": "latitude",
    "lng": "longitude",
    "lon": "longitude",
    "tag": "tag",
    "text": "text",
    "co2 kg": "amount of carbon",
    "party size": "number of guests",
    "people": "number of people",
    "passengers": "number of travellers",
    "days": "number of days",
    "weeks": "number of weeks",
    "hours": "number of hours",
    "networking number": "network",
    "units": "unit system",
    "priceLevel": "price level",
    "symbol": "ticker",
}
"""By a parameter's name in plain words; what is not here follows the rules below."""

_EVENTS = {"released": "release", "published": "publication", "updated": "update", "created": "creation", "changed": "change",
           "posted": "posting", "started": "start", "filed": "filing", "modified": "change"}  # fmt: skip
_UNITS = r"km|kg|mb|kb|meters|metres|miles|pixels|percent|usd|eur|minutes|seconds"
_OF = re.compile(
    r"^(?:the |an? )?(?:unique |internal |numeric )*(?:identifier|id|code|name|key|slug|number|uuid)s? "
    r"(?:of|for) (?:the |an? |this |your )?"
    r"(?P<n>[a-z][a-z-]*(?: [a-z][a-z-]*)?)(?=$|[.,;(]| (?:to|that|which|you|in|on|for|being)\b)",
    re.IGNORECASE,
)
"""Descriptions that say of what a parameter is the identifier."""

_ADJECTIVES = frozenset(
    "full first last middle display common short long new old user file domain given family nick".split()
)
_PLURALS = frozenset("status address news series business species canvas gas bus class process access focus".split())


def noun(tool: Tool, parameter: str, language: Language) -> str:
    """What a person calls the thing that a parameter takes: ``artist`` for ``artistName``."""
    if language is Language.ZH:
        return _noun_zh(parameter, properties(tool).get(parameter, {}))
    words = re.sub(r"\b(?:ids|names)\b", lambda hit: hit.group()[:-1], humanise(parameter))
    words = re.sub(r"\b(?:paginate|query|path|body) (?=\w)", "", words)
    schema = properties(tool).get(parameter, {})
    if words in _EN:
        return _EN[words]
    if words == "page size" and plain_type(schema) == "integer":
        return _EN["limit"]
    bare_name = words in ("id", "code", "slug", "uuid", "key", "identifier")
    if (looks_like_id(parameter) or bare_name) and (told := _OF.match(str(schema.get("description", "")))):
        return told["n"].lower()
    if bare_name:
        return _of_tool(tool) or words
    if (event := re.match(r"\b(\w++) (?:after|before|since|until|on|at)$", words)) and event[1] in _EVENTS:
        return f"{_EVENTS[event[1]]} {'year' if plain_type(schema) in ('integer', 'number') else 'date'}"
    if re.match(r"(?:since|from|until|to|before|after|start|end)(?: (?:date|day|time))?$", words):
        return "date"
    words = re.sub(rf"(?<!^min)(?<!^max) (?:{_UNITS})$", "", words)
    words = re.sub(r"^(?:since|min|max|minimum|maximum|from|target|only|include|with|in|is|has|the) (?=\w)", "", words)
    words = re.sub(r" (?:only|ids?)$", "", words)
    head, _, tail = words.rpartition(" ")
    if head and tail in ("name", "id", "code", "uuid", "key", "slug") and head.split()[-1] not in _ADJECTIVES:
        return head
    return words


def _of_tool(tool: Tool) -> str | None:
    """What a tool is about, by its name: ``showLiveStream`` gives ``live stream``."""
    words = humanise(tool.name).split()
    if len(words) < 2 or words[1] in ("all", "a", "an", "the", "by"):
        return None
    kept = [word for word in words[1:] if word not in ("by", "id", "for", "with", "details", "info", "single", "one")]
    return " ".join(kept[:2]) if kept and kept[-1].isalpha() else None


def plural(word: str) -> bool:
    """Whether an English noun is a plural, as far as its ending tells."""
    last = word.split()[-1] if word.split() else ""
    return last.endswith("s") and not last.endswith(("ss", "us", "is")) and last not in _PLURALS


_ZH = {
    "city": "城市",
    "country": "国家",
    "countries": "国家",
    "region": "地区",
    "region name": "地区",
    "end": "目的地",
    "start": "出发地",
    "origin": "出发地",
    "destination": "目的地",
    "word": "词",
    "genre": "类型",
    "pollutant": "污染物",
    "direction": "方向",
    "activity": "活动",
    "subject": "题材",
    "dish": "菜",
    "query": "关键词",
    "keyword": "关键词",
    "topic": "话题",
    "limit": "数量",
    "top": "数量",
    "max actors": "人数",
    "text": "这段话",
    "notify by": "通知方式",
    "part of day": "时段",
    "relation": "词义关系",
    "sentiment": "评价类型",
    "status": "状态",
    "incident type": "事件类型",
    "filing type": "文件类型",
    "group": "类群",
    "split by": "细分方式",
    "product": "产品",
    "animal": "动物",
    "min rating": "最低评分",
    "changed within": "时间范围",
    "common name": "动植物",
    "period": "时间段",
    "family": "科",
}


def _noun_zh(parameter: str, schema: dict[str, object]) -> str:
    words = humanise(parameter)
    if words in _ZH:
        return _ZH[words]
    if re.search(r"year|released after|published after", words):
        return "年份"
    if re.fullmatch(r"(?:since|from|until|to|start|end) ?(?:date|day)?", words) or (
        schema.get("format") == "date" and "since" in words
    ):
        return "日期"
    text = re.sub(r"[（(][^）)\n]{0,200}[）)]", "", str(schema.get("description", "")))
    text = re.split(r"[，。,；;：:、]|或", text)[0]
    text = re.sub(r"(?:的)?(?:编号|名称|代码|名字|ID|id)$", "", text).rpartition("的")[2] or text
    text = re.sub(r"^(?:要查的?|要查询的?|.*所在|是否|只看|最多返回|要)", "", text)
    return text if 1 < len(text) <= 8 and not text.isascii() else "条件"
