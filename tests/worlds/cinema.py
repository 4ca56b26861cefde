"""A small cinema: films, showings and bookings, as tools, spec and rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from wildtool.schemas.tool import Tool
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.interpreter import World

NOW = "2026-03-02T09:30:00+00:00"

FILMS = [
    {
        "filmId": "flm_0001",
        "title": "Harbour Nine",
        "genre": "drama",
        "rating": 7.8,
        "year": 2014,
        "lat": 45.0,
        "lon": 4.0,
    },
    {
        "filmId": "flm_0002",
        "title": "Eleven Bridges",
        "genre": "comedy",
        "rating": 6.1,
        "year": 2020,
        "lat": 45.1,
        "lon": 4.1,
    },
    {
        "filmId": "flm_0003",
        "title": "The Winter Harbour",
        "genre": "drama",
        "rating": 8.6,
        "year": 1994,
        "lat": 52.0,
        "lon": 9.0,
    },
    {
        "filmId": "flm_0004",
        "title": "Nobody's Compass",
        "genre": "drama",
        "rating": 5.9,
        "year": 2024,
        "lat": 45.2,
        "lon": 4.0,
    },
]
SHOWINGS = [
    {"showingId": 1, "filmId": "flm_0001", "startsAt": "2026-03-05T19:30:00Z", "seats": 5},
    {"showingId": 2, "filmId": "flm_0001", "startsAt": "2026-03-06T21:00:00Z", "seats": 0},
    {"showingId": 3, "filmId": "flm_0003", "startsAt": "2026-03-05T17:00:00Z", "seats": 40},
]


def field(name: str) -> dict[str, Any]:
    return {"node": "field", "field": name}


def parameter(name: str) -> dict[str, Any]:
    return {"node": "parameter", "parameter": name}


def thing(*names: str) -> dict[str, Any]:
    return {"node": "object", "fields": {name: field(name) for name in names}}


def rows(*names: str) -> dict[str, Any]:
    return {"node": "rows", "item": thing(*names)}


def tool(name: str, needed: tuple[str, ...] = (), **parameters: Any) -> Tool:
    schema = {"type": "object", "properties": parameters, "required": list(needed)}
    return Tool(name=name, description=name, parameters=schema)


TEXT, WHOLE, FIGURE = {"type": "string"}, {"type": "integer"}, {"type": "number"}
TOOLS = (
    tool(
        "findFilms",
        keyword=TEXT,
        genre=TEXT,
        minRating=FIGURE,
        before={"type": "integer"},
        sortBy=TEXT,
        direction=TEXT,
        limit={"type": "integer", "default": 3},
        offset=WHOLE,
        cursor=TEXT,
    ),
    tool("nearFilms", ("lat", "lon"), lat=FIGURE, lon=FIGURE, radius=FIGURE),
    tool("getFilm", ("filmId",), filmId=TEXT),
    tool("listShowings", ("filmId",), filmId=TEXT, date=TEXT),
    tool("bookSeats", ("showingId", "seats"), showingId=WHOLE, seats={"type": "integer", "minimum": 1}),
    tool("changeBooking", ("bookingId", "state"), bookingId=TEXT, state=TEXT),
    tool("cancelBooking", ("bookingId",), bookingId=TEXT),
    tool("listBookings"),
    tool("boxOffice", ("city",), city=TEXT, start=TEXT, end=TEXT, days=WHOLE),
    tool("filmStatistics", genre=TEXT),
    tool("reviewTone", ("text",), text=TEXT),
)

SPEC = WorldSpec.of(
    tool_list="tls_cinema",
    language="en",
    tables={
        "film": {
            "key": ["filmId"],
            "fields": {
                "filmId": {"role": "id", "pattern": "flm_{4d}"},
                "title": {"role": "label"},
                "genre": {"role": "fact"},
                "rating": {"role": "fact"},
                "year": {"role": "time"},
                "lat": {"role": "fact"},
                "lon": {"role": "fact"},
            },
            "order": ["title"],
        },
        "showing": {
            "key": ["showingId"],
            "fields": {
                "showingId": {"role": "id"},
                "filmId": {"role": "ref", "ref": "film.filmId"},
                "startsAt": {"role": "time"},
                "seats": {"role": "stock"},
            },
            "order": ["startsAt"],
        },
        "booking": {
            "key": ["bookingId"],
            "fields": {
                "bookingId": {"role": "id", "pattern": "bkg_{4d}"},
                "showingId": {"role": "ref", "ref": "showing.showingId"},
                "seats": {"role": "fact"},
                "state": {"role": "state", "transitions": {"held": ["paid"], "paid": ["used"]}},
                "createdAt": {"role": "time"},
            },
        },
        "town": {
            "key": ["city"],
            "fields": {"city": {"role": "label"}, "day": {"role": "time"}, "takings": {"role": "fact"}},
            "open": ["city"],
        },
    },
    tools={
        "findFilms": {
            "op": "list",
            "table": "film",
            "where": [
                {"parameter": "keyword", "op": "contains_any", "fields": ["title"]},
                {"parameter": "genre", "op": "eq", "fields": ["genre"]},
                {"parameter": "minRating", "op": "ge", "fields": ["rating"]},
                {"parameter": "before", "op": "lt", "fields": ["year"]},
            ],
            "sort": {
                "parameter": "sortBy",
                "direction": "direction",
                "orders": {"rating": "-rating", "title": "title"},
            },
            "page": {"limit": "limit", "default": 3, "maximum": 50, "offset": "offset", "cursor": "cursor"},
            "result": {
                "node": "object",
                "fields": {
                    "films": rows("filmId", "title", "rating"),
                    "total": {"node": "count"},
                    "next": {"node": "paging", "part": "next"},
                    "genre": parameter("genre"),
                },
            },
        },
        "nearFilms": {
            "op": "list",
            "table": "film",
            "where": [
                {
                    "parameter": "lat",
                    "op": "near",
                    "fields": ["lat", "lon"],
                    "also": {"longitude": "lon", "radius": "radius"},
                }
            ],
            "result": rows("title"),
        },
        "getFilm": {
            "op": "get",
            "table": "film",
            "key": {"filmId": "filmId"},
            "result": thing("filmId", "title", "year"),
        },
        "listShowings": {
            "op": "list",
            "table": "showing",
            "where": [
                {"parameter": "filmId", "op": "eq", "fields": ["filmId"], "parent": "film"},
                {"parameter": "date", "op": "on_day", "fields": ["startsAt"]},
            ],
            "result": {
                "node": "object",
                "fields": {
                    "showings": {
                        "node": "rows",
                        "item": {
                            "node": "object",
                            "fields": {
                                "showingId": field("showingId"),
                                "startsAt": field("startsAt"),
                                "seats": field("seats"),
                                "film": {"node": "join", "field": "filmId", "item": field("title")},
                            },
                        },
                    }
                },
            },
        },
        "bookSeats": {
            "op": "create",
            "table": "booking",
            "set": {
                "showingId": parameter("showingId"),
                "seats": parameter("seats"),
                "state": {"node": "constant", "value": "held"},
                "createdAt": {"node": "now"},
                "bookingId": {"node": "new_id"},
            },
            "require": [{"ref": "showingId", "field": "seats", "op": "ge", "value": parameter("seats")}],
            "effects": [
                {
                    "ref": "showingId",
                    "field": "seats",
                    "op": "subtract",
                    "value": field("seats"),
                    "undone_by": ["cancelBooking"],
                }
            ],
            "result": thing("bookingId", "showingId", "seats", "state", "createdAt"),
        },
        "changeBooking": {
            "op": "update",
            "table": "booking",
            "key": {"bookingId": "bookingId"},
            "set": {"state": parameter("state")},
            "result": thing("bookingId", "state"),
        },
        "cancelBooking": {
            "op": "delete",
            "table": "booking",
            "key": {"bookingId": "bookingId"},
            "result": thing("bookingId"),
        },
        "listBookings": {"op": "list", "table": "booking", "result": rows("bookingId", "seats", "state")},
        "boxOffice": {
            "op": "series",
            "table": "town",
            "key": {"city": "city"},
            "window": {"point": "day", "start": "start", "end": "end", "count": "days", "default": 3, "ahead": False},
            "result": {"node": "object", "fields": {"city": field("city"), "days": rows("day", "takings")}},
        },
        "filmStatistics": {
            "op": "aggregate",
            "table": "film",
            "where": [{"parameter": "genre", "op": "eq", "fields": ["genre"]}],
            "result": {
                "node": "object",
                "fields": {
                    "films": {"node": "aggregate", "function": "count"},
                    "mean": {"node": "aggregate", "function": "mean", "field": "rating"},
                },
            },
        },
        "reviewTone": {"op": "opaque", "reason": "judges text"},
    },
    made_by="hand",
)


class Source:
    """Rows by hand."""

    def initial(self, table: str) -> list[dict[str, Any]]:
        return [dict(row) for row in {"film": FILMS, "showing": SHOWINGS}.get(table, [])]

    def partition(
        self, table: str, given: Mapping[str, Any], taken: Callable[[str, Any], bool]
    ) -> list[dict[str, Any]]:
        return [{**given}] if table == "town" else []

    def fresh(self, table: str, given: Any, number: int, taken: Callable[[str, Any], bool]) -> dict[str, Any]:
        return {"bookingId": f"bkg_{number + 1:04}"} if table == "booking" else {}

    def point(self, table: str, entity: Any, moment: datetime, position: int) -> dict[str, Any]:
        return {"takings": moment.day * 10 + len(entity["city"])}


def cinema() -> World:
    """A world that nobody has called yet."""
    return World(SPEC, TOOLS, Source(), NOW)
