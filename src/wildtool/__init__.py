"""Builds, extends, freezes and scores tool-use benchmarks in the manner of WildToolBench.

The names below are the public API for notebooks and scripts. Each is loaded when it is first used, so that
``import wildtool`` costs nothing::

    import wildtool

    release = wildtool.load_release(Path("releases/1.0.0"))
    scores = [score for run in trajectories for score in wildtool.score_session(by_id[run.session], run)]

Everything else is in the rooms: ``wildtool.mining``, ``wildtool.api_catalog``, ``wildtool.agents``, ``wildtool.validation``,
``wildtool.annotation``, ``wildtool.evaluation``, ``wildtool.warehouse``; records are in ``wildtool.schemas``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
