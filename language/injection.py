"""Text that speaks to the model which reads it, in place of saying something to or for the user.

Logs, descriptions of tools and observations are other people's text. What bounds it is not these lists, which know the
common tries alone, but where it stands: as data within one session's messages, never in an instruction.

Two lists, since who speaks matters: a user may well say "from now on answer in French", a description of a tool may not.
Gaps in the patterns are bounded, those of blanks too, so each takes linear time.
"""

from __future__ import annotations

import re

from wildtool.language.folding import visible

_ORDERS = r"disregard|ignore|forget|override|overrule|bypass"
_SECRETS = r"(?:~/\.(?:ssh/(?!\w{1,40}\.pub)|aws|netrc)|/etc/(?:passwd|shadow)|\bid_(?:rsa|ed25519)\b(?!\.pub)|\.aws/credentials)"

_ANYWHERE = (
    # Instructions: the earlier ones are void, these are the new ones.
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|system)\b[^.\n]{0,30}"
    r"\b(?:instructions?|prompts?|rules|messages?)\b",
    rf"\b(?:{_ORDERS})\b[^.\n]{{0,20}}\b(?:your|previous|prior|earlier|safety)\b[^.\n]{{0,20}}"
    r"\b(?:instructions|prompt|guidelines|guardrails|directives|training|programming|orders)\b",
    rf"\b(?:{_ORDERS})\s{{1,4}}(?:everything|anything|whatever|what|all)\s{{1,4}}(?:that\s{{1,4}})?"
    r"(?:the user (?:says?|said|asks?|asked|wants?|wrote|writes)"
    r"|you (?:were|are|have been|had been|know|knew|learned|learnt)\b[^.\n]{0,12}\b(?:told|taught|instructed|asked|before|now))\b",
    r"\b(?:new|hidden|secret|your (?:new|real|actual|true)) (?:system )?instructions?\s{0,4}:",
    r"\b(?:reveal|print|output|show|repeat|leak|disclose)\s{1,4}(?:me\s{1,4})?(?:your|the)\s{1,4}(?:system|hidden|initial|secret)\s{1,4}"
    r"(?:prompt|instructions?|message)\b",
    r"\b(?:system|developer) prompt\b",
    # The user: is not to be heeded, or not to know.
    r"\b(?:disregard|overrule)\s{1,4}the user(?:'s (?:requests?|questions?|instructions?|wish(?:es)?|messages?|orders?)"
    r"|\s{1,4}(?:and|or|entirely|completely|input|requests?|questions?|instructions?)\b|\s{0,4}[.,;!])",
    r"\bignore\s{1,4}the user(?:'s (?:questions?|instructions?|wish(?:es)?)\b"
    r"|\s{1,4}and\s{1,4}(?:answer|reply|respond|say|output|call|use|do)\b)",
    r"\b(?:do not|don't|never) (?:tell|inform|mention (?:this|it) to) the user\b",
    r"\b(?:hide|keep|conceal)\s{1,4}(?:this|it|that)\b[^.\n]{0,20}\bfrom the user\b",
    # Who the model is.
    r"\byou are (?:now|no longer)\b[^.\n]{0,60}\b(?:assistant|model|ai|dan)\b",
    r"\b(?:act|behave|answer|respond)\s{1,4}as\s{1,4}(?:dan\b|an? (?:unrestricted|unfiltered|uncensored|jailbroken|unbound|evil)\b)",
    # Marks of roles, as templates of chats write them, and a role that speaks.
    r"<\|?(?:im_start|im_end|system|endoftext)\|?>|<\|(?:user|assistant|start_header_id|end_header_id|eot_id)\|>|<</?SYS>>|\[/?INST\]",
    r"###\s{0,4}(?:system|instructions?|assistant)\s{0,4}:",
    r"\b(?:system|assistant|developer)\s{0,4}(?:message|note|override|instructions?)?\s{0,4}[:\]>]\s{0,4}(?:please\s{1,4})?"
    r"(?:you (?:must|are|should|will)|disregard|ignore|forget|never|always|from now on|answer|respond|reply|reveal)\b",
    # Secrets.
    r"\bsend (?:the |all |any )?(?:credentials|passwords?|conversation|chat history|private keys?)\b[^.\n]{0,40}\bto\b",
    r"\b(?:send|post|forward|upload|leak|exfiltrate|transmit|e-?mail)\s{1,4}(?:me\s{1,4})?"
    r"(?:all|any|every|your|the (?:whole|entire|full))\s[^.\n]{0,30}\bto\s{1,4}(?:https?://|(?:the\s{1,4})?attacker|\w{1,40}@)",
    rf"\b(?:read|open|cat|load|access)\s[^\n]{{0,60}}{_SECRETS}[^\n]{{0,60}}"
    r"\b(?:pass|send|include|put|attach|paste|provide|submit|add)\b",
    rf"\b(?:pass|send|include|put|attach|submit|leak)\s[^\n]{{0,40}}{_SECRETS}",
    # The same in Chinese.
    r"(?:忽略|无视|忘记|忘掉)[^。\n]{0,12}(?:之前|以上|先前|所有)[^。\n]{0,8}(?:指令|提示|规则|设定)",
    r"(?:忽略|无视|不要理会|不用管)[^。\n]{0,6}用户[^。\n]{0,4}(?:的话|指令|要求|说)",
    r"(?:忘记|忘掉|忽略)[^。\n]{0,4}你[^。\n]{0,4}(?:之前|以前|先前)?[^。\n]{0,4}(?:被告知|学过)",
    r"(?:不要|不得|禁止|别)(?:告诉|告知)用户|新的?(?:系统)?指令[：:]",
)

