"""The 8 × 3 taxonomy of what people use tools for.

One list for both ends of the pipeline: mining files seed scenarios under it, the catalogue files tool lists under
it, and planning joins the two. It is the taxonomy that fitted public API directories best (see docs/reference/mining.md).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subcategory:
    """A minor category."""

    name: str
    """English name; the key."""
    zh: str
    """Chinese name, for texts and labels."""


@dataclass(frozen=True, slots=True)
class Category:
    """A major category with its three minor ones."""

    name: str
    """English name; the key."""
    zh: str
    """Chinese name, for texts and labels."""
    subcategories: tuple[Subcategory, ...]
    """Minor categories; their names are unique over the whole taxonomy."""


def _category(name: str, zh: str, *subcategories: tuple[str, str]) -> Category:
    return Category(name, zh, tuple(Subcategory(*pair) for pair in subcategories))


TAXONOMY: tuple[Category, ...] = (
    _category(
        "Weather & Environment",
        "天气与环境",
        ("weather and astronomy", "天气与天文"),
        ("air quality and carbon", "空气质量与碳排放"),
        ("animals and nature", "动物与自然"),
    ),
    _category(
        "Maps & Transport",
        "地图与交通",
        ("geocoding and places", "地理编码与地点"),
        ("rail and transit", "铁路与公交"),
        ("flights, airports and road", "航班、机场与道路"),
    ),
    _category(
        "Finance & Economy",
        "金融与经济",
        ("stocks and crypto", "股票与加密货币"),
        ("currency, budgets and payments", "汇率、预算与支付"),
        ("company and economic data", "企业与经济数据"),
    ),
    _category(
        "News, Language & Knowledge",
        "新闻、语言与知识",
        ("news", "新闻"),
        ("dictionaries and text", "词典与文本"),
        ("books, quotes and poems", "图书、名言与诗词"),
    ),
    _category(
        "Entertainment & Social",
        "娱乐与社交",
        ("music and audio", "音乐与音频"),
        ("film, anime and images", "影视、动漫与图片"),
        ("games, sports and social", "游戏、体育与社交"),
    ),
    _category(
        "Government & Open Data",
        "政务与开放数据",
        ("elections and law", "选举与法律"),
        ("statistics", "统计"),
        ("health", "健康"),
    ),
    _category(
        "Shopping & Daily Life",
        "购物与日常生活",
        ("food and drink", "餐饮"),
        ("shopping and orders", "购物与订单"),
        ("jobs, holidays and activities", "求职、节假日与活动"),
    ),
    _category(
        "Internet & Developer Tools",
        "互联网与开发工具",
        ("URL, domain and IP", "网址、域名与 IP"),
        ("security and identity", "安全与身份"),
        ("utilities and documents", "实用工具与文档"),
    ),
)
"""Eight major categories of three minor ones, in a fixed order."""

CATEGORY_OF: dict[str, Category] = {minor.name: major for major in TAXONOMY for minor in major.subcategories}
"""Major category by the name of a minor one."""


def subcategory(name: str) -> Subcategory:
    """The minor category of this English name.

    Raises:
        KeyError: no minor category has this name.
    """
    for minor in CATEGORY_OF[name].subcategories:
        if minor.name == name:
            return minor
    raise KeyError(name)
