"""Install Label Studio into its own virtual environment, and migrate an empty database, each once per machine.

Label Studio pins libraries that clash with ours, so it needs its own environment: minutes and 1 GB. Both live in the
user's cache folder, so that every home and every test run shares them; if the cache is not writable they live in the
home.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from wildtool.schemas.base import sha256_hex
from wildtool.schemas.errors import HomeError, ServiceError, SettingsError

VENV_VARIABLE = "WILDTOOL_LABEL_STUDIO_VENV"
"""Environment variable that names a ready virtual environment with Label Studio in it."""

UV_VERSION = "0.13.9"
"""uv takes a fraction of a minute where pip takes four."""

READY = ".wildtool-ready"
"""Written last; an environment or template without it was interrupted and is rebuilt."""

Progress = Callable[[str], None]
"""Called with one line per step."""


def pins() -> str:
    """Read the constraints: one ``name==version`` per line."""
    return files("wildtool.annotation.label_studio").joinpath("constraints.txt").read_text(encoding="utf-8")


def pinned_version() -> str:
    """Return the pinned version of Label Studio."""
    for line in pins().splitlines():
        name, _, version = line.partition("==")
        if name == "label-studio":
            return version.strip()
    raise SettingsError("annotation/label_studio/constraints.txt does not pin label-studio", "restore the file")


def ensure_environment(home: Path, progress: Progress, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a virtual environment with Label Studio; install it if there is none.

    Order of preference: the one that ``WILDTOOL_LABEL_STUDIO_VENV`` names, ``home/labelstudio/venv``, the cache.
    Raises ``SettingsError`` if the named one lacks Label Studio, ``ServiceError`` if the installation fails.
    """
    named = environ.get(VENV_VARIABLE)
    if named:
        venv = Path(named).expanduser().absolute()
        if not command(venv).exists():
            raise SettingsError(
                f"{VENV_VARIABLE} names {venv}, which does not contain label-studio",
                f"correct or unset {VENV_VARIABLE}",
            )
        return venv
    own = home / "labelstudio" / "venv"
    if (own / READY).exists():
        return own
    venv = _cache(home, environ) / "venv"
    with _locked(venv.with_name("venv.lock"), progress, "another process is installing Label Studio; waiting for it"):
        if not (venv / READY).exists():
            _install(venv, progress)
    return venv


def ensure_template(home: Path, venv: Path, progress: Progress, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return a data folder with an empty, migrated database. Copying it saves the minutes of a first start.

    Label Studio's ``migrate`` creates no user, so none has to be removed.
    """
    template = _cache(home, environ) / f"template-{installed_version(venv)}"
    with _locked(
        template.with_name(template.name + ".lock"), progress, "another process is making the template; waiting for it"
    ):
        if (template / READY).exists():
            return template
        progress("making an empty Label Studio database (once per machine, about half a minute)")
        shutil.rmtree(template, ignore_errors=True)
        template.mkdir(parents=True)
        environment = {
            "PATH": environ.get("PATH", os.defpath),
            "HOME": str(template),
            "LABEL_STUDIO_BASE_DATA_DIR": str(template),
            **NO_CALLS_OUTSIDE,
        }
        _run(
            [python(venv), _manage(venv), "migrate", "--no-input"],
            environment,
            "Label Studio cannot create its database",
        )
        (template / ".env").unlink(missing_ok=True)  # holds a secret key; every home gets its own
        (template / READY).write_text("", encoding="utf-8")
    return template


NO_CALLS_OUTSIDE = {
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
    "LATEST_VERSION_CHECK": "false",
    "COLLECT_ANALYTICS": "false",
    # Some pages still fetch tips and versions from the internet: a proxy that nobody runs stops them.
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
    "no_proxy": "127.0.0.1,localhost",
}
"""Environment of every Label Studio process."""


def command(venv: Path) -> Path:
    """Return the path of the ``label-studio`` command."""
    return venv / "bin" / "label-studio"


def python(venv: Path) -> str:
    """Return the path of the environment's interpreter."""
    return str(venv / "bin" / "python")


def installed_version(venv: Path) -> str:
    """Return the version of Label Studio in an environment."""
    for folder in sorted(venv.glob("lib/python*/site-packages/label_studio-*.dist-info")):
        return folder.name.removeprefix("label_studio-").removesuffix(".dist-info")
    raise SettingsError(f"{venv} does not contain label-studio", "remove it, then run `wildtool annotate serve` again")


def _manage(venv: Path) -> str:
    for script in sorted(venv.glob("lib/python*/site-packages/label_studio/manage.py")):
        return str(script)
    raise SettingsError(f"{venv} does not contain label-studio", "remove it, then run `wildtool annotate serve` again")


def _cache(home: Path, environ: Mapping[str, str]) -> Path:
    base = Path(environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME") or Path.home()) / ".cache")
    name = f"labelstudio-py{sys.version_info.major}.{sys.version_info.minor}-{sha256_hex(pins())[:8]}"
    folder = base / "wildtool" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if writable:
        return folder
    own = home / "labelstudio"
    try:
        own.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HomeError(f"cannot create {own}: {error.strerror}", "choose another folder with --home") from error
    return own


def _install(venv: Path, progress: Progress) -> None:
    version = pinned_version()
    progress(f"installing Label Studio {version} into {venv} (once per machine)")
    shutil.rmtree(venv, ignore_errors=True)
    environment = dict(os.environ)
    _run([sys.executable, "-m", "venv", str(venv)], environment, "cannot create a virtual environment")
    constraints = venv / "constraints.txt"
    constraints.write_text(pins(), encoding="utf-8")
    pip = [python(venv), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    wanted = [f"label-studio=={version}", "-c", str(constraints)]
    problems = []
    for step in (
        [
            [*pip, f"uv=={UV_VERSION}"],
            [str(venv / "bin" / "uv"), "pip", "install", "--quiet", "--python", python(venv), *wanted],
        ],
        [[*pip, *wanted]],
        # The pins were tested on one version of Python; on another one Label Studio's own bounds must do.
        [[*pip, f"label-studio=={version}"]],
    ):
        try:
            for line in step:
                _run(line, environment, "cannot install Label Studio")
        except ServiceError as error:
            problems.append(error.cause)
            progress("that failed; trying pip, which takes some minutes")
        else:
            break
    else:
        raise ServiceError(
            problems[-1],
            f"check the connection to the package index, or point {VENV_VARIABLE} at an environment that has it",
        )
    (venv / READY).write_text(version, encoding="utf-8")


def _run(line: list[str], environment: Mapping[str, str], failure: str) -> None:
    done = subprocess.run(
        line, env=dict(environment), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        said = [text for text in (done.stderr or done.stdout).splitlines() if text.strip()]
        raise ServiceError(f"{failure}: {said[-1] if said else f'exit code {done.returncode}'}", "see the line above")


@contextmanager
def _locked(path: Path, progress: Progress, waiting: str) -> Iterator[None]:
    """Hold an exclusive lock, so that two simultaneous first starts install once. A killed holder releases it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(waiting)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
