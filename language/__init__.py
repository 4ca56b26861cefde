"""What words mean, in one place for all rooms."""
