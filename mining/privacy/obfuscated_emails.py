"""E-mail addresses as people write them to hide them from machines: "anna dot berg at gmail dot com", anna艾特163点com.

"At" and "dot" are words too ("look at amazon dot com"), so a bare "at" needs a mail provider behind it, or a word before
it that announces an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

PROVIDERS = (
    "gmail|googlemail|yahoo|ymail|hotmail|outlook|live|msn|icloud|aol|protonmail|proton|gmx|mail|zoho|yandex|fastmail|qq|163|126|"
    "sina|foxmail|sohu|139|yeah|aliyun"
)
"""Names of mail providers: what stands before "at" these is somebody's."""

_PIECE = r"[a-z0-9][a-z0-9_+-]{0,30}"
_DOT = r"(?: dot | ?[(\[{<] ?(?:dot|\.) ?[)\]}>] ?|\.)"
_DOMAIN = rf"{_PIECE}(?:{_DOT}{_PIECE}){{0,2}}{_DOT}[a-z]{{2,6}}(?![a-z])"
_LOCAL = rf"(?<![A-Za-z0-9_.+'’-]){_PIECE}(?:{_DOT}{_PIECE}){{0,3}}"
_AT = re.compile(r"(?i)[(\[{<] ?(?:at|@) ?[)\]}>]")
_PLAIN_AT = re.compile(r"(?i) at ")
_DOMAIN_AFTER = re.compile(rf"(?i){_DOMAIN}")
_BRACKETED = re.compile(rf"(?i){_LOCAL} ?[(\[{{<] ?(?:at|@) ?[)\]}}>] ?{_DOMAIN}")
_BARE = re.compile(rf"(?i)(?P<local>{_LOCAL}) at (?P<domain>{_DOMAIN})")
_KNOWN = re.compile(rf"(?i)(?:{PROVIDERS})(?![a-z0-9])")
_ANNOUNCED = re.compile(r"(?i)\b(?:e-?mail|mail|address|reach|write|contact)\b[^.?!\n]{0,30}$")
_SAID_AFTER = re.compile(r"(?i) (?:is|as) (?:my|his|her|our|the) (?:\w{1,12} )?(?:e-?mail|address)")
_HAN = re.compile(
    rf"(?i)(?<![A-Za-z0-9_.+'’-]){_PIECE}(?:(?:点|\.|下划线){_PIECE}){{0,3}}"
    r"(?P<at>\s?(?:艾特|圈a|@|\(at\)|（at）|#|\sat\s)\s?)[a-z0-9-]{1,30}(?:\s?(?:点|\.)\s?[a-z0-9-]{1,30}){0,2}"
    r"\s?(?P<dot>点|\.|。)\s?(?:com|cn|net|org|edu|io|cc)(?![a-z])"
)
_NO_LOCAL = frozenset(
    "me us him her them it you is are was were be look looking looked shop shopping buy bought order ordered work works working "
    "found find sold sell available read saw see seen visit visiting live lives email mail mails e-mail address contact people "
    "someone anyone here there stuff deals price prices up down in out and or that this one sign signed login log account play "
    "playing watch watching go going went arrive start starts check checked write reach inbox server servers".split()
)
"""Words before "at" that begin no address."""


def spelt_addresses(text: str, *, foreign: bool) -> Iterator[tuple[int, int]]:
    """Spans of e-mail addresses with words for their signs, in order of the way in which they are written.

    Args:
        text: the text.
        foreign: does it hold signs beyond ASCII?
    """
    if _AT.search(text):
        for found in _BRACKETED.finditer(text):
            yield found.span()
    # Mostly what follows an "at" is not a domain: then nothing before it need be searched.
    likely = any(_DOMAIN_AFTER.match(text, found.end()) for found in _PLAIN_AT.finditer(text))
    match: re.Match[str] | None = _BARE.search(text) if likely else None
    while match is not None:
        start = match.start("local")
        taken = re.split(r"[ .]", match["local"])[-1].lower() not in _NO_LOCAL and (
            _KNOWN.match(match["domain"])
            or _ANNOUNCED.search(text, max(0, start - 60), start)
            or _SAID_AFTER.match(text, match.end())
        )
        if taken:
            yield start, match.end()
        # "mail me at anna dot berg at …": what "me" is at may be the beginning of an address itself.
        match = _BARE.search(text, match.end() if taken else match.start("domain"))
    if foreign:
        for found in _HAN.finditer(text):
            # With both its signs written plainly it is the plain pattern's, and "a#b.com" may be a link's.
            plain = found["dot"] == "." and found["at"].strip() in ("@", "#")
            if not plain or (found["at"].strip() == "#" and _KNOWN.match(text, found.end("at"))):
                yield found.span()
