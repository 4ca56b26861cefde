"""Which parameters are credentials or transport, and so no business of a model or a user."""

from __future__ import annotations

import re

from wildtool.api_catalog.functions.names import words_of
from wildtool.schemas.base import JsonObject

_ALWAYS = re.compile(
    r"x?(?:\w{0,60}(?:apikey|apitoken|apisecret|apipassword|apisig|apisignature|accesstoken|authtoken|authkey|oauthtoken|"
    r"bearertoken|sessiontoken|refreshtoken|securitytoken|logintoken|usertoken|clientsecret|consumersecret|consumerkey|"
    r"appsecret|apppassword|appkey|apptoken|subscriptionkey|developerkey|devkey|secretkey|accesskeyid|accesskey|"
    r"privatekey|licensekey|securitykey|sessionkey|idtoken|csrftoken|xsrftoken|rapidapihost)"
    r"|\w{0,24}auth|authorization|authorisation|authentication|oauth\w{0,60}|jwt|jwttoken|bearer|hmac|secret|devid|keyid"
    r"|\w{1,60}password(?<!newpassword)(?<!oldpassword)(?<!haspassword))"
)
"""Names that authenticate wherever they stand but in a path."""

_IN_PATH = re.compile(r"(?:api|access|auth)(?:key|token)")
"""What authenticates even there; ``/keys/{keyId}`` does not."""

_IN_HEADER = re.compile(
    r"key|token|secret|auth|app_?id|client_?id|rapidapi|session|signature|credential|passw|user$|username|login"
)

_SOMETIMES = re.compile(
    r"x?(?:key|token|session|sessionid|sid|appid|applicationid|clientid|clientkey|accesscode|username|user|login|"
    r"password|passwd|pass|code|hash|nonce|timestamp|usr|pwd|publickey|mykey|dev|credentials?|signature|sig|userkey|accountid)"
)
"""Names that may as well be what a call is about: their description decides."""

_MEANT = re.compile(
    r"\b(?:api|access|app|application|developer|subscription|auth(?:entication|orization)?|security|bearer|oauth|"
    r"licen[cs]e|client|personal|secret|account|service|your|our|registration)[\s_-]*(?:key|token|id|code|secret|credentials?)\b"
    r"|\b(?:authenticat|authoriz|authoris)\w+|\bobtain(?:ed)?\s+(?:from|by|after|at)\b[^.]{0,40}\b(?:regist|sign|login|account|dashboard)"
    r"|\b(?:app|developer|account) settings\b|\bcl[ée] api\b|\boauth\b|^password for (?:the )?account\b"
    r"|\bjwt\b|\bhmac\b|\bsigned?\s+request|\bcredentials?\b|\bgiven to you\b|\bregister(?:ed)?\s+(?:app|for|at)\b",
    re.IGNORECASE,
)
_CREDENTIAL_OF_API = re.compile(
    r"\b(?:api|your)\s+(?:user ?name|password|login|account(?:'s)?\s+(?:user ?name|password))|for (?:basic )?auth", re.I
)
_PAGING = re.compile(r"\b(?:page|next|previous|continuation|cursor|pagination|sync|result set)\b", re.IGNORECASE)
_TRANSPORT = frozenset(
    """
    accept acceptencoding acceptcharset contenttype contentlength contentencoding contentmd5 useragent host
    origin referer ifmatch ifnonematch ifmodifiedsince ifunmodifiedsince ifrange range connection cachecontrol
    pragma expect date xrequestid xcorrelationid correlationid requestid traceparent tracestate baggage
    idempotencykey xidempotencykey xforwardedfor xforwardedhost xclientversion xapiversion xrequestedwith
    xhttpmethodoverride prefer dnt via te trailer upgrade xmsclientrequestid xamzdate xtransactionid xtraceid
    xrequestedby digest xmsversion xcallbackurl xpoweredby xuseragent xorigin
    """.split()
)
_PLUMBING = re.compile(
    r"^(?:callback|jsonp|jsoncallback|jsonpcallback|callbackfunction|prettyprint|pretty|alt|quotauser|userip|uploadprotocol|uploadtype|xgafv|"
    r"format|responseformat|outputformat|output|mode4json|indent|envelope|suppressresponsecodes|apiversion|version4api|"
    r"debug|trace|nocache|requestid|correlationid|idempotencykey|accepttype|contenttype)$"
)
_MACHINE_FORMATS = frozenset({"json", "xml", "jsonp", "csv", "html", "yaml", "rdf", "atom", "rss", "php", "text", "txt",
                              "kml", "gpx", "geojson", "json-ld", "jsonld", "ttl", "tsv", "pjson", "media", "proto",
                              "application/json", "application/xml", "text/xml", "text/csv", "text/html"})  # fmt: skip


