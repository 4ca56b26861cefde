"""What a draft's calls were planned as, where their values came from, and what waits for what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from wildtool.agents.drafting.provenance import Made, Scene, align, dependencies, same, sinks
from wildtool.schemas.plan import PlannedArgument, PlannedCall, SessionPlan
from wildtool.schemas.session import Answer, Ask, Call, Task, ValueSource
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Language, Persona, TaskType

NOW = "2024-07-12T09:30:00+00:00"
TEXT = {"type": "string"}
PARAMETERS = {
    "type": "object",
    "properties": {"city": TEXT, "day": TEXT, "limit": {"type": "integer", "default": 20}, "units": TEXT, "hot": {"type": "boolean"}},
}  # fmt: skip
TOOL = Tool(
    name="find",
    description="Finds shows.",
    parameters=PARAMETERS,
    enum_words={"units": {"m": "metric ones", "5": "five"}},
    optional_phrasings={"limit": ("no more than {limit} of them",), "hot": ("hot ones only",)},
)
OTHER = Tool(name="other", description="Something else.", parameters={"type": "object", "properties": {}})
PLAN = SessionPlan.of(
    profile="test-1.0", index=0, language=Language.EN, now=NOW, seed=None, scenario="…", persona=Persona.NOVICE,
    tool_list=ToolList.of(
        slug="shows", title="Shows", description="Shows", language=Language.EN, category="c", subcategory="s",
        source="core", licence="Apache-2.0", version="1", tools=(OTHER, TOOL),
    ),
    tasks=(), random_seed=0,
)  # fmt: skip


def planned(source: str, parameter: str = "city", **fields: Any) -> PlannedArgument:
    return PlannedArgument(parameter=parameter, source=source, **fields)  # type: ignore[arg-type]


def call(observation: Any = None, trace: Sequence[ValueSource] = (), **arguments: Any) -> Call:
    return Call(name="find", arguments=arguments, observation=observation, trace=tuple(trace))


def ask(reply: str, *slots: str, tool: str | None = "find") -> Ask:
    return Ask(slots=slots or ("city",), tool=tool, question="?", reply=reply)


def done(user: str, *actions: Call | Ask) -> Task:
    return Task(user=user, type=TaskType.SINGLE, actions=(*actions, Answer(text=".")))


def trace(
    value: Any,
    user: str,
    plan: PlannedArgument | None = None,
    *actions: Call | Ask,
    name: str = "city",
    earlier: Sequence[Task] = (),
    shift: int = 0,
) -> ValueSource:
    """The source of one argument of a call that comes after these actions, in the task after these."""
    scene = Scene(PLAN, len(earlier), tuple(earlier), user, actions)
    return scene.source(name, value, "find", plan, shift)


# Planned calls and made ones


def test_calls_are_aligned_by_name_and_known_values_first() -> None:
    lyon = PlannedCall(tool="find", arguments=(planned("user", value="Lyon"), planned("observation", "day")))
    nice = PlannedCall(tool="find", arguments=(planned("user", value="Nice"),))
    other = PlannedCall(tool="other", arguments=())
    made = [Made("other", {}, 1), Made("find", {"city": "nice"}, 2), Made("find", {"city": "Lyon", "day": "x"}, 3)]
    assert align([lyon, nice, other], made, {}, 0) == {0: 2, 1: 1, 2: 0}
    # Where a value differs, the name will do; what was taken by value stays taken.
    assert align([lyon, nice], [Made("find", {"city": "Rome"}, 0), Made("find", {"city": "Nice"}, 0)], {}, 0) == {
        1: 1,
        0: 0,
    }
    assert align([lyon, nice], [Made("find", {"city": "Rome"}, 0)], {}, 0) == {0: 0}
    assert align([other], [Made("find", {}, 0)], {}, 0) == {}
    assert align([lyon], [], {}, 0) == {}
    both = PlannedCall(tool="find", arguments=(planned("user", value="Lyon"), planned("user", "units", value="m")))
    made = [Made("find", {"city": "Lyon", "units": "f"}, 0), Made("find", {"city": "Lyon", "units": "m"}, 0)]
    assert align([both], made, {}, 0) == {0: 1}  # by all known values, not by one


def test_equal_calls_are_aligned_in_order() -> None:
    plain = PlannedCall(tool="find", arguments=())
    assert align([plain, plain], [Made("find", {}, 0), Made("find", {}, 0), Made("find", {}, 0)], {}, 0) == {0: 0, 1: 1}


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [("Lyon", "lyon", True), ("Lyon", "Nice", False), (1, True, False), (1, 1, True), ("1", 1, False),
     ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True), ([1], [2], False), (None, None, True), ("ß", "SS", True)],
)  # fmt: skip
def test_equal_as_json_and_texts_in_any_case(left: Any, right: Any, equal: bool) -> None:
    assert same(left, right) is equal


# As planned


def test_words_that_were_planned_and_said() -> None:
    found = trace("FR-LYS", "Shows in LYON please", planned("user", value="FR-LYS", words="Lyon"))
    assert found == ValueSource(argument="city", kind="user", task=0, quote="LYON")


def test_words_of_a_date_that_was_planned_are_the_clock_s() -> None:
    found = trace(
        "2024-07-13", "and tomorrow?", planned("clock", "day", value="2024-07-13", words="tomorrow"), name="day"
    )
    assert found == ValueSource(argument="day", kind="clock", task=0, quote="tomorrow")


def test_a_reply_says_what_was_missing() -> None:
    plan = planned("missing", value="Lyon", words="Lyon")
    found = trace("Lyon", "Shows?", plan, ask("In Lyon"))
    assert (found.kind, found.task, found.quote) == ("user", 0, "Lyon")


def test_what_was_planned_counts_only_for_the_planned_value() -> None:
    # The words were said, but for another value: nothing says this one.
    assert trace("Nice", "Shows in Lyon", planned("clock", value="LYS", words="tomorrow")).kind == "unknown"
    later = trace("Nice", "tomorrow", planned("clock", value="Rome", words="tomorrow"))
    assert (later.kind, later.quote) == ("user", "tomorrow")  # planned words count as the user's, not as the clock's


def test_a_default_that_was_planned_is_a_default_only_if_it_was_not_said() -> None:
    plan = planned("default", "limit", value=20)
    assert trace(20, "Shows?", plan, name="limit") == ValueSource(argument="limit", kind="default")
    assert trace(20, "20 shows?", plan, name="limit").kind == "user"


def test_words_of_an_earlier_task_that_were_planned() -> None:
    earlier = (done("Hi from Lyon"), done("Thanks"))
    plan = planned("earlier", value="lys", words="LYON", task=0)
    assert trace("lys", "And there?", plan, earlier=earlier) == ValueSource(
        argument="city", kind="earlier_user", task=0, quote="Lyon"
    )
    plain = planned("earlier", value="Lyon", task=0)
    assert trace("Lyon", "And there?", plain, earlier=earlier).quote == "Lyon"
    left_out = planned("missing", value="lys", words="LYON", task=0)
    assert trace("lys", "And there?", left_out, earlier=earlier).quote == "Lyon"
    by_reply = (done("Hi", ask("It is Lyon")),)
    assert trace("Lyon", "And there?", plain, earlier=by_reply).task == 0
    assert trace("Lyon", "And there?", planned("missing", value="Lyon", task=0), earlier=earlier).kind == "earlier_user"
    # Planned there, but not said there: found where it was said.
    assert trace("Lyon", "?", planned("earlier", value="Lyon", task=1), earlier=earlier).task == 0
    assert trace("Lyon", "?", planned("earlier", value="Lyon", task=2), earlier=earlier).task == 0
    # Said again now, yet planned as said before: the plan holds.
    assert trace("Lyon", "And Lyon?", plain, earlier=earlier).kind == "earlier_user"
    # Planned words of this task are never looked for under "earlier".
    assert (
        trace("lys", "in Lyon", planned("earlier", value="lys", words="Lyon", task=0), earlier=(done("Hi"),)).kind
        == "user"
    )


def test_a_planned_result_of_this_task() -> None:
    plan = planned("observation", action=1, path="shows[0].id")
    actions = (ask("x"), call(), call({"shows": [{"id": "s7"}]}))
    found = trace("s7", "it", plan, *actions, shift=1)
    assert found == ValueSource(argument="city", kind="observation", task=0, action=2, path="shows[0].id")
    twice = (ask("x"), call({"id": "s7"}), call({"id": "s7"}))
    assert trace("s7", "it", planned("observation", action=0, path="id"), *twice, shift=1).action == 1
    # A number that the call takes as text.
    assert trace("5", "it", planned("observation", action=0, path="n"), call({"n": 5})).kind == "observation"


def test_a_planned_result_of_an_earlier_task_stands_behind_its_questions() -> None:
    earlier = (done("a", ask("x"), call({"id": "s7"})), done("b"))
    plan = planned("earlier", task=0, action=0, path="id")
    found = trace("s7", "it", plan, earlier=earlier, shift=5)
    assert found == ValueSource(argument="city", kind="observation", task=0, action=1, path="id")


@pytest.mark.parametrize(
    ("action", "path", "observation"),
    [
        (0, "id", {"id": "other"}),
        (0, "gone", {"id": "s7"}),
        (0, "id[3]", {"id": ["s7"]}),
        (1, "id", {"id": "s7"}),
        (3, "id", {"id": "s7"}),
        (5, "id", {"id": "s7"}),
    ],
)
def test_a_planned_result_that_is_not_there_is_looked_for(action: int, path: str, observation: Any) -> None:
    """Another value, no such path, an action that is a question, and one that was never made."""
    plan = planned("observation", action=action, path=path)
    found = trace("s7", "nothing said", plan, call(observation), ask("?"), call({"x": {"y": "s7"}}))
    assert found == ValueSource(argument="city", kind="observation", task=0, action=2, path="x.y")
    said = trace("s7", "the words say s7", plan, call(observation), ask("?"))
    assert said.kind == "user"


# Said, as the words have it


def test_said_in_this_task() -> None:
    assert trace("Lyon", "Shows in LYON?").quote == "LYON"
    assert trace(5, "5 shows").quote == "5"
    assert trace("Lyon", "Shows?", None, ask("lyon")) == ValueSource(argument="city", kind="user", task=0, quote="lyon")
    assert trace("Lyon", "Shows?", None, earlier=(done("a"), done("b"))).kind == "unknown"
    assert trace("Lyon", "In Lyon", None, earlier=(done("a"), done("b"))).task == 2
    assert trace("lyon", "Großes in LYON").quote == "LYON"
    assert trace("Sao Paulo", "in São Paulo").quote == "Sao Paulo"  # where more than case differs, as it was looked for


def test_part_of_a_word_says_nothing() -> None:
    assert trace(5, "15 shows").kind == "unknown"
    assert trace("art", "a party", name="units").kind == "unknown"
    assert trace("art", "a party about Art", name="units").quote == "Art"
    assert trace("lys", "analysis", planned("user", value="lys", words="lys")).kind == "unknown"
    assert trace("lys", "?", planned("earlier", value="lys", task=0), earlier=(done("analysis"),)).kind == "unknown"
    assert trace("hotel", "cheap Hotels").quote == "Hotel"  # a plural will do


def test_said_by_the_catalogue_s_words() -> None:
    assert trace("m", "METRIC ones", name="units").quote == "METRIC ones"
    assert trace("km", "nothing", name="units").kind == "unknown"
    assert trace(5, "five", name="units").quote == "five"
    assert trace(True, "the HOT ones only", name="hot").quote == "HOT ones only"
    assert trace(7, "No more than 7 of them", name="limit").quote == "7"
    planned_words = planned("user", "limit", value=8, words="seven")
    assert trace(7, "No more than seven of them", planned_words, name="limit").quote == "seven"


def test_a_piece_of_the_catalogue_with_the_value_in_it() -> None:
    found = trace("ab", "shows with units AB", name="units")
    assert found.kind == "user"


def test_said_as_a_day() -> None:
    found = trace("2024-07-13T10:00:00", "Shows tomorrow?", name="day", earlier=(done("a"),))
    assert (found.kind, found.task, found.quote) == ("clock", 1, "tomorrow")
    assert trace("2024-07-14", "Shows tomorrow?", name="day").kind == "unknown"


# Not said


def test_results_of_this_task_come_first_the_last_one_before_others() -> None:
    earlier = (done("s7", call({"id": "s7"})),)
    found = trace("s7", "it", None, call({"id": "s7"}), call({"id": ["x", "s7"]}), ask("?"), earlier=earlier)
    assert (found.kind, found.task, found.action, found.path) == ("observation", 1, 1, "id[1]")


def test_then_words_then_results_of_the_task_before() -> None:
    earlier = (done("s7"), done("b", ask("S7"), call({"id": "s7"})), done("c"))
    assert trace("s7", "it", earlier=earlier) == ValueSource(argument="city", kind="earlier_user", task=1, quote="S7")
    earlier = (done("s7"), done("b", ask("x"), call({"id": "s7"})), done("c"))
    found = trace("s7", "it", earlier=earlier)
    assert (found.kind, found.task, found.action, found.path) == ("observation", 1, 1, "id")


def test_what_an_earlier_call_was_given_in_other_words() -> None:
    before = call(None, [ValueSource(argument="units", kind="user", task=0, quote="metric ones")], units="m")
    earlier = (done("metric ones", before), done("b"))
    assert trace("m", "again", earlier=(done("x", call(None, units="m")),)).kind == "unknown"
    found = trace("m", "again", earlier=earlier, name="city")  # "m" is in "metric", but nobody said it
    assert (found.argument, found.kind, found.task, found.quote) == ("city", "earlier_user", 0, "metric ones")
    other = call(None, [ValueSource(argument="units", kind="user", task=0, quote="metric ones")], units="f")
    assert trace("m-8", "again", earlier=(done("a", other),)).kind == "unknown"
    unquoted = call(None, [ValueSource(argument="units", kind="default")], units="q9")
    assert trace("q9", "again", earlier=(done("a", unquoted),)).kind == "unknown"


def test_values_too_short_to_tell_are_not_looked_for_in_results() -> None:
    assert trace(7, "it", None, call({"n": 7})).kind == "unknown"
    assert trace(17, "it", None, call({"n": 17})).kind == "observation"
    assert trace(True, "it", None, call({"n": True}), name="hot").kind == "unknown"
    assert trace("x", "it", None, call({"n": "x"}), name="units").kind == "unknown"


def test_a_default_of_the_schema_comes_last() -> None:
    assert trace(20, "it", name="limit") == ValueSource(argument="limit", kind="default")
    assert trace(20, "it", None, call({"n": 20}), name="limit").kind == "observation"
    nowhere = trace(21, "it", name="limit")
    assert nowhere == ValueSource(argument="limit", kind="unknown", confidence=0.0)


# Dependencies


def test_a_call_waits_for_what_produced_its_values_and_for_questions_about_them() -> None:
    def seen(argument: str, task: int, action: int | None, kind: str = "observation") -> ValueSource:
        return ValueSource(argument=argument, kind=kind, task=task, action=action)  # type: ignore[arg-type]

    values = [seen("a", 1, 3), seen("b", 1, 2), seen("c", 0, 1), seen("d", 1, 0, "user"), seen("e", 1, None)]
    assert dependencies(values, 1, {}, "find") == (2, 3)
    asks = {0: ask("x", "e", "z"), 4: ask("x", "other"), 5: ask("x", "a", tool="other")}
    assert dependencies(values, 1, asks, "find") == (0, 2, 3)
    assert dependencies([], 1, asks, "find") == ()


def test_sinks_are_what_nothing_waits_for() -> None:
    actions = [call(), call(), Call(name="find", arguments={}, depends_on=(0,)), call()]
    assert sinks(actions) == (1, 2, 3)
    assert sinks([]) == ()
