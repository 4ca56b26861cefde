"""Stage: API descriptions → the catalogue."""

from __future__ import annotations

from wildtool.flows.run import Run
from wildtool.flows.stages.summary import finished, run_id, summary
from wildtool.schemas.base import JsonObject
from wildtool.schemas.vocabulary import Stage


def run(run: Run, *, sources: list[str] | None = None, rebuild: bool = False) -> JsonObject:
    """Build the catalogue in the home folder; a finished one of the same sources and code is kept.

    ``sources``: ``npm``, ``core``, paths of API descriptions; None: npm's bundle and the core catalogue, or the core
    alone where npm's cannot be had.
    """
    from wildtool.api_catalog import CATALOGUE_VERSION, build_catalogue, load_catalogue, save_catalogue

    run.progress.stage("building the API catalogue")
    identity = run_id(Stage.CATALOG, {"sources": sources, "version": CATALOGUE_VERSION})
    before = None if rebuild else finished(run, Stage.CATALOG, identity)
    # A build without npm's bundle is tried again: the registry may be back.
    if before is not None and not before.notes.get("incomplete"):
        catalogue = load_catalogue(run.home.catalog)
        run.progress.note(f"built before: {len(catalogue.lists):,} tool lists")
        return summary(before, unchanged=True, **_figures(catalogue.lists))

    result = build_catalogue(sources, cache=run.home.catalog / "sources", progress=run.progress.update)
    for note in result.notes:
        run.progress.note(note)
    save_catalogue(result, run.home.catalog)
    store = run.store()
    store.quarantine(result.quarantined)
    report = result.report.model_copy(update={"run": identity})
    store.put_report(report)
    figures = _figures(result.lists)
    run.progress.note(f"{figures['lists']:,} tool lists, {figures['tools']:,} functions")
    return summary(report, messages=list(result.notes), **figures)


def _figures(lists) -> JsonObject:  # type: ignore[no-untyped-def]  # Sequence[ToolList]
    return {"lists": len(lists), "tools": sum(len(tool_list.tools) for tool_list in lists)}
