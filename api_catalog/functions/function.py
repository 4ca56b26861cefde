"""An operation of an API → a function that a model can call and a person can ask for; or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from wildtool.api_catalog.functions.authentication import is_credential, is_transport, without_credentials
from wildtool.api_catalog.functions.description import Description, Operation, Parameter, Refused
from wildtool.api_catalog.functions.gates import unfit
from wildtool.api_catalog.functions.names import VERBS, function_name, kept_name, legal_parameter, singular, words_of
from wildtool.api_catalog.functions.texts import cut
from wildtool.api_catalog.functions.wording import describe, spoken_name
from wildtool.language.injection import order_in
from wildtool.schemas.base import JsonObject, canonical_json

MOST_REQUIRED = 5
"""A user does not say six values in one message; the original's functions have at most five."""

MOST_VISIBLE = 8
"""Parameters shown; further optional ones are left out of the schema."""

MOST_CHARACTERS = 2400
"""Of a function's schema as JSON: about 600 tokens, so that 17 functions stay under 10,000."""

MOST_WIDE_CHARACTERS = 5200
"""The same for people's own files, where nothing is left out that fits what verification allows (6,000 with name and
description)."""


_JARGON = re.compile(
    r"\b(?:endpoint|payload|uri|json|xml|http|rest|rfc ?\d+|header|odata|webhook|callback|tenant|namespace|cluster|"
    r"soap|guid|uuid|schema|metadata|null|boolean|enum|entity|entities|instance|object|resource|query|response|request|"
    r"token|parameter|identifier|database|server|record type|sdk|iso \d+|array|hash|regex|crud|dto|bean|backend|"
    r"integration|workspace|environment|pipeline|config\w*|merchant|ledger|sku|vendor)s?\b",
    re.IGNORECASE,
)
_ID_WORDS = frozenset({"id", "ids", "uuid", "guid", "slug", "key", "hash", "uid", "sid", "oid", "pk", "urn", "token",
                       "identifier", "handle", "ref", "reference", "eid", "gid", "iri"})  # fmt: skip
_SAYABLE_IDS = re.compile(
    r"\b(?:isbn|iata|icao|ticker|symbol|imdb|zip|post(?:al)? ?code|country|language|currency|user ?name|screen ?name|vin|"
    r"plate|iso|upc|ean|asin|doi|ip ?address|ip|domain|host ?name|year|date|e-?mail|phone|telephone|mobile)\b",
    re.IGNORECASE,
)


_IGNORED = re.compile(
    r"^please ignore|\b(?:do not use|not (?:yet )?(?:used|supported|implemented)|deprecated|reserved for|for internal)\b",
    re.I,
)
"""Optional parameters that their own description advises against."""


_LOSSES = {
    "depth_cut": "argument (nested deeper than ten levels, the rest is left open)",
    "external_result": "result (described in another file)",
}
"""Flags of a signature that cost part of a kept function, and what is told of them."""


@dataclass(slots=True)
class Candidate:
    """A function on its way into a list."""

    name: str
    description: str
    parameters: JsonObject
    returns: JsonObject | None
    binding: JsonObject
    examples: dict[str, list[object]]
    noun: str
    """What the function is about, singular: ``brewery`` for ``/breweries/{id}``."""
    owners: dict[str, str]
    """By parameter, the noun that an ``id`` in the path identifies."""
    tag: str
    """First tag of the source, to split a large API by."""
    position: int
    """In the source's order."""
    score: float = 0.0
    """How well it reads and how well a person could ask for it; higher is better."""
    left_out: list[tuple[str, str]] = field(default_factory=list)
    """(reason, parameter) of each optional argument that a model is not shown."""

    def required(self) -> list[str]:
        """Names of its required parameters."""
        return list(self.parameters.get("required", ()))


