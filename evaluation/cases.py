"""Files of scoring cases with known answers, and how many of them a rule set agrees with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Any, assert_never

from wildtool.evaluation.arguments.compare import Context, compare_arguments, conforms
from wildtool.evaluation.asks.ask_and_answer import AskVerdict, judge_ask
from wildtool.evaluation.matching.graph import count_paths, depth, graph_of
from wildtool.evaluation.matching.matcher import Matcher, plan_of
from wildtool.evaluation.wildtoolbench.arguments import CORRECT, check_arguments, same_verdict
from wildtool.evaluation.wildtoolbench.matching import OriginalWalk
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError
from wildtool.schemas.score import ArgumentVerdict
from wildtool.schemas.session import Answer, Ask, Call
from wildtool.schemas.trajectory import CandidateCall, CandidateStep
from wildtool.schemas.vocabulary import RuleSet

CASE_CLOCK = datetime(2024, 7, 12, 9, 30, tzinfo=UTC)
"""Cases name no clock; any will do as long as it never moves."""


class CaseKind(StrEnum):
    """What a case tries."""

    GRAPH = "graph"
    """Steps against a graph, with plain equality of arguments."""
    ARGUMENTS = "arguments"
    """One call's arguments against the gold ones."""
    ASK = "ask"
    """A text in the place of an ask: does it ask for every slot?"""
    VALUE = "value"
    """One value of a parameter against the gold one: do they mean the same?"""


@dataclass(frozen=True)
class Case:
    """One case."""

    id: str
    kind: CaseKind
    data: JsonObject


_NEEDS = {
    CaseKind.GRAPH: ("gold", "steps"),
    CaseKind.ARGUMENTS: ("tool", "gold", "predicted"),
    CaseKind.ASK: ("tool", "slots", "text", "asks"),
    CaseKind.VALUE: ("parameter", "gold", "predicted", "same"),
}


def read_cases(path: Path | str) -> list[Case]:
    """Read a JSON Lines file of cases; the kind is told by the fields. Raises ``InputError`` with the line at fault."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "name a JSON Lines file of scoring cases") from error
    cases = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path.name} line {number} is no JSON: {error}", "one JSON object a line") from error
        cases.append(_case(data, f"{path.name} line {number}"))
    if not cases:
        raise InputError(f"{path} holds no cases", "name a JSON Lines file of scoring cases")
    return cases


def _case(data: Any, where: str) -> Case:
    if isinstance(data, dict):
        for kind, needs in _NEEDS.items():
            if all(name in data for name in needs):
                case = Case(str(data.get("id", where)), kind, data)
                problem = _problem(case)
                if problem:
                    raise InputError(f"{where}: {problem}", "see docs/reference/scoring.md, Case files")
                return case
    raise InputError(
        f"{where} is no scoring case",
        "graph cases hold gold and steps; argument cases tool, gold and predicted; ask cases tool, slots, text and asks; "
        "value cases parameter, gold, predicted and same",
    )


def _problem(case: Case) -> str:
    """What is wrong with a case's shape; empty if nothing is."""
    data = case.data
    match case.kind:
        case CaseKind.GRAPH:
            steps = data["steps"]
            if not isinstance(data["gold"], list) or not isinstance(steps, list):
                return "gold and steps are lists"
            for call in data["gold"]:
                if not isinstance(call, dict) or not isinstance(call.get("name"), str) or "arguments" not in call:
                    return "each gold call holds a name and arguments"
            for action in data["gold"]:
                if not isinstance(action["arguments"], dict):
                    return "gold arguments are objects"
                depends = action.get("depends_on", [])
                if not isinstance(depends, list) or not all(isinstance(on, int) for on in depends):
                    return "depends_on is a list of indexes"
            graph_of([action.get("depends_on", []) for action in data["gold"]])
        case CaseKind.ARGUMENTS:
            tool = data["tool"]
            if not isinstance(tool, dict) or not isinstance(tool.get("function"), dict):
                return "tool is an OpenAI function tool"
            if not isinstance(data["gold"], dict):
                return "gold is an object of arguments"
        case CaseKind.ASK:
            if not isinstance(data["tool"], dict) or not isinstance(data["tool"].get("name"), str):
                return "tool is an object with a name, a description and parameters"
            if not isinstance(data["slots"], list) or not all(isinstance(slot, str) for slot in data["slots"]):
                return "slots is a list of parameter names"
            if not isinstance(data["text"], str) or not isinstance(data["asks"], bool):
                return "text is a string, asks a boolean"
        case CaseKind.VALUE:
            if not isinstance(data["parameter"], dict) or not isinstance(data["parameter"].get("name"), str):
                return "parameter is a JSON Schema with a name"
            if data["same"] is not None and not isinstance(data["same"], bool):
                return "same is a boolean, or null where it is doubtful"
            try:
                datetime.fromisoformat(str(data.get("now", CASE_CLOCK.isoformat())))
            except ValueError:
                return "now is a date and time in ISO 8601"
        case _:
            assert_never(case.kind)
    return ""


