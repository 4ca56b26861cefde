"""Scores → figures, plots and one HTML page."""
