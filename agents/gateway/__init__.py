"""Model gateway, the only code that calls a model: cache, limits, retries, budget, batches."""