_TOOL = r"(?:this|the present) (?:tool|function)"
_OTHERS = r"(?:any|all|every|each|the)?\s{0,4}(?:other|another|others)"

_IN_DESCRIPTIONS = (
    # Other tools: this one comes first, or alone.
    rf"\balways\s{{1,4}}(?:first\s{{1,4}})?(?:call|use|invoke|run|prefer|choose|select|pick|execute)\s{{1,4}}{_TOOL}\b",
    rf"\b(?:call|use|invoke|run|prefer|choose|select|pick|execute)\s{{1,4}}{_TOOL}\s{{1,4}}"
    rf"(?:first\b|(?:before|instead of|over|rather than)\s{{1,4}}(?:calling\s{{1,4}}|using\s{{1,4}})?{_OTHERS}\b|no matter\b|regardless\b)",
    rf"\b(?:before|instead of|rather than)\s{{1,4}}(?:calling|using|invoking|running)\s{{1,4}}{_OTHERS}\s{{1,4}}(?:tools?|functions?)\b",
    rf"\b(?:do not|don't|never|stop)\s{{1,4}}(?:call|calling|use|using|invoke|run)\s{{1,4}}{_OTHERS}\s{{1,4}}(?:tools?|functions?)\b",
    # How to answer.
    r"\bfrom now on,?\s{1,4}(?:you|always|never|answer|respond|reply)\b",
    r"(?:^|[.!?:;>\n]\s{0,4}|\byou must\s)(?:always\s{1,4})?(?:answer|respond|reply)\s{1,4}"
    r"(?:only|exclusively|always)\s{1,4}(?:in|with|as)\b",
    # Marks that no HTML has, and being spoken to.
    r"</?(?:important|system[-_ ]?(?:note|prompt|message|instructions?)|assistant)>",
    r"\b(?:if|as|since|because)\s{1,4}you(?:'re| are)\s{1,4}an?\s{1,4}(?:ai|llm|large language model|language model|chatbot)\b",
    r"\b(?:note|attention|notice)\s{1,4}(?:to|for)?\s{0,4}(?:the\s{1,4}|any\s{1,4}|all\s{1,4})?(?:ai|llms?|language models?)\b",
    # The same in Chinese.
    r"从现在(?:起|开始)[^。\n]{0,4}你(?:是|要|必须|只)",
    r"(?:总是|始终|必须|务必|一定要)[^。\n]{0,4}(?:调用|使用)(?:本|此|这个|该)(?:工具|函数)",
    r"(?:调用|使用)(?:其他|其它|任何)[^。\n]{0,4}(?:工具|函数)(?:之前|前)",
)

_INJECTION = re.compile("|".join(_ANYWHERE), re.IGNORECASE)
_DESCRIBED = re.compile("|".join((*_ANYWHERE, *_IN_DESCRIPTIONS)), re.IGNORECASE)


def looks_injected(text: str) -> bool:
    """Whether a text reads like instructions to the model that will see it, whoever says it."""
    return _INJECTION.search(visible(text)) is not None


def order_in(description: str) -> str | None:
    """What of a tool's description, markup and all, gives the model that reads it an order; None if it only describes."""
    found = _DESCRIBED.search(visible(description))
    return None if found is None else found[0]
