"""Run a Label Studio server: one per home, on loopback only, without calls to the outside.

server = LabelStudioServer(Path(".wildtool"))
running = server.start(progress=print)      # installs on first use, returns a running one as it is
running.url, running.email, running.password, running.token
server.stop()
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from wildtool.annotation.label_studio.install import (
    NO_CALLS_OUTSIDE,
    Progress,
    _locked,
    command,
    ensure_environment,
    ensure_template,
)
from wildtool.schemas.base import Record
from wildtool.schemas.errors import HomeError, ServiceError, SettingsError

log = logging.getLogger(__name__)

START_SECONDS = 600.0
"""A first start without a template took 260 s on a busy machine."""

STOP_SECONDS = 20.0
"""Wait before the server is killed."""

POSTGRES_VARIABLE = "WILDTOOL_LABEL_STUDIO_POSTGRES"
"""``postgresql://user:password@host:port/database``; SQLite serves some annotators, PostgreSQL many."""

TOKEN_BYTES = 20
"""Legacy tokens are 40 hex digits."""


class Credentials(Record):
    """Credentials of the home's server, kept in ``credentials.json``, which only its owner can read."""

    email: str
    """Log-in name."""
    password: str
    """Password."""
    token: str
    """Legacy API token, 40 hex digits."""

    def __repr__(self) -> str:
        return f"Credentials(email={self.email!r})"

    __str__ = __repr__


class RunningServer(Record):
    """A server that answers."""

    url: str
    """Its address."""
    email: str
    """Log-in name."""
    password: str
    """Password."""
    token: str
    """API token."""
    pid: int
    """Process id, which is also its process group."""

    def __repr__(self) -> str:
        return f"RunningServer(url={self.url!r}, email={self.email!r}, pid={self.pid})"

    __str__ = __repr__


class ServerStatus(Record):
    """State of a home's server."""

    running: bool
    """True if it answers."""
    url: str | None = None
    """Its address, while it runs."""
    pid: int | None = None
    """Its process id, while it runs."""
    installed: bool
    """True if it has been started in this home before."""
    data_bytes: int = 0
    """Size of its data folder."""


