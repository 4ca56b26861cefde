"""What words mean, in one place for all rooms: numbers, dates, units, ordinals, names, identifiers."""
