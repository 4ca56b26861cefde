"""Names that a model can call and a person can read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from wildtool.language.folding import without_accents

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What function calling accepts (with ``fullmatch``)."""

READABLE_LENGTH = 48
"""Longer names are cut at a word: they read badly in a call, and 64 is the limit with a suffix."""

MOST_WORDS = 7
"""Names of more words are sentences."""

VERBS = frozenset(
    """
    get list search find fetch retrieve read show view lookup look query check validate verify calculate compute
    convert translate detect predict estimate compare create add new post make generate build start book reserve
    order buy place send submit request register save store record log report update edit modify change set put
    patch replace rename move cancel delete remove clear stop close archive unsubscribe subscribe follow
    unfollow like unlike share upload download import export resolve parse analyze analyse classify extract
    summarize match recommend suggest autocomplete geocode reverse count track monitor rate review vote shorten
    expand encode decode hash encrypt decrypt sign render format merge split join invite assign complete finish
    mark enable disable activate deactivate pay refund charge transfer withdraw deposit open play pause resume
    skip browse explore discover sort filter rank simulate schedule reschedule plan test identify locate route
    optimize optimise unarchive restore reset restart retry resend revoke connect disconnect link unlink block unblock
    restrict undelete purge rotate promote enroll deploy undeploy execute invoke rollback insert acknowledge
    mute unmute suspend unsuspend pin unpin ban unban leave navigate grant deny publish unpublish preview proofread
    match score spell correct explain define describe answer ask return lock unlock accept
    reject approve decline confirm apply upgrade renew
    """.split()
)
"""First words that make a name or a summary read as an action."""

_ASKING = frozenset({"get", "list", "search", "find", "fetch", "create", "update", "delete", "remove", "retrieve"})
"""Verbs that are nothing else: where one stands inside a name, it belongs in front."""

_ACTING = _ASKING | {
    "convert", "calculate", "compute", "validate", "verify", "translate", "predict", "send", "analyze", "analyse", "detect",
    "generate", "recommend", "suggest", "lookup", "autocomplete", "geocode",
}  # fmt: skip
"""Verbs that a ``get`` in front of them adds nothing to; ``getOrder`` and ``getPlace`` are about an order and a place."""

_JUNK_WORDS = frozenset(
    """
    api apis v rest endpoint endpoints json xml html php controller resource handler operation method using
    index do aspx svc svcs format extension public default action
    """.split()
)
_VERSION = re.compile(r"v?\d+(?:[._]\d+)*(?:(?:alpha|beta|rc)\d*)?", re.IGNORECASE)
_HASH = re.compile(r"[0-9a-f]{8,}", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_USING = re.compile(r"Using(?:GET|POST|PUT|DELETE|PATCH)(?:_\d+)?$")
_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index",
              "currencies": "currency", "movies": "movie", "series": "series", "news": "news", "species": "species",
              "status": "status", "address": "address", "media": "media", "data": "data", "analysis": "analysis",
              "lens": "lens", "bus": "bus", "gas": "gas", "statistics": "statistics", "sports": "sports",
              "process": "process", "access": "access", "business": "business", "class": "class", "cookies": "cookie",
              "calories": "calorie", "zombies": "zombie", "ties": "tie", "cities": "city"}  # fmt: skip


def words_of(text: str) -> list[str]:
    """The words of an identifier, lower case: ``listBreweries_byCity`` → list, breweries, by, city."""
    return list(_words_of(text))


@lru_cache(maxsize=50_000)
def _words_of(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(without_accents(text)))


def camel(words: Sequence[str]) -> str:
    """``["list", "open", "jobs"]`` → ``listOpenJobs``."""
    return "".join(word if position == 0 else word[:1].upper() + word[1:] for position, word in enumerate(words))


