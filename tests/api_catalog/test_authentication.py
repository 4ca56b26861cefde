"""Credentials out, genuine keys in: measured on parameters of the npm bundle that were labelled by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from wildtool.api_catalog.functions.authentication import is_credential, is_transport, without_credentials

LABELLED = Path(__file__).with_name("credentials.tsv")
"""454 parameters, two thirds of them with names like key, token, user, code; the second half was labelled after the
rules were written."""


def test_on_the_labelled_sample() -> None:
    with LABELLED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) >= 200
    right = wrong = missed = 0
    for row in rows:
        found = is_credential(row["name"], row["in"], row["description"])
        right += found and row["credential"] == "yes"
        wrong += found and row["credential"] == "no"
        missed += not found and row["credential"] == "yes"
    assert right / (right + wrong) >= 0.95
    assert right / (right + missed) >= 0.90


@pytest.mark.parametrize(
    ("name", "location", "description", "credential"),
    [
        ("api_key", "query", "", True),
        ("X-RapidAPI-Key", "header", "", True),
        ("App-Id", "header", "Application identifier", True),
        ("token", "query", "Your access token", True),
        ("apiKey", "path", "", True),
        ("token", "query", "The crypto token, such as USDC", False),
        ("key", "query", "Musical key of the song", False),
        ("pageToken", "query", "", False),
        ("licensePlate", "query", "", False),
        ("keyword", "query", "", False),
        ("author", "query", "", False),
        ("appId", "path", "The app to look at", False),
        ("Idempotency-Key", "header", "", False),
    ],
)
def test_by_name(name: str, location: str, description: str, credential: bool) -> None:
    assert is_credential(name, location, description) is credential


def test_declared_ones_go_by_their_declaration() -> None:
    assert is_credential("weird", "query", "", frozenset({"weird"}))
    assert is_credential("X-Weird", "header", "", frozenset({"x-weird"}))


def test_transport() -> None:
    assert is_transport("Accept", "header") and is_transport("callback", "query")
    assert is_transport("format", "query", ["json", "xml"])
    assert not is_transport("format", "query", ["png", "svg"])
    assert not is_transport("Accept-Language", "header")


def test_credentials_inside_a_parameter_go_too() -> None:
    text = {"type": "string", "description": "Words."}
    token = {"type": "string", "description": "Access token of the user"}
    user = {
        "type": "object",
        "properties": {"name": text, "token": token, "page_token": text},
        "required": ["token", "name"],
    }
    clean = {"type": "object", "properties": {"name": text, "page_token": text}, "required": ["name"]}
    assert without_credentials(user) == clean
    assert without_credentials({"type": "array", "items": user}) == {"type": "array", "items": clean}
    assert without_credentials({"anyOf": [text, user]}) == {"anyOf": [text, clean]}
    deep = {"type": "object", "properties": {"name": text, "login": {"type": "object", "properties": {"token": token}}}}
    assert without_credentials(deep) == {"type": "object", "properties": {"name": text}}
    assert without_credentials({"type": "object", "properties": {"api_key": text}}) is None
    assert without_credentials(text) == text
