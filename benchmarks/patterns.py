"""How long our regular expressions take on text made to be slow for them: ``python -m benchmarks.patterns [--json]``.

Every pattern that a module of the rooms compiles at import, and every literal one that its source uses, is run over
texts derived from the pattern itself: what comes before each of its repetitions, then the repetition's own characters
many times over, then something that cannot follow. Time must grow about as the text does; the exit code is 1 where a
pattern's grows with the square or worse.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import pkgutil
import re
import re._constants as c
import re._parser as parser
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOMS = ("agents", "annotation", "api_catalog", "evaluation", "flows", "mining", "schemas", "warehouse")
REPOSITORY = Path(__file__).resolve().parent.parent

SIZES = (12, 18, 24, 60, 250, 1000, 4000)
"""Characters; the first ones find what doubles with each character before it never returns."""
SLOW_SECONDS = 0.008
"""For 4,000 characters: 2 µs each, far more than a linear pattern takes and less than a square one does."""
GROWTH = 8.0
"""Four times the text: a linear pattern takes 4 times as long, a square one 16 times."""
HOPELESS_SECONDS = 0.3
"""For texts up to 250 characters: no need to look further."""

SHORT_TEXTS = {"evaluation/moments.py": 60}
"""Modules whose patterns see no longer text: ``read_moment`` looks at 60 characters."""

GENERIC = ("a", "A", "1", " ", "@", "-", ".", "_", "/", "\n", "a ", "1 ", "a.", "1.", "a-", "1-", "a@", "中", "你 ", "a1", "{", "[", "<",
           "\"", "\\", "#", ",", "a,", "1,", "=", "a=", ":", "1:", "(", "(a", "é")  # fmt: skip
"""Repeated for every pattern, whatever is in it."""
ENDS = ("", "\x00")
"""What follows: most patterns cannot match it, and go back."""


@dataclass(frozen=True)
class Found:
    """One pattern and the text that was slowest."""

    where: str
    """Module."""
    pattern: str
    flags: int
    slowest_ms: float
    """For the longest text that was tried."""
    size: int
    """Its characters."""
    growth: float
    """By how much the time grew when the text grew four times; 0 where it is too short to tell."""
    attack: str
    """Its beginning."""

    @property
    def linear(self) -> bool:
        return self.size == limit(self.where) and not (self.slowest_ms > SLOW_SECONDS * 1000 and self.growth > GROWTH)


def limit(where: str) -> int:
    """Characters of the longest text that a module's patterns are tried on."""
    return SHORT_TEXTS.get(where, SIZES[-1])


def collect() -> dict[tuple[str, int], str]:
    """Pattern and flags → module, for all that our modules compile or write down."""
    found: dict[tuple[str, int], str] = {}
    original = re._compile

    def noting(pattern: Any, flags: Any) -> Any:
        compiled = original(pattern, flags)
        if isinstance(compiled.pattern, str):
            frame = sys._getframe(1)
            while frame is not None and "/re/" in Path(frame.f_code.co_filename).as_posix():
                frame = frame.f_back
            file = Path(frame.f_code.co_filename) if frame is not None else Path()
            if file.is_relative_to(REPOSITORY) and (place := file.relative_to(REPOSITORY)).parts[0] in ROOMS:
                found.setdefault((compiled.pattern, int(compiled.flags)), str(place))
        return compiled

    re._compile = noting
    try:
        for room in ROOMS:
            package = importlib.import_module(room)
            for module in pkgutil.walk_packages(package.__path__, f"{room}."):
                if module.name.rpartition(".")[2] != "__main__":
                    importlib.import_module(module.name)
    finally:
        re._compile = original
    for pattern, flags, place in _literals():
        found.setdefault((pattern, int(original(pattern, flags).flags)), place)
    return found


