"""What a person says to want a tool: the catalogue's phrasings, or ones derived from the description."""

from __future__ import annotations

import re

from wildtool.language.parameter_names import humanise
from wildtool.language.parameter_nouns import noun
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language

_VERBS = {
    "returns": ("get", "show me", "look up"),
    "return": ("get", "show me", "look up"),
    "gets": ("get", "show me", "fetch"),
    "get": ("get", "show me", "fetch"),
    "retrieves": ("get", "pull up", "look up"),
    "retrieve": ("get", "pull up", "look up"),
    "fetches": ("get", "pull up"),
    "fetch": ("get", "pull up"),
    "lists": ("list", "show me"),
    "list": ("list", "show me"),
    "searches": ("search", "look through"),
    "search": ("search", "look through"),
    "finds": ("find", "look for"),
    "find": ("find", "look for"),
    "provides": ("get", "give me"),
    "provide": ("get", "give me"),
    "displays": ("show me",),
    "shows": ("show me",),
    "allows": ("help me",),
    "creates": ("create", "set up"),
    "adds": ("add",),
    "updates": ("update", "change"),
    "deletes": ("delete", "remove"),
    "removes": ("remove", "delete"),
    "calculates": ("calculate", "work out"),
    "computes": ("compute", "work out"),
    "converts": ("convert",),
    "checks": ("check",),
    "sends": ("send",),
    "obtains": ("get",),
    "looks": ("look",),
}
"""The first word of a description in the third person, and how a person asks for it."""

_LONGEST = 14
"""Words of a derived phrase; longer ones read like the manual they come from."""

_BARE_VERB = re.compile(
    r"^(?:add|apply|book|browse|calculate|cancel|change|check|compare|compute|convert|create|delete|detect|download|"
    r"edit|estimate|explore|export|filter|generate|identify|import|look|mark|post|query|read|register|remove|rename|"
    r"request|reserve|save|see|send|set|share|show|subscribe|suggest|translate|update|upload|validate|verify|view)$"
)

PLACE = re.compile(r"city|town|country|region|state|province|place|location|address|destination|area", re.IGNORECASE)
"""Parameters that a person points at with "there"."""


def phrasings(tool: Tool, language: Language) -> tuple[str, ...]:
    """Verb phrases with ``{parameter}`` placeholders; never empty."""
    if tool.phrasings:
        return tool.phrasings
    return _derived_zh(tool) if language is Language.ZH else _derived_en(tool)


def fragments(tool: Tool, parameter: str, language: Language) -> tuple[str, ...]:
    """Pieces to append for a parameter that no phrasing holds; never empty."""
    if given := tool.optional_phrasings.get(parameter):
        return given
    schema = properties(tool).get(parameter, {})
    if language is Language.ZH:
        word = noun(tool, parameter, language)
        return (
            (f"要{word}",)
            if plain_type(schema) == "boolean"
            else (f"{word}是{{{parameter}}}", f"{word}用{{{parameter}}}")
        )
    words = humanise(parameter)
    if plain_type(schema) == "boolean":
        bare = re.sub(r"^(?:include|with|show|is|has) ", "", words)
        return (f"with {bare}",) if not schema.get("default") else (f"without {bare}",)
    for pattern, pieces in _PIECES:
        if pattern.search(parameter):
            return tuple(piece.replace("{}", "{" + parameter + "}") for piece in pieces)
    return (f"with {words} {{{parameter}}}", f"where the {words} is {{{parameter}}}")


_PIECES = tuple(
    (re.compile(pattern, re.IGNORECASE), pieces)
    for pattern, pieces in (
        (r"^(?:.*_)?(?:q|query|search|keywords?|search_?term|term|phrase)$", ("matching {}", "to do with {}")),
        (r"(?:^|_)(?:id|key|index|slug)$|[a-z](?:I[Dd]|Key)$", ("for {}",)),
        (PLACE.pattern, ("for {}", "in {}")),
        (r"^(?:currency_?from|from_?currency|base_?currency)$", ("from {}",)),
        (r"^(?:currency_?to|to_?currency|target_?currency)$", ("to {}", "into {}")),
        (r"^(?:amount|quantity)$", ("for an amount of {}", "amount {}")),
        (r"genre|categor|topic|subject", ("about {}", "on {}")),
        (r"lang", ("in {}", "with {} as the language")),
        (r"^(?:limit|max_?results|per_?page)$", ("no more than {} of them", "{} at most")),
        (r"(?:^|_|[a-z])page$", ("page {}",)),
        (r"year$", ("from {}", "for the year {}")),
        (r"^(?:from|since|start|start_?date|date_?from)$", ("from {} on", "since {}")),
        (r"^(?:to|until|end|end_?date|date_?to)$", ("up to {}", "until {}")),
        (r"date$|^day$", ("for {}",)),
        (r"name$|^title$", ("called {}",)),
        (r"email$", ("for {}",)),
        (r"^(?:order|direction|sort_?order|sort_?dir(?:ection)?)$", ("in {} order",)),
        (r"sort|order", ("sorted by {}",)),
    )
)
"""By pattern of a parameter's name, how its value is worked into a wish."""


