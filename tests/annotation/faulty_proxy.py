"""A proxy in front of a real Label Studio that does to requests what networks do."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

Fault = Callable[[int, str, str], str]
"""What happens to the n-th request: ``""``, ``drop``, ``lose`` (done, but the answer is lost), ``hang``, or a status."""

PATIENCE_SECONDS, HANG_SECONDS = 10.0, 11.0
"""What the client waits where the proxy hangs, and how long that is: a busy server answers sooner."""


class FaultyProxy:
    """Forwards to the real server, and fails as told."""

    def __init__(self, target: str, fault: Fault) -> None:
        self.fault, self.met, self.requests = fault, Counter[str](), 0
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                proxy.requests += 1
                met = proxy.fault(proxy.requests, self.command, self.path)
                proxy.met[met] += 1
                if met in ("drop", "hang"):
                    time.sleep(HANG_SECONDS if met == "hang" else 0)
                    self.close_connection = True
                    return
                headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "content-length")}
                if met.isdigit():
                    status, content, kind = int(met), b'{"detail": "as told"}', "application/json"
                else:
                    answer = httpx.request(
                        self.command, target + self.path, headers=headers, content=body, timeout=120, trust_env=False
                    )
                    status, content = answer.status_code, answer.content
                    kind = answer.headers.get("Content-Type", "application/json")
                if met == "lose":
                    self.close_connection = True
                    return
                with suppress(BrokenPipeError):  # the client lost patience
                    self.send_response(status)
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            do_GET = do_POST = do_PATCH = _serve

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> FaultyProxy:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
