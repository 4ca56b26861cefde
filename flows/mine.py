"""Flow: logs → seed scenarios."""

from __future__ import annotations

from prefect import flow

from wildtool.flows.engine import in_flow
from wildtool.flows.stages import mine as stage
from wildtool.schemas.base import JsonObject


@flow(name="mine")
def mine(
    logs: list[str],
    scenarios: int | None = None,
    writer: str | None = None,
    refine: int = 0,
    names: list[str] | None = None,
    profile_out: str | None = None,
    report: bool = False,
    mapping: str | None = None,
    keep_raw: bool = False,
    home: str = ".wildtool",
    seed: int = 0,
    model: str | None = None,
) -> JsonObject:
    """Logs → seed scenarios.

    Args:
        logs: files, folders or globs of conversation logs.
        scenarios: expand to so many seed scenarios a language.
        writer: model that words the seeds; none if left out.
        refine: conversations whose turns the model looks at again.
        names: spaCy pipelines that look for names of persons: `pip install 'wildtool[names]'`.
        profile_out: file to write the log's behaviour to, as a profile.
        report: write one HTML page on what was found.
        mapping: fields of the logs by what they hold, as `role=sender,text=body`.
        keep_raw: quarantined rows hold the row as it came, personal data and all.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        model: model that drafts; mining asks `writer`.
    """
    return in_flow(
        stage.run,
        home=home,
        seed=seed,
        model=model,
        logs=logs,
        scenarios=scenarios,
        writer=writer,
        refine=refine,
        names=names,
        profile_out=profile_out,
        report=report,
        mapping=mapping,
        keep_raw=keep_raw,
    )
