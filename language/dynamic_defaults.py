"""Defaults that a description states by what they depend on: "defaults to the current year", "all by default", 默认今天.

``prose_defaults`` reads defaults that are literals; these follow from the session's clock or from the schema.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from wildtool.language.date_parsing import read_moment
from wildtool.language.folding import plain
from wildtool.language.lexicon import languages, words
from wildtool.schemas.base import JsonObject, canonical_json

_SENTENCE = re.compile(r"[.;。；\n](?=\s|[^\x00-\x7f]|$)")


@dataclass(frozen=True, slots=True)
class _Words:
    """Patterns of ``defaults.toml``, of all languages."""

    mention: re.Pattern[str]
    year: re.Pattern[str]
    month: re.Pattern[str]
    today: re.Pattern[str]
    now: re.Pattern[str]
    everything: re.Pattern[str]


@cache
def _words() -> _Words:
    tables = [words(code, "defaults")["dynamic"] for code in languages()]
    return _Words(
        **{name: re.compile("|".join(table[name] for table in tables)) for name in _Words.__dataclass_fields__}
    )


def is_dynamic_default(value: Any, schema: JsonObject, now: datetime) -> bool:
    """Is the value what leaving the parameter out means, by a description that names no literal?

    Args:
        value: what was given.
        schema: the parameter's; one with a ``default`` has no other.
        now: the session's clock.
    """
    if "default" in schema:
        return False
    said = _words()
    for sentence in _SENTENCE.split(plain(str(schema.get("description", "")))):
        if not said.mention.search(sentence):
            continue
        if said.year.search(sentence):
            return str(value) == str(now.year) and not isinstance(value, bool)
        if said.month.search(sentence):
            return _is_month(value, now)
        if said.today.search(sentence):
            return (
                isinstance(value, str)
                and (day := read_moment(value, now)) is not None
                and (day.day == now.date() and day.clock is None and not day.whole_month)
            )
        if said.now.search(sentence):
            return (
                isinstance(value, str)
                and (at := read_moment(value, now)) is not None
                and (
                    at.clock is not None
                    and at.clock.replace(second=0, microsecond=0, tzinfo=None)
                    == now.time().replace(second=0, microsecond=0)
                    and at.day in (None, now.date())
                )
            )
        if said.everything.search(sentence):
            return _is_everything(value, schema)
    return False


def _is_month(value: Any, now: datetime) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return value == now.month
    month = read_moment(value, now) if isinstance(value, str) else None
    return month is not None and month.whole_month and month.day == now.date().replace(day=1)


def _is_everything(value: Any, schema: JsonObject) -> bool:
    """All members of an enum, in any order; or the member that is called all."""
    items = schema.get("items")
    members = items.get("enum") if isinstance(items, dict) else None
    if isinstance(value, list) and isinstance(members, list) and members:
        return sorted(map(canonical_json, value)) == sorted(map(canonical_json, members))
    return (
        isinstance(value, str)
        and value in (schema.get("enum") or ())
        and bool(_words().everything.fullmatch(plain(value)))
    )
