"""Where argument values come from: words, observations, the clock, defaults, or nowhere; and the edges that follow."""

from __future__ import annotations

import pytest

from tests.grounding.said import LISTED, NOW, SETTING, TOOLS, ask, call, source, task
from wildtool.grounding.value_mentions import Cues
from wildtool.grounding.value_sources import (
    parsed,
    same_value,
    shown,
    trace_call,
    user_words,
    with_traces,
)
from wildtool.schemas.session import Session, ValueSource
from wildtool.schemas.vocabulary import Language

# The setting


def test_cues_follow_a_path_through_the_schema():
    book = call("book", filters={"tags": [{"kind": "any"}]})
    assert SETTING.cues(book, "filters.tags[0].kind") == Cues("filters", NOW, Language.EN, {"default": "any"})
    assert SETTING.cues(book, "filters.tags[0].size").schema == {}
    assert SETTING.cues(call("getShow"), "lang").enum_words == {"de": "German"}
    assert SETTING.cues(call("getShow"), "showId").enum_words == {}
    assert SETTING.cues(call("unknown"), "a.b") == Cues("a", NOW, Language.EN)


def test_a_boolean_s_cues_hold_the_words_that_ask_for_it():
    assert SETTING.cues(call("getShow"), "withPrices").fragments == ("with prices",)
    assert SETTING.cues(call("getShow"), "showId").fragments == ()


def test_links_hold_for_all_items_of_a_list():
    assert SETTING.linked("findShows", "shows[7].ref", "getShow", "number")
    for other in (
        ("getShow", "shows[7].ref", "getShow", "number"),
        ("findShows", "shows[7].id", "getShow", "number"),
        ("findShows", "shows[7].ref", "book", "number"),
        ("findShows", "shows[7].ref", "getShow", "showId"),
    ):
        assert not SETTING.linked(*other)


# Values


def test_json_written_as_text_is_read():
    assert parsed(' {"a": [1]}') == {"a": [1]}
    assert parsed("[1, 2]") == [1, 2]
    for other in ("{broken", "[1", "5", "plain", "", 5, None, {"a": 1}):
        assert parsed(other) == other
    assert parsed("[" * 100_000) == "[" * 100_000


def test_scalars_of_an_observation_come_with_their_paths():
    assert shown(call("f", {"a": [{"b": 1}, {"b": None}], "c": "x"})) == (("a[0].b", 1), ("a[1].b", None), ("c", "x"))
    assert shown(call("f", '{"a": {"b": true}}')) == (("a.b", True),)
    assert shown(call("f", "words")) == (("", "words"),)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Lyon", "lyon", True), ("Lyon", "Nice", False), ("é", "e", True), ("5", 5, True), (5, "5", True),
        (5, 5.0, True), (5, 6, False), (True, True, True), (True, 1, False), (1, True, False), (True, "True", False),
        (None, None, True), (None, "None", False), ("None", None, False), (False, 0, False), ("5.0", 5, False),
        (10**400, 10**400, True), (10**400, 1.5, False), (2**53, 2**53 + 1, False), (1e300, 10**400, False),
    ],
)  # fmt: skip
def test_equal_but_for_the_type_that_json_gave_it(one, other, same):
    assert same_value(one, other) is same


def test_users_words_are_the_opening_and_replies():
    held = task("Hi", ask("Which?", "Lyon"), call("findShows"), ask("When?", "Friday"))
    assert user_words(held) == ["Hi", "Lyon", "Friday"]
    assert user_words(held, before=0) == ["Hi"]
    assert user_words(held, before=2) == ["Hi", "Lyon"]


# Sources


def test_words_of_this_task():
    found = source([task("What's on in Lyon?", call("findShows", city="Lyon"))], "city")
    assert found == ValueSource(argument="city", kind="user", task=0, quote="Lyon", confidence=1.0)


def test_words_of_an_earlier_task():
    found = source([task("Hi from Lyon"), task("Thanks"), task("What's on?", call("findShows", city="Lyon"))], "city")
    assert found == ValueSource(argument="city", kind="earlier_user", task=0, quote="Lyon", confidence=1.0)


def test_words_of_a_later_task_say_nothing():
    tasks = [task("What's on?", call("findShows", city="Lyon")), task("In Lyon I mean")]
    assert source(tasks, "city", number=0).kind == "unknown"


def test_near_words_come_before_far_ones():
    tasks = [task("Lyon"), task("Lyon"), task("And?", call("findShows", city="Lyon"))]
    assert source(tasks, "city").task == 1
    tasks = [*tasks[:2], task("In Lyon?", call("findShows", city="Lyon"))]
    assert (source(tasks, "city").kind, source(tasks, "city").task) == ("user", 2)


def test_a_reply_counts_only_for_what_comes_after_it():
    first = [task("What's on?", ask("Where?", "In Lyon"), call("findShows", city="Lyon"))]
    assert source(first, "city", action=1).kind == "user"
    late = [task("What's on?", call("findShows", city="Lyon"), ask("Where?", "In Lyon"))]
    assert source(late, "city").kind == "unknown"
    # In an earlier task all replies count.
    earlier = [task("Hi", ask("Where?", "In Lyon")), task("What's on?", call("findShows", city="Lyon"))]
    assert (source(earlier, "city").kind, source(earlier, "city").task) == ("earlier_user", 0)


