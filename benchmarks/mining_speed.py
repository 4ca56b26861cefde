"""How fast mining is, stage by stage and in all, and what it needs: beside datatrove's MinHash pipeline on the same log.

    python -m benchmarks.mining_speed [LOG] [--rows 2000] [--growth 10000 100000] [--peer PYTHON] [--json]

Stages: CPU seconds of this process over the same conversations; a machine that does other work slows the clock but less the
CPU seconds. What a process does once (imports, models, expressions) is told apart. Growth: whole runs over generated logs
(``benchmarks/mining_log.py``), each in a process of its own with a worker a core: wall clock, CPU seconds of all processes and
of the main one, and the most memory of all processes at one moment, pages that they share counted once. Peer: datatrove
(signatures, buckets, clusters, filter) in the interpreter that ``--peer`` or ``WILDTOOL_DATATROVE_PYTHON`` names, on one
worker; it is asked for duplicates only, which is one of our stages.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.figures import Figure, at_least, at_most, packed
from benchmarks.figures import peer as beside_peer
from benchmarks.measuring import measured

HERE = Path(__file__).resolve().parent
LIMIT_MB = 2_048
WANTED = 1_500
"""Conversations a second on two cores, all stages together, at about 830 characters."""


def stages(log: Path, rows: int) -> dict[str, Any]:
    """Microseconds of CPU a conversation by stage, and what two cores would do at that."""
    from wildtool.language.detection import language_of, user_text
    from wildtool.mining.behaviour import observe_texts
    from wildtool.mining.deduplicate import exact_digest, normal, shingles, sketches
    from wildtool.mining.parallel import collect_seldom
    from wildtool.mining.privacy import scrub_texts
    from wildtool.mining.process_shard import digest, shards, written
    from wildtool.mining.quality import flags_of, reason_to_drop
    from wildtool.mining.readers import expand, parse_row, read_rows
    from wildtool.mining.statistics import counted
    from wildtool.schemas.conversation import Conversation

    (shard, *_) = shards(read_rows(expand([str(log)])), size=rows)
    collect_seldom()
    spent: dict[str, float] = {}

    def timed(name: str, run: Callable[[], Any]) -> Any:
        run()  # models load and caches fill once a process, not once a conversation
        began = process_time()
        result = run()
        spent[name] = process_time() - began
        return result

    began = process_time()
    digest(shard)
    first = process_time() - began

    read = timed("parse", lambda: [parse_row(row) for row in shard.rows])  # type: ignore[arg-type]
    chats = [one for one in read if isinstance(one, Conversation)]
    timed("quality", lambda: [(reason_to_drop(one), flags_of(one)) for one in chats])
    words = [user_text(one) for one in chats]
    languages = timed("language", lambda: [language_of(one) for one in words])
    timed(
        "duplicates",
        lambda: sketches([shingles(normal(one)) for one in words]) and [exact_digest(c.messages) for c in chats],
    )
    texts = timed(
        "privacy", lambda: [scrub_texts([message.content for message in one.messages]).texts for one in chats]
    )
    pairs = [
        list(zip([m.role for m in one.messages], said, strict=True)) for one, said in zip(chats, texts, strict=True)
    ]
    turns = timed("behaviour", lambda: [observe_texts(p, code) for p, code in zip(pairs, languages, strict=True)])
    timed("records", lambda: [(written("cnv_0", "en", one), counted(one)) for one in turns])
    timed("whole shard", lambda: digest(shard))
    count = len(shard.rows)
    each = {name: round(seconds / count * 1e6) for name, seconds in spent.items()}
    return {
        "conversations": count,
        "characters_each": round(sum(len(m.content) for one in chats for m in one.messages) / max(1, len(chats))),
        "microseconds": each,
        "start_seconds": round(first - spent["whole shard"], 2),
        "two_cores_per_second": round(2e6 / max(1, each["whole shard"])),
        "wanted_per_second": WANTED,
    }


RUN = """
import json, resource, sys
from wildtool.mining import mine
if __name__ == "__main__":
    result = mine([sys.argv[1]])
    quarantined = sum(1 for _ in result.quarantined)
    own = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"rows": result.report.steps[0].rows_in, "kept": len(result.behaviours), "quarantined": quarantined,
        "main_cpu_seconds": round(own.ru_utime + own.ru_stime, 1)}))
"""


def growth(sizes: list[int]) -> list[dict[str, Any]]:
    """Whole runs over generated logs of these lengths, from the start of the process to its end."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "run.py"
        script.write_text(RUN, encoding="utf-8")
        for size in sizes:
            log = Path(folder) / f"{size}.jsonl"
            with log.open("wb") as stream:
                subprocess.run([sys.executable, str(HERE / "mining_log.py"), str(size)], stdout=stream, check=True)
            took = measured([sys.executable, str(script), str(log)])
            found.append(
                json.loads(took.output)
                | {
                    "seconds": took.seconds, "per_second": round(size / took.seconds), "cpu_seconds": took.cpu_seconds,
                    "peak_mb": took.peak_mb,
                }
            )  # fmt: skip
            log.unlink()
    return found


