"""Stage: stored trajectories → scores → report page. Needs no model, but for a judge where one is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.stages.draft import gateway_settings, response_cache
from wildtool.flows.stages.release import open_release
from wildtool.flows.stages.summary import run_id, summary
from wildtool.schemas.base import JsonObject, canonical_json, sha256_hex
from wildtool.schemas.errors import InputError, SettingsError
from wildtool.schemas.quarantine import StageReport, StepCount
from wildtool.schemas.score import ScoreReport, TaskScore
from wildtool.schemas.session import Session
from wildtool.schemas.trajectory import Trajectory
from wildtool.schemas.vocabulary import RuleSet, Stage

if TYPE_CHECKING:
    from wildtool.evaluation import SpeechItem, SpeechVerdict
    from wildtool.warehouse import Release


def score(
    run: Run,
    *,
    release: str,
    candidate: str,
    rules: str = "exact",
    history: str = "gold",
    trials: int = 1,
    split: str | None = None,
    trajectories: Sequence[Trajectory] | None = None,
    fresh: int = 0,
    results: str | None = None,
    costs: str | None = None,
    judge: str | None = None,
) -> JsonObject:
    """Score a candidate's trajectories; writes the report page too.

    Trajectories are those given, or those of the file ``results`` (ours, or a result file of the original's), or those
    stored. ``costs``: a file of costs by tool, for the weighted OP rate. ``judge``: a model that gives its opinion on
    asks and answers, beside the scores.
    """
    from wildtool.evaluation import effort, read_costs, score_session, summarise, write_report
    from wildtool.flows.versions import code_version

    frozen = open_release(run, release)
    sessions = {session.id: session for session in sessions_of(frozen, split)}
    table = read_costs(costs) if costs else {}
    store = run.store()
    if results is not None:
        trajectories = _from_file(frozen, results, candidate)
        store.put(trajectories)
    elif trajectories is None:
        trajectories = _stored(run, frozen, candidate, history)
    mine = [each for each in trajectories if each.session in sessions and each.release_digest == frozen.digest]
    if not mine:
        raise InputError(
            f"there is no trajectory of {candidate} on release {frozen.manifest.version}",
            f"play it first: wildtool evaluate run --release {release} --model {candidate}",
        )
    mine = sorted(
        {(each.session, each.trial): each for each in mine}.values(), key=lambda each: (each.session, each.trial)
    )
    label = label_of(candidate, mine[0].settings)
    rule_set = RuleSet(rules)
    scores: list[TaskScore] = []
    for number, trajectory in enumerate(mine, 1):
        scores += score_session(sessions[trajectory.session], trajectory, rule_set, costs=table)
        run.progress.update("sessions scored", number, len(mine))
    more: JsonObject = {
        "model": candidate,
        "settings": mine[0].settings,
        "split": split,
        "costs": table,
        "effort": effort(mine),
        "marks": marks_of(frozen),
    }
    if judge is not None:
        more["judge"] = _judged(run, judge, [sessions[each.session] for each in mine], mine)
    report = summarise(
        scores,
        release=frozen.manifest.version,
        release_digest=frozen.digest,
        candidate=label,
        rules=rule_set,
        sessions_expected=len(sessions),
        code_version=code_version(),
        trials=max(trials, 1 + max(each.trial for each in mine)),
        seed=run.settings.seed,
        more=more,
    )
    store.put_scores(report, scores)
    page = run.home.reports / f"{frozen.manifest.version}-{_file_name(label)}-{rules}.html"
    page.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_report(page, [report], [scores], list(sessions.values()), [mine])
    stage = StageReport(
        stage=Stage.EVALUATE,
        run=run_id(Stage.EVALUATE, [frozen.digest, label, rules, sorted(each.id for each in mine)]),
        steps=(StepCount(step="score", rows_in=len(mine), rows_out=len(mine), quarantined=0),),
        notes={"release": frozen.manifest.version, "candidate": label, "failed_requests": report.failed_requests},
    )
    store.put_report(stage)
    return summary(stage, unchanged=not fresh, score=report.model_dump(mode="json"), page=str(page))


def compare(
    run: Run, *, release: str, candidates: list[str], rules: str = "exact", out: str | None = None
) -> JsonObject:
    """One page with several candidates side by side, and a paired test of each against the first.

    ``rules``: a rule set, or ``both``: then each candidate stands there by either, and where they disagree is listed.
    """
    from wildtool.evaluation import compare_runs, write_report

    frozen = open_release(run, release)
    store = run.store()
    wanted = list(RuleSet) if rules == "both" else [RuleSet(rules)]
    there = [each for each in store.read(ScoreReport) if each.release_digest == frozen.digest and each.rules in wanted]
    unknown = [name for name in candidates if name not in {each.candidate for each in there}]
    if not there or unknown:
        raise InputError(
            f"{unknown[0] if unknown else 'nothing'} was {'not ' if unknown else ''}scored on release "
            f"{frozen.manifest.version} with {rules} rules",
            f"score it first: wildtool evaluate run --release {release} --model {unknown[0] if unknown else 'MODEL'}",
        )
    reports = [each for each in there if not candidates or each.candidate in candidates]
    reports.sort(key=lambda each: (each.rules.value, -(each.task_accuracy.value or 0.0), each.candidate))
    scores = [store.task_scores(each) for each in reports]
    page = Path(out) if out else run.home.reports / f"{frozen.manifest.version}-{rules}.html"
    try:
        page.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {page.parent}: {error}", "name another with --out") from error
    trajectories = [_behind(run, frozen, each) for each in reports]
    write_report(page, reports, scores, frozen.sessions, trajectories)
    pairs = [
        {
            "first": reports[0].candidate,
            "second": other.candidate,
            "rules": other.rules.value,
            **compare_runs(scores[0], theirs, seed=run.settings.seed),
        }
        for other, theirs in zip(reports[1:], scores[1:], strict=True)
    ]
    return {"page": str(page), "scores": [each.model_dump(mode="json") for each in reports], "pairs": pairs}


def sessions_of(release: Release, split: str | None) -> list[Session]:
    """Sessions of one split, or of all."""
    if split is None:
        return list(release.sessions)
    chosen = [session for session in release.sessions if release.splits[session.id] == split]
    if not chosen:
        there = ", ".join(sorted(set(release.splits.values())))
        raise InputError(f"release {release.manifest.version} has no split {split}", f"name one of: {there}")
    return chosen


def label_of(candidate: str, settings: JsonObject) -> str:
    """A candidate's name in tables: what was played otherwise than by default is another candidate."""
    if settings.get("harness") == "original":
        return f"{candidate} (original harness)"
    return f"{candidate} (own history)" if settings.get("history") == "own" else candidate


def marks_of(release: Release) -> list[str]:
    """What a reader must know of a release before any score on it: no real people or models behind it."""
    provenances = [session.provenance for session in release.sessions]
    marks = []
    if any(each.offline for each in provenances):
        marks.append("written by an offline simulator")
    if any(each.simulated_labels for each in provenances):
        marks.append("labelled by a simulator")
    return marks


def _from_file(release: Release, results: str, candidate: str) -> list[Trajectory]:
    from wildtool.evaluation import read_original_results
    from wildtool.warehouse.formats.wildtoolbench import in_file_order

    return read_original_results(
        results,
        in_file_order(release.sessions),
        release=release.manifest.version,
        release_digest=release.digest,
        candidate=candidate,
    )


def _stored(run: Run, release: Release, candidate: str, history: str) -> list[Trajectory]:
    """Stored trajectories of one way to play: runs against several endpoints, or by other harnesses, are not mixed."""
    found = [
        each
        for each in run.store().read(Trajectory, candidate=candidate, release=release.manifest.version)
        if each.release_digest == release.digest
        and each.settings.get("history", history) == history
        and "harness" not in each.settings
    ]
    wanted = run.settings.openai_base_url
    ways = {canonical_json(each.settings): each.settings for each in found}
    if len(ways) > 1 and wanted is not None:
        found = [each for each in found if each.settings.get("base_url") == wanted]
    elif len(ways) > 1:
        urls = sorted(str(way.get("base_url", "the default")) for way in ways.values())
        raise InputError(
            f"{candidate} was played against several endpoints: {', '.join(urls)}", "name one with --base-url"
        )
    return found


def _behind(run: Run, release: Release, report: ScoreReport) -> list[Trajectory]:
    """The trajectories that a report rests on."""
    model, settings = report.extra.get("model", report.candidate), report.extra.get("settings")
    return [
        each
        for each in run.store().read(Trajectory, candidate=model, release=report.release)
        if each.release_digest == release.digest and (settings is None or each.settings == settings)
    ]


def _judged(run: Run, model: str, sessions: Sequence[Session], trajectories: Sequence[Trajectory]) -> JsonObject:
    from wildtool.agents import Question, judge_all
    from wildtool.evaluation import SpeechVerdict, judge_speech, speech_items

    if run.settings.openai_api_key is None:
        raise SettingsError(
            f"no key for the judge {model}: OPENAI_API_KEY is not set",
            "set OPENAI_API_KEY (any text for a server of your own), or leave --judge out: scores do not need it",
        )
    items = [item for pair in zip(sessions, trajectories, strict=True) for item in speech_items(*pair)]

    def judge(asked: Sequence[SpeechItem]) -> list[SpeechVerdict | None]:
        run.progress.stage(f"{model} judges {len(asked):,} texts")
        found = judge_all(
            [Question(item.kind, item.language, item.asked) for item in asked],
            gateway_settings(run.settings.model_copy(update={"model": model})),
            cache=response_cache(run, "judge.sqlite"),
        )
        return [None if verdict is None else SpeechVerdict(*verdict) for verdict in found]

    return judge_speech(items, judge, model)


def _file_name(candidate: str) -> str:
    """A file name that every system can hold; a long one is cut, and told apart by its digest."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", candidate).strip("-.") or "candidate"
    return name if len(name) <= 100 else f"{name[:90]}-{sha256_hex(candidate)[:8]}"
