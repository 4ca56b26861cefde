"""Arguments: is a candidate's value the gold value, by the parameter's schema? Every verdict names its rule.

The rules and their ids: ``evaluation.rules``; where they differ from the original's: ``docs/reference/scoring.md``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from wildtool.evaluation.rules import SCORER_RULES
from wildtool.evaluation.words import argument_words
from wildtool.language.api_codes import same_thing
from wildtool.language.date_parsing import read_moment
from wildtool.language.dynamic_defaults import is_dynamic_default
from wildtool.language.folding import plain
from wildtool.language.identifiers import (
    code,
    email,
    ip,
    number_with_unit,
    numbers_in_row,
    phone,
    phone_digits,
    same_address,
    url,
)
from wildtool.language.prose_defaults import defaults
from wildtool.language.said_moments import said_moment
from wildtool.language.wording import compare_wording
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import fits
from wildtool.schemas.score import ArgumentVerdict
from wildtool.schemas.vocabulary import ErrorKind

_SET_NAMES = re.compile(
    r"^(?:tags?|labels?|categor(?:y|ies)|keywords?|topics?|genres?|fields?|languages?|countries|amenities|features|"
    r"filters?|interests|allergies|allergens|metrics|ingredients)$"
)
"""Plural names whose order no API we know reads."""

_CODE_NAME = re.compile(
    r"(?:^|_)(?:id|ids|uuid|guid|code|key|token|hash|sku|isbn|iban|symbol|ticker|figi|cnpj|cpf|zip|postcode)$"
)
_MISSING = object()


@dataclass(frozen=True)
class Context:
    """What a comparison needs beside the two values."""

    now: datetime
    """The session's clock, with its offset: relative dates are read against it."""
    alternatives: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Other right values by top-level argument."""


def compare_arguments(
    gold: JsonObject, got: JsonObject, parameters: JsonObject, context: Context
) -> tuple[ArgumentVerdict, ...]:
    """One verdict for each argument that either side has, gold's order first. All right: the call is right.

    ``parameters`` is the JSON Schema of the tool's arguments. Null stands for an argument that is left out.
    """
    return tuple(_object(gold, got, parameters, "", context))


def arguments_right(gold: JsonObject, got: JsonObject, parameters: JsonObject, context: Context) -> bool:
    """Is every argument right? Stops at the first wrong one, and looks at numbers first: they are cheap to compare."""
    plain_numbers = not SCORER_RULES.added()  # another package's rule may read two numbers as one
    for name, value in gold.items():
        other = got.get(name)
        if (
            plain_numbers
            and type(value) is int
            and type(other) is int
            and value != other
            and name not in context.alternatives
        ):
            return False
    return all(verdict.ok for verdict in _object(gold, got, parameters, "", context))


def _object(
    gold: JsonObject, got: JsonObject, schema: JsonObject, path: str, context: Context
) -> Iterator[ArgumentVerdict]:
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    for name in dict.fromkeys((*gold, *got)):
        part = properties.get(name)
        part = part if isinstance(part, dict) else {}
        where = f"{path}.{name}" if path else str(name)
        left, right = gold.get(name, _MISSING), got.get(name, _MISSING)
        others = context.alternatives.get(name, ()) if not path else ()
        left = _MISSING if left is None and right is _MISSING else left
        right = _MISSING if right is None and left is _MISSING else right
        if left is _MISSING or right is _MISSING:
            if right is _MISSING and left is not _MISSING and name in required and None not in others:
                yield _verdict(where, False, "argument.missing", left, None)  # its default cannot stand in for it
                continue
            yield _left_out(left, right, name in properties, part, where, context, others)
            continue
        verdict = _value(left, right, part, where, context)
        for other in others if not verdict.ok else ():
            if _value(other, right, part, where, context).ok:
                verdict = _verdict(where, True, "alternative", left, right)
                break
        yield verdict


def _left_out(
    left: Any, right: Any, defined: bool, schema: JsonObject, where: str, context: Context, others: Sequence[Any]
) -> ArgumentVerdict:
    """The verdict where one side leaves an argument out: the other must give its default, or nothing."""
    if left is _MISSING and right is _MISSING:
        return _verdict(where, True, "null.left_out", None, None)
    given, rule = (right, "default.explicit") if left is _MISSING else (left, "default.left_out")
    if given is None:
        return _verdict(where, True, "null.left_out", None, None)
    if any(_value(default, given, schema, where, context).ok for default in defaults(schema)) or is_dynamic_default(
        given, schema, context.now
    ):
        return _verdict(where, True, rule, None if left is _MISSING else left, None if right is _MISSING else right)
    if _says_nothing(given, schema, where, context):
        return _verdict(where, True, rule, None if left is _MISSING else left, None if right is _MISSING else right)
    if left is _MISSING:
        return _verdict(where, False, "argument.extra" if defined else "argument.undefined", None, right)
    if None in others:
        return _verdict(where, True, "alternative", left, None)
    return _verdict(where, False, "argument.missing", left, None)


def _says_nothing(given: Any, schema: JsonObject, where: str, context: Context) -> bool:
    """Is it an object of nothing but its members' defaults, in a schema that gives it no default of its own?"""
    if not isinstance(given, dict) or not _conforms(given, schema) or defaults(schema):
        return False
    branch = _branch(given, schema)
    required = branch.get("required")
    if isinstance(required, list) and any(name not in given for name in required):
        return False  # an object that its schema forbids
    return all(verdict.ok for verdict in _object({}, given, branch, where, context))


