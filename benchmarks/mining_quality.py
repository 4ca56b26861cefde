"""Behaviour and clusters of ``mining`` scored against dialogues that people annotated.

    python -m benchmarks.mining_quality DIALOGUES.jsonl [--json] [--errors BEHAVIOUR] [--folds N | --corpora]

The file holds one conversation a line: ``source``, ``language``, ``messages`` and ``labels`` (see the README beside the
dialogues). Labels are read here only; the miner sees the messages. What a corpus does not annotate is null and is not
scored; turns that are acceptances or otherwise outside our kinds (``select``, ``confirm``, ``other``) are left out of
the scores of kinds, and count for hidden intent.

The weights that come with the package are fitted to such dialogues, so on the file that they were fitted to the figures
flatter. ``--folds N`` labels each conversation by models fitted to the other folds, ``--corpora`` each corpus by models
fitted to the other corpora of its language: how well the labels travel to dialogues of another make.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, packed, peer

KINDS = {
    "task_open": "task_open",
    "task_update": "task_update",
    "clarify_answer": "clarify_answer",
    "followup_question": "follow_up",
    "chat": "chat",
}
"""Annotated types that have a kind of ours. Farewells are talk to the annotators: ``close`` counts as ``chat``."""

COMPOSITIONAL = {"CrossWOZ": "multi_request"}
"""Corpora that annotate several needs in one turn, and the label. SGD never calls twice a turn; STAR's second call is
mostly the wizard correcting a query; in Taskmaster-4 ordering one coffee already takes three calls."""

REFERENCES_ON_OPENINGS = frozenset({"SGD", "STAR"})
"""Corpora that annotate what a turn leans on (``carryover``) on turns that open a task: "how much is it?" about what
the assistant has just named carries no label there, so other turns are not scored."""

Observe = Callable[[dict[str, Any]], list[dict[str, bool]]]
"""A conversation to what is said of each of its user turns, by behaviour."""


def expected(row: dict[str, Any]) -> list[dict[str, bool]]:
    """What the annotators said of each user turn, by behaviour; a behaviour that is not annotated is absent."""
    labels, source = row["labels"], row["source"]
    found: list[dict[str, bool]] = []
    for turn in labels["turns"]:
        truth: dict[str, bool] = {}
        kind = KINDS.get(turn["type"])
        if kind is not None:
            truth = {name: name == kind for name in KINDS.values()}
            if turn["type"] == "chat" and turn.get("chat_kind") is None:
                truth = {}
        if source in COMPOSITIONAL and turn.get(COMPOSITIONAL[source]) is not None:
            truth["compositional"] = bool(turn[COMPOSITIONAL[source]])
        # A corpus without references annotates none: KdConv and Taskmaster-4 have null for the conversation.
        if labels["conversation"].get("has_hidden") is not None and turn["u"]:
            if source not in REFERENCES_ON_OPENINGS or turn["type"] == "task_open":
                truth["leans"] = bool(turn.get("coreference"))
            truth["long_range"] = bool(turn.get("long_range"))
        found.append(truth)
    return found


def observed(row: dict[str, Any], weights: Any = None) -> list[dict[str, bool]]:
    """What ``mining`` says of each user turn; with ``weights``, by these models instead of those of the package."""
    from wildtool.language.detection import language_of
    from wildtool.mining.behaviour import observe_texts

    texts = [(message["role"], message["content"]) for message in row["messages"]]
    language = language_of(" ".join(text for role, text in texts if role == "user"))
    found = []
    for turn in observe_texts(texts, language, weights):
        kind = "chat" if turn.kind == "close" else turn.kind.value
        said = {name: name == kind for name in KINDS.values()}
        said["compositional"] = turn.composition != "none"
        said["leans"] = any(reference.kind != "long_range" for reference in turn.hidden)
        said["long_range"] = any(reference.kind == "long_range" for reference in turn.hidden)
        found.append(said)
    return found


def always(row: dict[str, Any]) -> list[dict[str, bool]]:
    """Baseline: every behaviour everywhere. (The majority, which is "no", has an F1 of 0 for all of them.)"""
    names = (*KINDS.values(), "compositional", "leans", "long_range")
    return [dict.fromkeys(names, True) for message in row["messages"] if message["role"] == "user"]


def keywords(row: dict[str, Any]) -> list[dict[str, bool]]:
    """Baseline: one list of words a behaviour, the turn alone."""
    words = _WORDS[row["language"]]
    found = []
    for message in row["messages"]:
        if message["role"] == "user":
            text = f" {message['content'].lower()} "
            found.append({name: any(word in text for word in some) for name, some in words.items()})
    return found


_WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "task_open": ("i want", "i need", "i'd like", "find", "book", "looking for", "help me"),
        "task_update": ("other", "another", "instead", "change", "what about"),
        "clarify_answer": ("please.", "i'd like", "it's", "my name"),
        "follow_up": ("?",),
        "chat": ("thank", "bye", "hello", "that's all"),
        "compositional": (" and ", "also"),
        "leans": (" it ", " that ", " there", " this ", " one ", "them"),
        "long_range": ("earlier", "before", "back to"),
    },
    "zh": {
        "task_open": ("帮我", "推荐", "我想", "找"),
        "task_update": ("换", "其他", "别的"),
        "clarify_answer": ("是的", "我要"),
        "follow_up": ("？", "吗", "多少", "什么"),
        "chat": ("谢谢", "再见", "你好"),
        "compositional": ("还有", "另外", "和"),
        "leans": ("这", "那", "它", "该"),
        "long_range": ("刚才", "之前"),
    },
}


def tally(rows: Iterable[dict[str, Any]], says: Observe) -> dict[str, dict[str, Counter[str]]]:
    """Counts of tp, fp, fn, n by group (corpus, language, all) and behaviour."""
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in rows:
        answers = says(row)
        if not answers:  # no model for it that has not seen it
            continue
        for truth, said in zip(expected(row), answers, strict=True):
            for name, value in truth.items():
                cell = {(True, True): "tp", (True, False): "fn", (False, True): "fp", (False, False): "tn"}
                mark = cell[value, said.get(name, False)]
                for group in (row["source"], row["language"]):
                    counts[group][name][mark] += 1
    return counts


def measures(cell: Counter[str]) -> dict[str, float | int]:
    """Precision, recall, F1, and how many turns were scored and positive."""
    precision = cell["tp"] / (cell["tp"] + cell["fp"]) if cell["tp"] + cell["fp"] else 0.0
    recall = cell["tp"] / (cell["tp"] + cell["fn"]) if cell["tp"] + cell["fn"] else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {
        "precision": round(precision, 3),
        "recall": round(recall, 3),
        "f1": round(f1, 3),
        "positive": cell["tp"] + cell["fn"],
        "turns": cell.total(),
    }


def scores(rows: list[dict[str, Any]], says: Observe) -> dict[str, dict[str, Any]]:
    """Measures by group and behaviour, and the macro-F1 over behaviours that have positives in the group."""
    found: dict[str, dict[str, Any]] = {}
    for group, cells in sorted(tally(rows, says).items()):
        table: dict[str, Any] = {name: measures(cell) for name, cell in sorted(cells.items())}
        scored = [one["f1"] for one in table.values() if one["positive"] >= FEWEST]
        table["macro_f1"] = round(sum(scored) / len(scored), 3) if scored else None
        found[group] = table
    return found


FEWEST = 20
"""Positives below which a behaviour is not part of a macro average: its F1 would be a matter of single turns."""


def cluster_nmi(rows: list[dict[str, Any]]) -> dict[str, float | int]:
    """Normalised mutual information of our groups of annotated task openings with the annotated service.

    The groups are those that ``wildtool mine`` makes (``mining.clusters.group``, which chooses their number), over the
    annotated openings of each language. ``nmi`` joins the versions of a service of SGD (``Hotels_1``, ``Hotels_2``: the
    same need at another provider), ``nmi_single`` does not. Services with fewer than ten openings are left out.
    """
    from sklearn.metrics import normalized_mutual_info_score

    from wildtool.mining.scenarios.clusters import group

    texts: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    truth: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        said = [message["content"] for message in row["messages"]]
        for turn in row["labels"]["turns"]:
            if turn["type"] == "task_open" and turn.get("services"):
                place = turn["m"]
                around = (
                    said[place - 1] if place else "",
                    said[place],
                    said[place + 1] if place + 1 < len(said) else "",
                )
                texts[row["language"]].append(around)
                truth[row["language"]].append(turn["services"][0])
    services = Counter(one for language in truth.values() for one in language)
    result: dict[str, float | int] = {"services": sum(count >= 10 for count in services.values())}
    groups: list[str] = []
    single: list[str] = []
    joined: list[str] = []
    for language in sorted(texts):
        pairs = zip(texts[language], truth[language], strict=True)
        kept = [(text, one) for text, one in pairs if services[one] >= 10]
        labels = group([text for text, _ in kept], language, seed=0).labels
        names = [one for _, one in kept]
        same = [re.sub(r"_\d+$", "", one) for one in names]
        result[f"groups_{language}"] = len(set(labels))
        result[f"nmi_{language}"] = round(float(normalized_mutual_info_score(same, labels)), 3)
        groups += [f"{language}{label}" for label in labels]
        single += names
        joined += same
    result["openings"] = len(single)
    result["nmi"] = round(float(normalized_mutual_info_score(joined, groups)), 3)
    result["nmi_single"] = round(float(normalized_mutual_info_score(single, groups)), 3)
    return result


def language_accuracy(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Share of conversations whose language is found."""
    from wildtool.language.detection import language_of

    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in rows:
        text = " ".join(message["content"] for message in row["messages"] if message["role"] == "user")
        total[row["language"]] += 1
        right[row["language"]] += language_of(text) == row["language"]
    return {language: round(right[language] / total[language], 3) for language in sorted(total)}


