"""Positions in a list."""

import pytest

from wildtool.language.ordinals import End, Ordinal, ordinal_decoys, read_ordinals
from wildtool.schemas.errors import RegistryError


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "the first one", [Ordinal(1)]),
        ("en", "2nd", [Ordinal(2)]),
        ("en", "make it the third", [Ordinal(3)]),
        ("en", "number three please", [Ordinal(3)]),
        ("en", "option 2", [Ordinal(2)]),
        ("en", "#4", [Ordinal(4)]),
        ("en", "option b", [Ordinal(2)]),
        ("en", "the last one", [Ordinal(1, End.BACK)]),
        ("en", "second to last", [Ordinal(2, End.BACK)]),
        ("en", "the third from the end", [Ordinal(3, End.BACK)]),
        ("en", "the penultimate one", [Ordinal(2, End.BACK)]),
        ("en", "last but one", [Ordinal(2, End.BACK)]),
        ("en", "the former", [Ordinal(1, End.FRONT, 2)]),
        ("en", "the latter", [Ordinal(1, End.BACK, 2)]),
        ("en", "the middle one", [Ordinal(1, End.MIDDLE)]),
        ("en", "the first two", [Ordinal(1, End.FRONT, None, 2)]),
        ("en", "the first and the last", [Ordinal(1), Ordinal(1, End.BACK)]),
        ("zh", "第三个", [Ordinal(3)]),
        ("zh", "第十二家", [Ordinal(12)]),
        ("zh", "第2个", [Ordinal(2)]),
        ("zh", "倒数第二", [Ordinal(2, End.BACK)]),
        ("zh", "最后一个", [Ordinal(1, End.BACK)]),
        ("zh", "前者", [Ordinal(1, End.FRONT, 2)]),
        ("zh", "后者", [Ordinal(1, End.BACK, 2)]),
        ("zh", "中间那家", [Ordinal(1, End.MIDDLE)]),
        ("zh", "前两个", [Ordinal(1, End.FRONT, None, 2)]),
        ("zh", "选项三", [Ordinal(3)]),
        ("zh", "2号", [Ordinal(2)]),
    ],
)
def test_reads_positions(language: str, text: str, wanted: list[Ordinal]) -> None:
    assert [span.best.value for span in read_ordinals(text, language)] == wanted


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", text)
        for text in (
            "my first name is Ana",
            "last week",
            "at first I liked it",
            "wait a second",
            "first of all, thanks",
            "First, can I bring a dog?",
            "is this the first time they fly",
            "the second floor",
            "on second thought",
            "how long does it last",
            "a third of it",
            "my last laptop",
            "at the last minute",
            "March 3rd",
            "the 3rd of May",
            "who was the first person on the moon",
        )
    ]
    + [
        ("zh", text)
        for text in (
            "第一次来",
            "第二天还营业吗",
            "首先",
            "最后再说吧",
            "上一部手机",
            "第一时间",
            "第三方",
            "我第一台手机",
            "7月3号出发",
            "第一印象",
        )
    ],
)
def test_decoys_are_no_positions(language: str, text: str) -> None:
    assert read_ordinals(text, language) == ()


def test_nouns_of_what_was_shown_are_counted() -> None:
    assert read_ordinals("the second day", "en") == ()
    assert read_ordinals("the second day", "en", {"day"})[0].best.value == Ordinal(2)
    assert read_ordinals("第二天", "zh", {"天"})[0].best.value == Ordinal(2)
    assert read_ordinals("track 2", "en", {"track"})[0].best.value == Ordinal(2)
    assert read_ordinals("track 2", "en") == ()


def test_decoys_have_offsets() -> None:
    assert ordinal_decoys("it's the second time", "en") == ((9, 20),)


def test_index_in_a_list() -> None:
    assert Ordinal(2).index(3) == 1
    assert Ordinal(2, End.BACK).index(3) == 1
    assert Ordinal(4).index(3) is None
    assert Ordinal(1, End.MIDDLE).index(5) == 2
    assert Ordinal(1, End.MIDDLE).index(4) is None
    assert Ordinal(1, End.BACK, 2).index(2) == 1
    assert Ordinal(1, End.BACK, 2).index(3) is None
    assert Ordinal(1, count=2).index(3) is None


def test_offsets_are_those_of_the_text_given() -> None:
    text = "Ｔhe ＳＥＣＯＮＤ café"
    (span,) = read_ordinals(text, "en")
    assert text[span.start : span.end] == span.text == "Ｔhe ＳＥＣＯＮＤ"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RegistryError):
        read_ordinals("first", "xx")
