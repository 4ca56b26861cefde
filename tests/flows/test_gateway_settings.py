"""What of the model gateway can be set from outside, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from wildtool.flows.settings import load_settings
from wildtool.flows.stages.draft import gateway_settings
from wildtool.schemas.errors import SettingsError

TABLE = """
model = "mine"
openai_base_url = "http://here/v1"
in_flight = 7

[gateway]
requests_per_minute = 500
timeout_seconds = 60
parameters = { temperature = 0.7 }

[gateway.prices.mine]
prompt = 1.5
completion = 6.0

[gateway.roles.checker]
model = "judge"
key_variable = "JUDGE_KEY"

[gateway.batch]
poll_seconds = 5
"""


def test_the_table_reaches_the_gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wildtool.toml").write_text(TABLE, encoding="utf-8")
    found = gateway_settings(load_settings())
    assert (found.endpoint.model, found.endpoint.base_url) == ("mine", "http://here/v1")
    assert found.endpoint.parameters == {"temperature": 0.7}
    assert (found.max_in_flight, found.requests_per_minute, found.timeout_seconds) == (7, 500, 60)
    assert found.roles["checker"].model == "judge" and found.roles["checker"].key_variable == "JUDGE_KEY"
    assert found.roles["checker"].base_url == "http://here/v1"
    assert found.prices["mine"].completion == 6.0 and "gpt-4o" in found.prices
    assert found.batch is None
    batched = gateway_settings(load_settings(batch=True))
    assert batched.batch is not None and batched.batch.poll_seconds == 5


@pytest.mark.parametrize(
    ("table", "cause"),
    [
        ("[gateway]\nrequests = 3", "gateway.requests"),
        ("[gateway]\ntimeout_seconds = 0", "gateway.timeout_seconds"),
        ("[gateway.roles.checker]\nmodel = 'judge'\napi_key = 'sk-planted'", "gateway.api_key"),
        ("[gateway.prices.x]\nprompt = 'much'", "gateway.prices.x"),
        ("[gateway]\nroles = 3", "[gateway]"),
    ],
)
def test_a_wrong_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, cause: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wildtool.toml").write_text(table, encoding="utf-8")
    with pytest.raises(SettingsError) as failed:
        gateway_settings(load_settings())
    assert cause in failed.value.cause and "wildtool.toml" in failed.value.remedy
    assert "sk-planted" not in str(failed.value)


NO_SERVERS = ["notaurl", "file:///etc/passwd", "http://", "https:///v1", "ftp://host/v1", "host:8000/v1", "http://a b/v1",
              "http://host:99999/v1", "http://host:port/v1", "http://[::1/v1", "http://host\x1b[31m/v1"]  # fmt: skip


@pytest.mark.parametrize("given", NO_SERVERS)
def test_what_is_no_address_of_a_server_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match="openai_base_url"):
        load_settings(openai_base_url=given)
    with monkeypatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", given)
        with pytest.raises(SettingsError, match="setting"):
            load_settings()
    roles = load_settings(gateway={"roles": {"checker": {"model": "judge", "base_url": given}}})
    with pytest.raises(SettingsError, match=r"gateway\..*base_url"):
        gateway_settings(roles)


def test_addresses_of_servers_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for given in ("http://127.0.0.1:8000/v1", "https://api.example.com/v1", "HTTP://localhost", "http://[::1]:80/v1"):
        assert load_settings(openai_base_url=given).openai_base_url == given
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    assert load_settings().openai_base_url is None
