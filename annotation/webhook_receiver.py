"""Receive webhooks of an annotation tool: each is a hint that there is something to pull, and never more.

A tool may wait a second and not try again, and anybody who reaches the port can send anything. So the receiver ignores
what it is sent: with the right secret it calls ``on_hint`` and answers.
"""

from __future__ import annotations

import hmac
import logging
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from wildtool.schemas.errors import SettingsError

log = logging.getLogger(__name__)

SECRET_HEADER = "X-Wildtool-Secret"
"""Header that carries the secret."""

QUIET_SECONDS = 2.0
"""A burst of submissions is one hint."""

MAX_BODY = 5_000_000
"""Bytes that are read and thrown away; a label is some 20 kB."""


class HookServer:
    """Listens in its own thread and calls ``on_hint`` some seconds after the first hint of a burst."""

    def __init__(
        self,
        secret: str,
        on_hint: Callable[[], None],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        quiet_seconds: float = QUIET_SECONDS,
    ) -> None:
        if len(secret) < 16:
            raise SettingsError("the webhook secret is too short", "give at least 16 characters")
        self._secret, self._on_hint, self._quiet = secret, on_hint, quiet_seconds
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = min(int(self.headers.get("Content-Length") or 0), MAX_BODY)
                given = self.headers.get(SECRET_HEADER, "")
                right = hmac.compare_digest(given.encode(), receiver._secret.encode())
                self.rfile.read(length)
                self.send_response(204 if right else 403)
                self.end_headers()
                if right:
                    receiver._hint()

            def log_message(self, format: str, *args: object) -> None:
                log.debug(format, *args)

        self._server = ThreadingHTTPServer((host, port), Handler)
        self.url = f"http://{host}:{self._server.server_port}/"
        """Address it listens at."""
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def _hint(self) -> None:
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(self._quiet, self._call)
                self._timer.daemon = True
                self._timer.start()

    def _call(self) -> None:
        with self._lock:
            self._timer = None
        self._on_hint()

    def __enter__(self) -> HookServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
