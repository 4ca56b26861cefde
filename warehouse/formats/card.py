"""Write the dataset card of a release: contents, provenance, limitations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from wildtool.schemas.label import AgreementReport, Figure
from wildtool.schemas.release import GateCounts, ReleaseManifest
from wildtool.warehouse.release.errata import Erratum

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
"""Size categories as the hub names them."""
SHOWN_ERRATA = 50
"""Newest errata on the card; the file holds all."""


def banner(manifest: ReleaseManifest) -> str:
    """Words that a reader must see first; empty for a release that people labelled and a model wrote."""
    marks = []
    if manifest.offline:
        marks.append("OFFLINE MODEL")
    if manifest.simulated_labels:
        marks.append("SIMULATED LABELS")
    return " · ".join(marks)


def card(
    manifest: ReleaseManifest,
    composition: Mapping[str, Counter[str]],
    files: Mapping[tuple[str, str], str],
    agreement: AgreementReport | None,
    errata: Sequence[Erratum],
    licence: str,
) -> str:
    """``README.md``: YAML header for ``datasets``, then the text. ``files`` are paths by language and split."""
    parts = [_header(manifest, files, licence)]
    if mark := banner(manifest):
        warning = "not a benchmark to compare models on, but a trial of the pipeline."
        parts.append(f"**{mark}** — {warning}\n")
    parts.append(f"# {manifest.name} {manifest.version}\n")
    parts.append(
        "Multi-turn tool-use sessions with dependency-graph labels, in the manner of WildToolBench (ICLR 2026): "
        "users who ask for several things at once, leave things unsaid, and drift between tasks.\n"
    )
    parts.append(_composition(manifest, composition))
    parts.append(_loading(files))
    parts.append(_making(manifest, agreement))
    parts.append(_gates(manifest))
    if errata:
        parts.append(_errata(errata))
    parts.append(_limits(manifest, licence))
    return "\n".join(parts)


def _header(manifest: ReleaseManifest, files: Mapping[tuple[str, str], str], licence: str) -> str:
    languages = list(dict.fromkeys(language for language, _ in files))
    size = next((name for limit, name in SIZES if manifest.counts["sessions"] < limit), "100K<n<1M")
    lines = ["---", f"pretty_name: {manifest.name} {manifest.version}", "language:"]
    lines += [f"- {language}" for language in languages]
    lines += [f"license: {licence.lower()}", "task_categories:", "- text-generation", "tags:", "- tool-use"]
    lines += ["- function-calling", "- multi-turn", "size_categories:", f"- {size}", "configs:"]
    for position, language in enumerate(languages):
        lines.append(f"- config_name: {language}")
        # `datasets` caches by folder name and configuration: without this, another release of the same version in
        # another folder would be answered out of the cache of the first.
        lines.append(f"  description: {manifest.canary}")
        if position == 0:
            lines.append("  default: true")
        lines.append("  data_files:")
        for (of, split), path in files.items():
            if of == language:
                lines += [f"  - split: {split}", f"    path: {path}"]
    return "\n".join([*lines, "---", ""])


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]) + "\n"


def _composition(manifest: ReleaseManifest, composition: Mapping[str, Counter[str]]) -> str:
    counts = manifest.counts
    parts = ["## Composition\n"]
    names = ("sessions", "tasks", "actions", "calls", "asks", "dependencies", "tools", "tool_lists", "annotators")
    parts.append(_table(("what", "count"), [(name.replace("_", " "), str(counts[name])) for name in names]))
    split_rows = [(*name.split(".")[1:], str(count)) for name, count in sorted(counts.items()) if name.count(".") == 2]
    parts.append(_table(("language", "split", "sessions"), split_rows))
    titles = {
        "type": "task type",
        "topology": "topology of multi tasks",
        "hidden_intent": "hidden intent of later tasks",
        "transitions": "transitions of type in a session",
        "category": "category",
    }
    for name, title in titles.items():
        total = sum(composition[name].values())
        rows = [
            (value.replace("_", " "), str(count), f"{count / total:.1%}" if total else "—")
            for value, count in sorted(composition[name].items(), key=lambda item: (-item[1], item[0]))
        ]
        parts.append(_table((title, "count", "share"), rows))
    return "\n".join(parts)


def _loading(files: Mapping[tuple[str, str], str]) -> str:
    language, split = next(iter(files))
    return f"""## Loading

```python
import datasets, json
sessions = datasets.load_dataset("PATH/OF/THIS/FOLDER", "{language}")["{split}"]
json.loads(sessions[0]["tools"][0]["parameters"])          # JSON Schema of a tool
json.loads(sessions[0]["tasks"][0]["actions"][0]["arguments"])  # always a JSON object
```

```python
import duckdb
duckdb.connect("benchmark.duckdb", read_only=True).sql("FROM composition")
```

