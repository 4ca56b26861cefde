"""Objects, lists, alternatives and defaults of arguments: what may differ inside them, and by which rule."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wildtool.evaluation.arguments.compare import Context, arguments_right, compare_arguments
from wildtool.language.prose_defaults import defaults

CONTEXT = Context(datetime(2024, 7, 12, 9, 30, tzinfo=UTC))  # a Friday


def verdict(gold, got, schema=None, name="value"):
    parameters = {"type": "object", "properties": {name: schema or {"type": "string"}}}
    return compare_arguments({name: gold}, {name: got}, parameters, CONTEXT)[0]


def verdicts(gold, got, properties, *, required=(), alternatives=None):
    """Of each argument: path, right or not, rule, expected, got."""
    context = Context(CONTEXT.now, alternatives or {})
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    found = compare_arguments(gold, got, parameters, context)
    assert arguments_right(gold, got, parameters, context) is all(one.ok for one in found)
    return [(one.path, one.ok, one.rule, one.expected, one.got) for one in found]


INT = {"type": "integer"}


SEATS = {"type": "integer", "default": 1}


@pytest.mark.parametrize(
    ("gold", "got", "expected"),
    [
        ({"a": 5}, {}, ("a", False, "argument.missing", 5, None)),
        ({}, {"a": 5}, ("a", False, "argument.extra", None, 5)),
        ({}, {"z": 5}, ("z", False, "argument.undefined", None, 5)),
        ({"a": None}, {}, ("a", True, "null.left_out", None, None)),
        ({}, {"a": None}, ("a", True, "null.left_out", None, None)),
        ({"a": None}, {"a": None}, ("a", True, "equal", None, None)),
        ({"a": None}, {"a": 5}, ("a", False, "type.gold", None, 5)),
        ({"free": None}, {"free": 5}, ("free", False, "type.null", None, 5)),
        ({"a": 5}, {"a": None}, ("a", False, "type.number", 5, None)),
        ({"n": 1}, {}, ("n", True, "default.left_out", 1, None)),
        ({}, {"n": 1}, ("n", True, "default.explicit", None, 1)),
        ({"n": 1.0}, {}, ("n", True, "default.left_out", 1.0, None)),
        ({"n": 2}, {}, ("n", False, "argument.missing", 2, None)),
        ({"r": 1}, {}, ("r", False, "argument.missing", 1, None)),
        ({}, {"r": 1}, ("r", True, "default.explicit", None, 1)),
        ({}, {"a": float("nan")}, ("a", False, "argument.extra", None, "nan")),
        ({"a": 5}, {"a": float("inf")}, ("a", False, "number.value", 5, "inf")),
        ({"a": 5}, {"a": 5.0}, ("a", True, "number.value", 5, 5.0)),
        ({"o": {"x": 1}}, {}, ("o", True, "default.left_out", {"x": 1}, None)),
        ({}, {"o": {"x": 1}}, ("o", True, "default.explicit", None, {"x": 1})),
        ({}, {"o": {"x": 2}}, ("o", False, "argument.extra", None, {"x": 2})),
        ({}, {"o": {}}, ("o", True, "default.explicit", None, {})),
        ({}, {"o": "x"}, ("o", False, "argument.extra", None, "x")),
        ({}, {"needs": {"x": 1}}, ("needs", False, "argument.extra", None, {"x": 1})),
        ({}, {"own": {"x": 1}}, ("own", False, "argument.extra", None, {"x": 1})),
        ({}, {"own": {"x": 3}}, ("own", True, "default.explicit", None, {"x": 3})),
        ({}, {"typed": {"x": 1}}, ("typed", False, "argument.extra", None, {"x": 1})),
    ],
)
def test_what_one_side_leaves_out(gold, got, expected):
    members = {"x": {"type": "integer", "default": 1}, "y": INT}
    properties = {
        "a": INT,
        "free": {},
        "n": SEATS,
        "r": SEATS,
        "o": {"type": "object", "properties": members},
        "needs": {"type": "object", "properties": members, "required": ["y"]},
        "own": {"type": "object", "properties": members, "default": {"x": 3}},
        "typed": {"type": "string", "properties": members},
    }
    assert verdicts(gold, got, properties, required=["r"]) == [expected]


def test_each_argument_has_one_verdict_gold_s_order_first():
    found = verdicts({"b": 1, "a": 2}, {"c": 3, "a": 2}, {"a": INT, "b": INT}, required=["b"])
    assert [(path, rule) for path, _, rule, _, _ in found] == [
        ("b", "argument.missing"),
        ("a", "number.value"),
        ("c", "argument.undefined"),
    ]


def test_numbers_that_differ_are_wrong_without_looking_further():
    assert verdicts({"a": 1, "b": "x"}, {"a": 2, "b": "x"}, {"a": INT})[0] == ("a", False, "number.value", 1, 2)
    assert verdicts({"r": 1}, {"r": 1}, {"r": INT}, required=["r"]) == [("r", True, "number.value", 1, 1)]


def test_nested_members_are_named_by_their_parents():
    tags = {"type": "object", "properties": {"tags": {"type": "array"}, "a": {"type": "array"}}}
    schema = {"type": "object", "properties": {"filters": tags}}
    assert verdict({"filters": {"tags": [1, 2]}}, {"filters": {"tags": [2, 1]}}, schema, "box").ok
    assert not verdict({"filters": {"a": [1, 2]}}, {"filters": {"a": [2, 1]}}, schema, "tags").ok
    assert verdict("some day", "2024-07-13", {"type": "string"}).rule == "date.unreadable"


def test_an_object_with_all_it_requires_says_nothing_beyond_its_defaults():
    needs = {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}, "required": ["x"]}
    assert verdicts({}, {"o": {"x": 1}}, {"o": needs}) == [("o", True, "default.explicit", None, {"x": 1})]
    assert verdicts({}, {"o": {}}, {"o": needs}) == [("o", False, "argument.extra", None, {})]


def test_alternatives_stand_beside_gold():
    others = {"a": (3, None), "r": (None,), "text": ("Lyon 2e", "Lyon 3e")}
    properties = {"a": INT, "r": INT, "text": {"type": "string"}, "o": {"type": "object"}}

    def found(gold, got):
        return verdicts(gold, got, properties, required=["r"], alternatives=others)

    assert found({"a": 2}, {"a": 3}) == [("a", True, "alternative", 2, 3)]
    assert found({"a": 2}, {"a": 2}) == [("a", True, "number.value", 2, 2)]
    assert found({"a": 2}, {"a": 4}) == [("a", False, "number.value", 2, 4)]
    # None among the alternatives: it may be left out, even where the schema requires it.
    assert found({"a": 2}, {}) == [("a", True, "alternative", 2, None)]
    assert found({"r": 2}, {}) == [("r", True, "alternative", 2, None)]
    assert found({}, {"a": 2}) == [("a", False, "argument.extra", None, 2)]
    assert found({"text": "Nice"}, {"text": "lyon 3E"}) == [("text", True, "alternative", "Nice", "lyon 3E")]
    assert found({"text": "Nice"}, {}) == [("text", False, "argument.missing", "Nice", None)]
    # They are of top-level arguments only.
    nested = found({"o": {"a": 2}}, {"o": {"a": 3}})
    assert nested == [("o", False, "number.value", {"a": 2}, {"a": 3})]
    assert found({"o": {"a": 2}}, {"o": {}}) == [("o", False, "argument.missing", {"a": 2}, {})]


def test_an_alternative_is_judged_as_gold_is():
    """Rules are not the same both ways: gold of the wrong type is judged by what it says."""
    properties = {"a": {"type": "integer"}}
    assert verdicts({"a": 1}, {"a": 5}, properties, alternatives={"a": ("5",)})[0][1:3] == (True, "alternative")
    assert verdicts({"a": 1}, {"a": "5"}, properties, alternatives={"a": (5,)})[0][1:3] == (False, "type.number")


def test_items_of_a_list_are_named_as_the_list_is():
    schema = {"type": "array", "items": {"type": "string"}}
    assert verdict(["abc def"], ["abcdef"], schema, "showId").rule == "array.ordered"
    assert (verdict(["abc def"], ["Xbcdef"], schema, "showId").rule, verdict(["a b"], ["a c"], schema, "password").rule) == (
        "code", "code.secret",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("gold", "got", "schema", "name", "ok", "rule"),
    [
        ([], [], {}, "a", True, "array.ordered"),
        (["x", "y"], ["X", "y"], {}, "a", True, "array.ordered"),
        (["x"], ["y"], {}, "a", False, "text.differs"),
        ([1], [2], {}, "a", False, "number.value"),
        ([1, 2], [2, 1], {}, "a", False, "array.item"),
        ([1, 2], [2, 1], {"uniqueItems": True}, "a", True, "array.set"),
        ([1, 2], [2, 1], {"uniqueItems": "yes"}, "a", False, "array.item"),
        ([1, 1], [1, 2], {"uniqueItems": True}, "a", False, "array.set"),
        ([1, 2], [2, 1], {}, "tags", True, "array.set"),
        ([1, 2], [2, 1], {}, "Filters", True, "array.set"),
        ([1, 2], [2, 1], {}, "hotels", False, "array.item"),
        ([1, 2], [2, 1], {"description": "Order does not matter"}, "a", True, "array.set"),
        ([1, 2], [1], {}, "tags", False, "array.length"),
        (["a", "A b", "c"], ["c", "a", "a b"], {}, "tags", True, "array.set"),
        ([[1, 2]], [[2, 1]], {"items": {"uniqueItems": True}}, "a", True, "array.ordered"),
    ],
)
def test_each_verdict_on_a_list_names_its_rule(gold, got, schema, name, ok, rule):
    found = verdict(gold, got, {"type": "array", **schema}, name)
    assert (found.ok, found.rule) == (ok, rule)


def test_sets_are_paired_wherever_there_is_a_pairing():
    """The first gold item could take either; only one way of pairing them all works. Gold decides, not the candidate."""
    schema = {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}
    assert verdict(["5", 5], [5, 5], schema).ok
    assert not verdict([5, 5], ["5", 5], schema).ok
    loose = {"type": "array", "uniqueItems": True, "items": {"type": "number"}}
    third = 1e-9 * 0.7
    assert verdict([1.0, 1.0 + third], [1.0 + third, 1.0 - third], loose).ok


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_objects_are_judged_by_the_branch_that_defines_them(word):
    branches = [
        "not a schema",
        {"type": "object", "properties": {"x": INT}},
        {"type": "object", "properties": {"city": {"type": "string"}, "size": {"type": "integer", "default": 3}}},
        {"type": "object", "properties": {"city": {"type": "string"}, "size": {"type": "integer", "default": 4}}},
    ]
    schema = {word: branches}
    assert verdict({"city": "Lyon", "size": 3}, {"city": "Lyon"}, schema).ok
    assert not verdict({"city": "Lyon", "size": 4}, {"city": "Lyon"}, schema).ok
    assert verdict({"city": "Lyon"}, {"city": "Lyon", "size": 3}, schema).rule == "object.members"
    assert verdict({"city": "Lyon", "z": 1}, {"city": "Lyon", "z": 1, "size": 3}, schema).rule == "argument.undefined"
    assert verdict({"city": "Lyon"}, {"city": "Nice"}, {word: "broken"}).ok is False
    assert verdict({"x": 1}, {"x": 2}, schema).rule == "number.value"


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [("string", "5", 5), ("integer", 5, "5"), ("number", 5.5, "5.5"), ("float", 5.5, "5.5"), ("boolean", True, "true"),
     ("array", [5], "[5]"), ("object", {"a": 5}, '{"a": 5}'), ("null", None, "null")],
)  # fmt: skip
def test_gold_that_violates_its_schema_is_judged_by_what_it_says(kind, right, wrong):
    # The null case is left out rather than compared.
    if kind != "null":
        found = verdict(wrong, right, {"type": kind})
        assert (found.ok, found.rule) == (True, "type.gold")
        found = verdict(wrong, right, {"type": [kind, "null"]})
        assert (found.ok, found.rule) == (True, "type.gold")
    # Where the schema allows gold, or allows neither, types must be the same.
    for schema in (
        {"title": "of any type"},
        {"type": "unheard of"},
        {"type": ["string", "integer", "array", "object", "boolean", "number"]},
    ):
        assert not verdict(wrong, right, schema).ok


def test_types_that_differ_name_gold_s():
    for gold, got, rule in (
        ("a", 5, "type.string"), (5, "a", "type.number"), ([1], "a", "type.array"), ({}, "a", "type.object"),
        ([], {}, "type.array"), (True, 1, "type.boolean"), (0, False, "type.boolean"), (True, False, "boolean.strict"),
    ):  # fmt: skip
        found = verdict(gold, got, {"type": ["string", "number", "array", "object", "boolean"]})
        assert (found.ok, found.rule) == (False, rule)


@pytest.mark.parametrize(
    ("description", "kind", "expected"),
    [
        ("Tags, default is ['a', 'b'].", "array", [["a", "b"]]),
        ('Tags, default is ["a"]', "array", [["a"]]),
        ("Tags, default is broken.", "array", []),
        ("Tags, default is NONE", "array", ["", [], {}]),
        ("Filter, default is 'empty'", "array", []),
        ("默认为空。", "array", ["", [], {}]),
        ("Options, default is {}", "object", [{}]),
        ("default is 'X", "string", ["X"]),
        ("Nothing of the kind", "string", []),
        ("Nothing of the kind", "array", []),
    ],
)
def test_defaults_in_prose(description, kind, expected):
    assert defaults({"type": kind, "description": description}) == expected
    assert defaults({"type": kind, "description": description, "default": None}) == [None]


def test_a_default_in_prose_is_one_of_the_enum_s():
    schema = {"type": "string", "description": "Sort order, default is rating descending", "enum": ["rating", "price"]}
    assert defaults(schema) == ["rating"]
    assert defaults({**schema, "enum": "broken"}) == defaults({key: schema[key] for key in ("type", "description")})


@pytest.mark.parametrize(("one", "other"), [(10**400, 1.5), (10**400, 10**400 + 1), (-(10**400), 1e300), (10**400, 0)])
def test_integers_beyond_any_float_can_be_compared(one, other):
    for gold, got in ((one, other), (other, one)):
        assert verdicts({"x": {"n": gold}}, {"x": {"n": got}}, {})[0][1:3] == (False, "number.value")
        assert verdicts({"x": [gold]}, {"x": [gold]}, {})[0][1:3] == (True, "array.ordered")
