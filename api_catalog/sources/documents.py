"""Bytes → JSON values: any encoding, JSON, JSON lines or YAML, and nothing that a file can do to us."""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from wildtool.api_catalog.functions.description import Refused

MOST_BYTES = 96 * 2**20
"""Twice the largest description known (47 MB)."""

MOST_YAML_BYTES = 24 * 2**20
"""YAML reads at 1 MB/s with libyaml: more than this would hold a run up for half a minute."""

MOST_YAML_NODES = 4_000_000
"""Nodes after aliases are written out; the bomb of nine times nine has 10^9."""

DEEPEST = 200
"""Nesting; real descriptions stay below 60."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(slots=True)
class Parsed:
    """A document and what was odd about it."""

    value: Any
    """Its content, of JSON types."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """(reason, detail) of what was mended: ``duplicate_keys``, ``encoding_guessed``, ``broken_json`` lines."""


def parse(raw: bytes) -> Parsed:
    """The document in these bytes.

    Raises ``Refused``: ``empty``, ``too_large``, ``binary``, ``bad_encoding``, ``markup``, ``broken_json``, ``broken_yaml``,
    ``yaml_bomb``, ``yaml_too_large``, ``too_deep``, ``not_an_object``.
    """
    if len(raw) > MOST_BYTES:
        raise Refused("too_large", f"{len(raw) // 2**20} MB; at most {MOST_BYTES // 2**20} MB are read")
    notes: list[tuple[str, str]] = []
    text = _text(raw, notes).strip("\ufeff \t\r\n")
    if not text:
        raise Refused("empty", "nothing in it")
    if re.match(r"<(?:!doctype|html|\?xml|[a-z]+[\s>])", text, re.IGNORECASE):
        raise Refused("markup", "an HTML or XML page")
    if text[0] in "{[":
        try:
            return Parsed(_json(text, notes), notes)
        except RecursionError:
            raise Refused("too_deep", "nested beyond what JSON readers take") from None
        except ValueError as error:
            lines = _json_lines(text, notes)
            if lines is not None:
                return Parsed(lines, notes)
            if text[0] == "{" and text[1:2] not in '"\n\r\t }':  # flow YAML such as {a: 1}
                return Parsed(_yaml(text, notes), notes)
            if (whole := _cut_off(text, error)) is not None:
                notes.append(("cut_off", "the file ends in the middle; what was complete before is read"))
                return Parsed(_json(whole, notes), notes)
            raise Refused("broken_json", str(error)) from None
    value = _yaml(text, notes)
    if not isinstance(value, dict | list):
        raise Refused("not_an_object", f"it holds a {type(value).__name__}")
    return Parsed(value, notes)


def _text(raw: bytes, notes: list[tuple[str, str]]) -> str:
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), None)
    if encoding is None and len(raw) >= 4:  # UTF-16 without a mark: every other byte of ASCII is zero
        if raw[1] == 0 and raw[3] == 0 and raw[0] != 0:
            encoding = "utf-16-le"
        elif raw[0] == 0 and raw[2] == 0 and raw[1] != 0:
            encoding = "utf-16-be"
    try:
        text = raw.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding is not None or b"\0" in raw:
            raise Refused("binary" if b"\0" in raw and encoding is None else "bad_encoding", str(error)) from None
        text = raw.decode("cp1252", errors="replace")
        notes.append(("encoding_guessed", "neither UTF-8 nor UTF-16: read as Windows-1252"))
    head = text[:4096]
    if "\0" in head or sum(ord(character) < 32 and character not in "\t\n\r\f" for character in head) > 8:
        raise Refused("binary", "control characters at its start")
    return text


def _json(text: str, notes: list[tuple[str, str]]) -> Any:
    doubled: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        mapping = dict(found)
        if len(mapping) != len(found) and len(doubled) < 5:
            doubled.append(next(name for name, times in Counter(name for name, _ in found).items() if times > 1))
        return mapping

    value = json.loads(text, object_pairs_hook=pairs, parse_constant=lambda _: None)
    if doubled:
        notes.append(("duplicate_keys", f"the last of {', '.join(doubled)} counts"))
    return value


def _cut_off(text: str, error: ValueError) -> str | None:
    """The text up to its last complete value, with its brackets closed; None where it breaks before its end."""
    if not isinstance(error, json.JSONDecodeError) or (len(text) - error.pos > 80 and "Unterminated" not in error.msg):
        return None
    closers: list[str] = []
    kept = ""
    at = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*+"|[{}\[\],]', text):
        at = found.start()
        match found[0]:
            case "{":
                closers.append("}")
            case "[":
                closers.append("]")
            case "}" | "]":
                closers.pop()
                kept = text[: found.end()] + "".join(reversed(closers))
            case ",":
                kept = text[:at] + "".join(reversed(closers))
        if not closers and kept:
            return None  # more than one value: not a cut
    try:
        json.loads(kept)
    except ValueError:
        return None
    return kept


def _json_lines(text: str, notes: list[tuple[str, str]]) -> list[Any] | None:
    """The values of JSON lines; None where the text is not of that kind. Broken lines become notes."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) < 2:
        return None
    values, broken = [], []
    for number, line in lines:
        try:
            values.append(_json(line, notes))
        except (ValueError, RecursionError) as error:
            broken.append((number, str(error)))
    if len(values) < len(lines) / 2 or not any(isinstance(value, dict | list) for value in values):
        return None
    notes += [("broken_json", f"line {number}: {message}") for number, message in broken]
    return values


