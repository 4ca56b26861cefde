"""Stages that the flows run, without an engine: one module each, with ``run(run, **parameters) -> JsonObject``.

A stage reads records from the store, hands them to a room, writes what the room gives back.
"""