def test_an_observation_of_this_task():
    tasks = [task("Shows?", call("findShows", {"shows": [{"id": "s1-abc"}, {"id": "s2-abc"}]}),
                  call("getShow", showId="s2-abc"))]  # fmt: skip
    found = source(tasks, action=1)
    assert (found.kind, found.task, found.action, found.path) == ("observation", 0, 0, "shows[1].id")
    assert found.confidence == 0.95


def test_an_observation_of_an_earlier_task():
    tasks = [
        task("Hi", ask("?", "!"), call("findShows", {"id": "s1-abc"})),
        task("Show it", call("getShow", showId="s1-abc")),
    ]
    found = source(tasks)
    assert (found.kind, found.task, found.action, found.path) == ("observation", 0, 1, "id")


def test_later_observations_show_nothing():
    observed = call("findShows", {"id": "s1-abc"})
    assert source([task("Show", call("getShow", showId="s1-abc"), observed)]).kind == "unknown"
    assert source([task("Show", call("getShow", {"id": "s1-abc"}, showId="s1-abc"))]).kind == "unknown"
    assert source([task("Show", call("getShow", showId="s1-abc")), task("Hm", observed)], number=0).kind == "unknown"


def test_words_come_before_an_observation_and_near_before_far():
    observed = call("findShows", {"id": "s1-abc"})
    assert source([task("Show s1-abc", observed, call("getShow", showId="s1-abc"))], action=1).kind == "user"
    tasks = [task("a", observed), task("b", observed), task("c", call("getShow", showId="s1-abc"))]
    assert source(tasks).task == 1
    tasks[2] = task("c", observed, call("getShow", on=(0,), showId="s1-abc"))
    assert source(tasks, action=1).task == 2
    # A call that it does not wait for comes last.
    tasks[2] = task("c", observed, call("getShow", showId="s1-abc"))
    assert source(tasks, action=1).task == 1


def test_what_a_call_waits_for_comes_before_what_it_does_not():
    held = task("Show", call("findShows", {"id": "s1-abc"}), call("findShows", {"id": "s1-abc"}),
                call("getShow", on=(1,), showId="s1-abc"))  # fmt: skip
    assert source([held], action=2).action == 1
    free = task("Show", *held.actions[:2], call("getShow", showId="s1-abc"))
    assert source([free], action=2).action == 0
    # Waiting is transitive.
    far = task("Show", call("findShows", {"id": "s1-abc"}), call("findShows", {"id": "s1-abc"}),
               call("findShows", on=(1,)), call("getShow", on=(2,), showId="s1-abc"))  # fmt: skip
    assert source([far], action=3).action == 1


def test_an_echo_is_not_a_result_but_better_than_nothing():
    echo = call("getShow", {"id": "s1-abc", "title": "Tosca"}, showId="s1-abc")
    tasks = [task("a", echo), task("b", call("book", showId="s1-abc"))]
    assert source(tasks).confidence == 0.55
    tasks = [task("a", call("findShows", {"id": "s1-abc"})), task("b", echo), task("c", call("book", showId="s1-abc"))]
    assert (source(tasks).task, source(tasks).confidence) == (0, 0.95)


def test_a_link_of_the_catalogue_makes_a_short_number_sure():
    observed = call("findShows", {"shows": [{"ref": 4, "rank": 4}]})
    tasks = [task("a", observed, call("getShow", number=4))]
    found = source(tasks, "number", action=1)
    assert (found.path, found.confidence) == ("shows[0].ref", 0.97)
    unlinked = [task("a", call("findShows", {"shows": [{"size": 4}]}), call("getShow", number=4))]
    assert source(unlinked, "number", action=1).kind == "unknown"  # small numbers are equal by chance


@pytest.mark.parametrize(
    ("value", "place", "confidence"),
    [
        (7, "x", 0.0), (7, "number", 0.75), (10, "x", 0.65), (999, "x", 0.65), (1000, "x", 0.92), (-2000, "x", 0.92),
        (-7, "x", 0.0), (1000, "number", 0.95), (10, "number", 0.95),
        ("ab", "x", 0.0), ("ab", "number", 0.7), ("abc", "x", 0.8), ("abcdefg", "x", 0.8), ("abcdefgh", "x", 0.93),
        ("Abc", "x", 0.93), ("abc1", "x", 0.93), ("2024-09-30", "x", 0.6), ("2024-09-30", "number", 0.9),
        ("Abc", "number", 0.95),
    ],
)  # fmt: skip
def test_short_values_are_equal_by_chance(value, place, confidence):
    tasks = [task("hm", call("findShows", {"shows": [{place: value}]}), call("getShow", number=value))]
    found = source(tasks, "number", action=1)
    assert found.confidence == pytest.approx(confidence)
    assert found.kind == ("observation" if confidence else "unknown")


