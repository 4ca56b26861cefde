"""Judges turns that are text: questions back and final answers."""
