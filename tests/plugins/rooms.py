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
    return {
        "subtype": row["english_turn_subtypes"][2],
        "back": [back.tasks[3].hidden_intent.kind, back.tasks[3].hidden_intent.said_in],
        "breakdown": recap in report.breakdown["hidden_intent"],
        "mined": stats.hidden[recap],
        "profile": profile_of({"en": stats}, "p").hidden_intents[recap],
    }


def main(names: list[str]) -> None:
    """Print each room's outcome: what it gave, or the error that a user sees."""
    told: dict[str, Any] = {}
    for name in names:
        try:
            found = ({**ROOMS, "kind": kind})[name]()
            told[name] = {"gave": [str(each.language) for each in found] if name == "planning" else found}
        except WildtoolError as error:
            told[name] = {"error": type(error).__name__, "cause": error.cause, "remedy": error.remedy}
    sys.stdout.write(json.dumps(told, default=str))
