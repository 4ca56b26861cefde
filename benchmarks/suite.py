"""Which benchmarks there are: their commands, at a size for a coffee and at full size, and what they need."""

from __future__ import annotations

import shlex
from dataclasses import dataclass


@dataclass(frozen=True)
class Benchmark:
    """One command of this folder."""

    name: str
    title: str
    """What it tells, and what stands beside it."""
    arguments: str
    """Of the module, at the size that a laptop does in a few minutes."""
    full: str
    """Of the module with ``--full``."""
    minutes: int
    """Limit of the reduced run; a full one may take ten times as long."""
    module: str = ""
    """Where it is not the name."""
    needs: str = ""
    """File or folder, relative to the repository, without which there is nothing to measure."""
    package: str = ""
    """Package without which it cannot run."""

    def command(self, full: bool) -> list[str]:
        """As it is typed in the repository."""
        arguments = shlex.split(self.full if full else self.arguments)
        return ["python", "-m", f"benchmarks.{self.module or self.name}", *arguments]


BENCHMARKS = (
    Benchmark(
        "scoring",
        "Matching calls against dependency graphs, beside walking through all paths; limits for shapes that occur.",
        "",
        "",
        5,
    ),
    Benchmark(
        "mining_speed",
        "Mining by stage and in whole runs, beside the memory limit and datatrove's MinHash.",
        "--growth 10000",
        "--growth 10000 100000 1000000 --peer-rows 20000",
        15,
    ),
    Benchmark(
        "mining_quality",
        "Behaviours found in annotated dialogues that the models have not seen, beside two baselines.",
        "../shared/data/dialogues/dialogues.jsonl --folds 2",
        "../shared/data/dialogues/dialogues.jsonl --folds 5",
        15,
        needs="../shared/data/dialogues/dialogues.jsonl",
    ),
    Benchmark(
        "mining_privacy",
        "Scrubbing on generated cases, and on texts made to be slow: growth beside linear.",
        "--hostile",
        "--hostile",
        5,
    ),
    Benchmark(
        "catalog_labels",
        "Credentials and defaults in API descriptions against labels.",
        "--labels",
        "--labels",
        5,
        module="catalog",
    ),
    Benchmark(
        "catalog_import",
        "API descriptions of many kinds imported, beside jsonref and fastmcp on the same files.",
        "../shared/data/openapi",
        "../shared/data/openapi",
        10,
        module="catalog",
        needs="../shared/data/openapi",
    ),
    Benchmark(
        "catalog_build",
        "The whole catalogue built twice from npm's bundle: time, memory, bytes.",
        "--build .wildtool/catalog/sources",
        "--build .wildtool/catalog/sources",
        15,
        module="catalog",
    ),
    Benchmark(
        "drafting",
        "The model gateway beside the bare SDK and Bespoke Curator, on an endpoint with a fixed latency.",
        "--rounds 2",
        "--rounds 3 --calls 2560",
        5,
    ),
    Benchmark(
        "drafts", "What the offline simulator drafts for the original's quotas.", "--sessions 64", "--sessions 256", 15
    ),
    Benchmark(
        "labelling", "Pushes to a real Label Studio server beside bare imports.", "--drafts 500 --labels 20", "", 20
    ),
    Benchmark("releases", "Freezing: growth and memory beside their limits.", "--sessions 256", "--sessions 2560", 10),
    Benchmark(
        "kills",
        "Stages killed at random moments and started again, against an undisturbed run.",
        "--kills 1",
        "--kills 6",
        25,
    ),
    Benchmark(
        "scale",
        "Whole commands over growing input: time and memory of all their processes.",
        "--conversations 10000 --sessions 64 --frozen 256",
        "--conversations 10000 100000 1000000 --sessions 256 2560 --runner threads --runner dask --frozen 256 2560 25600",
        25,
    ),
)
