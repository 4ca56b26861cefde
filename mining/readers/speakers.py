"""Tell who says a message and what: by the names of its fields, whatever tool wrote it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from wildtool.mining.readers.content import ROLES, Role, RowError, role_of, text_of

ROLE_KEYS = (
    "role", "from", "sender", "author", "speaker", "participantrole", "sendertype", "authortype", "fromtype", "senderrole",
    "authorrole", "who", "actor", "party", "side", "participant", "usertype", "participanttype", "speakerrole", "sendername",
    "authorname", "participantid", "authorid", "senderid", "fromid", "speakerid", "username", "user", "name", "direction",
    "角色", "发言人", "rolle",
    "rol", "rôle", "papel", "ruolo", "absender", "remitente", "expéditeur", "mittente", "remetente", "sprecher", "auteur", "autor",
)  # fmt: skip
"""Names of fields that say who speaks, in small letters and digits, the surest first."""

TEXT_KEYS = (
    "content", "text", "body", "message", "value", "utterance", "messagetext", "messagebody", "messagecontent", "plaintext",
    "plainbody", "msg", "parts", "contenttext", "textcontent", "transcript", "contents", "description", "内容", "消息",
    "nachricht", "inhalt", "mensaje", "contenido", "texto", "messaggio", "testo", "mensagem", "conteúdo", "texte", "contenu",
)  # fmt: skip
"""Names of fields that hold what is said."""

GROUP_KEYS = (
    "conversationid", "sessionid", "threadid", "chatid", "dialogueid", "dialogid", "convid", "conversationhash", "conversation",
    "session", "thread", "threadts", "contactid", "ticketid", "roomid", "callid", "dialogue", "dialog", "chat", "ticket",
    "groupid", "interactionid", "caseid", "messagetreeid", "会话", "对话",
    "sitzung", "gespräch", "unterhaltung", "conversación", "conversazione", "conversa", "sesión", "sessione", "sessão",
)  # fmt: skip
"""Names of fields that say to which conversation a message belongs."""

USER_KEYS = (
    "userid", "user", "customerid", "hashedip", "enduser", "accountid", "customer", "clientid", "visitorid", "requesterid",
    "memberid", "requestuserid", "endusers", "distinctid", "用户",
)  # fmt: skip

TIME_KEYS = (
    "timestamp", "createdat", "createtime", "created", "time", "sentat", "date", "datetime", "ts", "tstamp", "starttime",
    "absolutetime", "requestcreatedat", "startedat", "sent", "时间",
)  # fmt: skip

_IDLE = frozenset(
    ("reasoning", "functioncall", "websearchcall", "filesearchcall", "computercall", "itemreference", "mcpcall")
)
"""Types of items that nobody says."""

_TOOLS = frozenset(("functioncalloutput", "toolresult", "toolcalloutput", "computercalloutput", "customtoolcalloutput"))

_BOT = re.compile(
    r"\b(?:bot|assistant|agent|support|operator|helpdesk|advisor|gpt\S*|claude|gemini|ai|system|service)\b|客服|助手|机器人",
    re.I,
)
_DIRECTIONS = {
    "inbound": "user",
    "incoming": "user",
    "in": "user",
    "outbound": "assistant",
    "outgoing": "assistant",
    "out": "assistant",
}

_STAFF: dict[str, Role] = {
    "admin": "assistant", "operator": "assistant", "teammate": "assistant", "staff": "assistant", "lead": "user", "contact": "user",
    "visitor": "user", "end_user": "user", "end-user": "user", "requester": "user", "consumer": "user",
}  # fmt: skip
"""What helpdesks call the author of a message."""

Said = tuple[Role | None, str, str]
"""Role, or None where only the speaker's name tells; the speaker; what is said."""


@lru_cache(maxsize=1 << 14)
def key(name: str) -> str:
    """Return a field's name in small letters and digits alone: ``Sender Type`` and ``sender_type`` are ``sendertype``."""
    return "".join(character for character in name.casefold() if character.isalnum())


