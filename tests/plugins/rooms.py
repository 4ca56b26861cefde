"""What each room does first with a session of a language, and with a hidden-intent kind. Run in a process of its own.

To cover another room, add a function here; the tests say what is expected of it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from wildtool.schemas.errors import WildtoolError
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import HiddenIntentKind, Language

TEMPORARY = Path(tempfile.mkdtemp())


def session() -> Session:
    """A sound session whose words are English ones, in the made-up language."""
    from tests.warehouse.conftest import make_session

    return make_session(3).model_copy(update={"language": Language("qx")})


def language() -> Any:
    from wildtool.language.day_phrases import weekday

    return weekday(date(2026, 1, 5), "qx")


def grounding() -> Any:
    from wildtool.grounding.chat import system_message

    return system_message(session().language, session().now)["role"]


def worlds() -> Any:
    from wildtool.worlds.words import pool

    return pool("city", "qx")[0]


def mining() -> Any:
    from wildtool.mining import mine

    row = {"messages": [{"role": "user", "content": "Find me a hotel in Lyon, please."}]}
    (TEMPORARY / "log.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return len(mine([str(TEMPORARY / "log.jsonl")]).behaviours)


def mining_words() -> Any:
    from wildtool.mining.behaviour import observe_texts

    (turn,) = observe_texts([("user", "Find me a hotel in Lyon, please.")], "qx")
    return turn.kind


def api_catalog() -> Any:
    from tests.agents.planning import core, seeds
    from wildtool.api_catalog import Catalogue, sample

    return sample(seeds()[0], Catalogue(core(), {}), Random(1), language="qx", used=Counter()).language


def planning() -> Any:
    from tests.agents.planning import core, seeds
    from wildtool.agents import load_profile, plan_sessions

    profile = load_profile("demo").model_copy(update={"sessions": {Language("qx"): 1}, "fault_share": 0.0})
    english = [one for one in core() if one.language == "en"]
    return plan_sessions(profile, seeds(), lambda seed, language, rng: rng.choice(english), seed=1)


def drafting_offline() -> Any:
    from wildtool.flows.library import draft_all

    return len(draft_all(planning(), cache=None, offline=True).drafts)


def annotation() -> Any:
    from tests.annotation.drafts import draft
    from wildtool.annotation import InterfaceSpec, draft_form

    made = draft()
    return len(draft_form(made.model_copy(update={"session": session()}), InterfaceSpec())) > 10


def evaluation() -> Any:
    from wildtool.evaluation import score_session
    from wildtool.schemas.trajectory import CandidateStep, TaskTrajectory, Trajectory

    one = session()
    steps = (CandidateStep(text="Could you tell me the city?"),)
    done = tuple(TaskTrajectory(task=number, steps=steps) for number in range(len(one.tasks)))
    made = Trajectory.of(release="", release_digest="", candidate="c", session=one.id, tasks=done)
    return [score.language for score in score_session(one, made)]


def release() -> Any:
    """Validation, freezing, loading, the original's format and back."""
    from tests.frozen import freeze
    from tests.warehouse.conftest import make_label
    from wildtool.warehouse import load_release
    from wildtool.warehouse.formats.importing import session_of_original

    freeze([session()], "1.0.0", TEMPORARY / "release", labels=[make_label(session())])
    loaded = load_release(TEMPORARY / "release").sessions[0].language
    row = json.loads((TEMPORARY / "release" / "original" / "qx.jsonl").read_text(encoding="utf-8"))
    row.pop("session")
    return [
        loaded,
        session_of_original(row).language,
        (TEMPORARY / "release" / "data" / "qx" / "test.parquet").is_file(),
    ]


ROOMS: dict[str, Callable[[], Any]] = {
    one.__name__: one
    for one in (
        language, grounding, worlds, mining, mining_words, api_catalog, planning, drafting_offline, annotation, evaluation, release,
    )
}  # fmt: skip


def kind() -> Any:
    """Mining, scores and the original's format with the hidden-intent kind ``recap``."""
    from wildtool.evaluation import score_session, summarise
    from wildtool.mining.profile import profile_of
    from wildtool.mining.statistics import counted, stats_of
    from wildtool.schemas.trajectory import Trajectory
    from wildtool.schemas.vocabulary import RuleSet
    from wildtool.warehouse.formats.importing import session_of_original
    from wildtool.warehouse.formats.wildtoolbench import original_row

    recap = HiddenIntentKind("recap")
    from tests.warehouse.conftest import make_session

    one = make_session(3)
    data = one.model_dump(mode="json")
    data["tasks"][3]["hidden_intent"] = {"kind": "recap", "piece": "city", "said_in": 0}
    one = Session.model_validate(data)
    row = original_row(one, 0)
    back = session_of_original({key: value for key, value in row.items() if key != "session"})
    scores = score_session(one, Trajectory.of(release="", release_digest="", candidate="c", session=one.id, tasks=()))
    report = summarise(
        scores, release="", release_digest="", candidate="c", rules=RuleSet.EXACT, sessions_expected=1, code_version=""
    )
    from wildtool.mining.behaviour import observe_texts

    seen = observe_texts(
        [("user", "Find me a hotel in Lyon."), ("assistant", "Alma."), ("user", "And its phone?")], "en"
    )
    stats = stats_of(counted(seen))
    profile = profile_of({"en": stats}, "p")
    return {
        "subtype": row["english_turn_subtypes"][2],
        "back": [back.tasks[3].hidden_intent.kind, back.tasks[3].hidden_intent.said_in],
        "breakdown": recap in report.breakdown["hidden_intent"],
        "mined": stats.hidden[recap],
        "profile": profile.hidden_intents[recap],
        "far": sum(profile.hidden_intents[one] for one in (recap, HiddenIntentKind.LONG_RANGE)),
        "places": (profile.tasks_per_session - 3) / (profile.tasks_per_session - 1),
    }


