"""What is measured of our regular expressions: every one of ours, with texts that would show a slow one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.patterns.attacks import Attack, attacks
from benchmarks.patterns.ours import HELD, ROOMS, SEARCHED, Ours


@pytest.mark.e2e  # imports all rooms in a process of its own
def test_patterns_of_modules_functions_and_tables_are_found(repository: Path) -> None:
    # In a process of its own: what modules compile is seen while they are imported.
    script = "import json; from benchmarks.patterns.ours import collect; "
    script += "print(json.dumps([(o.where, o.pattern, o.flags, sorted(o.ways)) for o in collect()]))"
    told = subprocess.run([sys.executable, "-c", script], cwd=repository, capture_output=True, text=True, check=True)
    found = [Ours(where, text, flags, frozenset(ways)) for where, text, flags, ways in json.loads(told.stdout)]
    assert {one.where.partition("/")[0] for one in found} == set(ROOMS)
    assert len(found) > 600 and len({(one.pattern, one.flags) for one in found}) == len(found)
    by_text = {one.pattern: one for one in found}
    compiled = by_text[r"(?<![a-z0-9])[a-z0-9]++(?:[._/:-][a-z0-9]++)+"]
    assert compiled.where == "grounding/value_mentions.py" and compiled.ways == {SEARCHED, HELD}
    assert by_text[r"\s*-?\d{1,15}\s*"].ways == {HELD}, "written in a function, for fullmatch"
    assert any(r"\( ?default ?\)" in text for text in by_text), "from a table that a loop compiles"
    assert not any("{_CAP}" in text for text in by_text), "names are filled in"


def test_attacks_lead_up_to_a_repetition_and_pump_it() -> None:
    found = attacks(r"under\s*(?:about)?\s*$", 0)
    assert ("under", " ") in found and ("", " ") in found and ("", "under ") in found
    assert ("", "-a") in attacks(r"(?:-[a-z]+)+", 0)
    assert Attack("x", "ab", "!").text(6) == "xababab!"


def test_what_was_slow_matches_what_it_matched() -> None:
    """Of patterns that were made linear: the forms on which the old and the new one could differ."""
    from wildtool.api_catalog.functions.names import kept_name
    from wildtool.api_catalog.functions.texts import plain
    from wildtool.api_catalog.importers.functions import _toolalpaca_arguments
    from wildtool.grounding.value_mentions import _CODE
    from wildtool.language.bounds import bounds_said, limits_said
    from wildtool.language.identifiers import number_with_unit, numbers_in_row

    assert _CODE.fullmatch("a-1/b") and not _CODE.fullmatch("a-") and not _CODE.fullmatch("ab")
    assert _toolalpaca_arguments('Parameters: {"a": "{}"}\n\n  Output: {}') == '{"a": "{}"}'
    assert _toolalpaca_arguments("Parameters: {}} ") == "{}}"
    assert _toolalpaca_arguments("Parameters: {} and more") == _toolalpaca_arguments("none") == "{}"
    assert kept_name("Get Hotel  (GET) ", "", "", snake=False) == kept_name("Get Hotel", "", "", snake=False)
    assert "x" not in plain("one <script>x<script>x</SCRIPT > two") and "two" in plain("one <script>x</script> two")
    assert "three" in plain("one <script>two <b>three</b>"), "what is never closed drops nothing"
    assert number_with_unit(" 1,000  km ") == number_with_unit("1000km") and number_with_unit("7 ") is not None
    assert numbers_in_row("( 48.85 , 2.35 )") == (48.85, 2.35) and numbers_in_row("48.85") is None
    assert limits_said("show me the top-rated best 3 hotels") == {3}
    assert limits_said("suggest just the 4 nearest bars") == {4}
    upper, lower = bounds_said("under about € 50")
    assert [sorted(one.values) for one in upper] and not lower
