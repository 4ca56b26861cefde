"""Stage: pull labels as they come. A webhook only hints that there is something to pull."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.stages.labelling import ledger
from wildtool.flows.stages.rounds import pull
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError, ServiceError

if TYPE_CHECKING:
    from wildtool.annotation import AnnotationBackend


def listen(
    run: Run,
    backend: AnnotationBackend,
    *,
    secret: str | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    address: str | None = None,
    pulls: int | None = None,
    on_ready: Callable[[str], None] = lambda url: None,
) -> JsonObject:
    """Pull once, then after every hint; ends after ``pulls`` of them (None: when interrupted).

    Without ``secret`` one is derived from the backend's credentials. ``address`` is where the annotation tool reaches
    this machine, if it differs from where we listen. A failed pull is reported and repeated at the next hint.
    """
    from wildtool.annotation import HookServer

    titles = sorted({entry.project for entry in ledger(run, backend.url)})
    projects = [project for title in titles if (project := backend.find_project(title)) is not None]
    if not projects:
        raise InputError("there is no project to listen to", "push drafts first: wildtool annotate push")
    secret = secret or backend.derived_secret("webhook")
    hinted = threading.Event()
    new = done = failed = 0
    with HookServer(secret, hinted.set, host=host, port=port) as receiver:
        url = address or receiver.url
        for project in projects:
            try:
                backend.notify(project, url, secret)
            except ServiceError as error:
                raise ServiceError(
                    f"the annotation server does not take {url} as a webhook: {error.cause}",
                    "restart the home's own server with `wildtool annotate serve --hooks`; for another one pass --address with an "
                    "address that it can reach (Label Studio refuses its own machine's while SSRF_PROTECTION_ENABLED is on)",
                ) from error
        on_ready(url)
        hinted.set()  # for labels made while nobody listened
        try:
            while pulls is None or done <= pulls:
                hinted.wait()
                hinted.clear()
                try:
                    new += int(pull(run, backend)["new"])
                except ServiceError as error:
                    failed += 1
                    run.progress.note(f"Pull failed: {error.cause}. The next hint repeats it.")
                done += 1
        except KeyboardInterrupt:
            run.progress.note("Stopped listening.")
    return {"hints": max(0, done - 1), "new": new, "failed_pulls": failed, "address": url}
