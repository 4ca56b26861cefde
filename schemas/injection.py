"""Text that speaks to the model which reads it, in place of saying something to or for the user.

Logs, descriptions of tools and observations are other people's text. What bounds it is not this list, which knows the
common tries alone, but where it stands: as data within one session's messages, never in an instruction.
"""

from __future__ import annotations

import re

_INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|system)\b[^.\n]{0,30}"
    r"\b(?:instructions?|prompts?|rules|messages?)\b"
    r"|\byou are (?:now|no longer)\b[^.\n]{0,60}\b(?:assistant|model|ai|dan)\b"
    r"|<\|?(?:im_start|im_end|system|endoftext)\|?>"
    r"|\b(?:do not|don't|never) (?:tell|inform|mention (?:this|it) to) the user\b"
    r"|\b(?:system|developer) prompt\b"
    r"|\bsend (?:the |all |any )?(?:credentials|passwords?|conversation|chat history|private keys?)\b[^.\n]{0,40}\bto\b"
    r"|(?:忽略|无视|忘记)[^。\n]{0,12}(?:之前|以上|先前|所有)[^。\n]{0,8}(?:指令|提示|规则)",
    re.IGNORECASE,
)


def looks_injected(text: str) -> bool:
    """Whether a text reads like instructions to the model that will see it, rather than a description."""
    return _INJECTION.search(text) is not None
