"""Joins the rooms: Prefect flows (one file a flow), the stages they run, the command line, settings."""
