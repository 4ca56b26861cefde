"""Precision and recall of scrubbing on a generated suite of 3,900 cases, English and Chinese, with hard negatives.

    python -m benchmarks.mining_privacy [--json] [--file DIALOGUES.jsonl] [--seed N]
    python -m benchmarks.mining_privacy --cases FOLDER [--json]

Every positive case holds one value made for it (valid check digits, no real person's); it counts as found if the value is
gone. Every negative case holds a price, order number, date, version or the like; it counts as wrongly taken if anything
changed. With ``--file`` placeholders given out on real dialogues are counted too, by kind.
"""

# ruff: noqa: E501 - tables read best one entry a line
from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.figures import Figure, at_most, packed
from benchmarks.privacy_cases import NEGATIVE, POSITIVE, Case, suite
from benchmarks.privacy_foreign import judge


def measure(cases: list[Case]) -> dict[str, Any]:
    """Recall on positives, false alarms on negatives, precision over the suite, and the same by group."""
    from wildtool.mining.privacy import Scrubber

    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for group, text, value in cases:
        scrubbed = Scrubber()(text)
        good = (value not in scrubbed) if value is not None else scrubbed == text
        total[group] += 1
        right[group] += good
        if not good:
            examples.setdefault(group, f"{text} -> {scrubbed}")
    found = sum(right[group] for group in POSITIVE)
    alarms = sum(total[group] - right[group] for group in NEGATIVE)
    return {
        "cases": len(cases),
        "recall": round(found / sum(total[group] for group in POSITIVE), 4),
        "precision": round(found / (found + alarms), 4) if found else 0.0,
        "false_alarms": alarms,
        "by_group": {group: round(right[group] / total[group], 3) for group in total},
        "examples": examples,
    }


