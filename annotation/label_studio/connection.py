"""Connect to a Label Studio server: either kind of token, probed once; retries; errors with a remedy."""

from __future__ import annotations

import hashlib
import hmac
import logging
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from tenacity import (
    RetryCallState,
    Retrying,
    before_nothing,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
)

from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import ServiceError

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 120.0
"""A batch of 50 tasks is imported in about a second; a server whose SQLite is locked takes longer."""

ATTEMPTS, FIRST_WAIT_SECONDS = 7, 0.5
"""Each wait doubles: half a minute in sum, as long as Label Studio takes to restart on a busy machine."""

PAGE_SIZE = 100
"""Tasks per page where annotations come along; a task's data is some 20 kB."""


SEE_LOG = "see its log; start it again with `wildtool annotate serve`, then repeat the command"


class Unavailable(ServiceError):
    """The server did not answer, or answered that it cannot right now: the request may be repeated."""


def retries(
    sleep: Callable[[float], None],
    *,
    attempts: int = ATTEMPTS,
    before: Callable[[RetryCallState], None] = before_nothing,
) -> Retrying:
    """Return a caller that repeats what raises ``Unavailable``; ``before`` runs before each attempt."""
    return Retrying(
        retry=retry_if_exception_type(Unavailable),
        wait=wait_exponential(FIRST_WAIT_SECONDS),
        stop=stop_after_attempt(attempts),
        before=before,
        before_sleep=_log_wait,
        sleep=sleep,
        reraise=True,
    )


def _log_wait(state: RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome is not None else None
    if isinstance(error, Unavailable) and state.next_action is not None:
        log.warning("%s; trying again in %.1f s", error.cause, state.next_action.sleep)


class Connection:
    """An authenticated connection; ``connect`` makes one."""

    def __init__(
        self, url: str, client: httpx.Client, authorise: Callable[[], str], secret: str, sleep: Callable[[float], None]
    ) -> None:
        self.url = url
        """Address of the server, without credentials."""
        self._client, self._authorise, self._secret = client, authorise, secret
        self.sleep = sleep
        """How it waits."""
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
        """Send a request; return the parsed answer, or None for an empty one and, with ``missing_ok``, for 404.

        ``token`` speaks for another user, by a legacy token. Connection errors and 5xx are retried unless ``retry`` is
        False, for requests that must not happen twice. Raises ``ServiceError``.
        """

        import httpx

        def attempt() -> Any:
            try:
                answer = self._send(method, path, json, params, token)
                if answer.status_code == 401 and token is None:  # access tokens live some minutes
                    self._header = self._authorise()
                    answer = self._send(method, path, json, params, token)
            except httpx.TransportError as error:
                problem = f"Label Studio at {self.url} does not answer: {type(error).__name__}"
                raise Unavailable(problem, SEE_LOG) from error
            if answer.status_code >= 500 or answer.status_code == 429:
                raise Unavailable(
                    f"Label Studio at {self.url} answers {answer.status_code} to {method} {path}", SEE_LOG
                )
            return _parsed(answer, self.url, path, missing_ok)

        return retries(self.sleep, attempts=ATTEMPTS if retry else 1)(attempt)

    def _send(
        self, method: str, path: str, json: Any, params: dict[str, Any] | None, token: str | None
    ) -> httpx.Response:
        headers = {"Authorization": f"Token {token}" if token else self._header}
        return self._client.request(method, self.url + path, json=json, params=params, headers=headers)

    def get(self, path: str, **params: Any) -> Any:
        """GET with query parameters."""
        return self.request("GET", path, params=params or None)

    def post(self, path: str, json: Any, *, retry: bool = True) -> Any:
        """POST; ``retry=False`` for requests that must not happen twice."""
        return self.request("POST", path, json=json, retry=retry)

    def patch(self, path: str, json: Any) -> Any:
        """PATCH."""
        return self.request("PATCH", path, json=json)

    def tasks(
        self, project: int, *, query: JsonObject | None = None, page_size: int | None = None, **params: Any
    ) -> Iterator[JsonObject]:
        """Yield the project's tasks that match a data manager's query, page by page."""
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
        """Derive 24 hex digits from the token and a purpose; they do not give the token away."""
        return hmac.new(self._secret.encode(), purpose.encode(), hashlib.sha256).hexdigest()[:24]

    def close(self) -> None:
        """Close the sockets."""
        self._client.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(url: str, token: str, *, sleep: Callable[[float], None] = time.sleep) -> Connection:
    """Connect to the server at ``url`` by a legacy token (40 hex digits) or a personal access token.

    Both kinds are probed; how the token looks only decides which one comes first. Raises ``ServiceError`` if nothing
    answers, if the server is something else than Label Studio, or if it refuses the token.
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
            f"the server at {url} is not Label Studio (status {answer.status_code})", "check LABEL_STUDIO_URL"
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
        raise ServiceError("the address of Label Studio is not an http address", "give it as http://host:port")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    netloc = f"{host}:{parts.port}" if parts.port else host
    return urlunsplit((parts.scheme, netloc, parts.path.rstrip("/"), "", ""))
