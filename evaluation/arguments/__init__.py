"""Compares a candidate's arguments with the gold arguments."""
