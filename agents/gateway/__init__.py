"""The model gateway: the only code that calls a model. Cache, limits, retries, budget, batches."""
