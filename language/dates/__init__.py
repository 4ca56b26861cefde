"""Dates, times and stretches of time that a text names, each with every reading it may have."""

from wildtool.language.dates.moments import Moment, MomentKind, Part
from wildtool.language.dates.reading import read_dates

__all__ = ["Moment", "MomentKind", "Part", "read_dates"]