def test_a_word_in_a_longer_text_was_observed_too():
    def found(value: str, held: str) -> ValueSource:
        return source([task("hm", call("findShows", {"text": held}), call("getShow", showId=value))], action=1)

    assert (found("Tosca", "Tonight: Tosca!").kind, found("Tosca", "Tonight: Tosca!").confidence) == (
        "observation",
        0.7,
    )
    assert found("Tosca", "Toscanini").kind == "unknown"
    assert found("Nil", "Nil and more").kind == "unknown"  # too short to be told from chance
    assert found("Nile", "Nile and more").kind == "observation"
    assert found("Tosca and more", "Tosca").kind == "unknown"


def test_booleans_are_never_observed():
    tasks = [task("hm", call("findShows", {"withPrices": True}), call("getShow", withPrices=True))]
    assert source(tasks, "withPrices", action=1).kind == "unknown"
    asked = [task("with prices please", call("getShow", withPrices=True))]
    assert source(asked, "withPrices").kind == "user"


def test_defaults_and_the_clock():
    assert source([task("hm", call("findShows", limit=20))], "limit") == ValueSource(
        argument="limit", kind="default", confidence=0.9
    )
    assert source([task("20 of them", call("findShows", limit=20))], "limit").kind == "user"
    assert source([task("hm", call("findShows", day="2024-07-12"))], "day") == ValueSource(
        argument="day", kind="clock", confidence=0.75
    )
    tomorrow = source([task("tomorrow", call("findShows", day="2024-07-13"))], "day")
    assert (tomorrow.kind, tomorrow.task, tomorrow.quote) == ("clock", 0, "tomorrow")
    assert source([task("hm", call("findShows", day="2024-07-13"))], "day").kind == "unknown"


def test_common_knowledge_is_told_from_words():
    found = source([task("Trains in China?", call("findShows", city="CN"))], "city")
    assert found.kind == "knowledge" and found.quote is not None


def test_what_the_assistant_said_before():
    answered = [task("Hi", answer="Tosca is on tonight."), task("Show it", call("getShow", showId="Tosca"))]
    assert source(answered) == ValueSource(
        argument="showId", kind="knowledge", task=0, action=0, quote="Tosca", confidence=0.6
    )
    asked = [task("Hi", ask("Do you mean Tosca?", "Yes"), call("getShow", showId="Tosca"))]
    assert (source(asked, action=1).kind, source(asked, action=1).action) == ("knowledge", 0)
    own = [task("Hi", call("getShow", showId="Tosca"), answer="Tosca it is.")]
    assert source(own).kind == "unknown"  # its own answer comes after
    assert source([*own, *answered], number=2).task == 1
    flag = [task("Hi", answer="with prices"), task("Show", call("getShow", withPrices=True))]
    assert source(flag, "withPrices").kind == "unknown"


def test_null_says_nothing_and_members_have_their_own_source():
    tasks = [task("jazz in Lyon", call("book", showId=None, filters={"tags": [{"kind": "jazz"}], "city": "Lyon"}))]
    assert [(one.argument, one.kind) for one in trace_call(tasks, 0, 0, SETTING)] == [
        ("filters.tags[0].kind", "user"),
        ("filters.city", "user"),
    ]
    assert trace_call(tasks, 0, 1, SETTING) == ()  # an answer


def test_numbers_beyond_any_float_are_traced():
    tasks = [task("hm", call("findShows", {"n": 10**400}), call("getShow", number=10**400))]
    assert source(tasks, "number", action=1).kind == "observation"


def test_a_session_is_traced_where_it_has_no_trace():
    kept = call("findShows", city="Lyon").model_copy(update={"trace": (ValueSource(argument="city", kind="default"),)})
    tasks = (task("Lyon?", kept), task("And Nice?", ask("?", "!"), call("findShows", city="Nice")))
    session = Session.for_plan(
        "pln_0", language=Language.EN, now=NOW, tool_list=LISTED.id, category="c", subcategory="s",
        tools=tuple(one.openai() for one in TOOLS), tasks=tasks,
    )  # fmt: skip
    traced = with_traces(session, LISTED)
    assert traced.tasks[0] == tasks[0]
    assert traced.tasks[1].actions[0] == tasks[1].actions[0]
    assert [(s.kind, s.task) for s in traced.tasks[1].actions[1].trace] == [("user", 1)]
    assert traced.id == session.id and traced.tasks[1].user == "And Nice?"


def test_the_surest_words_count():
    # "2024-07-14" is one day of July, and is said outright by the reply.
    tasks = [task("in July", ask("Which?", "2024-07-14"), call("findShows", day="2024-07-14"))]
    found = source(tasks, "day", action=1)
    assert (found.quote, found.confidence) == ("2024-07-14", 1.0)
    guessed = source([task("on the 14th", call("findShows", day="2024-07-14"))], "day")
    assert guessed.kind in ("user", "clock") and guessed.confidence <= 1.0
    reworded = source([task("the old red harbour there", call("findShows", city="red harbour old"))], "city")
    assert (reworded.kind, reworded.confidence) == ("user", 0.8)
