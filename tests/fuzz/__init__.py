"""Fuzzing: whatever bytes come, every door answers, refuses with a reason, or quarantines; it never crashes."""
