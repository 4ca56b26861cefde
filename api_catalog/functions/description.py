"""What every importer makes of its format: an API as plain data, before naming, cleaning and gates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wildtool.schemas.base import JsonObject


class Refused(Exception):
    """A source that cannot be used: ``reason`` is a countable code, ``detail`` one line for a person."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = " ".join(detail.split())[:300]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a real call."""

    name: str
    """As the API spells it, legal or not."""
    location: str
    """``path``, ``query``, ``header``, ``cookie``, ``body`` (a property of the body) or ``argument`` (no HTTP)."""
    required: bool
    """Whether a call without it fails."""
    schema: JsonObject
    """Cleaned JSON Schema, its description included."""
    style: str = ""
    """How an array or object is written into a query, path or header: ``csv``, ``multi``, ``ssv``, ``tsv``, ``pipes``,
    ``deepObject``; ``reserved`` for a path value that keeps its slashes; empty for single values."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Arguments and result of an operation, resolved and cleaned."""

    parameters: tuple[Parameter, ...]
    """In the order of the source; path parameters first."""
    returns: JsonObject | None = None
    """JSON Schema of the result, where the source tells."""
    declared_auth: frozenset[str] = frozenset()
    """Names of parameters that a security scheme declares."""
    body_media: str = ""
    """Media type of the body, for the binding."""
    flags: tuple[str, ...] = ()
    """What was lost: ``cycle_cut``, ``budget_cut``, ``external_ref``, ``binary_body``."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One function of the API, as the source has it."""

    name: str
    """``operationId`` or function name; may be empty, illegal or doubled."""
    summary: str
    """Short text; plain."""
    description: str
    """Long text; plain."""
    read: Callable[[], Signature]
    """Resolves arguments and result; called only for operations that passed the cheap gates.

    Raises ``Refused`` where the operation cannot be used.
    """
    method: str = ""
    """HTTP method, lower case; empty for functions without HTTP."""
    path: str = ""
    """Path template."""
    template: str = ""
    """Path template of a real call, where it is not the one that reads well: Google's ``v1/{name}`` for
    ``v1/projects/{projectsId}/topics/{topicsId}``."""
    deprecated: bool = False
    """The source says so."""
    tags: tuple[str, ...] = ()
    """Groups that the source puts it in."""
    width: int = 0
    """Number of declared arguments before resolving; a body counts as one."""


@dataclass(frozen=True, slots=True)
class Description:
    """One API."""

    title: str
    """Its name; plain."""
    description: str
    """What it is for; plain."""
    version: str
    """Version that the description states."""
    licence: str
    """Licence that the description states; empty where it states none."""
    slug: str
    """Short name from provider and service, or from the file."""
    operations: tuple[Operation, ...]
    """Its functions in the source's order."""
    server: str = ""
    """Address that paths are relative to."""
    hints: tuple[str, ...] = ()
    """Words that tell the category: the directory's own categories, tags."""
    notes: tuple[tuple[str, str], ...] = field(default=())
    """(reason, detail) of what was wrong in the source but did not stop the import."""
    kept_names: bool = False
    """Functions written for models already: names are kept where legal."""
    snake: bool = False
    """Most of the names that are kept are ``snake_case``; names that must be made are so too."""
