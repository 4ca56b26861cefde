"""The words of the field, each an enum: an unknown one raises where it enters."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from wildtool.schemas.open_words import added


class Language(StrEnum):
    """Languages that sessions are written in. (Logs may be in any.)"""

    # The members named here come with the package. Any other registered language (``schemas.languages``) becomes a member
    # when its code is first looked up: ``Language("es")``. To go through all, use ``language.lexicon.languages()``.
    EN = "en"
    ZH = "zh"

    @classmethod
    def _missing_(cls, value: object) -> Language | None:
        from wildtool.schemas.languages import LANGUAGES

        if not isinstance(value, str) or value not in LANGUAGES:
            return None
        member = str.__new__(cls, value)
        member._name_, member._value_ = value.upper().replace("-", "_"), value
        return cls._value2member_map_.setdefault(value, member)  # type: ignore[return-value]  # one object a code: `is` holds

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        from wildtool.schemas.languages import LANGUAGES

        made: dict[str, Any] = handler(schema)
        handler.resolve_ref_schema(made)["enum"] = list(LANGUAGES.names())
        return made


class TaskType(StrEnum):
    """What a task asks of the assistant (WildToolBench, section 3)."""

    SINGLE = "single"
    """One call."""
    MULTI = "multi"
    """Two or more calls; see ``Topology``."""
    CLARIFY = "clarify"
    """A required value is missing: the assistant must ask before it calls."""
    CHAT = "chat"
    """No call: small talk or a question that no tool serves."""


class Topology(StrEnum):
    """Shape of a multi task's dependency graph over its calls."""

    SEQUENTIAL = "sequential"
    """A chain: every call waits for the one before it."""
    PARALLEL = "parallel"
    """No call waits for another."""
    MIXED = "mixed"
    """Some wait, some need not."""


class HiddenIntentKind(StrEnum):
    """How the user's message relies on earlier turns.

    Packages add kinds by entry points of the group ``wildtool.hidden_intents``; ``grounding.hidden_intents`` holds what
    each kind means.
    """

    PARTIAL_INFORMATION = "partial_information"
    """A value is left out, since an earlier turn said it."""
    COREFERENCE = "coreference"
    """A value is pointed at: "it", "the second one"."""
    LONG_RANGE = "long_range"
    """The missing piece is more than two user turns back."""

    vars().update(added("wildtool.hidden_intents", vars()))


class ReplyManner(StrEnum):
    """How the user answers a question back."""

    FULL = "full"
    """Every slot that is asked for, in words."""
    PARTLY = "partly"
    """Less than was asked: one of two slots in words and for the other "as before", or a day without its month. The
    dialogue and the clock hold the rest, so that no second question is due."""
    VAGUE = "vague"
    """The value, in doubt: "Lyon, I guess"."""


class Device(StrEnum):
    """The linguistic device by which a follow-up refers to what was said or shown.

    Packages add devices by entry points of the group ``wildtool.reference_devices``.
    """

    ORDINAL = "ordinal"
    REVERSE_ORDINAL = "reverse_ordinal"
    PRONOUN = "pronoun"
    DEMONSTRATIVE = "demonstrative"
    INTERROGATIVE = "interrogative"
    ABBREVIATION = "abbreviation"
    DESCRIPTION = "description"
    OMITTED_SUBJECT = "omitted_subject"
    OMITTED_ATTRIBUTE = "omitted_attribute"
    OMITTED_MODIFIER = "omitted_modifier"
    OMITTED_SEVERAL = "omitted_several"
    ADDED_CONSTRAINT = "added_constraint"
    CHANGED_CONSTRAINT = "changed_constraint"

    vars().update(added("wildtool.reference_devices", vars()))


class TurnKind(StrEnum):
    """What a user turn of a log does."""

    TASK_OPEN = "task_open"
    TASK_UPDATE = "task_update"
    CLARIFY_ANSWER = "clarify_answer"
    FOLLOW_UP = "follow_up"
    CHAT = "chat"
    CLOSE = "close"


class Composition(StrEnum):
    """Several needs in one message, and how they hang together."""

    NONE = "none"
    INDEPENDENT = "independent"
    CHAINED = "chained"
    BOTH = "both"


class Persona(StrEnum):
    """How much the simulated user knows of the domain."""

    EXPERT = "expert"
    NOVICE = "novice"


class AgentRole(StrEnum):
    """Roles that draft a trajectory."""

    USER = "user"
    ASSISTANT = "assistant"
    ENVIRONMENT = "environment"
    CHECKER = "checker"


class Stage(StrEnum):
    """Stages of the pipeline, in the order in which data passes them."""

    MINE = "mine"
    CATALOG = "catalog"
    PLAN = "plan"
    DRAFT = "draft"
    PUSH = "push"
    PULL = "pull"
    ADJUDICATE = "adjudicate"
    RELEASE = "release"
    EVALUATE = "evaluate"


class Decision(StrEnum):
    """An annotator's decision on a draft."""

    ACCEPT = "accept"
    REJECT = "reject"
    SKIP = "skip"


class SlotStatus(StrEnum):
    """What an annotator did with a call slot."""

    KEEP = "keep"
    CHANGE = "change"
    ADD = "add"
    DELETE = "delete"
    UNUSED = "unused"


class RuleSet(StrEnum):
    """Scoring rules: ours, or the original's so that published figures stay comparable."""

    EXACT = "exact"
    ORIGINAL = "original"


class ErrorKind(StrEnum):
    """Why a candidate failed a task (WildToolBench, error analysis)."""

    REFUSAL = "refusal"
    """Text where a call was due."""
    WRONG_NAME = "wrong_name"
    """A call whose function is not among those that may come next."""
    MISSING_INFORMATION = "missing_information"
    """A call where the missing value should have been asked for."""
    WRONG_REFUSAL = "wrong_refusal"
    """An ask where nothing is missing."""
    REDUNDANT_CALL = "redundant_call"
    """A call beyond those that the task needs."""
    CALL_ERROR = "call_error"
    """A call that cannot be parsed, or names no offered tool."""
    EARLY_TERMINATION = "early_termination"
    """A final answer before all actions were done."""
    TYPE_ERROR = "type_error"
    """An argument of a wrong JSON type."""
    HALLUCINATION = "hallucination"
    """An argument that the gold does not have, or a missing one."""
    VALUE_ERROR = "value_error"
    """An argument of the right type with a wrong value."""
    FAILED_REQUEST = "failed_request"
    """The endpoint gave no answer after all retries."""
