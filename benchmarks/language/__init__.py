"""How well the readers of language read foreign text: ``python -m benchmarks.language FILE... [--json]``."""
