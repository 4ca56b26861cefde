"""Wishes in words: values that are left out, pointed at or kept vague leave sentences behind."""

from __future__ import annotations

from random import Random

from wildtool.agents.drafting.utterances import Wish
from wildtool.agents.simulator.clauses import Mention, clause
from wildtool.language.parameter_nouns import noun
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


def wish(phrase: str, **mentions: Mention) -> str:
    names = [name for name in mentions if "{" + name + "}" in phrase] or list(mentions)
    tool = Tool(
        name="doIt",
        description="Does it.",
        parameters={"type": "object", "properties": {n: {"type": "string"} for n in names}, "required": names},
    )
    nouns = {name: noun(tool, name, Language.EN) for name in mentions}
    wanted = Wish(
        gist="",
        then=False,
        arguments=(),
        needed=frozenset(names),
        texts=frozenset(names),
        nouns=nouns,
        phrasings=(phrase,),
    )
    return clause(wanted, mentions, Language.EN, Random(3))


PRONOUN = Mention("said_thing", "pronoun")


def test_a_verb_behind_a_place_is_no_noun() -> None:
    said = wish(
        "see how {countries} differ in {indicator}", countries=Mention("vague"), indicator=Mention("say", "GDP")
    )
    assert said != "see how differ in GDP"
    assert "how differ" not in said


def test_nobody_is_called_them() -> None:
    assert (
        wish("fetch lyrics for a band or artist called {artist_name}", artist_name=PRONOUN) == "fetch lyrics for them"
    )
    assert wish("get news about a team named “{topic}” today", topic=PRONOUN) == "get news about it today"


def test_what_follows_a_vague_thing_is_not_made_plural_unless_it_is_a_noun() -> None:
    said = wish("file that article under {topic}", topic=Mention("say", "weekend"), article=Mention("vague"))
    assert "unders" not in said
    assert "one of those" in said


def test_an_attribute_without_its_value_leaves_the_noun() -> None:
    said = wish("search {city} for {role} jobs", city=Mention("say", "Leeds"), role=Mention("vague"))
    assert said == "search Leeds for jobs"
