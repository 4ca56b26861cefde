"""Join the rooms: Prefect flows (one file each), the stages they run, the command line, settings."""
