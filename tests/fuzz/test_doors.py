"""Each door under a fixed budget of spoiled inputs; the same ones each time, so that a failure is no accident.

``python -m benchmarks.fuzz`` searches on from here with atheris. What it finds becomes an ``example`` below.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.fuzz.corpus import descriptions, json_values, logs, spoiled
from tests.fuzz.targets import arguments, importers, label_ground, labels, readers
from wildtool.schemas.errors import WildtoolError

BUDGET = settings(
    max_examples=examples(150),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


@BUDGET
@given(spoiled(logs()))
def test_readers(data: bytes) -> None:
    readers(data)


@BUDGET
@given(spoiled(descriptions()))
def test_importers(data: bytes) -> None:
    importers(data)


@BUDGET
@given(st.tuples(json_values(), json_values(), json_values()))
def test_arguments_of_any_shape(values: tuple[object, object, object]) -> None:
    arguments(json.dumps(values).encode())


_SCHEMAS = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(
            st.sampled_from(("a", "b", "date", "ids", "url")),
            st.fixed_dictionaries(
                {},
                optional={
                    "type": st.sampled_from(("string", "integer", "number", "boolean", "array", "object", ["string", "null"])),
                    "format": st.sampled_from(("date", "date-time", "email", "ipv4", "uri", "uuid")),
                    "enum": st.lists(json_values(), max_size=3),
                    "default": json_values(),
                    "items": st.just({"type": "string"}),
                    "description": st.sampled_from(("Defaults to 10.", "默认为 5", "A set of ids.", "")),
                },
            ),
            max_size=4,
        ),
    }
)  # fmt: skip


@BUDGET
@given(
    st.dictionaries(st.sampled_from(("a", "b", "date", "ids", "url")), json_values(), max_size=4),
    st.dictionaries(st.sampled_from(("a", "b", "date", "ids", "url")), json_values(), max_size=4),
    _SCHEMAS,
)
@example({}, {"a": []}, {"type": "object", "properties": {"a": {"type": ["string", "null"]}}})
def test_arguments_under_a_schema(gold: object, got: object, schema: object) -> None:
    arguments(json.dumps([gold, got, schema]).encode())


@BUDGET
@given(st.data())
def test_labels(data: st.DataObject) -> None:
    """Single fields of a true annotation replaced by anything, left out, doubled."""
    result = json.loads(json.dumps(label_ground()[2]))
    for _ in range(data.draw(st.integers(1, 4))):
        if not result:
            break
        place = data.draw(st.integers(0, len(result) - 1))
        match data.draw(st.sampled_from(("drop", "double", "value", "field", "text"))):
            case "drop":
                del result[place]
            case "double":
                result.insert(place, result[place])
            case "value":
                result[place] = data.draw(json_values())
            case "field" if isinstance(result[place], dict) and result[place]:
                result[place][data.draw(st.sampled_from(sorted(result[place])))] = data.draw(json_values())
            case _ if isinstance(result[place], dict):
                result[place]["value"] = {"text": [data.draw(st.text(max_size=30))]}
    labels(json.dumps(result).encode())


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release that verifies."""
    from tests.fuzz.corpus import small_release

    return small_release(tmp_path_factory.mktemp("release") / "1.0.0")


@settings(BUDGET, max_examples=examples(40))
@given(st.data())
@example(data=None)
def test_release_verification(frozen: Path, tmp_path: Path, data: st.DataObject | None) -> None:
    """Whatever is done to a file of a release is found, and the file is named."""
    from wildtool.flows.library import verify_release

    if data is None:
        assert verify_release(frozen).ok
        return
    folder = tmp_path / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(frozen, folder)
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.stat().st_size)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    victim = data.draw(st.sampled_from(files))
    content = bytearray(victim.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    match data.draw(st.sampled_from(("flip", "cut", "drop", "grow", "empty"))):
        case "flip":
            content[place] ^= 1 << data.draw(st.integers(0, 7))
            victim.write_bytes(content)
        case "cut":
            victim.write_bytes(content[:place])
        case "grow":
            victim.write_bytes(bytes(content) + b"\n")
        case "empty":
            victim.write_bytes(b"")
        case _:
            victim.unlink()
    try:
        found = verify_release(folder)
    except WildtoolError as error:
        said = f"{error.cause} {error.remedy}"
    else:
        assert not found.ok
        said = " ".join(found.problems)
    assert victim.name in said
