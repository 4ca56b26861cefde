"""Drafts to people and their judgement back: Label Studio server, interface, push, pull, agreement, adjudication.

The names below are the room's contract. They are loaded on first use, so that importing the room costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotation.adjudication import adjudicate, confirms, disagreement, labelled_session, reopened
    from annotation.agreement import measure_agreement
    from annotation.connection import Connection, connect
    from annotation.decode import decode_annotation
    from annotation.encode import encode_draft
    from annotation.failed import FailedLabel, failed_labels, open_failures, standing
    from annotation.hooks import HookServer, register_hook
    from annotation.interface import Interface, InterfaceSpec, build_interface, fitting_spec
    from annotation.page import agreement_page
    from annotation.progress import ProjectStatus, project_status
    from annotation.pull import PullResult, pseudonym, pull_labels
    from annotation.push import Case, PushResult, push_adjudication, push_cases, push_drafts
    from annotation.rounds import SpotCheck, double_slice, sample_size, spot_check_result, spot_check_sample
    from annotation.server import Credentials, LabelStudioServer, RunningServer, ServerStatus
    from annotation.simulate import (
        ErrorRates,
        PlantedError,
        SimulatedAnnotator,
        SimulationResult,
        annotators_apart,
        default_annotators,
        simulate_adjudicator,
        simulate_annotators,
    )

_HOMES = {
    "adjudicate": "adjudication",
    "confirms": "adjudication",
    "disagreement": "adjudication",
    "labelled_session": "adjudication",
    "reopened": "adjudication",
    "measure_agreement": "agreement",
    "Connection": "connection",
    "connect": "connection",
    "decode_annotation": "decode",
    "encode_draft": "encode",
    "FailedLabel": "failed",
    "failed_labels": "failed",
    "open_failures": "failed",
    "standing": "failed",
    "HookServer": "hooks",
    "register_hook": "hooks",
    "Interface": "interface",
    "InterfaceSpec": "interface",
    "build_interface": "interface",
    "fitting_spec": "interface",
    "agreement_page": "page",
    "ProjectStatus": "progress",
    "project_status": "progress",
    "PullResult": "pull",
    "pseudonym": "pull",
    "pull_labels": "pull",
    "Case": "push",
    "PushResult": "push",
    "push_adjudication": "push",
    "push_cases": "push",
    "push_drafts": "push",
    "SpotCheck": "rounds",
    "double_slice": "rounds",
    "sample_size": "rounds",
    "spot_check_result": "rounds",
    "spot_check_sample": "rounds",
    "Credentials": "server",
    "LabelStudioServer": "server",
    "RunningServer": "server",
    "ServerStatus": "server",
    "ErrorRates": "simulate",
    "PlantedError": "simulate",
    "SimulatedAnnotator": "simulate",
    "SimulationResult": "simulate",
    "annotators_apart": "simulate",
    "default_annotators": "simulate",
    "simulate_adjudicator": "simulate",
    "simulate_annotators": "simulate",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


__all__ = [
    "Case",
    "Connection",
    "Credentials",
    "ErrorRates",
    "FailedLabel",
    "HookServer",
    "Interface",
    "InterfaceSpec",
    "LabelStudioServer",
    "PlantedError",
    "ProjectStatus",
    "PullResult",
    "PushResult",
    "RunningServer",
    "ServerStatus",
    "SimulatedAnnotator",
    "SimulationResult",
    "SpotCheck",
    "adjudicate",
    "agreement_page",
    "annotators_apart",
    "build_interface",
    "confirms",
    "connect",
    "decode_annotation",
    "default_annotators",
    "disagreement",
    "double_slice",
    "encode_draft",
    "failed_labels",
    "fitting_spec",
    "labelled_session",
    "measure_agreement",
    "open_failures",
    "project_status",
    "pseudonym",
    "pull_labels",
    "push_adjudication",
    "push_cases",
    "push_drafts",
    "register_hook",
    "reopened",
    "sample_size",
    "simulate_adjudicator",
    "simulate_annotators",
    "spot_check_result",
    "spot_check_sample",
    "standing",
]
