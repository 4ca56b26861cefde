"""What another distribution offers: a log format, an importer, a scorer rule, a language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wildtool.api_catalog.functions.description import Description, Operation, Parameter, Refused, Signature
from wildtool.api_catalog.importers import Importer
from wildtool.evaluation.rules import ScorerRule
from wildtool.mining.readers import LogFormat
from wildtool.mining.readers.content import Chat, RowError, role_of
from wildtool.schemas.languages import TRAITS, RegisteredLanguage


def _is_chat(value: Any) -> bool:
    return isinstance(value, dict) and value.get("acme") == "chat"


def _chat(value: dict[str, Any]) -> Chat:
    if "lines" not in value:
        raise RowError("acme_without_lines", "the row has no lines")
    return Chat([(role_of(who), str(1 / len(said)) and said) for who, said in value["lines"]], user=value.get("by", ""))


READER = LogFormat("acme_chat", "Acme chats", _is_chat, _chat)


def _api(document: dict[str, Any], name: str) -> list[Description]:
    if not document["calls"]:
        raise Refused("no_operations", "it holds no call")
    city = Parameter("city", "argument", True, {"type": "string", "description": "City to look up."})
    operations = tuple(
        Operation(call, "", says, lambda: Signature((city,))) for call, says in document["calls"].items()
    )
    return [
        Description(name, "Cities and what is known of them.", "1", "MIT", "acme_cities", operations, kept_names=True)
    ]


IMPORTER = Importer("acme_api", "Acme API", lambda value: isinstance(value, dict) and value.get("acme") == "api", _api)


def _geohash(gold: Any, got: Any, schema: dict[str, Any], context: Any) -> bool | None:
    if schema.get("format") != "geohash" or not isinstance(got, str):
        return None
    return got[:5] == gold[:5]


RULE = ScorerRule("acme.geohash", "the same cell of 5 km", _geohash)

if (Path(__file__).with_name("acme_words") / TRAITS).is_file():
    LANGUAGE = RegisteredLanguage.at(Path(__file__).with_name("acme_words"))