def finds(path: Path) -> dict[str, list[dict[str, str]]]:
    """What is replaced in a file of conversations, each value once a conversation, by kind: for judging by eye, in its context."""
    from wildtool.mining.privacy import SEPARATOR, Scrubber

    found: dict[str, list[dict[str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        scrubber = Scrubber()
        whole = SEPARATOR.join(message["content"] for message in row["messages"])
        scrubber(whole)
        for label, value in scrubber.values.items():
            place = whole.find(value)
            before, after = whole[max(0, place - 60) : place], whole[place + len(value) :][:40]
            found.setdefault(label.strip("[]").rsplit("_", 1)[0], []).append(
                {
                    "source": row.get("source", ""),
                    "id": str(row.get("id", "")),
                    "value": value,
                    "context": f"{before}{{{{{value}}}}}{after}",
                }
            )
    return found


def show_finds(path: Path, kind: str | None, sample: int, seed: int) -> None:
    """A random sample of what is replaced, of one kind or of each, in double braces."""
    from wildtool.mining.privacy import SEPARATOR

    for name, some in sorted(finds(path).items()):
        if kind is None or name == kind.upper():
            chosen = random.Random(seed).sample(some, min(sample, len(some)))
            print(f"{name}: {len(some)} found, {len(chosen)} shown")
            for one in chosen:
                print(f"  {one['source']:12} {one['context'].replace(SEPARATOR, ' | ')!r}")


def on_dialogues(path: Path) -> dict[str, int]:
    """Placeholders given out on a file of conversations, by kind."""
    return {kind: len(some) for kind, some in sorted(finds(path).items())}


HOSTILE: dict[str, str] = {
    "digits": "1" * 1_000_000,
    "spaced digits": "1 " * 500_000,
    "at signs": "a@" * 500_000,
    "dots": "a." * 500_000,
    "a name without end": "I'm " + "Aa " * 300_000,
    "many names": " ".join(
        f"I'm Xa{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676 % 26)}." for n in range(20_000)
    ),
    "colons": "ab:" * 300_000,
    "Chinese streets": "海淀区中关村南路" * 50_000,
    "Chinese numbers": "路1号" * 100_000,
    "keys": "eyJ" + "a" * 500_000 + "." + "eyJ" * 100_000,
    "schemes": "http://a:" * 100_000,
    "brackets": "[" * 500_000 + "]" * 500_000,
    "dates": "born 1 of january " * 50_000,
    "spelt addresses": ("anna dot " * 9 + "(at) ") * 10_000,
    "ats and dots": ("a at b dot c " * 9 + " gmail.com ") * 6_000,
    "small names": "i'm anna " * 100_000,
    "cues": "my name is this is under mr " * 30_000,
    "full-width digits": "１" * 500_000,
    "Chinese names": "我叫王小明" * 100_000,
    "Chinese ats": "a点a艾特" * 100_000,
    "Chinese digits": "一三八" * 150_000,
    "capitals after a house": "1 Aa Street, " + "Ab " * 300_000,
}
"""Texts made to cost more than their length, of a quarter to one MB."""


MOST_RATIO = 8.0
"""Of four times the text: 4 is linear, 16 the square; between them lies the noise of a busy machine."""


def hostile() -> dict[str, dict[str, float]]:
    """CPU seconds for a quarter of each text and for all of it, and their ratio: 4 is linear, 16 the square."""
    from wildtool.mining.privacy import scrub_texts

    def cost(text: str) -> float:
        began = process_time()
        scrub_texts([text])
        return process_time() - began

    found = {}
    for name, text in HOSTILE.items():
        quarter, whole = cost(text[: len(text) // 4]), cost(text)
        found[name] = {
            "characters": len(text), "quarter_s": round(quarter, 3), "whole_s": round(whole, 3), "ratio": round(whole / max(quarter, 1e-3), 1),
        }  # fmt: skip
    return found


def figures_of(report: dict[str, Any]) -> list[Figure]:
    """Recall and precision, and for each hostile text how much more the whole costs than a quarter."""
    return [
        Figure(f"recall on {report['cases']:,} generated cases", report["recall"], "share", better="more"),
        Figure("precision on them", report["precision"], "share", better="more"),
        *(
            at_most(
                f"{name}: {one['characters']:,} characters, by a quarter of them", one["ratio"], "times", MOST_RATIO
            )
            for name, one in report.get("hostile", {}).items()
            if one["whole_s"] >= 0.05  # below it the clock's grain decides
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Precision and recall of scrubbing.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--file", type=Path)
    parser.add_argument(
        "--finds", metavar="KIND", help="with --file: print a sample of what is replaced, in context (ALL: each kind)"
    )
    parser.add_argument("--sample", type=int, default=60, help="how many of each kind")
    parser.add_argument("--hostile", action="store_true", help="measure texts made to be slow")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=Path, metavar="FOLDER", help="measure on lines that others wrote, instead")
    arguments = parser.parse_args()
    if arguments.cases:
        judged = judge(arguments.cases)
        if arguments.json:
            print(json.dumps(judged, ensure_ascii=False))
        else:
            print(f"recall {judged['recall']}, precision {judged['precision']}")
            for kind, share in judged["by_kind"].items():
                print(f"  {kind:16} {share:.2f}")
        return 0
    if arguments.finds:
        if arguments.file is None:
            parser.error("--finds needs --file DIALOGUES.jsonl")
        show_finds(
            arguments.file,
            None if arguments.finds.upper() == "ALL" else arguments.finds,
            arguments.sample,
            arguments.seed,
        )
        return 0
    report = measure(suite(arguments.seed))
    if arguments.file:
        report["dialogues"] = on_dialogues(arguments.file)
    if arguments.hostile:
        report["hostile"] = hostile()
    if arguments.json:
        print(json.dumps(report | {"figures": packed(figures_of(report))}, ensure_ascii=False))
        return 0
    print(
        f"{report['cases']} cases: recall {report['recall']}, precision {report['precision']}, {report['false_alarms']} false alarms"
    )
    for group, share in report["by_group"].items():  # type: ignore[attr-defined]
        example = report["examples"].get(group, "")  # type: ignore[attr-defined]
        print(f"  {group:16} {share:.2f}  {example}")
    if "dialogues" in report:
        print(f"on dialogues: {report['dialogues']}")
    for name, one in report.get("hostile", {}).items():  # type: ignore[attr-defined]
        print(
            f"  {name:20} {one['characters']:>9,} characters  {one['whole_s']:7.3f} s  x{one['ratio']} of a quarter's"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
