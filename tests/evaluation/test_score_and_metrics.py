"""Scores of whole sessions, their sums, and the page made of them."""

from __future__ import annotations

import pytest

from wildtool.evaluation import compare_runs, score_session, summarise, write_report
from wildtool.evaluation.report.page import render_report
from wildtool.schemas.errors import InputError
from wildtool.schemas.trajectory import TaskTrajectory
from wildtool.schemas.vocabulary import ErrorKind, RuleSet

from .conftest import RIGHT, call, say, step, trajectory

WRONG = (
    (
        step(call("searchShows", "a", city="Paris"), call("getAir", "b", city="Lyon")),
        step(call("getShow", "c", id="s7")),
        say("AQI 410."),
    ),
    (step(call("bookShow", "d", id="s7")),),
    (step(call("getAir", "e", city="Nice")),),
    (say("I cannot."),),
)
SLOW = (
    (
        step(call("getAir", "b", city="Lyon")),
        step(call("searchShows", "a", city="Lyon", **{"from": "2024-07-13"})),
        step(call("getShow", "c", id="s7")),
        say("AQI 41."),
    ),
    *RIGHT[1:],
)


def report(scores, *, expected=1, trials=1, rules=RuleSet.EXACT):
    return summarise(
        scores,
        release="1.0.0",
        release_digest="0" * 64,
        candidate="model",
        rules=rules,
        sessions_expected=expected,
        code_version="0.1.0",
        trials=trials,
        bootstrap=200,
    )


@pytest.mark.parametrize("rules", list(RuleSet))
def test_gold_is_right_by_both_rule_sets(session, rules):
    scores = score_session(session, trajectory(session, *RIGHT), rules)
    assert all(score.correct and score.optimal and not score.errors for score in scores)
    assert [score.transitions for score in scores] == [0, 1, 2, 3]


def test_gold_completes_everything_by_our_counting_and_not_by_the_original_s(session):
    gold = trajectory(session, *RIGHT)
    assert report(score_session(session, gold)).accomplish_progress_rate.value == 1
    # Three steps over four actions: the original divides steps by actions.
    original = report(score_session(session, gold, RuleSet.ORIGINAL), rules=RuleSet.ORIGINAL)
    assert original.accomplish_progress_rate.value == 0.75


def test_a_failed_session_in_detail(session):
    scores = score_session(session, trajectory(session, *WRONG))
    assert [score.errors[0] for score in scores] == [
        ErrorKind.VALUE_ERROR,
        ErrorKind.MISSING_INFORMATION,
        ErrorKind.REDUNDANT_CALL,
        ErrorKind.REFUSAL,
    ]
    mixed = scores[0]
    assert (mixed.complete, mixed.correct, mixed.actions_done, mixed.actions_total) == (True, False, 2, 3)
    assert mixed.failed_step == 0 and "Paris" in mixed.reason
    assert mixed.unsupported == ("410",)


def test_right_but_slow_is_correct_and_not_optimal(session):
    score = score_session(session, trajectory(session, *SLOW), costs={"getAir": 3.0})[0]
    assert score.correct and not score.optimal and (score.steps, score.depth) == (3, 2)
    assert (score.path_cost, score.least_cost) == (5.0, 3.0)
    assert report([score]).extra["weighted_optimal_path_rate"]["value"] == pytest.approx(0.6)


def test_a_failed_request_is_a_failed_task_and_no_headline(session):
    done = tuple(TaskTrajectory(task=i, steps=steps) for i, steps in enumerate(RIGHT[:3]))
    failed = trajectory(session, done=(*done, TaskTrajectory(task=3, steps=(), error="503")))
    scores = score_session(session, failed)
    assert scores[3].errors == (ErrorKind.FAILED_REQUEST,) and not scores[3].correct
    summed = report(scores)
    assert not summed.complete_run and summed.failed_requests == 1
    assert summed.task_accuracy.value is None and summed.task_accuracy.n == 4
    assert summed.extra["partial"]["task_accuracy"]["value"] == 0.75


def test_a_missing_task_or_session_or_trial_is_no_complete_run(session):
    short = trajectory(session, *RIGHT[:2])
    assert score_session(session, short)[3].errors == (ErrorKind.FAILED_REQUEST,)
    scores = score_session(session, trajectory(session, *RIGHT))
    assert report(scores).complete_run
    assert not report(scores, expected=2).complete_run
    assert not report(scores, trials=2).complete_run
    assert not report([], expected=0).complete_run


