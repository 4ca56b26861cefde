"""Operations of an API → functions that a model can call."""
