"""Video matching: which videos of a memory card belong to which logs, and why."""
