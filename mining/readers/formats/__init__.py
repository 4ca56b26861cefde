"""Log formats, one module each: a module that defines a ``LogFormat`` registers it."""
