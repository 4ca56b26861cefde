"""Drafts and labels for the tests of annotation."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from wildtool.annotation import (
    Annotation,
    Form,
    build_interface,
    decode_annotation,
    draft_form,
    fitting_spec,
)
from wildtool.annotation.label_studio.interface import LabelStudioInterface
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined


@pytest.fixture(scope="session")
def drafts() -> ModuleType:
    """The builders of ``drafts.py``."""
    spec = importlib.util.spec_from_file_location("annotation_drafts", Path(__file__).with_name("drafts.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def draft(drafts: ModuleType) -> Draft:
    return drafts.draft(0, verdicts=(drafts.DOUBT,))


@pytest.fixture(scope="session")
def interface(draft: Draft) -> LabelStudioInterface:
    return build_interface(fitting_spec([draft]))


@pytest.fixture
def form(draft: Draft, interface: LabelStudioInterface) -> Form:
    """The form of an annotator who accepts the draft as it is."""
    return {**draft_form(draft, interface.spec), "decision": ["accept"]}


Say = Callable[..., Label | Quarantined]


@pytest.fixture
def say(draft: Draft, interface: LabelStudioInterface) -> Say:
    """Submit a form as an annotator, and decode it."""

    def submit(
        form: Form,
        *,
        of: Draft = draft,
        annotator: str = "ann_a",
        interface: LabelStudioInterface | None = interface,
        **changes: Any,
    ) -> Label | Quarantined:
        annotation = {
            "id": 1,
            "form": form,
            "updated_at": "2024-07-12T10:00:00.000000+00:00",
            "lead_seconds": 90.5,
            **changes,
        }
        read = Annotation(author=annotator, raw={"as": "it came"}, **annotation)
        return decode_annotation(read, of, interface, project_id=3, annotator=annotator)

    return submit
