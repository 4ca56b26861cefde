"""Where a value may come from: what was said, shown and pointed at before."""
