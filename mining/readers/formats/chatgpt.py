"""ChatGPT export: a tree of nodes in ``mapping``."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.chat import describe
from wildtool.mining.readers.content import Chat, role_of, text_of
from wildtool.mining.readers.log_format import LogFormat


def fits(value: Any) -> bool:
    """An object with a ``mapping``."""
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def read(value: dict[str, Any]) -> Chat:
    """Flatten the tree along the current branch: from ``current_node`` up to the root.

    Without a current node the newest leaf is taken. A cycle, which a broken export can hold, ends the walk.
    """
    mapping: dict[str, Any] = value["mapping"]
    current = value.get("current_node")
    if current not in mapping:
        leaves = [key for key, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
        current = max(leaves, key=lambda key: _node_time(mapping[key]), default=None)
    branch: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in mapping and current not in seen:
        seen.add(current)
        node = mapping[current]
        if not isinstance(node, dict):
            break
        if isinstance(node.get("message"), dict):
            branch.append(node["message"])
        current = node.get("parent")
    pairs = []
    for message in reversed(branch):
        author = message.get("author") or {}
        meta = message.get("metadata") or {}
        if meta.get("is_visually_hidden_from_conversation"):
            continue
        text = text_of(message.get("content"))
        if text.strip():
            pairs.append((role_of(author.get("role")), text))
    return describe(value, Chat(pairs))


def _node_time(node: dict[str, Any]) -> float:
    message = node.get("message")
    time = message.get("create_time") if isinstance(message, dict) else None
    return float(time) if isinstance(time, int | float) else 0.0


CHATGPT = LogFormat("chatgpt", "a ChatGPT export", fits, read, order=10)
