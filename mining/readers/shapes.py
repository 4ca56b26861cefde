"""Find the messages in any object: in a list under a usual name, in a request and its response, in a question and its answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wildtool.mining.readers.content import ROLES, Role, RowError, text_of
from wildtool.mining.readers.speakers import TEXT_KEYS, conversation_of, field, key, said

Pairs = list[tuple[Role, str]]

LISTS = (
    "messages", "chosen", "chatmessages", "inputmessages", "conversation", "conversations", "conversationa", "dialogue", "dialog",
    "turns",
    "items", "history", "transcript", "chathistory", "comments", "utterances", "contents", "chunks", "events", "thread", "log",
    "chat", "body", "messagelist", "msgs", "exchanges", "replies", "posts", "interactions", "entries", "conversationparts",
    "bubbles", "data",
)  # fmt: skip
"""Names under which lists of messages stand, the surest first."""

REQUESTS = (
    "request", "requestbody", "body", "params", "kwargs", "payload", "call", "inputbody", "requestjson", "modelinput", "input", "inputs"
)  # fmt: skip
RESPONSES = (
    "response",
    "responsebody",
    "completion",
    "output",
    "outputs",
    "outputbody",
    "responsejson",
    "result",
    "modeloutput",
    "reply",
)

QUESTIONS = (
    "prompt", "question", "instruction", "query", "usermessage", "userinput", "userquestion", "userquery", "userprompt", "human",
    "request",
    "input", "user", "inputtext", "usertext", "message", "q", "problem", "customermessage", "userutterance", "querytext",
    "问题", "提问", "指令",
)  # fmt: skip
ANSWERS = (
    "response", "answer", "completion", "output", "assistant", "reply", "chosen", "botresponse", "botreply", "assistantmessage",
    "modelresponse", "assistantresponse", "outputtext", "generation", "bot", "generatedtext", "gpt", "a", "solution", "agentreply",
    "systemutterance", "fulfillmenttext", "回答", "答案", "回复",
)  # fmt: skip

_MARKED = re.compile(
    r"(?:^|\n)\s*(?:\#{1,3}\s*|\*\*|<\|?)?(Human|H|User|Customer|Prompter|Assistant|AI|A|Bot|Agent|Model|System|用户|客户|助手|客服|机器人)"
    r"(?:\|?>|\*\*)?\s*[:：]\s*"
)
DEEPEST = 3


def find(value: Any) -> Pairs | None:
    """Return the messages that an object holds, in their order; None where it holds none.

    Raises:
        RowError: it holds messages, and one names a role that is not known.
    """
    return _find(value, 0) if isinstance(value, Mapping) else None


def _find(value: Mapping[str, Any], depth: int) -> Pairs | None:
    if depth > DEEPEST:
        return None
    held = {key(name): decoded(each) for name, each in value.items()}
    listed = next((pairs for name in LISTS if (pairs := _listed(held.get(name), name)) is not None), None)
    if listed is not None:
        head = _system(held) + _opening(held, listed)
        return [*head, *listed, *_answered(held, listed)]
    for tree in ("prompt", "root", "tree"):
        if isinstance(held.get(tree), Mapping) and "replies" in held[tree]:
            return list(_branch(held[tree]))
    for name in REQUESTS:
        inner = held.get(name)
        if isinstance(inner, Mapping):
            pairs = _find(inner, depth + 1) or asked(inner)
            if pairs:
                return [*pairs, *_answered(held, pairs)]
        elif isinstance(inner, list) and (pairs := _listed(inner, name)):
            return [*_system(held), *pairs, *_answered(held, pairs)]
    pairs = _pair(held)
    if pairs is not None:
        return pairs
    for name in ("chosen", "rejected", "text", "conversationtext", "transcript", "content"):
        if isinstance(held.get(name), str) and (pairs := marked(held[name])):
            return pairs
    for inner in held.values():
        if isinstance(inner, Mapping) and (pairs := _find(inner, depth + 1)):
            return [*_system(held), *_opening(held, pairs), *pairs, *_answered(held, pairs)]
    return None


def decoded(value: Any) -> Any:
    """Return what JSON text holds; any other value as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _listed(value: Any, name: str) -> Pairs | None:
    """Return the messages of a list; None where it is none of messages."""
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(each, str) for each in value):
        strings = name in (
            "data",
            "conversation",
            "conversations",
            "dialogue",
            "dialog",
            "turns",
            "utterances",
            "messages",
            "history",
        )
        return _alternating(value) if strings and len(value) > 1 else None
    if all(
        isinstance(each, list | tuple) and len(each) == 2 and all(isinstance(one, str) for one in each)
        for each in value
    ):
        first = str(value[0][0]).strip().casefold()
        if first in ROLES:
            return [(ROLES.get(str(who).strip().casefold(), "user"), text) for who, text in value]
        return [pair for one, other in value for pair in _two(one, other)]
    rows = [each for each in value if isinstance(each, Mapping)]
    if len(rows) != len(value):
        return None
    if name == "events":
        return _events(rows)
    if (
        isinstance(rows[0].get("content"), Mapping)
        and "message" not in rows[0]
        and "role" not in rows[0]
        and "author" not in rows[0]
    ):
        rows = [{**each, **each["content"]} if isinstance(each.get("content"), Mapping) else each for each in rows]
    try:
        if not any((one := said(each)) is not None and one[2] for each in rows[:6]):
            return None
    except RowError:
        if not any("role" in each for each in rows):
            return _exchanges(rows)
        raise
    return conversation_of(rows)


