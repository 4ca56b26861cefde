"""What a trajectory is worth: graph, matching, arguments, errors, metrics, report.

``Referee`` judges one attempt at a task while it runs; ``score_session`` judges a stored trajectory again;
``summarise`` adds scores up. All are pure: records in, records out. Rules: ``docs/reference/scoring.md``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
