"""Search for inputs that break a door, led by coverage: ``python -m benchmarks.fuzz TARGET [--runs N]`` (needs atheris).

Targets and their promises are in ``tests/fuzz/targets.py``. A finding is written to ``crash-*`` by atheris and ends the
run with its traceback; mend it, and add the input to ``tests/fuzz/test_doors.py`` as an example.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

NAMES = ("arguments", "importers", "labels", "readers")

OURS = ["annotation", "api_catalog", "evaluation", "mining", "schemas"]
"""What is instrumented: all that is imported takes minutes, and finds its way into other people's code."""


def seeds(target: str) -> list[bytes]:
    """Good inputs to begin from."""
    from tests.fuzz.corpus import descriptions, logs
    from tests.fuzz.targets import label_ground

    match target:
        case "readers":
            return list(logs())
        case "importers":
            return list(descriptions())
        case "labels":
            return [json.dumps(label_ground()[2]).encode()]
        case _:
            date = {"type": "object", "properties": {"date": {"type": "string", "format": "date"}}}
            return [json.dumps([{"date": "2024-07-13"}, {"date": "tomorrow"}, date]).encode()]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=NAMES)
    parser.add_argument("--runs", type=int, default=20_000, help="inputs (default 20,000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        import atheris
    except ImportError:
        sys.exit("error: atheris is not installed\nremedy: pip install atheris (Linux)")
    with atheris.instrument_imports(include=OURS):
        from tests.fuzz.targets import TARGETS
    with tempfile.TemporaryDirectory() as folder:
        for number, good in enumerate(seeds(given.target)):
            (Path(folder) / f"seed-{number}").write_bytes(good)
        atheris.Setup(
            [sys.argv[0], f"-runs={given.runs}", f"-seed={given.seed}", "-max_len=20000", "-timeout=20", folder],
            TARGETS[given.target],
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main()
