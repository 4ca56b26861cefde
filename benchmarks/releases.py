"""How freezing scales: 2,560 sessions, and ten times as many, with the limits beside the figures.

    .venv/bin/python -m benchmarks.releases [--sessions 2560] [--factor 10] [--json]

Sessions are clones with other names, ids and words, so that no gate stumbles and nothing compresses away.
Each size runs in a process of its own; time is CPU time, memory the process's peak.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.figures import Figure, at_most, packed

TIMES = 12.0
"""Ten times the sessions may take twelve times the time: sorting and hashing grow a little faster than the data."""
MEMORY_GB = 2.0
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
SIGNS = "山水花鸟风云雨雪松竹梅兰茶书琴棋诗酒桥舟石泉林谷湖溪峰岛霞月星露"


def name(random: Random) -> str:
    """A word that nobody else uses."""
    return "".join(random.choice(CONSONANTS) + random.choice(VOWELS) for _ in range(4)).capitalize()


def clone(number: int) -> Any:
    """A sound session of four tasks in words of its own, about 9 KB."""
    from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent, Provenance, Session, Task

    random = Random(number)
    city, code = name(random), f"{random.randrange(16**8):08x}"
    language = ("en", "zh")[number % 2]
    if number % 2:
        city = "".join(random.choices(SIGNS, k=3))
        words = "".join(random.choices(SIGNS, k=40))
        user = (
            f"{words}。请查一下{city}的天气。",
            "再看看那边的演出，第二场说说。",
            "那边还有别的演出吗？",
            f"谢谢，{words[::-1]}。",
        )
    else:
        words = " ".join(name(random).lower() for _ in range(25))
        user = (
            f"{words}. What is the weather in {city}?",
            "And the shows there, tell me about the second one.",
            "Any other shows there?",
            f"Thanks, {words[::-1]}.",
        )
    shows = {
        "shows": [
            {"id": f"{code}{at}", "title": name(random), "about": " ".join(name(random) for _ in range(20))}
            for at in range(6)
        ]
    }

    def tool(called: str, parameter: str) -> dict[str, Any]:
        properties = {parameter: {"type": "string", "description": f"The {parameter} that is meant. " * 8}}
        schema = {"type": "object", "properties": properties, "required": [parameter]}
        return {
            "type": "function",
            "function": {"name": called, "description": "What it does. " * 10, "parameters": schema},
        }

    tasks = (
        Task(user=user[0], type="single", actions=(Call(name="getWeather", arguments={"city": city}, observation={"city": city, "sky": "clear"}), Answer(text="Clear.", depends_on=(0,)))),
        Task(user=user[1], type="multi", topology="sequential", hidden_intent=HiddenIntent(kind="coreference", piece="city", said_in=0), actions=(
            Call(name="findShows", arguments={"city": city}, observation=shows),
            Call(name="getShow", arguments={"id": f"{code}1"}, observation={"id": f"{code}1"}, depends_on=(0,)), Answer(text="Here.", depends_on=(0, 1)))),
        Task(user=user[2], type="clarify", hidden_intent=HiddenIntent(kind="coreference", piece="city", said_in=1), actions=(
            Ask(tool="getShow", slots=("id",), question="Which id?", reply=f"{code}9"),
            Call(name="getShow", arguments={"id": f"{code}9"}, observation={"id": f"{code}9"}, depends_on=(0,)), Answer(text="Here.", depends_on=(0, 1)))),
        Task(user=user[3], type="chat", actions=(Answer(text="With pleasure."),)),
    )  # fmt: skip
    made = Session.for_plan(
        f"bench {number}", language=language, now="2024-07-12T09:30:00+00:00", tool_list=f"tls_{number % 97}",
        category=f"category {number % 8}", subcategory="none", tools=(tool("getWeather", "city"), tool("findShows", "city"), tool("getShow", "id")), tasks=tasks,
    )  # fmt: skip
    return made.model_copy(update={"provenance": Provenance(plan=f"bench {number}", labels=(f"lab_{number}",))})


def accepting(session: Any) -> Any:
    """A label that accepts a session as it is."""
    from wildtool.schemas.label import Label

    return Label.of(
        draft="drf_bench", session=session.id, annotator="bench", simulated=True, project_id=1, annotation_id=1, interface="0" * 16,
        updated_at="2026-01-02T03:04:05+00:00", decision="accept", tasks=session.tasks,
    )  # fmt: skip


def measure(count: int) -> dict[str, float]:
    """Freeze so many sessions here; seconds of CPU, peak GB, and bytes written."""
    from wildtool.flows.library import freeze
    from wildtool.validation.running import ReleaseRules
    from wildtool.warehouse import FreezeRequest

    sessions = [clone(number) for number in range(count)]
    labels = [accepting(session) for session in sessions]
    start = time.process_time()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "1.0.0"
        freeze(FreezeRequest(sessions, "1.0.0", folder, labels=labels), rules=ReleaseRules.of())
        seconds = time.process_time() - start
        written = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        "sessions": count,
        "cpu_seconds": round(seconds, 2),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 3),
        "written_mb": round(written / 2**20, 1),
    }


def figures_of(rows: list[dict[str, float]], limit: float) -> list[Figure]:
    """Each size, and the growth from one to the other, beside the limits."""
    small, large = rows
    return [
        *(Figure(f"{row['sessions']:,} sessions frozen", row["cpu_seconds"], "CPU s") for row in rows),
        *(at_most(f"{row['sessions']:,} sessions, peak memory", row["peak_gb"], "GB", MEMORY_GB) for row in rows),
        at_most(
            f"CPU time of {large['sessions']:,} by that of {small['sessions']:,}",
            large["cpu_seconds"] / small["cpu_seconds"], "times", limit,
        ),
    ]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=2560)
    parser.add_argument("--factor", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(given.measure)))
        return 0
    rows = []
    for count in (given.sessions, given.sessions * given.factor):
        command = [sys.executable, "-m", "benchmarks.releases", "--measure", str(count)]
        rows.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    times = rows[1]["cpu_seconds"] / rows[0]["cpu_seconds"]
    limit = TIMES * given.factor / 10
    ok = times <= limit and rows[1]["peak_gb"] <= MEMORY_GB
    if given.json:
        found = {"runs": rows, "times": round(times, 2), "limit_times": limit, "limit_gb": MEMORY_GB, "ok": ok}
        print(json.dumps(found | {"figures": packed(figures_of(rows, limit))}))
        return 0 if ok else 1
    print(f"{'sessions':>10} {'CPU s':>9} {'ms each':>8} {'peak GB':>8} {'written MB':>11}")
    for row in rows:
        each = 1000 * row["cpu_seconds"] / row["sessions"]
        print(
            f"{row['sessions']:>10,} {row['cpu_seconds']:>9.1f} {each:>8.2f} {row['peak_gb']:>8.2f} {row['written_mb']:>11.1f}"
        )
    print(f"{'limit':>10} {f'x {limit:g}':>9} {'':>8} {MEMORY_GB:>8.2f}")
    print(
        f"{'measured':>10} {f'x {times:.1f}':>9} {'':>8} {rows[1]['peak_gb']:>8.2f}   {'within the limits' if ok else 'BEYOND THE LIMITS'}"
    )
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
