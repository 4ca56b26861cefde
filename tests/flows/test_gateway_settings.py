"""What of the model gateway can be set from outside, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.settings import load_settings
from flows.stages.draft import gateway_settings
from schemas.errors import SettingsError

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