def errors(rows: Iterable[dict[str, Any]], behaviour: str, limit: int) -> Iterator[str]:
    """Turns on which we and the annotators differ, for reading."""
    shown = 0
    for row in rows:
        users = [place for place, message in enumerate(row["messages"]) if message["role"] == "user"]
        for place, truth, said in zip(users, expected(row), observed(row), strict=True):
            if behaviour in truth and truth[behaviour] != said[behaviour]:
                before = row["messages"][place - 1]["content"][-80:] if place else ""
                mark = "missed" if truth[behaviour] else "wrong"
                yield f"{row['source']} {mark}: [{before}] {row['messages'][place]['content'][:120]}"
                shown += 1
                if shown == limit:
                    return


def held_out(rows: list[dict[str, Any]], folds: int | None, corpora: bool) -> Observe:
    """How conversations are labelled: by the package's models, or by models that have not seen them."""
    if not folds and not corpora:
        return observed
    from wildtool.mining.behaviour.train import fitted_elsewhere

    def apart(row: dict[str, Any], number: int) -> Any:
        return row["source"] if corpora else number % (folds or 1)

    models = fitted_elsewhere(rows, apart)
    places = {id(row): number for number, row in enumerate(rows)}
    return lambda row: observed(row, models[places[id(row)]]) if places[id(row)] in models else []