def run_cases(cases: Sequence[Case], rules: RuleSet, *, clock: Callable[[], float] = perf_counter) -> dict[str, Any]:
    """Score all cases and compare: ``{"cases", "agree", "disagree": [ids], "seconds"}``.

    Where a case holds no answer for the rule set (argument cases hold the original's verdict only), ``exact`` is
    compared with the original's, so that ``disagree`` lists where the two differ. Ask and value cases are judged by the
    exact rules, and add ``by_language``, ``false_accepts`` and ``false_rejects`` (ids), ``uncertain`` (asks),
    ``doubtful`` (value cases without an answer, in no other figure) and ``conforming`` (value cases whose predicted value
    has the schema's type and format).
    """
    start = clock()
    doubtful = [case.id for case in cases if case.kind is CaseKind.VALUE and case.data["same"] is None]
    told = [case for case in cases if not (case.kind is CaseKind.VALUE and case.data["same"] is None)]
    wrong = [case for case in told if not agrees(case, rules)]
    found: dict[str, Any] = {
        "cases": len(told),
        "agree": len(told) - len(wrong),
        "disagree": [case.id for case in wrong],
    }
    meant = [case for case in told if case.kind in _ANSWER]
    if meant or doubtful:
        found |= _by_answer(meant, {id(case) for case in wrong}) | {"doubtful": doubtful}
    return found | {"seconds": round(clock() - start, 6)}


_ANSWER = {CaseKind.ASK: "asks", CaseKind.VALUE: "same"}
"""Field that holds the answer of a case about meaning."""


def _by_answer(cases: Sequence[Case], wrong: set[int]) -> dict[str, Any]:
    """Figures of cases about meaning: by language, and which way they are wrong."""

    def figures(some: Sequence[Case]) -> dict[str, Any]:
        agree = sum(id(case) not in wrong for case in some)
        return {"cases": len(some), "agree": agree, "share": round(agree / len(some), 4) if some else None}

    def missed(answer: bool) -> list[str]:
        return [case.id for case in cases if id(case) in wrong and case.data[_ANSWER[case.kind]] is answer]

    codes = sorted({str(case.data.get("language", "und")) for case in cases})
    values = [case for case in cases if case.kind is CaseKind.VALUE]
    asks = [case for case in cases if case.kind is CaseKind.ASK]
    found: dict[str, Any] = {
        "by_language": {
            code: figures([case for case in cases if case.data.get("language", "und") == code]) for code in codes
        },
        "false_accepts": missed(False),
        "false_rejects": missed(True),
    }
    if asks:
        found["uncertain"] = [case.id for case in asks if ask_verdict(case.data).uncertain]
    if values:
        found["conforming"] = figures([case for case in values if value_conforms(case.data)])
    return found


def agrees(case: Case, rules: RuleSet) -> bool:
    """Does a rule set give the case's answer?"""
    data = case.data
    match case.kind, rules:
        case CaseKind.ASK, _:
            return (not ask_verdict(data).missing) is data["asks"]
        case CaseKind.VALUE, _:
            return value_same(data) is data["same"]
        case CaseKind.GRAPH, RuleSet.EXACT:
            return "exact" not in data or exact_graph(data) == data["exact"]
        case CaseKind.GRAPH, RuleSet.ORIGINAL:
            return "original" not in data or _same_original(original_graph(data), data["original"])
        case CaseKind.ARGUMENTS, RuleSet.ORIGINAL:
            return "original" not in data or same_verdict(original_arguments(data), str(data["original"]))
        case CaseKind.ARGUMENTS, RuleSet.EXACT:
            ok = all(verdict.ok for verdict in exact_arguments(data))
            if "exact" in data:
                return ok == (data["exact"] if isinstance(data["exact"], bool) else data["exact"] == CORRECT)
            return "original" not in data or ok == (data["original"] == CORRECT)
        case _:
            raise AssertionError((case.kind, rules))


def _steps(data: JsonObject) -> list[list[tuple[str, Any]]]:
    """The steps as ``(name, arguments)``. A candidate may have made anything: what is no call has no name, and what is
    no list of calls is a step without any."""
    return [
        [
            (call["name"] if isinstance(call.get("name"), str) else "", call.get("arguments"))
            if isinstance(call, dict)
            else ("", None)
            for call in step
        ]
        if isinstance(step, list)
        else []
        for step in data["steps"]
    ]


