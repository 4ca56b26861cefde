#!/usr/bin/env python3
"""What wildtool stands on: licences of everything that an install brings, and known vulnerabilities of what is pinned.

    .venv/bin/python .ci/audit.py [--write] [--licences-only]

Exits 1 where a licence does not go with ours (Apache-2.0), where docs/licences.md lacks what is installed (``--write``
writes it; what another Python or system brings may stand there too), or where pip-audit knows a vulnerability of a pinned
version. Where pip-audit cannot be had, or its service does not know our packages (a mirror without the JSON interface), it
says so and passes: nothing was found out.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = REPOSITORY / "docs" / "licences.md"
PIP_AUDIT = "pip-audit==2.10.1"

EXTRAS = {
    "": "model developers: load a release, score a model",
    "pipeline": "makes a benchmark",
    "dask": "on a cluster",
}
"""What people install, and what for. Extras that join to other people's tools (``inspect``, ``croissant``, ``google``)
bring those tools' own dependencies and are not listed."""

PERMISSIVE = re.compile(
    r"(apache|mit\b|0?bsd|isc|psf|python software foundation|mpl|mozilla|cnri|tcl|artistic|zlib|cc0|unlicense|dfsg approved)",
    re.IGNORECASE,
)
"""Licences that go with Apache-2.0 in one work: they ask for notices, and MPL for its own files' source. GPL, LGPL, AGPL and
what is not known are not among them. Matched at the beginning of a name."""

KNOWN = {
    "label-studio-sdk": "Apache-2.0",  # LICENSE in its repository; its metadata names none
    "text-unidecode": "Artistic-1.0-Perl",  # or GPL, at the receiver's choice
}
"""Licences that the metadata leaves out or open, as their texts state them."""


def closure(extra: str) -> set[str]:
    """Names of all distributions that an install with this extra brings, on this system."""
    seen: set[tuple[str, str]] = set()
    names: set[str] = set()
    open_ = [("wildtool", extra)]
    while open_:
        name, asked = open_.pop()
        if (name, asked) in seen:
            continue
        seen.add((name, asked))
        try:
            requires = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            raise SystemExit(f"error: {name} is not installed\nremedy: make setup") from None
        names.add(name)
        for line in requires:
            requirement = Requirement(line)
            environment = {**default_environment(), "extra": asked}
            if requirement.marker is None or requirement.marker.evaluate(environment):  # type: ignore[arg-type]
                wanted = canonicalize_name(requirement.name)
                open_ += [(wanted, one) for one in ("", *requirement.extras)]
    return names - {"wildtool"}


def licence_of(name: str) -> str:
    """As an SPDX expression where the distribution gives one, else by its classifiers, else its first line."""
    if name in KNOWN:
        return KNOWN[name]
    told = metadata.metadata(name)
    if told["License-Expression"]:
        return str(told["License-Expression"])
    classified = [
        line.rsplit(" :: ", 1)[-1]
        for line in told.get_all("Classifier", [])
        if line.startswith("License ::") and not line.endswith("OSI Approved")
    ]
    if classified:
        return "; ".join(sorted(classified))
    return next(iter((told["License"] or "").strip().splitlines()), "").strip() or "unknown"


def goes_with_ours(licence: str) -> bool:
    """Every part of a conjunction must; of alternatives, one."""
    parts = re.split(r"\s+AND\s+|;", licence, flags=re.IGNORECASE)
    return all(
        any(PERMISSIVE.match(choice.strip(" ()")) for choice in re.split(r"\s+OR\s+", part, flags=re.IGNORECASE))
        for part in parts
    )


def page() -> tuple[str, list[str]]:
    """The table of docs/licences.md, and what does not go with our licence."""
    brought: dict[str, str] = {}
    for extra in EXTRAS:
        for name in sorted(closure(extra)):
            brought.setdefault(name, extra)
    lines = [
        "# Licences",
        "",
        "What an install of wildtool (Apache-2.0) brings with it, and under which licence; made by `make licences` from the installed",
        "packages' own metadata, at the versions of `constraints.txt`. Nothing of it is copied into this repository. CI fails on a",
        "licence that does not go with ours. Label Studio (Apache-2.0) is a program of its own in an environment of its own.",
        "",
    ]
    bad = []
    for extra, why in EXTRAS.items():
        names = sorted(name for name, first in brought.items() if first == extra)
        heading = f"wildtool[{extra}]" if extra else "wildtool"
        lines += [f"## {heading}: {why}", "", f"{len(names)} packages{' more' if extra else ''}.", ""]
        lines += ["| package | version | licence |", "| --- | --- | --- |"]
        for name in names:
            licence = licence_of(name)
            lines.append(f"| {name} | {metadata.version(name)} | {licence} |")
            if not goes_with_ours(licence):
                bad.append(f"{name}: {licence}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n", bad


def vulnerabilities() -> tuple[list[str], str]:
    """What pip-audit knows of the pinned versions; and why it knows nothing, where it does not."""
    uv = Path(sys.executable).with_name("uv")
    command = [
        str(uv), "tool", "run", PIP_AUDIT, "-r", str(REPOSITORY / "constraints.txt"),
        "--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off",
    ]  # fmt: skip
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
        found = json.loads(ran.stdout)["dependencies"]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
        return [], f"pip-audit could not run here ({type(error).__name__})"
    looked = [one for one in found if "vulns" in one]
    if not looked:
        return [], f"pip-audit's service knows none of our {len(found)} packages here"
    print(f"pip-audit: {len(looked)} of {len(found)} pinned packages looked up")
    return [
        f"{one['name']} {one['version']}: {vulnerability['id']}, fixed in {', '.join(vulnerability['fix_versions']) or 'no version yet'}"
        for one in looked
        for vulnerability in one["vulns"]
    ], ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write docs/licences.md")
    parser.add_argument("--licences-only", action="store_true", help="ask no service")
    given = parser.parse_args()
    text, problems = page()
    if given.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        known = set(PAGE.read_text(encoding="utf-8").splitlines()) if PAGE.exists() else set()
        missing = [line for line in text.splitlines() if line.startswith("| ") and line not in known]
        problems += [f"docs/licences.md lacks {line.strip('| ')}: make licences" for line in missing]
    if not given.licences_only:
        found, silent = vulnerabilities()
        problems += found
        if silent:
            print(f"not audited: {silent}")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