def build(description: Description, operation: Operation, position: int, *, wide: bool = False) -> Candidate:
    """The function of an operation.

    Raises ``Refused`` with the reason where it cannot be called or asked for.
    """
    text = describe(operation, wide=wide)
    signature = operation.read()
    if "binary_body" in signature.flags:
        raise Refused("binary_body", "it wants a file")
    free = "freeform_body" in signature.flags and any(p.location == "body" and p.required for p in signature.parameters)
    if free and not wide:
        raise Refused("freeform_body", "its body says nothing of its shape")
    properties: JsonObject = {}
    required: list[str] = []
    examples: dict[str, list[object]] = {}
    arguments: JsonObject = {}
    owners: dict[str, str] = {}
    described = 0
    left_out: list[tuple[str, str]] = []
    credentials: list[JsonObject] = []
    fixed: list[JsonObject] = []
    for parameter in signature.parameters:
        pruned = without_credentials(parameter.schema)
        schema = dict(parameter.schema if pruned is None else pruned)
        said = str(schema.get("description", ""))
        if pruned is None or is_credential(parameter.name, parameter.location, said, signature.declared_auth):
            credentials.append({"in": parameter.location, "name": parameter.name})
            continue
        if is_transport(parameter.name, parameter.location, schema.get("enum")):
            if parameter.location in {"path", "query"} and parameter.required:
                fixed.append({"in": parameter.location, "name": parameter.name, "value": _encoding(schema)})
            continue
        if parameter.location == "header" and not wide:  # a person does not speak of headers
            if parameter.required:
                raise Refused("header_parameter", f"it wants {parameter.name} in a header")
            continue
        spoken = schema.pop("examples", [])
        if _IGNORED.search(said) and not parameter.required:
            left_out.append(("advised_against", parameter.name))
            continue
        visible = _visible_name(parameter, properties)
        if not visible and wide:  # 城市, or two names that differ in signs only
            visible = f"argument_{len(properties) + 1}"
            said = f"{parameter.name}: {said}" if said else parameter.name
            schema["description"] = said
        problem = unfit(visible, schema, wide=wide)
        if order_in(said) or any(order_in(text) for text in _inner_texts(schema)):
            raise Refused("injected_text", f"in the description of {parameter.name}")
        if problem is not None:
            if parameter.required:
                raise Refused(problem, f"required parameter {parameter.name}")
            left_out.append((problem, parameter.name))
            continue
        if not said or len(said) < 4:
            said = spoken_name(parameter.name) or (f"Value of {visible}." if wide else "")
            if not said:
                if parameter.required:
                    raise Refused("parameter_undescribed", parameter.name)
                left_out.append(("parameter_undescribed", parameter.name))
                continue
            schema["description"] = said
        else:
            described += 1
        properties[visible] = _ordered(schema)
        arguments[visible] = {"in": parameter.location, "name": parameter.name}
        if parameter.style:
            arguments[visible]["style"] = parameter.style
        if spoken:
            examples[visible] = spoken
        if parameter.required:
            required.append(visible)
        if parameter.location == "path":
            owners[visible] = owner_of(operation.path, parameter.name)
    if len(required) > MOST_REQUIRED and not wide:
        raise Refused("too_many_required", f"{len(required)} required parameters")
    everything = properties
    properties = _fitting(properties, required, wide=wide)
    left_out += [("over_budget", name) for name in everything if name not in properties]
    parameters: JsonObject = {"type": "object", "properties": properties}
    if required:
        parameters["required"] = required
    binding: JsonObject = {
        "method": operation.method,
        "path": operation.template or operation.path,
        "server": description.server,
        "arguments": {name: arguments[name] for name in properties},
    }
    if signature.body_media:
        binding["media"] = signature.body_media
    binding |= {name: held for name, held in (("fixed", fixed), ("credentials", credentials)) if held}
    if "whole_body" in signature.flags:
        binding["whole_body"] = True
    left_out += [(flag, note) for flag, note in _LOSSES.items() if flag in signature.flags]
    if description.kept_names or (wide and operation.name):
        name = kept_name(operation.name, operation.summary, operation.description, snake=description.snake)
    else:
        name = function_name(operation.method, operation.path, operation.name, operation.summary, operation.description)
    candidate = Candidate(
        name=name,
        description=text,
        parameters=parameters,
        returns=signature.returns,
        binding=binding if operation.method else {},
        examples={name: examples[name] for name in examples if name in properties},
        noun=noun_of(operation, name),
        owners=owners,
        tag=operation.tags[0] if operation.tags else "",
        position=position,
        left_out=left_out,
    )
    candidate.score = readability(candidate, operation, described)
    return candidate


def _inner_texts(schema: JsonObject) -> Iterator[str]:
    """All that a model reads of a parameter but its own description: values, defaults, what is within."""
    left: list[object] = [value for key, value in schema.items() if key != "description"]
    while left:
        match left.pop():
            case str() as text:
                if " " in text or not text.isascii():
                    yield text
            case dict() as inner:
                left += inner.values()
            case list() as inner:
                left += inner


def _encoding(schema: JsonObject) -> object:
    """What a call says where it must name an encoding: JSON where that may be chosen."""
    values = schema.get("enum") or []
    wanted = next((value for value in values if "json" in str(value).lower()), None)
    return wanted or schema.get("default") or next(iter(values), "json")


def _ordered(schema: JsonObject) -> JsonObject:
    order = ("type", "description", "enum", "format", "items", "properties", "required", "default")
    return {**{key: schema[key] for key in order if key in schema}, **schema}


def _visible_name(parameter: Parameter, taken: JsonObject) -> str:
    name = legal_parameter(parameter.name)
    if name in taken:
        name = f"{parameter.location}_{name}"[:64]
    return name if name and name not in taken else ""