def recap_session(data: dict[str, Any], said_in: int, distance: int) -> Session:
    """A session in whose last task ``recap`` refers to an earlier one."""
    data["tasks"][3]["hidden_intent"] = {"kind": "recap", "piece": "city", "said_in": said_in, "distance": distance}
    return Session.model_validate(data)


def kind_whole_way() -> Any:
    """Plans, offline drafts, forms, validation, a frozen release and all its formats with ``recap``."""
    from tests.agents.planning import choose, seeds
    from tests.warehouse.conftest import make_label, make_session
    from wildtool.agents import SIMULATOR, load_profile, plan_sessions
    from wildtool.annotation import InterfaceSpec, draft_form
    from wildtool.annotation.label_studio.guide import instructions
    from wildtool.flows.library import draft_all, freeze
    from wildtool.flows.rules import release_rules
    from wildtool.warehouse import FreezeRequest, load_release
    from wildtool.warehouse.formats.importing import import_sessions, session_of_original
    from wildtool.warehouse.release.counts import composition

    recap = HiddenIntentKind("recap")
    shares = {recap: 1, HiddenIntentKind.COREFERENCE: 2}
    profile = load_profile("default").model_copy(
        update={"sessions": {Language.EN: 4, Language.ZH: 2}, "hidden_intents": shares, "fault_share": 0.0}
    )
    drafts = draft_all(
        plan_sessions(profile, seeds(), choose, seed=5, drafter=SIMULATOR), cache=None, offline=True
    ).drafts
    labels = [make_label(draft.session) for draft in drafts]
    sessions = [
        draft.session.model_copy(
            update={"provenance": draft.session.provenance.model_copy(update={"labels": (label.id,)})}
        )
        for draft, label in zip(drafts, labels, strict=True)
    ]
    request = FreezeRequest(sessions, "1.0.0", TEMPORARY / "recap", labels=labels,
                            tool_lists=[draft.plan.tool_list for draft in drafts], allow=("agreement",))  # fmt: skip
    manifest = freeze(request)
    folder = TEMPORARY / "recap"

    def kinds(of: Any) -> list[list[str | None]]:
        return [[task.hidden_intent and str(task.hidden_intent.kind) for task in one.tasks]
                for one in sorted(of, key=lambda one: one.id)]  # fmt: skip

    rows = [
        json.loads(line)
        for path in sorted((folder / "original").glob("*.jsonl"))
        for line in path.open(encoding="utf-8")
    ]
    files = [folder, folder / "benchmark.duckdb", folder / "sessions.jsonl", *folder.glob("data/en/*.parquet")]
    bad: list[Any] = []
    read = {path.name: list(import_sessions(path, bad.append)) for path in files}
    data = make_session(3).model_dump(mode="json")
    judged = {}
    for name, said_in, distance in (("far", 0, 4), ("near", 2, 1)):
        subject = [recap_session(data, said_in, distance)]
        found = release_rules()(subject)
        judged[name] = [
            f.reason for each in found if each.gate == "hidden_intent" for f in (*each.failures, *each.doubts)
        ]
    return {
        "drafts": len(drafts),
        "planned": sum(kind == "recap" for one in kinds(sessions) for kind in one),
        "counted": composition(sessions)["hidden_intent"]["recap"],
        "refused": [one.gate for one in manifest.gates if one.failures and one.gate.startswith("hidden")],
        "loaded": kinds(load_release(folder).sessions) == kinds(sessions),
        "formats": {
            name: kinds(of) == kinds([one for one in sessions if one.id in {each.id for each in of}])
            for name, of in read.items()
        },
        "read": {name: len(of) for name, of in read.items()},
        "bad": len(bad),
        "original": kinds(map(session_of_original, rows)) == kinds(sessions),
        "form": "recap" in InterfaceSpec().intents
        and all(len(draft_form(one, InterfaceSpec())) > 10 for one in drafts),
        "guide": "everything said so far" in instructions(),
        "judged": judged,
    }


def main(names: list[str]) -> None:
    """Print each room's outcome: what it gave, or the error that a user sees."""
    told: dict[str, Any] = {}
    for name in names:
        try:
            found = ({**ROOMS, "kind": kind, "kind_whole_way": kind_whole_way})[name]()
            told[name] = {"gave": [str(each.language) for each in found] if name == "planning" else found}
        except WildtoolError as error:
            told[name] = {"error": type(error).__name__, "cause": error.cause, "remedy": error.remedy}
    sys.stdout.write(json.dumps(told, default=str))
