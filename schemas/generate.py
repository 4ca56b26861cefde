"""JSON Schemas of the top-level records, for readers in other languages.

``python -m wildtool.schemas.generate`` writes ``schemas/json/<Name>.json``; with ``--check`` it changes nothing and
exits 1 if a file is missing, stale or left over.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from wildtool.schemas.base import Record
from wildtool.schemas.conversation import Conversation, ConversationBehaviour
from wildtool.schemas.draft import Draft, DraftTally
from wildtool.schemas.label import Adjudication, AgreementReport, Label, PushedTask
from wildtool.schemas.plan import Profile, SessionPlan
from wildtool.schemas.quarantine import Quarantined, StageReport
from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.score import ScoreReport, TaskScore
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.session import Session
from wildtool.schemas.tool import ToolList
from wildtool.schemas.trajectory import Trajectory

TOP_LEVEL: tuple[type[Record], ...] = (
    Adjudication,
    AgreementReport,
    Conversation,
    ConversationBehaviour,
    Draft,
    DraftTally,
    Label,
    Profile,
    PushedTask,
    Quarantined,
    ReleaseManifest,
    ScoreReport,
    SeedScenario,
    Session,
    SessionPlan,
    StageReport,
    TaskScore,
    ToolList,
    Trajectory,
)
"""Records that are stored or published on their own; the others are their parts."""

FOLDER = Path(__file__).resolve().parent / "json"
"""Where the files are kept."""


def schema_text(record: type[Record]) -> str:
    """The JSON Schema (2020-12) of a record as it is written, keys in the order of the fields."""
    schema = record.model_json_schema(mode="serialization")
    return (
        json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, ensure_ascii=False, indent=2)
        + "\n"
    )


def schema_texts() -> dict[str, str]:
    """The text of each schema, by file name."""
    return {f"{record.__name__}.json": schema_text(record) for record in TOP_LEVEL}


def stale(folder: Path = FOLDER) -> list[str]:
    """Names of files that are missing, differ from the records, or belong to no record."""
    wanted = schema_texts()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def write(folder: Path = FOLDER) -> list[str]:
    """Bring the folder in step; the names of the files that changed."""
    changed = stale(folder)
    wanted = schema_texts()
    folder.mkdir(parents=True, exist_ok=True)
    for name in changed:
        if name in wanted:
            (folder / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (folder / name).unlink()
    return changed


def main(arguments: list[str]) -> int:
    """Write, or with ``--check`` only compare."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m wildtool.schemas.generate [--check]\n")
        return 2
    if arguments:
        names = stale()
        for name in names:
            sys.stderr.write(f"schemas/json/{name} is not in step: run python -m wildtool.schemas.generate\n")
        return 1 if names else 0
    for name in write():
        sys.stderr.write(f"schemas/json/{name} written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