def exact_graph(data: JsonObject) -> JsonObject:
    """The exact answer to a graph case, with plain equality of arguments."""
    gold = data["gold"]
    contents = [json.dumps(action["arguments"], sort_keys=True) for action in gold]
    graph = graph_of([action.get("depends_on", []) for action in gold])
    matcher = Matcher(plan_of(graph, [a["name"] for a in gold], contents), lambda call, i: call == gold[i]["arguments"])
    broken = False
    for step in _steps(data):
        if not matcher.step(step):
            broken = True
            break
    fewest = depth(graph)
    complete = matcher.complete and not broken
    correct = complete and matcher.calls_right == graph.size
    return {
        "steps_matched": matcher.steps_matched,
        "nodes_matched": matcher.calls_matched,
        "nodes_total": graph.size,
        "complete": complete,
        "correct": correct,
        "optimal": correct and len(data["steps"]) == fewest,
        "depth": fewest,
        "calls_right": matcher.calls_right,
        "paths": count_paths(graph),
    }


def original_graph(data: JsonObject) -> JsonObject:
    """What the original says by name alone; ``raised`` where it would crash."""
    gold = data["gold"]
    actions: list[Call | Answer] = [
        Call(name=a["name"], arguments=a["arguments"], depends_on=tuple(a.get("depends_on", ()))) for a in gold
    ]
    actions.append(Answer(text="", depends_on=tuple(range(len(gold)))))
    walk = OriginalWalk(actions, ())
    steps = [
        CandidateStep(
            calls=tuple(
                CandidateCall(
                    id=f"{number}.{place}",
                    name=name,
                    arguments=arguments if isinstance(arguments, dict) else None,
                    raw_arguments=arguments
                    if isinstance(arguments, str)
                    else json.dumps(arguments, ensure_ascii=False),
                )
                for place, (name, arguments) in enumerate(step)
            )
        )
        for number, step in enumerate(_steps(data))
    ]
    if data.get("final_answer", True):
        steps.append(CandidateStep(text="The answer."))
    for step in steps:
        if not walk.step(step).matched:
            break
    answer: JsonObject = {
        "name_label": "correct" if walk.answered else "error",
        "optimal_by_name": walk.optimal_by_name,
    }
    return answer | ({"raised": walk.raised} if walk.raised else {})


def _same_original(ours: JsonObject, theirs: JsonObject) -> bool:
    """A crash of the original's counts as an error, whatever else stands beside it."""
    crashed = bool(theirs.get("raised"))
    label = "error" if crashed else theirs.get("name_label", "error")
    optimal = False if crashed else bool(theirs.get("optimal_by_name", False))
    return bool(ours["name_label"] == label and ours["optimal_by_name"] == optimal)


def original_arguments(data: JsonObject) -> str:
    """The original's verdict on an argument case."""
    try:
        return check_arguments(data["tool"], data["predicted"], data["gold"])
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        return f"raised: {type(error).__name__}"


def exact_arguments(data: JsonObject) -> tuple[ArgumentVerdict, ...]:
    """Our verdicts on an argument case."""
    parameters = data["tool"]["function"].get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    got = data["predicted"]
    if isinstance(got, str):
        try:
            got = json.loads(got)
        except ValueError:
            got = None
    if not isinstance(got, dict):
        return (
            ArgumentVerdict(
                path="", ok=False, rule="arguments.unreadable", expected=data["gold"], got=data["predicted"]
            ),
        )
    return compare_arguments(data["gold"], got, parameters, Context(CASE_CLOCK))


def ask_verdict(data: JsonObject) -> AskVerdict:
    """The exact verdict on an ask case."""
    ask = Ask(
        slots=tuple(data["slots"]), tool=data["tool"]["name"], question=str(data.get("gold_question", "")), reply=""
    )
    return judge_ask(ask, data["text"], [{"type": "function", "function": data["tool"]}])


def value_same(data: JsonObject) -> bool:
    """Does the exact rule set hold a value case's two values for the same?"""
    return all(verdict.ok for verdict in compare_arguments(*_as_arguments(data), _clock_of(data)))


def value_conforms(data: JsonObject) -> bool:
    """Has the predicted value the type, format and enum that its schema names? Also true of one left out."""
    return bool(data.get("predicted_absent")) or conforms(data["predicted"], data["parameter"])


def _as_arguments(data: JsonObject) -> tuple[JsonObject, JsonObject, JsonObject]:
    """Gold arguments, predicted ones, and the schema of both, as of a tool with this parameter alone."""
    name = data["parameter"]["name"]
    schema = {key: value for key, value in data["parameter"].items() if key != "name"}
    gold = {} if data.get("gold_absent") else {name: data["gold"]}
    got = {} if data.get("predicted_absent") else {name: data["predicted"]}
    return gold, got, {"type": "object", "properties": {name: schema}}


def _clock_of(data: JsonObject) -> Context:
    now = datetime.fromisoformat(str(data.get("now", CASE_CLOCK.isoformat())))
    return Context(now if now.tzinfo else now.replace(tzinfo=UTC))
