from __future__ import annotations

import threading
import urllib.error
import urllib.request

import pytest

from wildtool.annotation import HookServer
from wildtool.annotation.webhook_receiver import SECRET_HEADER
from wildtool.schemas.errors import SettingsError


def _post(url: str, secret: str) -> int:
    request = urllib.request.Request(url, data=b"{}", headers={SECRET_HEADER: secret}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_burst_of_hooks_is_one_hint_and_a_wrong_secret_none() -> None:
    hinted, hints = threading.Event(), []

    def hint() -> None:
        hints.append(1)
        hinted.set()

    with HookServer("a-secret-of-some-length", hint, quiet_seconds=0.2) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert _post(server.url, "wrong") == 403
        assert not hinted.wait(0.4)
        assert [_post(server.url, "a-secret-of-some-length") for _ in range(5)] == [204] * 5
        assert hinted.wait(5)
    assert len(hints) == 1
    with pytest.raises(SettingsError):
        HookServer("short", hint)
