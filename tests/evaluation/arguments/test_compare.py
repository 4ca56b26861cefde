"""The rules of arguments: what may differ, what may not, and by which rule."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtool.evaluation.arguments.compare import Context, arguments_right, compare_arguments, error_of
from wildtool.language.prose_defaults import defaults
from wildtool.schemas.vocabulary import ErrorKind

CONTEXT = Context(datetime(2024, 7, 12, 9, 30, tzinfo=UTC))  # a Friday


def verdict(gold, got, schema=None, name="value"):
    parameters = {"type": "object", "properties": {name: schema or {"type": "string"}}}
    return compare_arguments({name: gold}, {name: got}, parameters, CONTEXT)[0]


@pytest.mark.parametrize(
    ("gold", "got", "rule"),
    [
        ("2024-07-13", "2024/07/13", "date.format"),
        ("2024-07-13", "July 13, 2024", "date.format"),
        ("2024-07-13", "13th of July 2024", "date.format"),
        ("2024-07-13", "2024年7月13日", "date.format"),
        ("2024-07-13", "13/07/2024", "date.format"),
        ("2024-07-13", "tomorrow", "date.relative"),
        ("2024-07-14", "后天", "date.relative"),
        ("2024-07-15", "Monday", "date.relative"),
        ("2024-07-09", "3 days ago", "date.relative"),
        ("2024-07-13T10:00:00Z", "2024-07-13T12:00:00+02:00", "date.format"),
        ("2024-07-13", "2024-07-13T00:00:00", "date.format"),
        ("18:30", "6:30 PM", "date.format"),
        ("15:00", "3pm", "date.format"),
        ("2024-07-13", "July 13", "date.relative"),
        ("2024-07-13", "7月13日", "date.relative"),
        ("+1 (555) 123-4567", "+15551234567", "phone"),
        ("What is the weather like?", "What's the weather like", "text.spelling"),
        ("192.168.0.1", " 192.168.0.1", "ip"),
        ("::1", "0:0:0:0:0:0:0:1", "ip"),
        ("https://Example.com", "https://example.com:443/", "url"),
        ("Ann@Example.com", "ann@example.com", "email"),
        ("1,000", "1000.0", "number.text"),
        ("48.85,2.35", "48.85, 2.35", "coordinates"),
        ("Lyon", "lyon ", "text.plain"),
        ("São Paulo", "Sao Paulo", "text.plain"),
        ("Las Vegas", "LasVegas", "text.punctuation"),
        ("colour", "color", "text.spelling"),
        ("travelling theatres", "traveling theaters", "text.spelling"),
        ("two adults", "2 adults", "text.spelling"),
        ("the Beatles", "Beatles", "text.article"),
        ("cheap hotels in Paris", "cheap hotels Paris please", "text.filler"),
        (
            "hotels near the Eiffel Tower in Paris with a pool",
            "hotel near Eiffel Tower in Paris with pool",
            "text.similar",
        ),
    ],
)
def test_harmless_differences_pass(gold, got, rule):
    found = verdict(gold, got)
    assert (found.ok, found.rule) == (True, rule)


@pytest.mark.parametrize(
    ("gold", "got", "rule"),
    [
        ("2024-07-13", "2024-07-14", "date.format"),
        ("2024-07-13", "today", "date.relative"),
        ("2024-03-04", "03/04/2024", "date.unreadable"),
        ("192.168.0.1", "192.168.0.2", "ip"),
        ("https://example.com/A", "https://example.com/a", "url"),
        ("open now", "not open now", "text.negation"),
        ("bread without gluten", "bread with gluten", "text.negation"),
        ("please don't call me tomorrow evening", "please do call me tomorrow evening", "text.negation"),
        ("send 100 dollars to Bob Smith now", "send 200 dollars to Bob Smith now", "text.number"),
        ("transfer money to Bob Smith right now please", "transfer money to Ann Smith right now please", "text.name"),
        ("trains from Paris to Berlin tonight late", "trains from Berlin to Paris tonight late", "text.name"),
        ("tell me how my shares did today please", "tell me how my shares did yesterday please", "text.date"),
        ("Lyon", "Lyons", "text.name"),
        ("Jane", "Jane please", "text.differs"),
        ("track my last order", "cancel my last order", "text.differs"),
        ("C++", "C", "text.mark"),
        ("007", "7", "text.differs"),
        ("-5", "5", "number.text"),
        ("filled form", "filed form", "text.differs"),
    ],
)
def test_harmful_differences_fail(gold, got, rule):
    found = verdict(gold, got)
    assert (found.ok, found.rule) == (False, rule)


@pytest.mark.parametrize(
    ("gold", "got", "schema", "ok", "rule"),
    [
        (5, 5.0, {"type": "integer"}, True, "number.value"),
        (0.1 + 0.2, 0.3, {"type": "number"}, True, "number.value"),
        (10**400, 1.5, {"type": "number"}, False, "number.value"),
        (1, True, {"type": "integer"}, False, "type.boolean"),
        (True, "true", {"type": "boolean"}, False, "type.boolean"),
        (5, "5", {"type": "integer"}, False, "type.number"),
        ("5", 5, {"type": "integer"}, True, "type.gold"),
        ("a", ["a"], {"type": "string"}, False, "type.string"),
        ("1h", "1H", {"enum": ["1h", "1d"]}, False, "enum"),
        ("1m", "1M", {"enum": ["1m", "1M"]}, False, "enum"),
        (["a", "b"], ["b", "a"], {"type": "array"}, False, "array.item"),
        (["a", "b"], ["b", "a"], {"type": "array", "uniqueItems": True}, True, "array.set"),
        (["a", "b"], ["b", "a"], {"type": "array", "description": "Codes, in any order"}, True, "array.set"),
        (["a", "b"], ["a"], {"type": "array", "uniqueItems": True}, False, "array.length"),
        ({"x": {"y": 1}}, {"x": {"y": 1.0}}, {"type": "object"}, True, "object.members"),
        ({"x": {"y": 1}}, {"x": {"y": 2}}, {"type": "object"}, False, "object.members"),
        (None, None, {}, True, "null.left_out"),
    ],
)
def test_types(gold, got, schema, ok, rule):
    found = verdict(gold, got, schema)
    assert found.ok is ok
    assert found.rule == rule or rule in ("object.members", "null.left_out")


def test_codes_and_secrets_are_exact():
    assert verdict("DE89 3704", "DE893704", name="ibanCode").ok
    assert verdict("aapl", "AAPL", name="symbol").ok
    assert not verdict("dQw4w9WgXcQ", "dqw4w9wgxcq", name="videoId").ok
    assert not verdict("Secret", "secret", name="password").ok
    assert not verdict("user-12", "user-13", name="userId").ok


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "default": 5}, [5]),
        ({"type": "integer", "description": "Page size, default is 10."}, [10]),
        ({"type": "boolean", "description": "Whether to sort. The default value is False."}, [False]),
        ({"type": "string", "description": "The unit, with the default value'm'."}, ["m"]),
        ({"type": "string", "description": "语言，默认为zh。"}, ["zh"]),
        ({"type": "array", "description": "Tags, default is empty."}, ["", [], {}]),
        ({"type": "string", "description": "The unit."}, []),
    ],
)
def test_defaults_are_read(schema, expected):
    assert defaults(schema) == expected


def test_a_default_given_and_a_default_left_out_are_equal():
    parameters = {"type": "object", "properties": {"n": {"type": "integer", "description": "Seats, default is 1."}}}
    assert arguments_right({"n": 1}, {}, parameters, CONTEXT)
    assert arguments_right({}, {"n": 1}, parameters, CONTEXT)
    assert arguments_right({}, {"n": None}, parameters, CONTEXT)
    assert not arguments_right({"n": 2}, {}, parameters, CONTEXT)
    assert not arguments_right({"n": 1}, {}, parameters | {"required": ["n"]}, CONTEXT)
    assert not arguments_right({}, {"n": 2}, parameters, CONTEXT)


def test_alternatives_of_the_annotators_are_right_too():
    context = Context(CONTEXT.now, {"city": ("Lyon 2e",), "unit": (None,)})
    assert arguments_right({"city": "Lyon"}, {"city": "lyon 2E"}, {}, context)
    assert arguments_right({"city": "Lyon", "unit": "C"}, {"city": "Lyon"}, {}, context)
    assert not arguments_right({"city": "Lyon"}, {"city": "Nice"}, {}, context)


def test_kinds_of_errors():
    def kind(gold, got):
        return error_of(compare_arguments(gold, got, {"properties": {"n": {"type": "integer"}}}, CONTEXT))

    assert kind({"n": 1}, {}) is ErrorKind.HALLUCINATION
    assert kind({}, {"m": 1}) is ErrorKind.HALLUCINATION
    assert kind({"n": 1}, {"n": "1"}) is ErrorKind.TYPE_ERROR
    assert kind({"n": 1}, {"n": 2}) is ErrorKind.VALUE_ERROR
    assert kind({"n": 1}, {"n": 1}) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=6), json_values, max_size=4))
def test_whatever_equals_itself_is_right(arguments):
    assert arguments_right(arguments, arguments, {"type": "object", "properties": {}}, CONTEXT)


@given(st.text(max_size=30), st.text(max_size=30))
def test_comparing_texts_is_symmetric(left, right):
    assert verdict(left, right).ok == verdict(right, left).ok


@given(st.dictionaries(st.text(max_size=6), json_values, max_size=3), st.dictionaries(st.text(max_size=6), json_values))
def test_any_json_can_be_compared_with_any_schema_like_thing(gold, got):
    schema = {"type": "object", "properties": {name: value for name, value in got.items() if isinstance(value, dict)}}
    assert isinstance(arguments_right(gold, got, schema, CONTEXT), bool)


def test_numbers_are_equal_within_a_billionth():
    assert verdict(1.0, 1.0 + 5e-10, {"type": "number"}).ok and not verdict(1.0, 1.0 + 5e-9, {"type": "number"}).ok


@pytest.mark.parametrize(
    ("gold", "got", "schema", "name", "ok", "rule"),
    [
        ("x", "x", {}, "a", True, "equal"),
        ("https://a.b/c", "a.b/c", {}, "a", True, "url"),
        ("https://a.b/c", "a.b/d", {}, "a", False, "url"),
        ("https://a.b/c", "https://a.b/d", {}, "a", False, "url"),
        ("https://a.b/c", "somewhere else", {}, "a", False, "url"),
        ("192.168.0.1", "localhost", {}, "a", False, "ip"),
        ("a@b.cd", "ann", {}, "a", False, "email"),
        ("a@b.cd", "a@b.ce", {}, "a", False, "email"),
        ("+1 555 123 4567", "+1 555 123 4568", {}, "a", False, "phone"),
        ("+1 555 123 4567", "Bob", {}, "a", False, "phone"),
        ("1,000", "a thousand", {}, "a", False, "number.text"),
        ("48.85,2.35", "48.85,2.36", {}, "a", False, "coordinates"),
        ("48.85,2.35", "Paris", {}, "a", False, "coordinates"),
        ("hunter2", "Hunter2", {}, "passphrase", False, "code.secret"),
        ("two words", "Two words", {}, "clientSecret", False, "code.secret"),
        ("two words", "Two words", {}, "user.password", False, "code.secret"),
        ("two words", "two words", {}, "password", True, "equal"),
        ("abc def", "abcdef", {}, "showId", True, "code"),
        ("abc def", "abcxdef", {}, "showId", False, "code"),
        ("abc def", "abcxdef", {}, "show_ids", False, "code"),
        ("abc def", "abcdef", {"pattern": "^.*$"}, "a", True, "code"),
        ("dQw4w9", "dqw4w9", {}, "a", False, "code"),
        ("a1", "A1", {}, "a", True, "code"),
        ("lyon", "LYON", {"enum": ["Lyon", "Nice"]}, "a", True, "enum"),
        ("Lyon", "Nice", {"enum": ["Lyon", "Nice"]}, "a", False, "enum"),
        (" 1m ", "1m", {"enum": ["1m", "1M"]}, "a", True, "enum"),
        ("1m", "1M", {"enum": ["1m", "1M", 5]}, "a", False, "enum"),
        ("tomorrow", "2024-07-13", {}, "a", True, "date.relative"),
        ("2024-07-13", "tomorrow", {}, "a", True, "date.relative"),
        ("2024-07-13", "some day", {}, "a", False, "date.unreadable"),
        ("some day", "Some day", {"format": "date"}, "a", True, "date.unreadable"),
        ("some day", "Some day", {"format": "date-time"}, "a", True, "date.unreadable"),
        ("some day", "Some day", {"format": "time"}, "a", True, "date.unreadable"),
        ("some day", "any day", {"format": "time"}, "a", False, "date.unreadable"),
    ],
)
def test_each_verdict_on_a_text_names_its_rule(gold, got, schema, name, ok, rule):
    found = verdict(gold, got, {"type": "string", **schema}, name)
    assert (found.ok, found.rule) == (ok, rule)


@pytest.mark.parametrize("form", ["uuid", "uri", "hostname", "ipv4", "ipv6", "byte", "binary"])
def test_formats_of_codes_are_compared_as_codes(form):
    found = verdict("abc def", "Abc-def", {"type": "string", "format": form})
    assert found.rule == "code"
    assert verdict("abc def", "abc def", {"type": "string", "format": form}).rule == "equal"
    assert verdict("abc def", "Abc-def", {"type": "string", "format": "other"}).rule != "code"