def _value(gold: Any, got: Any, schema: JsonObject, where: str, context: Context) -> ArgumentVerdict:
    for added in SCORER_RULES.added():
        with SCORER_RULES.blame(added):
            decided = added.compare(gold, got, schema, context) if added.compare is not None else None
        if decided is not None:
            return _verdict(where, decided, added.name, gold, got)
    ok, rule = _compare(gold, got, schema, where, context)
    return _verdict(where, ok, rule, gold, got)


def _verdict(where: str, ok: bool, rule: str, gold: Any, got: Any) -> ArgumentVerdict:
    # Python's JSON reads NaN and Infinity, which JSON cannot hold: they are kept as words.
    got = str(got) if isinstance(got, float) and not math.isfinite(got) else got
    return ArgumentVerdict.model_construct(path=where, ok=ok, rule=rule, expected=gold, got=got)


def _compare(gold: Any, got: Any, schema: JsonObject, where: str, context: Context) -> tuple[bool, str]:
    if type(gold) is not type(got) and _conforms(got, schema) and not _conforms(gold, schema):
        # Gold that violates its own schema: no conforming answer could equal it. Judge what it says.
        return plain(_as_text(gold)) == plain(_as_text(got)), "type.gold"
    if isinstance(gold, bool) or isinstance(got, bool):
        if isinstance(gold, bool) and isinstance(got, bool):
            return gold is got, "boolean.strict"
        return False, "type.boolean"
    if isinstance(gold, int | float) and isinstance(got, int | float):
        return gold == got or _close(gold, got), "number.value"
    if isinstance(gold, str) and isinstance(got, str):
        return _string(gold, got, schema, where, context)
    if isinstance(gold, list) and isinstance(got, list):
        return _array(gold, got, schema, where, context)
    if isinstance(gold, dict) and isinstance(got, dict):
        for verdict in _object(gold, got, _branch(gold, schema), where, context):
            if not verdict.ok:
                return False, verdict.rule
        return True, "object.members"
    if gold is None and got is None:
        return True, "equal"
    return False, f"type.{_type_name(gold)}"


def _close(left: float, right: float) -> bool:
    try:
        return math.isclose(left, right, rel_tol=1e-9)
    except OverflowError:  # an integer beyond any float
        return False


_JSON_TYPES = {
    "string": "string", "integer": "number", "number": "number", "float": "number", "boolean": "boolean",
    "array": "array", "object": "object", "null": "null",
}  # fmt: skip


def _conforms(value: Any, schema: JsonObject) -> bool:
    """Is the value of the schema's type? True where the schema names none that we know."""
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return any(_JSON_TYPES.get(str(kind), _type_name(value)) == _type_name(value) for kind in kinds)


def conforms(value: Any, schema: JsonObject) -> bool:
    """Has the value the type, the enum and the format that the schema names?"""
    return fits(value, schema)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _branch(gold: JsonObject, schema: JsonObject) -> JsonObject:
    """Of a schema with alternatives, the first object branch that defines the gold's members."""
    for word in ("anyOf", "oneOf"):
        for option in schema.get(word, ()) if isinstance(schema.get(word), list) else ():
            if isinstance(option, dict) and set(gold) <= set(option.get("properties", {})):
                return option
    return schema


