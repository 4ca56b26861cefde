"""Tables of cases checked in one test: thousands of tests of a microsecond each would take longer to collect than to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def check_rows(rows: Iterable[tuple[Any, ...]], check: Callable[..., None]) -> None:
    """Call ``check(*row)`` for each row; fail with the first field of every row that failed, and why.

    An empty table fails too.
    """
    failed: list[str] = []
    checked = 0
    for row in rows:
        checked += 1
        try:
            check(*row)
        except Exception as error:  # whatever a reader raises is a failure of that row, not of the table
            cause = str(error).partition("\n")[0] if isinstance(error, AssertionError) else repr(error)
            failed.append(f"{row[0]}: {cause}")
    assert checked, "the table is empty"
    assert not failed, f"{len(failed)} of {checked} rows:\n" + "\n".join(failed)