def _yaml(text: str, notes: list[tuple[str, str]]) -> Any:
    import yaml

    if len(text) > MOST_YAML_BYTES:
        raise Refused("yaml_too_large", f"{len(text) // 2**20} MB of YAML; convert it to JSON")
    if _nested(text):
        raise Refused("too_deep", f"nested deeper than {DEEPEST} levels")
    loader = _loader()(_printable(text))
    values: list[Any] = []
    try:
        while loader.check_node():  # `---` parts a stream of several documents
            node = loader.get_node()
            if "*" in text and "&" in text:
                _refuse_bomb(node)
            values.append(loader.construct_document(node))
        values = [value for value in values if value is not None]
        if not values:
            raise Refused("empty", "nothing in it")
    except yaml.YAMLError as error:
        raise Refused("broken_yaml", str(error)) from None
    except RecursionError:
        raise Refused("too_deep", "nested too deeply") from None
    except ValueError as error:  # scalars that only look like numbers
        raise Refused("broken_yaml", str(error)) from None
    finally:
        loader.dispose()
    if loader.doubled:
        notes.append(("duplicate_keys", f"the last of {', '.join(loader.doubled[:5])} counts"))
    return values[0] if len(values) == 1 else values


def _nested(text: str) -> bool:
    """Whether YAML nests beyond ``DEEPEST``, told without parsing: the C reader has no guard of its own."""
    if re.search(rf"(?:[-?:] ){{{DEEPEST}}}|^[ ]{{{DEEPEST * 8}}}", text, re.MULTILINE):
        return True
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth = depth + 1 if bracket in "[{" else max(0, depth - 1)
        if depth > DEEPEST:
            return True
    return False


