"""API descriptions → verified tool lists with links.

``build_catalogue`` makes a catalogue, ``save_catalogue`` and ``load_catalogue`` keep it, ``sample`` gives the tools of
a session. See docs/reference/catalogue.md.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
