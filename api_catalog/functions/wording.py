"""What a function is said to do: the sentences of its source that a model can use."""

from __future__ import annotations

import re

from wildtool.api_catalog.functions.description import Operation, Refused
from wildtool.api_catalog.functions.names import function_name, singular, words_of
from wildtool.api_catalog.functions.texts import cut, language_of, sentence
from wildtool.language.lexicon import spaced

DESCRIPTION_CHARACTERS = 320
"""Of a function's description."""


_HIDDEN_TALK = re.compile(
    r"\b(?:rate.?limit\w*|scopes?|oauth\w*|api.?keys?|authenticat\w+|authoriz\w+|deprecat\w+|documentation|click here|"
    r"curl|http\w*|status codes?|pagina\w+|headers?|sandbox|query ?string|json|xml|webhooks?|callback|beta|endpoints? "
    r"(?:is|are)|access token|permissions?|quota|billing|changelog|admin\w*|for (?:more|further) (?:info\w*|details)|"
    r"see (?:the|also|our|here)|please (?:note|see|refer|contact|use)|note that|warning|todo|fixme|example request)\b"
    r"|\b(?:currently|still) (?:provided as |in )?(?:an? )?(?:preview|alpha|beta)\b|\bbreaking changes?\b"
    r"|\bbe aware of the following\b|\bbase url\b"
    r"|\bNOTE\b|\bN\.?B\.|->|=>|\\u|\{\{|\$\w|/[a-z]+/[a-z{]",
    re.IGNORECASE,
)


_OPENING = re.compile(
    r"^(?:(?:this|the|an?)\s+)?(?:\w+\s+)?(?:end ?point|api(?: call| method| endpoint)?|method|operation|service|call|"
    r"resource|request|route|function|web ?service|action|query|command)\s+"
    r"(?:(?:that|which)\s+)?(?:(?:will|can be used to|can|is used to|is used for|is for|"
    r"allows?(?: (?:you|users?|clients?|one|developers?|the (?:user|client|caller)))? to|lets? (?:you|users?)|"
    r"enables? (?:you|users?) to|"
    r"provides? (?:you|users?) (?:with )?(?:the ability|a way) to|to)\s+)?(?=[a-z])",
    re.IGNORECASE,
)


_ALLOWS = re.compile(
    r"^(?:allows? (?:you |users? |clients? |one |the user |a user )?to|(?:use|used) (?:this )?to|lets? you|"
    r"enables? (?:you|users?) to|you can)\s+(?=[a-z])",
    re.IGNORECASE,
)


_NAMED = re.compile(
    r"^(?:[A-Z][a-z0-9]+){2,}\s+(?=(?:returns?|gets?|lists?|creates?|updates?|deletes?|searches|fetches|retrieves?)\b)"
    r"|^(?:Description|Overview|Summary)\s+(?=[A-Z][a-z]+\s)"
)
"""``ListApiSpecs returns matching specs.``, and headings that ran into the text."""

_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])")


def describe(operation: Operation, *, wide: bool = False) -> str:
    """What the function does, in at most three sentences for a model to read.

    Raises ``Refused`` where nothing readable is left without the talk about transport; with ``wide`` the words of the
    function's name serve then.
    """
    try:
        return _described(operation)
    except Refused:
        if not wide:
            raise
    same = operation.summary != "" and words_of(operation.summary) == words_of(operation.description)
    terse = operation.summary if same else f"{operation.summary}. {operation.description}".strip(". ")
    named = " ".join(words_of(function_name(operation.method, operation.path, operation.name, operation.summary)))
    text = cut(
        sentence(terse) if len(terse.split()) >= 2 or not spaced(language_of(terse)) else sentence(f"{named} {terse}"),
        DESCRIPTION_CHARACTERS,
    )
    if len(text) < 4:
        raise Refused("no_description", operation.name)
    return text


def _described(operation: Operation) -> str:
    summary = _opened(
        re.sub(r"^\[[^\]]*\]\s*|(?:(?<!\s)\s++|(?!\s))(?:[-–:]\s*+)?\(?v\d+(?:\.\d+)*\)?$", "", operation.summary)
    )
    sentences = [_opened(part) for part in _SENTENCES.split(operation.description)[:8]]
    kept = [part for part in sentences if part and not _HIDDEN_TALK.search(part) and len(part.split()) >= 3]
    if summary and len(summary.split()) >= 2 and not _HIDDEN_TALK.search(summary):
        first = words_of(summary)
        kept = [part for part in kept if not _says_the_same(first, words_of(part))]
        said = {singular(word) for word in first}
        longer = [part for part in sentences[:1] if part and said <= {singular(word) for word in words_of(part)}]
        if longer and not _HIDDEN_TALK.search(longer[0]) and len(longer[0]) < 200:
            kept = [longer[0], *(part for part in kept if part != longer[0])]
        else:
            kept.insert(0, summary)
    text = ""
    for part in kept[:3]:
        longer_text = f"{text} {sentence(part)}".strip()
        if len(longer_text) > DESCRIPTION_CHARACTERS and text:
            break
        text = longer_text
    text = cut(text, DESCRIPTION_CHARACTERS)
    if len(text.split()) < 3 and spaced(language_of(text)):
        raise Refused("poor_description", text)
    letters = sum(character.isalpha() or character == " " for character in text)
    if letters < 0.82 * len(text) or re.search(r"[{}<>|\\\ufffd]|\w{32,}|_{2,}", text):
        raise Refused("poor_description", text)
    return text


def _opened(text: str) -> str:
    """The sentence without "This endpoint allows you to", so that it starts with what is done."""
    text = text.strip(" -–*•")
    for pattern in (_NAMED, _OPENING, _ALLOWS):
        shorter = pattern.sub("", text, count=1)
        if shorter != text and len(shorter.split()) >= 2 and not re.match(r"(?:is|are|be|was|has|may|must)\b", shorter):
            text = shorter[0].upper() + shorter[1:]
    return text


def _says_the_same(first: list[str], second: list[str]) -> bool:
    """Whether a sentence adds next to nothing to a summary."""
    small = {"the", "a", "an", "of", "for", "all", "to", "in", "by", "this", "and", "is", "are", "with"}
    one, two = ({singular(word) for word in words} - small for words in (first, second))
    return not two or len(two - one) <= max(1, len(two) // 4)


def spoken_name(name: str) -> str:
    """A description made of a readable name: ``cityName`` → ``City name.``; empty where the name says nothing."""
    words = words_of(name)
    if not words or (all(len(word) < 3 for word in words) and words != ["id"]) or max(map(len, words)) > 16:
        return ""
    return sentence(" ".join(words))
