"""Which parameters are credentials or transport, and so no business of a model or a user."""

from __future__ import annotations

import re

from api_catalog.names import words_of

_ALWAYS = re.compile(
    r"""^(?:x)?(?:
      (?:rapidapi|api|app|application|apps|developer|dev|subscription|ocpapim\w*|secret|auth|access|consumer|partner|
         product|merchant|service|license|licence|shared|private|master|account|user|client|admin)?(?:api|app|subscription|secret|auth|access|
         license|licence)(?:api)?(?:key|token|secret|code|id(?=$))
      |apikey\w*|\w*apikey|accesstoken|authtoken|oauthtoken|bearertoken|sessiontoken|refreshtoken|idtoken|jwttoken|jwt
      |csrftoken|xsrftoken|authorization|authorisation|proxyauthorization|authentication|auth|oauth\w*|bearer
      |clientsecret|apisecret|appsecret|secret|password4api|apipassword|signature|apisignature|hmac|apisig|sig
      |usertoken|securitytoken|logintoken|securitykey|sessionkey|rapidapi(?:key|host)|subscriptionkey|ocpapimsubscriptionkey
      |userkey|devkey|developerkey|appkey|apptoken|cookie|setcookie|session(?:id)?cookie
    )$""",
    re.VERBOSE,
)
_SOMETIMES = re.compile(
    r"^(?:x)?(?:key|token|code|session|sessionid|sid|appid|applicationid|clientid|accesskey|accesscode|licensekey|"
    r"username|user|login|password|passwd|pass|hash|nonce|timestamp|usr|pwd|privatekey|publickey|mykey|dev|credentials?)$"
)
_MEANT = re.compile(
    r"\b(?:api|access|app|application|developer|subscription|auth(?:entication|orization)?|session|security|bearer|oauth|"
    r"licen[cs]e|client|personal|secret|account|service|your|our|registration)[\s_-]*(?:key|token|id|code|secret|credentials?)\b"
    r"|\b(?:authenticat|authoriz|authoris)\w+|\bobtain(?:ed)?\s+(?:from|by|after|at)\b[^.]{0,40}\b(?:regist|sign|login|account|dashboard)"
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


_EITHER = frozenset(
    """
    appid applicationid accountid clientid apikeyid apiid licenseid licensekey appsid authcode accessid secretid
    accesscode signature secret appkey licenceid userappid subscriptionid clientappid accountappid sig apicode
    appcode authid userkey
    """.split()
)
"""Names of credentials that may as well be what a call is about."""


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
    if location == "cookie":
        return True
    if location == "header" and (_ALWAYS.match(folded) or _SOMETIMES.match(folded)):
        return True  # nobody sends what a call is about in a header of such a name
    if _ALWAYS.match(folded):
        return not _genuine(folded, location, description)
    if _SOMETIMES.match(folded):
        if folded in {
            "key",
            "token",
            "session",
            "sid",
            "sessionid",
            "accesskey",
            "appid",
            "clientid",
            "dev",
            "applicationid",
        }:
            if _PAGING.search(description):
                return False
            return _MEANT.search(description) is not None or (location == "header")
        if folded in {"code", "hash", "nonce", "timestamp"}:
            return (
                location == "header"
                or re.search(r"\bauth(?:entication|orization)\b|\bsign(?:ature|ed)\b", description, re.I) is not None
            )
        return location in {"query", "header"} and (
            _CREDENTIAL_OF_API.search(description) is not None
            or (location == "header" and _MEANT.search(description) is not None)
        )
    return False


def _genuine(folded: str, location: str, description: str) -> bool:
    """Names such as ``appId`` and ``signature`` that may be the very thing a call is about."""
    if folded in _EITHER:
        return location in {"path", "body", "argument"} or _MEANT.search(description) is None
    return location == "path"


def is_transport(name: str, location: str, enum: list[object] | None = None) -> bool:
    """Whether a parameter only steers HTTP or the encoding of the answer."""
    folded = "".join(words_of(name))
    if location == "header":
        return folded in _TRANSPORT or folded.startswith(("xamz", "xgoog", "xms", "if", "sec", "access"))
    if location in {"body", "argument"}:
        return False
    if not _PLUMBING.match(folded):
        return False
    if folded in {"format", "output", "responseformat", "outputformat"}:
        # a format is only transport when its values are encodings: an image's or a document's format is content
        return enum is None or all(str(value).lower() in _MACHINE_FORMATS for value in enum)
    return True
