"""Worlds derived by rules: what kinds of tools become, and the core catalogue as a whole."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from wildtool.api_catalog.sources.core_lists import read_core
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Language
from wildtool.schemas.world import FieldRole, OperationKind, ParameterRole, PredicateKind, WorldSpec
from wildtool.worlds.derivation import derive

TEXT, WHOLE, FIGURE, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}
DAY = {"type": "string", "format": "date"}


def tool(
    name: str,
    returns: dict[str, Any] | None,
    needed: tuple[str, ...] = (),
    /,
    method: str | None = None,
    path: str = "",
    description: str = "",
    **parameters: Any,
) -> Tool:
    binding = None if method is None else {"method": method, "path": path}
    schema = {"type": "object", "properties": parameters, "required": list(needed)}
    return Tool(name=name, description=description or name, parameters=schema, returns=returns, binding=binding)


def listed(*tools: Tool, links: tuple[ToolLink, ...] = ()) -> ToolList:
    return ToolList.of(
        slug="test", title="Test", description="Test.", language=Language.EN, category="c", subcategory="s",
        source="test", licence="CC0-1.0", version="1", tools=tools, links=links,
    )  # fmt: skip


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def several(**fields: Any) -> dict[str, Any]:
    return {"type": "array", "items": thing(**fields)}


def only(one: Tool) -> Any:
    return derive(listed(one)).tools[one.name]


SHOP = thing(shopId=TEXT, name=TEXT, city=TEXT, rating=FIGURE, openSince=DAY, indoor=FLAG)


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (tool("searchShops", thing(shops=several(shopId=TEXT, name=TEXT)), query=TEXT), OperationKind.LIST),
        (tool("getShop", SHOP, ("shopId",), shopId=TEXT), OperationKind.GET),
        (tool("getUsers", several(id=TEXT, name=TEXT), method="get", path="/users"), OperationKind.LIST),
        (tool("addUser", thing(id=TEXT), method="post", path="/users", name=TEXT), OperationKind.CREATE),
        (tool("editUser", thing(id=TEXT), ("id",), "put", "/users/{id}", id=TEXT, name=TEXT), OperationKind.UPDATE),
        (tool("removeUser", None, ("id",), "delete", "/users/{id}", id=TEXT), OperationKind.DELETE),
        (tool("countUsers", thing(count=WHOLE), method="get", path="/users/count"), OperationKind.AGGREGATE),
        (
            tool("getDailyForecast", thing(days=several(date=DAY, high=FIGURE)), ("city",), city=TEXT),
            OperationKind.SERIES,
        ),
        (
            tool(
                "convertUnits",
                thing(result=FIGURE),
                ("amount", "from", "to"),
                amount=FIGURE,
                **{"from": TEXT, "to": TEXT},
            ),
            OperationKind.COMPUTE,
        ),
        (tool("translateText", thing(text=TEXT), ("text",), text=TEXT), OperationKind.OPAQUE),
        (tool("getReportPdf", None, ("id",), "get", "/reports/{id}/pdf", id=TEXT), OperationKind.OPAQUE),
    ],
    ids=lambda each: each.name if isinstance(each, Tool) else str(each),
)
def test_kinds_of_operations(one: Tool, kind: OperationKind) -> None:
    assert only(one).op is kind


def test_roles_of_a_search() -> None:
    found = only(
        tool(
            "searchShops",
            thing(shops=several(**SHOP["properties"]), total=WHOLE),
            ("query",),
            query=TEXT,
            minRating=FIGURE,
            openBefore=DAY,
            indoorOnly=FLAG,
            city=TEXT,
            limit={**WHOLE, "default": 4},
            page=WHOLE,
            sortBy={**TEXT, "enum": ["rating", "name"]},
            lang=TEXT,
        )
    )
    roles = {name: use.role for name, use in found.parameters.items()}
    assert roles == {
        "query": ParameterRole.TEXT, "minRating": ParameterRole.RANGE, "openBefore": ParameterRole.RANGE,
        "indoorOnly": ParameterRole.EQUAL, "city": ParameterRole.EQUAL, "limit": ParameterRole.PAGE,
        "page": ParameterRole.PAGE, "sortBy": ParameterRole.SORT, "lang": ParameterRole.FORMAT,
    }  # fmt: skip
    where = {each.parameter: (each.op, each.fields) for each in found.where}
    assert where["minRating"] == (PredicateKind.GE, ("rating",))
    assert where["openBefore"] == (PredicateKind.LE, ("openSince",))
    assert where["indoorOnly"] == (PredicateKind.TRUE, ("indoor",))
    assert found.page.default == 4
    assert found.sort.orders == {"rating": "-rating", "name": "name"}


def test_a_booking_refers_to_its_shop_and_takes_the_shop_s_name() -> None:
    links = (
        ToolLink(producer="findShops", path="shops[*].shopId", consumer="bookShop", parameter="shopId", required=True),
    )
    spec = derive(
        listed(
            tool("findShops", thing(shops=several(shopId=TEXT, name=TEXT, seatsLeft=WHOLE)), ("city",), city=TEXT),
            tool(
                "bookShop",
                thing(bookingCode=TEXT, shopId=TEXT, shopName=TEXT, people=WHOLE),
                ("shopId", "people"),
                shopId=TEXT,
                people=WHOLE,
            ),
            links=links,
        )
    )
    booking = spec.tools["bookShop"]
    table = spec.tables[booking.table or ""]
    assert booking.table != spec.tools["findShops"].table
    assert table.fields["shopId"].role is FieldRole.REF
    assert booking.result.model_dump()["fields"]["shopName"]["node"] == "join"
    assert [(guard.field, guard.op) for guard in booking.require] == [("seatsLeft", "ge")]
    assert [(effect.field, effect.op) for effect in booking.effects] == [("seatsLeft", "subtract")]


def test_a_required_parameter_without_a_role_makes_the_tool_opaque() -> None:
    found = only(tool("listRows", several(id=TEXT), ("filter",), filter={"type": "object", "properties": {}}))
    assert found.op is OperationKind.OPAQUE and "filter" in found.reason


def test_the_same_list_gives_the_same_spec() -> None:
    from wildtool.worlds.derivation.derive import _derive

    for one in core():
        assert _derive(one).to_json() == derive(one).to_json()


@cache
def core() -> tuple[ToolList, ...]:
    return tuple(read_core())


OPEN_IN_CORE = {"translateText"}
"""What no rows can answer."""


def test_every_core_tool_is_executed_but_for_judgements_of_text() -> None:
    opaque = {name for one in core() for name, each in derive(one).tools.items() if not each.executable}
    assert opaque == OPEN_IN_CORE


def test_core_specs_survive_json() -> None:
    for one in core():
        spec = derive(one)
        assert WorldSpec.model_validate_json(spec.to_json()) == spec


def test_results_hold_every_place_that_a_core_schema_requires() -> None:
    for one in core():
        spec = derive(one)
        for each in one.tools:
            operation = spec.tools[each.name]
            if operation.executable and each.returns is not None:
                fields = operation.result.model_dump()["fields"]
                assert set(each.returns.get("required", ())) <= set(fields), each.name
