"""What is left open becomes choices of a closed set; only sound picks among them enter a spec."""

from __future__ import annotations

import pytest

from tests.worlds.cinema import NOW, SPEC, TOOLS, Source
from tests.worlds.test_properties import changed
from wildtool.worlds.interpreter import World
from wildtool.worlds.picks import LEAVE, open_questions, with_picks
from wildtool.worlds.properties import sound

TOOLS = [
    t.model_copy(
        update={
            "parameters": {
                **t.parameters,
                "properties": {**t.parameters["properties"], "era": {"type": "integer"}, "lang": {"type": "string"}},
            }
        }
    )
    if t.name == "findFilms"
    else t
    for t in TOOLS
]
OPEN = changed(
    **{
        "tools.findFilms.parameters": {
            "era": {"role": "unsupported", "reason": "no field of that name"},
            "lang": {"role": "unsupported"},
            "genre": {"role": "equal", "certainty": 0.9},
        },
        "tables.film.fields.year.value": {"type": "integer"},
        "tables.film.fields.title.value": {"type": "string"},
        "tables.film.fields.rating.value": {"type": "number"},
    }
)


def test_open_parameters_are_asked_with_fields_of_their_type():
    questions = {each.id: each.choices for each in open_questions(OPEN, TOOLS)}
    assert set(questions) == {"findFilms.era", "findFilms.lang"}
    assert questions["findFilms.era"][:2] == (LEAVE, "format")
    assert "at_least:year" in questions["findFilms.era"] and "text:title" not in questions["findFilms.era"]
    assert "text:title" in questions["findFilms.lang"]
    assert not list(open_questions(SPEC, TOOLS)), "a spec by hand leaves nothing open"


def test_a_pick_is_executed():
    spec = with_picks(OPEN, TOOLS, {"findFilms.era": "at_least:year", "findFilms.lang": "format"}, "some-model")
    world = World(spec, TOOLS, Source(), NOW)
    found = world.call("findFilms", {"era": 2015, "lang": "fr"}).result["films"]
    assert [film["title"] for film in found] == ["Eleven Bridges", "Nobody's Compass"]
    assert spec.made_by == "some-model" and spec.id != OPEN.id
    use = spec.tools["findFilms"].parameters["era"]
    assert use.role == "range" and use.certainty < 1 and "some-model" in use.reason


@pytest.mark.parametrize(
    "picks",
    [
        {},
        {"findFilms.era": LEAVE},
        {"findFilms.era": "at_least:director"},
        {"findFilms.era": "exec:year"},
        {"findFilms.genre": "text:title"},
        {"noSuchTool.era": "at_least:year"},
    ],
)
def test_what_is_no_choice_changes_nothing(picks):
    assert with_picks(OPEN, TOOLS, picks, "some-model") == OPEN


def test_picks_leave_a_spec_sound():
    questions = list(open_questions(OPEN, TOOLS))
    for question in questions:
        for choice in question.choices:
            made = with_picks(OPEN, TOOLS, {question.id: choice}, "m")
            assert len(sound(made, TOOLS)) <= len(sound(OPEN, TOOLS))