def singular(word: str) -> str:
    """English singular, roughly: enough to match ``breweries`` with ``breweryId``."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def legal_parameter(name: str) -> str:
    """A legal name that still reads like the given one: ``filter[name]`` → ``filter_name``, ``$top`` → ``top``."""
    if LEGAL.fullmatch(name):
        return name
    cleaned = re.sub(r"[^a-zA-Z0-9_-]+", "_", without_accents(name))
    return cleaned.strip("_-")[:64].rstrip("_-")


def function_name(method: str, path: str, operation_id: str, summary: str, description: str = "") -> str:
    """A readable, legal name in camel case.

    The given ``operationId`` where it reads as an action of at most seven words; else a short summary that
    starts with a verb; else what method and path say, with the verb of the description where method is ``post``.
    """
    given = _from_identifier(operation_id, path, method)
    by_method = given[:1] in (["post"], ["put"], ["patch"])
    if given and given[0] in VERBS and method.lower() == "get" and _is_noun(given, path):
        given = ["get", *given]
    speaks = bool(given) and given[0] in VERBS and 2 <= len(given) <= MOST_WORDS and not by_method
    if speaks and not _path_like(operation_id, path, method):
        return _fit(given)
    spoken = _from_summary(summary)
    if spoken:
        return _fit(spoken)
    if given and given[0] in VERBS and len(given) == 1:
        noun = _nouns(path)
        return _fit(given + noun[-1].split()) if noun else _fit(given)
    derived = _from_path(method, path)
    verb = _spoken_verb(description) if method.lower() == "post" else ""
    if verb and derived and derived[0] in {"create", "post", "add"}:
        derived = [verb, *derived[1:]]
    if given and 1 <= len(given) <= 4 and not _path_like(operation_id, path, method) and len(derived) < 2:
        return _fit([_method_verb(method, path), *given])
    return _fit(derived) if derived else _fit([_method_verb(method, path), *(given[:4] or ["item"])])


def kept_name(given: str, summary: str, description: str, *, snake: bool) -> str:
    """The name of a function that was written for models: as it is where legal, else the nearest legal one.

    Titles and paths (``Get Hotel``, ``/v1/Search Hotels (GET)``) become names in one style, that of the names beside them.
    """
    if LEGAL.fullmatch(given):
        return given
    called = _METHOD_BEHIND.sub("", given)
    if "/" in called:  # RapidAPI names some functions by their path
        made = function_name("get", called, "", summary, description)
    elif " " in called.strip() and called.isascii() and called.isprintable() and words_of(called):
        made = _fit(words_of(called))
    else:  # its own style with the illegal characters out: ``weather.now``
        return legal_parameter(given) or "function"
    return "_".join(words_of(made)) if snake else made


_METHOD_BEHIND = re.compile(r"(?<!\s)\s*+\((?:GET|POST|PUT|PATCH|DELETE)\)\s*$", re.IGNORECASE)


def unique(name: str, taken: Iterable[str], qualifiers: Sequence[str] = ()) -> str:
    """The name, or one made different from all taken ones by a qualifier (``By…``), at last by a number."""
    taken = taken if isinstance(taken, set) else set(taken)
    if name not in taken:
        return name
    for qualifier in qualifiers:
        words = words_of(qualifier)
        if words:
            joint = "And" if re.search(r"By[A-Z]", name) else "By"
            candidate = f"{name}{joint}{camel(['', *words])}"[:64]
            if candidate not in taken:
                return candidate
    number = 2
    while f"{name[:60]}{number}" in taken:
        number += 1
    return f"{name[:60]}{number}"


def _fit(words: Sequence[str]) -> str:
    kept: list[str] = []
    for word in words:
        if kept and singular(word) == singular(kept[-1]):  # getRoomsRoom
            kept[-1] = word
            continue
        if "by" in kept and singular(word) == singular(kept[kept.index("by") - 1]) and kept[-1] == "by":
            kept.pop()  # getCountryByCountry
            continue
        if kept and len(camel([*kept, word])) > READABLE_LENGTH:
            break
        kept.append(word)
    while len(kept) > 2 and kept[-1] in {"by", "for", "of", "and", "or", "the", "a", "in", "to", "with", "from", "on"}:
        kept.pop()
    name = camel(kept)[:64]
    return name if not name[:1].isdigit() else f"get{name}"


def _from_identifier(operation_id: str, path: str = "", method: str = "") -> list[str]:
    text = _USING.sub("", operation_id)
    text = re.sub(r"^.*?(?:Controller|Resource|Service|Api|Endpoint)[_.]+", "", text)
    words = words_of(re.sub(r"_\d+$", "", text))
    route = [word for segment in path.split("/") for word in words_of(segment)]
    if len(words) > len(route) + 1 and words[-len(route) - 1 : -1] == route and words[-1] == method.lower():
        words = words[: -len(route) - 1]  # FastAPI: name, path, method
    words = [
        word for word in words if word not in {"api", "v", "rest", "endpoint", "using"} and not _HASH.fullmatch(word)
    ]
    words = [word for word in words if not word.isdigit() and word not in {"a", "an", "the"}]
    if words[1:3] == ["list", "of"] or words[:2] == ["list", "of"]:  # getListOfOrganizations
        words = ["list", *words[words.index("of") + 1 :]]
    inner = next((place for place, word in enumerate(words[:5]) if word in _ASKING), 0)
    if inner and (words[0] not in VERBS or re.match(r"[A-Z]\w*_", operation_id)):
        words = [words[inner], *words[:inner], *words[inner + 1 :]]  # StopPoint_GetByGeoPoint, vehicle list by city
    if words and words[0] not in VERBS and words[-1] in _ACTING and len(words) <= 4:
        words = [words[-1], *words[:-1]]  # artists.search, noun first
    if len(words) > 1 and words[0] in {"get", "post"} and words[1] in _ACTING:
        words = words[1:]  # getListStations, postSearch
    return [word for position, word in enumerate(words) if position == 0 or word != words[position - 1]]


def _is_noun(given: list[str], path: str) -> bool:
    """Whether the first word is no verb here: ``stopPointArrivals`` of ``/StopPoint/{id}/Arrivals``."""
    heads = [words_of(segment) for segment in path.split("/") if segment]
    return any(len(head) > 1 and head == given[: len(head)] and head[0] not in _ASKING for head in heads)


def _path_like(operation_id: str, path: str, method: str) -> bool:
    """Generated from the path: ``get_v1_breweries_by_city``, ``GetApiV2Stations``."""
    if re.search(r"(?:^|[_\-A-Za-z/])[vV]\d+(?=$|[_\-A-Z/])|_\d+$|x\d+$", operation_id):
        return True
    every = words_of(operation_id)
    given = [word for word in every if word not in {"by", "id"}]
    route = [word for segment in path.split("/") for word in words_of(segment)]
    held = [word for part in re.findall(r"\{([^{}]+)\}", path) for word in words_of(part)]
    if (
        "by" not in every
        and held
        and every[1:] == [word for word in route if word not in {"api", "v"}][-len(every[1:]) :]
    ):
        return True
    return len(given) >= 4 and given[0] == method.lower() and given[1:] == route[: len(given) - 1]


def _from_summary(summary: str) -> list[str]:
    text = re.sub(r"\([^()]*\)|'s\b", "", summary).strip(" .:")
    if not text or len(text) > 70 or any(mark in text for mark in ".;:/|{}<>"):
        return []
    words = list(re.findall(r"[A-Za-z][A-Za-z0-9]*|\d+", text))
    if not 2 <= len(words) <= 8:
        return []
    first = words[0].lower()
    if first.endswith("s") and first[:-1] in VERBS and first != "news":
        first = first[:-1]
    elif first.endswith("es") and first[:-2] in VERBS:
        first = first[:-2]
    if first not in VERBS or first == "return":
        return []
    rest = [
        word.lower() for word in words[1:] if word.lower() not in {"a", "an", "the", "all", "your", "this", "their"}
    ]
    verb = [first]
    if first == "look" and rest[:1] == ["up"]:
        rest = rest[1:]
        verb = ["look", "up"]
    if rest[:2] == ["list", "of"] and first in {"get", "return", "retrieve", "fetch"}:
        verb, rest = ["list"], rest[2:]
    return [*verb, *rest] if rest and len(rest) < MOST_WORDS else []


def _spoken_verb(description: str) -> str:
    """``analyze`` for "Analyzes the tone of a text", ``get`` for "Returns the history"."""
    word = (words_of(description.strip().split(" ")[0]) or [""])[0]
    if word in {"return", "returns", "retrieve", "retrieves", "get", "gets", "lists", "list", "fetches"}:
        return "list" if word.startswith("list") else "get"
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        if form in VERBS and form not in {"set", "order", "post", "store", "record", "report", "return", "use", "list"}:
            return form
    return ""


def _nouns(path: str) -> list[str]:
    nouns: list[str] = []
    for segment in path.split("?")[0].split("/"):
        if not segment or segment.startswith(("{", ":")):
            continue
        segment = re.sub(r"\{[^{}]*\}", "", segment)
        segment = re.sub(r"^#?[\w-]+=(?:\w+\.)?", "", segment)  # "#X-Amz-Target=Service.DescribeEvents", "#Action=…"
        segment = re.sub(r"\.(?:json|xml|php|aspx?|do)$", "", segment)
        if _VERSION.fullmatch(segment):
            continue
        words = [word for word in words_of(segment) if word not in _JUNK_WORDS and not word.isdigit()]
        if words:
            nouns.append(" ".join(words))
    return nouns


def _method_verb(method: str, path: str) -> str:
    match method.lower():
        case "post":
            return "create"
        case "put" | "patch":
            return "update"
        case "delete":
            return "delete"
        case _:
            return "get"


def _from_path(method: str, path: str) -> list[str]:
    nouns = _nouns(path)
    if not nouns:
        return []
    last = nouns[-1].split()
    segments = [segment for segment in path.split("/") if segment]
    ends_in_parameter = bool(segments) and segments[-1].startswith(("{", ":"))
    parameters = re.findall(r"\{([^{}]+)\}", path)
    if len(last) > 1 and last[0] in {"set", "reset", "send", "share", "invite"} and method.lower() != "get":
        return list(last)
    if len(nouns) > 1 and nouns[-2] in _ACTING:  # /translate/yoda
        return [nouns[-2], *last]
    if last[0] in VERBS and last[0] not in {"set", "order", "review", "report", "rate", "record", "request", "track",
                                            "route", "play", "score", "match", "store", "log", "plan", "place", "show",
                                            "index", "book", "share", "test", "view", "reverse", "charge", "new",
                                            "format", "invite", "vote", "post", "query", "filter"}:  # fmt: skip
        owner = nouns[-2].split() if len(nouns) > 1 else []
        return [*last[:1], *last[1:], *owner] if len(last) == 1 else list(last)
    owner = [singular(nouns[-2].split()[-1])] if len(nouns) > 1 else []
    plural = last[-1] != singular(last[-1])
    if method.lower() == "get":
        if ends_in_parameter or not plural:
            words = ["get", *owner, *last[:-1], singular(last[-1]) if ends_in_parameter else last[-1]]
            if ends_in_parameter and parameters and not _identifies(parameters[-1], last[-1]):
                words += ["by", *words_of(parameters[-1])]
            return words
        return ["list", *owner, *last]
    verb = _method_verb(method, path)
    return [verb, *owner, *last[:-1], singular(last[-1])]


def _identifies(parameter: str, noun: str) -> bool:
    """``{id}`` and ``{breweryId}`` go without saying behind ``breweries``."""
    words = words_of(parameter)
    return (
        words[-1:] in (["id"], ["uuid"], ["key"], ["slug"]) or singular(noun) == singular(words[-1]) if words else True
    )
