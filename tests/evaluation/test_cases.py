"""Case files: the real ones agree, broken ones are refused with their line."""

from __future__ import annotations

import json

import pytest

from wildtool.evaluation import read_cases, run_cases
from wildtool.evaluation.cases import exact_arguments, exact_graph, original_arguments, original_graph
from wildtool.schemas.errors import InputError
from wildtool.schemas.vocabulary import RuleSet

GRAPH = {
    "id": "g",
    "gold": [
        {"name": "search", "arguments": {"q": 1}, "depends_on": []},
        {"name": "research", "arguments": {}, "depends_on": [0]},
        {"name": "slides", "arguments": {}, "depends_on": []},
    ],
    "steps": [
        [{"name": "slides", "arguments": {}}, {"name": "search", "arguments": {"q": 2}}],
        [{"name": "research", "arguments": {}}],
    ],
}


def test_a_graph_case():
    assert exact_graph(GRAPH) == {
        "steps_matched": 2,
        "nodes_matched": 3,
        "nodes_total": 3,
        "complete": True,
        "correct": False,
        "optimal": False,
        "depth": 2,
        "calls_right": 2,
        "paths": 5,
    }
    assert original_graph(GRAPH) == {"name_label": "correct", "optimal_by_name": True}


def test_verdicts_of_the_original():
    tool = {
        "type": "function",
        "function": {
            "name": "f",
            "parameters": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "n": {"type": "integer"}, "k": {"enum": ["a", "b"]}},
                "required": ["text"],
            },
        },
    }

    def judge(gold, got):
        return original_arguments({"tool": tool, "gold": gold, "predicted": got})

    assert judge({"text": "a b c d"}, {"text": "A bcd"}) == "correct"
    assert judge({"text": "x"}, {}) == "error_schema: required args missing"
    assert judge({"text": "x"}, {"text": "x", "z": 1}) == "error_schema: args not defined"
    assert judge({"text": "x"}, {"text": 1}) == "error_schema: nested args type inconsistent"
    assert judge({"text": "x", "k": "a"}, {"text": "x", "k": "c"}) == "error_schema: nested args value not in enum"
    assert judge({"text": "x", "n": 1}, {"text": "x", "n": True}) == "error_match: value type inconsistent at 'n'"
    assert judge({"text": "x", "n": 1}, {"text": "x"}) == "error_match: args keys mismatch (missing: ['n'])"
    # The defects that published figures contain: a wrong date and a wrong address pass.
    assert judge({"text": "meet on the 12th of July at ten"}, {"text": "meet on the 13th of July at ten"}) == "correct"
    assert judge({"text": "192.168.0.1 and 10.0.0.1"}, {"text": "192.168.0.2 and 10.0.0.1"}) == "correct"
    assert judge({"text": "colour"}, {"text": "color"}).startswith(
        "error_match: string similarity too low at 'text' (r"
    )
    assert judge({"text": "........x.."}, {"text": "..........."}) == "error_match: rouge calculation failed at 'text'"
    assert judge({"text": "x"}, "{") == "error: args invalid json format"


@pytest.mark.parametrize(("name", "rules"), [("graphs", "exact"), ("graphs", "original"), ("arguments", "original")])
def test_real_cases_agree(shared_data, name, rules):
    cases = read_cases(shared_data / "scoring" / f"{name}.jsonl")
    result = run_cases(cases, RuleSet(rules))
    assert result["disagree"] == [] and result["agree"] == result["cases"] == 400
    assert result["seconds"] < 5


def test_where_exact_differs_from_the_original_is_listed(shared_data):
    result = run_cases(read_cases(shared_data / "scoring" / "arguments.jsonl"), RuleSet.EXACT)
    assert 0 < len(result["disagree"]) < 20
    assert result["agree"] + len(result["disagree"]) == result["cases"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        json.dumps({"gold": 1, "steps": []}),
        json.dumps({"gold": [{"name": "a"}], "steps": []}),
        json.dumps({"gold": [{"name": "a", "arguments": "x"}], "steps": []}),
        json.dumps({"gold": [{"name": "a", "arguments": {}, "depends_on": [0]}], "steps": []}),
        json.dumps({"gold": [{"name": "a", "arguments": {}, "depends_on": ["0"]}], "steps": []}),
        json.dumps({"tool": {}, "gold": {}, "predicted": {}}),
    ],
)
def test_broken_files_are_refused(tmp_path, text):
    path = tmp_path / "cases.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        read_cases(path)


def test_odd_but_readable_cases_are_scored():
    odd = GRAPH | {
        "steps": [[{"name": "slides", "arguments": "text"}, {"name": "search", "arguments": {"q": float("nan")}}]]
    }
    assert exact_graph(odd)["steps_matched"] == 1
    assert original_graph(odd)["name_label"] == "error"
    for parameters in (None, [], {"properties": None}, {"properties": {"x": 1}}, {"required": 1}):
        data = {"tool": {"function": {"name": "f", "parameters": parameters}}, "gold": {"x": 1}, "predicted": {"x": 1}}
        assert exact_arguments(data)[0].ok
        assert isinstance(original_arguments(data), str)
    assert not exact_arguments(data | {"predicted": "{"})[0].ok


@pytest.mark.parametrize(
    "steps",
    [[1], ["text"], [{}], [None], [[None]], [["slides"]], [[{}]], [[{"name": 1}]], [[{"name": "slides"}]],
     [[{"name": "slides", "arguments": "{"}]], [[]], [[{"name": "slides", "arguments": None}]]],
)  # fmt: skip
def test_whatever_a_candidate_did_is_scored(steps):
    case = GRAPH | {"steps": steps}
    assert not exact_graph(case)["correct"]
    assert original_graph(case)["name_label"] == "error"


def test_a_missing_or_binary_file_is_refused(tmp_path):
    with pytest.raises(InputError):
        read_cases(tmp_path / "none.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError):
        read_cases(tmp_path / "binary.jsonl")


def test_cases_run_and_count(tmp_path):
    path = tmp_path / "cases.jsonl"
    right = GRAPH | {"exact": exact_graph(GRAPH)}
    wrong = right | {"id": "h", "exact": right["exact"] | {"paths": 4}}
    crashed = GRAPH | {"id": "i", "original": {"raised": "KeyError"}}
    path.write_text("\n".join(map(json.dumps, (right, wrong, crashed))), encoding="utf-8")
    assert run_cases(read_cases(path), RuleSet.EXACT)["disagree"] == ["h"]
    assert run_cases(read_cases(path), RuleSet.ORIGINAL)["disagree"] == ["i"]
