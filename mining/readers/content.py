"""Helpers that all log formats share: roles, contents, timestamps, pseudonyms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from wildtool.schemas.base import sha256_hex

Role = Literal["system", "user", "assistant", "tool"]

_ROLE_NAMES: dict[Role, str] = {
    "system": "system developer instruction instructions context 系统 système sistema システム시스템 система",
    "user": "user human customer client prompter person guest caller usr 用户 用戶 客户 人类 问 顾客 utilisateur usuario "
    "usuário benutzer nutzer kunde utente пользователь ユーザー 사용자 cliente humain mensch q",
    "assistant": "assistant gpt chatgpt bot model ai agent chatbot bard bing claude gemini llm 助手 助理 机器人 客服 答 "
    "模型 asistente assistente assistent ассистент アシスタント 어시스턴트 a output system_agent wizard",
    "tool": "tool function observation ipython environment tool_result function_response function_call tool_call "
    "tool_calls plugin 工具 函数 工具结果",
}

ROLES: dict[str, Role] = {name: role for role, names in _ROLE_NAMES.items() for name in names.split()}
"""Role names seen in logs, lower case, in several languages; "ai" and "human" are LangChain's, "gpt" ShareGPT's."""

MEDIA_MARKS = (("image", "[image]"), ("audio", "[audio]"), ("video", "[video]"), ("file", "[file]"))

SURROGATE = re.compile("[\ud800-\udfff]")


class RowError(ValueError):
    """A row that cannot become a conversation: a countable ``reason`` and one line of ``detail``.

    Never leaves the readers: it becomes a row of the quarantine.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class Chat:
    """What a format function found in one row, before it is made a ``Conversation``."""

    messages: list[tuple[Role, str]]
    """Role and text of each message, in order."""
    id: str = ""
    """Id in the log; empty where it has none."""
    user: str = ""
    """Whatever tells users apart in the log; empty where nothing does."""
    created: Any = None
    """Timestamp in any form."""
    flags: list[str] = field(default_factory=list)
    """The log's own marks: ``toxic``, ``redacted``."""


def role_of(name: Any) -> Role:
    """OpenAI role for a log's role name. Raises ``RowError`` (``unknown_role``) for a name never seen."""
    role = ROLES.get(name) if isinstance(name, str) else None
    if role is None:
        role = ROLES.get(str(name).strip().casefold())
    if role is None:
        raise RowError("unknown_role", f"no role is known by the name {str(name)[:40]!r}")
    return role


def text_of(content: Any) -> str:
    """Text of a message's content: a string, a list of parts, a ChatGPT ``parts`` object, or nothing.

    Images, audio and files become ``[image]``, ``[audio]``, ``[file]``. Lone surrogates, which no file can hold,
    become U+FFFD.
    """
    if isinstance(content, str):
        return SURROGATE.sub("\ufffd", content) if SURROGATE.search(content) else content
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(text for part in content if (text := text_of(part)))
    if isinstance(content, dict):
        return _part_text(content)
    if isinstance(content, bool | int | float):
        return str(content)
    raise RowError("bad_content", f"a message content of type {type(content).__name__}")


_UNSAID = frozenset(
    "tool_use tool_call function_call server_tool_use thinking redacted_thinking reasoning thoughts reasoning_recap step-start "
    "real_time_user_audio_video_asset_pointer audio_asset_pointer model_editable_context user_editable_context".split()
)
"""Kinds of parts that nobody says."""


def _part_text(part: dict[str, Any]) -> str:
    kind = str(part.get("type") or part.get("content_type") or "")
    if kind in _UNSAID:
        return ""
    if kind == "audio_transcription":
        return text_of(part.get("text"))
    for word, mark in MEDIA_MARKS:
        if word in kind:
            return mark
    if part.get("thought") is True or kind.startswith("tool-") or "functionCall" in part or "toolUse" in part:
        return ""
    for key in ("text", "parts", "content", "value", "result", "output"):
        if key in part:
            return text_of(part[key])
    for word, mark in MEDIA_MARKS:
        if any(word in key for key in part):
            return mark
    return ""


def pseudonym(value: str) -> str:
    """Pseudonym of whatever tells users apart: 12 hex digits, equal for equal values."""
    return sha256_hex(f"user\0{value}")[:12]


LONGEST_TIME = 60
"""A longer text is not a time."""


def iso_time(value: Any) -> str | None:
    """ISO 8601 text of a timestamp in any form that logs use; None where it has none that can be read.

    Numbers count as seconds, milli-, micro- or nanoseconds by their size; text may be ISO 8601, RFC 2822 or a number.
    Without an offset UTC is taken.
    """
    for _ in range(2):  # MongoDB's {"$date": {"$numberLong": …}}, protobuf's {"seconds": …}
        if isinstance(value, dict):
            value = value.get("$date", value.get("$numberLong", value.get("seconds")))
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, str):
        text = value.strip() if len(value) <= LONGEST_TIME else ""
        if re.fullmatch(r"\d{9,19}(\.\d+)?", text):
            return iso_time(float(text))
        try:
            return iso_time(datetime.fromisoformat(text.replace("/", "-").replace(" UTC", "+00:00")))
        except ValueError:
            pass
        return _written_time(text)
    # Whole numbers of any length stand in JSON: beyond a float they are not a time.
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e21:
        seconds = float(value)
        for _ in range(3):  # milli, micro, nano
            if seconds > 1e11:  # seconds reach 1e11 in the year 5138, so more means a finer unit
                seconds /= 1000
        try:
            return datetime.fromtimestamp(round(seconds, 6), UTC).isoformat()
        except (ValueError, OverflowError, OSError):
            return None
    return None


_FORMS = (
    "%Y年%m月%d日 %H:%M:%S",
    "%Y年%m月%d日 %H:%M",
    "%Y年%m月%d日",
    "%b %d, %Y, %I:%M:%S %p",
    "%b %d, %Y, %I:%M %p",
    "%b %d, %Y",
    "%B %d, %Y, %I:%M:%S %p",
    "%B %d, %Y, %I:%M %p",
    "%B %d, %Y",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y",
)
"""Written dates of which no part can be taken for another; 03/05/2024 is none of them."""


def _written_time(text: str) -> str | None:
    try:
        return iso_time(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        pass
    for form in _FORMS:
        try:
            return iso_time(datetime.strptime(text, form))
        except ValueError:
            continue
    return None