def _two(one: str, other: str) -> Pairs:
    pairs: Pairs = [("user", one), ("assistant", other)]
    return [(role, text) for role, text in pairs if text.strip()]


def _exchanges(rows: Sequence[Mapping[str, Any]]) -> Pairs | None:
    """Return the messages of a list of questions with their answers."""
    found: Pairs = []
    for each in rows:
        pairs = _pair({key(name): decoded(held) for name, held in each.items()})
        if pairs is None:
            return None
        found += pairs
    return found or None


def _events(rows: Sequence[Mapping[str, Any]]) -> Pairs | None:
    """Return the messages among events: those of a user or a bot that hold text."""
    found: Pairs = []
    for each in rows:
        who = ROLES.get(str(each.get("event") or each.get("type") or each.get("role") or "").casefold())
        text = field(each, ("text", "content", "message"))
        if who in ("user", "assistant") and isinstance(text, str) and text.strip():
            found.append((who, text))
    return found or None


def _alternating(texts: Sequence[str]) -> Pairs:
    marks = [pair for text in texts for pair in (marked(text) or [])]
    if len(marks) >= len(texts):
        return marks
    roles: tuple[Role, Role] = ("user", "assistant")
    return [(roles[place % 2], text) for place, text in enumerate(texts)]


def marked(text: str) -> Pairs:
    """Return the messages of a text in which marks such as ``Human:`` stand before each; none where it has no user's mark."""
    hits = list(_MARKED.finditer(text))
    found: Pairs = []
    for place, hit in enumerate(hits):
        end = hits[place + 1].start() if place + 1 < len(hits) else len(text)
        name = hit[1].casefold()
        role: Role = ROLES.get({"h": "human"}.get(name, name), "user")
        said_here = text[hit.end() : end].strip()
        if said_here:
            found.append((role, said_here))
    return found if any(role == "user" for role, _ in found) else []


def _branch(node: Mapping[str, Any]) -> Iterator[tuple[Role, str]]:
    """Yield the messages from a tree's root along its first replies."""
    while True:
        one = said(node)
        if one is not None and one[0] is not None:
            yield one[0], one[2]
        replies = node.get("replies")
        if not isinstance(replies, list) or not replies or not isinstance(replies[0], Mapping):
            return
        node = replies[0]


def _system(held: Mapping[str, Any]) -> Pairs:
    text = next(
        (held[name] for name in ("system", "systemprompt", "systeminstruction", "instructions") if held.get(name)), None
    )
    try:
        words = text_of(text) if isinstance(text, str | list | Mapping) else ""
    except RowError:
        return []
    return [("system", words)] if words.strip() else []


