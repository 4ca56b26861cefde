"""Texts of API descriptions: HTML and Markdown out, cut at a sentence, injections flagged."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from wildtool.language.injection import order_in

PARAMETER_CHARACTERS = 260
"""Enough for a meaning, a format and a default; longer ones are tables of values."""

_BLOCK_TAG = re.compile(r"</?(?:p|br|div|li|ul|ol|h[1-6]|tr|table|pre|blockquote)\b[^<>]{0,400}>", re.IGNORECASE)
_DROPPED = re.compile(r"<(script|style|svg)\b", re.IGNORECASE)
_DROPPED_END = {kind: re.compile(rf"</{kind}\s*>", re.IGNORECASE) for kind in ("script", "style", "svg")}
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]{0,30}(?:\s[^<>]{0,600})?/?>|<!--.{0,600}?-->", re.DOTALL)
_FENCE = re.compile(r"```.{0,20000}?(?:```|\Z)", re.DOTALL)
_TABLE_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$|^[|:\- \t]{5,}$", re.MULTILINE)
_IMAGE = re.compile(r"!\[[^\]]{0,300}\]\([^)]{0,600}\)")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\((?:[^()]|\([^()]*\)){0,600}\)")
_REFERENCE_LINK = re.compile(r"\[([^\[\]]{1,200})\]\[[^\[\]]{0,100}\]")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}(.*)$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*\*|__|~~)(?=\S)(.{1,400}?)(?<=\S)\1", re.DOTALL)
_STAR = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,200}?)(?<=\S)\*(?![\w*])")
_UNDERSCORE = re.compile(r"(?<![\w/])_(?=[^\s_])([^_\n]{1,80})(?<=\S)_(?![\w/])")
_CODE = re.compile(r"`{1,2}([^`\n]{1,300})`{1,2}")
_BULLET = re.compile(r"^[ \t]*(?:[*+•·-]|\d{1,2}[.)])\s+", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]*>+\s?", re.MULTILINE)
_ADMONITION = re.compile(r"^[ \t]*:::.*$|\[!\w{1,40}\]", re.MULTILINE)
_BARE_URL = re.compile(r"\(?\b(?:https?://|www\.)[^\s)>\]]+\)?")
_BLANK = re.compile(r"[ \t\r\f\v\u00a0\u3000]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])|(?<=[。！？])")


def plain(text: object, *, limit: int = 6_000) -> str:
    """One line of readable text: no markup, no control characters, single blanks.

    An order to whoever reads it comes first, as it stands in the source: what tidies the rest could take away half of
    it (a tag, an address), and the gates would see a harmless half.
    Only the first ``limit`` characters are looked at, so that a megabyte of HTML costs nothing.
    """
    return _plain(text[:limit]) if isinstance(text, str) else ""


@lru_cache(maxsize=20_000)
def _plain(text: str) -> str:
    tidy = _tidied(text)
    order = order_in(text)
    return tidy if order is None else f"{_BLANK.sub(' ', order.replace(chr(10), ' ')).strip()} … {tidy}"


def _tidied(text: str) -> str:
    if _SIMPLE.fullmatch(text) and "://" not in text and not _BULLET.match(text):  # three of four texts
        return _BLANK.sub(" ", text).strip()
    if "<" in text:
        text = _without_dropped(text)
        text = _TAG.sub("", _BLOCK_TAG.sub("\n", text))
    if "&" in text:
        text = html.unescape(text)
        if "<" in text:
            text = _TAG.sub("", _BLOCK_TAG.sub("\n", text))
    text = _FENCE.sub(" ", text)
    text = _TABLE_ROW.sub("", text)
    text = _IMAGE.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _REFERENCE_LINK.sub(r"\1", text)
    text = _RULE.sub("", text)
    text = _HEADING.sub(lambda match: _as_sentence(match[1].strip().rstrip("#")), text)
    text = _ADMONITION.sub("", text)
    text = _QUOTE.sub("", text)
    text = _BULLET.sub("", text)
    text = _EMPHASIS.sub(r"\2", text)
    text = _STAR.sub(r"\1", text)
    text = _UNDERSCORE.sub(r"\1", text)
    text = _CODE.sub(r"\1", text).replace("`", "")
    text = _BARE_URL.sub("", text)
    if not text.isascii() or _CONTROL.search(text):
        text = "".join(
            character if character in "\n\t" or unicodedata.category(character) not in _UNPRINTABLE else " "
            for character in unicodedata.normalize("NFC", text)
        )
    text = _BLANK.sub(" ", text)
    lines = [line.strip() for line in text.split("\n")]
    return _BLANK.sub(" ", " ".join(_stopped([line for line in lines if line]))).strip()


def _without_dropped(text: str) -> str:
    """Without elements whose content nobody reads, from where they open to where they are closed next."""
    kept: list[str] = []
    done = 0
    closed = dict.fromkeys(_DROPPED_END, True)
    for opens in _DROPPED.finditer(text):
        kind = opens[1].lower()
        if opens.start() < done or not closed[kind]:
            continue
        closes = _DROPPED_END[kind].search(text, opens.end())
        closed[kind] = closes is not None  # where one is not closed, none behind it is
        if closes is not None:
            kept += [text[done : opens.start()], " "]
            done = closes.end()
    return "".join([*kept, text[done:]])


_SIMPLE = re.compile(r"[A-Za-z0-9 ,.;:()'\"?!%$€/+=-]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _stopped(lines: list[str]) -> list[str]:
    """Full stops where a line ends a sentence without saying so: the next one starts anew."""
    if not lines:
        return []
    return [
        _as_sentence(line) if _ends_clause(line) and not following[:1].islower() else line
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
    ]


def _ends_clause(line: str) -> bool:
    """Lines of four words or more that end with a letter: the writer took the line end for a full stop."""
    return line.count(" ") >= 3 and (line[-1].isalnum() or line[-1] in ")\"'")


def _as_sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?:;,。！？：；，" else text + "."


def cut(text: str, characters: int) -> str:
    """The leading whole sentences that fit; where not even one fits, whole words and an ellipsis."""
    if len(text) <= characters:
        return text
    kept = ""
    for sentence in _SENTENCE_END.split(text):
        longer = f"{kept} {sentence}".strip() if not kept.endswith(("。", "！", "？")) else kept + sentence
        if len(longer) > characters:
            break
        kept = longer
    if len(kept) >= characters // 8:
        return kept
    shortened = text[: characters - 1]
    return (shortened.rsplit(" ", 1)[0] if " " in shortened[characters // 2 :] else shortened).rstrip(" ,;:-(") + "…"


def sentence(text: str) -> str:
    """The text with a capital first letter and a full stop."""
    text = text.strip()
    if not text:
        return ""
    if text[0].islower() and not re.match(r"[a-z]+[A-Z_\d]", text):
        text = text[0].upper() + text[1:]
    if text[-1] in ".!?…。！？)）":
        return text
    return text.rstrip(":;,- ：；，") + ("。" if "\u4e00" <= text[-1] <= "\u9fff" else ".")


_STOP_WORDS = {
    "en": "the of and to a in for is by this with that an on be or are from as it not if",
    "es": "el la los las de del que y en un una para por con se su es al como",
    "fr": "le la les des du de et en un une pour par avec est que dans sur au ce qui",
    "de": "der die das und den dem ein eine für mit von zu ist im auf des werden oder nicht",
    "pt": "o a os as de do da que e em um uma para por com não se no na dos",
    "it": "il la lo gli le di del della che e in un una per con non si da al",
    "nl": "de het een van en in voor met op is te dat die zijn of aan wordt",
    "tr": "ve bir bu için ile olarak olan tüm veya göre",
    "pl": "i w na z do nie się jest dla oraz przez od",
}
_VOTES: dict[str, list[str]] = {}
for _language, _words in _STOP_WORDS.items():
    for _word in _words.split():
        _VOTES.setdefault(_word, []).append(_language)


ASSUMED = "en"
"""Language of a text whose words do not tell: most API descriptions are in it."""


def language_of(text: str) -> str:
    """``en``, ``zh``, another ISO code, or ``und`` where neither script nor function words tell.

    Function words are enough here: descriptions are sentences. Short technical fragments without any
    function word count as English when they are plain ASCII.
    """
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return "und"
    kana = sum("\u3040" <= character <= "\u30ff" for character in letters)
    han = sum("\u4e00" <= character <= "\u9fff" for character in letters)
    if kana > 0.05 * len(letters):
        return "ja"
    if han > 0.25 * len(letters):
        return "zh"
    if sum("\uac00" <= character <= "\ud7a3" for character in letters) > 0.25 * len(letters):
        return "ko"
    if sum(not character.isascii() and ord(character) > 0x24F for character in letters) > 0.25 * len(letters):
        return "und"
    votes: dict[str, float] = {}
    words = re.findall(r"[^\W\d_]+", text.lower())
    for word in words:
        for language in _VOTES.get(word, ()):
            votes[language] = votes.get(language, 0.0) + 1.0 / len(_VOTES[word])
    if not votes:
        return "en" if all(character.isascii() for character in letters) else "und"
    best = max(votes, key=lambda language: (votes[language], language == ASSUMED))
    return best if votes[best] > votes.get(ASSUMED, 0.0) else ASSUMED
