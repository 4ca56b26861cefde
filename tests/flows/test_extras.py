"""A command that needs the extra ``pipeline`` says so, whichever of its packages is missing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from wildtool.flows.extras import PIPELINE

IMPORTED_AS = {"pyyaml": "yaml", "scikit-learn": "sklearn", "markdown-it-py": "markdown_it"}


def test_the_list_is_that_of_the_extra(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {re.split(r"[\[<>=]", each)[0] for each in project["optional-dependencies"]["pipeline"]}
    assert {IMPORTED_AS.get(name, name.replace("-", "_")) for name in named} == set(PIPELINE)