def derived(tool: Tool) -> tuple[str, ...]:
    """What a person would say for a tool without phrasings, values left out; empty where its description is no help."""
    text = re.sub(r"<[^<>]+>|`", "", tool.description).strip()
    text = re.split(r"(?<=[a-z0-9)])[.;:]\s|\n|\. ?$| \(|, (?:which|including|such)", text + " ")[0].strip(" .")
    text = re.sub(r"\b(?:by|for|with|of|using) (?:its |the |an? |given |specified )*(?:id|ids|identifier|uuid|key)s?\b", "", text,
                  flags=re.IGNORECASE)  # fmt: skip
    named = set(humanise(tool.name).lower().split())
    words = [word for word in text.split() if "{" not in word]
    if not 2 <= len(words) <= _LONGEST or _MANUAL.search(text):
        return ()
    first = words[0].lower()
    # Manuals write "Get all Orders"; people do not. Capitals of names that are not the tool's own stay.
    rest = " ".join(w.lower() if w.istitle() and w.lower().strip(",") in named else w for w in words[1:])
    spoken = _VERBS.get(first, (first,) if _BARE_VERB.match(first) else ())
    if not spoken or _names_itself(rest, tool.name):
        return ()
    return tuple(f"{verb} {rest}" for verb in spoken)


_MANUAL = re.compile(
    r"\b(?:endpoint|API|resource|object|request|response|array|JSON|XML|HTTP|URL|URI|payload|parameters?|method|"
    r"instance|entity|entities|token|string|callback|webhook|deprecated|ids?|IDs?|UUID|given|specified|specific|"
    r"authenticated|current user|collection|paginated|schema|server|metadata|query|filtered|asynchronous(?:ly)?|datasets?|"
    r"webhooks?|settings?|configurations?|configs?|tenants?|deployments?|instances?|passed|provided|associated|matching|criteria|"
    r"user's|logged[- ]in|your account|accounts?|subscriptions?|permissions?|roles?|credentials?|logs?|jobs?|queues?|"
    r"keywords|names? or|grouped|"
    r"multiple|several|attributes?|properties|property|values?|types?|records?|rows?|columns?|items? by|batch|bulk|"
    r"streams?|metrics|statuses|"
    r"organi[sz]ations? a|VAT|SDK|CRUD|v\d)\b|[a-z][A-Z]|_|/|[\[\]<>]"
)
"""Words of manuals."""


def _derived_en(tool: Tool) -> tuple[str, ...]:
    cores = list(derived(tool))
    if not cores:
        plain = humanise(tool.name)
        verb, _, rest = plain.partition(" ")
        known = verb in _VERBS or _BARE_VERB.match(verb)
        spoken = _VERBS.get(verb, (verb,)) if known and rest else ("get", "look up")
        cores = [f"{each} the {rest if known and rest else plain}" for each in spoken]
    tail = ""
    for parameter in required(tool):
        tail += f" {fragments(tool, parameter, Language.EN)[0]}"
    return tuple(core + tail for core in cores)


def _derived_zh(tool: Tool) -> tuple[str, ...]:
    text = re.split(r"[。；;\n]", tool.description)[0].strip()
    text = re.sub(r"^(?:返回|获取|查询|列出|搜索)", "", text) or humanise(tool.name)
    tail = "".join(f"，{fragments(tool, parameter, Language.ZH)[0]}" for parameter in required(tool))
    return (f"查一下{text}{tail}", f"看看{text}{tail}")


def _names_itself(phrase: str, name: str) -> bool:
    return name in phrase.split() and not name.islower()
