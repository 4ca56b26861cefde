"""Other ways to point."""

import pytest

from wildtool.language.pointer_tokens import alike, kinds_of, stem, tokens
from wildtool.language.pointers import Device, read_clauses, read_pointers


@pytest.mark.parametrize(
    ("language", "text", "device", "place"),
    [
        ("en", "that one", Device.DEMONSTRATIVE, None),
        ("en", "both look fine", Device.SEVERAL, None),
        ("en", "the other one", Device.OTHER, None),
        ("en", "the one before Sakura", Device.BEFORE, None),
        ("en", "the one after it", Device.AFTER, None),
        ("en", "the one between the two", Device.BETWEEN, None),
        ("en", "in the first list", Device.LIST, 1),
        ("en", "in the previous list", Device.LIST, -2),
        ("en", "you showed at the beginning", Device.LIST, 1),
        ("en", "the one you gave earlier", Device.LIST, 0),
        ("en", "the second is too pricey", Device.REJECT, None),
        ("en", "not that", Device.REJECT, None),
        ("en", "the one I had last year", Device.OUTSIDE, None),
        ("en", "something else", Device.INDEFINITE, None),
        ("en", "the one without a pool", Device.WITHOUT, None),
        ("en", "the good one", Device.DEFINITE, None),
        ("zh", "那个", Device.DEMONSTRATIVE, None),
        ("zh", "都行", Device.SEVERAL, None),
        ("zh", "另外那家", Device.OTHER, None),
        ("zh", "绿茶后面那家", Device.AFTER, None),
        ("zh", "回声前面那部", Device.BEFORE, None),
        ("zh", "外婆家和绿茶之间的", Device.BETWEEN, None),
        ("zh", "第一个列表里的", Device.LIST, 1),
        ("zh", "一开始给我看的", Device.LIST, 1),
        ("zh", "第二个太贵了", Device.REJECT, None),
        ("zh", "不要星辰", Device.REJECT, None),
        ("zh", "上次看的那本", Device.OUTSIDE, None),
        ("zh", "有没有别的", Device.INDEFINITE, None),
        ("zh", "好喝的那个", Device.DEFINITE, None),
    ],
)
def test_reads_devices(language: str, text: str, device: Device, place: int | None) -> None:
    assert (device, place) in [
        (span.best.value.device, span.best.value.place) for span in read_pointers(text, language)
    ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "why not the second"),
        ("en", "it's not bad"),
        ("zh", "不错"),
        ("zh", "一方面，另一方面"),
        ("zh", "没问题"),
    ],
)
def test_decoys_are_no_devices(language: str, text: str) -> None:
    devices = {span.best.value.device for span in read_pointers(text, language)}
    assert not devices & {Device.REJECT, Device.OTHER}


def test_clauses() -> None:
    text = "the second is too pricey, so give me the other"
    assert [text[a:b].strip() for a, b in read_clauses(text, "en")] == ["the second is too pricey", "give me the other"]
    assert len(read_clauses("the $1,499 one", "en")) == 1
    assert len(read_clauses("anything but the red one", "en")) == 1


def test_words() -> None:
    assert [one.text for one in tokens("放第二首歌吧", "zh")][-2:] == ["歌", "吧"]
    assert stem("engineering") == stem("engineers") == stem("engineer")
    assert "海边" in alike("sea")
    assert "restaurant" in kinds_of("餐馆") & kinds_of("restaurants")
