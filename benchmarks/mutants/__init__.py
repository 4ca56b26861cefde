"""Mutation testing: breaks the modules that decide on scores and data one change at a time, and runs their tests."""
