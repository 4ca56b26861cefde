"""The gateway as a plain function, for rooms that may not import it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from wildtool.agents.gateway.event_loop import run_to_end
from wildtool.flows.run import Run
from wildtool.schemas.errors import ModelError

ROLE = "miner"
"""Role of these requests: in the ledger, and for an endpoint of its own under ``[gateway.roles]``."""


def asker(run: Run, model: str) -> Callable[[Sequence[str]], Sequence[str | None]]:
    """A function from requests to answers, through a model, and the run's endpoint, cache, limits and budget.

    A request that fails for good is answered by None, and noted: whoever asks has an answer of its own. Raises
    ``SettingsError`` at once where there is no key.
    """
    from wildtool.agents import Gateway
    from wildtool.agents.gateway.gateway import ModelRequest
    from wildtool.flows.stages.draft import gateway_settings, require_key, response_cache

    own = run.settings.model_copy(update={"model": model})
    require_key(own)
    settings = gateway_settings(own)
    cache = response_cache(run, "responses.sqlite")

    async def all_of(requests: Sequence[str]) -> list[str | None]:
        failures: list[str] = []
        async with Gateway(settings, cache=cache, note=run.progress.note) as gateway:

            async def one(text: str) -> str | None:
                request = ModelRequest(role=ROLE, messages=({"role": "user", "content": text},), json_object=True)
                try:
                    return str((await gateway.complete(request)).message.get("content") or "") or None
                except ModelError as error:
                    failures.append(str(error))
                    return None

            answers = await asyncio.gather(*(one(text) for text in requests))
        if failures:
            run.progress.note(
                f"{len(failures):,} of {len(requests):,} requests to the model failed ({failures[0]}): rules stand in"
            )
        return answers

    return lambda requests: run_to_end(all_of(requests)) if requests else []
