"""How fast each offline stage of mining is: ``python benchmarks/mining_speed.py LOG [--json]``.

CPU seconds of this process, stage by stage, each over the same conversations; a machine that does other work slows the
clock but hardly the CPU seconds. Peak memory is the process's, after all stages.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any


def measure(log: Path) -> dict[str, Any]:
    """Conversations a CPU-second by stage and for all of them, and peak memory in MB."""
    from mining.behaviour import observe
    from mining.clusters import cluster
    from mining.dedup import fold
    from mining.domains import LANGUAGES
    from mining.language import with_language
    from mining.pipeline import _openings
    from mining.privacy import scrub
    from mining.quality import reason_to_drop
    from mining.readers import read_logs

    seconds: dict[str, float] = {}

    def timed(name: str, run: Callable[[], Any]) -> Any:
        began = process_time()
        result = run()
        seconds[name] = process_time() - began
        return result

    read = timed("read", lambda: list(read_logs(str(log), quarantine=lambda row: None)))
    timed("quality", lambda: [reason_to_drop(one) for one in read])
    kept = timed("duplicates", lambda: fold(read, seed=0)[0])
    known = timed("language", lambda: [with_language(one) for one in kept])
    scrubbed = timed("privacy", lambda: [scrub(one) for one in known])
    behaviours = timed("behaviour", lambda: [observe(one) for one in scrubbed])

    def clusters() -> None:
        for language in LANGUAGES:
            pairs = zip(scrubbed, behaviours, strict=True)
            found = [opening for one, seen in pairs if one.language == language for opening in _openings(one, seen)]
            cluster([opening for opening in found if opening is not None], language, seed=0)

    timed("clusters", clusters)
    count = len(read)
    characters = sum(len(message.content) for one in read for message in one.messages)
    return {
        "conversations": count,
        "characters_each": round(characters / max(1, count)),
        "per_second": {name: round(count / spent) for name, spent in seconds.items() if spent > 0},
        "all_stages_per_cpu_second": round(count / sum(seconds.values())),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed of mining, stage by stage.")
    parser.add_argument("log", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = measure(arguments.log)
    if arguments.json:
        print(json.dumps(report))
        return 0
    print(
        f"{report['conversations']} conversations of {report['characters_each']} characters; conversations a CPU-second:"
    )
    for name, value in report["per_second"].items():
        print(f"  {name:12} {value:>8,}")
    print(f"  {'all':12} {report['all_stages_per_cpu_second']:>8,}\npeak memory {report['peak_mb']} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