def _opening(held: Mapping[str, Any], listed: Pairs) -> Pairs:
    """Return what a ticket's own text says before its comments, where these do not repeat it."""
    first = next(
        (held[name] for name in ("description", "source", "firstmessage", "openingmessage") if held.get(name)), None
    )
    if isinstance(first, Mapping):
        first = field(first, TEXT_KEYS)
    if (
        not isinstance(first, str)
        or not first.strip()
        or not any(name in held for name in ("subject", "source", "requesterid", "comments"))
    ):
        return []
    plain = re.sub(r"<[^<>]+>", "", first).strip()
    return [] if any(text.strip() == plain for _, text in listed) else [("user", plain)]


def _answered(held: Mapping[str, Any], before: Pairs) -> Pairs:
    """Return what a response adds to its request's messages."""
    choices = held.get("choices")
    if isinstance(choices, list) and choices:
        return told({"choices": choices})
    for name in RESPONSES:
        inner = held.get(name)
        if inner is None or (name in ("output", "result", "reply") and isinstance(inner, bool)):
            continue
        found = told(inner)
        if found:
            return found[len(before) :] if found[: len(before)] == before and len(found) > len(before) else found
    for name in ("candidates",):
        if isinstance(held.get(name), list):
            return told({name: held[name]})
    return []


def told(value: Any) -> Pairs:
    """Return what a response says; nothing where it says nothing."""
    value = decoded(value)
    if isinstance(value, str):
        return [("assistant", value)] if value.strip() else []
    if isinstance(value, list):
        try:
            return _listed(value, "messages") or _blocks(value)
        except RowError:
            return _blocks(value)
    if not isinstance(value, Mapping):
        return []
    for name in ("body", "response", "message", "json"):
        if isinstance(value.get(name), Mapping) and (found := told(value[name])):
            return found
    choices = value.get("choices") or value.get("candidates") or value.get("generations")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        first = choices[0]
        inner = first.get("message") or first.get("content") or first.get("text") or first.get("delta")
        return told(inner)
    for name in ("output", "outputs"):
        if isinstance(value.get(name), list | Mapping) and (found := told(value[name])):
            return found
    text = field(
        value,
        ("content", "text", "parts", "outputtext", "completion", "answer", "generation", "reply", "response", "output"),
    )
    try:
        words = text_of(text)
    except RowError:
        return []
    return [("assistant", words)] if words.strip() else []


def _blocks(blocks: Sequence[Any]) -> Pairs:
    try:
        words = text_of(list(blocks))
    except RowError:
        return []
    return [("assistant", words)] if words.strip() else []


def asked(inner: Mapping[str, Any]) -> Pairs:
    """Return what an object asks under a usual name; nothing where it asks nothing."""
    held = {key(name): decoded(each) for name, each in inner.items()}
    for name in ("input", "prompt", *QUESTIONS):
        value = held.get(name)
        if isinstance(value, str) and value.strip():
            return marked(value) or [("user", value)]
        if isinstance(value, list) and (found := _listed(value, "messages")):
            return found
        if isinstance(value, Mapping) and (
            found := _find({str(each): one for each, one in value.items()}, 1) or asked(value)
        ):
            return found
    return []


def _pair(held: Mapping[str, Any]) -> Pairs | None:
    """Return a question and its answer; None where the object does not hold a question with or without one."""
    wish = next((name for name in QUESTIONS if _speaks(held.get(name))), None)
    reply = next((name for name in ANSWERS if _speaks(held.get(name)) and name != wish), None)
    if wish is None:
        return None
    question = held[wish]
    alone = set(held) & {"response", "completion", "output", "answer"} or wish in ("prompt", "question", "instruction")
    if reply is None and not alone:
        return None
    if isinstance(question, str):
        extra = held.get("input") if wish == "instruction" else None
        text = f"{question}\n{extra}" if isinstance(extra, str) and extra.strip() else question
        pairs = marked(text) or [("user", text)]
    else:
        pairs = (_listed(question, "messages") or []) if isinstance(question, list) else asked(question)
    if not pairs:
        return None
    answer = told(held[reply]) if reply is not None else []
    return [*_system(held), *pairs, *answer]


def _speaks(value: Any) -> bool:
    return (isinstance(value, str) and bool(value.strip())) or (isinstance(value, list | Mapping) and bool(value))
