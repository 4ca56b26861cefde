"""What is installed: one package, whole, that lives beside openai-agents, whose package is called ``agents``."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.e2e.installing import environment

pytestmark = pytest.mark.e2e

LINKS = "src/wildtool"


@pytest.fixture(scope="module")
def together(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of an environment with the wheel and openai-agents."""
    return environment(tmp_path_factory.mktemp("together"), wheel, "openai-agents==0.22.3")


def run(command: list[str | Path], folder: Path, **more: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "WILDTOOL_", "PREFECT_", "PYTHON"))}
    ran = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=folder, env={**kept, **more}, timeout=300
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


def rooms(repository: Path) -> list[str]:
    return sorted(
        entry.name for entry in (repository / LINKS).iterdir() if entry.is_dir() and entry.name != "__pycache__"
    )


def tracked(repository: Path) -> set[str]:
    """Files that an install must hold, as paths in it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *rooms(repository), LINKS],
        cwd=repository, capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    files = (name for name in listed if name and (repository / name).is_file())
    return {name.removeprefix("src/") if name.startswith(LINKS) else f"wildtool/{name}" for name in files}


def test_the_wheel_puts_one_package_into_site_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (top_level,) = (name for name in names if name.endswith("top_level.txt"))
        assert archive.read(top_level).decode().split() == ["wildtool"]
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"wildtool"}


def test_the_wheel_holds_every_file_of_the_rooms_and_no_other(wheel: Path, repository: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("wildtool/")}
    wanted = tracked(repository)
    assert len([name for name in wanted if not name.endswith(".py")]) > 100
    assert held == wanted


def test_the_source_distribution_holds_files_instead_of_links(distributions: Path, repository: Path) -> None:
    (path,) = distributions.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        members = {member.name.partition("/")[2]: member for member in archive.getmembers()}
    assert {"pyproject.toml", "README.md", "LICENSE", "constraints.txt"} <= members.keys()
    assert not [name for name, member in members.items() if member.issym() or member.islnk()]
    assert not [name for name in members if name.startswith("tests/")]
    assert {f"src/{name}" for name in tracked(repository)} <= members.keys()


def test_it_lives_beside_openai_agents(together: Path, tmp_path: Path) -> None:
    code = """
import agents, json
from wildtool import agents as ours
import wildtool
agent = agents.Agent(name="a", instructions="Be brief.")
print(json.dumps([agents.__file__, ours.__file__, agent.name, wildtool.score_session.__module__, ours.play.__module__]))
"""
    theirs, ours, name, scorer, player = json.loads(run([together / "python", "-c", code], tmp_path))
    assert Path(theirs).parts[-3:] == ("site-packages", "agents", "__init__.py")
    assert Path(ours).parts[-4:] == ("site-packages", "wildtool", "agents", "__init__.py")
    assert (name, scorer, player) == ("a", "wildtool.evaluation.score", "wildtool.agents.candidates.candidate")


def test_its_commands_work_there(together: Path, tmp_path: Path) -> None:
    assert "evaluate" in run([together / "wildtool", "--help"], tmp_path)
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    arguments = {"id": "two", "tool": {"type": "function", "function": {"name": "t", "parameters": schema}},
                 "gold": {"city": "Lyon"}, "predicted": {"city": "lyon"}, "correct": True}  # fmt: skip
    (tmp_path / "cases.jsonl").write_text(json.dumps(arguments) + "\n", encoding="utf-8")
    told = json.loads(run([together / "wildtool", "evaluate", "cases", "cases.jsonl", "--json", "-q"], tmp_path))
    assert told["cases"] == 1


def test_its_data_are_found_there(together: Path, tmp_path: Path) -> None:
    code = """
from wildtool.agents import load_profile, profile_names
from wildtool.evaluation.words import check_languages
from wildtool.grounding.chat import system_message
from wildtool.language.lexicon import languages
from wildtool.mining.words import check_languages as check_mining
check_languages(); check_mining()
print(*languages(), len(profile_names()), len(system_message("zh", "2024")["content"]) > 10, load_profile("demo").name)
"""
    told = run([together / "python", "-c", code], tmp_path).split()
    assert told[:2] == ["en", "zh"] and int(told[2]) >= 4 and told[3:] == ["True", "demo"]
