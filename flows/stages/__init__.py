"""What the flows do, without an engine: one module a stage, one ``run(run, **parameters) -> JsonObject`` each.

A stage reads records from the store, hands them to a room, writes what the room gives back.
"""