def _type_name(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "null"


def _array(gold: list[Any], got: list[Any], schema: JsonObject, where: str, context: Context) -> tuple[bool, str]:
    if len(gold) != len(got):
        return False, "array.length"
    items = schema.get("items")
    items = items if isinstance(items, dict) else {}
    # The parent's name still says what an item is: ``ids[0]`` is an id.
    same = [_compare(a, b, items, where, context) for a, b in zip(gold, got, strict=True)]
    if all(ok for ok, _ in same):
        return True, "array.ordered"
    if not _is_set(schema, where):
        return False, next(rule for ok, rule in same if not ok) if len(gold) == 1 else "array.item"
    # Each gold item takes one of the candidate's; augmenting paths find a pairing wherever there is one.
    fits = [[_compare(a, b, items, where, context)[0] for b in got] for a in gold]
    taken: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, fit in enumerate(fits[row]):
            if fit and column not in tried:
                tried.add(column)
                if column not in taken or place(taken[column], tried):
                    taken[column] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(gold))), "array.set"


def _is_set(schema: JsonObject, where: str) -> bool:
    name = where.rsplit(".", 1)[-1].lower()
    return (
        schema.get("uniqueItems") is True
        or bool(argument_words().any_order.search(str(schema.get("description", "")).lower()))
        or bool(_SET_NAMES.match(name))
    )


def _string(gold: str, got: str, schema: JsonObject, where: str, context: Context) -> tuple[bool, str]:
    if gold == got:
        return True, "equal"
    if isinstance(schema.get("enum"), list):
        return _same_member(gold, got, schema["enum"]), "enum"
    left, right = (read_moment(text, context.now) for text in (gold, got))
    if (left is None) != (right is None):
        left, right = left or said_moment(gold, context.now), right or said_moment(got, context.now)
    if left is not None and right is not None:
        rule = "date.relative" if "date.relative" in (left.rule, right.rule) else "date.format"
        return left.same(right, context.now), rule
    form = schema.get("format")
    if left is not None or right is not None or form in ("date", "date-time", "time"):
        return plain(gold) == plain(got), "date.unreadable"
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", re.sub(r"\[\d+\]$", "", where).rsplit(".", 1)[-1]).lower()
    about = f"{name.replace('_', ' ')} {schema.get('description', '')}".lower()
    if any(about_it.search(about) and same_thing(kind, gold, got) for kind, about_it in argument_words().named.items()):
        return True, "text.code"
    if argument_words().phone.search(about):
        home = next((prefix for pattern, prefix in argument_words().homes if pattern.search(about)), "")
        first, second = phone_digits(gold, home), phone_digits(got, home)
        if first is not None and second is not None:
            return first == second, "phone"
    if (shared := same_address(gold, got)) is not None:
        return shared, "url"
    for rule, normalise in (
        ("ip", ip),
        ("url", url),
        ("email", email),
        ("phone", phone),
        ("number.text", number_with_unit),
        ("coordinates", numbers_in_row),
    ):
        first, second = normalise(gold), normalise(got)
        if first is not None and second is not None:
            return first == second, rule
        if first is not None:
            return False, rule
    if re.search(r"password|passphrase|secret", name):
        return False, "code.secret"
    if (
        form in ("uuid", "uri", "hostname", "ipv4", "ipv6", "byte", "binary")
        or schema.get("pattern")
        or _CODE_NAME.search(name)
    ):
        return code(gold) == code(got), "code"
    if " " not in gold.strip() and re.search(r"\d", gold) and re.search(r"[^\W\d]", gold) and gold.isascii():
        return code(gold) == code(got), "code"
    return compare_wording(gold, got)


def _same_member(gold: str, got: str, values: list[Any]) -> bool:
    """The same member of an enum, to the letter: a call with any other text is refused. A gold that is no member itself
    is compared without case and blanks."""
    return gold == got if gold in values else plain(gold) == plain(got)


def error_of(verdicts: Sequence[ArgumentVerdict]) -> ErrorKind | None:
    """What kind of error the first wrong argument is; None if all are right."""
    for verdict in verdicts:
        if verdict.ok:
            continue
        if verdict.rule.startswith("argument."):
            return ErrorKind.HALLUCINATION
        return ErrorKind.TYPE_ERROR if verdict.rule.startswith("type.") else ErrorKind.VALUE_ERROR
    return None
