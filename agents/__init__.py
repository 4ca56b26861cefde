"""Session plan → draft: roles, prompts, the dialogue loop, checks, the model gateway, the offline model; candidates."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
