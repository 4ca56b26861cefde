"""Final answers of the simulator: facts of the results, in the order in which they came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from wildtool.agents.simulator.wording import capital, say, wording
from wildtool.language.parameter_names import humanise, looks_like_id
from wildtool.schemas.plan import Blueprint, SessionPlan
from wildtool.schemas.vocabulary import Language
from wildtool.worlds.fields import label_of
from wildtool.worlds.spoken_values import speak

_FACTS = 6
"""Facts of one thing that a person wants to hear at once."""

_ITEM_FACTS = 2
"""Facts beside the name of each item of a list."""

_LONGEST = 160
"""Characters of a text that is quoted whole."""


def answer(plan: SessionPlan, blueprint: Blueprint, results: Sequence[Any], rng: Random) -> str:
    """Tell the results of a task."""
    language = plan.language
    parts = [
        _one(result, [a.value for a in call.arguments], language, rng)
        for call, result in zip(blueprint.calls, results, strict=True)
    ]
    head = say(language, "answer_heads", rng)
    glue = "\n" if len(parts) > 1 else ""
    body = "\n".join(parts) if len(parts) > 1 else parts[0]
    if "\n" in body and not glue:
        glue = "\n"
    return (head.rstrip() + glue + body if glue and head else head + body).strip()


def _one(result: Any, asked: Sequence[Any], language: Language, rng: Random) -> str:
    if isinstance(result, dict) and "error" in result:
        error = result["error"]
        return say(
            language, "error_answer", rng, m=str(error.get("message", error) if isinstance(error, dict) else error)
        )
    if isinstance(result, dict):
        lists = {name: value for name, value in result.items() if isinstance(value, list)}
        if lists and not any(lists.values()) and len(lists) == sum(isinstance(v, list) for v in result.values()):
            return say(language, "empty_answer", rng)
        facts = _facts({k: v for k, v in result.items() if k not in lists}, language, _FACTS, asked)
        listed = [_list(name, value, language) for name, value in lists.items() if value]
        text = _sentence(facts, language)
        return "\n".join(part for part in (text, *listed) if part)
    if isinstance(result, list):
        return _list("", result, language) if result else say(language, "empty_answer", rng)
    return str(result)


def _sentence(facts: Sequence[str], language: Language) -> str:
    if not facts:
        return ""
    return ("，".join(facts) + "。") if language is Language.ZH else capital("; ".join(facts) + ".")


def _list(name: str, items: Sequence[Any], language: Language) -> str:
    if not all(isinstance(item, dict) for item in items):
        words = speak([item for item in items if not isinstance(item, dict | list)], language)
        return _fact(name, words, language) + ("。" if language is Language.ZH else ".")
    lines = []
    for number, item in enumerate(items, 1):
        label = label_of(item)
        rest = {k: v for k, v in item.items() if v != label}
        facts = _facts(rest, language, _ITEM_FACTS if label else _ITEM_FACTS + 1, ())
        glue = "，" if language is Language.ZH else ", "
        inside = glue.join(facts)
        if label:
            opened, closed = ("（", "）") if language is Language.ZH else (" (", ")")
            lines.append(f"{number}. {label}{opened}{inside}{closed}" if inside else f"{number}. {label}")
        else:
            lines.append(
                f"{number}. {inside}" if inside else f"{number}. {speak(next(iter(item.values()), ''), language)}"
            )
    return "\n".join(lines)


def _facts(thing: Mapping[str, Any], language: Language, most: int, asked: Sequence[Any]) -> list[str]:
    """List the facts of a thing, without identifiers: those are for machines."""
    found: list[str] = []
    ids: list[str] = []
    for name, value in thing.items():
        if isinstance(value, dict):
            found.extend(_facts(value, language, 2, asked))
        elif isinstance(value, bool):
            found.append(_fact(name, say(language, "yes" if value else "no", Random(0)), language))
        elif isinstance(value, list) or value is None or (isinstance(value, str) and not 0 < len(value) <= _LONGEST):
            continue
        elif looks_like_id(name) or _is_code(name, value, language):
            ids.append(_fact(name, speak(value, language), language))
        elif value not in asked or not isinstance(value, str):
            found.append(_fact(name, speak(value, language), language))
    # A code that is all there is to tell (an order's number) is told.
    return (found or ids)[:most]


def _is_code(name: str, value: Any, language: Language) -> bool:
    """Return whether nobody would understand the bare value: in Chinese, a number or code whose field has no known name."""
    return language is Language.ZH and name not in wording(language)["glossary"] and str(value).isascii()


def _fact(name: str, words: str, language: Language) -> str:
    if language is Language.EN:
        return f"{humanise(name)}: {words}" if name else words
    known = wording(language)["glossary"].get(name)
    return f"{known}：{words}" if known else words
