"""Tables in the pages of ``docs/``: each stands between two comments, and a benchmark writes what is between them."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
RELIABILITY = REPOSITORY / "docs" / "results" / "reliability.md"


def fill(name: str, text: str, page: Path = RELIABILITY) -> None:
    """Put the text between ``<!-- name -->`` and ``<!-- /name -->``; a page without them is a ``ValueError``."""
    before, found, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    _, closed, after = rest.partition(f"<!-- /{name} -->")
    if not found or not closed:
        raise ValueError(f"{page} has no place for {name}")
    page.write_text(f"{before}{found}{text.strip()}\n{closed}{after}", encoding="utf-8")


def held(name: str, page: Path = RELIABILITY) -> str:
    """What stands there now."""
    return page.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")[2].partition(f"<!-- /{name} -->")[0]


def cell(text: object) -> str:
    """Text that a table's cell can hold."""
    return " ".join(str(text).split()).replace("|", "\\|")
