"""Bring drafts to annotators and their labels back: form, push, pull, agreement, adjudication, backends.

The names below are the room's contract. They are loaded on first use, so that importing the room costs nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