```sh
jq -s 'length' sessions.jsonl
jq -r '.messages[] | select(.role == "user") | .content' sessions.jsonl | head
```

| file | what it holds |
| --- | --- |
| `data/LANGUAGE/SPLIT.parquet` | one session a row; what varies in shape is JSON text |
| `sessions.jsonl` | one session a line as OpenAI messages and tools |
| `benchmark.duckdb` | sessions, tasks, actions, dependencies, tools, tool lists, annotators, provenance, and views |
| `original/LANGUAGE.jsonl` | the format of the original benchmark, for its evaluator |
| `croissant.json` | Croissant metadata |
| `errata.json` | every field corrected since the first version |
| `schemas/` | JSON Schemas of the records |
| `manifest.json` | versions, counts, gates, and the SHA-256 of every file |
"""


def _making(manifest: ReleaseManifest, agreement: AgreementReport | None) -> str:
    parts = ["## How it was made\n"]
    writer = "the offline simulator" if manifest.offline else "language models in the roles below"
    parts.append(
        f"Seed scenarios were mined from chat logs; no logged message is published. Sessions were planned over "
        f"the tool lists named below and drafted by {writer}. Observations are simulated.\n"
    )
    rows = [(role, ", ".join(models)) for role, models in sorted(manifest.models.items())]
    if rows:
        parts.append(_table(("role", "model"), rows))
    if manifest.sources:
        parts.append(_table(("source", "what"), sorted(manifest.sources.items())))
    who = "Simulated annotators" if manifest.simulated_labels else "People"
    parts.append("## Annotation\n")
    if manifest.counts["annotators"]:
        parts.append(
            f"{who} checked every call, its arguments and its dependencies in Label Studio "
            f"({manifest.counts['annotators']} annotators, pseudonymised).\n"
        )
    else:
        parent = f" of release {manifest.sources['parent'].split()[0]}" if "parent" in manifest.sources else ""
        parts.append(
            f"No label was made for this version: its sessions were imported, with the labels{parent} if any.\n"
        )
    if agreement is None:
        parts.append("No agreement was measured.\n")
        return "\n".join(parts)
    figures = {f"alpha, {name}": figure for name, figure in agreement.alpha.items()}
    figures |= {"F1 of calls": agreement.call_f1, "equal arguments": agreement.argument_exact}
    figures["F1 of dependencies"] = agreement.edge_f1
    parts.append(f"Agreement over {agreement.sessions} sessions that at least two annotators labelled:\n")
    parts.append(_table(("figure", "value", "95 %", "n"), [(name, *_figure(one)) for name, one in figures.items()]))
    return "\n".join(parts)


def _figure(figure: Figure) -> tuple[str, str, str]:
    value = "undefined" if figure.value is None else f"{figure.value:.3f}"
    interval = "—" if figure.low is None or figure.high is None else f"{figure.low:.3f} to {figure.high:.3f}"
    return value, interval, str(figure.n)


def _gates(manifest: ReleaseManifest) -> str:
    rows = []
    for result in manifest.gates:
        verdict = "passed"
        if result.failures:
            verdict = f"**let pass, {max(result.failed, len(result.failures))} failures**"
        elif result.unknown:
            verdict = f"not judged: {result.unknown}"
        rows.append((f"`{result.gate}`", result.title, verdict, str(result.doubted or "")))
    counts = f"{GateCounts.of(manifest.gates)}. Doubts refuse nothing: they are for people to look at.\n\n"
    return "## Gates\n\n" + counts + _table(("gate", "what must be true", "result", "doubts"), rows)


def _errata(errata: Sequence[Erratum]) -> str:
    rows = [(one.version, f"`{one.session}`", f"`{one.path}`", one.reason) for one in errata[-SHOWN_ERRATA:]]
    title = f"## Errata\n\n{len(errata)} fields were corrected since the first version; all are in `errata.json`.\n\n"
    return title + _table(("version", "session", "field", "reason"), rows)


def _cell(text: str) -> str:
    """Text that cannot break out of its cell."""
    return " ".join(text.split()).replace("|", "\\|")


def _limits(manifest: ReleaseManifest, licence: str) -> str:
    simulated = ""
    if manifest.simulated_labels:
        simulated = (
            "- Its labels were made by a program: they show that the pipeline runs, not that the gold is right.\n"
        )
    return f"""## Limits

{simulated}- Observations are simulated: facts in them need not hold in the world.
- One gold graph a task, with alternatives where they were found; other right ways may exist.
- Every session is fixed at its own `now`; dates in the user's words are relative to it.

## Licence and citation

{licence}. Tool descriptions keep the licences of their sources (`tool_lists` in `benchmark.duckdb`).
Cite the release by name, version and the SHA-256 of its `manifest.json`.

Keep benchmark data out of training corpora. Canary: `{manifest.canary}`
"""
