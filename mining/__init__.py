"""Mining: logs of real users → seed scenarios and a picture of how users behave.

``mine`` is the whole run. ``read_logs`` gives conversations alone, ``scrub`` takes personal data out of one,
``observe`` reads the behaviour of its turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mining.behaviour import observe
    from mining.expand import expand
    from mining.mine import MiningResult, MiningSettings, mine
    from mining.privacy import scrub
    from mining.readers import read_logs

__all__ = ["MiningResult", "MiningSettings", "expand", "mine", "observe", "read_logs", "scrub"]

_HOME = {
    "MiningResult": "mining.mine",
    "MiningSettings": "mining.mine",
    "expand": "mining.expand",
    "mine": "mining.mine",
    "observe": "mining.behaviour",
    "read_logs": "mining.readers",
    "scrub": "mining.privacy",
}


def __getattr__(name: str) -> Any:
    # Late, so that a command line that only asks for help does not load numpy.
    if name in _HOME:
        from importlib import import_module

        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value  # else "mine" would come to mean the submodule of that name
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