class LabelStudioServer:
    """The Label Studio server of one home. Two homes have two servers, which may run at once."""

    def __init__(
        self,
        home: Path,
        *,
        environ: Mapping[str, str] = os.environ,
        sleep: Callable[[float], None] = time.sleep,
        loopback_hooks: bool = False,
    ) -> None:
        """``loopback_hooks`` lets webhooks reach this machine, which Label Studio refuses by default."""
        self.home = home.absolute()
        self.folder = self.home / "labelstudio"
        self.data = self.folder / "data"
        self.log = self.folder / "server.log"
        self._environ, self._sleep, self._loopback_hooks = environ, sleep, loopback_hooks

    # What is kept in the folder

    def credentials(self) -> Credentials:
        """Return the home's credentials, made on first use."""
        path = self.folder / "credentials.json"
        if path.exists():
            try:
                return Credentials.model_validate_json(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise HomeError(f"cannot read {path}", "restore it, or remove it to get a new log-in") from error
        # If data outlived its credentials, a second user is needed: the first one's password is lost.
        tail = f"-{secrets.token_hex(2)}" if self.data.exists() else ""
        made = Credentials(
            email=f"maintainer{tail}@wildtool.invalid",
            password=secrets.token_urlsafe(12),
            token=secrets.token_hex(TOKEN_BYTES),
        )
        self._write_private(path, made.model_dump_json(indent=1))
        return made

    def _write_private(self, path: Path, text: str) -> None:
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.folder.mkdir(exist_ok=True, mode=0o700)
            part = path.with_name(path.name + ".part")
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
                handle.write(text)
            part.replace(path)
        except OSError as error:
            raise HomeError(f"cannot write {path}: {error.strerror}", "choose another folder with --home") from error

    def _recorded(self) -> dict[str, Any]:
        try:
            recorded = json.loads((self.folder / "server.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return recorded if isinstance(recorded, dict) else {}

    # What runs

    def status(self) -> ServerStatus:
        """Tell whether the server runs. Takes milliseconds, changes nothing."""
        recorded = self._recorded()
        size = sum(path.stat().st_size for path in self.data.rglob("*") if path.is_file()) if self.data.exists() else 0
        if self._alive(recorded) and _healthy(recorded["url"]):
            return ServerStatus(running=True, url=recorded["url"], pid=recorded["pid"], installed=True, data_bytes=size)
        return ServerStatus(running=False, installed=self.data.exists(), data_bytes=size)

    def running(self) -> RunningServer | None:
        """Return the running server with its credentials, or None."""
        status = self.status()
        if not status.running or status.url is None or status.pid is None:
            return None
        return RunningServer(url=status.url, pid=status.pid, **self.credentials().model_dump())

    def start(self, progress: Progress = log.info) -> RunningServer:
        """Start the server, or return the running one; installs Label Studio on first use.

        ``progress`` gets one line per step. Raises ``HomeError``, ``SettingsError``, ``ServiceError``.
        """
        credentials = self.credentials()
        with _locked(self.folder / "start.lock", progress, "another process is starting this server; waiting for it"):
            running = self.running()
            if running is not None:
                return running
            self._kill(self._recorded())  # alive but not answering, or a stale file
            venv = ensure_environment(self.home, progress, environ=self._environ)
            postgres = self._environ.get(POSTGRES_VARIABLE)
            if not self.data.exists() and not postgres:
                template = ensure_template(self.home, venv, progress, environ=self._environ)
                part = self.folder / "data.part"
                shutil.rmtree(part, ignore_errors=True)
                shutil.copytree(template, part)
                part.chmod(0o700)
                part.rename(self.data)
            self.data.mkdir(exist_ok=True, mode=0o700)
            # Try the previous port first: annotators keep addresses.
            ports = [int(self._recorded().get("port", 0)), 0, 0]
            for wanted in ports:
                found = self._launch(venv, credentials, self._free_port(wanted), postgres, progress)
                if found is not None:
                    return found
        raise ServiceError("Label Studio found no free port", f"see {self.log}, then try again")

    def _free_port(self, wanted: int) -> int:
        for _ in range(20):  # a server that was just killed holds its port for some moments
            if (port := free_port(wanted)) is not None:
                return port
            self._sleep(0.1)
        if (port := free_port()) is None:
            raise ServiceError("no free port on loopback", "stop some servers, then try again")
        return port

    def _launch(
        self, venv: Path, credentials: Credentials, port: int, postgres: str | None, progress: Progress
    ) -> RunningServer | None:
        """Launch the server; return None if another process took the port meanwhile."""
        url = f"http://127.0.0.1:{port}"
        progress(f"starting Label Studio at {url}")
        self.log.touch(mode=0o600)
        line = [str(command(venv)), "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
        line += ["--data-dir", str(self.data)]
        with self.log.open("ab") as sink:
            process = subprocess.Popen(
                line,
                env=self._environment(credentials, port, postgres),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,  # its own group, so that stop() reaches its children, and Ctrl-C does not
            )
        recorded = {"pid": process.pid, "born": _born(process.pid), "port": port, "url": url}
        self._write_private(self.folder / "server.json", json.dumps(recorded))
        began = time.monotonic()
        told = 10.0
        while not _healthy(url):
            waited = time.monotonic() - began
            if process.poll() is not None:
                raise ServiceError(
                    f"Label Studio exited while starting (exit code {process.returncode})", f"see {self.log}"
                )
            if waited > START_SECONDS:
                self._kill(recorded)
                raise ServiceError(f"Label Studio did not answer within {START_SECONDS:.0f} s", f"see {self.log}")
            if waited > told:
                progress(f"waiting for Label Studio ({waited:.0f} s)")
                told += 10.0
            self._sleep(0.3)
        if not _accepts(url, credentials.token):
            self._kill(recorded)
            if process.poll() is None:
                process.wait(STOP_SECONDS)
            # Label Studio silently takes the next port if its own is taken: then another server answered.
            return None
        process.returncode = 0  # it outlives this process on purpose; without this, Python warns of a forgotten child
        return RunningServer(url=url, pid=process.pid, **credentials.model_dump())

    def _environment(self, credentials: Credentials, port: int, postgres: str | None) -> dict[str, str]:
        """Build the server's whole environment: none of our keys, no calls to the outside."""
        kept = {
            name: self._environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR") if name in self._environ
        }
        return {
            **kept,
            **NO_CALLS_OUTSIDE,
            "HOME": str(self.data),
            "PYTHONUTF8": "1",
            "LOG_LEVEL": "WARNING",  # the access log would hold invite links
            "LABEL_STUDIO_HOST": "",
            "LABEL_STUDIO_BASE_DATA_DIR": str(self.data),
            "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": "true",
            "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
            "LABEL_STUDIO_USERNAME": credentials.email,
            "LABEL_STUDIO_PASSWORD": credentials.password,
            "LABEL_STUDIO_USER_TOKEN": credentials.token,
            "LABEL_STUDIO_PORT": str(port),
            # Without it the server does not check a prediction's controls and values.
            "fflag_feat_utc_210_prediction_validation_15082025": "true",
            **({"SSRF_PROTECTION_ENABLED": "false"} if self._loopback_hooks else {}),
            **(_postgres_environment(postgres) if postgres else {}),
        }

    def stop(self) -> bool:
        """Stop the server with all its processes; return False if none ran."""
        recorded = self._recorded()
        stopped = self._kill(recorded)
        if recorded:  # keep the port for the next start
            self._write_private(self.folder / "server.json", json.dumps({"port": recorded.get("port", 0)}))
        return stopped

    def _alive(self, recorded: Mapping[str, Any]) -> bool:
        """Tell whether the recorded process still runs and is the one we started: process ids are reused."""
        pid = recorded.get("pid")
        if not isinstance(pid, int) or pid <= 1:
            return False
        _reap(pid)
        born = _born(pid)
        return born is not None and born == recorded.get("born")

    def _kill(self, recorded: Mapping[str, Any]) -> bool:
        if not self._alive(recorded):
            return False
        pid = recorded["pid"]
        for number, seconds in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, 5.0)):
            try:
                os.killpg(pid, number)
            except ProcessLookupError:
                return True
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                # The process is gone a moment before its last thread releases the port.
                if not self._alive(recorded) and free_port(recorded["port"]) is not None:
                    return True
                self._sleep(0.05)
            if not self._alive(recorded):
                return True  # another process has the port by now
        raise ServiceError(f"process {pid} does not stop", f"stop it by hand: kill -9 -{pid}")


def _reap(pid: int) -> None:
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return  # not ours to reap: another command started it


def _born(pid: int) -> str | None:
    """Return when a process started, as text that differs for a later process of the same id; None if it is gone."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] in "ZX" else fields[19]
    shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip() or None


def free_port(wanted: int = 0) -> int | None:
    """Return ``wanted`` if it is free on loopback (for 0 any free port), None if it is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            return None
        return int(probe.getsockname()[1])


def _healthy(url: str) -> bool:
    import httpx

    try:
        return httpx.get(f"{url}/health", timeout=5.0, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def _accepts(url: str, token: str) -> bool:
    import httpx

    try:
        answer = httpx.get(
            f"{url}/api/current-user/whoami", headers={"Authorization": f"Token {token}"}, timeout=30.0, trust_env=False
        )
    except httpx.TransportError:
        return False
    return answer.status_code == 200


def _postgres_environment(address: str) -> dict[str, str]:
    parts = urlsplit(address)
    if parts.scheme not in ("postgres", "postgresql") or not parts.hostname or not parts.path.strip("/"):
        raise SettingsError(
            f"{POSTGRES_VARIABLE} is not a PostgreSQL address",
            "give it as postgresql://user:password@host:port/database",
        )
    return {
        "DJANGO_DB": "default",
        "POSTGRE_NAME": parts.path.strip("/"),
        "POSTGRE_USER": unquote(parts.username or ""),
        "POSTGRE_PASSWORD": unquote(parts.password or ""),
        "POSTGRE_HOST": parts.hostname,
        "POSTGRE_PORT": str(parts.port or 5432),
    }