def _fitting(properties: JsonObject, required: list[str], *, wide: bool) -> JsonObject:
    """Required parameters and as many optional ones as the budgets allow, in the source's order."""
    most = MOST_WIDE_CHARACTERS if wide else MOST_CHARACTERS
    chosen = set(required)
    size = len(canonical_json([properties[name] for name in required]))
    if size > most and wide:
        properties = {name: _terse(schema) if name in chosen else schema for name, schema in properties.items()}
        size = len(canonical_json([properties[name] for name in required]))
    if size > most:
        raise Refused("too_long", f"{size} characters of required parameters")
    for name, schema in properties.items():
        if name in chosen or (len(chosen) >= MOST_VISIBLE and not wide):
            continue
        more = len(canonical_json(schema)) + len(name) + 4
        if size + more <= most:
            chosen.add(name)
            size += more
    return {name: schema for name, schema in properties.items() if name in chosen}


def _terse(schema: JsonObject, depth: int = 0) -> JsonObject:
    """A large schema made small: inner descriptions cut to a line, what lies deep left open."""
    terse = dict(schema)
    if isinstance(terse.get("description"), str) and depth:
        terse["description"] = cut(terse["description"], 60)
    if isinstance(terse.get("properties"), dict):
        if depth >= 2:
            terse = {key: terse[key] for key in ("type", "description") if key in terse}
        else:
            terse["properties"] = {name: _terse(inner, depth + 1) for name, inner in terse["properties"].items()}
    if isinstance(terse.get("items"), dict):
        terse["items"] = _terse(terse["items"], depth + 1)
    if isinstance(terse.get("anyOf"), list):
        terse["anyOf"] = [_terse(branch, depth + 1) for branch in terse["anyOf"]]
    return terse


@lru_cache(maxsize=10_000)
def is_identifier(name: str) -> bool:
    """Whether a parameter's name says that it takes an opaque key: ``movieId``, ``uuid``, ``slug``."""
    words = words_of(name)
    return bool(words) and (words[-1] in _ID_WORDS or (words[0] in {"id", "uuid"} and len(words) > 1))


def is_said(name: str, schema: JsonObject) -> bool:
    """Whether a person knows values of the parameter without looking them up first."""
    if "enum" in schema or schema.get("type") == "boolean":
        return True
    text = f"{' '.join(words_of(name))} {schema.get('description', '')}"
    if not is_identifier(name):
        return not re.search(
            r"\b(?:unique|internal|system)\b.{0,30}\b(?:id|identifier|key)\b|\b(?:uuid|guid|hash|the id of)\b",
            text,
            re.I,
        )
    return schema.get("format") != "uuid" and _SAYABLE_IDS.search(text) is not None


def owner_of(path: str, parameter: str) -> str:
    """The noun that a path parameter identifies: ``brewery`` for ``id`` in ``/breweries/{id}/beers``."""
    segments = path.split("/")
    for position, segment in enumerate(segments):
        if segment.startswith("{" + parameter) and position:
            words = words_of(segments[position - 1])
            return singular(words[-1]) if words and not segments[position - 1].startswith("{") else ""
    return ""


def noun_of(operation: Operation, name: str) -> str:
    """What the function is about: the last noun of the path, else of the name."""
    for segment in reversed(operation.path.split("/")):
        words = [word for word in words_of(segment) if not word.isdigit() and word not in VERBS]
        if words and not segment.startswith(("{", ":")):
            return singular(words[-1])
    words = [word for word in words_of(name) if word not in VERBS]
    for stop in ("by", "for", "from", "of", "in", "with"):
        if stop in words[1:]:
            words = words[: words.index(stop)]
    return singular(words[-1]) if words else ""


def readability(candidate: Candidate, operation: Operation, described: int) -> float:
    """How well a function reads and how well a person could ask for it. Points, by trial on the npm bundle."""
    words = candidate.description.split()
    properties = candidate.parameters["properties"]
    required = candidate.required()
    score = 0.0
    score += 1.0 if words[0].lower().rstrip("s") in VERBS or words[0].lower() in VERBS else 0.0
    score += min(len(words), 14) / 7
    score -= 0.6 * min(len(_JARGON.findall(candidate.description)), 4)
    score += 1.2 if candidate.returns is not None else 0.0
    score += 0.8 * (described / len(properties)) if properties else -1.0
    score += 0.6 if required else 0.0
    score -= 0.5 * max(0, len(required) - 3)
    score += min(0.6, 0.3 * len(candidate.examples))
    score -= (
        0.25
        * sum(
            any(character in name for character in "_-") or (name.islower() and len(name) > 14) for name in properties
        )
        / max(1, len(properties))
    )
    score -= 0.9 * sum(not is_said(name, properties[name]) for name in required)
    match operation.method:
        case "delete":
            score -= 1.0
        case "put" | "patch":
            score -= 0.6
        case _:
            pass
    name_words = words_of(candidate.name)
    score -= 0.4 * max(0, len(name_words) - 5)
    score -= 1.0 if len(name_words) < 2 or name_words[-1].isdigit() else 0.0
    score -= 0.8 if any(len(word) > 15 for word in name_words) else 0.0
    return float(round(score, 3))
