"""The pages against the code: links, command lines, paths, imports, and the tables that must be complete."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
import typer

import wildtool

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
GENERATED = re.compile(r"^<!-- (\w+) -->$.*?^<!-- /\1 -->$", re.MULTILINE | re.DOTALL)
"""Tables that benchmarks write: they tell of the tree as it was when they ran."""

FENCE = re.compile(r"^[ ]*```(\w*)\n(.*?)^[ ]*```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?:(?: {4}.*)?\n)+", re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"!?\[[^\[\]]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


class Line(NamedTuple):
    """A command line as a page shows it."""

    page: str
    text: str
    whole: bool
    """From a block of code, where it is typed as it stands; else a mention that may leave out what is required."""


def text_of(page: Path) -> str:
    return GENERATED.sub("", page.read_text(encoding="utf-8"))


def without_code(text: str) -> str:
    return INLINE.sub("", INDENTED.sub("\n", FENCE.sub("", text)))


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    headings = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_and_images_exist(page: Path) -> None:
    broken = []
    for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def typed(text: str) -> str:
    """A line of a block without prompt, path of the environment, comment and diagram."""
    return re.sub(r"\s{2,}#.*|\s#\s.*", "", text.strip().removeprefix("$ ").removeprefix(".venv/bin/")).strip()


def lines_of(page: Path, program: str) -> Iterator[Line]:
    text = text_of(page)
    name = str(page.relative_to(ROOT))
    blocks = [body for language, body in FENCE.findall(text) if language in ("", "sh", "bash", "console")]
    rest = FENCE.sub("", text)
    blocks += INDENTED.findall(rest)
    for block in blocks:
        for line in map(typed, block.splitlines()):
            if line.startswith(f"{program} "):
                yield Line(name, line, whole=True)
    for mention in INLINE.findall(INDENTED.sub("\n", rest)):
        if mention.startswith(f"{program} "):
            yield Line(name, mention, whole=False)


def tree() -> Any:
    from wildtool.flows.cli.app import app

    return typer.main.get_command(app)


def subcommands(command: Any) -> dict[str, Any]:
    """Commands of a group, by name; a group may load them when it is asked."""
    return {name: command.get_command(None, name) for name in getattr(command, "commands", {})}


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that can be typed: those without subcommands, and groups that do something alone."""
    inner = subcommands(command)
    if path and (not inner or command.invoke_without_command):
        yield path, command
    for name, sub in inner.items():
        yield from leaves(sub, (*path, name))


def complaint(line: Line) -> str | None:
    """What is wrong with a command line; None if the command and its flags exist and get the values that they take."""
    command, tokens = tree(), shlex.split(line.text)[1:]
    given: list[str] = []
    arguments = 0
    while tokens:
        token = tokens.pop(0)
        if token in getattr(command, "commands", {}) and not arguments:
            command, given = command.get_command(None, token), []
        elif token.startswith("-") and token != "-":
            flag, equals, _ = token.partition("=")
            option = next((one for one in command.params if flag in (*one.opts, *one.secondary_opts)), None)
            if option is None:
                return None if flag in ("-h", "--help") else f"there is no {flag}"
            given.append(option.name)
            if not option.is_flag and not equals:
                if not tokens:
                    return f"{flag} needs a value"
                tokens.pop(0)
        else:
            arguments += 1
    accepted = [one for one in command.params if one.param_type_name == "argument"]
    if getattr(command, "commands", {}) and (arguments or not command.invoke_without_command):
        return "there is no such command"
    if arguments > sum(one.nargs for one in accepted) and all(one.nargs >= 0 for one in accepted):
        return "too many arguments"
    if line.whole:
        if arguments < sum(one.required for one in accepted):
            return "an argument is missing"
        missing = [
            one.opts[0] for one in command.params if one.required and one.name not in given and one not in accepted
        ]
        if missing:
            return f"{missing[0]} is missing"
    return None


def test_command_lines_parse() -> None:
    found = [line for page in PAGES for line in lines_of(page, "wildtool")]
    assert len([line for line in found if line.whole]) > 30
    assert [(line, said) for line in found if (said := complaint(line))] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wildtool mine", "an argument is missing"),
        ("wildtool mine LOG --nonesuch", "there is no --nonesuch"),
        ("wildtool mine LOG --scenarios", "--scenarios needs a value"),
        ("wildtool mend LOG", "there is no such command"),
        ("wildtool draft everything", "there is no such command"),
        ("wildtool annotate", "there is no such command"),
        ("wildtool release diff A B C", "too many arguments"),
        ("wildtool evaluate report", "--release is missing"),
        ("wildtool evaluate report --release=DIR", None),
        ("wildtool draft", None),
    ],
)
def test_wrong_command_lines_are_noticed(text: str, said: str | None) -> None:
    assert complaint(Line("here", text, whole=True)) == said


def test_the_command_table_is_complete() -> None:
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `wildtool ([^`]+)` \|", page, re.MULTILINE)
    commands = {path for path, _ in leaves(tree())}
    words = [tuple(re.findall(r"[a-z]+(?=\s|$)", re.split(r"\s(?:--|[A-Z])", row)[0])) for row in rows]
    assert sorted(words) == sorted(commands)


def test_the_settings_page_is_complete() -> None:
    from wildtool.flows.settings import SECRETS, Settings

    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    first_cells = " ".join(re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE))
    names = {name for name in Settings.model_fields if name not in SECRETS and name != "gateway"}
    assert sorted(name for name in names if f"`{name}`" not in first_cells) == []
    assert "[gateway]" in page


def test_modules_named_in_command_lines_exist() -> None:
    lines = [line for page in PAGES for line in lines_of(page, "python")]
    modules = {
        (line.page, name) for line in lines for name in re.findall(r"-m ((?:wildtool|benchmarks)\.[\w.]+)", line.text)
    }
    assert modules
    assert sorted(one for one in modules if importlib.util.find_spec(one[1]) is None) == []


def test_paths_named_in_pages_exist() -> None:
    """Paths in backticks; a word in capitals or in angle brackets stands for a name."""
    rooms = "|".join(sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")))
    named = re.compile(rf"(?:{rooms})/[\w./*<>-]*")
    missing = []
    for page in PAGES:
        if page.name in ("CHANGELOG.md", "benchmarks.md"):
            continue
        for code in INLINE.findall(text_of(page)):
            if named.fullmatch(code) and not re.search(r"(?:^|/)[A-Z]+(?:/|\.|$)", code):
                pattern = re.sub(r"<[^<>]*>", "*", code).rstrip("/")
                if not any(ROOT.glob(pattern)):
                    missing.append((str(page.relative_to(ROOT)), code))
    assert missing == []


def test_python_in_pages_imports_what_there_is() -> None:
    wrong = []
    for page in PAGES:
        for language, body in FENCE.findall(text_of(page)):
            if language != "python":
                continue
            for node in ast.walk(ast.parse(body)):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "wildtool":
                    wrong += [] if hasattr(wildtool, node.attr) else [(page.name, f"wildtool.{node.attr}")]
                if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "wildtool":
                    module = importlib.import_module(str(node.module))
                    wrong += [
                        (page.name, f"{node.module}.{one.name}") for one in node.names if not hasattr(module, one.name)
                    ]
    assert wrong == []
