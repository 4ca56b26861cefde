"""Label Studio on PostgreSQL, for many annotators at once. Skips, with the reason, where there is no PostgreSQL."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from wildtool.annotation import (
    LabelStudioBackend,
    LabelStudioServer,
    connect,
    default_annotators,
    pull_labels,
    push_drafts,
)
from wildtool.annotation.form.interface import InterfaceSpec
from wildtool.annotation.label_studio.accounts import account_token
from wildtool.annotation.label_studio.results import form_result
from wildtool.annotation.label_studio.server import POSTGRES_VARIABLE, free_port
from wildtool.annotation.simulated import simulated_form

pytestmark = pytest.mark.e2e

ANNOTATORS = 8
"""People who submit at once."""


def _programs() -> Path | None:
    """The newest installed PostgreSQL's programs: Debian keeps them off the PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: int(each.parent.name))
    found = shutil.which("initdb")
    folders += [Path(found).resolve().parent] if found else []
    wanted = ("initdb", "pg_ctl", "createdb")
    return next((each for each in reversed(folders) if all((each / name).exists() for name in wanted)), None)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """Address of an empty database in a cluster of its own, on loopback, thrown away at the end."""
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL here: install Debian's postgresql to try Label Studio on it")
    user: dict[str, Any] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("run as root, and there is no user postgres to run PostgreSQL as")
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    folder = Path(tempfile.mkdtemp(prefix="wildtool-postgres-"))
    port = free_port()
    try:
        if user:
            shutil.chown(folder, "postgres", "postgres")

        def call(program: str, *arguments: str) -> None:
            line = [str(programs / program), *arguments]
            done = subprocess.run(
                line,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                check=False,
                **user,
            )
            assert done.returncode == 0, done.stderr.decode(errors="replace")

        data = str(folder / "data")
        call("initdb", "-D", data, "-A", "trust", "-U", "wildtool", "-E", "UTF8", "--no-sync")
        call(
            "pg_ctl",
            "-D",
            data,
            "-w",
            "-l",
            str(folder / "log"),
            "-o",
            f"-h 127.0.0.1 -p {port} -k {folder} -F",
            "start",
        )
        try:
            call("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "wildtool", "labelstudio")
            yield f"postgresql://wildtool:none@127.0.0.1:{port}/labelstudio"
        finally:
            call("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_many_annotators_on_postgresql(postgres: str, annotation_drafts: ModuleType, tmp_path: Path) -> None:
    drafts = [annotation_drafts.draft(index) for index in range(40)]
    server = LabelStudioServer(tmp_path, environ={**os.environ, POSTGRES_VARIABLE: postgres})
    try:
        running = server.start()
        assert not list(server.data.glob("*.sqlite3"))
        with connect(running.url, running.token) as connection:
            pushed = push_drafts(drafts, LabelStudioBackend(connection), project="on PostgreSQL", double_share=0.2)
            again = push_drafts(drafts, LabelStudioBackend(connection), project="on PostgreSQL", double_share=0.2)
            assert (pushed.new, again.new, sum(entry.people for entry in again.pushed)) == (40, 0, 48)
            people = default_annotators(3, ANNOTATORS)
            tokens = [account_token(connection, who.email) for who in people]

            def work(who: int) -> list[str]:
                """Take what Label Studio offers, till there is nothing left, while the others do so too."""
                given = []
                with connect(running.url, tokens[who]) as own:
                    path = f"/api/projects/{pushed.project_id}/next"
                    while (task := own.request("GET", path, missing_ok=True)) is not None:
                        draft = next(draft for draft in drafts if draft.id == task["data"]["uid"])
                        form, _ = simulated_form(draft, people[who], InterfaceSpec())
                        own.post(
                            f"/api/tasks/{task['id']}/annotations/", {"result": form_result(form), "lead_time": 60}
                        )
                        given.append(draft.id)
                return given

            with ThreadPoolExecutor(ANNOTATORS) as pool:
                given = list(pool.map(work, range(ANNOTATORS)))
            submitted = Counter(draft for each in given for draft in each)
            assert sum(submitted.values()) >= 48
            assert all(submitted[entry.draft] >= entry.people for entry in pushed.pushed)
            pulled = pull_labels(LabelStudioBackend(connection), project="on PostgreSQL", drafts=drafts)
            assert pulled.quarantined == ()
            assert Counter(label.draft for label in pulled.labels) == submitted
            assert len({label.annotator for label in pulled.labels}) == sum(bool(each) for each in given)
            url = running.url
        server.stop()
        # A restart finds everything: the data is in PostgreSQL.
        running = server.start()
        assert running.url == url
        with connect(running.url, running.token) as connection:
            assert (
                pull_labels(LabelStudioBackend(connection), project="on PostgreSQL", drafts=drafts).labels
                == pulled.labels
            )
    finally:
        server.stop()
