"""Which operations and parameters stay out, and for which reason."""

from __future__ import annotations

import re

from wildtool.api_catalog.functions.description import Operation
from wildtool.api_catalog.functions.names import words_of
from wildtool.api_catalog.functions.texts import language_of
from wildtool.api_catalog.functions.values import kind_of, kinds_of
from wildtool.language.injection import order_in
from wildtool.language.lexicon import languages, spaced
from wildtool.schemas.base import JsonObject

WIDEST = 16
"""Declared arguments before cleaning; wider operations are forms, not questions."""

LONGEST_NAME = 32
"""Of an optional parameter; ``searchCriteria_filterGroups_0_filters_0_field`` is no word of a person."""


_PLUMBING = frozenset(
    """
    oauth oauth2 oauth1 login logout signin signout signup authenticate authentication authorize authorization auth
    webhook webhooks health healthcheck healthz heartbeat ping swagger openapi metrics debug admin internal batch bulk
    callback callbacks csrf sso saml scim apikey apikeys ratelimit rpc graphql migrate migration cron options preflight
    captcha impersonate telemetry diagnostics readiness liveness superuser sandbox jwks wellknown echo proxy rendition
    acl permissions permission rbac polyfill soap wsdl wadl tenant tenants namespace namespaces cluster clusters
    password passwords credential credentials robots sitemap favicon manifest crossdomain
    """.split()
)
_SIGN_IN = frozenset(
    """
    oauth oauth2 oauth1 authorize authorization login logout signin signout authenticate auth token jwks wellknown health
    healthcheck healthz ping heartbeat readiness liveness swagger openapi webhook webhooks csrf captcha robots favicon
    """.split()
)
"""Whole path segments that are plumbing in anybody's API: a ``healthChecks`` or ``namespaces`` may be what it is for."""

_WITHDRAWN = re.compile(
    r"^\W*(?:deprecated|obsolete)\b|[\[(*]\s*(?:deprecated|obsolete)\b"
    r"|\b(?:endpoint|api|method|operation|call|resource|function|service|version|this|it)\s+(?:is|has been|was|will be)\s+"
    r"(?:now\s+|being\s+)?(?:deprecated|obsolete|retired|discontinued|no longer (?:supported|available|maintained))\b"
    r"|\b(?:for )?internal use only\b|\bfor internal use\b|\bdo not use this\b|\blorem ipsum\b|已(?:废弃|弃用)",
    re.IGNORECASE,
)
"""Said of the operation itself; "if the key is no longer in use" is said of something else."""


def closed_gate(operation: Operation, *, wide: bool = False) -> str | None:
    """The reason why an operation stays out, by what can be told without resolving it; None if it may pass.

    ``wide``: for people's own files, where a terse description is mended instead of refused.
    """
    if operation.deprecated:
        return "deprecated"
    if _is_plumbing(operation, wide=wide):
        return "plumbing"
    if operation.width > WIDEST and not wide:
        return "too_many_parameters"
    said = f"{operation.summary} {operation.description}".strip()
    if said and language_of(said) not in languages():
        return "language"
    if not said and not wide:
        return "no_description"
    if len(said.split()) < 3 and spaced(language_of(said)) and not wide:
        return "poor_description"
    if order_in(said):
        return "injected_text"
    if _WITHDRAWN.search(said[:400]):
        return "deprecated"
    return None


def _is_plumbing(operation: Operation, *, wide: bool) -> bool:
    """Whether an operation signs in, watches or wires: nothing that a person asks for."""
    if not operation.method:  # written for models: whoever did wanted it called
        return False
    segments = ["".join(words_of(part)) for part in operation.path.split("/") if part and not part.startswith("{")]
    own = [segment for segment in segments if segment not in {"api", "rest"} and not re.fullmatch(r"v?\d*", segment)]
    if own in (["status"], ["version"]) or own[-2:] in (["me", "token"], ["auth", "token"]):
        return True
    if wide:
        return bool(_SIGN_IN & set(own))
    words = set(words_of(operation.name)) | {word for part in operation.path.split("/") for word in words_of(part)}
    return bool(words & _PLUMBING) or operation.path.endswith(("/token", "/tokens"))


def unfit(visible: str, schema: JsonObject, *, wide: bool) -> str | None:
    """The reason why a parameter cannot be shown. ``wide`` takes all that a model can fill in, said or not."""
    if not visible:
        return "illegal_name"
    if wide:
        return None
    return "long_name" if len(visible) > LONGEST_NAME else unsayable(schema)


def unsayable(schema: JsonObject) -> str | None:
    """The reason why no person could say a value of this schema; None if one could."""
    if "anyOf" in schema:
        kinds = [unsayable(branch) for branch in schema["anyOf"]]
        return next((kind for kind in kinds if kind), None)
    kind = kind_of(schema) or min(kinds_of(schema) - {"null"}, default=None)  # of several, all are scalar
    if kind == "object":
        properties = schema.get("properties")
        if not isinstance(properties, dict) or not properties:
            return "freeform_object"
        if len(properties) > 6 or any(kind_of(inner) in {"object", "array", None} for inner in properties.values()):
            return "nested_object"
        return None
    if kind == "array":
        items = schema.get("items", {})
        return (
            None
            if kind_of(items) in {"string", "integer", "number"} and items.get("format") != "binary"
            else "nested_array"
        )
    if kind not in {"string", "integer", "number", "boolean"}:
        return "untyped"
    if re.search(
        r"\bbase ?64|\bencoded (?:file|image)|\bbinary\b|\bstringified\b|\bserialized\b",
        str(schema.get("description", "")),
        re.I,
    ):
        return "binary_value"
    return None
