"""Logs → seed scenarios and a picture of how users behave: readers, privacy, language, duplicates, behaviour, clusters."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
