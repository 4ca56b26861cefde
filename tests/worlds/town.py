"""A town guide: places that come into being when a city is asked for, with dishes, favourites and one account."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from random import Random
from typing import Any

from tests.worlds.cinema import FIGURE, NOW, TEXT, WHOLE, field, parameter, rows, thing, tool
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.interpreter import World

NAMES = "Anchor Birch Cedar Delta Ember Fable Grove Haven Indigo Juniper Kite Lantern".split()
CITY = {"type": "string", "examples": ["Lyon", "Graz", "Porto"]}
LIMIT = {"type": "integer", "minimum": 1, "maximum": 20}

TOWN_TOOLS = (
    tool(
        "findPlaces",
        ("city",),
        city=CITY,
        kind=TEXT,
        maxPrice=WHOLE,
        ids={"type": "array", "items": TEXT},
        page=WHOLE,
        limit=LIMIT,
    ),
    tool("getPlace", ("placeId",), placeId=TEXT),
    tool(
        "listDishes",
        ("placeId",),
        placeId=TEXT,
        vegan={"type": "boolean"},
        priceRange={"type": "array", "items": FIGURE},
    ),
    tool("addFavourite", ("placeId",), placeId=TEXT, note=TEXT),
    tool("changeNote", ("favouriteId", "note"), favouriteId=TEXT, note=TEXT),
    tool("removeFavourite", ("favouriteId",), favouriteId=TEXT),
    tool("listFavourites", note=TEXT),
    tool("getAccount"),
)

TOWN = WorldSpec.of(
    tool_list="tls_town",
    language="en",
    tables={
        "place": {
            "key": ["placeId"],
            "open": ["city"],
            "order": ["-stars"],
            "fields": {
                "placeId": {"role": "id", "pattern": "plc_{4d}"},
                "name": {"role": "label"},
                "city": {"role": "fact"},
                "kind": {"role": "fact"},
                "price": {"role": "fact"},
                "stars": {"role": "fact"},
            },
        },
        "dish": {
            "key": ["dishId"],
            "order": ["price"],
            "fields": {
                "dishId": {"role": "id", "pattern": "dsh_{4d}"},
                "placeId": {"role": "ref", "ref": "place.placeId"},
                "name": {"role": "fact"},
                "vegan": {"role": "fact"},
                "price": {"role": "fact"},
            },
        },
        "favourite": {
            "key": ["favouriteId"],
            "fields": {
                "favouriteId": {"role": "id", "pattern": "fav_{4d}"},
                "placeId": {"role": "ref", "ref": "place.placeId"},
                "note": {"role": "fact"},
            },
        },
        "account": {"fields": {"user": {"role": "label"}, "plan": {"role": "fact"}}},
    },
    tools={
        "findPlaces": {
            "op": "list",
            "table": "place",
            "where": [
                {"parameter": "city", "op": "eq", "fields": ["city"]},
                {"parameter": "kind", "op": "eq", "fields": ["kind"]},
                {"parameter": "maxPrice", "op": "le", "fields": ["price"]},
                {"parameter": "ids", "op": "in", "fields": ["placeId"]},
            ],
            "page": {"limit": "limit", "default": 4, "maximum": 20, "page": "page"},
            "result": {
                "node": "object",
                "fields": {"places": rows("placeId", "name", "kind", "price", "stars"), "count": {"node": "count"}},
            },
        },
        "getPlace": {
            "op": "get",
            "table": "place",
            "key": {"placeId": "placeId"},
            "result": {
                "node": "object",
                "fields": {
                    "placeId": field("placeId"),
                    "name": field("name"),
                    "city": field("city"),
                    "dishes": {"node": "rows", "item": thing("name", "price"), "table": "dish", "by": "placeId"},
                },
            },
        },
        "listDishes": {
            "op": "list",
            "table": "dish",
            "where": [
                {"parameter": "placeId", "op": "eq", "fields": ["placeId"], "parent": "place"},
                {"parameter": "vegan", "op": "true", "fields": ["vegan"]},
                {"parameter": "priceRange", "op": "between", "fields": ["price"]},
            ],
            "result": rows("dishId", "name", "vegan", "price"),
        },
        "addFavourite": {
            "op": "create",
            "table": "favourite",
            "set": {"placeId": parameter("placeId"), "note": parameter("note"), "favouriteId": {"node": "new_id"}},
            "require": [{"ref": "placeId", "otherwise": "missing_reference"}],
            "result": thing("favouriteId", "placeId", "note"),
        },
        "changeNote": {
            "op": "update",
            "table": "favourite",
            "key": {"favouriteId": "favouriteId"},
            "set": {"note": parameter("note")},
            "result": thing("favouriteId", "note"),
        },
        "removeFavourite": {
            "op": "delete",
            "table": "favourite",
            "key": {"favouriteId": "favouriteId"},
            "result": thing("favouriteId"),
        },
        "listFavourites": {
            "op": "list",
            "table": "favourite",
            "where": [{"parameter": "note", "op": "contains_any", "fields": ["note"]}],
            "result": {
                "node": "rows",
                "item": {
                    "node": "object",
                    "fields": {
                        "favouriteId": field("favouriteId"),
                        "note": field("note"),
                        "place": {"node": "join", "field": "placeId", "item": field("name")},
                    },
                },
            },
        },
        "getAccount": {"op": "get", "table": "account", "result": thing("user", "plan")},
    },
    made_by="hand",
)


class TownSource:
    """Rows that follow from what is asked for, as a seeded furnisher makes them."""

    def initial(self, table: str) -> list[dict[str, Any]]:
        return [{"user": "ada", "plan": "basic"}] if table == "account" else []

    def partition(
        self, table: str, given: Mapping[str, Any], taken: Callable[[str, Any], bool]
    ) -> list[dict[str, Any]]:
        rng = Random(f"{table}:{sorted((k, str(v).casefold()) for k, v in given.items())}")
        made = []
        for number in range(7):
            row = {**given, "price": rng.randrange(5, 40)}
            if table == "place":
                digits = rng.randrange(10_000)
                row |= {
                    "placeId": f"plc_{digits:04}",
                    "name": f"{rng.choice(NAMES)} {digits}",
                    "stars": rng.randrange(1, 6),
                }
                row["kind"] = rng.choice(("cafe", "bar", "museum"))
            elif table == "dish":
                row |= {"dishId": f"dsh_{rng.randrange(10_000):04}", "name": NAMES[number], "vegan": rng.random() < 0.5}
            made.append(row)
        return made

    def fresh(self, table: str, given: Any, number: int, taken: Callable[[str, Any], bool]) -> dict[str, Any]:
        return {"favouriteId": f"fav_{number + 1:04}"}

    def point(self, table: str, entity: Any, moment: datetime, position: int) -> dict[str, Any]:
        return {}


def town() -> World:
    """A world that nobody has called yet."""
    return World(TOWN, TOWN_TOOLS, TownSource(), NOW)
