"""Flow: the whole pipeline, logs in, drafts in Label Studio out; with ``auto_label`` on to a scored release."""

from __future__ import annotations

from typing import Any

from prefect import flow

from wildtool.flows.annotate import annotate
from wildtool.flows.catalog import catalog
from wildtool.flows.draft import draft
from wildtool.flows.evaluate import evaluate
from wildtool.flows.mine import mine
from wildtool.flows.release import release as freeze
from wildtool.schemas.base import JsonObject

CANDIDATES = ("builtin:gold", "builtin:null")
"""Scored on every new release: gold must reach 100 %, plain text only what chat tasks give."""


@flow(name="build")
def build(
    logs: list[str],
    profile: str = "default",
    sessions: int | None = None,
    sources: list[str] | None = None,
    auto_label: bool = False,
    release: str | None = None,
    home: str = ".wildtool",
    seed: int = 0,
    model: str | None = None,
) -> JsonObject:
    """The whole pipeline up to labelling; with `auto_label` and `release` on to a (marked) release and its scores.

    Args:
        logs: files, folders or globs of conversation logs.
        profile: name or path of a profile.
        sessions: at most so many sessions a language.
        sources: where API descriptions come from; all that can be had if not given.
        auto_label: label by two simulated annotators, marked so in every record.
        release: version to freeze; needs labels, so people's or `auto_label`.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        model: model that drafts; `offline` for the simulator.
    """
    common: dict[str, Any] = {"home": home, "seed": seed, "model": model}
    done: JsonObject = {
        "catalog": catalog(sources=sources, **common),
        "mine": mine(logs=logs, **common),
        "draft": draft(profile=profile, sessions=sessions, **common),
        "annotate": annotate(simulate=auto_label, **common),
    }
    if release is not None:
        done["release"] = freeze(version=release, **common)
        done["evaluate"] = [evaluate(release=release, candidate=candidate, **common) for candidate in CANDIDATES]
    return done