PEER = """
import json, resource, shutil, sys, time
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from loguru import logger
logger.remove()
if __name__ == "__main__":
    source, work = sys.argv[1:]
    config = MinhashConfig(num_buckets=20, hashes_per_bucket=6, n_grams=5)
    reader = JsonlReader(source)
    steps = [
        [reader, MinhashDedupSignature(output_folder=work + "/sig", config=config)],
        [MinhashDedupBuckets(input_folder=work + "/sig", output_folder=work + "/buckets", config=config)],
        [MinhashDedupCluster(input_folder=work + "/buckets", output_folder=work + "/ids", config=config)],
        [reader, MinhashDedupFilter(input_folder=work + "/ids"), JsonlWriter(work + "/kept")],
    ]
    began = time.perf_counter()
    for number, pipeline in enumerate(steps):
        tasks = config.num_buckets if number == 1 else 1
        LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=1, logging_dir=work + f"/log{number}").run()
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"seconds": round(time.perf_counter() - began, 1), "cpu_seconds": round(sum(u.ru_utime + u.ru_stime for u in used), 1),
        "mb": max(u.ru_maxrss for u in used) // 1024}))
"""


def peer(size: int, python: str | None) -> dict[str, Any]:
    """datatrove on the users' words of a generated log, and our duplicates stage (sketches and fold) on the same."""
    ours = _our_duplicates(size)
    if not python:
        return {
            "ours": ours,
            "absent": "no interpreter with datatrove: pip install 'datatrove[processing,io]' spacy orjson; --peer ITS/bin/python",
        }
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in"
        source.mkdir()
        with (source / "log.jsonl").open("w", encoding="utf-8") as stream:
            for text in _words(size):
                stream.write(json.dumps({"text": text}) + "\n")
        script = Path(folder) / "peer.py"
        script.write_text(PEER, encoding="utf-8")
        done = subprocess.run(
            [python, str(script), str(source), folder + "/work"], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return {
                "ours": ours,
                "absent": f"{python} failed: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ''}",
            }
        theirs = json.loads(done.stdout.strip().splitlines()[-1])
    return {"rows": size, "ours": ours, "datatrove": theirs | {"per_cpu_second": round(size / theirs["cpu_seconds"])}}


def _words(size: int) -> list[str]:
    from benchmarks.mining_log import conversations

    return ["\n".join(m["content"] for m in one["messages"] if m["role"] == "user") for one in conversations(size)]


def _our_duplicates(size: int) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from wildtool.mining.deduplicate import BANDS, fold, normal, shingles, sketches

    texts = [normal(text) for text in _words(size)]
    began = process_time()
    found = sketches([shingles(text) for text in texts])
    table = pa.table(
        {
            "row": range(size), "exact": [text.encode()[:16] + number.to_bytes(8) for number, text in enumerate(texts)],
            "text": texts, "sketch": [one.tobytes() for one in found.values],
            **{f"band_{band}": found.bands[:, band] for band in range(BANDS)},
        }
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        pq.write_table(table, path, compression="zstd")
        folded = len(fold([path], size, scratch=Path(folder)).row)
    spent = process_time() - began
    return {"cpu_seconds": round(spent, 1), "per_cpu_second": round(size / spent), "near_copies": folded}


def figures_of(report: dict[str, Any]) -> list[Figure]:
    """Stages, whole runs beside the memory limit, duplicates beside datatrove."""
    one, ours, theirs = report["stages"], report["duplicates"]["ours"], report["duplicates"].get("datatrove")
    name = "datatrove"
    return [
        *(Figure(f"{stage}, a conversation", value, "CPU µs") for stage, value in one["microseconds"].items()),
        Figure("start of a process", one["start_seconds"], "CPU s"),
        at_least("conversations a second at that on two cores", one["two_cores_per_second"], "1/s", WANTED),
        *(Figure(f"{run['rows']:,} conversations, whole run", run["cpu_seconds"], "CPU s") for run in report["growth"]),
        *(
            at_most(f"{run['rows']:,} conversations, all processes", run["peak_mb"], "MB", LIMIT_MB)
            for run in report["growth"]
        ),
        beside_peer(
            "duplicates: conversations a CPU second", ours["per_cpu_second"], "1/s", name,
            theirs["per_cpu_second"] if theirs else None, better="more", absent=report["duplicates"].get("absent", ""),
        ),
    ]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed of mining.")
    parser.add_argument("log", type=Path, nargs="?", help="a log to time the stages on (default: a generated one)")
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--growth", type=int, nargs="*", default=[10_000])
    parser.add_argument("--peer", default=os.environ.get("WILDTOOL_DATATROVE_PYTHON"))
    parser.add_argument("--peer-rows", type=int, default=5_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = arguments.log
        if log is None:
            log = Path(folder) / "log.jsonl"
            with log.open("wb") as stream:
                subprocess.run(
                    [sys.executable, str(HERE / "mining_log.py"), str(arguments.rows)], stdout=stream, check=True
                )
        report = {
            "stages": stages(log, arguments.rows),
            "growth": growth(arguments.growth),
            "duplicates": peer(arguments.peer_rows, arguments.peer),
        }
    if arguments.json:
        print(json.dumps(report | {"figures": packed(figures_of(report))}))
        return 0
    one = report["stages"]
    print(f"{one['conversations']:,} conversations of {one['characters_each']} characters: microseconds of CPU each")
    for name, value in one["microseconds"].items():
        print(f"  {name:12} {value:>7,}")
    print(
        f"  two cores: {one['two_cores_per_second']:,} a second (wanted {WANTED:,}); start of a process {one['start_seconds']} s"
    )
    print(f"whole runs (limit {LIMIT_MB:,} MB for all processes)")
    for run in report["growth"]:
        print(
            f"  {run['rows']:>9,} rows {run['seconds']:>8,} s  {run['per_second']:>6,} a second  {run['cpu_seconds']:>8,} CPU s "
            f"({run['main_cpu_seconds']:,} main)  {run['peak_mb']:,} MB"
        )
    duplicates = report["duplicates"]
    print(f"duplicates, ours: {duplicates['ours']}")
    print(f"duplicates, datatrove: {duplicates.get('datatrove') or duplicates['absent']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
