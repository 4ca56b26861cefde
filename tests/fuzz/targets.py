"""What is fuzzed: one function a door, from bytes to nothing. It raises where the door breaks its promise.

Errors of ours (``WildtoolError``) are answers; anything else that escapes is a finding.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from tests.annotation.drafts import draft
from wildtool.annotation import Interface, build_interface, decode_annotation, fitting_spec
from wildtool.annotation.form.encode import draft_form
from wildtool.annotation.label_studio.results import form_result, read_annotation
from wildtool.api_catalog import import_paths
from wildtool.evaluation.arguments.compare import Context, compare_arguments
from wildtool.mining.readers import read_logs
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import WildtoolError
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Decision

Target = Callable[[bytes], None]

LEGAL_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


def _in_file(data: bytes, name: str, use: Callable[[Path], None]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            use(path)
        except WildtoolError as error:
            assert error.cause
            assert error.remedy


def readers(data: bytes) -> None:
    """A log of any bytes: conversations, rows with a reason, or one clear refusal."""

    def read(path: Path) -> None:
        bad: list[Quarantined] = []
        for conversation in read_logs(path, quarantine=bad.append):
            # What leaves the reader can be written anywhere: lone surrogates are gone.
            conversation.model_dump_json().encode("utf-8")
        assert all(row.reason for row in bad)

    _in_file(data, "log.jsonl", read)


def importers(data: bytes) -> None:
    """An API description of any bytes: valid tools under legal names, or a reason."""

    def read(path: Path) -> None:
        report = import_paths([str(path)])
        for tool_list in report.lists:
            names = [tool.name for tool in tool_list.tools]
            assert len(set(names)) == len(names)
            assert all(LEGAL_NAME.match(name) for name in names)
            for tool in tool_list.tools:
                required = tool.parameters.get("required", [])
                assert set(required) <= set(tool.parameters.get("properties", {}))
        assert all(row.reason for row in report.quarantined)

    _in_file(data, "description", read)


def labels(data: bytes) -> None:
    """An annotation whose result is any JSON: a label that holds, or a row that says what does not."""
    try:
        result = json.loads(data)
    except (ValueError, RecursionError):
        return
    made, interface, _ = label_ground()
    annotation = {"id": 1, "result": result, "was_cancelled": False, "updated_at": "2024-07-12T09:30:00Z"}
    read = read_annotation(annotation, "somebody")
    found = decode_annotation(read, made, interface, project_id=1, annotator="ann_1")
    if isinstance(found, Label):
        if found.decision is Decision.ACCEPT:
            assert len(found.tasks) == len(made.session.tasks)
            for task in found.tasks:
                for number, action in enumerate(task.actions):
                    assert all(earlier < number for earlier in action.depends_on)
    else:
        assert found.reason


def arguments(data: bytes) -> None:
    """Gold, given and schema of any JSON: a verdict for each argument; what equals gold is right."""
    try:
        gold, got, schema = json.loads(data)
    except (ValueError, TypeError, RecursionError):
        return
    if not (isinstance(gold, dict) and isinstance(got, dict) and isinstance(schema, dict)):
        return
    context = Context(now=datetime(2024, 7, 12, 9, 30, tzinfo=UTC))
    for verdict in compare_arguments(gold, got, schema, context):
        assert verdict.rule
    assert all(verdict.ok for verdict in compare_arguments(gold, gold, schema, context)), gold


@cache
def label_ground() -> tuple[Draft, Interface, list[JsonObject]]:
    """A draft, its interface, and the result of accepting it as it is."""
    made = draft(0)
    interface = build_interface(fitting_spec([made]))
    return made, interface, form_result({**draft_form(made, interface.spec), "decision": ["accept"]})


TARGETS: dict[str, Target] = {"readers": readers, "importers": importers, "labels": labels, "arguments": arguments}
"""By name. Release verification is fuzzed beside them: its input is a folder, not bytes."""
