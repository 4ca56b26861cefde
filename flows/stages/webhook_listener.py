"""Stage: labels as they come. A webhook says that there is something to pull, and a pull brings it: never more."""

from __future__ import annotations

import threading
from collections.abc import Callable

from wildtool.flows.run import Run
from wildtool.flows.stages.label_studio import Studio, ledger
from wildtool.flows.stages.rounds import pull
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError, ServiceError


def listen(
    run: Run,
    server: Studio,
    *,
    secret: str | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    address: str | None = None,
    pulls: int | None = None,
    on_ready: Callable[[str], None] = lambda url: None,
) -> JsonObject:
    """Pull once, then after every hint; ends after ``pulls`` of them (None: when interrupted).

    Without ``secret`` one follows from Label Studio's token, which is nowhere written down here. ``address`` is where
    Label Studio reaches us, if that is not where we listen. A pull that fails is told and made again at the next hint.
    """
    from wildtool.annotation import HookServer, register_hook

    projects = sorted({entry.project_id for entry in ledger(run, server.url)})
    if not projects:
        raise InputError("there is no project to listen to", "push drafts first: wildtool annotate push")
    secret = secret or server.connection.derived_secret("webhook")
    hinted = threading.Event()
    new = done = failed = 0
    with HookServer(secret, hinted.set, host=host, port=port) as receiver:
        url = address or receiver.url
        for project in projects:
            try:
                register_hook(server.connection, project_id=project, url=url, secret=secret)
            except ServiceError as error:
                raise ServiceError(
                    f"Label Studio does not take {url} as a webhook: {error.cause}",
                    "stop our own server and start it by `wildtool annotate serve --hooks`; for another one give an address with "
                    "--address that it can reach (it refuses its own machine's while SSRF_PROTECTION_ENABLED is on)",
                ) from error
        on_ready(url)
        hinted.set()  # what was labelled while nobody listened
        try:
            while pulls is None or done <= pulls:
                hinted.wait()
                hinted.clear()
                try:
                    new += int(pull(run, server)["new"])
                except ServiceError as error:
                    failed += 1
                    run.progress.note(f"{error.cause}: the next hint pulls again")
                done += 1
        except KeyboardInterrupt:
            run.progress.note("listening no more")
    return {"hints": max(0, done - 1), "new": new, "failed_pulls": failed, "address": url}