def _printable(text: str) -> str:
    """Without the characters that make YAML readers stop."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]", " ", text)


def _refuse_bomb(root: Any) -> None:
    """Counts nodes as if aliases were written out; refuses cycles and explosions before anything is built."""
    import yaml

    sizes: dict[int, int] = {}
    open_: set[int] = set()
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, done = stack.pop()
        children = (
            [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode)
            else list(node.value) if isinstance(node, yaml.SequenceNode) else []
        )  # fmt: skip
        if done:
            open_.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes[id(child)] for child in children)
            if sizes[id(node)] > MOST_YAML_NODES:
                raise Refused("yaml_bomb", "its aliases stand for millions of nodes")
            continue
        if id(node) in sizes:
            continue
        if id(node) in open_:
            raise Refused("yaml_bomb", "an alias stands inside what it names")
        open_.add(id(node))
        stack.append((node, True))
        stack += [(child, False) for child in children if id(child) not in sizes or id(child) in open_]


_CORE_SCHEMA = (
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
    ("null", r"(?:~|null|Null|NULL|)\Z", ("~", "n", "N", "")),
    ("int", r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z", "-+0123456789"),
    ("float", r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z",
     "-+.0123456789"),
    ("merge", r"<<\Z", "<"),
)  # fmt: skip
"""Plain scalars of YAML 1.2.2, section 10.3.2, and the merge key that people still write: tag, pattern, first characters."""


@cache
def _loader() -> Any:
    """A loader of YAML 1.2 (core schema) that makes JSON types only, keeps keys as they are written, and runs no code.

    API descriptions are YAML 1.2. PyYAML resolves plain scalars by 1.1, where ``NO`` and ``on`` are booleans, ``22:30`` is a
    number in base 60, ``0777`` is octal and ``2024-05-01`` a date; its resolvers are replaced.
    """
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class JsonLoader(base):  # type: ignore[misc,valid-type]
        """Safe loader for JSON types."""

        def __init__(self, stream: str) -> None:
            super().__init__(stream)
            self.doubled: list[str] = []

    def mapping(loader: Any, node: Any, deep: bool = False) -> Any:
        made: dict[str, Any] = {}
        yield made
        loader.flatten_mapping(node)
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            if name in made and key.start_mark is not None and len(loader.doubled) < 5:
                loader.doubled.append(name)
            made[name] = loader.construct_object(value, deep=True)

    def sequence(loader: Any, node: Any) -> Any:
        made: list[Any] = []
        yield made
        made.extend(loader.construct_object(child, deep=True) for child in node.value)

    def unknown(loader: Any, suffix: str, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return {key.value: loader.construct_object(value, deep=True) for key, value in node.value
                    if isinstance(key, yaml.ScalarNode)}  # fmt: skip
        if isinstance(node, yaml.SequenceNode):
            return [loader.construct_object(child, deep=True) for child in node.value]
        return node.value

    def integer(loader: Any, node: Any) -> Any:
        text = node.value
        if text.startswith(("0o", "0x")):
            return int(text[2:], 8 if text[1] == "o" else 16)
        return int(text) if re.fullmatch(r"[-+]?(?:0|[1-9]\d{0,18})", text) else text

    def boolean(loader: Any, node: Any) -> Any:
        return node.value.lower() == "true"

    def number(loader: Any, node: Any) -> Any:
        try:
            value = float(node.value)
        except ValueError:
            return node.value
        return value if value - value == 0 else None

    tag = "tag:yaml.org,2002:"
    JsonLoader.yaml_implicit_resolvers = {}
    for kind, pattern, first in _CORE_SCHEMA:
        JsonLoader.add_implicit_resolver(f"{tag}{kind}", re.compile(pattern), list(first))
    JsonLoader.add_constructor(f"{tag}bool", boolean)
    JsonLoader.add_constructor(f"{tag}map", mapping)
    JsonLoader.add_constructor(f"{tag}seq", sequence)
    JsonLoader.add_constructor(f"{tag}int", integer)
    JsonLoader.add_constructor(f"{tag}float", number)
    for name in ("timestamp", "value", "binary"):  # dates stay text; `example: =` is the text "="
        JsonLoader.add_constructor(f"{tag}{name}", lambda loader, node: node.value)
    for name in ("set", "omap", "pairs"):
        JsonLoader.add_constructor(f"{tag}{name}", lambda loader, node: unknown(loader, "", node))
    JsonLoader.add_multi_constructor("", unknown)
    return JsonLoader
