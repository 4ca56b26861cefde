"""What goes wrong around a run, done to it on purpose: ``python -m benchmarks.faults``."""
