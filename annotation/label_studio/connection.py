"""A connection to a Label Studio server: either kind of token, probed once; retries; errors with a remedy."""

from __future__ import annotations

import hashlib
import hmac
import logging
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import ServiceError

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 120.0
"""A batch of 50 tasks is imported in about a second; a server whose SQLite is locked takes its time."""

BACKOFF_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Waits between tries: half a minute in sum, as long as Label Studio takes to restart on a busy machine."""

PAGE_SIZE = 100
"""Tasks a page where annotations come along; a task's data is some 20 kB."""


class Connection:
    """An authenticated connection. Make one with ``connect``."""

    def __init__(
        self, url: str, client: httpx.Client, authorise: Callable[[], str], secret: str, sleep: Callable[[float], None]
    ) -> None:
        self.url = url
        """Address of the server, without credentials."""
        self._client, self._authorise, self._secret = client, authorise, secret
        self.sleep = sleep
        """How to wait."""
        self._header = authorise()

    def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: dict[str, Any] | None = None,
        retry: bool = True,
        missing_ok: bool = False,
        token: str | None = None,
    ) -> Any:
        """The parsed answer, or None for an empty one and, with ``missing_ok``, for 404.

        ``token`` speaks for another user, by a legacy token. Connection errors and 5xx are tried again while
        ``retry`` (give False for what must not happen twice).
        Raises ``ServiceError``.
        """
        import httpx

        waits = BACKOFF_SECONDS if retry else ()
        renewed = False
        attempt = 0
        while True:
            try:
                answer = self._client.request(
                    method,
                    self.url + path,
                    json=json,
                    params=params,
                    headers={"Authorization": f"Token {token}" if token else self._header},
                )
            except httpx.TransportError as error:
                problem = f"Label Studio at {self.url} does not answer: {type(error).__name__}"
            else:
                if answer.status_code == 401 and not renewed and token is None:  # access tokens live some minutes
                    renewed, self._header = True, self._authorise()
                    continue
                if answer.status_code < 500 and answer.status_code != 429:
                    return _parsed(answer, self.url, path, missing_ok)
                problem = f"Label Studio at {self.url} answers {answer.status_code} to {method} {path}"
            if attempt >= len(waits):
                raise ServiceError(
                    problem, "see its log; start it again with `wildtool annotate serve`, then repeat the command"
                )
            log.warning("%s; trying again in %.1f s", problem, waits[attempt])
            self.sleep(waits[attempt])
            attempt += 1

    def get(self, path: str, **params: Any) -> Any:
        """GET with query parameters."""
        return self.request("GET", path, params=params or None)

    def post(self, path: str, json: Any, *, retry: bool = True) -> Any:
        """POST; ``retry=False`` for what must not happen twice."""
        return self.request("POST", path, json=json, retry=retry)

    def patch(self, path: str, json: Any) -> Any:
        """PATCH."""
        return self.request("PATCH", path, json=json)

    def tasks(
        self, project: int, *, query: JsonObject | None = None, page_size: int | None = None, **params: Any
    ) -> Iterator[JsonObject]:
        """The project's tasks that match a data manager's query, page by page."""
        import json as json_module

        page, page_size = 1, page_size or PAGE_SIZE
        while True:
            asked = {"project": project, "page": page, "page_size": page_size, "resolve_uri": "false", **params}
            if query is not None:
                asked["query"] = json_module.dumps(query)
            # Label Studio answers 404 to a page beyond the last one.
            answer = self.request("GET", "/api/tasks", params=asked, missing_ok=True)
            tasks = [] if answer is None else answer["tasks"]
            yield from tasks
            if len(tasks) < page_size:
                return
            page += 1

    def derived_secret(self, purpose: str) -> str:
        """24 hex digits that follow from the token and a purpose, and do not give the token away."""
        return hmac.new(self._secret.encode(), purpose.encode(), hashlib.sha256).hexdigest()[:24]

    def close(self) -> None:
        """Close the sockets."""
        self._client.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(url: str, token: str, *, sleep: Callable[[float], None] = time.sleep) -> Connection:
    """A connection to the server at ``url`` by a legacy token (40 hex digits) or a personal access token.

    Both kinds are probed, what the token looks like decides only which one first. Raises ``ServiceError`` where
    nothing answers, where it is no Label Studio, or where the token is refused.
    """
    import httpx

    address = _without_credentials(url)
    if not token:
        raise ServiceError(
            f"no token for Label Studio at {address}", "set LABEL_STUDIO_API_KEY, or run `wildtool annotate serve`"
        )
    client = httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=not _on_loopback(address))
    kinds = [_legacy, _personal]
    if token.count(".") == 2:  # a personal access token is a JWT
        kinds.reverse()
    try:
        for kind in kinds:
            authorise = kind(client, address, token)
            header = authorise()
            if header and _accepted(client, address, header):
                return Connection(address, client, authorise, token, sleep)
    except httpx.TransportError as error:
        client.close()
        raise ServiceError(
            f"no Label Studio answers at {address}: {type(error).__name__}",
            "start one with `wildtool annotate serve`, or set LABEL_STUDIO_URL",
        ) from error
    except BaseException:
        client.close()
        raise
    client.close()
    raise ServiceError(
        f"Label Studio at {address} refuses the token",
        "copy a token from its account page into LABEL_STUDIO_API_KEY",
    )


def _legacy(client: httpx.Client, url: str, token: str) -> Callable[[], str]:
    return lambda: f"Token {token}"


def _personal(client: httpx.Client, url: str, token: str) -> Callable[[], str]:
    def authorise() -> str:
        answer = client.post(f"{url}/api/token/refresh/", json={"refresh": token})
        return f"Bearer {answer.json()['access']}" if answer.status_code == 200 else ""

    return authorise


def _accepted(client: httpx.Client, url: str, header: str) -> bool:
    answer = client.get(f"{url}/api/current-user/whoami", headers={"Authorization": header})
    if answer.status_code in (401, 403):
        return False
    if answer.status_code != 200 or "application/json" not in answer.headers.get("content-type", ""):
        raise ServiceError(
            f"what answers at {url} is no Label Studio (status {answer.status_code})", "check LABEL_STUDIO_URL"
        )
    return True


def _parsed(answer: httpx.Response, url: str, path: str, missing_ok: bool) -> Any:
    if answer.status_code == 404 and missing_ok:
        return None
    if answer.status_code in (401, 403):
        raise ServiceError(
            f"Label Studio at {url} refuses {path} ({answer.status_code})",
            "copy a token from its account page into LABEL_STUDIO_API_KEY",
        )
    if answer.status_code >= 400:
        raise ServiceError(
            f"Label Studio at {url} refuses {path} ({answer.status_code}): {answer.text[:500]}",
            "the cause above is the server's; check its version (see annotation/label_studio/constraints.txt)",
        )
    return answer.json() if answer.content else None


def _on_loopback(url: str) -> bool:
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def _without_credentials(url: str) -> str:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ServiceError("the address of Label Studio is no http address", "give it as http://host:port")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    netloc = f"{host}:{parts.port}" if parts.port else host
    return urlunsplit((parts.scheme, netloc, parts.path.rstrip("/"), "", ""))
