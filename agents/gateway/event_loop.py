"""Run coroutines from plain functions, in notebooks too."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine. Where a loop runs already, as in Jupyter, it gets a loop and a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="wildtool-loop") as pool:
        return pool.submit(copy_context().run, asyncio.run, work).result()