def main() -> int:
    parser = argparse.ArgumentParser(description="Score mining against annotated dialogues.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--errors", metavar="BEHAVIOUR", help="list turns that differ on one behaviour")
    parser.add_argument("--limit", type=int, default=40, help="how many of them")
    parser.add_argument("--folds", type=int, help="cross-validate the models over so many folds")
    parser.add_argument("--corpora", action="store_true", help="label each corpus by models of the other corpora")
    arguments = parser.parse_args()
    try:
        rows = [json.loads(line) for line in arguments.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        print(f"cannot read {arguments.file}: {error}", file=sys.stderr)
        return 2
    if arguments.errors:
        print("\n".join(errors(rows, arguments.errors, arguments.limit)))
        return 0
    says = held_out(rows, arguments.folds, arguments.corpora)
    report = {
        "conversations": len(rows),
        "models": f"{arguments.folds} folds" if arguments.folds else "corpora" if arguments.corpora else "package",
        "behaviour": scores(rows, says),
        "baselines": {"always": scores(rows, always), "keywords": scores(rows, keywords)},
        "clusters": cluster_nmi(rows),
        "language": language_accuracy(rows),
    }
    if arguments.json:
        print(json.dumps(report | {"figures": packed(figures_of(report))}, ensure_ascii=False))
        return 0
    show(report)
    return 0


def figures_of(report: dict[str, Any]) -> list[Figure]:
    """Macro-F1 of each group of behaviours beside the better of two baselines; language and clusters."""
    said = f"{report['conversations']:,} dialogues, {report['models']}"
    figures = []
    for group, table in report["behaviour"].items():
        others = {name: one[group]["macro_f1"] for name, one in report["baselines"].items()}
        best = max(others, key=lambda name: others[name])
        figures.append(
            peer(
                f"{group}: macro-F1 ({said})", table["macro_f1"], "F1", f"baseline {best}", others[best], better="more"
            )
        )
    for language, share in report["language"].items():
        figures.append(Figure(f"language told right, {language}", share, "share", better="more"))
    if "nmi" in report["clusters"]:
        figures.append(Figure("clusters against services: NMI", report["clusters"]["nmi"], "share", better="more"))
    return figures


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    print(
        f"{report['conversations']} conversations; F1 (precision/recall) of mining, then F1 of always and of keywords"
    )
    for group, table in report["behaviour"].items():
        base = {name: one[group] for name, one in report["baselines"].items()}
        print(
            f"\n{group}: macro-F1 {table['macro_f1']} (always {base['always']['macro_f1']}, keywords {base['keywords']['macro_f1']})"
        )
        for name, one in table.items():
            if name == "macro_f1" or not one["positive"]:
                continue
            print(
                f"  {name:15} {one['f1']:.3f} ({one['precision']:.2f}/{one['recall']:.2f})   {base['always'][name]['f1']:.3f}"
                f"   {base['keywords'][name]['f1']:.3f}   {one['positive']} of {one['turns']}"
            )
    print(f"\nclusters: {report['clusters']}\nlanguage: {report['language']}")


if __name__ == "__main__":
    sys.exit(main())