def test_a_trajectory_without_an_answer_is_ended_early(session):
    scores = score_session(session, trajectory(session, RIGHT[0][:2], *RIGHT[1:]))
    assert scores[0].errors == (ErrorKind.EARLY_TERMINATION,) and scores[0].actions_done == 3


def test_a_trajectory_of_another_session_is_refused(session):
    other = trajectory(session, *RIGHT).model_copy(update={"session": "ses_other"})
    with pytest.raises(InputError):
        score_session(session, other)


def test_sums_breakdowns_and_trials(session):
    first = score_session(session, trajectory(session, *RIGHT))
    second = score_session(session, trajectory(session, *WRONG, trial=1))
    summed = report([*first, *second], trials=2)
    assert summed.complete_run and summed.task_accuracy.value == 0.5 and summed.session_accuracy.value == 0.5
    assert summed.extra["pass^k"] == {"task": {"1": 0.5, "2": 0.0}, "session": {"1": 0.5, "2": 0.0}}
    assert summed.breakdown["type"]["chat"].n == 2
    assert summed.breakdown["topology"]["mixed"].value == 0.5
    assert set(summed.breakdown) == {
        "type", "topology", "hidden_intent", "order", "transitions", "category", "language"
    }  # fmt: skip
    assert sum(summed.errors.values()) == 4
    assert summed.extra["null_candidate"]["task_accuracy"] == 0.25


def test_intervals_come_from_sessions_and_a_seed(session):
    scores = []
    for number in range(20):
        made = score_session(session, trajectory(session, *(RIGHT if number % 2 else WRONG)))
        scores += [score.model_copy(update={"session": f"ses_{number}"}) for score in made]
    rate = report(scores, expected=20).task_accuracy
    assert rate.value == 0.5 and rate.low is not None and rate.high is not None
    # All four tasks of a session go together: 20 clusters of standard deviation one half, so about 0.5 ± 0.22.
    assert 0.2 <= rate.low <= 0.35 and 0.65 <= rate.high <= 0.8
    assert report(scores, expected=20) == report(scores, expected=20)


def test_runs_are_compared_in_pairs(session):
    right = score_session(session, trajectory(session, *RIGHT))
    wrong = score_session(session, trajectory(session, *WRONG))
    test = compare_runs(wrong, right)
    assert (test["tasks"], test["won"], test["lost"], test["p"]) == (4, 4, 0, 0.125)
    assert test["difference"]["value"] == 1
    assert compare_runs(right, right)["p"] == 1


def test_the_page_escapes_and_tells_each_failed_task(session, tmp_path):
    evil = "<script>alert('x')</script>"
    made = trajectory(session, *WRONG[:3], (say(evil),))
    exact, original = (score_session(session, made, rules) for rules in RuleSet)
    reports = [report(exact), report(original, rules=RuleSet.ORIGINAL)]
    path = tmp_path / "report.html"
    write_report(path, reports, [exact, original], [session], [[made], [made]])
    page = path.read_text(encoding="utf-8")
    assert "<script" not in page and "&lt;script&gt;" in page
    assert page.count("<details id=") == 8 and "prefers-color-scheme: dark" in page
    assert "searchShows.city" in page and "Book one of them." in page
    assert "where the rules disagree" in page
    bounded = render_report(reports[:1], [exact], [session], [[made]], stories=1)
    assert bounded.count("<details id=") == 1 and "3 more failed tasks" in bounded


def test_what_no_json_should_hold_does_not_stop_the_scoring(session, tmp_path):
    odd = step(call("getAir", "e", city=float("nan"), extra=10**400, more="\ud800"))
    made = trajectory(session, *RIGHT[:3], (odd, say("\ud800")))
    for rules in RuleSet:
        scores = score_session(session, made, rules)
        assert not scores[3].correct
        write_report(tmp_path / "x.html", [report(scores, rules=rules)], [scores], [session], [[made]])


def test_an_incomplete_run_s_page_has_no_headline(session):
    made = trajectory(session, *RIGHT[:3])
    scores = score_session(session, made)
    page = render_report([report(scores)], [scores], [session], [[made]])
    assert "the run is incomplete, so it has no headline" in page


def test_a_report_needs_one_list_a_run(session, tmp_path):
    with pytest.raises(InputError):
        write_report(tmp_path / "x.html", [], [], [session], [])