def field(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the first field of these names that holds something."""
    held = {key(name): each for name, each in value.items() if each not in (None, "", [], {})}
    return next((held[name] for name in names if name in held), None)


def named(value: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the name under which the first of these fields stands."""
    held = {key(name): name for name, each in value.items() if each not in (None, "")}
    return next((held[name] for name in names if name in held), None)


def said(message: Mapping[str, Any]) -> Said | None:
    """Return who says what in a message; None for an item that nobody says.

    Raises:
        RowError: it names a role that is not known, or none.
    """
    if isinstance(message.get("message"), Mapping) and field(message, ("role",)) is None:
        inner = message["message"]
        if field(inner, TEXT_KEYS) is not None or "role" in inner:
            return said(inner)
    kind = key(str(message.get("type") or ""))
    if (
        kind in _IDLE
        or kind == "toolcall"
        or message.get("isThought") is True
        or (kind == "service" and "action" in message)
    ):
        return None
    if "part_type" in message and message.get("body") is None:
        return None
    content = field(message, TEXT_KEYS)
    text = text_of(content if content is not None else message.get("output") if kind in _TOOLS else content)
    if kind in _TOOLS or _only_results(content):
        return "tool", "", text
    role, speaker = _speaker(message, kind)
    return role, speaker, text


def _only_results(content: Any) -> bool:
    """Return whether a content holds results of tools and nothing else."""
    blocks = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    kinds = {key(str(each.get("type") or "")) for each in blocks}
    results = {"toolresult", "toolcallresponse"}
    return bool(blocks) and (
        kinds <= results or all("functionResponse" in each or "toolResult" in each for each in blocks)
    )


def _speaker(message: Mapping[str, Any], kind: str) -> tuple[Role | None, str]:
    for flag in ("isbot", "bot", "isassistant", "isagent", "fromagent", "fromme"):
        marked = next((each for name, each in message.items() if key(name) == flag), None)
        if isinstance(marked, bool):
            return ("assistant" if marked else "user"), ""
    explicit = message.get("role")
    if isinstance(explicit, str) and explicit:
        return role_of(explicit), ""
    for name in ROLE_KEYS:
        held = next((each for other, each in message.items() if key(other) == name), None)
        if isinstance(held, Mapping):
            inner = _of_author(held)
            if inner is not None:
                return inner
            continue
        if isinstance(held, str | int) and str(held).strip():
            if name == "direction":
                direction = _DIRECTIONS.get(str(held).strip().casefold())
                if direction is not None:
                    return role_of(direction), ""
                continue
            known = ROLES.get(str(held).strip().casefold())
            return (known, "") if known is not None else (None, str(held))
    if kind and kind in ROLES:
        return ROLES[kind], ""
    if kind.removesuffix("message") in ROLES:
        return ROLES[kind.removesuffix("message")], ""
    raise RowError("missing_role", "a message has no role")


def _of_author(author: Mapping[str, Any]) -> tuple[Role | None, str] | None:
    for flag in ("isBot", "is_bot", "bot"):
        if isinstance(author.get(flag), bool):
            return ("assistant" if author[flag] else "user"), ""
    for name in ("role", "type", "kind", "participantRole"):
        held = str(author.get(name) or "").strip().casefold()
        known = ROLES.get(held) or _STAFF.get(held)
        if known is not None:
            return known, ""
    called = next((author[each] for each in ("id", "name", "username", "email") if author.get(each)), None)
    return (None, str(called)) if called is not None else None


def settled(messages: Sequence[Said]) -> list[tuple[Role, str]]:
    """Return messages with the roles of all speakers: a name that sounds like a service is the assistant; who speaks first is the
    user where nothing else tells."""
    speakers = list(dict.fromkeys(speaker for role, speaker, _ in messages if role is None))
    roles: dict[str, Role] = {}
    if speakers:
        services = [each for each in speakers if _BOT.search(each)]
        known = {role for role, _, _ in messages if role is not None}
        if services and len(services) < len(speakers):
            roles = {each: "assistant" if each in services else "user" for each in speakers}
        elif "user" in known and "assistant" not in known:
            roles = dict.fromkeys(speakers, "assistant")
        elif "assistant" in known and "user" not in known:
            roles = dict.fromkeys(speakers, "user")
        else:
            roles = {each: "user" if place == 0 else "assistant" for place, each in enumerate(speakers)}
    return [(role if role is not None else roles[speaker], text) for role, speaker, text in messages]


def conversation_of(messages: Sequence[Any]) -> list[tuple[Role, str]]:
    """Return role and text of all messages of a list, without items that nobody says.

    Raises:
        RowError: an item is no message, or names a role that is not known.
    """
    found: list[Said] = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, Mapping):
            raise RowError("bad_messages", f"message {number} is a {type(message).__name__}, not an object")
        who, what = message.get("role"), message.get("content")
        if type(who) is str and type(what) is str and who in ROLES and "type" not in message:  # nearly all messages
            found.append((ROLES[who], "", text_of(what)))
            continue
        try:
            one = said(message)
        except RowError as error:
            detail = f"message {number} has no role" if error.reason == "missing_role" else error.detail
            raise RowError(error.reason, detail) from error
        if one is not None:
            found.append(one)
    return settled(found)
