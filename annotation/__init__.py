"""Drafts to people and their judgement back: Label Studio server, interface, push, pull, agreement, adjudication.

The names below are the room's contract. They are loaded on first use, so that importing the room costs nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
