"""How many small breakages the tests notice: ``python -m benchmarks.mutants [--only MODULE] [--json] [--write]``.

Modules that decide on scores and data are changed one place at a time (a flipped comparison, a dropped statement, a
constant off by one), and the tests of that module must fail. Mutants that cannot change behaviour are listed with the
reason in ``equivalent.toml``; they run too, and the command fails where one of them is noticed after all. It also fails
where less than 85 % of the others are noticed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.mutants.operators import Mutant, mutants_of
from benchmarks.mutants.report import PAGE, Row, equivalents, page, rows, share, stale, table
from benchmarks.mutants.running import ROOT, Result, run_all
from benchmarks.mutants.sampling import chosen
from benchmarks.mutants.targets import TARGETS, Target

MOST = 300
LEAST_SHARE = 0.85


def work_of(only: Sequence[str], seed: int, most: int) -> list[tuple[Target, list[Mutant]]]:
    """The mutants to run, by module."""
    targets = [target for target in TARGETS if not only or any(word in target.module for word in only)]
    everything = {
        target.module: mutants_of((ROOT / target.module).read_text(encoding="utf-8"), target.module)
        for target in targets
    }
    picked = chosen(everything, seed=seed, most=most)
    return [(target, picked[target.module]) for target in targets]


def main(given: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="MODULE", help="modules whose path holds this")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of mutants")
    parser.add_argument("--most", type=int, default=MOST, help="mutants in all; 0 for every one")
    parser.add_argument("--parallel", type=int, default=2, help="tests run at a time")
    parser.add_argument("--json", action="store_true", help="print the table and the survivors as JSON")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    wanted = parser.parse_args(given)
    work = work_of(wanted.only, wanted.seed, wanted.most)
    if not any(mutants for _, mutants in work):
        parser.error(f"no module has {' or '.join(wanted.only)} in its path")
    known = equivalents()
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for result in run_all(work, Path(folder), wanted.parallel):
            results.append(result)
            if result.outcome == "survived" and not known.reason(result.mutant):
                print(f"survived: {result.mutant}", file=sys.stderr, flush=True)
    found = rows(results, known)
    wrong = [result for result in results if result.outcome != "survived" and known.reason(result.mutant)]
    for result in wrong:
        print(f"listed as equivalent, yet {result.outcome}: {result.mutant}", file=sys.stderr)
    for entry in stale(known, {target.module for target, _ in work}):
        print(f"equivalent.toml: no such mutant any more: {entry.module} {entry.before!r}", file=sys.stderr)
    command = " ".join(["python -m benchmarks.mutants", *(given if given is not None else sys.argv[1:])])
    if wanted.write:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        text = page(found, results, known, command=command, day=datetime.now(UTC).date().isoformat())
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    print(_json(found, results, wrong, wanted.seed) if wanted.json else table(found))
    return int(bool(wrong) or share(found) < LEAST_SHARE)


def _json(found: Sequence[Row], results: Sequence[Result], wrong: Sequence[Result], seed: int) -> str:
    known = equivalents()
    survivors = [r.mutant for r in results if r.outcome == "survived" and not known.reason(r.mutant)]
    return json.dumps(
        {
            "seed": seed,
            "share": round(share(found), 4),
            "modules": {row.module: row.as_dict() for row in found},
            "survivors": [
                {name: getattr(one, name) for name in ("module", "line", "function", "operator", "before", "after")}
                for one in survivors
            ],
            "wrongly_equivalent": [str(result.mutant) for result in wrong],
        },
        ensure_ascii=False,
        indent=2,
    )


if __name__ == "__main__":
    sys.exit(main())
