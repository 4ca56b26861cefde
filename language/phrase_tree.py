"""Many phrases as one regular expression: a tree of their letters, so that a text is read once, whatever their number."""

from __future__ import annotations

import re
from collections.abc import Iterable

Tree = dict[str, "Tree"]


def tree(phrases: Iterable[str]) -> str:
    """An expression without repetitions that matches the longest of the phrases at a place."""
    root: Tree = {}
    for phrase in phrases:
        node = root
        for letter in phrase:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branch(root)


def _branch(node: Tree) -> str:
    """Expression of a tree's branch: longest first, since "end here" comes last."""
    ends = "" in node
    options = [re.escape(letter) + _branch(child) for letter, child in sorted(node.items()) if letter]
    if not options:
        return ""
    body = options[0] if len(options) == 1 and not ends else f"(?:{'|'.join(options)})"
    return f"{body}?" if ends else body


def beginnings(phrase: str) -> Iterable[str]:
    """All beginnings of a phrase, itself included: what else of a tree stands where it was found."""
    return (phrase[:length] for length in range(1, len(phrase) + 1))