def is_credential(name: str, location: str, description: str, declared: frozenset[str] = frozenset()) -> bool:
    """Whether a parameter authenticates the caller.

    Declared ones by their declaration; the rest by name, and where the name may as well be a genuine ``key``
    or ``token``, only if the description says so. ``pageToken`` and ``licensePlate`` stay.
    """
    if name in declared or (location == "header" and name.lower() in {given.lower() for given in declared}):
        return True
    folded = "".join(words_of(name))
    if not folded or _PAGING.search(" ".join(words_of(name))):
        return False
    match location:
        case "cookie":
            return True
        case "path":
            return _IN_PATH.fullmatch(folded) is not None
        case "header":
            return _IN_HEADER.search(folded) is not None and "idempotency" not in folded
        case _:
            pass
    if _ALWAYS.fullmatch(folded):
        return True
    if _SOMETIMES.fullmatch(folded) is None or _PAGING.search(description):
        return False
    if folded in {"username", "user", "login", "password", "passwd", "pass", "usr", "pwd"} and location != "query":
        return _CREDENTIAL_OF_API.search(description) is not None
    return _MEANT.search(description) is not None or _CREDENTIAL_OF_API.search(description) is not None


def is_transport(name: str, location: str, enum: list[object] | None = None) -> bool:
    """Whether a parameter only steers HTTP or the encoding of the answer."""
    folded = "".join(words_of(name))
    if folded in {"callback", "jsonp", "jsoncallback", "jsonpcallback"}:
        return location not in {"argument", "path"}
    if location == "header":
        return (
            folded in _TRANSPORT
            or folded.endswith(("apiversion", "acceptversion"))
            or folded.startswith(("xamz", "xgoog", "xms", "if", "sec", "access"))
        )
    if location in {"body", "argument"}:
        return False
    if not _PLUMBING.match(folded):
        return False
    if folded in {"format", "output", "responseformat", "outputformat"}:
        # a format is only transport when its values are encodings: an image's or a document's format is content
        return enum is None or all(str(value).lower() in _MACHINE_FORMATS for value in enum)
    return True


def without_credentials(schema: JsonObject) -> JsonObject | None:
    """The schema of a parameter without the properties inside it that authenticate the caller, at any depth.

    None where nothing else is in it. ``pageToken`` and the like stay, as at the top.
    """
    found: JsonObject = dict(schema)
    properties = schema.get("properties")
    if isinstance(properties, dict) and properties:
        kept = {
            name: inner
            for name, given in properties.items()
            if not is_credential(name, "body", str(given.get("description", "")))
            and (inner := without_credentials(given)) is not None
        }
        if not kept:
            return None
        found["properties"] = kept
        if "required" in schema:
            wanted = [name for name in schema["required"] if name in kept]
            found.pop("required")
            if wanted:
                found["required"] = wanted
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            inner = without_credentials(schema[keyword])
            if inner is None:
                return None
            found[keyword] = inner
    if isinstance(schema.get("anyOf"), list):
        branches = [one for branch in schema["anyOf"] if (one := without_credentials(branch)) is not None]
        if not branches:
            return None
        found["anyOf"] = branches
    return found
