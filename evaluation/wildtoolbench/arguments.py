"""The original's argument rules, so that figures published with it stay comparable.

Rebuilt from its behaviour (WildToolBench, ``wild-tool-bench/wtb``): the candidate's arguments against the tool's
schema, then against the gold arguments; texts by difflib's ratio (short ones) and ROUGE-L (all). What is wrong with
these rules, and what ours do instead, stands in ``docs/reference/scoring.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain
from typing import Any

from wildtool.schemas.base import JsonObject

CORRECT = "correct"

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "float": (float,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
"""Python's bool is an int: ``True`` passes as an integer here, as it does in the original."""

_SHORT = 10
"""Gold texts of fewer characters are first compared by difflib's ratio."""
_SHORT_RATIO = 0.8
_ROUGE_F = 0.7


def check_arguments(tool: JsonObject, got: str | Any, gold: str | Any) -> str:
    """The original's verdict: ``correct``, or its error with path and score.

    ``got`` and ``gold`` are argument objects, or their JSON text. Raises ``KeyError``, ``TypeError`` or
    ``AttributeError`` on the malformed schemas on which the original crashes.
    """
    try:
        got = json.loads(got) if isinstance(got, str) else got
    except json.JSONDecodeError:
        return "error: args invalid json format"
    gold = json.loads(gold) if isinstance(gold, str) else gold
    parameters = tool["function"].get("parameters", {})
    properties = parameters.get("properties", {})
    top = {"type": "object", "required": list(set(parameters.get("required", []))), "properties": properties}
    error = _against_schema(got, top, "")
    if error is not None:
        return error
    try:
        return _against_gold(got, gold, properties, "")
    except Exception as error:  # the original catches everything here, and the verdict is its message
        return f"error: comparison failed - {error}"


def same_verdict(left: str, right: str) -> bool:
    """Are two verdicts the same? The original lists differing keys in the random order of a set."""
    return _unordered(left) == _unordered(right)


def _unordered(verdict: str) -> str:
    return re.sub(r"\[([^\[\]]*)\]", lambda found: str(sorted(found[1].split(", "))), verdict)


def _schema_error(kind: str, path: str) -> str:
    # "args" at the top, "nested args" at any named place, which makes every wrong type "nested".
    return f"error_schema: {kind}".replace("args", "nested args") if path else f"error_schema: {kind}"


def _against_schema(value: Any, schema: JsonObject, path: str) -> str | None:
    if "anyOf" in schema:
        first = None
        for option in schema["anyOf"]:
            error = _against_schema(value, option, path)
            if error is None:
                return None
            first = first or error
        if first is None:
            raise IndexError("list index out of range")
        return first
    allowed = _allowed_types(schema)
    if allowed and not isinstance(value, allowed):
        return _schema_error("args type inconsistent", path)
    if "enum" in schema and value not in schema["enum"]:
        return _schema_error("args value not in enum", path)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        if set(schema.get("required", [])) - set(value):
            return _schema_error("required args missing", path)
        for name, member in value.items():
            if name not in properties:
                if schema.get("additionalProperties") is True:
                    continue
                return _schema_error("args not defined", path)
            error = _against_schema(member, properties[name], f"{path}.{name}" if path else name)
            if error:
                return error
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            error = _against_schema(item, schema["items"], f"{path}[{number}]")
            if error:
                return error
    return None


def _allowed_types(schema: JsonObject) -> tuple[type, ...]:
    """Python types that pass; empty (an unknown type's name) lets everything pass; no type at all means string."""
    if "anyOf" in schema:
        return tuple(chain.from_iterable(_allowed_types(option) for option in schema["anyOf"]))
    return _TYPES.get(schema["type"], ()) if "type" in schema else (str,)


def _against_gold(got: Any, gold: Any, schema: Any, path: str) -> str:
    at = f" at '{path}'" if path else ""
    if type(got) is not type(gold):
        return f"error_match: value type inconsistent{at}"
    if isinstance(gold, dict):
        missing, extra = [n for n in gold if n not in got], [n for n in got if n not in gold]
        if missing or extra:
            parts = [f"{word}: {names}" for word, names in (("missing", missing), ("extra", extra)) if names]
            return f"error_match: args keys mismatch{at} ({', '.join(parts)})"
        properties = schema.get("properties", schema) if isinstance(schema, dict) else {}
        for name in gold:
            where = f"{path}.{name}" if path else name
            verdict = _against_gold(got[name], gold[name], properties.get(name, {}), where)
            if verdict != CORRECT:
                return verdict
        return CORRECT
    if isinstance(gold, list):
        if len(got) != len(gold):
            return f"error_match: array length mismatch{at}"
        items = schema.get("items", {})
        for number, (left, right) in enumerate(zip(got, gold, strict=True)):
            verdict = _against_gold(left, right, items, f"{path}[{number}]")
            if verdict != CORRECT:
                return verdict
        return CORRECT
    if isinstance(gold, str):
        return _texts(got, gold, at)
    return CORRECT if got == gold else f"error_match: value mismatch{at}"


def _texts(got: str, gold: str, at: str) -> str:
    if "".join(got.split()).lower() == "".join(gold.split()).lower():
        return CORRECT
    if len(gold) < _SHORT:
        ratio = SequenceMatcher(None, got, gold).ratio()
        if ratio < _SHORT_RATIO:
            return f"error_match: string similarity too low{at} (edit score: {ratio:.2f})"
    if re.search(r"[\u4e00-\u9fa5]", got + gold):
        cut = _han_cutter()
        got, gold = " ".join(cut(got)), " ".join(cut(gold))
    score = rouge_l(got, gold)
    if score is None:
        return f"error_match: rouge calculation failed{at}"
    return CORRECT if score >= _ROUGE_F else f"error_match: string similarity too low{at} (rouge score: {score:.2f})"


@lru_cache(maxsize=1)
def _han_cutter() -> Callable[[str], list[str]]:
    """The original's word cutter (jieba) where it is installed; else one character a word, which scores lower or equal
    where words differ in part."""
    try:
        import jieba
    except ImportError:
        return lambda text: re.findall(r"[\u4e00-\u9fa5]|[^\s\u4e00-\u9fa5]+|\s", text)
    return lambda text: list(jieba.cut(text))


def rouge_l(got: str, gold: str) -> float | None:
    """Summary-level ROUGE-L F1 as the package ``rouge`` 1.0.1 computes it; None where it raises (a text without words).

    Sentences end at every full stop, decimal points and dots of IP addresses included; words count once each.
    """
    left, right = ([" ".join(part.split()) for part in text.split(".") if part] for text in (got, gold))
    if not left or not right:
        return None
    union: set[str] = set()
    for sentence in right:
        for other in left:
            union |= _common_words(sentence.split(" "), other.split(" "))
    recall = len(union) / len({word for sentence in right for word in sentence.split(" ")})
    precision = len(union) / len({word for sentence in left for word in sentence.split(" ")})
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def _common_words(left: list[str], right: list[str]) -> set[str]:
    """Words of one longest common subsequence; of several, the one that the original walks to."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, word in enumerate(left, start=1):
        for j, other in enumerate(right, start=1):
            table[i][j] = table[i - 1][j - 1] + 1 if word == other else max(table[i - 1][j], table[i][j - 1])
    words, i, j = set(), len(left), len(right)
    while i and j:
        if left[i - 1] == right[j - 1]:
            words.add(left[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return words
