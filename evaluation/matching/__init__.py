"""Matches a candidate's steps against a task's graph."""