def _literals() -> Iterator[tuple[str, int, str]]:
    """``re.sub("…", …)`` and its kin, wherever the pattern is written out."""
    for room in ROOMS:
        for file in sorted((REPOSITORY / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and isinstance(node.func.value, ast.Name)
                    and node.func.value.id == "re"
                    and node.func.attr in {"sub", "subn", "search", "match", "fullmatch", "findall", "finditer", "split", "compile"}
                    and node.args
                    and isinstance(node.args[0], ast.Constant)
                    and isinstance(node.args[0].value, str)
                ):  # fmt: skip
                    flags = 0
                    for given in (*node.args[1:], *(word.value for word in node.keywords)):
                        for part in ast.walk(given):
                            if isinstance(part, ast.Attribute) and isinstance(
                                getattr(re, part.attr, None), re.RegexFlag
                            ):
                                flags |= getattr(re, part.attr)
                    yield node.args[0].value, int(flags), str(file.relative_to(REPOSITORY))


# Attacks


def attacks(pattern: str, flags: int) -> list[tuple[str, str]]:
    """Beginning and unit of texts: what leads up to each repetition, and what it repeats."""
    found: dict[tuple[str, str], None] = {}
    for prefix, unit in _pumps(parser.parse(pattern, flags), ""):
        if unit:
            found[prefix, unit] = None
            found["", unit] = None
            found["", prefix + unit] = None
    for unit in GENERIC:
        found["", unit] = None
    return list(found)


def _pumps(tree: Any, prefix: str) -> Iterator[tuple[str, str]]:
    for op, value in tree:
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            _, high, body = value
            if high is c.MAXREPEAT or high > 20:
                for unit in _samples(body):
                    yield prefix, unit
            yield from _pumps(body, prefix)
        elif op is c.BRANCH:
            for one in value[1]:
                yield from _pumps(one, prefix)
        elif op is c.SUBPATTERN:
            yield from _pumps(value[3], prefix)
        elif op is c.ATOMIC_GROUP:
            yield from _pumps(value, prefix)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from _pumps(value[1], prefix)
        prefix += _sample([(op, value)])


def _samples(tree: Any) -> list[str]:
    """Some texts that the body of a repetition matches."""
    texts = [""]
    for op, value in tree:
        options = _options(op, value)
        texts = [text + option for text in texts for option in options][:6]
    return list(dict.fromkeys(texts))


def _sample(tree: Any) -> str:
    return _samples(tree)[0]


def _options(op: Any, value: Any) -> list[str]:
    match op:
        case c.LITERAL:
            return [chr(value)]
        case c.NOT_LITERAL:
            return ["a" if value != ord("a") else "b"]
        case c.ANY:
            return ["a", " "]
        case c.IN:
            return _members(value)
        case c.BRANCH:
            return [option for one in value[1] for option in _samples(one)[:1]][:6] or [""]
        case c.SUBPATTERN:
            return _samples(value[3])[:3]
        case c.ATOMIC_GROUP:
            return _samples(value)[:3]
        case c.MAX_REPEAT | c.MIN_REPEAT | c.POSSESSIVE_REPEAT:
            return [text * max(1, value[0]) for text in _samples(value[2])[:3]]
        case _:
            return [""]


CATEGORIES = {
    c.CATEGORY_DIGIT: "1", c.CATEGORY_NOT_DIGIT: "a", c.CATEGORY_SPACE: " ", c.CATEGORY_NOT_SPACE: "a",
    c.CATEGORY_WORD: "a", c.CATEGORY_NOT_WORD: " ",
}  # fmt: skip


def _members(value: Any) -> list[str]:
    negated = value and value[0][0] is c.NEGATE
    found = []
    for op, one in value[1:] if negated else value:
        if op is c.LITERAL:
            found.append(chr(one))
        elif op is c.RANGE:
            found.append(chr(one[0]))
        elif op is c.CATEGORY:
            found.append(CATEGORIES[one])
    if negated:
        return [each for each in "a1 -.中\n" if not _is_in(each, value[1:])][:3] or ["\x01"]
    return list(dict.fromkeys(found))[:5]


def _is_in(char: str, value: Any) -> bool:
    for op, one in value:
        if op is c.LITERAL and one == ord(char):
            return True
        if op is c.RANGE and one[0] <= ord(char) <= one[1]:
            return True
        if op is c.CATEGORY and (
            {c.CATEGORY_DIGIT: char.isdigit(), c.CATEGORY_SPACE: char.isspace(), c.CATEGORY_WORD: char.isalnum() or char == "_",
             c.CATEGORY_NOT_DIGIT: not char.isdigit(), c.CATEGORY_NOT_SPACE: not char.isspace(),
             c.CATEGORY_NOT_WORD: not (char.isalnum() or char == "_")}[one]
        ):  # fmt: skip
            return True
    return False


def measure(pattern: str, flags: int, where: str) -> Found:
    """The slowest text of a pattern."""
    compiled = re.compile(pattern, flags)
    sizes = [size for size in SIZES if size <= limit(where)]
    worst: Found | None = None
    for prefix, unit in attacks(pattern, flags):
        for end in ENDS:
            seconds = before = 0.0
            size = sizes[0]
            for size in sizes:
                before = seconds
                seconds = _time(compiled, prefix + unit * (size // len(unit)) + end)
                if seconds > HOPELESS_SECONDS:
                    break
            if size == sizes[-1] and seconds > SLOW_SECONDS:  # another process may have had the processor
                text = prefix + unit * (size // len(unit)) + end
                seconds = min(seconds, _time(compiled, text), _time(compiled, text))
            found = Found(
                where, pattern, flags, round(seconds * 1000, 2), size, round(seconds / before, 1) if before else 0.0,
                f"{prefix[:20]}{unit[:20] * 2}…{end}",
            )  # fmt: skip
            if worst is None or (found.linear, -found.slowest_ms) < (worst.linear, -worst.slowest_ms):
                worst = found
        if worst is not None and not worst.linear:
            break
    assert worst is not None
    return worst


def _time(compiled: re.Pattern[str], text: str) -> float:
    began = time.thread_time()
    for _ in compiled.finditer(text):
        pass
    return time.thread_time() - began


def measure_all() -> list[Found]:
    """Every pattern, slowest first."""
    found = []
    for (pattern, flags), where in collect().items():
        found.append(one := measure(pattern, flags, where))
        if not one.linear:
            print(
                f"{one.where}: {one.slowest_ms} ms for {one.size}, ×{one.growth}, {one.attack!r}: {one.pattern[:160]!r}",
                file=sys.stderr,
                flush=True,
            )
    return sorted(found, key=lambda one: (one.linear, -one.slowest_ms))


def main(given: Sequence[str] | None = None) -> None:
    """Command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", action="store_true")
    wanted = arguments.parse_args(given)
    rows = measure_all()
    if wanted.json:
        print(json.dumps([asdict(row) for row in rows], ensure_ascii=False))
    else:
        bad = [row for row in rows if not row.linear]
        for row in bad or rows[:5]:
            print(
                f"{row.where}: {row.slowest_ms} ms for {row.size}, ×{row.growth}, {row.attack!r}: {row.pattern[:120]}"
            )
        print(f"{len(rows)} patterns, {len(bad)} grow faster than their text")
    sys.exit(any(not row.linear for row in rows))


if __name__ == "__main__":
    main()
